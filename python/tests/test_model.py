"""Model: stepped, with forces, views and loads."""
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import symdyn as sd
from conftest import beam, oscillator, script

two_stages = beam[:beam.index("subsection Time")] + """subsection Stages
  subsection sag
    set Type = static
    set Increments = 2
  end
  subsection swing
    set Type = dynamic
    subsection Time
      set Time step = 0.02
      set End time = 0.1
    end
  end
end
"""


def test_what_it_is(deck):
    model = sd.Model(deck())
    assert "root" in model.summary() and model.dimension == 3
    tip = model.nodes("tip")
    assert len(model.positions) == 20 and np.all(model.positions[tip, 0] == 10.)
    assert model.displacement.shape == (20, 3) and not model.velocity.any()
    with pytest.raises(sd.InputError, match="tip"):
        model.nodes("tipp")
    assert model.field("displacement").values.shape[1] == 3
    assert isinstance(model.check(), list)


def test_steps_of_static_and_dynamic_stages(deck):
    model = sd.Model(deck(two_stages))
    steps = [(step.n, round(step.t, 9), step.stage) for step in model.steps()]
    assert [stage for _, _, stage in steps] == ["sag"] * 2 + ["swing"] * 5 + [""]
    assert steps[-1][1] == pytest.approx(0.1)
    with pytest.raises(RuntimeError, match="reset"):
        next(model.steps())
    last = model.displacement
    model.reset()
    assert not model.displacement.any()
    model.run()
    assert np.array_equal(model.displacement, last)


def test_a_nodal_force_does_work(deck, tmp_path):
    """As the same force of a deck: to the last bit where it rests, and the balance closes where it changes."""
    force = "  subsection pull\n    set Type = nodal-force\n    set Point = 10, 0.5, 0.5\n    set Force = 0, 0, 3e3\n  end\n"
    of_deck = sd.run(deck(beam.replace("subsection Loads\n", "subsection Loads\n" + force)), output=tmp_path / "deck").history
    model = sd.Model(deck())
    at = [int(np.argmin(np.linalg.norm(model.positions - [10, 0.5, 0.5], axis=1)))]
    pull = model.add_nodal_force("pull", at)
    assert pull.shape == (1, 3) and not pull.any()
    for step in model.steps(tmp_path / "model"):
        pull[0, 2] = 3e3
    history = sd.Result(tmp_path / "model").history
    for name in ("tip.u_z", "W_external"):
        assert history[name][-1] == pytest.approx(of_deck[name][-1], rel=1e-9)
    assert history["tip.u_z"][-1] > 0.01
    model.reset()
    for step in model.steps(tmp_path / "control"):
        pull[0] = -2e3 * model.velocity[at[0]]
    history = sd.Result(tmp_path / "control").history
    assert abs(history["E_balance_error"]).max() < 1e-2 * abs(history["W_external"]).max()
    with pytest.raises(RuntimeError, match="before the first step"):
        model.add_nodal_force("more", at)
    model.reset()
    with pytest.raises(sd.InputError, match="no node 99"):
        model.add_nodal_force("far", [99])
    steps = model.steps()
    next(steps)
    pull[0, 0] = np.nan
    with pytest.raises(sd.InputError, match="'pull'.*not finite"):
        next(steps)


def test_points_have_names(deck):
    model = sd.Model(deck(oscillator_in_time()))
    assert len(model.nodes("mass")) == 1


def oscillator_in_time():
    return oscillator + "subsection Time\n  set Time step = 0.05\n  set End time = 1\nend\n"


def test_borrowed_views_are_empty_afterwards(deck):
    model = sd.Model(deck())
    for step in model.steps():
        pass
    with model.borrowed() as state:
        u = state.displacement
        part = u[2:5]
        assert np.array_equal(u, model.displacement) and part.shape == (3, 3)
        with pytest.raises(ValueError):
            u[0] = 1.
    assert len(u) == 0 and len(part) == 0 and u.sum() == 0.
    with pytest.raises(RuntimeError, match="ended"):
        state.velocity


def test_what_is_kept_of_a_borrowed_view_never_changes(deck):
    """Arrays that NumPy makes of a view keep the numbers of their state; views of one block share a copy."""
    model = sd.Model(deck())
    steps = model.steps()
    for _ in range(4):
        next(steps)
    with model.borrowed() as state:
        kept, again = np.asarray(state.velocity), np.asarray(state.velocity)
        assert kept.base is again.base and np.abs(kept).max() > 0.
        then = kept.copy()
        with pytest.raises(ValueError):
            kept[0] = 1.
    for _ in steps:
        assert np.array_equal(kept, then)
    assert not np.array_equal(model.velocity, then)
    model.close()
    assert np.array_equal(kept, then)


def test_borrowed_views_are_empty_after_a_step(deck):
    model = sd.Model(deck())
    steps = model.steps()
    next(steps)
    with model.borrowed() as state:
        kept = state.displacement
        assert len(kept) == 20
        next(steps)
        assert len(kept) == 0 and len(model.displacement) == 20


def test_forces_that_are_no_numbers_stop_the_run_where_it_is(deck, tmp_path):
    model = sd.Model(deck())
    force = model.add_nodal_force("pull", model.positions[:, 0] > 9.9)
    assert force.shape == (4, 3)
    with pytest.raises(sd.InputError, match="'pull'.*not finite"):
        for step in model.steps(tmp_path / "out"):
            force[:] = np.nan if step.n == 3 else 0.
    assert (tmp_path / "out" / "checkpoint").exists() and sd.Result(tmp_path / "out").history["time"][-1] == pytest.approx(0.06)
    with pytest.raises(sd.InputError, match="mask of all rows, not float64"):
        sd.Model(deck()).add_nodal_force("pull", [1.5])


def test_a_shorter_step_is_not_tried_after_an_error_of_a_load(deck, tmp_path):
    asked = []

    @sd.surface_load("late", boundary="tip")
    def late(t, X, u, v):
        asked.append(t)
        if t > 0.05:
            raise KeyError("no such gust")
        return [0., 0., 0.]

    with pytest.raises(KeyError, match="no such gust"):
        sd.run(deck(), {"Time/Halve on failure": True}, output=tmp_path / "out", loads=[late])
    assert max(asked) == pytest.approx(0.06) and not any(0.041 < t < 0.059 for t in asked)


def test_a_load_cannot_close_its_model(deck):
    models = []

    @sd.body_force("end")
    def end(t, X, u, v):
        models[0].close()

    models.append(sd.Model(deck(), loads=[end]))
    with pytest.raises(RuntimeError, match="cannot begin, step or close"):
        for _ in models[0].steps():
            pass


def test_one_model_steps_at_a_time(deck):
    first, second = sd.Model(deck()), sd.Model(deck())
    steps = first.steps()
    next(steps)
    with pytest.raises(RuntimeError, match="another Model"):
        next(second.steps())
    steps.close()
    assert len(list(second.steps())) == 11
    second.close()
    with pytest.raises(RuntimeError, match="closed"):
        second.displacement


def test_leaving_early_saves_a_checkpoint(deck, tmp_path, binary):
    model = sd.Model(deck())
    for step in model.steps(tmp_path / "out"):
        if step.n == 4:
            break
    assert sd.Result(tmp_path / "out").summary["status"] == "stopped by the program"
    done = subprocess.run([binary, "run", "--restart", str(tmp_path / "out"), "--quiet"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    whole = sd.run(deck(), output=tmp_path / "whole")
    assert sd.Result(tmp_path / "out").history["tip.u_y"][-1] == pytest.approx(whole.history["tip.u_y"][-1], rel=1e-6)


def test_a_restart_without_the_forces_of_a_program_is_refused(deck, tmp_path, binary):
    model = sd.Model(deck())
    model.add_nodal_force("actuator", [0])
    for step in model.steps(tmp_path / "out"):
        if step.n == 4:
            break
    done = subprocess.run([binary, "run", "--restart", str(tmp_path / "out"), "--quiet"], capture_output=True, text=True)
    assert done.returncode == 1 and "actuator" in done.stderr


def test_ctrl_c_raises_after_a_checkpoint(deck, tmp_path):
    text = f"import symdyn as sd\nprint('on', flush=True)\ntry:\n  sd.run({deck()!r}, {{'Time/End time': 1000}}, output='out')\n" \
           "except KeyboardInterrupt:\n  print('interrupted')\n"
    file = tmp_path / "script.py"
    file.write_text(text)
    process = subprocess.Popen([sys.executable, str(file)], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.time() + 60
    while not (tmp_path / "out/history.csv").exists() and time.time() < end:
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    assert "interrupted" in said and os.path.exists(tmp_path / "out/checkpoint")


def test_loads_of_functions(deck, tmp_path):
    @sd.surface_load("python push", boundary="tip")
    def push(t, X, u, v):
        assert X.shape == u.shape == v.shape and np.all(X[:, 0] == 10.)
        return [0, -2e4, 0]

    @sd.body_force("wind")
    def wind(t, X, u, v):
        return -10. * v

    without = beam.replace("subsection Loads", "subsection Unused").split("subsection Unused")
    text = without[0] + "subsection Probes" + without[1].split("subsection Probes", 1)[1]
    python = sd.run(deck(text), loads=[push], output=tmp_path / "python").history
    of_deck = sd.run(deck(), output=tmp_path / "deck").history
    assert python["tip.u_y"][-1] == pytest.approx(of_deck["tip.u_y"][-1], rel=1e-9)
    damped = sd.run(deck(), {"Time/End time": 1}, loads=[wind], output=tmp_path / "damped").history
    free = sd.run(deck(), {"Time/End time": 1}, output=tmp_path / "free").history
    assert abs(damped["tip.v_y"] if "tip.v_y" in damped else damped["E_kinetic"])[-1] < abs(free["tip.v_y"] if "tip.v_y" in free else free["E_kinetic"])[-1]
    assert abs(damped["E_balance_error"]).max() < 0.02 * abs(damped["W_external"]).max()


@pytest.mark.parametrize("answer, said", [("np.zeros((2, 2))", r"\(2, 2\), expected \(\d+, 3\) or \(3,\)"), ("[0, np.nan, 0]", "not finite"),
                                          ("'text'", "array of numbers"), ("None", "array of numbers")])
def test_bad_answers_of_loads(deck, tmp_path, answer, said):
    @sd.surface_load("gust", boundary="tip")
    def gust(t, X, u, v):
        return np.zeros_like(X) if t < 0.05 else eval(answer)

    with pytest.raises(sd.ComputationError, match="gust.*t = 0.06.*" + said):
        sd.run(deck(), loads=[gust], output=tmp_path / "out")
    assert sd.Result(tmp_path / "out").summary["status"] == "failed"


def test_an_error_in_a_load_is_raised(deck, tmp_path):
    @sd.surface_load("gust", boundary="tip")
    def gust(t, X, u, v):
        return np.zeros_like(X) if t < 0.05 else X[1000000]

    with pytest.raises(IndexError):
        sd.run(deck(), loads=[gust], output=tmp_path / "out")
    assert sd.Result(tmp_path / "out").summary["status"] == "failed"
    with pytest.raises(sd.InputError, match="tip"):
        sd.Model(deck(), loads=[sd.surface_load("gust", boundary="tipp")(gust.function)])
    with pytest.raises(sd.InputError, match="name"):
        sd.body_force("a/b")(gust.function)


def test_ten_thousand_steps_do_not_leak(deck, tmp_path):
    text = f"""import resource, symdyn as sd
def memory(): return int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize()
m = sd.Model({deck(oscillator_in_time())!r}, {{'Time/Time step': 1e-3, 'Time/End time': 11}})
f = m.add_nodal_force('f', m.nodes('mass'))
for s in m.steps():
    f[:] = -m.velocity
    if s.n == 1000: before = memory()
print((memory() - before) / 1e6, s.n)
"""
    done = script(text, tmp_path)
    assert done.returncode == 0, done.stderr
    grown, steps = done.stdout.split()
    assert float(grown) < 1. and int(steps) == 11000


@pytest.mark.parametrize("name", ["control", "identify"])
def test_examples(name, tmp_path):
    from conftest import root
    done = subprocess.run([sys.executable, os.path.join(root, f"python/examples/{name}.py")], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
