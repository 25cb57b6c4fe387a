"""Runs of tests/reference/verification.json, and the numbers that they are compared with."""
import csv
import glob
import math
import os
import subprocess
import tempfile
from dataclasses import dataclass, field

from tools import one_thread, root


@dataclass
class Value:
    label: str
    column: str
    at: float  #: time, number of a mode, or what a study goes over
    expected: float
    got: float
    allowed: float

    def difference(self):
        return self.got - self.expected

    def part(self):
        """Of what is allowed; more than 1, or not a number, is a failure."""
        part = abs(self.difference()) / self.allowed
        return part if math.isfinite(part) else math.inf

    def relative(self):
        return f"{self.difference() / self.expected:.1e}" if self.expected else "-"


@dataclass
class Outcome:
    values: list = field(default_factory=list)
    axes: tuple = None  #: of its picture, if that is not a column over time
    history: dict = field(default_factory=dict)
    units: dict = field(default_factory=dict)


def allowed(spec, expected):
    return spec["absolute"] if "absolute" in spec else spec["relative"] * abs(expected)


def with_unit(outcome, column):
    """A column as in history.csv; without a unit where decks have none."""
    unit = outcome.units[column]
    return column if unit in ("", "1") else f"{column} [{unit}]"


def numbers_in(file):
    """Rows of a file of tests/reference without its comments."""
    with open(file, encoding="utf-8") as lines:
        return [row for row in csv.reader(line for line in lines if line.strip() and not line.startswith("#"))]


class Runner:
    def __init__(self, binary, reference, quick=False):
        self.binary, self.reference, self.quick = os.path.abspath(binary), reference, quick

    def run(self, case):
        """All numbers of a case; RuntimeError if a run fails."""
        if "study" in case:
            return self.study(case)
        with tempfile.TemporaryDirectory() as folder:
            outcome = self.deck(case, case.get("settings", []), folder)
            for kind in ("tables", "numbers", "series", "extremes"):
                for spec in case.get(kind, []):
                    outcome.values += getattr(self, kind)(outcome, spec)
            if "modes" in case:
                outcome.values += self.modes(folder, case["modes"])
                outcome.axes = "mode", outcome.values[0].label.partition(", ")[2]
        return outcome

    def deck(self, case, settings, folder):
        command = [self.binary, "run", os.path.join(root, case["deck"]), "--quiet", "--overwrite", "--output", folder + "/results"]
        for setting in settings:
            command += ["--set", setting]
        done = subprocess.run(command, env=dict(one_thread, OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,vader"), capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(" ".join(command) + "\n" + done.stdout + done.stderr)
        with open(folder + "/results/history.csv", encoding="utf-8") as file:
            names, *rows = csv.reader(file)
        plain = [name.split(" [")[0] for name in names]
        history = {name: [float(row[n]) for row in rows] for n, name in enumerate(plain) if name != "stage"}
        return Outcome(history=history, units={name.split(" [")[0]: name.partition(" [")[2].rstrip("]") for name in names})

    @staticmethod
    def at(outcome, column, time):
        """The last row at that time; ValueError if there is none."""
        times = outcome.history["time"]
        if time == "end":
            return outcome.history[column][-1]
        near = [n for n, t in enumerate(times) if abs(t - time) <= 1e-9 * max(abs(time), 1e-6 * times[-1])]
        if not near:
            raise ValueError(f"history.csv has no row at t = {time}")
        return outcome.history[column][near[-1]]

    def value(self, outcome, column, time, expected, bound):
        moment = "" if time == "end" else f" at {time:g} {outcome.units['time']}".removesuffix(" 1")
        label = with_unit(outcome, column) + moment
        return Value(label, column, outcome.history["time"][-1] if time == "end" else time, expected, self.at(outcome, column, time), bound)

    def tables(self, outcome, spec):
        names, *rows = numbers_in(os.path.join(self.reference, spec["file"]))
        values = []
        for n, name in enumerate(names[1:], 1):
            bound = spec.get("absolute", {}).get(name) or spec["relative"] * max(abs(float(row[n])) for row in rows)
            values += [self.value(outcome, name, float(row[0]), float(row[n]), bound) for row in rows]
        return values

    def numbers(self, outcome, spec):
        value = self.value(outcome, spec["column"], spec["at"], spec["expected"], allowed(spec, spec["expected"]))
        value.label += f" ({spec['note']})" if "note" in spec else ""
        return [value]

    def series(self, outcome, spec):
        row = next(row for row in numbers_in(os.path.join(self.reference, spec["file"])) if row[:2] == spec["row"])
        return [self.value(outcome, spec["column"], time, float(text), allowed(spec, float(text))) for time, text in zip(spec["times"], row[2:])]

    @staticmethod
    def extremes(outcome, spec):
        """(max + min)/2 and (max - min)/2 over the last period."""
        times, column = outcome.history["time"], spec["column"]
        last = [x for t, x in zip(times, outcome.history[column]) if t > times[-1] - 1 / spec["frequency"]]
        found = {"mean": (max(last) + min(last)) / 2, "amplitude": (max(last) - min(last)) / 2}
        return [Value(f"{with_unit(outcome, column)}, {what}", column, None, spec[what], found[what], allowed(spec, spec[what])) for what in found]

    def modes(self, folder, spec):
        file, = glob.glob(f"{folder}/results/modes-{spec['stage']}.csv")
        names, *rows = numbers_in(file)
        n = next(n for n, name in enumerate(names) if name.split(" [")[0] == spec["column"])
        expected = spec.get("expected") or [float(row[0]) for row in numbers_in(os.path.join(self.reference, spec["file"]))]
        return [Value(f"mode {k}, {names[n]}", f"mode {k}", k, value, float(rows[k - 1][n]), allowed(spec, value)) for k, value in enumerate(expected, spec.get("first", 1))]

    def study(self, case):
        """Each row of a file is a run, its names in {} of the settings; the expected number has so many digits."""
        spec, outcome = case["study"], Outcome()
        names, *rows = numbers_in(os.path.join(self.reference, spec["file"]))
        for row in (dict(zip(names, map(float, row))) for row in rows):
            if any(row[name] != value for name, value in spec["where"].items()):
                continue
            if self.quick and any(row[name] > most for name, most in spec["quick"].items()):
                continue
            with tempfile.TemporaryDirectory() as folder:
                whole = {name: int(value) if value == int(value) else value for name, value in row.items()}
                done = self.deck(case, [setting.format(**whole) for setting in spec["settings"]], folder)
            expected = row[spec["expected"]]
            last_digit = 10.0 ** (math.floor(math.log10(abs(expected))) + 1 - spec["digits"])
            label = f"{with_unit(done, spec['column'])}, {whole[spec['over']]} {spec['over']}"
            outcome.axes = spec["over"], with_unit(done, spec["column"])
            outcome.values.append(Value(label, f"{spec['column']} {whole[spec['over']]}", whole[spec["over"]], expected, done.history[spec["column"]][-1], 0.5 * last_digit * (1 + 1e-6)))
        return outcome
