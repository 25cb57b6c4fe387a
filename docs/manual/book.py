"""The manual as HTML by Sphinx: copies of the pages with links among them, an index, and KaTeX for the formulas."""
import os
import re
import shutil
import subprocess

from . import markdown, pages
from .check import python_of_package
from .code import kind_of

packages = "python3-sphinx python3-myst-parser furo libjs-katex"
scripts = "/usr/share/javascript"
katex = scripts + "/katex"
katex_files = ("katex.min.js", "katex.min.css", "contrib/auto-render.js", "fonts")
code_word = re.compile(r"`([^`]+)`")


def is_possible():
    modules = [python_of_package(), "-c", "import sphinx, myst_parser, furo"]
    return os.path.isdir(katex) and subprocess.run(modules, stderr=subprocess.DEVNULL, check=False).returncode == 0


def document(page):
    """The name of a page in the book; README.md of the project is the first one."""
    return "index" if page == "README.md" else page.replace("docs/", "", 1).replace("/", "-").replace(".md", "")


def tables(blocks):
    """(heading before it, table) of each table."""
    above = None
    for block in blocks:
        above = block if block.kind == "heading" else above
        if block.kind == "table":
            yield above, block


class Book:
    """`write` puts the sources of Sphinx into a folder, with the files that they show or link to."""

    def __init__(self):
        self.texts = {page: pages.text_of(page) for page in pages.every_page()}
        self.blocks = {page: markdown.blocks_of(text) for page, text in self.texts.items()}
        self.files = set()
        self.index = {}  # (page, anchor) -> entries of the index
        self.add_words("docs/words.md")
        self.add_entries("docs/reference.md")

    def add_words(self, page):
        """Words of other programs: rows of words, programs, link to what it is here."""
        for _, table in tables(self.blocks.get(page, [])):
            for word, programs, here in table.items[1:]:
                target = pages.resolved(page, markdown.link.search(here)[2])
                self.index.setdefault(target, []).extend(f"pair: {name.lstrip('*')}; {program}" for name in code_word.findall(word) for program in programs.split(", "))

    def add_entries(self, page):
        for heading, table in tables(self.blocks[page]):
            self.index.setdefault((page, heading.anchor), []).extend(
                f"single: {code_word.match(row[0])[1]}; {markdown.plain(heading.text)}" for row in table.items[1:])

    def address(self, page, target):
        if not pages.is_local(target):
            return target
        name, anchor = pages.resolved(page, target)
        if name in self.blocks:
            return ("" if name == page and anchor else document(name) + ".md") + ("#" + anchor if anchor else "")
        self.files.add(name)
        return "files/" + name

    def relinked(self, page):
        text = self.texts[page]
        bare = markdown.without_spans(markdown.without_code(text, self.blocks[page]))
        found = [m for kind in (markdown.link, markdown.picture) for m in kind.finditer(bare)]
        for match in sorted(found, key=lambda m: -m.start(2)):
            text = text[:match.start(2)] + self.address(page, match[2]) + text[match.end(2):]
        return text

    def source(self, page):
        """Indented code gets a fence with its kind, `math` becomes a directive, headings get their entries of the index."""
        lines = self.relinked(page).split("\n")
        for block in self.blocks[page]:
            if block.kind == "code" and block.info is None:
                end = block.line + block.text.count("\n")
                lines[block.line - 2] += "\n```" + kind_of(block)
                lines[end - 1] += "\n```"
                lines[block.line - 1:end] = [line[4:] for line in lines[block.line - 1:end]]
            elif block.kind == "code" and block.info == "math":
                lines[block.line - 2] = "```{math}"
            elif block.kind == "heading":
                lines[block.line - 1] = re.sub(r"(?<!\\)<", r"\\<", lines[block.line - 1])  # <name> is no HTML
                where = [(page, block.anchor)] + [(page, "")] * (block.level == 1)
                entries = sorted({entry for key in where for entry in self.index.get(key, [])})
                lines[block.line - 1] += "".join(f"\n\n```{{index}} {entry}\n```" for entry in entries) + "\n" * bool(entries)
        return "\n".join(lines) + (self.contents() if page == "README.md" else "")

    @staticmethod
    def contents():
        """One tree of contents, in the order in which the manual reads."""
        made = ""
        for title, names in pages.pages():
            listed = [document(name) if name != "README.md" else "symdyn <self>" for name in names] + ["genindex"] * (title == "Reference")
            made += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n" + "\n".join(listed) + "\n```\n"
        return made

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for page in self.blocks:
            with open(os.path.join(folder, document(page) + ".md"), "w", encoding="utf-8") as file:
                file.write(self.source(page))
        for name in sorted(self.files):
            copy(os.path.join(pages.root, name), os.path.join(folder, "files", name))
        here = os.path.dirname(os.path.abspath(__file__))
        copy(os.path.join(here, "conf.py"), os.path.join(folder, "conf.py"))
        for name in ("formulas.js", "manual.css"):
            copy(os.path.join(here, name), os.path.join(folder, "static", name))
        for name in katex_files:
            copy(os.path.join(katex, name), os.path.join(folder, "static/katex", name))


def copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.isdir(source):
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy2(source, target)


def sphinx(source, html, **more):
    """Exit code: a warning is an error."""
    return subprocess.run([python_of_package(), "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", source, html], check=False, **more).returncode


def mend_theme(html):
    """Debian's furo expects a web server: it imports a module, and a style from the root of the server."""
    with open(scripts + "/normalize.css/normalize.css", encoding="utf-8") as file:
        normalize = file.read()
    for name, start, instead in (("scripts/furo.js", 'import Gumshoe from "./gumshoe-patched.js";', ""),
                                 ("styles/furo.css", "@import url(/javascript/normalize.css/normalize.css);", normalize)):
        path = os.path.join(html, "_static", name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(start, instead, 1))


def build(folder):
    """Pages in folder/html; exit code of Sphinx."""
    source, html = os.path.join(folder, "source"), os.path.join(folder, "html")
    for old in (source, html):
        shutil.rmtree(old, ignore_errors=True)
    Book().write(source)
    code = sphinx(source, html)
    mend_theme(html)
    return code
