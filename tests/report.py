"""symdyn report, watch, badge and progress.json: what they show of runs that are done, under way, killed or failed, and what they refuse.

    python3 tests/report.py --binary build/release/symdyn"""
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
binary = sys.argv.pop(sys.argv.index("--binary") + 1) if "--binary" in sys.argv else os.path.join(root, "build/release/symdyn")
if "--binary" in sys.argv:
    sys.argv.remove("--binary")
binary = os.path.abspath(binary)

with open(os.path.join(root, "decks/tutorial/1-swing.prm"), encoding="utf-8") as file:
    deck = file.read().replace("A beam that swings", "<b>A title & {data}</b>").replace("set Amplitude = min(t/0.1, 1)", "")
short = ["--set", "Time/Time step=0.01", "--set", "Time/End time=0.08"]
stages = """subsection Stages
  subsection forms
    set Type = modes
    set Modes = 3
  end
  subsection sweep
    set Type = harmonic
    set Frequencies = 1, 5
    set Points = 3
  end
end
"""


def command(*words, environment=None, **more):
    return subprocess.run([binary, *words], capture_output=True, text=True, env={**os.environ, **(environment or {})}, stdin=subprocess.DEVNULL, **more)


def data_of(page):
    """What the page has as JSON."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1]), text


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="symdyn-report-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.results, self.page = self.at("results"), self.at("page.html")

    def at(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.at(name)

    def run_deck(self, *words, text=deck, output=None):
        return command("run", self.write("deck.prm", text), "--quiet", "--output", output or self.results, *words)

    def start(self):
        """A run that does not end, with some steps done."""
        process = subprocess.Popen([binary, "run", self.write("deck.prm", deck), "--quiet", "--output", self.results, "--set", "Time/End time=10000"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: process.poll() is None and (process.kill(), process.wait()))
        for _ in range(3000):
            if self.progress().get("steps", 0) > 1:
                return process
            time.sleep(0.02)
        self.fail("the run does not step")

    def progress(self):
        try:
            with open(os.path.join(self.results, "progress.json"), encoding="utf-8") as file:
                return json.load(file)  # never half of it
        except FileNotFoundError:
            return {}


class Done(Folder):
    def test_page_certificate_badge(self):
        done = self.run_deck(*short)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.results, "summary.json"), encoding="utf-8") as file:
            certificate = json.load(file)["certificate"]
        self.assertEqual(certificate["verdict"], "balanced")
        self.assertLess(certificate["newton"]["largest residual over first"], 1e-9)
        self.assertLess(certificate["smallest det F"], 1)
        self.assertGreater(certificate["smallest det F"], 0.5)
        self.assertEqual(certificate["files"][0]["sha256"], hashlib.sha256(deck.encode()).hexdigest())
        self.assertEqual(certificate["settings"], short[1::2])
        self.assertIn("--quiet", certificate["command line"])
        progress = self.progress()
        self.assertEqual((progress["status"], progress["done"], progress["of"], progress["verdict"]), ("done", 8, 8, "balanced"))
        done = command("report", self.results, "--output", self.page)
        self.assertEqual((done.returncode, done.stdout), (0, self.page + "\n"), done.stderr)
        data, text = data_of(self.page)
        self.assertNotIn("<b>A title", text)
        self.assertIn("A title &amp; {data}", text)
        run = data["runs"][0]
        view = run["views"][0]
        self.assertEqual((run["status"], view["kind"], len(view["times"]), len(view["u"])), ("done", "motion", 9, 9))
        # 42 faces of 9 nodes on the surface of 10 x 1 x 1 cells of order 2: 21 x 3 x 3 nodes without those inside; 8 triangles a face.
        self.assertEqual(len(view["points"]) * 3 // 4 // 12, 21 * 3 * 3 - 19)
        self.assertEqual(len(view["triangles"]) * 3 // 4 // 12, 42 * 8)
        self.assertEqual(view["fields"][0]["name"], "von_mises")
        self.assertIn("Time step", run["deck"])
        self.assertNotIn("http://", text)
        self.assertNotIn("https://", text)
        done = command("badge", self.results, "--output", self.at("badge.svg"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.at("badge.svg"), encoding="utf-8") as file:
            self.assertIn("balanced", file.read())
        self.assertEqual(command("watch", self.results).returncode, 0)

    def test_modes_and_sweeps_of_two_runs(self):
        text = deck[:deck.index("subsection Time")] + stages
        for name in ("a/run", "b/run"):
            done = self.run_deck(text=text, output=self.at(name))
            self.assertEqual(done.returncode, 0, done.stderr)
        done = command("report", self.at("a/run"), self.at("b/run"), "--output", self.page)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = command("report", self.at("a/run"), self.at("a/run"), "--output", self.page)
        self.assertEqual((done.returncode, "is named twice" in done.stderr), (1, True), done.stderr)
        data, _ = data_of(self.page)
        self.assertEqual([run["label"] for run in data["runs"]], [self.at("a/run"), self.at("b/run")])
        kinds = [(view["kind"], len(view["u"])) for view in data["runs"][0]["views"] if view["kind"] != "motion"]
        self.assertEqual(kinds, [("modes", 3), ("harmonic", 3)])
        self.assertIn("modes-forms", data["runs"][0]["tables"])
        self.assertNotIn("verdict", data["runs"][0]["summary"]["certificate"])

    def test_in_a_browser(self):
        if not any(shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome")):
            self.skipTest("Chromium is not installed")
        check = [sys.executable, os.path.join(root, "tests/web/check"), self.page]
        self.assertEqual(self.run_deck(*short).returncode, 0)
        self.assertEqual(command("report", self.results, "--output", self.page).returncode, 0)
        done = subprocess.run(check, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(self.page, encoding="utf-8") as file:
            text = file.read()
        for good, bad in (("writeHead();", "writeHead(); console.error('a fault');"), ("this.onChange(this);", "gl.clear(gl.COLOR_BUFFER_BIT); this.onChange(this);"),
                          ("default-src 'none'; ", ""), ("img-src data: blob:", ""), ("</header>", '</header><img src="http://example.org/x.png">')):
            self.assertIn(good, text)
            text = text.replace(good, bad)
        with open(self.page, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(check, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        for fault in ("a fault", "canvas 0 is blank", "asks for http://example.org"):
            self.assertIn(fault, done.stdout)


class NotDone(Folder):
    def test_under_way_and_killed(self):
        process = self.start()
        self.assertEqual(self.progress()["status"], "running")
        self.assertEqual(command("report", self.results, "--output", self.page).returncode, 0)
        self.assertEqual(data_of(self.page)[0]["runs"][0]["status"], "running")
        self.assertIn("no certificate", command("badge", self.results).stderr)
        watch = subprocess.Popen([binary, "watch", self.results, "--color", "never"], stdout=subprocess.PIPE, text=True)
        before = self.progress()["steps"]
        time.sleep(1.5)
        self.assertGreater(self.progress()["steps"], before)
        process.kill()
        process.wait()
        text = watch.communicate(timeout=60)[0]
        self.assertEqual(watch.returncode, 2)
        self.assertIn("step ", text)
        self.assertIn("was killed", text)
        self.assertEqual(command("report", self.results, "--output", self.page).returncode, 0)
        self.assertEqual(data_of(self.page)[0]["runs"][0]["status"], "killed")

    def test_the_lock_says_that_a_run_goes_on(self):
        """What an earlier run has left, beside the lock of one that builds its mesh; the control: without a lock."""
        process = self.start()
        other = self.at("other")
        os.mkdir(other)
        self.write("other/progress.json", json.dumps({**self.progress(), "status": "done"}))
        self.assertEqual(command("watch", other).returncode, 0)
        shutil.copy(os.path.join(self.results, "run.lock"), other)
        watch = subprocess.Popen([binary, "watch", other], stdout=subprocess.DEVNULL)
        time.sleep(1)
        self.assertIsNone(watch.poll())
        process.kill()
        process.wait()
        self.assertEqual(watch.wait(60), 0)

    def test_stopped(self):
        process = self.start()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 4)
        self.assertEqual(self.progress()["status"], "stopped by a signal")
        self.assertEqual(command("watch", self.results).returncode, 4)

    def test_failed(self):
        done = self.run_deck("--set", "Newton/Max iterations=1", "--set", "Time/Time step=0.2", "--set", "Loads/push/Traction=0,-2e5,0")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(command("report", self.results, "--output", self.page).returncode, 0)
        run = data_of(self.page)[0]["runs"][0]
        self.assertEqual((run["status"], run["summary"]["certificate"]["verdict"]), ("failed", "doubtful"))
        self.assertIn("newton", run["summary"]["error"])
        self.assertEqual(command("watch", self.results).returncode, 2)

    def test_line_fits_the_terminal(self):
        for columns, words, environment in ((50, [], {}), (80, ["--color", "never"], {}), (80, [], {"NO_COLOR": "1"})):
            master, slave = os.openpty()
            done = subprocess.Popen([binary, "run", self.write("deck.prm", deck), "--overwrite", "--output", self.results, "--set", "Time/Time step=0.002", "--set", "Time/End time=0.1", *words],
                                    stdout=slave, stderr=slave, env={**os.environ, "COLUMNS": str(columns), **environment})
            os.close(slave)
            text = b""
            try:
                while part := os.read(master, 65536):
                    text += part
            except OSError:  # the terminal is closed
                pass
            os.close(master)
            self.assertEqual(done.wait(), 0, text)
            progress = [line for line in text.decode().replace("\033[K", "").replace("\n", "\r").split("\r") if "energy error" in line or " %  t" in line]
            self.assertGreater(len(progress), 1)
            self.assertLess(max(map(len, progress)), columns)
            self.assertIn("balanced: " if words or environment else "\033[1;32mbalanced\033[0m: ", text.decode())
        log = self.write("log", text.decode())
        self.assertEqual(subprocess.run([os.path.join(root, "tests/terminal"), log, "30"], capture_output=True).returncode, 1)

    def test_no_results(self):
        for word in ("report", "watch", "badge"):
            for folder, fault in ((self.at("none"), "no such folder"), (self.folder, "no results")):
                done = command(word, folder)
                self.assertEqual(done.returncode, 1)
                self.assertIn(fault, done.stderr)

    def test_colours(self):
        escape = "\033["
        for words, environment, coloured in (([], {}, False), (["--color", "always"], {"NO_COLOR": "1"}, True)):
            done = command("run", self.at("none.prm"), *words, environment=environment)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(escape in done.stderr, coloured, words)
        self.assertEqual(command("run", self.at("none.prm"), "--color", "pink").returncode, 1)


if __name__ == "__main__":
    unittest.main()
