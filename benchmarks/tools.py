"""What the benchmarks share: running symdyn and the peers, medians, and the table of figures against targets."""
import csv
import json
import os
import statistics
import subprocess
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
release = os.environ.get("SYMDYN_BUILD", os.path.join(root, "build/release"))  # the build tree that is measured
bracket_deck = os.path.join(root, "benchmarks/bracket.prm")
beam_deck = os.path.join(root, "decks/verification/implicit-beam.prm")
python = "/usr/bin/python3"  # Debian's, for which its FEniCSx is made
one_thread = dict(os.environ, OMP_NUM_THREADS="1")


def mpi(ranks):
    return ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)]


def last_row(file):
    """The last row of history.csv, by the names of the columns without units; empty without rows."""
    with open(file) as history:
        names, *rows = history.read().splitlines()
    return dict(zip([name.split(" [")[0] for name in names.split(",")], rows[-1].split(","))) if rows else {}


def symdyn(settings, ranks=2, deck=beam_deck, binary=None, more=(), read=None):
    """summary.json of a run, with the last row of its history as "last" and the wall and CPU times of the whole program as "seconds" and
    "cpu". `ranks` = None: one process, without mpirun. `more`: words before the program. `read`: a function of the folder of the results, whose value is
    "read"."""
    with tempfile.TemporaryDirectory() as folder:
        command = (mpi(ranks) if ranks else []) + list(more) + [binary or os.path.join(release, "symdyn"), "run", deck, "--quiet", "--output", folder + "/results"]
        for setting in settings:
            command += ["--set", setting]
        start, before = time.time(), os.times()
        done = subprocess.run(command, env=one_thread, capture_output=True, text=True)
        seconds, after = time.time() - start, os.times()
        if done.returncode:
            raise RuntimeError(" ".join(command) + "\n" + done.stdout + done.stderr)
        with open(folder + "/results/summary.json") as file:
            summary = json.load(file)
        summary["seconds"] = seconds
        summary["cpu"] = after.children_user + after.children_system - before.children_user - before.children_system
        summary["last"] = last_row(folder + "/results/history.csv")
        if read:
            summary["read"] = read(folder + "/results")
    return summary


def mode_frequencies(summary):
    return [mode["frequency"] for mode in summary["stages"][-1]["modes"]]


def measured(command, folder=None):
    """Processor seconds and peak memory [MiB] of a program on one thread."""
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(list(map(str, command)), cwd=folder, env=one_thread, stdout=said, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            raise RuntimeError(" ".join(map(str, command)) + "\n" + said.read())
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def columns(file):
    """history.csv by the names of its columns without units."""
    with open(file) as history:
        names, *rows = csv.reader(history)
    return {name.split(" [")[0]: [row[n] if name == "stage" else float(row[n]) for row in rows] for n, name in enumerate(names)}


def paper(deck, settings, rows=None, binary=None, may_fail=False):
    """A deck of decks/papers on one process, without mpirun and frames: summary.json, and with `rows` the columns of history.csv, a row each so many
    steps. `may_fail`: what there is of a run that loses its motion."""
    environment = dict(one_thread, OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,vader")
    with tempfile.TemporaryDirectory() as folder:
        command = [binary or os.path.join(release, "symdyn"), "run", f"{root}/decks/papers/{deck}.prm", "--quiet", "--output", folder + "/r"]
        for setting in settings + ["Output/Write every=never", f"Output/History every={rows or 1000000}"]:
            command += ["--set", setting]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode and not (may_fail and done.returncode == 2):
            raise RuntimeError(" ".join(command) + "\n" + done.stdout + done.stderr)
        with open(folder + "/r/summary.json") as file:
            summary = json.load(file)
        return {**summary, **columns(folder + "/r/history.csv")} if rows else summary


def stepping(summary):
    """Seconds of the steps: without the mesh and the files."""
    wall = summary["wall seconds"]
    return wall["total"] - wall.get("mesh", 0.0) - wall.get("output", 0.0)


def bracket_mesh(file, size=None, form=2.2):
    """Meshes benchmarks/bracket.geo; whether there is a gmsh. `form`: of the .msh file."""
    if subprocess.run(["sh", "-c", "command -v gmsh"], capture_output=True).returncode:
        return False
    more = ["-setnumber", "h", str(size)] if size else []
    measured(["gmsh", "-3", os.path.join(root, "benchmarks/bracket.geo"), *more, "-setnumber", "format", str(form), "-nt", "1", "-o", file])
    return True


def bricks(cells, place, kind):
    """*NODE and *ELEMENT cards of bricks of 20 nodes, sets ALL and BODY. place(x, y, z): of a point of the unit cube. The numbers of the nodes by twice their
    place in cells, and the lines."""
    numbers, nodes = {}, []

    def node(*at):
        if at not in numbers:
            numbers[at] = len(numbers) + 1
            nodes.append(f"{numbers[at]}, " + ", ".join(f"{x:.12g}" for x in place(*(i / (2 * n) for i, n in zip(at, cells)))))
        return str(numbers[at])

    corners = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
    middles = [(1, 0, 0), (2, 1, 0), (1, 2, 0), (0, 1, 0), (1, 0, 2), (2, 1, 2), (1, 2, 2), (0, 1, 2), (0, 0, 1), (2, 0, 1), (2, 2, 1), (0, 2, 1)]
    nx, ny, nz = cells
    elements = [[node(2 * i + a, 2 * j + b, 2 * k + c) for a, b, c in corners + middles] for k in range(nz) for j in range(ny) for i in range(nx)]
    rows = [f"{number}, {', '.join(found[:15])},\n{', '.join(found[15:])}" for number, found in enumerate(elements, 1)]
    return numbers, ["*NODE, NSET=ALL", *nodes, f"*ELEMENT, TYPE={kind}, ELSET=BODY", *rows]


def has_fenicsx():
    return subprocess.run([python, "-c", "import dolfinx"], capture_output=True).returncode == 0


def has_calculix():
    return subprocess.run(["sh", "-c", "command -v ccx"], capture_output=True).returncode == 0


def peer(script, arguments, ranks=None):
    """The figures that benchmarks/peers/SCRIPT prints; None, with what it said, if it failed."""
    command = (mpi(ranks) if ranks else []) + [python, os.path.join(root, "benchmarks/peers", script), *map(str, arguments)]
    done = subprocess.run(command, env=one_thread, capture_output=True, text=True)
    if done.returncode:
        print(f"  {script} {' '.join(map(str, arguments))} failed: {(done.stdout + done.stderr).strip()[-300:]}")
        return None
    return json.loads(done.stdout.strip().split("\n")[-1])


class Times:
    """Median and range of repeated measurements."""

    def __init__(self, values):
        self.median, self.least, self.greatest = statistics.median(values), min(values), max(values)

    def __str__(self):
        return f"{self.median:.4g} ({self.least:.4g} to {self.greatest:.4g})"


class Report:
    """Figures with their targets: at most, at least, or none."""

    def __init__(self, benchmark):
        self.benchmark, self.rows, self.figures = benchmark, [], {}

    def agreement(self, name, value, at_most):
        """A difference from another code: too large is a fault, whatever the speed."""
        self.add(name, value, at_most=at_most)
        self.rows[-1]["agreement"] = True

    def add(self, name, value, unit="", at_most=None, at_least=None, spread=None):
        target = at_most if at_most is not None else at_least
        met = None if target is None else bool(value <= target if at_most is not None else value >= target)
        self.rows.append({"name": name, "value": value, "unit": unit, "target": target, "sense": "<=" if at_most is not None else ">=", "met": met,
                          "least": spread.least if spread else None, "greatest": spread.greatest if spread else None})

    def failed(self, check):
        return any(row["met"] is False and (check or row.get("agreement")) for row in self.rows)

    def write(self, file):
        if file:
            with open(file, "w") as out:
                json.dump({"benchmark": self.benchmark, "rows": self.rows, "figures": self.figures}, out, indent=1)

    def finish(self, file, check):
        """Prints the table and writes the file; the exit code: 1 if codes disagree, or if `check` and a target is missed."""
        print_table([(self.benchmark, self.rows)])
        self.write(file)
        return 1 if self.failed(check) else 0


def difference(one, other, what):
    """Largest relative one of a figure, or of a list of them."""
    a, b = one[what], other[what]
    return max(abs(x / y - 1) for x, y in zip(a, b)) if isinstance(a, list) else abs(a / b - 1)


def beside(report, name, own, peers, what, repeat, judge=True):
    """Runs symdyn and its peers in turn. own() and call() give "cpu" [s], "MiB" and the figure `what` in which they must agree. peers: (call, least ratio of times or
    None, largest difference) by name; a call of None is left out. Rows have the least of the times. `judge`: whether ratios have targets. The runs of symdyn."""
    calls = {"symdyn": own, **{peer_name: call for peer_name, (call, *_) in peers.items() if call}}
    found = {program: [] for program in calls}
    for _ in range(repeat):
        for program, call in calls.items():
            if run := call():
                found[program].append(run)
    times = {program: Times([run["cpu"] for run in runs]) for program, runs in found.items() if runs}
    for program, spread in times.items():
        report.add(f"{name}: {program}", spread.least, "s", spread=spread)
        report.add(f"{name}: {program}, memory", max(run["MiB"] for run in found[program]), "MiB")
    for program in (program for program in times if program != "symdyn"):
        _, goal, most = peers[program]
        report.add(f"{name}: {program} / symdyn", times[program].least / times["symdyn"].least, at_least=goal if judge else None)
        report.agreement(f"{name}: results differ from {program}'s", difference(found["symdyn"][0], found[program][0], what), most)
    report.figures[name] = found
    return found["symdyn"]


def print_table(parts):
    """parts: (benchmark, rows); rows as Report has them."""
    print(f"\n{'':60} {'measured':>12} {'spread':>21} {'target':>10}")
    for benchmark, rows in parts:
        print(benchmark)
        for row in rows:
            spread = f"{row['least']:.4g} to {row['greatest']:.4g}" if row.get("least") is not None else ""
            target = f"{row['sense']} {row['target']:.4g}" if row.get("target") is not None else ""
            verdict = {True: "met", False: "MISSED", None: ""}[row.get("met")]
            print(f"  {row['name'] + (' [' + row['unit'] + ']' if row.get('unit') else ''):58} {row['value']:12.4g} {spread:>21} {target:>10} {verdict}")
