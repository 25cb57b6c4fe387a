#!/usr/bin/env python3
"""Writes wedge.msh: a wedge of 0.4 m whose upper side falls by 1 in 10, and a block of 0.2 x 0.1 m on it, of quadrilaterals."""
import os

import msh_file

SLOPE, THICK = 0.1, 0.06


def top_of_wedge(x):
    return THICK - SLOPE * x


# name, x from and to, lower and upper side, cells
BODIES = (
    ("wedge", 0.0, 0.4, lambda x: 0.0, top_of_wedge, (20, 3)),
    ("block", 0.1, 0.3, top_of_wedge, lambda x: 0.15, (8, 4)),
)


def mesh():
    nodes, elements, names = [], [], {}

    def add(name, dimension, corners):
        names.setdefault(name, (dimension, len(names) + 1))
        elements.append((name, corners))

    for body, left, right, lower, upper, (n, m) in BODIES:
        first = len(nodes) + 1
        at = lambda i, j: first + i + (n + 1) * j
        for j in range(m + 1):
            for i in range(n + 1):
                x = left + (right - left) * i / n
                nodes.append((x, lower(x) + (upper(x) - lower(x)) * j / m, 0.0))
        for j in range(m):
            for i in range(n):
                add(body, 2, (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)))
            add(f"{body} left", 1, (at(0, j + 1), at(0, j)))
            add(f"{body} right", 1, (at(n, j), at(n, j + 1)))
        for i in range(n):
            add(f"{body} bottom", 1, (at(i, 0), at(i + 1, 0)))
            add(f"{body} top", 1, (at(i + 1, m), at(i, m)))
    return nodes, elements, names


nodes, elements, names = mesh()
msh_file.write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "wedge.msh"), names, nodes, elements)
