"""Loads the module, starts MPI when it is first needed, and ends both in order."""
import atexit
import os
import sys

_flags = sys.getdlopenflags()
sys.setdlopenflags(os.RTLD_LAZY | os.RTLD_GLOBAL)  # Open MPI's plugins use symbols of its library
try:
    from . import _core
finally:
    sys.setdlopenflags(_flags)

_started = False


def core():
    """The module, with MPI running."""
    global _started
    if not _started:
        _core.start_mpi()
        _started = True
        atexit.register(_core.end_mpi)
        if _core.ranks() > 1:
            _abort_after_errors()
    return _core


def _abort_after_errors():
    """An error on one rank ends all of them: the others may wait for it."""
    before = sys.excepthook

    def hook(kind, error, trace):
        before(kind, error, trace)
        sys.stderr.flush()
        _core.abort(1)

    sys.excepthook = hook
