"""Is the manual true, and easy to read? Links, anchors, pictures, files, tests and entries that it names, code blocks, the reference, lengths of
sentences. Faults as file:line: text."""
import difflib
import functools
import glob
import json
import os
import re
import subprocess
import tempfile

from . import commands, markdown, style
from .code import commands_of, fault_of_value, is_whole, kind_of, kinds, read_prm, words_of
from .pages import every_page, is_local, resolved, root, text_of

rooms = "solver|elements|materials|integrators|meshes|decks|tests|benchmarks|paraview|docs|cmake|python"
file_name = re.compile(rf"(?<![\w/.-])((?:{rooms})/[\w./-]*[\w-]\.(?:cc|h|py|prm|md|json|csv|txt|sh|cmake|png|svg|inp))(?![\w])")
bare_name = re.compile(r"(?<![\w/.*-])([a-z]\w*\.(?:cc|h))(?![\w])")
test_name = re.compile(r"[`*]([A-Z]\w+)\.([A-Z]\w*)[`*]")
test_definition = re.compile(r"^\s*(?:TEST|TEST_F|TEST_P)\((\w+), (\w+)\)", re.MULTILINE)
entry_name = re.compile(r"`([A-Z][\w -]*(?:/[\w <>-]+)+?)(?: = ([^`]*))?`")
placeholders = {"NAME", "Suite"}


def line_of(text, position):
    return text.count("\n", 0, position) + 1


class Checker:
    """Faults of a manual: `pages` as texts by name; `program` a commands.Program or None where it is not asked; without `runs`
    no deck and no command is run."""

    def __init__(self, pages=None, program=None, binary=None, nightly=False, runs=True):
        self.pages = pages or {name: text_of(name) for name in every_page()}
        self.blocks = {name: markdown.blocks_of(text) for name, text in self.pages.items()}
        self.program, self.binary, self.nightly, self.runs = program, binary and os.path.abspath(binary), nightly, runs
        self.found, self.ran = [], 0

    def fault(self, page, line, text):
        self.found.append(f"{page}:{line}: {text}")

    def check(self):
        for page in self.pages:
            self.check_links(page)
            self.check_names(page)
            self.check_tables(page)
            self.check_style(page)
            self.check_code(page)
        if self.program:
            self.check_reference()
        return self.found

    @functools.lru_cache(maxsize=None)
    def anchors(self, page):
        return {b.anchor for b in self.blocks[page] if b.kind == "heading"}

    def check_links(self, page):
        text = markdown.without_spans(markdown.without_code(self.pages[page], self.blocks[page]))
        for expression, what in ((markdown.link, "link"), (markdown.picture, "picture")):
            for match in expression.finditer(text):
                if is_local(match[2]):
                    self.check_link(page, line_of(text, match.start()), what, match[2])

    def check_link(self, page, line, what, target):
        name, anchor = resolved(page, target)
        if name not in self.pages and not os.path.exists(os.path.join(root, name)):
            self.fault(page, line, f"{what} to {target}: there is no {name}")
        elif what == "link" and os.path.isdir(os.path.join(root, name)):
            self.fault(page, line, f"link to {target}: a folder has no page; name a file")
        elif anchor and name in self.pages and anchor not in self.anchors(name):
            self.fault(page, line, f"link to {target}: {name} has no heading with the anchor #{anchor}")

    def check_names(self, page):
        """Files, tests and entries that the text names; the changelog may name what is gone."""
        text = re.sub(r"\]\([^)\s]+\)", lambda m: " " * len(m[0]), markdown.without_code(self.pages[page], self.blocks[page]))
        if page == "CHANGELOG.md":
            return
        for match in file_name.finditer(text):
            if not os.path.exists(os.path.join(root, match[1])) and not os.path.exists(os.path.join(root, os.path.dirname(page), match[1])):
                self.fault(page, line_of(text, match.start()), f"there is no {match[1]}")
        for match in bare_name.finditer(text):
            if match[1] not in sources():
                self.fault(page, line_of(text, match.start()), f"no folder has a {match[1]}")
        for match in test_name.finditer(text):
            if match[1] not in placeholders and match[2] not in suites().get(match[1], ()) and f"{match[1]}.{match[2]}" not in entries_of_ctest():
                self.fault(page, line_of(text, match.start()), f"there is no test {match[1]}.{match[2]}")
        if self.program:
            self.check_entries(page, text)

    def check_entries(self, page, text):
        parameters = self.program.parameters
        for match in entry_name.finditer(text):
            *section, name = match[1].split("/")
            if any(word.isupper() and len(word) > 2 for word in section):
                continue
            line, rule = line_of(text, match.start()), parameters.rule(tuple(section), name)
            if section[0] not in parameters.tops:
                meant = difflib.get_close_matches(section[0], parameters.tops, 1)
                if match[2] or meant:
                    self.fault(page, line, f"there is no section {section[0]} of a deck" + (f"; {meant[0]}?" if meant else ""))
            elif rule is None and not parameters.has_section(tuple(section) + (name,)):
                self.fault(page, line, f"there is no entry {match[1]} of a deck")
            elif rule is not None and match[2] and (fault := fault_of_value(match[2], rule)):
                self.fault(page, line, f"{match[1]} = {match[2]} {fault}")

    def check_tables(self, page):
        """A bar that is not meant to end a cell is written \\|."""
        for block in markdown.every(self.blocks[page]):
            for n, row in enumerate(block.items if block.kind == "table" else []):
                if len(row) != len(block.items[0]):
                    line = block.line + n + (n > 0)
                    self.fault(page, line, f"this row has {len(row)} cells, the head of the table {len(block.items[0])}")

    def check_style(self, page):
        for line, what, number, text in style.too_long(self.blocks[page]) if style.is_checked(page) else ():
            self.fault(page, line, f"a {what} of {number} words, at most {style.limits[what]}: {text[:60]}")

    def check_code(self, page):
        with tempfile.TemporaryDirectory() as folder:
            for block in markdown.every(self.blocks[page]):
                if block.kind == "code":
                    self.check_block(page, block, folder)

    def check_block(self, page, block, folder):
        kind, *how = words_of(block) or [""]
        if block.items:
            self.fault(page, block.line - 1, "this ``` has no end")
        if kind not in kinds or not set(how) <= kinds[kind]:
            self.fault(page, block.line - 1, f"code block of unknown kind '{block.info}'; known: " + "; ".join(
                f"{name} {'|'.join(sorted(more))}".strip() for name, more in kinds.items()))
        elif kind == "prm":
            self.check_prm(page, block, how, folder)
        elif kind == "sh":
            self.check_sh(page, block, how, folder)
        elif kind == "json":
            self.check_json(page, block)
        elif kind == "python":
            self.check_python(page, block, folder)

    def check_json(self, page, block):
        try:
            json.loads(block.text)
        except ValueError as error:
            self.fault(page, block.line, f"not JSON: {error}")

    def check_python(self, page, block, folder):
        """Runs it where the package is built; its syntax is checked anyway."""
        try:
            compile(block.text, page, "exec")
        except SyntaxError as error:
            return self.fault(page, block.line + (error.lineno or 1) - 1, f"not Python: {error.msg}")
        package = package_of(self.binary)
        if not self.runs or not self.program or not package:
            return None
        prepare(folder, self.binary)
        done = self.execute([python_of_package(), "-c", block.text], folder, dict(os.environ, PYTHONPATH=package))
        if done.returncode:
            self.fault(page, block.line, f"this ends with exit code {done.returncode}: {(done.stdout + done.stderr).strip()[-600:]}")
        return None

    def check_prm(self, page, block, how, folder):
        try:
            entries = read_prm(block.text, block.line)
        except ValueError as error:
            line, _, text = str(error).partition(": ")
            return self.fault(page, line, text)
        if not self.program:
            return None
        if not is_whole(entries):
            for line, text in self.program.parameters.faults_of_part(entries):
                self.fault(page, line, text)
            return None
        return self.runs and self.run_deck(page, block, how, folder)

    def run_deck(self, page, block, how, folder):
        deck = os.path.join(folder, f"{os.path.basename(page)}-{block.line}.prm")
        with open(deck, "w", encoding="utf-8") as file:
            file.write(block.text + "\n")
        late = "nightly" in how and not self.nightly
        command = [self.binary, "check", deck] if late or "fails" in how else [self.binary, "run", deck, "--quiet", "--output", deck + ".results"]
        done, expected = self.execute(command, folder), 1 if "fails" in how else 0
        if done.returncode != expected:
            said = (done.stdout + done.stderr).strip().replace(deck + ":", "line ")
            self.fault(page, block.line, f"this deck ends with exit code {done.returncode} instead of {expected}: {said[-600:]}")

    def check_sh(self, page, block, how, folder):
        if not self.program:
            return
        try:
            listed = commands_of(block.text)
        except ValueError as error:
            return self.fault(page, block.line, f"not the syntax of a shell: {error}")
        faults = [(block.line + offset, fault) for offset, words in listed for fault in commands.faults(words, self.program)]
        for line, fault in faults:
            self.fault(page, line, fault)
        if self.runs and not faults and ("run" in how or ("nightly" in how and self.nightly)):
            self.run_shell(page, block, folder)

    def run_shell(self, page, block, folder):
        """In a folder that looks like the project with its release build."""
        prepare(folder, self.binary)
        done = self.execute(["bash", "-e", "-o", "pipefail", "-c", block.text], folder, dict(os.environ, PATH=folder + "/build/release:" + os.environ["PATH"]))
        if done.returncode:
            self.fault(page, block.line, f"these commands end with exit code {done.returncode}: {(done.stdout + done.stderr).strip()[-600:]}")

    def execute(self, command, folder, environment=None):
        self.ran += 1
        environment = dict(environment or os.environ, OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,vader", OMP_NUM_THREADS="1")
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def check_reference(self):
        printed, page = self.program.run("parameters", "--markdown"), "docs/reference.md"
        text = self.pages.get(page, "")
        if printed in text:
            return
        known, lines = set(text.split("\n")), printed.split("\n")
        missing = next((n for n, line in enumerate(lines) if line not in known), 0)
        line = next((n for n, old in enumerate(text.split("\n"), 1) if old == lines[max(missing - 1, 0)]), 1)
        self.fault(page, line, f"not what `symdyn parameters --markdown` prints now: '{lines[missing][:100]}' is missing; make it again by docs/build --reference")


def package_of(binary):
    """The folder of the Python package beside the program, or None."""
    folder = os.path.join(os.path.dirname(binary or ""), "python")
    return folder if glob.glob(folder + "/symdyn/_core*.so") else None


def python_of_package():
    """Debian's, for which Debian's NumPy is."""
    return "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3"


def prepare(folder, binary):
    if os.path.exists(folder + "/build"):
        return
    os.makedirs(folder + "/build/release")
    os.symlink(binary, folder + "/build/release/symdyn")
    for name in ("decks", "paraview", "benchmarks", "tests"):
        os.symlink(os.path.join(root, name), os.path.join(folder, name))


@functools.lru_cache(maxsize=None)
def sources():
    """Names of the files of code, without their folders."""
    return {name for room in rooms.split("|") for _, _, files in os.walk(os.path.join(root, room)) for name in files}


@functools.lru_cache(maxsize=None)
def suites():
    """Tests by suite, from the sources of the tests."""
    found = {}
    for folder, _, names in os.walk(os.path.join(root, "tests")):
        for name in names:
            if name.endswith(".cc"):
                for suite, test in test_definition.findall(text_of(os.path.join(folder, name))):
                    found.setdefault(suite, set()).add(test)
    return found


@functools.lru_cache(maxsize=None)
def entries_of_ctest():
    return set(re.findall(r"NAME (\w[\w.]*)", text_of("tests/CMakeLists.txt")))


def program_of(binary):
    """A commands.Program; FileNotFoundError where there is none."""
    def run(*words):
        done = subprocess.run([binary, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise RuntimeError(f"{binary} {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout
    return commands.Program(run)
