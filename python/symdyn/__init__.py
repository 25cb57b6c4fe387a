"""Structural dynamics by symdyn: run decks, step models, read results, write loads and time-stepping schemes.

    import symdyn as sd
    result = sd.run("swing.prm", {"Time/Time step": 0.01}, output="results/fine")
    print(result.history["tip.u_y"][-1], result.history.units["tip.u_y"])

The manual: docs/python.md."""
import os as _os
import json as _json

from ._errors import ComputationError, InputError
from ._load import _core as _module, announce as _announce, core as _core
from ._loads import body_force, surface_load
from ._model import Model, refuse_while_stepping
from ._result import Field, History, Result
from ._scheme import Integrator, Verification, verify
from ._settings import prepared

__all__ = ["ComputationError", "Expression", "Field", "History", "InputError", "Integrator", "Model", "Result", "Verification", "body_force", "parameters", "rank",
           "ranks", "run", "schemes", "surface_load", "verify"]
__version__ = _module.version
System, Factor = _module.System, _module.Factor  # what a step uses


def run(deck, settings=None, output=None, *, loads=(), scheme=None, overwrite=False, verbose=False):
    """Runs a deck as `symdyn run` does and returns its Result.

    settings: {"Time/Time step": 0.01}, as --set; output: the folder, by default results/<deck>; loads: from surface_load and body_force;
    scheme: a subclass of Integrator. Errors: InputError, ComputationError; KeyboardInterrupt after Ctrl-C, with a checkpoint in the folder."""
    _announce("run()")
    refuse_while_stepping()
    if output is not None and not _os.fspath(output):
        raise InputError("output is empty: give the name of a folder")
    core = _core()
    core.quiet(not verbose)
    whole = core.Run(*prepared(deck, settings, loads, scheme))
    folder = _os.fspath(output) if output is not None else f"results/{whole.stem}"
    if whole.run(folder, overwrite):
        raise KeyboardInterrupt("stopped" + ("" if loads or scheme else f"; the run goes on with: symdyn run --restart {folder}"))
    return Result(folder)


def schemes():
    """Names of all time-stepping schemes."""
    return _module.schemes()


def parameters():
    """All entries of decks: dictionaries with path, default, rule and help."""
    return _json.loads(_core().parameters())


def rank():
    """The number of this process among those of mpirun."""
    return _core().rank()


def ranks():
    """How many processes run."""
    return _core().ranks()


class Expression:
    """A formula as decks have them: Expression("x^2 + sin(t)")(x=2, t=[0, 0.1]). Variables by name, or in their order; arrays are broadcast."""

    def __init__(self, text, variables=("x", "y", "z", "t")):
        self._expression = _module.Expression(str(text), list(variables))

    @property
    def text(self):
        return self._expression.text

    def __repr__(self):
        return f"Expression({self.text!r}, {tuple(self._expression.variables)})"

    def __call__(self, *values, **named):
        import numpy as np
        names = self._expression.variables
        unknown = [name for name in named if name not in names]
        if unknown or len(values) > len(names):
            raise InputError(f"{self!r} has the variables {', '.join(names)}" + (f", not {', '.join(unknown)}" if unknown else ""))
        given = dict(zip(names, values), **named)
        arrays = np.broadcast_arrays(*(np.asarray(given.get(name, 0.), float) for name in names))
        answer = self._expression.evaluate(np.stack([a.ravel() for a in arrays], axis=-1)).reshape(arrays[0].shape)
        return answer if answer.ndim else float(answer)
