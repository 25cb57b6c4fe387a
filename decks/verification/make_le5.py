#!/usr/bin/env python3
"""Writes le5.msh, the mesh of le5.prm: a Z section along x, 10 m; flanges of 1 m at z = 1 and -1, a web of 2 m between them; s along x.

    python3 make_le5.py [along per_metre] > le5.msh
"""
import sys

from surface_mesh import write_grid

along, per_metre = [int(a) for a in sys.argv[1:]] or (16, 4)


def place(s, t):
    d = 4 * t
    if d <= 1:
        return 10 * s, d - 1, 1
    return (10 * s, 0, 2 - d) if d <= 3 else (10 * s, d - 3, -1)


write_grid(along, 4 * per_metre, place)
