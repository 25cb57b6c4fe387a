#!/usr/bin/env python3
"""Compares two files of results of CalculiX (.frd): for each field that both have, the largest difference over its largest size.

    tests/frd.py A.frd B.frd [--tolerance 1e-4] [--fields DISP,STRESS]      exit code 1: one of the fields (default: DISP) differs by more
"""
import argparse
import sys


def read(name):
    """[(field, {node: values})], nodes and elements of a file."""
    fields, nodes, elements, part, values = [], {}, {}, None, None
    for line in open(name):
        key = line[:6].strip()
        if key in ("2C", "3C"):
            part = key
        elif line[1:3] == "-4":
            part, values = "field", {}
            fields.append((line[5:13].strip(), values))
        elif line[1:3] == "-3":
            part = None
        elif line[1:3] == "-1" and part == "2C":
            nodes[int(line[3:13])] = [float(line[13 + 12 * i:25 + 12 * i]) for i in range(3)]
        elif line[1:3] == "-1" and part == "3C":
            element = elements.setdefault(int(line[3:13]), [int(line[13:18])])
        elif line[1:3] == "-2" and part == "3C":
            element += [int(word) for word in line[3:].split()]
        elif line[1:3] == "-1" and part == "field":
            node, row = int(line[3:13]), line[13:].rstrip("\n")
            values[node] = [float(row[i:i + 12]) for i in range(0, len(row), 12)]
    return fields, nodes, elements


def main():
    p = argparse.ArgumentParser()
    p.add_argument("a")
    p.add_argument("b")
    p.add_argument("--tolerance", type=float, default=1e-4)
    p.add_argument("--fields", default="DISP")
    options = p.parse_args()
    (a, nodes_a, elements_a), (b, nodes_b, elements_b) = read(options.a), read(options.b)
    good = nodes_a.keys() == nodes_b.keys() and elements_a == elements_b
    print("nodes %d, %d; elements %s" % (len(nodes_a), len(nodes_b), "the same" if elements_a == elements_b else "DIFFER"))
    seen = {}
    for name, values in a:
        seen[name] = seen.get(name, 0) + 1
        others = [v for n, v in b if n == name]
        if len(others) < seen[name]:
            print("%-8s %d: only in %s" % (name, seen[name], options.a))
            good = good and name not in options.fields.split(",")
            continue
        other = others[seen[name] - 1]
        size = max((abs(x) for row in other.values() for x in row), default=0.0) or 1.0
        common = values.keys() & other.keys()
        signs = (1, -1) if name == "DISP" else (1,)  # of modes
        off = min(max((abs(s * x - y) for n in common for x, y in zip(values[n], other[n])), default=0.0) for s in signs) / size
        print("%-8s %d: %.2e of %.6g" % (name, seen[name], off, size))
        if name in options.fields.split(",") and (off > options.tolerance or len(common) < len(other)):
            good = False
    sys.exit(0 if good and any(name in options.fields.split(",") for name, _ in a) else 1)


main()
