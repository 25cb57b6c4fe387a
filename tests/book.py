"""The manual as HTML: Sphinx has no warning, every page is in the contents, nothing is asked of a network, formulas are typeset.

    python3 tests/book.py     # exit code 77, with a line, where Sphinx is absent; without Chromium formulas are not looked at"""
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(root, "docs"))
from manual import book, pages  # noqa: E402

loader = importlib.machinery.SourceFileLoader("check", os.path.join(root, "tests/web/check"))
web = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(web)

address = re.compile(r'(?:href|src)="([^"]*)"')
loaded = re.compile(r'<(?:script|img|link|iframe)\b[^>]*(?:href|src)="([^"]*)"')


class Html(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="symdyn-manual-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.built = subprocess.run([sys.executable, os.path.join(root, "docs/build"), "--manual", "--output", cls.folder], capture_output=True, text=True, check=False)
        html = os.path.join(cls.folder, "html")
        cls.html = html
        cls.pages = {}
        for name in os.listdir(html) if os.path.isdir(html) else []:
            if name.endswith(".html"):
                with open(os.path.join(html, name), encoding="utf-8") as file:
                    cls.pages[name] = file.read()

    def page(self, name):
        return "file://" + os.path.join(self.html, name)

    def test_sphinx_has_no_warning(self):
        self.assertEqual(self.built.returncode, 0, self.built.stdout + self.built.stderr)
        self.assertEqual(self.built.stderr, "")

    def test_every_page_is_in_the_contents(self):
        files = [f"docs/{name}" for name in os.listdir(os.path.join(root, "docs")) if name.endswith(".md")]
        contents = re.search(r'<div class="sidebar-tree">.*?</div>', self.pages["index.html"], re.DOTALL)[0]
        for name in files + ["CHANGELOG.md", "CONTRIBUTING.md", "benchmarks/README.md", "paraview/README.md"]:
            self.assertIn(f'href="{book.document(name)}.html"', contents)
        self.assertIn('href="genindex.html"', contents)

    def test_every_local_address_is_written(self):
        checked = 0
        for name, text in self.pages.items():
            for target in set(address.findall(text)):
                path = target.partition("#")[0].partition("?")[0]
                if pages.is_local(target) and path:
                    self.assertTrue(os.path.isfile(os.path.join(self.html, path)), f"{name}: {target}")
                    checked += 1
        self.assertGreater(checked, 1000)

    def test_nothing_is_loaded_from_a_network(self):
        for name, text in self.pages.items():
            self.assertEqual([a for a in loaded.findall(text) if not pages.is_local(a) and not a.startswith("data:")], [], name)

    def test_index_has_words_of_other_programs(self):
        text = re.sub(r"<[^>]*>", " ", self.pages["genindex.html"])
        for word in ("CONTACT PAIR", "UniformExcitation", "neo-Hookean", "Abaqus", "OpenSees", "FEBio", "Yield stress"):
            self.assertTrue(word in text, word)

    def test_words_of_a_program_are_under_that_program_alone(self):
        entries = book.Book().index["docs/schemes.md", ""]
        self.assertIn("pair: CentralDifference; OpenSees", entries)
        self.assertNotIn("pair: CentralDifference; Abaqus", entries)

    def test_formulas_are_typeset(self):
        program = web.chromium()
        if not program:
            self.skipTest("Chromium is not installed (apt-get install chromium)")
        names = [name for name, text in self.pages.items() if 'class="math' in text]
        self.assertGreater(len(names), 15)
        spoilt = os.path.join(self.html, "spoilt.html")
        with open(spoilt, "w", encoding="utf-8") as file:
            file.write(self.pages["theory.html"].replace("\\begin{aligned}", "\\fraction{} \\begin{aligned}", 1))
        counts = """[document.querySelectorAll(".math").length, document.querySelectorAll(".math .katex-html").length,
                     document.querySelectorAll(".katex-error, .katex-html [style*='204, 0, 0'], .katex-html [style*='cc0000']").length, document.fonts.check("16px KaTeX_Math")]"""
        with web.opened(program, 1280) as browser:
            for name in names + ["spoilt.html"]:
                browser.events.clear()
                browser.ask("Page.navigate", url=self.page(name))
                browser.value("new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))")
                browser.value("document.fonts.ready.then(() => 0)")
                there, set_, bad, font = browser.value(counts)
                if name == "spoilt.html":
                    self.assertGreater(bad, 0, name)
                else:
                    self.assertGreater(there, 0, name)
                    self.assertEqual((set_, bad, font), (there, 0, True), name)
                    self.assertEqual(web.errors_of(browser), [], name)
                    self.assertEqual([url for url in web.requests_of(browser, self.page(name)) if not url.startswith("file:")], [], name)

    def test_a_warning_is_an_error(self):
        """A page with one thing broken, and the same without."""
        with tempfile.TemporaryDirectory() as folder:
            for text, code in (("# A\n\n[b](index.md)\n", 0), ("# A\n\n[b](nowhere.md)\n", 1)):
                source = os.path.join(folder, f"source-{code}")
                os.makedirs(source + "/static/katex")
                shutil.copy(os.path.join(root, "docs/manual/conf.py"), source)
                with open(os.path.join(source, "index.md"), "w", encoding="utf-8") as file:
                    file.write(text)
                self.assertEqual(book.sphinx(source, os.path.join(folder, f"html-{code}"), stderr=subprocess.DEVNULL), code)


if __name__ == "__main__":
    if not book.is_possible():
        print(f"skipped: a package is missing (apt-get install {book.packages})")
        sys.exit(77)
    unittest.main()
