"""A model that Python steps."""
import contextlib
import os
import tempfile
import weakref

import numpy as np

from ._errors import InputError
from ._load import announce, at_end, core
from ._loads import Load
from ._result import Result, fields_of
from ._settings import prepared

_stepping = None  # the model whose steps() is under way: one at a time, the log is one


def refuse_while_stepping(asks=None):
    if _stepping is not None and _stepping is not asks:
        raise RuntimeError(f"another Model, of {_stepping._given[0]}, is in its steps(): finish or close() it first")


def _leave():
    """Steps that a script never ends end with it."""
    if _stepping is not None:
        _stepping._free()


at_end.append(_leave)

class Step:
    """The moment at which steps() stands: `t` [s], `n` and the name of the stage."""

    def __init__(self, t, n, stage):
        self.t, self.n, self.stage = t, n, stage

    def __repr__(self):
        return f"<step {self.n}, t = {self.t:.6g}, stage {self.stage or 'done'}>"


class Mesh:
    """The mesh of a model on this rank. `nodes`: X [m], rows as of Model's arrays; on several ranks followed by nodes of others that cells
    here have. `cells`: {"hexahedron": rows of nodes in VTK's order}, with meshio's names of types. By name: `boundaries` and `sets`, rows
    of nodes; `faces`, {"quad": rows of corners} of a boundary. Lumped structures, beams and shells have nodes alone."""

    def __init__(self, arrays):
        self.nodes, self.cells, self.boundaries, self.sets, self.faces = (arrays[name] for name in ("nodes", "cells", "boundaries", "sets", "faces"))

    def __repr__(self):
        cells = ", ".join(f"{len(rows)} {kind}" for kind, rows in self.cells.items())
        return f"<Mesh: {len(self.nodes)} nodes{', ' + cells if cells else ''}; boundaries: {', '.join(self.boundaries) or 'none'}>"


class Model:
    """A deck with mesh and system built, to be looked at and stepped.

    for s in model.steps(): the state at the start, and after each increment and step. Arrays are copies, a row a node; with several ranks they
    hold the nodes of this one. Errors: InputError, ComputationError."""

    _built = 0  # models of this script: their numbers are the same on all ranks

    def __init__(self, deck, settings=None, *, loads=(), scheme=None, verbose=False):
        self._run, self._state, self._views = None, "closed", None
        announce("Model()")
        Model._built += 1
        self._number = Model._built
        self._given = (deck, dict(settings) if hasattr(settings, "items") else settings, loads if isinstance(loads, Load) else tuple(loads), scheme)
        self._verbose, self._forces, self._warnings = verbose, {}, []
        refuse_while_stepping()
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

    def __reduce__(self):
        raise TypeError("a Model cannot be pickled: build it from its deck in the other process")

    def __enter__(self):
        return self

    def __exit__(self, error, *_):
        if error is None or core().ranks() == 1:  # one rank alone may have failed: close() would wait for the others
            self.close()

    def __repr__(self):
        return f"<Model of {self._given[0]}: {self._state}>" if self._run is None else f"<Model of {self._given[0]}: {len(self.positions)} nodes, t = {self.t:.6g}>"

    def _announce(self, call):
        announce(f"{call} of Model {self._number}")

    def close(self):
        """Frees mesh, system and state."""
        if self._run is not None:
            self._announce("close()")
        self._free()

    def _free(self):
        global _stepping
        self._end_views()
        if self._run is not None:
            if self._state == "stepping" and core().ranks() == 1:
                self._run.stop()
            self._run.close()
        if _stepping is self:
            _stepping = None
        self._run, self._state = None, "closed"

    # What it is.
    def summary(self):
        """What `symdyn check` prints."""
        self._announce("summary()")
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

    @property
    def mesh(self):
        """Nodes, cells and boundaries as arrays: a Mesh."""
        self._announce("mesh")
        return Mesh(self._open().mesh())

    def nodes(self, name):
        """Numbers of the nodes of a boundary, of a set of the mesh's file or of a point: rows of the arrays."""
        self._announce("nodes()")
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
        self._announce("field()")
        with tempfile.TemporaryDirectory() as folder:
            files = [os.path.join(folder, file) for file in self._open().write_frame(folder)]
            if core().ranks() > 1:  # each rank writes its own part into its own folder
                files = sorted(os.path.join(folder, file) for file in os.listdir(folder) if file.endswith(".vtu"))
            return fields_of(files, name)

    @contextlib.contextmanager
    def borrowed(self):
        """Read-only views of displacement, velocity and acceleration: one copy of each, which all uses in the block share. They are empty after
        the block, and after the next step, close() or reset() in it. Arrays of np.asarray() keep the numbers of this state."""
        views = self._views = _Views(self._open())
        try:
            yield views
        finally:
            views.end()

    def _end_views(self):
        if self._views is not None:
            self._views.end()

    # What acts.
    def add_nodal_force(self, name, nodes):
        """A force at each of these nodes, in the global axes [N]: an array of zeros, a row a node. What is written there acts in the next step
        or increment in full, and stays; its work is in W_external. Each rank gives its own nodes."""
        run = self._open()
        self._announce("add_nodal_force()")
        if self._state != "built":
            raise RuntimeError("a nodal force is added before the first step: call reset() first")
        if name in self._forces:
            raise InputError(f"there is a nodal force with the name '{name}'")
        nodes = np.atleast_1d(np.asarray(nodes))
        if nodes.dtype == bool and nodes.shape == (len(self.positions),):
            nodes = np.flatnonzero(nodes)
        elif nodes.size and nodes.dtype.kind not in "iu":
            raise InputError(f"the nodal force '{name}': nodes are numbers of rows, as nodes() gives them, or a mask of all rows, not {nodes.dtype}")
        nodes = nodes.astype(int)
        array = run.add_force(name, nodes.tolist())
        self._forces[name] = (nodes, array)
        return array

    # In time.
    def steps(self, output=None, overwrite=False):
        """Runs the stages of the deck step by step; writes its files into `output` if that is given. Yields a Step at the start and after each
        step. Left early, it saves a checkpoint there."""
        global _stepping
        run = self._open()
        refuse_while_stepping(self)
        if self._state != "built":
            raise RuntimeError("the steps of this Model have begun: call reset() to begin again")
        return self._steps(run, output, overwrite)

    def _steps(self, run, output, overwrite):
        global _stepping
        if self._state != "built":
            raise RuntimeError("the steps of this Model have begun: call reset() to begin again")
        refuse_while_stepping(self)
        core().quiet(not self._verbose)
        if output is not None and not os.fspath(output):
            raise InputError("output is empty: give the name of a folder")
        self._announce("steps()")
        self._state, _stepping = "stepping", self
        self.folder = os.fspath(output) if output is not None else None
        begun = False
        try:
            run.start(self.folder or "", overwrite)
            status, begun = "going", True
            try:
                yield Step(run.time, run.steps, run.stage)
                while status == "going":
                    self._still(run)
                    self._announce("a step")
                    self._end_views()
                    status = run.advance()
                    if status == "interrupted":
                        raise KeyboardInterrupt(f"stopped at t = {run.time:.6g}" + (f"; the state is saved in {self.folder}" if output else ""))
                    if status == "done":
                        run.finish()
                    yield Step(run.time, run.steps, run.stage)
            except (GeneratorExit, KeyboardInterrupt):
                if status == "going" and self._run is run and core().ranks() == 1:  # of several ranks one alone may leave
                    run.stop()
                raise
        finally:
            if self._run is run:
                self._state = "done" if begun else "built"
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
        """Back to the start: the deck is read and built again; nodal forces stay, with zeros."""
        self._open()
        self._announce("reset()")
        self._free()
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
    """Fields of one state, in buffers of their own: later steps cannot change arrays that are kept of them."""

    def __init__(self, run):
        self._run, self._buffers, self._made, self._ended = run, {}, [], False

    def __getattr__(self, which):
        if which not in ("displacement", "velocity", "acceleration"):
            raise AttributeError(which)
        if self._ended:
            raise RuntimeError("the block of borrowed() has ended: take a copy inside of it")
        if which not in self._buffers:
            self._buffers[which] = self._run.field(which)
            self._buffers[which].flags.writeable = False
        view = self._buffers[which].view(_View)
        view._made = self._made
        self._made.append(weakref.ref(view))
        return view

    def end(self):
        self._ended = True
        self._buffers.clear()
        for one in self._made:
            if (array := one()) is not None:
                core().empty(array)
