"""run() and Result."""
import os
import pickle
import subprocess

import numpy as np
import pytest
import symdyn as sd
from conftest import beam


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
    result = sd.run(deck(), output=tmp_path / "out")
    os.remove(tmp_path / "out/summary.json")
    assert "running or killed" in repr(result)


def test_bad_decks(deck, tmp_path):
    with pytest.raises(sd.InputError, match="Subdivisions") as caught:
        sd.run(deck(beam.replace("set Subdivisions", "set Subdivision")), output=tmp_path / "out")
    assert caught.value.place.endswith("beam.prm:3") and isinstance(caught.value, ValueError)
    with pytest.raises(sd.InputError) as caught:
        sd.run(deck(), {"Mesh/Subdivision": 3}, output=tmp_path / "out")
    assert caught.value.place == "--set Mesh/Subdivision"
    sd.run(deck(), output=tmp_path / "out")
    with pytest.raises(sd.InputError, match="not empty"):
        sd.run(deck(), output=tmp_path / "out")


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
