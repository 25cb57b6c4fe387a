"""The Markdown of this manual: text to blocks, blocks to HTML. Anchors are those that GitHub gives to headings. Both the pages and their checks see
these blocks, so that what is shown is what is checked."""
import html
import re
from dataclasses import dataclass, field

fence = re.compile(r"^```(.*)$")
heading = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
item = re.compile(r"^([*-]|\d+\.)\s+(.*)$")
separator = re.compile(r"^\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$")
code_span = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
picture = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
link = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


@dataclass
class Block:
    kind: str  # heading, paragraph, code, table, list
    line: int  # of its first line in the file; of code: of its first line of text
    text: str = ""
    info: str = ""  # of code: what stands behind the fence, None where the block is indented
    level: int = 0  # of a heading
    items: list = field(default_factory=list)  # of a list: lists of blocks; of a table: rows of cells
    ordered: bool = False
    anchor: str = ""


def plain(text):
    """The text of a heading without its marks."""
    return re.sub(r"[`*]", "", link.sub(r"\1", text))


def anchor_of(text):
    return re.sub(r"[^\w\- ]", "", plain(text).lower()).replace(" ", "-")


def cells_of(row):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row.strip().strip("|") if not row.strip().endswith("\\|") else row.strip()[1:])]


class Reader:
    """Blocks of some lines; `first` is the number of the first of them in the file."""

    def __init__(self, lines, first=1):
        self.lines, self.first, self.at = lines, first, 0

    def rest(self, ahead=0):
        return self.lines[self.at + ahead] if self.at + ahead < len(self.lines) else ""

    def blocks(self):
        found = []
        while self.at < len(self.lines):
            line = self.rest()
            if not line.strip():
                self.at += 1
            elif line.startswith("<!--"):
                self.skip_comment()
            else:
                found.append(self.block(line))
        return found

    def block(self, line):
        if fence.match(line):
            return self.fenced()
        if line.startswith("    "):
            return self.indented()
        if heading.match(line):
            return self.heading()
        if line.startswith("|") and separator.match(self.rest(1)):
            return self.table()
        return self.list() if item.match(line) else self.paragraph()

    def skip_comment(self):
        while self.at < len(self.lines) and "-->" not in self.rest():
            self.at += 1
        self.at += 1

    def fenced(self):
        block = Block("code", self.first + self.at + 1, info=fence.match(self.rest())[1].strip())
        self.at += 1
        start = self.at
        while self.at < len(self.lines) and not self.rest().startswith("```"):
            self.at += 1
        block.text = "\n".join(self.lines[start:self.at])
        block.items = [] if self.at < len(self.lines) else ["open"]
        self.at += 1
        return block

    def indented(self):
        start = self.at
        while self.at < len(self.lines) and (self.rest().startswith("    ") or not self.rest().strip()):
            self.at += 1
        text = "\n".join(line[4:] for line in self.lines[start:self.at]).rstrip("\n")
        return Block("code", self.first + start, text, info=None)

    def heading(self):
        marks, text = heading.match(self.rest()).groups()
        self.at += 1
        return Block("heading", self.first + self.at - 1, text, level=len(marks))

    def table(self):
        start = self.at
        while self.rest().startswith("|"):
            self.at += 1
        rows = [cells_of(row) for n, row in enumerate(self.lines[start:self.at]) if n != 1]
        return Block("table", self.first + start, items=rows)

    def list(self):
        """Items with what is indented below them; an item may hold any blocks."""
        block = Block("list", self.first + self.at, ordered=self.rest()[0].isdigit())
        while (match := item.match(self.rest())) is not None and match[1][0].isdigit() == block.ordered:
            indent, start, lines = len(match[0]) - len(match[2]), self.at, [match[2]]
            self.at += 1
            while self.at < len(self.lines) and self.goes_on():
                lines.append(self.rest()[min(indent, len(self.rest()) - len(self.rest().lstrip())):])
                self.at += 1
            block.items.append(Reader(lines, self.first + start).blocks())
            while self.at < len(self.lines) and not self.rest().strip() and item.match(self.rest(1)):
                self.at += 1
        return block

    def goes_on(self):
        """Is this line still of the item: indented, or plain text that follows directly, or blank before something indented."""
        line = self.rest()
        if not line.strip():
            return self.rest(1).startswith("  ")
        return line.startswith("  ") or not (self.starts_something(line) or not self.rest(-1).strip())

    def starts_something(self, line):
        return bool(item.match(line) or heading.match(line) or fence.match(line) or line.startswith("|"))

    def paragraph(self):
        start = self.at
        self.at += 1
        while self.rest().strip() and not (self.starts_something(self.rest()) and not re.match(r"\d", self.rest())):
            self.at += 1
        return Block("paragraph", self.first + start, "\n".join(line.strip() for line in self.lines[start:self.at]))


def blocks_of(text):
    """Blocks of a page; headings have their anchors, the second of a name with -1."""
    blocks, seen = Reader(text.split("\n")).blocks(), {}
    for block in blocks:
        if block.kind == "heading":
            name = anchor_of(block.text)
            block.anchor = name + (f"-{seen[name]}" if name in seen else "")
            seen[name] = seen.get(name, 0) + 1
    return blocks


def every(blocks):
    """The blocks and those within lists."""
    for block in blocks:
        yield block
        if block.kind == "list":
            for inner in block.items:
                yield from every(inner)


def inline(text, address=lambda target: target):
    """HTML of running text; `address` says where a link leads."""
    kept = []

    def keep(made):
        kept.append(made)
        return f"\0{len(kept) - 1}\0"

    text = code_span.sub(lambda m: keep(f"<code>{html.escape(m[2].strip())}</code>"), text)
    text = re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", lambda m: keep(html.escape(m[1])), text)
    text = html.escape(text, quote=False)
    text = picture.sub(lambda m: keep(f'<img src="{address(m[2])}" alt="{html.escape(m[1])}">'), text)
    text = link.sub(lambda m: keep(f'<a href="{address(m[2])}">') + m[1] + keep("</a>"), text)
    text = re.sub(r"\*\*(\S(?:.*?\S)?)\*\*", r"<strong>\1</strong>", text, flags=re.DOTALL)
    text = re.sub(r"(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])", r"<em>\1</em>", text)
    while "\0" in text:
        text = re.sub("\0(\\d+)\0", lambda m: kept[int(m[1])], text)
    return text


def table_html(block, address):
    head, *rows = block.items
    made = "".join(f"<th>{inline(cell, address)}</th>" for cell in head)
    lines = [f"<table><thead><tr>{made}</tr></thead><tbody>"]
    lines += ["<tr>" + "".join(f"<td>{inline(cell, address)}</td>" for cell in row) + "</tr>" for row in rows]
    return "\n".join(lines) + "</tbody></table>"


def block_html(block, address, kind_of):
    if block.kind == "heading":
        return f'<h{block.level} id="{block.anchor}">{inline(block.text, address)}<a class="here" href="#{block.anchor}">#</a></h{block.level}>'
    if block.kind == "code":
        return f'<pre class="{kind_of(block)}"><code>{html.escape(block.text)}</code></pre>'
    if block.kind == "table":
        return table_html(block, address)
    if block.kind == "list":
        name = "ol" if block.ordered else "ul"
        return f"<{name}>" + "".join(f"<li>{to_html(inner, address, kind_of, tight=True)}</li>" for inner in block.items) + f"</{name}>"
    return f"<p>{inline(block.text, address)}</p>"


def to_html(blocks, address=lambda target: target, kind_of=lambda block: "text", tight=False):
    """`tight`: an item of a list that is a paragraph alone is not set as one."""
    if tight and len(blocks) == 1 and blocks[0].kind == "paragraph":
        return inline(blocks[0].text, address)
    return "\n".join(block_html(block, address, kind_of) for block in blocks)
