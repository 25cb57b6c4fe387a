"""On two ranks."""
import os

import numpy as np
import pytest
import symdyn as sd
from conftest import pendulum, root, script


def test_run_on_two_ranks_is_run(deck, tmp_path):
    text = f"import sys\nsys.argv[1:] = [{deck()!r}, 'two']\nexec(open({os.path.join(root, 'python/examples/run_deck.py')!r}).read())\n"
    done = script(text, tmp_path, ranks=2)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("rows in") == 1
    one, two = sd.run(deck(), output=tmp_path / "one").history, sd.Result(tmp_path / "two").history
    assert np.abs(one["tip.u_y"] - two["tip.u_y"]).max() < 1e-9 * np.abs(one["tip.u_y"]).max()


def test_arrays_hold_the_nodes_of_the_rank(deck, tmp_path):
    text = f"""import symdyn as sd
m = sd.Model({deck()!r})
f = m.add_nodal_force('f', m.nodes('tip'))
for s in m.steps('out'):
    f[:, 2] = 100.
open(f'rank-{{sd.rank()}}', 'w').write(f'nodes {{len(m.displacement)}} tip {{len(m.nodes("tip"))}}')
"""
    done = script(text, tmp_path, ranks=2)
    assert done.returncode == 0, done.stderr
    lines = [(tmp_path / f"rank-{rank}").read_text().split() for rank in (0, 1)]
    assert sum(int(line[1]) for line in lines) == 20 and sum(int(line[3]) for line in lines) == 4
    assert sd.Result(tmp_path / "out").history["tip.u_z"][-1] > 0.


def test_different_scripts_and_errors_of_one_rank_end_all(deck, tmp_path):
    done = script(f"import symdyn as sd\nsd.run({deck()!r}, {{'Title': str(sd.rank())}}, output='out')\n", tmp_path, ranks=2)
    assert done.returncode != 0 and "different decks" in done.stderr
    text = f"""import symdyn as sd
@sd.surface_load('gust', boundary='tip')
def gust(t, X, u, v):
    return X[1000000]
sd.run({deck()!r}, loads=[gust], output='gust')
"""
    done = script(text, tmp_path, ranks=2)
    assert done.returncode != 0 and "IndexError" in done.stderr


def test_a_scheme_that_fails_on_one_rank_ends_all(deck, tmp_path):
    for fault in ("q[0, 0] = float('nan')", "raise KeyError('lost')"):
        text = f"""import symdyn as sd
class Verlet(sd.Integrator):
    order = 2
    stable_h_omega = 2.
    def step(self, sys, x, h):
        v = x.v + h / 2 * x.a
        q = x.q + h * v
        if sd.rank() == 1 and x.n == 3:
            {fault}
        a = sys.acceleration(x.t + h, q, v)
        return q, v + h / 2 * a, a
sd.run({deck()!r}, {{'Time/Time step': 1e-4, 'Time/End time': 1e-3, 'Elements/Mass': 'lumped'}}, output='out', overwrite=True, scheme=Verlet)
"""
        done = script(text, tmp_path, ranks=2, timeout=60)
        assert done.returncode != 0 and ("not finite" in done.stderr or "lost" in done.stderr)


steps = "m = sd.Model({deck!r})\nfor step in m.steps():\n    "


@pytest.mark.parametrize("first, second, calls", [
    ("sd.run({deck!r}, output='out')", steps + "pass", "rank 0: run(); rank 1: Model()"),
    ("sd.run({deck!r}, output='out')", "", "rank 0: run(); rank 1: end of the script"),
    (steps + "pass", steps + "if step.n == 3: break", "rank 0: a step of Model 1; rank 1: end of the script"),
    (steps + "pass", steps + "if step.n == 3: break\nsd.run({deck!r}, output='out')", "rank 0: a step of Model 1; rank 1: run()"),
    (steps + "pass", steps + "if step.n == 3: raise SystemExit(0)", "rank 0: a step of Model 1; rank 1: end of the script"),
    (steps + "pass", steps + "if step.n == 3: m.close()", "rank 0: a step of Model 1; rank 1: close() of Model 1"),
    (steps + "m.displacement", steps + "m.field('displacement')", "rank 0: a step of Model 1; rank 1: field() of Model 1"),
    ("m = sd.Model({deck!r})\nm.add_nodal_force('f', [])\nm.run()", "sd.Model({deck!r}).run()", "rank 0: add_nodal_force() of Model 1; rank 1: steps() of Model 1"),
    ("a, b = sd.Model({deck!r}), sd.Model({deck!r})\na.run()", "a, b = sd.Model({deck!r}), sd.Model({deck!r})\nb.run()",
     "rank 0: steps() of Model 1; rank 1: steps() of Model 2"),
    ("sd.verify({deck!r}, report='verify')", "sd.run({deck!r}, output='out')", "rank 0: verify(); rank 1: run()")])
def test_ranks_that_call_different_functions_end_with_an_error(deck, tmp_path, first, second, calls):
    head = "import symdyn as sd\nsd.rank()\n"
    done = script([head + text.format(deck=deck()) for text in (first, second)], tmp_path, ranks=2, timeout=60)
    assert done.returncode != 0 and f"InputError: the ranks call different functions: {calls}. Run one script on all ranks" in done.stderr, done.stderr


def test_one_rank_of_a_script_that_runs_ends_with_an_error(deck, tmp_path):
    done = script(f"import symdyn as sd\nif sd.rank() == 0:\n    sd.run({deck()!r}, output='out')\n", tmp_path, ranks=2, timeout=60)
    assert done.returncode != 0 and "rank 0: run(); rank 1: end of the script" in done.stderr


def test_an_error_inside_a_with_block_of_one_rank_ends_all(deck, tmp_path):
    text = f"import symdyn as sd\nwith sd.Model({deck()!r}) as m:\n    for step in m.steps():\n        if sd.rank() == 1:\n            raise KeyError('lost')\n"
    done = script(text, tmp_path, ranks=2, timeout=60)
    assert done.returncode != 0 and "KeyError: 'lost'" in done.stderr


def test_a_script_of_all_calls_runs_on_two_ranks(deck, tmp_path):
    text = f"""import symdyn as sd
with sd.Model({deck()!r}) as m, sd.Model({deck()!r}) as other:
    force = m.add_nodal_force('f', m.nodes('tip'))
    for step in m.steps():
        if step.n == 3:
            break
    m.summary(), m.check(), m.mesh, m.field('displacement')
    m.reset()
    m.run('model')
    other.run()
sd.run({deck()!r}, output='run')
assert sd.verify({deck(pendulum, 'pendulum.prm')!r}, report='verify').ok
kept = sd.Model({deck()!r}).steps()
next(kept)
print('rank', sd.rank(), 'is done', file=open(f'rank-{{sd.rank()}}', 'w'))
"""
    done = script(text, tmp_path, ranks=2)
    assert done.returncode == 0 and "different" not in done.stderr, done.stderr
    assert (tmp_path / "rank-0").exists() and (tmp_path / "rank-1").exists()
