#!/usr/bin/env python3
"""Writes bladed-disk.msh: one of 12 sectors of a disk with twisted blades, of bricks; boundaries bore, low, high."""
import math
import os

import msh_file

SECTORS, ROUND, RADIAL, HIGH = 12, 6, 3, 4  # cells round and along the radius of the disk, and along the blade
BORE, RIM, TIP, THICK = 0.10, 0.25, 0.45, 0.03  # [m]
LEFT, RIGHT = 2, 4  # the blade stands on the cells between these rays
TWIST, TAPER = math.radians(30), 0.6
STEP = 2 * math.pi / SECTORS / ROUND
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))


def in_disk(i, j, k):
    r, a = BORE + (RIM - BORE) * i / RADIAL, j * STEP
    return r * math.cos(a), r * math.sin(a), THICK * k


def in_blade(i, j, k):
    """Layer i of the blade, 1 to HIGH: the section at its root, tapered and twisted about the middle ray."""
    middle, s = 0.5 * (LEFT + RIGHT) * STEP, i / HIGH
    y, z = (1 - TAPER * s) * RIM * math.sin(j * STEP - middle), THICK * (k - 0.5)
    y, z = y * math.cos(TWIST * s) - z * math.sin(TWIST * s), y * math.sin(TWIST * s) + z * math.cos(TWIST * s)
    r = RIM + (TIP - RIM) * s
    return r * math.cos(middle) - y * math.sin(middle), r * math.sin(middle) + y * math.cos(middle), z + 0.5 * THICK


def mesh():
    number, nodes, elements = {}, [], []
    names = {"steel": (3, 1), "bore": (2, 2), "low": (2, 3), "high": (2, 4)}

    def node(i, j, k):  # i > RADIAL: of the blade
        if (i, j, k) not in number:
            nodes.append(in_disk(i, j, k) if i <= RADIAL else in_blade(i - RADIAL, j, k))
            number[i, j, k] = len(nodes)
        return number[i, j, k]

    cells = [(i, j) for i in range(RADIAL) for j in range(ROUND)] + [
        (RADIAL + i, j) for i in range(HIGH) for j in range(LEFT, RIGHT)]
    for i, j in cells:
        elements.append(("steel", [node(i + p, j + q, k) for k in (0, 1) for p, q in CORNERS]))
    for j in range(ROUND):
        elements.append(("bore", [node(0, j + p, q) for p, q in CORNERS]))
    for i in range(RADIAL):
        for name, j in (("low", 0), ("high", ROUND)):
            elements.append((name, [node(i + p, j, q) for p, q in CORNERS]))
    return nodes, elements, names


nodes, elements, names = mesh()
msh_file.write(os.path.join(os.path.dirname(os.path.abspath(__file__)), "bladed-disk.msh"), names, nodes, elements)
