#!/usr/bin/env python3
"""The cantilever of decks/verification/j2-cantilever.prm in CalculiX (ccx), C3D8 or C3D8I.

calculix_cantilever.py C3D8|C3D8I NX NY NZ INCREMENTS [--threads 1] [--keep FOLDER]
*STEP, NLGEOM with *STATIC, DIRECT and the default *CONTROLS. Prints the seconds of the whole program, those of its processors, the sum of the forces
that pull the free end and the iterations as JSON.
"""
import argparse
import json
import os
import re

import calculix_common


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("element", choices=["C3D8", "C3D8I"])
    arguments.add_argument("cells", type=int, nargs=3)
    arguments.add_argument("increments", type=int)
    calculix_common.add_options(arguments, threads="1")
    return arguments.parse_args()


def model():
    nx, ny, nz = options.cells
    number = {(i, j, k): 1 + i + (nx + 1) * (j + (ny + 1) * k) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)}
    yield "*NODE, NSET=ALL"
    yield from (f"{label}, {10 * i / nx:.12g}, {2 * j / ny:.12g}, {2 * k / nz:.12g}" for (i, j, k), label in number.items())
    yield f"*ELEMENT, TYPE={options.element}, ELSET=BODY"
    corners = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
    cells = [(i, j, k) for k in range(nz) for j in range(ny) for i in range(nx)]
    for label, (i, j, k) in enumerate(cells, 1):
        yield ", ".join(map(str, [label] + [number[i + a, j + b, k + c] for a, b, c in corners]))
    for name, plane in (("ROOT", 0), ("TIP", nx)):
        yield f"*NSET, NSET={name}"
        yield from (f"{label}," for (i, _, _), label in number.items() if i == plane)
    yield "*MATERIAL, NAME=METAL\n*ELASTIC\n200000., 0.3\n*PLASTIC\n250., 0.\n4250., 2.\n*SOLID SECTION, ELSET=BODY, MATERIAL=METAL"
    yield f"*BOUNDARY\nROOT, 1, 3\n*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n{1 / options.increments:.12g}, 1.\n*BOUNDARY\nTIP, 2, 2, -1."
    yield "*NODE PRINT, NSET=TIP, TOTALS=ONLY\nRF\n*NODE PRINT, NSET=TIP\nU\n*END STEP"


def main(folder):
    found = calculix_common.run(folder, "cantilever", model(), options.threads, component=1)
    with open(os.path.join(folder, "cantilever.dat")) as table:
        forces = re.findall(r"total force.*\n+\s*(\S+)\s+(\S+)\s+(\S+)", table.read())
    print(json.dumps({"seconds": found["seconds"], **calculix_common.usage(), "reaction": abs(float(forces[-1][1])), "newton": found["iterations"]}))


options = parse_arguments()
calculix_common.in_folder(options.keep, main)
