"""Runs a deck, on one rank or many, and says how far its probes went.

    python3 python/examples/run_deck.py decks/tutorial/1-swing.prm [FOLDER]
    mpirun -n 2 python3 python/examples/run_deck.py decks/tutorial/1-swing.prm"""
import sys

import symdyn as sd

if len(sys.argv) < 2:
    sys.exit(__doc__)
result = sd.run(sys.argv[1], output=sys.argv[2] if len(sys.argv) > 2 else None, overwrite=True)
if sd.rank() == 0:
    history = result.history
    print(f"{result.summary['status']}: {history.rows} rows in {result.folder}")
    for name in history:
        if ".u_" in name:
            print(f"  {name}: {history[name].min():.6g} to {history[name].max():.6g} {history.units[name]}")
