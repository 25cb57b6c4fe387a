#!/usr/bin/env python3
"""Writes le1.msh, the mesh of le1.prm: between the ellipses (x/2)^2 + y^2 = 1 and (x/3.25)^2 + (y/2.75)^2 = 1, x and y positive; s around, t outwards.

    python3 make_le1.py [around across] > le1.msh
"""
import math
import sys

from surface_mesh import write_grid

around, across = [int(a) for a in sys.argv[1:]] or (48, 24)


def place(s, t):
    a = 0.5 * math.pi * s
    return (2 + 1.25 * t) * math.cos(a), (1 + 1.75 * t) * math.sin(a), 0


write_grid(around, across, place)
