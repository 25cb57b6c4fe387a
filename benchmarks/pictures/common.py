"""What the pictures of the papers share: runs, and schemes under the names of the papers."""
import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tools import paper, release, root  # noqa: E402,F401

binary = os.path.join(release, "symdyn")
exact = ["Constraints/Treatment=exact"]


def scheme(name, *more):
    return [f"Integrator/Scheme={name}", *more]


shake, rattle, newmark, full = scheme("shake", *exact), scheme("rattle", *exact), scheme("newmark"), scheme("zhang-skeel")
stiff, oracle = scheme("zhang-skeel-stiff"), scheme("adams")
partial = scheme("newmark-partial")
predicted = partial + ["Integrator/newmark-partial/guess=predictor"]


def run(deck, settings, rows=1, may_fail=False):
    return paper(deck, settings, rows, binary, may_fail)


def span(h, end):
    return [f"Time/Time step={h:.12g}", f"Time/End time={end:.12g}"]


def change(values):
    return [value - values[0] for value in values]


def largest(values):
    return max(abs(value) for value in values)


def norm(*columns):
    return [sum(x * x for x in row) ** 0.5 for row in zip(*columns)]


def say(*words):
    print(*(f"{w:.4g}" if isinstance(w, float) else w for w in words), flush=True)
