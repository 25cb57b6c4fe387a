"""The Markdown of this manual as blocks. Anchors are those that GitHub gives to headings."""
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


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_code(text, blocks):
    """The text with code blocks blanked, so that positions stay."""
    lines = text.split("\n")
    for block in every(blocks):
        if block.kind == "code":
            for n in range(block.line - 1, block.line - 1 + block.text.count("\n") + 1):
                lines[n] = blank(lines[n])
    return "\n".join(lines)


def without_spans(text):
    return code_span.sub(lambda m: blank(m[0]), text)
