#!/usr/bin/env python3
"""Writes twisted-strip.msh, the mesh of twisted-strip.prm: a strip 12 x 1.1, twisted by 90 degrees about x, 48 x 8 cells, s along x.

    python3 make_twisted-strip.py [along across] > twisted-strip.msh
"""
import math
import sys

from surface_mesh import write_grid

along, across = [int(a) for a in sys.argv[1:]] or (48, 8)


def place(s, t):
    w = 1.1 * (t - 0.5)
    return 12 * s, w * math.cos(0.5 * math.pi * s), w * math.sin(0.5 * math.pi * s)


write_grid(along, across, place)
