"""Time-stepping schemes in Python, and whether schemes do what they promise."""
import contextlib
import json
import math
import os
import re
import sys

from ._errors import ComputationError, InputError
from ._load import announce, core


class Integrator:
    """A time-stepping scheme. A subclass has `order` and step(self, sys, x, h), which returns q, v, a at x.t + h.

    x has t, n, q, v, a; arrays have a row a node (nodes of beams and shells have rows of directors, too). sys has acceleration(t, q, v),
    force(t, q, v) = applied_force(t, q, v) - internal_force(q) - damping_force(q, v), discrete_gradient(q0, q1), stiffness(q, u), mass(v),
    mass_solve(p), potential(q), impose(t, q, v, a). With `implicit = True` also factor(t, q, v, m=, c=, k=), m M + c C + k K ready for
    .solve(r), and solve(residual, tangent, guess), the run's Newton method. The class says what the scheme keeps; verify() measures it."""

    order = None
    implicit = False           # a step solves equations
    symplectic = False         # dq ^ d(M v)
    linear_momentum = True
    angular_momentum = False
    energy = False             # kinetic + potential, to the tolerance of Newton's method
    energy_bounded = False     # of a conservative system: the energy does not drift
    reversible = False         # step, v -> -v, step leads back
    stable_h_omega = math.inf  # largest h omega of a linear vibration; finite: time steps are compared with it
    work = "trapezoidal"       # where the work of a step is counted: "trapezoidal": mean of both ends; "midpoint"; "discrete gradient"
    mean_acceleration = False  # a of step() is a mean over the step, not that of the equation of motion at its end
    law_point = None           # s, where laws with a memory are evaluated, at (1 - s) q0 + s q1; None: such laws are refused

    def step(self, sys, x, h):
        raise NotImplementedError(f"{type(self).__name__} has no step(self, sys, x, h)")


def registered(scheme):
    """The name of a scheme; a class is made known to the solver."""
    if isinstance(scheme, str):
        return scheme
    if not (isinstance(scheme, type) and issubclass(scheme, Integrator)):
        raise InputError(f"a scheme is a name or a subclass of symdyn.Integrator, not {scheme!r}")
    if not isinstance(scheme.order, int) or scheme.order < 1:
        raise InputError(f"{scheme.__name__}: a scheme has its order, 1 or more, not {scheme.order!r}")
    for promise in ("implicit", "symplectic", "linear_momentum", "angular_momentum", "energy", "energy_bounded", "reversible", "mean_acceleration"):
        if not isinstance(getattr(scheme, promise), bool):
            raise InputError(f"{scheme.__name__}: {promise} is True or False, not {getattr(scheme, promise)!r}")
    limit = scheme.stable_h_omega
    if isinstance(limit, bool) or not isinstance(limit, (int, float)) or not limit > 0:
        raise InputError(f"{scheme.__name__}: stable_h_omega is a number > 0, not {limit!r}")
    if scheme.work not in ("trapezoidal", "midpoint", "discrete gradient"):
        raise InputError(f"{scheme.__name__}: work is 'trapezoidal', 'midpoint' or 'discrete gradient', not {scheme.work!r}")
    point = scheme.law_point
    if point is not None and (isinstance(point, bool) or not isinstance(point, (int, float)) or not 0 <= point <= 1):
        raise InputError(f"{scheme.__name__}: law_point is None or a number from 0 to 1, not {point!r}")
    try:
        scheme()
    except TypeError as error:
        raise InputError(f"{scheme.__name__}: a scheme is made without arguments: {error}") from None
    core().register_scheme(scheme.__name__, scheme)
    return scheme.__name__


class Verification:
    """What verify() has found: `ok`, `findings` and `controls` as dictionaries, `folder` with index.html."""

    def __init__(self, ok, folder):
        self.ok, self.folder = ok, folder
        with open(os.path.join(folder, "verify.json"), encoding="utf-8") as file:
            found = json.load(file)
        self.controls = [one for one in found if one["property"].startswith("control: ")]
        self.findings = [one for one in found if one not in self.controls]

    def _raise_bad_answer(self):
        """Errors: ComputationError, as of run(), where a property is broken because step() does not return q, v, a."""
        for finding in self.broken:
            if bad := re.search(r"scheme '.*' at t = (\S+): step\(\) returns .*", finding["reason"]):
                raise ComputationError(bad[0], float(bad[1]))

    @property
    def broken(self):
        return [f for f in self.findings + self.controls if f["verdict"] == "broken"]

    def __bool__(self):
        return self.ok

    def __repr__(self):
        return f"<Verification: {'all promises kept' if self.ok else 'broken: ' + ', '.join(f['property'] for f in self.broken)}; {self.folder}/index.html>"


def verify(deck, scheme=None, settings=None, *, steps=200, report=None, overwrite=False, verbose=False):
    """Tests which invariants a scheme preserves on the model of a deck, as `symdyn verify`. scheme: a name, a subclass of Integrator, "all", or
    None for that of the deck. Errors: InputError where the scheme cannot run with the deck. ComputationError where its step() does not return
    q, v, a; with "all" the findings say so."""
    from ._model import refuse_while_stepping
    from ._settings import prepared
    announce("verify()")
    refuse_while_stepping()
    core().quiet(True)
    name = registered(scheme) if scheme is not None else ""
    folder = os.fspath(report) if report is not None else f"results/{os.path.splitext(os.path.basename(deck))[0]}-verify"
    with contextlib.nullcontext() if verbose else _silence():
        code = core().verify(*prepared(deck, settings, (), None), name, steps, folder, overwrite)
    announce("end of verify()")  # the first rank has written the report
    found = Verification(code == 0, folder)
    if name != "all":
        found._raise_bad_answer()
    return found


@contextlib.contextmanager
def _silence():
    """Without the tables on the terminal."""
    sys.stdout.flush(), sys.stderr.flush()
    kept = [os.dup(number) for number in (1, 2)]
    with open(os.devnull, "w") as nothing:
        for number in (1, 2):
            os.dup2(nothing.fileno(), number)
    try:
        yield
    finally:
        for number, old in zip((1, 2), kept):
            os.dup2(old, number)
            os.close(old)
