#!/usr/bin/env python3
"""Writes 9-ball.msh: a disc of radius 0.05 m of quadrilaterals about the origin, a square of 8 x 8 of them in a ring of 32 x 3."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "examples"))
import msh_file

RADIUS, HALF, SIDE, RINGS = 0.05, 0.024, 8, 3


def corner_of_square(k):
    """Place number k of 4 SIDE around the square, from its lower left corner on."""
    side, i = divmod(k, SIDE)
    s = -HALF + 2 * HALF * i / SIDE
    return ((s, -HALF), (HALF, s), (-s, HALF), (-HALF, -s))[side]


def mesh():
    nodes, numbers, elements = [], {}, []

    def node(x, y):
        key = (round(x, 9), round(y, 9))
        if key not in numbers:
            nodes.append((x, y, 0.0))
            numbers[key] = len(nodes)
        return numbers[key]

    def in_square(i, j):
        return node(-HALF + 2 * HALF * i / SIDE, -HALF + 2 * HALF * j / SIDE)

    def in_ring(k, r):
        x, y = corner_of_square(k % (4 * SIDE))
        angle = math.radians(-135) + 2 * math.pi * k / (4 * SIDE)
        s = r / RINGS
        return node((1 - s) * x + s * RADIUS * math.cos(angle), (1 - s) * y + s * RADIUS * math.sin(angle))

    for j in range(SIDE):
        for i in range(SIDE):
            elements.append(("ball", (in_square(i, j), in_square(i + 1, j), in_square(i + 1, j + 1), in_square(i, j + 1))))
    for k in range(4 * SIDE):
        for r in range(RINGS):
            elements.append(("ball", (in_ring(k, r), in_ring(k, r + 1), in_ring(k + 1, r + 1), in_ring(k + 1, r))))
        elements.append(("skin", (in_ring(k, RINGS), in_ring(k + 1, RINGS))))
    return nodes, elements


msh_file.write(os.path.join(HERE, "9-ball.msh"), {"ball": (2, 1), "skin": (1, 2)}, *mesh())
