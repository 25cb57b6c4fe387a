"""Integrators in Python."""
import conftest
import numpy as np
import pytest
import symdyn as sd


class Verlet(sd.Integrator):
    order = 2
    symplectic = angular_momentum = energy_bounded = reversible = True
    stable_h_omega = 2.

    def step(self, sys, x, h):
        v = x.v + h / 2 * x.a
        q = x.q + h * v
        a = sys.acceleration(x.t + h, q, v)
        return q, v + h / 2 * a, a


class Broken(Verlet):
    """The force of the start of the step for all of it: order 1, not symplectic."""

    def step(self, sys, x, h):
        q, v = x.q + h * x.v + h**2 / 2 * x.a, x.v + h * x.a
        return q, v, sys.acceleration(x.t + h, q, v)


class Short(Verlet):
    def step(self, sys, x, h):
        return super().step(sys, x, h)[:2]


class NotANumber(Verlet):
    def step(self, sys, x, h):
        q, v, a = super().step(sys, x, h)
        return (q, v * np.nan, a) if x.t > 0.05 else (q, v, a)


@pytest.fixture
def pendulum(deck):
    return deck(conftest.pendulum)


def test_verlet_is_that_of_the_solver(pendulum, tmp_path):
    ours = sd.run(pendulum, scheme=Verlet, output=tmp_path / "ours").history
    theirs = sd.run(pendulum, scheme="central-difference", output=tmp_path / "theirs").history
    assert ours["E_kinetic"][-1] == pytest.approx(theirs["E_kinetic"][-1], rel=1e-12)
    assert ours["E_kinetic"][-1] != ours["E_kinetic"][0]


def test_verify(pendulum, tmp_path):
    right = sd.verify(pendulum, Verlet, report=tmp_path / "right")
    assert right.ok and right and not right.broken
    kept = {f["property"] for f in right.findings if f["verdict"] == "kept"}
    assert {"order", "form", "reversible"} <= kept
    wrong = sd.verify(pendulum, Broken, report=tmp_path / "wrong")
    assert not wrong.ok
    assert {"order", "form", "reversible"} <= {f["property"] for f in wrong.broken}


def test_bad_schemes(pendulum, tmp_path):
    with pytest.raises(sd.ComputationError, match="2 values, expected three"):
        sd.run(pendulum, scheme=Short, output=tmp_path / "short")
    with pytest.raises(sd.ComputationError, match="v, which: has values that are not finite"):
        sd.run(pendulum, scheme=NotANumber, output=tmp_path / "nan")
    with pytest.raises(sd.InputError, match="order"):
        sd.run(pendulum, scheme=type("WithoutOrder", (sd.Integrator,), {}), output=tmp_path / "none")
    with pytest.raises(sd.InputError, match="symdyn has a scheme"):
        sd.run(pendulum, scheme=type("newmark", (Verlet,), {}), output=tmp_path / "taken")
    with pytest.raises(sd.InputError, match="subclass"):
        sd.run(pendulum, scheme=int, output=tmp_path / "int")
    with pytest.raises(NotImplementedError):
        sd.run(pendulum, scheme=type("WithoutStep", (sd.Integrator,), {"order": 1}), output=tmp_path / "step")


@pytest.mark.parametrize("scheme, said, time", [(Short, "scheme 'Short' at t = 0: step.. returns 2 values, expected three", 0.),
                                                (NotANumber, "scheme 'NotANumber' at t = 0.0.: step.. returns v, which: has values that are not finite", 0.06)])
def test_verify_raises_what_run_raises(pendulum, tmp_path, scheme, said, time):
    with pytest.raises(sd.ComputationError, match=said) as run:
        sd.run(pendulum, scheme=scheme, output=tmp_path / "run")
    with pytest.raises(sd.ComputationError, match=said) as verify:
        sd.verify(pendulum, scheme, report=tmp_path / "verify")
    assert run.value.time == pytest.approx(verify.value.time, abs=0.011) and verify.value.time == pytest.approx(time, abs=0.011)
    assert (tmp_path / "verify/index.html").exists()


def test_verify_reports_a_scheme_that_fails_at_long_steps(pendulum, tmp_path):
    """Steps of half the length are no error of the class: what it returns is finite there."""
    class Careful(Verlet):
        def step(self, sys, x, h):
            q, v, a = super().step(sys, x, h)
            return (q, v, a) if h < 0.006 else (q * np.nan, v, a)

    found = sd.verify(pendulum, Careful, {"Time/Time step": 0.01}, report=tmp_path / "out")
    assert any("step() returns q" in f["reason"] for f in found.findings), found.findings


@pytest.mark.parametrize("promise, value", [("stable_h_omega", "2"), ("stable_h_omega", -1.), ("symplectic", "no"), ("order", 0)])
def test_promises_of_the_wrong_kind(pendulum, promise, value):
    wrong = type("Wrong", (Verlet,), {promise: value})
    with pytest.raises(sd.InputError, match=f"Wrong: .*{promise}"):
        sd.run(pendulum, scheme=wrong)


def test_a_scheme_that_cannot_be_made_is_not_there_afterwards(pendulum, tmp_path):
    class Needs(Verlet):
        def __init__(self, number):
            self.number = number

    with pytest.raises(sd.InputError, match="Needs: a scheme is made without arguments"):
        sd.run(pendulum, scheme=Needs)
    assert "Needs" not in sd.schemes()
    sd.run(pendulum, output=tmp_path / "out", scheme=Verlet)
