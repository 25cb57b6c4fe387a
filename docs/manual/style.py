"""Is the manual easy to read? Sentences of at most 25 words, cells of tables of at most 15, paragraphs of at most 110."""
import re

from . import markdown

generated = {"docs/reference.md", "docs/verification-results.md"}
limits = {"sentence": 25, "cell": 15, "paragraph": 110}
abbreviations = ("i.e.", "e.g.", "cf.", "al.", "eq.", "eqs.", "sect.", "ch.", "fig.", "no.", "vol.", "p.", "...")
word = re.compile(r"[^\W\d_]{2}")
code_or_formula = re.compile(markdown.code_span.pattern + r"|\$[^$]+\$", re.DOTALL)


def words(text):
    """Numbers and symbols of formulas are none, in dollars too; code, a link and a longer formula in dollars are one each."""
    return [token for token in text.split() if word.search(token)]


def simplified(text):
    return re.sub(r"\s+", " ", code_or_formula.sub(lambda found: "code" if found[0][0] != "$" or " " in found[0] else "x", markdown.link.sub(r"\1", text)))


def sentences(text):
    """Of a paragraph; sources are divided by points between the lines."""
    parts = [""]
    for token in re.split(r" · |(?<= )", text + " "):
        parts[-1] += token
        if re.search(r"[.!?][)\"*_]* $", token) and token.strip(" (").lower() not in abbreviations or not token.endswith(" "):
            parts.append("")
    return [part.strip() for part in parts if part.strip()]


def is_checked(page):
    return page not in generated


def too_long(blocks):
    """[(line, what, words, text)] of what is longer than its limit."""
    for block in markdown.every(blocks):
        if block.kind == "paragraph":
            text = simplified(block.text)
            parts = [(block.line, "sentence", s) for s in sentences(text)] + [(block.line, "paragraph", text)] * (" · " not in text)
        elif block.kind == "table":
            parts = [(block.line + 2 + n, "cell", simplified(cell)) for n, row in enumerate(block.items[1:]) for cell in row]
        else:
            continue
        for line, what, text in parts:
            if len(words(text)) > limits[what]:
                yield line, what, len(words(text)), text
