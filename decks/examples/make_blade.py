"""Writes blade.msh of blade.prm: a twisted, tapered surface with the axis x. usage: make_blade.py [cells along x] [cells across] [file]"""
import math
import sys

import msh_file

root, tip = 0.2, 2.2             # x of both ends [m]
chords = 0.3, 0.15               # at both ends [m]
twist = math.radians(25)         # of the root; the tip lies in the plane of rotation, z = 0
along, across = (int(n) for n in (sys.argv[1:3] or ("32", "4")))
name = sys.argv[3] if len(sys.argv) > 3 else "blade.msh"


def place(i, j):
    s, w = i / along, j / across - 0.5
    chord, angle = chords[0] + s * (chords[1] - chords[0]), twist * (1 - s)
    return root + s * (tip - root), w * chord * math.cos(angle), w * chord * math.sin(angle)


def number(i, j):
    return i * (across + 1) + j + 1


def cell(i, j):
    return number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)


nodes = [place(i, j) for i in range(along + 1) for j in range(across + 1)]
elements = [("root", (number(0, j), number(0, j + 1))) for j in range(across)]
elements += [("inner" if 2 * i < along else "outer", cell(i, j)) for i in range(along) for j in range(across)]
msh_file.write(name, {"root": (1, 1), "inner": (2, 2), "outer": (2, 3)}, nodes, elements)
