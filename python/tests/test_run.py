"""run() and Result."""
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Mapping

import numpy as np
import pytest
import symdyn as sd
from conftest import beam, root


def test_history_has_the_bits_of_the_command_line(deck, binary, tmp_path):
    file = deck()
    done = subprocess.run([binary, "run", file, "--quiet", "--set", "Time/Time step=0.01", "--output", str(tmp_path / "program")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    sd.run(file, {"Time/Time step": 0.01}, output=tmp_path / "python")
    sd.Model(file, {"Time/Time step": 0.01}).run(tmp_path / "model")
    sd.run(file, {"Time/Time step": 0.02}, output=tmp_path / "other")
    texts = [(tmp_path / name / "history.csv").read_bytes() for name in ("program", "python", "model", "other")]
    assert texts[0] == texts[1] == texts[2]
    assert texts[0] != texts[3]


def test_result(deck, tmp_path):
    result = sd.run(deck(), {"Output/Write every": 5}, output=tmp_path / "out")
    assert result.history.units["tip.u_y"] == "m"
    assert result.history["time"][-1] == pytest.approx(0.2)
    assert result.history.rows == 11
    assert list(result.frames) == pytest.approx([0, 0.1, 0.2])
    u = result.field("displacement")
    assert u.values[u.points[:, 0] == 10., 1].mean() == pytest.approx(result.history["tip.u_y"][-1], rel=1e-5)  # single precision
    assert result.field("displacement", 0.).values.max() == 0.
    assert result.field("cauchy_stress", 0.2).values.shape[0] == len(u.points)
    assert result.summary["status"] == "done" and "done" in repr(result)
    assert "tip.u_y" not in result.modes
    assert "<table>" in result._repr_html_() and "done" in result._repr_html_() and "balanced" in result._repr_html_()
    assert result.certificate["verdict"] == "balanced" and result.certificate["newton"]["largest residual over first"] < 1e-8
    page = result.report(tmp_path / "run.html")
    assert "balanced" in open(page, encoding="utf-8").read()
    with pytest.raises(sd.InputError, match="cannot be written"):
        result.report(tmp_path / "none/run.html")
    with pytest.raises(sd.InputError, match="tip.u_y"):
        result.history["tip.uy"]
    with pytest.raises(sd.InputError, match="displacement"):
        result.field("displacment")


def test_modes(deck, tmp_path):
    stages = "subsection Stages\n  subsection forms\n    set Type = modes\n    set Modes = 3\n  end\nend\n"
    text = beam[:beam.index("subsection Time")] + stages
    result = sd.run(deck(text), output=tmp_path / "out")
    assert list(result.modes) == ["forms"] and result.modes["forms"].rows == 3


def test_tables_of_harmonic_stages_grids_and_plots(deck, tmp_path):
    stages = "subsection Stages\n  subsection shake\n    set Type = harmonic\n    set Frequencies = 1, 5\n    set Points = 3\n  end\nend\n"
    text = beam[:beam.index("subsection Time")].replace("neo-hooke-log", "linear-elasticity") + stages
    shaken = sd.run(deck(text), output=tmp_path / "shaken")
    assert list(shaken.harmonic) == ["shake"] and list(shaken.harmonic["shake"]["frequency"]) == [1., 3., 5.]
    result = sd.run(deck(), {"Output/Write every": 5}, output=tmp_path / "out")
    grid = pytest.importorskip("vtkmodules.vtkIOXML") and result.grid(0.1)
    points = grid.n_points if hasattr(grid, "n_points") else grid.GetNumberOfPoints()
    assert points == len(result.field("displacement", 0.1).points)
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    figure = result.plot("tip.u_y", "E_kinetic", "E_total")
    assert [axes.get_ylabel() for axes in figure.axes] == ["m", "J"] and [len(axes.lines) for axes in figure.axes] == [1, 2]
    assert np.array_equal(figure.axes[0].lines[0].get_ydata(), result.history["tip.u_y"])
    with pytest.raises(sd.InputError, match="tip.u_y"):
        result.plot("tip.uy")


def test_folders_without_results(deck, tmp_path):
    with pytest.raises(sd.InputError, match="no such folder"):
        sd.Result(tmp_path / "none")
    with pytest.raises(sd.InputError, match="no results"):
        sd.Result(tmp_path)


def test_the_status_of_a_run_that_was_killed(deck, binary, tmp_path):
    """As `symdyn watch` finds it, by the process of run.lock."""
    file, folder = tmp_path / "script.py", tmp_path / "out"
    file.write_text(f"import symdyn as sd\nsd.run({deck()!r}, {{'Time/End time': 1000}}, output={str(folder)!r})\n")
    process = subprocess.Popen([sys.executable, str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.time() + 60
        while not (folder / "history.csv").exists() and time.time() < end:
            time.sleep(0.05)
        result = sd.Result(folder)
        assert result.summary == {"status": "running"} and result.certificate is None
    finally:
        process.kill()
    for _ in range(2):  # not yet waited for, and gone
        end = time.time() + 10
        while result.summary["status"] == "running" and time.time() < end:
            time.sleep(0.05)
        assert result.summary == {"status": "killed"} and "killed" in repr(result)
        process.wait()
    assert subprocess.run([binary, "watch", str(folder)], capture_output=True).returncode == 2
    (folder / "run.lock").write_text("another-host 1 0\n")  # it cannot be looked at
    assert result.summary["status"] == "running"
    (folder / "run.lock").write_text(f"{os.uname().nodename} {os.getpid()} 1\n")  # a later process with the number
    assert result.summary["status"] == "killed"


def test_a_table_is_a_mapping(deck, tmp_path):
    history = sd.run(deck(), output=tmp_path / "out").history
    assert isinstance(history, Mapping) and len(history) == len(list(history)) == len(history.keys()) == len(history.units)
    assert [name for name, _ in history.items()] == list(history) and len(list(history.values())) == len(history)
    assert all(len(column) == history.rows == 11 for column in history.values())
    assert history.get("tip.u_y") is history["tip.u_y"] and history.get("tip.uy") is None and history.get("tip.uy", 1.) == 1.
    assert history == history and history != sd.History(history.file) and history in {history}


def test_the_grid_of_a_frame_with_several_files(tmp_path):
    """A solid, a point and shells: grid() has the points of all, as field(), and the fields of each."""
    pytest.importorskip("vtkmodules.vtkIOXML")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    result = sd.run(os.path.join(root, "decks/examples/roof-on-block.prm"), output=tmp_path / "out")
    grid, u = result.grid(), result.field("displacement")
    values = {name: vtk_to_numpy(grid.GetPointData().GetArray(name)) for name in ("displacement", "von_mises", "mass", "M", "cauchy_stress")}
    assert grid.GetNumberOfPoints() == len(u.points) == 379
    assert np.array_equal(values["displacement"], u.values)
    assert np.allclose(vtk_to_numpy(grid.GetPoints().GetData()), u.points, atol=1e-6)
    for name in ("von_mises", "mass", "M", "cauchy_stress"):
        own = result.field(name).values
        there = ~np.isnan(values[name].reshape(379, -1)).any(axis=1)
        assert 0 < there.sum() < 379 and np.array_equal(values[name][there], own)
    assert grid.GetCellData().GetArray("tension") is not None


def test_fields_of_parts_with_other_components():
    pytest.importorskip("vtkmodules.vtkFiltersCore")
    from symdyn._result import _appended
    from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkUnstructuredGrid

    def part(**fields):
        grid, points = vtkUnstructuredGrid(), vtkPoints()
        points.InsertNextPoint(0., 0., 0.), points.InsertNextPoint(1., 0., 0.)
        grid.SetPoints(points)
        for name, values in fields.items():
            array = numpy_to_vtk(np.array(values), deep=True)
            array.SetName(name)
            grid.GetPointData().AddArray(array)
        return grid

    whole = _appended([part(strain=[1., 2.], number=[1, 2], kind=[1, 2]), part(strain=[[3., 4.], [5., 6.]], number=[3, 4])]).GetPointData()
    found = {whole.GetArrayName(k): vtk_to_numpy(whole.GetArray(k)) for k in range(whole.GetNumberOfArrays())}
    nan = np.nan
    assert set(found) == {"strain", "strain (part 2)", "number", "kind"} and found["number"].tolist() == [1, 2, 3, 4]
    assert np.array_equal(found["strain"], [1, 2, nan, nan], equal_nan=True) and np.array_equal(found["kind"], [1, 2, nan, nan], equal_nan=True)
    assert np.array_equal(found["strain (part 2)"], [[nan, nan], [nan, nan], [3, 4], [5, 6]], equal_nan=True)


def test_bad_decks(deck, tmp_path):
    with pytest.raises(sd.InputError, match="Subdivisions") as caught:
        sd.run(deck(beam.replace("set Subdivisions", "set Subdivision")), output=tmp_path / "out")
    assert caught.value.place.endswith("beam.prm:3") and isinstance(caught.value, ValueError)
    with pytest.raises(sd.InputError) as caught:
        sd.run(deck(), {"Mesh/Subdivision": 3}, output=tmp_path / "out")
    assert caught.value.place == "--set Mesh/Subdivision"
    with pytest.raises(sd.InputError, match="Time step = -1") as caught:
        sd.run(deck(), {"Time/Time step": -1}, output=tmp_path / "out")
    assert caught.value.place == "--set Time/Time step"
    with pytest.raises(sd.InputError, match="has no value") as caught:
        sd.run(deck(), {"Time/Time step": ""}, output=tmp_path / "out")
    assert caught.value.place == "--set Time/Time step"
    sd.run(deck(), output=tmp_path / "out")
    with pytest.raises(sd.InputError, match="not empty"):
        sd.run(deck(), output=tmp_path / "out")


@pytest.mark.parametrize("text, place", [
    ("beam.prm:17 [Loads/push] Boundary = tp: no such boundary", "beam.prm:17"), ("a b/beam.prm:3: unknown entry", "a b/beam.prm:3"),
    ("--set Mesh/File [Mesh] File = part.msh:3: no such file", "--set Mesh/File"), ("--set Mesh/File: no such section. Line 3:1", "--set Mesh/File"),
    ("--set Loads/of 9:30/Type [Loads/of 9:30] Type = x: unknown", "--set Loads/of 9:30/Type"), ("no such file", None)])
def test_places_of_errors(text, place):
    assert sd.InputError(text).place == place


def test_a_computation_that_fails_says_when(deck, tmp_path):
    with pytest.raises(sd.ComputationError) as caught:
        sd.run(deck(), {"Loads/push/Traction": [0, -1e9, 0], "Loads/push/Amplitude": "if(t > 0.05, 1, 0)"}, output=tmp_path / "out")
    assert 0 < caught.value.time < 0.2 and isinstance(caught.value, ArithmeticError)
    assert sd.Result(tmp_path / "out").summary["status"] == "failed"


def test_settings_are_text_of_decks():
    from symdyn._settings import text_of
    assert [text_of(x) for x in (True, 0.1, [1, 2], np.float64(0.25), np.array([1.5, 2]), "yes")] == ["yes", "0.1", "1, 2", "0.25", "1.5, 2.0", "yes"]


def test_expression():
    f = sd.Expression("x^2 + 3*t")
    assert f(2., t=1.) == 7. and isinstance(f(2.), float)
    assert f(np.array([[1., 2.]]), t=np.array([[0.], [1.]])).tolist() == [[1., 4.], [4., 7.]]
    assert sd.Expression("a*b", ["a", "b"])(a=2, b=4) == 8.
    with pytest.raises(sd.InputError):
        sd.Expression("x +")
    with pytest.raises(sd.InputError, match="variables"):
        f(w=1)


def test_lists():
    assert "newmark" in sd.schemes()
    assert any(entry["path"] == "Time/Time step" for entry in sd.parameters())


def test_a_model_is_not_pickled(deck):
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(sd.Model(deck()))


def test_phases_are_those_of_the_run(deck, tmp_path):
    for number in range(4):
        seconds = sd.run(deck(), output=tmp_path / str(number)).summary["wall seconds"]
        assert sum(seconds.values()) - seconds["total"] == pytest.approx(seconds["total"], rel=0.05)
