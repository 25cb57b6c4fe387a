"""Writes necking.msh of necking.prm: a quarter of one half of a round bar with the axis z, whose radius falls linearly to the middle, z = 0.
usage: make_necking.py [cells along z] [cells on an eighth of the circle] [file]"""
import math
import sys

import msh_file

radius, half = 6.413, 26.667     # at the end [mm]
middle = 0.982                   # radius at z = 0 over that at the end
finer = 3.0                      # the cells at z = 0 are as much shorter as those at the end
along, n = (int(word) for word in (sys.argv[1:3] or ("7", "2")))
name = sys.argv[3] if len(sys.argv) > 3 else "necking.msh"


def section():
    """Nodes (x, y) of the unit circle's quarter and its quadrilaterals: a square, and two blocks between it and the circle."""
    nodes, cells, known = [], [], {}

    def node(x, y):
        key = round(x, 9), round(y, 9)
        if key not in known:
            known[key] = len(nodes)
            nodes.append((x, y))
        return known[key]

    inner, diagonal = 0.5, 0.42

    def square(s, t):  # (0, 0) to (diagonal, diagonal), whose edges bulge a little
        bulge = inner - diagonal
        return diagonal * s + bulge * s * (1 - t), diagonal * t + bulge * t * (1 - s)

    def ring(s, r, upper):
        x, y = square(s, 1) if upper else square(1, s)
        angle = math.pi / 4 * s
        angle = math.pi / 2 - angle if upper else angle
        return x + r * (math.cos(angle) - x), y + r * (math.sin(angle) - y)

    def block(place, m, k, turned=False):
        for i in range(m):
            for j in range(k):
                corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                cell = [node(*place(a / m, b / k)) for a, b in corners]
                cells.append(cell[::-1] if turned else cell)

    block(square, n, n)
    block(lambda s, r: ring(s, r, False), n, n, True)
    block(lambda s, r: ring(s, r, True), n, n)
    return nodes, cells


def height(k):
    """Cell sizes grow geometrically from z = 0."""
    q = finer ** (1 / (along - 1))
    return half * (q ** k - 1) / (q ** along - 1)


plane, quads = section()
count = len(plane)
nodes = []
for k in range(along + 1):
    z = height(k)
    size = radius * (middle + (1 - middle) * z / half)
    nodes += [(size * x, size * y, z) for x, y in plane]
hexes = [[v + k * count for v in quad] + [v + (k + 1) * count for v in quad] for k in range(along) for quad in quads]
faces = {}
for cell in hexes:
    for face in ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)):
        of = [cell[i] for i in face]
        faces.setdefault(tuple(sorted(of)), []).append(of)
groups = {"middle": lambda p: p[2] == 0, "end": lambda p: abs(p[2] - half) < 1e-9, "x": lambda p: abs(p[0]) < 1e-9, "y": lambda p: abs(p[1]) < 1e-9}
elements = []
for seen in faces.values():
    if len(seen) == 1:
        for g, on in groups.items():
            if all(on(nodes[v]) for v in seen[0]):
                elements.append((g, [v + 1 for v in seen[0]]))
elements += [("bar", [v + 1 for v in cell]) for cell in hexes]
names = {group: (2, number) for number, group in enumerate(groups, 1)}
msh_file.write(name, {**names, "bar": (3, 5)}, nodes, elements)
