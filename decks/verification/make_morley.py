#!/usr/bin/env python3
"""Writes morley.msh, the mesh of morley.prm: a rhombus of sides 100 with an angle of 30 degrees at (0, 0).

    python3 make_morley.py [n] > morley.msh
"""
import math
import sys

from surface_mesh import write_grid

n = int((sys.argv[1:] or [16])[0])
write_grid(n, n, lambda s, t: (100 * s + 100 * math.sqrt(0.75) * t, 50 * t, 0))
