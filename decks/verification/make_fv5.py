#!/usr/bin/env python3
"""Writes fv5.inp, the mesh of fv5.prm: 10 m along x in lines with three nodes.

    python3 make_fv5.py [lines] > fv5.inp
"""
import sys

lines = int((sys.argv[1:] or [10])[0])
print("*NODE")
for k in range(2 * lines + 1):
    print(f"{k + 1}, {5 * k / lines:.12g}, 0., 0.")
print(f"{2 * lines + 2}, 0., 1., 0.")
print("*ELEMENT, TYPE=B32, ELSET=BEAM")
for e in range(lines):
    print(f"{e + 1}, {2 * e + 1}, {2 * e + 2}, {2 * e + 3}")
print(f"*ELEMENT, TYPE=B31, ELSET=ARM\n{lines + 1}, 1, {2 * lines + 2}")
print(f"*NSET, NSET=FIRST\n1\n*NSET, NSET=LAST\n{2 * lines + 1}\n*NSET, NSET=ARM\n{2 * lines + 2}")
