#!/usr/bin/env python3
"""Writes plate.inp, the mesh of fv12.prm and fv21.prm: a square of 10 m, n x n cells; sets of nodes ALL, X0, X1, Y0, Y1.

    python3 make_plate.py [n] > plate.inp
"""
import sys

n = int((sys.argv[1:] or [32])[0])


def node(i, j):
    return 1 + i + j * (n + 1)


print("*NODE, NSET=ALL")
for j in range(n + 1):
    for i in range(n + 1):
        print(f"{node(i, j)}, {10 * i / n:.12g}, {10 * j / n:.12g}, 0.")
print("*ELEMENT, TYPE=S4, ELSET=PLATE")
for j in range(n):
    for i in range(n):
        print(f"{1 + i + j * n}, {node(i, j)}, {node(i + 1, j)}, {node(i + 1, j + 1)}, {node(i, j + 1)}")
edges = {"X0": [node(0, j) for j in range(n + 1)], "X1": [node(n, j) for j in range(n + 1)],
         "Y0": [node(i, 0) for i in range(n + 1)], "Y1": [node(i, n) for i in range(n + 1)]}
for name, nodes in edges.items():
    print(f"*NSET, NSET={name}\n" + ",\n".join(", ".join(map(str, nodes[k:k + 10])) for k in range(0, len(nodes), 10)))
