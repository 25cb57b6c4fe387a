"""Implicit integrators in Python."""
import numpy as np
import pytest
import symdyn as sd
from conftest import beam, pendulum, script


class Midpoint(sd.Integrator):
    """M a = force at the mean of both ends, q1 = q0 + h v0 + h²/2 a, v1 = v0 + h a."""
    order = 2
    implicit = symplectic = angular_momentum = energy_bounded = reversible = mean_acceleration = True
    work, law_point = "midpoint", 0.5

    def step(self, sys, x, h):
        t, q1, zero = x.t + h / 2, x.q + h * x.v, np.zeros_like(x.q)
        guess = sys.impose(x.t + h, q1, zero, zero)[0]
        guess = (guess - q1) * 2 / h**2  # a of what is prescribed, 0 elsewhere

        def middle(a):
            return x.q + h / 2 * x.v + h**2 / 4 * a, x.v + h / 2 * a

        def residual(a):
            return sys.mass(a) - sys.force(t, *middle(a))

        def tangent(a):
            return sys.factor(t, *middle(a), m=1., c=h / 2, k=h**2 / 4)

        a = sys.solve(residual, tangent, guess)
        return q1 + h**2 / 2 * a, x.v + h * a, a


class Newmark(sd.Integrator):
    """Average acceleration, with a Newton method of its own."""
    order, implicit, energy_bounded, reversible = 2, True, True, True
    law_point = 1.

    def step(self, sys, x, h):
        Q, V, t = x.q + h * x.v + h**2 / 4 * x.a, x.v + h / 2 * x.a, x.t + h
        a = (sys.impose(t, Q, V, V)[0] - Q) * 4 / h**2
        for _ in range(30):
            q, v = Q + h**2 / 4 * a, V + h / 2 * a
            r = sys.force(t, q, v) - sys.mass(a)
            da = sys.factor(t, q, v, m=1., c=h / 2, k=h**2 / 4).solve(r)
            a = a + da
            if np.abs(da).max() <= 1e-12 * np.abs(a).max():
                return Q + h**2 / 4 * a, V + h / 2 * a, a
        raise ArithmeticError("no convergence")


class EnergyMomentum(sd.Integrator):
    """M (v1 - v0)/h = -discrete gradient + loads at the middle (Gonzalez 1996); unknown: the mean velocity."""
    order, implicit, angular_momentum, energy, energy_bounded, reversible, mean_acceleration = 2, True, True, True, True, True, True
    work = "discrete gradient"

    def step(self, sys, x, h):
        def residual(d):
            q = x.q + h * d
            return 2 / h * sys.mass(d - x.v) + sys.discrete_gradient(x.q, q) - sys.applied_force(x.t + h / 2, (x.q + q) / 2, d)

        def tangent(d):
            return sys.factor(x.t + h / 2, x.q + h * d, d, m=2 / h, k=h, start=x.q)

        d = sys.solve(residual, tangent, x.v)
        v = 2 * d - x.v
        return x.q + h * d, v, (v - x.v) / h


class Wrong(Midpoint):
    """Forces of the start: order 1 with the promises of the midpoint rule."""

    def step(self, sys, x, h):
        a = sys.factor(x.t, x.q, x.v, m=1.).solve(sys.force(x.t, x.q, x.v))
        return x.q + h * x.v + h**2 / 2 * a, x.v + h * a, a


def last(deck, scheme, folder, settings=None):
    history = sd.run(deck, settings, scheme=scheme, output=folder).history
    return np.array([history[name][-1] for name in ("tip.u_x", "tip.u_y", "E_kinetic", "E_balance_error")])


@pytest.mark.parametrize("scheme, builtin", [(Midpoint, "midpoint"), (Newmark, "average-acceleration"), (EnergyMomentum, "discrete-gradient")])
def test_the_numbers_are_those_of_the_solver(deck, tmp_path, scheme, builtin):
    """A bent beam, with damping where the scheme has it; its support moves."""
    text = beam.replace("set Type = fixed", "set Type = displacement\n    set Displacement = 0, 0.1, 0\n    set Amplitude = sin(5*t)^2")
    if scheme is not EnergyMomentum:
        text += "subsection Damping\n  set Mass proportional = 0.3\n  set Stiffness proportional = 1e-3\nend\n"
    else:
        text = beam
    ours, theirs = last(deck(text), scheme, tmp_path / "ours"), last(deck(text), builtin, tmp_path / "theirs")
    assert ours[:3] == pytest.approx(theirs[:3], rel=1e-7)
    assert ours[3] == pytest.approx(theirs[3], rel=1e-5, abs=1e-7 * ours[2])
    other = last(deck(text), "generalized-alpha", tmp_path / "other")
    assert abs(other[1] - ours[1]) > 1e-5 * abs(ours[1])


@pytest.mark.parametrize("scheme", [Midpoint, Newmark, EnergyMomentum])
def test_what_they_promise_is_measured(deck, tmp_path, scheme):
    found = sd.verify(deck(pendulum), scheme, report=tmp_path / "report")
    assert found.ok, found
    assert {"order", "reversible"} <= {f["property"] for f in found.findings if f["verdict"] == "kept"}


def test_a_wrong_scheme_is_found(deck, tmp_path):
    found = sd.verify(deck(pendulum), Wrong, report=tmp_path / "report")
    assert not found.ok and {"order", "reversible", "form"} <= {f["property"] for f in found.broken}


def test_laws_with_a_memory(deck, tmp_path):
    """A plastic beam: as the solver's, where the class says the point of the laws; refused where it does not."""
    plastic = beam.replace("set Type = neo-hooke-log", "set Type = plastic\n    set Yield stress = 1e5\n    set Hardening modulus = 1e6")
    ours, theirs = last(deck(plastic), Midpoint, tmp_path / "ours"), last(deck(plastic), "midpoint", tmp_path / "theirs")
    assert ours[:3] == pytest.approx(theirs[:3], rel=1e-6)
    silent = type("Silent", (Midpoint,), {"law_point": None})
    with pytest.raises(sd.InputError, match="memory"):
        sd.run(deck(plastic), scheme=silent, output=tmp_path / "silent")


def test_a_newton_method_that_fails_may_try_shorter_steps(deck, tmp_path):
    """The solver's failure is that of the run: with Halve on failure it ends where steps are too short, without it at once."""
    hard = {"Loads/push/Traction": [0, -1e9, 0], "Loads/push/Amplitude": "if(t > 0.05, 1, 0)"}
    with pytest.raises(sd.ComputationError, match="newton: step 4") as at_once:
        sd.run(deck(), hard, scheme=Midpoint, output=tmp_path / "at once")
    with pytest.raises(sd.ComputationError) as halved:
        sd.run(deck(), dict(hard, **{"Time/Halve on failure": True}), scheme=Midpoint, output=tmp_path / "halved")
    assert at_once.value.time == pytest.approx(0.06) and halved.value.time >= 0.06
    log = (tmp_path / "halved/run.log").read_text()
    assert "halve" in log.lower() or "shorter" in log.lower() or "1/2" in log


def test_bad_use_of_the_system(deck, tmp_path):
    kept = []

    def scheme(name, step, **values):
        return type(name, (sd.Integrator,), dict({"order": 1, "step": step}, **values))

    def explicit(self, sys, x, h):
        return sys.factor(x.t, x.q, x.v, m=1.)

    def no_factor(self, sys, x, h):
        return sys.solve(lambda a: sys.mass(a), lambda a: a, x.a)

    def not_finite(self, sys, x, h):
        return sys.solve(lambda a: a * np.nan, lambda a: sys.factor(x.t, x.q, x.v, m=1.), x.a)

    def error(self, sys, x, h):
        return sys.solve(lambda a: a[10**6], lambda a: sys.factor(x.t, x.q, x.v, m=1.), x.a)

    def old(self, sys, x, h):
        first = sys.factor(x.t, x.q, x.v, m=1.)
        sys.factor(x.t, x.q, x.v, m=1., k=h**2)
        return first.solve(x.a)

    def outside(self, sys, x, h):
        kept.append(sys)
        return x.q, x.v, x.a

    def run(step, **values):
        sd.run(deck(), scheme=scheme(step.__name__.title(), step, **values), output=tmp_path / "out", overwrite=True)

    with pytest.raises(sd.InputError, match="'Explicit': sys.factor.. solves equations.*implicit = True"):
        run(explicit)
    with pytest.raises(sd.ComputationError, match="tangent.. of sys.solve.. returns what sys.factor.. makes, not ndarray"):
        run(no_factor, implicit=True)
    with pytest.raises(sd.ComputationError, match="residual.. of sys.solve.. returns an array, which: has values that are not finite"):
        run(not_finite, implicit=True)
    with pytest.raises(IndexError):
        run(error, implicit=True)
    with pytest.raises(RuntimeError, match="earlier call of sys.factor"):
        run(old, implicit=True)
    run(outside)
    with pytest.raises(RuntimeError, match="sys is for the step"):
        kept[0].mass(np.zeros((20, 3)))
    for name, value in (("work", "both"), ("law_point", 2), ("implicit", 1), ("mean_acceleration", "yes")):
        with pytest.raises(sd.InputError, match=f"Bad: .*{name}|Bad: {name}"):
            sd.run(deck(), scheme=scheme("Bad", outside, **{name: value}), output=tmp_path / "bad")


def test_two_ranks_have_the_numbers_of_one(deck, tmp_path):
    one = last(deck(), Midpoint, tmp_path / "one", {'Time/End time': 0.06})
    text = f"import sys\nsys.path[:0] = [{str(__file__.rsplit('/', 1)[0])!r}]\nimport symdyn as sd\nfrom test_implicit import Midpoint\n" \
           f"sd.run({deck()!r}, {{'Time/End time': 0.06}}, scheme=Midpoint, output='two')\n"
    done = script(text, tmp_path, ranks=2)
    assert done.returncode == 0, done.stderr
    two = sd.Result(tmp_path / "two").history
    assert [two[name][-1] for name in ("tip.u_x", "tip.u_y", "E_kinetic")] == pytest.approx(one[:3], rel=1e-8)
