#!/usr/bin/env python3
"""Writes fv32.msh, the mesh of fv32.prm (Gmsh 2.2): 16 x 8 quadrilaterals, x from 0 to 10 m, |y| up to 2.5 m at x = 0 and 0.5 m at x = 10 m.

    python3 make_fv32.py > fv32.msh
"""
ALONG, ACROSS, LENGTH = 16, 8, 10.


def node(i, j):
    """Number of the node i along x, j across."""
    return 1 + i * (ACROSS + 1) + j


def place(i, j):
    x = LENGTH * i / ALONG
    return x, (2.5 - 2. * x / LENGTH) * (2. * j / ACROSS - 1.)


print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
print('$PhysicalNames\n2\n1 1 "wide"\n2 2 "plate"\n$EndPhysicalNames')
print(f"$Nodes\n{(ALONG + 1) * (ACROSS + 1)}")
for i in range(ALONG + 1):
    for j in range(ACROSS + 1):
        print(node(i, j), "%.12g %.12g 0" % place(i, j))
print(f"$EndNodes\n$Elements\n{ACROSS + ALONG * ACROSS}")
for j in range(ACROSS):
    print(j + 1, "1 2 1 1", node(0, j), node(0, j + 1))
for i in range(ALONG):
    for j in range(ACROSS):
        print(ACROSS + 1 + i * ACROSS + j, "3 2 2 2", node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1))
print("$EndElements")
