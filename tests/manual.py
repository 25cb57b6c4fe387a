"""The checker of the manual finds what is wrong, where it is, and nothing else: a page that is right, and the same with one thing broken.

    python3 tests/manual.py --binary build/release/symdyn"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.dont_write_bytecode = True
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(root, "docs"), os.path.join(root, "benchmarks")]
from manual import check, markdown, pages  # noqa: E402
from tools import columns  # noqa: E402
from verification import Runner  # noqa: E402

binary = sys.argv.pop(sys.argv.index("--binary") + 1) if "--binary" in sys.argv else os.path.join(root, "build/release/symdyn")
if "--binary" in sys.argv:
    sys.argv.remove("--binary")

right = """# A page

A [link](docs/decks.md#points-and-bars), one [down](#two-words-and-code), a picture ![arm](docs/pictures/quickstart.png), the file tests/house/rules.cc, newmark.cc, the
test `Rules.FilesAreShort`, the entry `Newton/Tolerance = 1e-9`, and no link in `[code](nowhere.md)`.

## Two words, and `code`

| a | b |
|---|---|
| 1 \\| 2 | 3 |

```prm
set Structure = discrete
subsection Points
  set Dimension = 1
  subsection bob
    set Mass = 1
    set Position = 0
    set Velocity = 1
  end
end
subsection Time
  set Time step = 0.1
  set End time = 0.2
end
subsection Integrator
  set Scheme = newmark
end
```

A part of a deck:

    subsection push
      set Type = traction      # with a comment
      set Boundary = tip
    end

```sh run
symdyn new swing && symdyn check swing.prm --set "Time/End time=0.04" > said
grep "80 cells" said
```

    mpirun -n 2 symdyn run swing.prm --output results/swing -- -snes_monitor

A formula:

    E = m c^2
"""


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = check.program_of(binary)

    def faults(self, text, runs=False):
        decks = pages.text_of("docs/decks.md")
        checker = check.Checker({"page.md": text, "docs/decks.md": decks}, self.program, binary, runs=runs)
        for one in (checker.check_links, checker.check_names, checker.check_tables, checker.check_style, checker.check_code):
            one("page.md")
        return checker.found

    def broken(self, old, new, line, *words, runs=False):
        """`right` with `old` replaced has one fault, at this line, whose text has these words."""
        self.assertIn(old, right)
        found = self.faults(right.replace(old, new, 1), runs)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"page.md:{line}: "), found)
        for word in words:
            self.assertIn(word, found[0])

    def line(self, text):
        return 1 + right[:right.index(text)].count("\n")

    def test_a_right_page_has_no_fault(self):
        self.assertEqual(self.faults(right, runs=True), [])

    def test_links(self):
        self.broken("docs/decks.md#", "docs/deks.md#", 3, "docs/deks.md")
        self.broken("#points-and-bars", "#points-and-rods", 3, "#points-and-rods")
        self.broken("#two-words-and-code", "#two-words", 3, "page.md")
        self.broken("pictures/quickstart.png", "pictures/quickstar.png", 3, "picture")

    def test_names(self):
        self.broken("tests/house/rules.cc", "tests/rule.cc", 3, "tests/rule.cc")
        self.broken("newmark.cc", "newmarkt.cc", 3, "newmarkt.cc")
        self.broken("Rules.FilesAreShort", "Rules.FilesAreLong", 4, "no test")
        self.broken("Rules.FilesAreShort", "Ruler.FilesAreShort", 4, "no test")
        self.broken("Newton/Tolerance", "Newton/Toleranz", 4, "no entry")
        self.broken("Newton/Tolerance", "Neuton/Tolerance", 4, "no section", "Newton")
        self.broken("`Rules.FilesAreShort`", "*Rules.FilesAreLong*", 4, "no test")
        self.broken("Newton/Tolerance = 1e-9", "Structure/Of = 1", 4, "no section")
        self.broken("Newton/Tolerance = 1e-9", "Elements/Mass = lumpy", 4, "lumpy", "lumped")
        self.assertEqual(self.faults(right.replace("Newton/Tolerance = 1e-9", "Elements/Mass = lumped")), [])

    def test_tables(self):
        self.broken("1 \\| 2", "1 | 2", self.line("| 1 "), "3 cells")

    def test_style(self):
        """At a limit there is no fault, one word beyond it there is. Numbers and symbols are no words, code is one, an abbreviation ends no sentence."""
        def replaced(old, new):
            return self.faults(right.replace(old, new, 1))
        line, long = self.line("A part of"), "word " * 24
        self.assertEqual(replaced("A part of a deck:", f"A part. {long}`some code` 1 + 2 = x."), [])
        self.assertEqual(replaced("A part of a deck:", f"A part. {long}$x + y$ $\\omega$ $K$."), [])
        self.assertEqual(replaced("| 1 \\| 2 |", "| " + "word " * 15 + "|"), [])
        self.broken("A part of a deck:", f"A part. {long}`some code` more 1 + 2 = x.", line, "sentence of 26 words")
        self.broken("A part of a deck:", f"A part. {long}more $x + y$.", line, "sentence of 26 words")
        self.broken("A part of a deck:", f"One part, i.e. {long}", line, "sentence of 26 words")
        self.broken("| 1 \\| 2 |", "| " + "word " * 16 + "|", self.line("| 1 "), "cell of 16 words")
        self.broken("A part of a deck:", ("word " * 19 + "word. ") * 5 + "word " * 10 + "word.", line, "paragraph of 111 words")

    def test_decks(self):
        first = self.line("set Structure")
        self.broken("set Scheme = newmark", "set Scheme = newmarc", first, "exit code 1", "newmarc", runs=True)
        self.broken("set End time = 0.2", "set End time = 0.25", first, "exit code 1", runs=True)
        self.broken("  set Dimension = 1", "  sett Dimension = 1", self.line("  set Dimension"), "sett")
        self.broken("```prm\n", "```prm fails\n", first, "exit code 0 instead of 1", runs=True)
        self.assertEqual(self.faults(right.replace("```prm\n", "```prm fails\n").replace("newmark\nend", "newmarc\nend"), runs=True), [])

    def test_parts_of_decks(self):
        self.broken("set Type = traction", "set Type = tracktion", self.line("set Type = traction"), "tracktion")
        self.broken("set Boundary = tip", "set Bondary = tip", self.line("set Boundary"), "Bondary")

    def test_commands(self):
        self.broken("symdyn check swing", "symdyn chek swing", self.line("symdyn new"), "chek")
        self.broken("--output results", "--outputt results", self.line("mpirun"), "--outputt")
        self.broken("Time/End time=0.04", "Time/Ende=0.04", self.line("symdyn new"), "Time/Ende")
        self.broken("Time/End time=0.04", "Time/End time=0.041", self.line("symdyn new"), "exit code", runs=True)
        self.broken('grep "80 cells"', 'grep "81 cells"', self.line("symdyn new"), "exit code 1", runs=True)
        self.broken('grep "80 cells"', 'grepp "80 cells"', self.line('grep "80'), "grepp")

    def test_blocks(self):
        self.broken("```sh run", "```shell", self.line("```sh"), "unknown kind")
        self.broken("```sh run", "```sh walk", self.line("```sh"), "unknown kind")
        self.broken("```sh run", "```", self.line("```sh"), "unknown kind")
        found = self.faults(right + "\n```text\nno end")
        self.assertEqual(len(found), 1, found)
        self.assertIn("no end", found[0])

    def test_python(self):
        """Its syntax everywhere; what it does where the package is built."""
        with_block = right + "\n```python\nprint(1)\nassert 2 > 1\n```\n"
        line = 1 + with_block[:with_block.index("print(1)")].count("\n")
        self.assertEqual(self.faults(with_block, runs=True), [])
        found = self.faults(with_block.replace("print(1)", "print(1"))
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(f"page.md:{line}: not Python"), found)
        if not check.package_of(binary):
            self.skipTest("the Python package is not built")
        found = self.faults(with_block.replace("2 > 1", "2 < 1"), runs=True)
        self.assertEqual(len(found), 1, found)
        self.assertIn("AssertionError", found[0])

    def test_an_old_reference_is_found(self):
        text = pages.text_of("docs/reference.md")
        for name, faults in (("## Newton", 0), ("## Neuton", 1)):
            checker = check.Checker({"docs/reference.md": text.replace("## Newton\n", name + "\n")}, self.program, binary)
            checker.check_reference()
            self.assertEqual(faults, len(checker.found), checker.found)
        self.assertIn("docs/reference.md:", checker.found[0])

    def test_exit_code(self):
        done = subprocess.run([sys.executable, os.path.join(root, "docs/build"), "--check", "--binary", "/nowhere/symdyn"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere/symdyn", done.stderr)


class Building(unittest.TestCase):
    def test_missing_packages_are_named(self):
        loader = importlib.machinery.SourceFileLoader("build", os.path.join(root, "docs/build"))
        build = importlib.util.module_from_spec(importlib.util.spec_from_loader("build", loader))
        loader.exec_module(build)
        with unittest.mock.patch.object(build.book, "katex", "/nowhere"), contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(build.build_manual("/nowhere/manual"), 77)
        self.assertIn("apt-get install python3-sphinx python3-myst-parser furo libjs-katex", said.getvalue())


class Reading(unittest.TestCase):
    def test_lists(self):
        bullets, numbers = markdown.blocks_of("* a **bold**\n  word\n* b < c\n\n1. one\n\n   more\n2. two\n")
        self.assertEqual([[block.text for block in item] for item in bullets.items], [["a **bold**\nword"], ["b < c"]])
        self.assertEqual([[block.text for block in item] for item in numbers.items], [["one", "more"], ["two"]])
        self.assertEqual((bullets.ordered, numbers.ordered), (False, True))

    def test_code_is_left_out_and_nothing_moves(self):
        bare = markdown.without_spans(markdown.without_code(right, markdown.blocks_of(right)))
        self.assertEqual(len(bare), len(right))
        self.assertNotIn("nowhere.md", bare)
        self.assertNotIn("set Mass", bare)
        self.assertEqual(bare.index("docs/decks.md"), right.index("docs/decks.md"))


class Verification(unittest.TestCase):
    """The numbers of the verification manual: a program that computes something else is found, and the page is that of the cases."""
    with open(os.path.join(root, "tests/reference/verification.json"), encoding="utf-8") as file:
        cases = {case["name"]: case for case in json.load(file)["cases"]}

    def worst(self, case):
        return max(value.part() for value in Runner(binary, os.path.join(root, "tests/reference")).run(case).values)

    def test_a_difference_is_found(self):
        case = self.cases["chopra-average"]
        self.assertLessEqual(self.worst(case), 1)
        self.assertGreater(self.worst(dict(case, settings=["Integrator/newmark/beta=0.2"])), 1)

    def test_the_page_has_every_case(self):
        page = pages.text_of("docs/verification-results.md")
        for case in self.cases.values():
            self.assertIn(f"\n## {case['title']}\n", page)


class Structure(unittest.TestCase):
    """What docs/theory-structure.md says of decks/examples/pendulum-states.prm: the area within the ring after 1.2 s, over that at the start."""
    def area(self, scheme, *settings):
        with tempfile.TemporaryDirectory() as folder:
            command = [binary, "run", os.path.join(root, "decks/examples/pendulum-states.prm"), "--quiet", "--output", folder + "/r"]
            for setting in (f"Integrator/Scheme={scheme}", "Time/Time step=0.2", "Time/End time=1.2", *settings):
                command += ["--set", setting]
            subprocess.run(command, check=True, capture_output=True)
            run = columns(folder + "/r/history.csv")
        def at(k):
            x, v = ([run[f"state{i % 60}.{name}"][k] for i in range(61)] for name in ("x", "v_x"))
            return sum(x[i] * v[i + 1] - x[i + 1] * v[i] for i in range(60)) / 2
        return at(-1) / at(0)

    def test_areas(self):
        for scheme in ("midpoint", "central-difference"):
            self.assertAlmostEqual(self.area(scheme), 1, delta=5e-4)
        self.assertLess(self.area("rk4"), 1 - 2e-3)
        self.assertLess(self.area("hht-alpha", "Integrator/hht-alpha/alpha=-0.3"), 0.98)


if __name__ == "__main__":
    unittest.main()
