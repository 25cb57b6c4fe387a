#!/usr/bin/env python3
"""Writes fv52.inp, NAFEMS FV52 for `symdyn run` and CalculiX: a plate 10 m x 10 m x 1 m of bricks with 20 nodes, u_z = 0 along the four edges of its lower face.

    python3 make_fv52.py [across [through]] > fv52.inp        # 4 bricks a side, 1 through the thickness, as the benchmark has it

A support along a line has no limit in three dimensions: with finer meshes the frequencies fall slowly and without end.
"""
import sys

ACROSS, THROUGH = [int(a) for a in sys.argv[1:] + ["4", "1"][len(sys.argv) - 1:]]
SIDE, THICKNESS = 10., 1.

# Places on a grid of half bricks; nodes are at those that have one odd index at most.
counts = 2 * ACROSS + 1, 2 * ACROSS + 1, 2 * THROUGH + 1
numbers = {}
for k in range(counts[2]):
    for j in range(counts[1]):
        for i in range(counts[0]):
            if i % 2 + j % 2 + k % 2 <= 1:
                numbers[i, j, k] = len(numbers) + 1

CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
BRICK = CORNERS + [tuple((a + b) // 2 for a, b in zip(CORNERS[p], CORNERS[q])) for p, q in EDGES]


def lines(values, each):
    return ",\n".join(", ".join(map(str, values[n:n + each])) for n in range(0, len(values), each))


print("*HEADING\nNAFEMS FV52: a thick square plate, held along the edges of its lower face [m, kg, s]. Written by make_fv52.py")
print("*NODE, NSET=ALL")
for (i, j, k), number in numbers.items():
    print(f"{number}, {SIDE * i / (counts[0] - 1):.10g}, {SIDE * j / (counts[1] - 1):.10g}, {THICKNESS * k / (counts[2] - 1):.10g}")
print("*ELEMENT, TYPE=C3D20, ELSET=PLATE")
bricks = [(i, j, k) for k in range(THROUGH) for j in range(ACROSS) for i in range(ACROSS)]
for number, (i, j, k) in enumerate(bricks, 1):
    print(lines([number] + [numbers[2 * i + a, 2 * j + b, 2 * k + c] for a, b, c in BRICK], 11))
print("*NSET, NSET=EDGES")
print(lines([number for (i, j, k), number in numbers.items() if k == 0 and (i in (0, counts[0] - 1) or j in (0, counts[1] - 1))], 12))
print("""*MATERIAL, NAME=STEEL
*ELASTIC
200e9, 0.3
*DENSITY
8000.
*SOLID SECTION, ELSET=PLATE, MATERIAL=STEEL
*BOUNDARY
EDGES, 3
*STEP
*FREQUENCY
10
*END STEP""")
