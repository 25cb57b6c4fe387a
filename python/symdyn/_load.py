"""Loads the module, starts MPI when it is first needed, compares the calls of ranks, and ends both in order."""
import atexit
import os
import sys

_flags = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_LAZY | os.RTLD_GLOBAL)  # Open MPI's plugins use symbols of its library
try:
    from . import _core
finally:
    sys.setdlopenflags(_flags)

from ._errors import InputError

_started = False
at_end = []  # functions that run at the end of the script, before MPI ends


def core():
    """The module, with MPI running."""
    global _started
    if not _started:
        _core.start_mpi()
        _started = True
        atexit.register(_end)
        if _core.ranks() > 1:
            _abort_after_errors()
    return _core


def announce(call):
    """Compares the next collective call on all ranks. Errors: InputError on every rank where the calls differ."""
    calls = core().different_calls(call) if core().ranks() > 1 else []
    if calls:
        raise InputError("the ranks call different functions: " + "; ".join(f"rank {rank}: {one}" for rank, one in _first_of_each(calls))
                         + ". Run one script on all ranks, with the same calls in the same order")


def _first_of_each(calls):
    """The first ranks, and the first rank of each further call."""
    shown = 4
    return [(rank, one) for rank, one in enumerate(calls) if rank < shown or one not in calls[:rank]]


def _end():
    """The end of the script, which is a call like others: a rank that ends first would leave the others waiting."""
    try:
        announce("end of the script")
    except InputError as error:
        sys.stdout.flush()
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        _core.abort(1)
    try:
        for function in at_end:
            function()
    finally:
        _core.end_mpi()


def _abort_after_errors():
    """An error on one rank ends all of them: the others may wait for it."""
    before = sys.excepthook

    def hook(kind, error, trace):
        before(kind, error, trace)
        sys.stderr.flush()
        _core.abort(1)

    sys.excepthook = hook
