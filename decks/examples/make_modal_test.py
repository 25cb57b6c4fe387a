#!/usr/bin/env python3
"""Makes modal-test.unv, the "test" of modal-test.prm: modes of a plate that is 3 % less stiff, at 12 sensors, with noise.

    symdyn run modal-test.prm --set Materials/steel/E=203.7e9 --set Mesh/Subdivisions=24,8,2 --output plate
    symdyn export plate --output plate.unv
    ./make_modal_test.py plate.unv > modal-test.unv
"""
import random
import sys

SENSORS = [(x, y, 0.006) for x in (0.1, 0.2, 0.3, 0.4) for y in (0.0, 0.06, 0.12)]
NOISE = 0.03  # of the largest motion of a shape


def datasets(lines):
    at = 0
    while at < len(lines):
        if lines[at].strip() == "-1":
            end = at + 1 + next(i for i, line in enumerate(lines[at + 1:]) if line.strip() == "-1")
            yield int(lines[at + 1]), lines[at + 2:end]
            at = end
        at += 1


def main():
    random.seed(3)
    nodes, shapes = {}, []
    for number, lines in datasets(open(sys.argv[1]).read().splitlines()):
        if number == 2411:
            for head, place in zip(lines[::2], lines[1::2]):
                nodes[int(head.split()[0])] = [float(x.replace("D", "E")) for x in place.split()]
        if number == 55:
            values = {int(node): float(u.split()[2]) for node, u in zip(lines[8::2], lines[9::2])}
            shapes.append((float(lines[7].split()[0]), values))
    nearest = [min(nodes, key=lambda n: sum((a - b) ** 2 for a, b in zip(nodes[n], X))) for X in SENSORS]
    print("    -1\n    15")
    for k, (x, y, z) in enumerate(SENSORS):
        print("%10d%10d%10d%10d%13.5e%13.5e%13.5e" % (k + 1, 0, 0, 1, x, y, z))
    print("    -1")
    bending = [shape for shape in shapes if max(abs(shape[1][n]) for n in nearest) > 1e-3][:5]
    for k, (frequency, values) in enumerate(bending):
        largest = max(abs(values[n]) for n in nearest)
        print("    -1\n    55\nsynthetic test of a plate\nNONE\nNONE\nNONE\nNONE")
        print("%10d%10d%10d%10d%10d%10d" % (1, 2, 2, 8, 2, 3))
        print("%10d%10d%10d%10d" % (2, 4, 1, k + 1))
        print("%13.5e%13.5e%13.5e%13.5e" % (frequency * random.gauss(1, 0.002), 1, 0.005, 0))
        for sensor, node in enumerate(nearest):
            print("%10d\n%13.5e%13.5e%13.5e" % (sensor + 1, 0, 0, values[node] / largest + random.gauss(0, NOISE)))
        print("    -1")


main()
