#!/usr/bin/env python3
"""Writes sze-slit.msh, the mesh of sze-slit.prm: a ring r from 6 to 10 with a slit at angle 0, 80 x 10 cells; s around, t outwards.

    python3 make_sze-slit.py [around across] > sze-slit.msh

The second side of the slit (s+) is 1e-6 of a turn before the first, so that places tell them apart.
"""
import math
import sys

from surface_mesh import write_grid

around, across = [int(a) for a in sys.argv[1:]] or (80, 10)


def place(s, t):
    a, r = 2 * math.pi * s * (1 - 1e-6), 6 + 4 * t
    return r * math.cos(a), r * math.sin(a), 0


write_grid(around, across, place)
