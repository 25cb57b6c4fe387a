"""The folder of a run."""
import base64
import difflib
import html
import json
import os
import re
import shutil
import socket
import subprocess
import xml.etree.ElementTree as xml
import zlib
from collections.abc import Mapping

import numpy as np

from ._errors import InputError


def _nearest(what, name, names):
    near = difflib.get_close_matches(name, names, 3, 0.4)
    return InputError(f"there is no {what} '{name}'" + (f"; did you mean {' or '.join(near)}?" if near else "") + f" There are: {', '.join(names) or 'none'}")


class History(Mapping):
    """A table of a run: a mapping of names of columns to their arrays, and `units` of each. history["tip.u_y"], history.units["tip.u_y"].

    len() counts columns, and iteration gives their names in the order of the file; `rows` is the length of a column. == compares identity, as
    comparisons of arrays have no single result."""

    def __init__(self, file):
        self.file, self.units, self._columns = file, {}, {}
        if not os.path.exists(file):
            raise InputError(f"{file}: there is no such file")
        with open(file, encoding="utf-8") as lines:
            titles = [re.fullmatch(r"(.*?)(?: \[(.*)\])?", title) for title in lines.readline().rstrip("\n").split(",")]
            rows = [line.rstrip("\n").split(",") for line in lines]
        rows = [row for row in rows if len(row) == len(titles)]  # the last one may be half written
        for number, title in enumerate(titles):
            texts = [row[number] for row in rows]
            try:
                self._columns[title[1]] = np.array([float(text) for text in texts])
            except ValueError:
                self._columns[title[1]] = np.array(texts)
            self.units[title[1]] = title[2] or ""

    def __getitem__(self, name):
        if name not in self._columns:
            raise _nearest("column", name, list(self._columns))
        return self._columns[name]

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def get(self, name, default=None):
        return self._columns.get(name, default)

    __eq__, __hash__ = object.__eq__, object.__hash__

    @property
    def rows(self):
        return len(next(iter(self._columns.values()), ()))

    def to_pandas(self):
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas() needs pandas: apt-get install python3-pandas") from None
        return pandas.DataFrame(self._columns)

    def __repr__(self):
        return f"<History of {self.file}: {self.rows} rows, {len(self)} columns>"


class Field:
    """A field of a frame: `values` and `points` [m], a row a point or, where `of_cells`, a cell."""

    def __init__(self, name, values, points, of_cells=False):
        self.name, self.values, self.points, self.of_cells = name, values, points, of_cells

    def __array__(self, dtype=None):
        return np.asarray(self.values, dtype)

    def __repr__(self):
        return f"<Field '{self.name}': {len(self.values)} {'cells' if self.of_cells else 'points'}>"


_types = {"Float32": "f4", "Float64": "f8", "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4", "Int64": "i8", "UInt64": "u8"}


def _array(element, file):
    """The numbers of a DataArray: text, or base64 with or without zlib's blocks."""
    kind, width = np.dtype("<" + _types[element.get("type")]), int(element.get("NumberOfComponents") or 1)
    text = (element.text or "").strip()
    if element.get("format") == "ascii":
        numbers = np.array(text.split(), dtype=kind)
    else:
        header = np.dtype("<" + _types[file.get("header_type", "UInt32")])

        def decoded(count):  # base64 characters of so many bytes
            return (count + 2) // 3 * 4
        if file.get("compressor"):
            first = base64.b64decode(text[:decoded(3 * header.itemsize)])
            blocks = int(np.frombuffer(first, header, 1)[0])
            end = decoded((3 + blocks) * header.itemsize)
            sizes = np.frombuffer(base64.b64decode(text[:end]), header, 3 + blocks)[3:]
            data, at, parts = base64.b64decode(text[end:]), 0, []
            for size in sizes.tolist():
                parts.append(zlib.decompress(data[at:at + size]))
                at += size
            numbers = np.frombuffer(b"".join(parts), kind)
        else:
            numbers = np.frombuffer(base64.b64decode(text)[header.itemsize:], kind)
    return numbers.reshape(-1, width) if width > 1 else numbers


def _pieces(files):
    """The files with numbers: a .pvtu file names them."""
    for name in files:
        if name.endswith(".pvtu"):
            tree = xml.parse(name).getroot()
            yield from (os.path.join(os.path.dirname(name), piece.get("Source")) for piece in tree.iter("Piece"))
        else:
            yield name


def fields_of(files, name):
    """A field of the files of one frame."""
    names, values, points, of_cells = [], [], [], False
    for file in _pieces(files):
        root = xml.parse(file).getroot()
        for piece in root.iter("Piece"):
            place = _array(piece.find("Points/DataArray"), root)
            for where in ("PointData", "CellData"):
                for element in piece.iterfind(f"{where}/DataArray"):
                    names.append(element.get("Name"))
                    if names[-1] == name:
                        of_cells = where == "CellData"
                        values.append(_array(element, root))
                        points.append(place)
    if not values:
        raise _nearest("field", name, sorted(set(names)))
    return Field(name, np.concatenate(values), np.concatenate(points), of_cells)


def _read_grid(file):
    from vtkmodules import vtkIOXML
    reader = vtkIOXML.vtkXMLPUnstructuredGridReader() if file.endswith(".pvtu") else vtkIOXML.vtkXMLUnstructuredGridReader()
    reader.SetFileName(file)
    reader.Update()
    return reader.GetOutput()


def _appended(grids):
    """One grid of all, which has all fields of points and cells."""
    if len(grids) == 1:
        return grids[0]
    from vtkmodules import vtkFiltersCore
    _share_fields([(grid.GetPointData(), grid.GetNumberOfPoints()) for grid in grids])
    _share_fields([(grid.GetCellData(), grid.GetNumberOfCells()) for grid in grids])
    append = vtkFiltersCore.vtkAppendFilter()
    for grid in grids:
        append.AddInputData(grid)
    append.Update()
    append.GetOutput().GetFieldData().PassData(grids[0].GetFieldData())  # the time
    return append.GetOutput()


def _share_fields(parts):
    """Gives each part all fields of all parts, as vtkAppendFilter drops the others: NaN where there is none. parts: fields and their rows."""
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    widths, values = {}, []
    for number, (fields, _) in enumerate(parts, 1):
        values.append({})
        for array in filter(None, [fields.GetArray(k) for k in range(fields.GetNumberOfArrays())]):
            width, name = array.GetNumberOfComponents(), array.GetName()
            if widths.setdefault(name, width) != width:
                name = f"{name} (part {number})"
                widths[name] = width
            values[-1][name] = vtk_to_numpy(array)
    for name, width in widths.items():
        whole = all(name in own for own in values)
        kind = np.result_type(*(own[name] for own in values if name in own), *([] if whole else [np.float32]))
        for own, (fields, rows) in zip(values, parts):
            numbers = own[name].astype(kind) if name in own else np.full((rows, width) if width > 1 else rows, np.nan, kind)
            array = numpy_to_vtk(np.ascontiguousarray(numbers), deep=True)
            array.SetName(name)
            fields.AddArray(array)  # in place of the one with this name


def _render_program():
    """symdyn-render: beside the package in the folder of the build, below the prefix where it is installed, or in PATH."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.path.join(here, "../..")] + [os.path.join(here, "../" * ups, "libexec/symdyn") for ups in (3, 4, 5)]
    found = shutil.which("symdyn-render", path=os.pathsep.join(places + [os.environ.get("PATH", "")]))
    if not found:
        raise FileNotFoundError("the program symdyn-render is not found: build or install symdyn, or add its folder to PATH")
    return found


def _json(file):
    """The object in a file; {} where there is none, or half of one."""
    try:
        with open(file, encoding="utf-8") as text:
            content = json.load(text)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _holds_lock(file):
    """Whether the process of run.lock (host, number, start) still runs, as `symdyn watch` decides. One on another host counts as running."""
    try:
        with open(file, encoding="utf-8") as text:
            host, process, start = (text.read().split() + ["0", "0"])[:3]
        if host != socket.gethostname():
            return True
        os.kill(int(process), 0)  # signals nothing
    except PermissionError:  # it runs, for another user
        pass
    except (OSError, ValueError, OverflowError):
        return False
    try:
        with open(f"/proc/{int(process)}/stat", encoding="utf-8", errors="replace") as text:
            fields = text.read().rpartition(")")[2].split()
        state, started = fields[0], fields[19]  # proc(5): fields 3 and 22
    except (OSError, IndexError):
        return True
    return state not in "ZX" and (start == "0" or started == start)  # a later process may have the number


class Result:
    """The folder of a run. `history`, `summary`, `frames`, `field(name, time)`, `grid(time)`, `modes`, `harmonic`, `certificate`, `plot(...)`, `report(file)`."""

    def __init__(self, folder):
        self.folder = os.fspath(folder)
        if not os.path.isdir(self.folder):
            raise InputError(f"{self.folder}: there is no such folder")
        if not any(os.path.exists(self._file(name)) for name in ("history.csv", "summary.json", "run.log")):
            raise InputError(f"{self.folder}: there are no results of symdyn in this folder")
        self._history = None

    def _file(self, name):
        return os.path.join(self.folder, name)

    @property
    def history(self):
        """history.csv, read once."""
        if self._history is None:
            self._history = History(self._file("history.csv"))
        return self._history

    @property
    def summary(self):
        """summary.json. Its "status" is the present one: "running" while the process of run.lock runs, "killed" where it ended without a
        summary. Other entries are then those of an earlier part of the run, if any."""
        running = _holds_lock(self._file("run.lock"))  # read first: a run that ends now has written its status before
        summary, progress = _json(self._file("summary.json")), _json(self._file("progress.json"))
        status = (progress or summary).get("status", "running" if progress or not summary else "done")
        return {**summary, "status": "running" if running else "killed" if status == "running" else status}

    @property
    def certificate(self):
        """What summary.json says of the quality of the run, or None."""
        return self.summary.get("certificate")

    def _tables(self, kind):
        start = kind + "-"
        return {name[len(start):-4]: History(self._file(name)) for name in sorted(os.listdir(self.folder)) if name.startswith(start) and name.endswith(".csv")}

    @property
    def modes(self):
        """Tables of modes, by the names of their stages."""
        return self._tables("modes")

    @property
    def harmonic(self):
        """Tables of harmonic stages, by their names."""
        return self._tables("harmonic")

    def _collection(self):
        if not os.path.exists(self._file("solution.pvd")):
            return []
        sets = xml.parse(self._file("solution.pvd")).getroot().iter("DataSet")
        return [(float(one.get("timestep")), self._file(one.get("file"))) for one in sets]

    @property
    def frames(self):
        """Times of the frames [s]."""
        return np.unique([time for time, _ in self._collection()])

    def _files_at(self, time):
        times = self.frames
        if not len(times):
            raise InputError(f"{self.folder}: the run has written no frames (Output/Write every)")
        at = times[-1] if time is None else times[np.argmin(abs(times - time))]
        return [file for when, file in self._collection() if when == at]

    def field(self, name, time=None):
        """A field of the frame that is nearest to this time, by default of the last one."""
        return fields_of(self._files_at(time), name)

    def grid(self, time=None):
        """The frame that is nearest to this time: a pyvista.UnstructuredGrid if pyvista is installed, else a vtkUnstructuredGrid of VTK.

        The files of a frame (solids; points and springs; beams and shells) are appended by vtkAppendFilter, without merging points. A field that
        a file lacks is NaN on its points or cells. A field whose components differ from those in an earlier file is "NAME (part 2)"."""
        try:
            import vtkmodules  # noqa: F401, of VTK and of pyvista
        except ImportError:
            raise ImportError("grid() needs VTK or pyvista: apt-get install python3-vtk9") from None
        grid = _appended([_read_grid(file) for file in self._files_at(time)])
        try:
            import pyvista
        except ImportError:
            return grid
        return pyvista.wrap(grid)

    def plot(self, *columns):
        """Columns of history.csv over the time, one set of axes a unit: a figure of matplotlib."""
        try:
            from matplotlib import pyplot
        except ImportError:
            raise ImportError("plot() needs matplotlib: apt-get install python3-matplotlib") from None
        columns = columns or tuple(name for name in self.history if re.search(r"\.u(_[xyz])?$", name))[:3] or ("E_total",)
        units = list(dict.fromkeys(self.history.units[name] for name in columns if self.history[name] is not None))
        figure, axes = pyplot.subplots(len(units), sharex=True, squeeze=False)
        for row, unit in zip(axes[:, 0], units):
            for name in columns:
                if self.history.units[name] == unit:
                    row.plot(self.history["time"], self.history[name], label=name)
            row.set_ylabel(unit)
            row.legend()
        axes[-1, 0].set_xlabel(f"time [{self.history.units['time']}]")
        return figure

    def report(self, file=None):
        """Writes one HTML page on the run, by default report.html in its folder; returns its name."""
        file = os.fspath(file) if file is not None else self._file("report.html")
        done = subprocess.run([_render_program(), "report", self.folder, "--output", file], capture_output=True, text=True)
        if done.returncode:
            raise InputError(done.stderr.strip().removeprefix("error: "))
        return file

    def __repr__(self):
        return f"<Result in {self.folder}: {self.summary['status']}>"

    def _repr_html_(self):
        rows = [("status", self.summary["status"])]
        if "verdict" in (self.certificate or {}):
            rows.append((self.certificate["verdict"], self.certificate["reason"]))
        rows += [(key, value) for key, value in self.summary.items() if isinstance(value, (str, int, float)) and key != "status"]
        if os.path.exists(self._file("history.csv")) and self.history.rows:
            rows += [(f"last {name}", f"{self.history[name][-1]:.6g} {self.history.units[name]}") for name in self.history
                     if self.history[name].dtype.kind == "f"][:8]
        cells = "".join(f"<tr><th>{html.escape(str(a))}</th><td>{html.escape(str(b))}</td></tr>" for a, b in rows)
        return f"<table><caption>{html.escape(self.folder)}</caption>{cells}</table>"
