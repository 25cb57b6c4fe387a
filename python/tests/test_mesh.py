"""Model.mesh, and that the stubs name what there is."""
import ast
import os
import re

import numpy as np
import pytest
import symdyn as sd
from conftest import beam, oscillator, root, script

edges = {"triangle6": "01 12 20", "tetra10": "01 12 20 03 13 23", "hexahedron20": "01 12 23 30 45 56 67 74 04 15 26 37", "wedge15": "01 12 20 34 45 53 03 14 25"}
tetrahedra = {"triangle": ["012"], "tetra": ["0123"], "hexahedron": ["0134", "1236", "1346", "3467", "1456"], "wedge": ["0213", "1243", "2543"]}


def box(order=1, shape="hexahedra", element="standard"):
    mesh = "  set Type = box\n  set Subdivisions = 3, 2, 2\n  set Cell shape = %s\n  set Order = %d\n  set Element = %s\n  subsection box\n    set Size = 3, 2, 1\n  end\n" % (shape, order, element)
    text = beam.replace("  set Type = beam\n  set Subdivisions = 4, 1, 1\n", mesh)
    return text.replace("= root", "= x-").replace("= tip", "= x+").replace("Point = 10, 0, 0", "Point = 3, 0, 0")


def volume(nodes, kind, rows):
    """By tetrahedra, signed as VTK orders a cell."""
    corners = kind.rstrip("0123456789")
    if "LAGRANGE" in kind:
        corners = "hexahedron"
    parts = [[int(c) for c in part] for part in tetrahedra[corners]]
    sum = 0.
    for part in parts:
        X = nodes[rows[:, part]]
        sum += np.abs(np.linalg.det(X[:, 1:] - X[:, :1])).sum() / 6
    return sum


@pytest.mark.parametrize("order, shape, element, kind", [(1, "hexahedra", "standard", "hexahedron"), (2, "hexahedra", "standard", "VTK_LAGRANGE_HEXAHEDRON"),
                                                         (2, "hexahedra", "serendipity", "hexahedron20"), (1, "tetrahedra", "standard", "tetra"),
                                                         (2, "tetrahedra", "standard", "tetra10")])
def test_cells_fill_the_body(deck, order, shape, element, kind):
    model = sd.Model(deck(box(order, shape, element)), {"Materials/rubber/nu": 0.2})
    mesh = model.mesh
    assert list(mesh.cells) == [kind] and kind in repr(mesh)
    rows = mesh.cells[kind]
    assert np.array_equal(mesh.nodes, model.positions) and sorted(set(rows.ravel())) == list(range(len(mesh.nodes)))
    assert volume(mesh.nodes, kind, rows) == pytest.approx(6., rel=1e-12)
    if order > 1 or "hex" in kind:  # four nodes have one volume
        assert volume(mesh.nodes, kind, np.roll(rows, 1, axis=1)) != pytest.approx(6., rel=1e-3)
    for k, edge in enumerate(edges.get(kind, "").split()):
        a, b = (mesh.nodes[rows[:, int(c)]] for c in edge)
        first = {"tetra10": 4, "hexahedron20": 8}[kind]
        assert np.allclose(mesh.nodes[rows[:, first + k]], (a + b) / 2, atol=1e-12), edge
    for name in ("x-", "x+", "y-", "y+", "z-", "z+"):
        d, side = "xyz".index(name[0]), {"-": 0., "+": [3., 2., 1.]["xyz".index(name[0])]}[name[1]]
        assert np.array_equal(mesh.boundaries[name], model.nodes(name))
        assert np.array_equal(mesh.boundaries[name], np.flatnonzero(np.isclose(mesh.nodes[:, d], side)))
        (face, corners), = mesh.faces[name].items()
        X = mesh.nodes[corners]
        normal = np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]) / 2
        area = np.abs(normal[:, d]).sum() * (2 if face == "quad" else 1)
        assert area == pytest.approx(6. / [3., 2., 1.][d], rel=1e-12) and np.allclose(X[:, :, d], side)
        if face == "quad":
            assert np.allclose(X[:, 0] + X[:, 2], X[:, 1] + X[:, 3])


def test_lines_of_plane_bodies_and_points_alone(deck):
    plane = box().replace("Subdivisions = 3, 2, 2", "Subdivisions = 3, 2").replace("Size = 3, 2, 1", "Size = 3, 2")
    mesh = sd.Model(deck(plane.replace("set Type = box", "set Type = box\n  set Dimension = 2").replace("0, -2e4, 0", "0, -2e4").replace("3, 0, 0", "3, 0"))).mesh
    rows = mesh.cells["quad"]
    a, b = (mesh.nodes[rows[:, k]] - mesh.nodes[rows[:, 0]] for k in (1, 3))
    assert (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) == pytest.approx([1.] * 6)
    assert mesh.faces["x+"]["line"].shape == (2, 2)
    points = sd.Model(deck(oscillator + "subsection Time\n  set Time step = 0.05\n  set End time = 1\nend\n")).mesh
    assert points.nodes.tolist() == [[1., 0., 0.]] and points.cells == points.boundaries == {}


def test_two_ranks_have_all_cells(deck, tmp_path):
    text = f"""import numpy as np, symdyn as sd
m = sd.Model({deck(box())!r})
mesh = m.mesh
rows, own = mesh.cells['hexahedron'], len(m.positions)
assert np.array_equal(mesh.nodes[:own], m.positions) and rows.max() == len(mesh.nodes) - 1 and mesh.boundaries['x+'].max(initial=0) < own
X = mesh.nodes[rows]
print('cells', len(rows), 'volume', np.abs(np.linalg.det(np.stack([X[:, k] - X[:, 0] for k in (1, 3, 4)], axis=1))).sum(), 'ghosts', len(mesh.nodes) - own, file=open(f'rank-{{sd.rank()}}', 'w'))
"""
    done = script(text, tmp_path, ranks=2)
    assert done.returncode == 0, done.stderr
    lines = [(tmp_path / f"rank-{rank}").read_text().split() for rank in (0, 1)]
    assert sum(int(line[1]) for line in lines) == 12 and sum(float(line[3]) for line in lines) == pytest.approx(6.)
    assert sum(int(line[5]) for line in lines) > 0


def test_stubs_name_what_there_is():
    """Each public name of the package, and each attribute of its classes, both ways."""
    with open(os.path.join(root, "python/symdyn/__init__.pyi"), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    stubs = {one.name: one for one in tree.body if isinstance(one, (ast.ClassDef, ast.FunctionDef))}
    assert set(sd.__all__) <= set(stubs)
    for name in sd.__all__:
        there = getattr(sd, name)
        if not isinstance(there, type):
            continue
        told = {one.name if isinstance(one, ast.FunctionDef) else one.target.id for one in stubs[name].body if isinstance(one, (ast.FunctionDef, ast.AnnAssign))}
        public = {key for key in vars(there) if not key.startswith("_")} - {"keys"}
        assert public <= told, (name, public - told)
        with open(os.path.join(root, "python/symdyn", f"{there.__module__.removeprefix('symdyn').lstrip('.') or '__init__'}.py"), encoding="utf-8") as file:
            made = set(re.findall(r"self\.(\w+)", file.read())) if there.__module__ != "symdyn._core" else set()
        missing = {key for key in told if not hasattr(there, key) and key not in made}
        assert not missing, (name, missing)
