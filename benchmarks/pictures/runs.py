"""Runs of decks of the manual: their history, and their folder for other programs."""
import contextlib
import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from tools import columns, one_thread, release, root  # noqa: E402,F401

binary = os.path.join(release, "symdyn")
environment = dict(one_thread, OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,vader")


def symdyn(*words):
    subprocess.run([binary, *words], env=environment, check=True, stdout=subprocess.DEVNULL, cwd=root)


@contextlib.contextmanager
def results(deck, settings=()):
    """The folder of results of decks/DECK.prm, as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        symdyn("run", f"decks/{deck}.prm", "--quiet", "--output", folder + "/r", *(f"--set={setting}" for setting in settings))
        yield folder + "/r"


def history(deck, settings=()):
    with results(deck, [*settings, "Output/Write every=never"]) as folder:
        return columns(folder + "/history.csv")
