"""A model that Python steps."""
import contextlib
import os
import tempfile
import weakref

import numpy as np

from ._errors import InputError
from ._load import core
from ._result import Result, fields_of
from ._settings import prepared

_stepping = None  # the model whose steps() is under way: one at a time, the log is one


class Step:
    """The moment at which steps() stands: `t` [s], `n` and the name of the stage."""

    def __init__(self, t, n, stage):
        self.t, self.n, self.stage = t, n, stage

    def __repr__(self):
        return f"<step {self.n}, t = {self.t:.6g}, stage {self.stage or 'done'}>"


class Model:
    """A deck with mesh and system built, to be looked at and stepped.

    for s in model.steps(): the state at the start, and after each increment and step. Arrays are copies, a row a node; with several ranks they
    hold the nodes of this one. Errors: InputError, ComputationError."""

    def __init__(self, deck, settings=None, *, loads=(), scheme=None, verbose=False):
        self._given = (deck, dict(settings or {}), tuple(loads), scheme)
        self._verbose, self._forces, self._warnings = verbose, {}, []
        self._run, self._state = None, "closed"
        self._refuse_while_stepping()
        self._build()

    def _build(self):
        core().quiet(not self._verbose)
        run = core().Run(*prepared(*self._given))
        run.build()
        self._run, self._state, self.folder = run, "built", None

    def _open(self):
        if self._run is None:
            raise RuntimeError("this Model is closed")
        return self._run

    def _refuse_while_stepping(self):
        if _stepping is not None and _stepping is not self:
            raise RuntimeError(f"another Model, of {_stepping._given[0]}, is in its steps(): finish or close() it first")

    def __reduce__(self):
        raise TypeError("a Model cannot be pickled: make it anew from its deck in the other process")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<Model of {self._given[0]}: {self._state}>" if self._run is None else f"<Model of {self._given[0]}: {len(self.positions)} nodes, t = {self.t:.6g}>"

    def close(self):
        """Frees mesh, system and state."""
        global _stepping
        if _stepping is self:
            _stepping = None
        if self._run is not None:
            self._run.close()
        self._run, self._state = None, "closed"

    # What it is.
    def summary(self):
        """What `symdyn check` prints."""
        return self._open().description()

    @property
    def warnings(self):
        """All warnings until now."""
        self._warnings += self._open().take_warnings()
        return list(self._warnings)

    def check(self):
        """The warnings that looking for trouble brings: those of reading, building and the summary."""
        self.summary()
        return self.warnings

    @property
    def dimension(self):
        return self._open().dimension

    @property
    def positions(self):
        """X of the undeformed nodes [m]."""
        return self._open().positions()

    def nodes(self, name):
        """Numbers of the nodes of a boundary, of a set of the mesh's file or of a point: rows of the arrays."""
        return np.array(self._open().nodes(name), dtype=int)

    # The state.
    @property
    def t(self):
        return self._open().time

    @property
    def displacement(self):
        return self._open().field("displacement")

    @property
    def velocity(self):
        return self._open().field("velocity")

    @property
    def acceleration(self):
        return self._open().field("acceleration")

    def field(self, name):
        """A field of the present state as frames have it ("cauchy_stress", "von_mises", ...): a Field with values and points."""
        with tempfile.TemporaryDirectory() as folder:
            return fields_of([os.path.join(folder, file) for file in self._open().write_frame(folder)], name)

    @contextlib.contextmanager
    def borrowed(self):
        """Views in place of copies: displacement, velocity, acceleration. They cannot be written to, and are empty after the block."""
        views = _Views(self._open())
        try:
            yield views
        finally:
            views.end()

    # What acts.
    def add_nodal_force(self, name, nodes):
        """A force at each of these nodes, in the global axes [N]: an array of zeros, a row a node. What is written there acts in the next step
        or increment in full, and stays; its work is in W_external. Each rank gives its own nodes."""
        run = self._open()
        if self._state != "built":
            raise RuntimeError("a nodal force is added before the first step: call reset() first")
        if name in self._forces:
            raise InputError(f"there is a nodal force with the name '{name}'")
        nodes = np.atleast_1d(np.asarray(nodes, dtype=int))
        array = run.add_force(name, nodes.tolist())
        self._forces[name] = (nodes, array)
        return array

    # In time.
    def steps(self, output=None, overwrite=False):
        """Runs the stages of the deck step by step; writes its files into `output` if that is given. Yields a Step at the start and after each
        step. Left early, it saves a checkpoint there."""
        global _stepping
        run = self._open()
        self._refuse_while_stepping()
        if self._state != "built":
            raise RuntimeError("the steps of this Model have begun: call reset() to begin again")
        return self._steps(run, output, overwrite)

    def _steps(self, run, output, overwrite):
        global _stepping
        if self._state != "built":
            raise RuntimeError("the steps of this Model have begun: call reset() to begin again")
        self._refuse_while_stepping()
        core().quiet(not self._verbose)
        self._state, _stepping = "stepping", self
        self.folder = os.fspath(output) if output is not None else None
        try:
            run.start(self.folder or "", overwrite)
            status = "going"
            try:
                yield Step(run.time, run.steps, run.stage)
                while status == "going":
                    self._still(run)
                    status = run.advance()
                    if status == "interrupted":
                        raise KeyboardInterrupt(f"stopped at t = {run.time:.6g}" + (f"; the state is saved in {self.folder}" if output else ""))
                    if status == "done":
                        run.finish()
                    yield Step(run.time, run.steps, run.stage)
            except (GeneratorExit, KeyboardInterrupt):
                if status == "going" and self._run is run:
                    run.stop()
                raise
        finally:
            if self._run is run:
                self._state = "done"
            if _stepping is self:
                _stepping = None

    def _still(self, run):
        if self._run is not run:
            raise RuntimeError("this Model was closed or reset during its steps()")

    def run(self, output=None, overwrite=False):
        """All steps. Returns the Result, or None where nothing is written."""
        for _ in self.steps(output, overwrite):
            pass
        return Result(self.folder) if self.folder else None

    def reset(self):
        """Back to the start: the deck is read and built anew; nodal forces stay, with zeros."""
        self._open()
        self.close()
        self._build()
        for name, (nodes, array) in self._forces.items():
            array[:] = 0.
            self._run.attach_force(name, nodes.tolist(), array)


class _View(np.ndarray):
    """A view that tells of the arrays made from it."""

    def __array_finalize__(self, origin):
        self._made = getattr(origin, "_made", None)
        if self._made is not None and self.base is not None:
            self._made.append(weakref.ref(self))


class _Views:
    def __init__(self, run):
        self._run, self._made, self._ended = run, [], False

    def __getattr__(self, which):
        if which not in ("displacement", "velocity", "acceleration"):
            raise AttributeError(which)
        if self._ended:
            raise RuntimeError("the block of borrowed() has ended: take a copy inside of it")
        view = self._run.view(which).view(_View)
        view._made = self._made
        self._made.append(weakref.ref(view))
        return view

    def end(self):
        self._ended = True
        for one in self._made:
            if (array := one()) is not None:
                core().empty(array)
