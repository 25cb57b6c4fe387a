#!/usr/bin/env python3
"""Writes raasch.msh, the mesh of raasch.prm: a strip of width 20 along z, an arc of radius 14 over 60 degrees, then one of radius 46 over
150 degrees that bends to the other side. A fifth of the cells is along the first.

    python3 make_raasch.py [along across] > raasch.msh
"""
import math
import sys

from surface_mesh import write_grid

along, across = [int(a) for a in sys.argv[1:]] or (70, 10)


def place(s, t):
    """s: share of the angle of both arcs, 2/7 of which is the first."""
    angle = math.radians(210 * s)
    if angle <= math.radians(60):
        return 14 * (1 - math.cos(angle)), 14 * math.sin(angle), 20 * t
    turned = math.radians(120) - angle      # the angle of the place on the second circle, against its centre
    return 14 - 60 * 0.5 + 46 * math.cos(turned), 60 * math.sqrt(0.75) - 46 * math.sin(turned), 20 * t


write_grid(along, across, place)
