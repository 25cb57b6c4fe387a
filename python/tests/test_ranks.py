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
