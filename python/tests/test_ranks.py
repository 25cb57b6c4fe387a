"""On two ranks."""
import os

import numpy as np
import symdyn as sd
from conftest import root, script


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
