#!/usr/bin/env python3
"""Writes bathe.inp, the mesh of bathe.prm: an arc of 45 degrees and radius 100 from (0, 0, 0) along x, in the plane xy, of lines with two or three nodes.

    python3 make_bathe.py [lines [nodes_per_line]] > bathe.inp        # 16 lines B32
"""
import math
import sys

lines, per_line = [int(a) for a in sys.argv[1:] + ["16", "3"][len(sys.argv) - 1:]]
intervals = lines * (per_line - 1)
print("*NODE")
for k in range(intervals + 1):
    a = 0.25 * math.pi * k / intervals
    print(f"{k + 1}, {100 * math.sin(a):.12g}, {100 * (1 - math.cos(a)):.12g}, 0.")
print(f"*ELEMENT, TYPE={'B32' if per_line == 3 else 'B31'}, ELSET=ARC")
for e in range(lines):
    first = 1 + e * (per_line - 1)
    print(", ".join(map(str, [e + 1] + list(range(first, first + per_line)))))
print(f"*NSET, NSET=ROOT\n1\n*NSET, NSET=TIP\n{intervals + 1}")
