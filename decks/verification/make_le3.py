#!/usr/bin/env python3
"""Writes le3.msh, the mesh of le3.prm: an eighth of a sphere of radius 10 m in three patches of n x n cells; boundaries xz (y = 0), yz (x = 0).

    python3 make_le3.py [n] > le3.msh
"""
import math
import sys

from surface_mesh import write

n = int((sys.argv[1:] or [12])[0])
numbers, places, cells = {}, [], []


def node(i, j, k):
    """The place with the coordinates i, j, k, each up to n and one of them n, on a cube about the centre, moved to the sphere."""
    if (i, j, k) not in numbers:
        p = [math.tan(0.25 * math.pi * a / n) for a in (i, j, k)]
        length = math.sqrt(sum(a * a for a in p))
        places.append([10 * a / length for a in p])
        numbers[i, j, k] = len(places)
    return numbers[i, j, k]


for i in range(n):
    for j in range(n):
        corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        cells.append([node(a, b, n) for a, b in corners])
        cells.append([node(n, a, b) for a, b in corners])
        cells.append([node(b, n, a) for a, b in corners])
edges = [("xz", [(node(i, 0, n), node(i + 1, 0, n)) for i in range(n)] + [(node(n, 0, i), node(n, 0, i + 1)) for i in range(n)]),
         ("yz", [(node(0, i, n), node(0, i + 1, n)) for i in range(n)] + [(node(0, n, i), node(0, n, i + 1)) for i in range(n)])]
write(places, edges, cells)
