"""The code blocks of the manual: of what kind each is, and whether it is true.

A fence names its kind, and may say how it is checked:

    prm            a deck: if it is complete it is run, else its entries are compared with those that the program has
    prm nightly    a long deck: checked by `symdyn check`, run with --nightly
    prm fails      a deck that must be refused with exit code 1
    sh             commands: programs, subcommands, options, entries of --set and files exist
    sh run         the same, and they are run one after the other in a folder of the page's own, as from the top of the project
    sh nightly     the same, run with --nightly only
    python         runs with Debian's Python, where the package symdyn is built beside the program; all blocks of a page in one folder
    json           is JSON; cpp, text, formula: shown as they are; math: LaTeX, typeset

An indented block has the kind that its first line shows: entries of a deck, a command, JSON, else a formula."""
import json
import re
import shlex
from dataclasses import dataclass

kinds = {"prm": {"nightly", "fails"}, "sh": {"run", "nightly"}, "python": set(), "json": set(), "cpp": set(), "text": set(), "math": set(), "formula": set(), "csv": set(), "inp": set()}
programs = {"symdyn", "mpirun", "cmake", "ctest", "ninja", "pvpython", "pvbatch", "paraview", "xvfb-run", "apt-get", "docker", "kill", "cat", "cd", "ls", "cp",
            "head", "tail", "grep", "sleep", "timeout", "test", "wait", "python3", "rm", "mkdir", "sed", "echo", "clang-format", "ccx", "tee", "export"}
folders = ("benchmarks/", "build/", "docs/", "paraview/", "decks/", "tests/")
prm_line = re.compile(r"\s*(set\s+[\w -]+=|subsection\s+\S|include\s+\S+\.prm)")


def is_command(line):
    first = re.sub(r"^\$ ", "", line.strip()).split(" ")[0]
    return first in programs or first.startswith(("./",) + folders) or first.endswith("/symdyn")


def deduced(text):
    """The kind of an indented block: by its first line that is no comment."""
    first = next((line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")), text)
    if prm_line.match(first):
        return "prm"
    if is_command(first):
        return "sh"
    if first.startswith("{"):
        return "json"
    return "cpp" if first.startswith("SYMDYN_REGISTER") else "formula"


def words_of(block):
    return block.info.split() if block.info is not None else [deduced(block.text)]


def kind_of(block):
    return (words_of(block) or ["text"])[0]


@dataclass
class Entry:
    section: tuple
    name: str
    value: str
    line: int


def without_comment(line):
    return re.sub(r"(^|\s)#.*$", "", line).rstrip()


def read_prm(text, line=1):
    """Entries of a deck or a part of one; ValueError with the line where it is not the syntax."""
    section, entries, pending = [], [], ""
    for number, raw in enumerate(text.split("\n"), line):
        code = pending + without_comment(raw).strip()
        pending = ""
        if code.endswith("\\"):
            pending = code[:-1]
        elif match := re.match(r"subsection\s+(.+)$", code):
            section.append(match[1])
        elif code == "end":
            if not section:
                raise ValueError(f"{number}: `end` without a subsection")
            section.pop()
        elif match := re.match(r"set\s+(.+?)\s*=\s*(.*)$", code):
            entries.append(Entry(tuple(section), match[1], match[2], number))
        elif code and not code.startswith("include ") and code != "...":
            raise ValueError(f"{number}: '{code}' is neither set, subsection, end nor include")
    return entries


def is_whole(entries):
    """A deck that can be run: something that moves, and for how long."""
    tops = {e.section[0] for e in entries if e.section}
    return bool({"Materials", "Points", "Rigid bodies"} & tops) and bool({"Time", "Stages"} & tops) and ("Mesh" in tops or any(e.name == "Structure" for e in entries))


class Parameters:
    """What `symdyn parameters --json` prints: every entry that a deck may have, with its rule."""

    def __init__(self, printed):
        self.rules = {}
        for entry in json.loads(printed):
            path = tuple(entry["path"].split("/"))
            self.rules.setdefault(path[:-1], {})[path[-1]] = entry["rule"]
        self.tops = {section[0] for section in self.rules if section}
        self.prefixes = sorted({section[:n] for section in self.rules for n in range(len(section) + 1)}, key=lambda p: (len(p), p))

    @staticmethod
    def same(section, pattern):
        return len(section) == len(pattern) and all(p == s or p == "<name>" for s, p in zip(section, pattern))

    def rule(self, section, name):
        """None if there is no such entry. A scheme inside another has the section of the scheme; `name = value` belongs to name."""
        for pattern, entries in self.rules.items():
            if name in entries and (self.same(section, pattern) or (section[:1] == ("Integrator",) and self.same(("Integrator",) + section[-1:], pattern))):
                return entries[name]
            if name in entries and len(section) > 2 and section[0] == "Stages" and section[2] in ("Time", "Integrator") and self.same(section[2:], pattern):
                return entries[name]
        return None

    def has_section(self, section):
        return any(self.same(section, pattern[:len(section)]) for pattern in self.rules)

    def faults(self, entries, prefix=()):
        """[(line, text)] of what no deck may have, the part standing in the section `prefix`."""
        found = []
        for e in entries:
            rule = self.rule(prefix + e.section, e.name)
            where = "/".join(prefix + e.section + (e.name,))
            if rule is None:
                found.append((e.line, f"there is no entry '{where}'"))
            elif e.value and (fault := fault_of_value(e.value, rule)):
                found.append((e.line, f"{where} = {e.value} {fault}"))
        return found

    def faults_of_part(self, entries):
        """Those of the section in which the part makes most sense."""
        if not entries:
            return []
        return min((self.faults(entries, prefix) for prefix in self.prefixes), key=len)


def choices_of(rule):
    if rule == "yes or no":
        return ["yes", "no"]
    return rule[len("one of "):].split(", ") if rule.startswith("one of ") else []


def fault_of_value(value, rule):
    """"" or why the rule does not allow the value; a word in capitals stands for any."""
    choices = choices_of(rule)
    return f"is not one of {', '.join(choices)}" if choices and value not in choices and not (value.isupper() and len(value) > 1) else ""


def commands_of(text):
    """[(line offset, words)] of a block of commands. With `$ ` before a line only such lines are commands, the others what they print."""
    lines, found, pending = text.split("\n"), [], ""
    prompts = any(line.startswith("$ ") for line in lines)
    for offset, line in enumerate(lines):
        if prompts and not line.startswith("$ "):
            continue
        line = pending + (line[2:] if prompts else line)
        pending = ""
        if line.endswith("\\"):
            pending = line[:-1]
            continue
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        found += [(offset, words) for words in split_commands(list(lexer))]
    return found


def split_commands(tokens):
    """At ; | && ( ) and so on; files that < and > name are left out."""
    made, words, target = [], [], False
    for token in tokens + [";"]:
        operator = bool(token) and set(token) <= set("();<>|&")
        if operator and not set(token) & set("<>") and words:
            made.append(words)
            words = []
        elif not operator and not target:
            words.append(token)
        target = operator and bool(set(token) & set("<>"))
    return made
