#!/usr/bin/env python3
"""Writes lee-frame.inp, the mesh of lee-frame.prm: legs from (0, 0) to (0, 120) to (120, 120) of lines with three nodes; the load is at (24, 120).

    python3 make_lee-frame.py [lines_per_leg] > lee-frame.inp        # a multiple of 5
"""
import sys

lines = int((sys.argv[1:] or [10])[0])
print("*NODE")
for k in range(4 * lines + 1):
    s = 60 * k / lines
    print(f"{k + 1}, {max(0., s - 120):.12g}, {min(120., s):.12g}, 0.")
print("*ELEMENT, TYPE=B32, ELSET=FRAME")
for e in range(2 * lines):
    print(f"{e + 1}, {2 * e + 1}, {2 * e + 2}, {2 * e + 3}")
print(f"*NSET, NSET=PINS\n1, {4 * lines + 1}\n*NSET, NSET=LOADED\n{2 * lines + 2 * lines // 5 + 1}")
