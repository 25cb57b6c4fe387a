#!/usr/bin/env python3
"""Writes glued.msh: a cantilever of two halves, 5 x 1 x 1 each, of 10x4x4 and 9x3x3 bricks, which share no node."""
import os

import msh_file

HALVES = (("left", 0.0, (10, 4, 4)), ("right", 5.0, (9, 3, 3)))
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def mesh():
    nodes, elements, names = [], [], {}

    def add(name, dimension, corners):
        names.setdefault(name, (dimension, len(names) + 1))
        elements.append((name, corners))

    for half, start, n in HALVES:
        first = len(nodes) + 1
        at = lambda i, j, k: first + i + (n[0] + 1) * (j + (n[1] + 1) * k)
        nodes += [
            (start + 5 * i / n[0], j / n[1], k / n[2])
            for k in range(n[2] + 1) for j in range(n[1] + 1) for i in range(n[0] + 1)
        ]
        for k in range(n[2]):
            for j in range(n[1]):
                for i in range(n[0]):
                    add(half, 3, [at(i + p, j + q, k + r) for r in (0, 1) for p, q in CORNERS])
        for end, i in (("start", 0), ("end", n[0])):
            for j in range(n[1]):
                for k in range(n[2]):
                    add(f"{half} {end}", 2, [at(i, j + p, k + q) for p, q in CORNERS])
    return nodes, elements, names


nodes, elements, names = mesh()
msh_file.write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "glued.msh"), names, nodes, elements)
