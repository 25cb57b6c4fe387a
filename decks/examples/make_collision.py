#!/usr/bin/env python3
"""Writes collision.msh: a plate of 0.4 x 0.4 x 0.1 m and above it a block of 0.15 m, turned by 20 degrees about the y axis, of bricks."""
import math
import os

import msh_file

BODIES = (("plate", (0.4, 0.4, 0.1), (8, 8, 2)), ("block", (0.15, 0.15, 0.15), (3, 3, 3)))
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
ANGLE, HEIGHT = math.radians(20), 0.2


def place(body, x, y, z):
    if body == "plate":
        return x, y, z
    x, y = x + 0.1, y + 0.1
    return x * math.cos(ANGLE) + z * math.sin(ANGLE), y, z * math.cos(ANGLE) - x * math.sin(ANGLE) + HEIGHT


def mesh():
    nodes, elements, names = [], [], {}

    def add(name, dimension, corners):
        names.setdefault(name, (dimension, len(names) + 1))
        elements.append((name, corners))

    for body, size, n in BODIES:
        first = len(nodes) + 1
        at = lambda i: first + i[0] + (n[0] + 1) * (i[1] + (n[1] + 1) * i[2])
        nodes += [
            place(body, *(size[d] * i[d] / n[d] for d in range(3)))
            for i in ((i, j, k) for k in range(n[2] + 1) for j in range(n[1] + 1) for i in range(n[0] + 1))
        ]
        for k in range(n[2]):
            for j in range(n[1]):
                for i in range(n[0]):
                    add(body, 3, [at((i + p, j + q, k + r)) for r in (0, 1) for p, q in CORNERS])
        for d in range(3):
            one, other = [e for e in range(3) if e != d]
            for side in (0, n[d]):
                name = f"{body} skin" if body == "block" else f"{body} {'top' if side else 'bottom'}" if d == 2 else f"{body} side"
                for i in range(n[one]):
                    for j in range(n[other]):
                        corners = []
                        for p, q in CORNERS:
                            corner = [side] * 3
                            corner[one], corner[other] = i + p, j + q
                            corners.append(at(corner))
                        add(name, 2, corners)
    return nodes, elements, names


nodes, elements, names = mesh()
msh_file.write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "collision.msh"), names, nodes, elements)
