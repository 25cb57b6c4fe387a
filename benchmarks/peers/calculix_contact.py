#!/usr/bin/env python3
"""Contact in CalculiX (ccx): writes bars.inp (two bars that collide) or strip.inp (Hertz), or takes a deck of its examples, and times it.

calculix_contact.py bars|strip|DECK.inp [--threads 2] [--write FOLDER]
bars: 2 x 100 C3D8 of 0.1 x 0.1 x 0.1 m, E = 900 Pa, rho = 1 kg/m^3, nu = 0; the left one has 1 m/s; 360 steps of 1/300 s, *DYNAMIC, ALPHA = -0.05.
strip: half of a parabola y = x^2/(2 R), R = 10 m, 4 m wide and high, 1620 C3D8I in plane strain, pressed onto a fixed plate in 4 increments.
--write: only writes NAME.inp there, for another program, which has the velocity of the left bar (x < 10.000000005 m) from elsewhere. Prints the seconds of the whole program and the last table of U of the set TIP as JSON.
"""
import argparse
import json
import os
import re
import shutil

import calculix_common

E, nu, R, width = 1000.0, 0.3, 10.0, 4.0


def surface(name, faces):
    return [f"*SURFACE, NAME={name}", *(f"{element}, {face}" for element, face in faces)]


def pair(stiffness, slave, master):
    return ["*SURFACE INTERACTION, NAME=SI", "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR", f"{stiffness}",
            "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE", f"{slave}, {master}"]


def bars():
    n, a = 100, 0.1
    yield "*NODE, NSET=ALL"
    corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
    for bar in range(2):
        for i in range(n + 1):
            for k, (y, z) in enumerate(corners):
                yield f"{1000 * bar + 4 * i + k + 1}, {bar * (n * a + 1e-8) + i * a:.12g}, {y * a}, {z * a}"
    for bar, name in enumerate(("LEFT", "RIGHT")):
        yield f"*ELEMENT, TYPE=C3D8, ELSET={name}"
        for i in range(n):
            first = 1000 * bar + 4 * i
            yield ", ".join(str(v) for v in [1000 * bar + i + 1, *(first + k for k in (1, 2, 3, 4)), *(first + k for k in (5, 6, 7, 8))])
        yield f"*NSET, NSET=N{name}, GENERATE\n{1000 * bar + 1}, {1000 * bar + 4 * n + 4}"
    yield from surface("SLAVE", [(n, "S2")])
    yield from surface("MASTER", [(1001, "S1")])
    yield "*MATERIAL, NAME=M\n*ELASTIC\n900., 0.\n*DENSITY\n1."
    yield "*SOLID SECTION, ELSET=LEFT, MATERIAL=M\n*SOLID SECTION, ELSET=RIGHT, MATERIAL=M"
    yield from pair(9e4, "SLAVE", "MASTER")
    yield "*BOUNDARY\nALL, 2, 3\n*NSET, NSET=TIP\n1001"
    if not options.write:
        yield "*INITIAL CONDITIONS, TYPE=VELOCITY\nNLEFT, 1, 1."
    yield "*STEP, INC=100000\n*DYNAMIC, DIRECT, ALPHA=-0.05\n.0033333333333333333, 1.2\n*NODE PRINT, NSET=TIP, FREQUENCY=100000\nU\n*END STEP"


def graded(first, fine, n, end):
    """Places: `fine` cells of `first`, then to `end` in n cells in all, each longer than the last by one factor."""
    left = n - fine
    low, high = 1.0, 2.0
    for _ in range(200):
        q = 0.5 * (low + high)
        low, high = (q, high) if first * (fine + sum(q ** (i + 1) for i in range(left))) < end else (low, q)
    x = [first * i for i in range(fine + 1)]
    for i in range(left):
        x.append(x[-1] + first * low ** (i + 1))
    return [value * end / x[-1] if value > first * fine + 1e-12 else value for value in x]


def strip():
    xs, ys = graded(0.0125, 22, 54, width), graded(0.0125, 4, 30, width)
    nx, ny = len(xs), len(ys)
    yield "*NODE, NSET=ALL"
    for k in range(2):
        for j, y in enumerate(ys):
            for i, x in enumerate(xs):
                yield f"{1 + i + nx * j + nx * ny * k}, {x:.12g}, {y + (1 - y / width) * x * x / (2 * R):.12g}, {0.1 * k}"
    yield "*ELEMENT, TYPE=C3D8I, ELSET=BODY"
    for j in range(ny - 1):
        for i in range(nx - 1):
            a = 1 + i + nx * j
            ring = [a, a + 1, a + 1 + nx, a + nx]
            yield ", ".join(map(str, [1 + i + (nx - 1) * j, *ring, *(v + nx * ny for v in ring)]))
    plate = 100000
    corners = [(0, -1), (width, -1), (width, 0), (0, 0)]
    yield "*NODE, NSET=PLATE"
    for k in range(2):
        for number, (x, y) in enumerate(corners):
            yield f"{plate + 1 + number + 4 * k}, {x}, {y}, {0.1 * k}"
    yield f"*ELEMENT, TYPE=C3D8I, ELSET=EPLATE\n{plate}, " + ", ".join(str(plate + 1 + v) for v in range(8))
    yield from surface("SLAVE", [(1 + i, "S3") for i in range(nx - 1)])
    yield from surface("MASTER", [(plate, "S5")])
    yield f"*MATERIAL, NAME=M\n*ELASTIC\n{E}, {nu}"
    yield "*SOLID SECTION, ELSET=BODY, MATERIAL=M\n*SOLID SECTION, ELSET=EPLATE, MATERIAL=M"
    yield from pair(1e6, "SLAVE", "MASTER")
    for name, nodes in (("MIDDLE", [1 + nx * j + nx * ny * k for k in range(2) for j in range(ny)]),
                        ("TOP", [1 + i + nx * (ny - 1) + nx * ny * k for k in range(2) for i in range(nx)]), ("TIP", [1])):
        yield f"*NSET, NSET={name}"
        yield from (f"{node}," for node in nodes)
    yield "*BOUNDARY\nALL, 3, 3\nMIDDLE, 1, 1\nPLATE, 1, 3"
    yield f"*STEP\n*STATIC, DIRECT\n.25, 1.\n*BOUNDARY\nTOP, 2, 2, -0.008\n*NODE PRINT, NSET=TOP, FREQUENCY=100, TOTALS=ONLY\nRF"
    yield "*NODE PRINT, NSET=TIP, FREQUENCY=100\nU\n*END STEP"


def write(job, name):
    written = {"bars": bars, "strip": strip}.get(name)
    if not written:
        return shutil.copy(name, job + ".inp")
    with open(job + ".inp", "w") as deck:
        deck.write("\n".join(written()) + "\n")


def main(folder):
    job = os.path.join(folder, os.path.splitext(os.path.basename(options.name))[0])
    write(job, options.name)
    if options.write:
        return print(json.dumps({"deck": job + ".inp"}))
    seconds, said = calculix_common.call(job, options.threads)
    with open(job + ".dat") as table:
        lines = table.read()
    tip = re.findall(r"displacements \(vx,vy,vz\) for set TIP.*\n\s*\n\s*\d+\s+(\S+)\s+(\S+)\s+(\S+)", lines)
    force = re.findall(r"total force \(fx,fy,fz\) for set TOP.*\n\s*\n\s*(\S+)\s+(\S+)\s+(\S+)", lines)
    print(json.dumps({"seconds": seconds, "tip": [float(v) for v in tip[-1]] if tip else None,
                      "force": [float(v) for v in force[-1]] if force else None,
                      "iterations": calculix_common.iterations(said)}))


arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
arguments.add_argument("name")
arguments.add_argument("--write", metavar="FOLDER")
calculix_common.add_options(arguments, threads="2")
options = arguments.parse_args()
calculix_common.in_folder(options.write or options.keep, main)
