"""Writes blade.msh of blade.prm: a twisted, tapered surface with the axis x. usage: make_blade.py [cells along x] [cells across] [file]"""
import math
import sys

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
lines = [(1, 1, (number(0, j), number(0, j + 1))) for j in range(across)]
cells = [(3, 2 if 2 * i < along else 3, cell(i, j)) for i in range(along) for j in range(across)]
with open(name, "w", encoding="utf-8") as file:
    file.write('$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 "root"\n2 2 "inner"\n2 3 "outer"\n$EndPhysicalNames\n')
    file.write(f"$Nodes\n{len(nodes)}\n")
    for n, (x, y, z) in enumerate(nodes, 1):
        file.write(f"{n} {x:.12g} {y:.12g} {z:.12g}\n")
    file.write(f"$EndNodes\n$Elements\n{len(lines) + len(cells)}\n")
    for n, (kind, group, of) in enumerate(lines + cells, 1):
        file.write(f"{n} {kind} 2 {group} {group} {' '.join(map(str, of))}\n")
    file.write("$EndElements\n")
