#!/usr/bin/env python3
"""The plate of decks/verification/perf-plate.prm in CalculiX (ccx), S4 or S8R.

calculix_plate.py S4|S8R N STEPS [H] [--threads 1] [--keep FOLDER]
N x N elements; *STEP, NLGEOM with *DYNAMIC, DIRECT, ALPHA=-0.05 and the default *CONTROLS. Prints the seconds of the whole program,
u_z of the corner after STEPS steps and the iterations as JSON.
"""
import argparse
import json

import calculix_common

side, thickness, E, nu, rho, force = 10.0, 0.05, 2e11, 0.3, 8000.0, 1e4


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("element", choices=["S4", "S8R"])
    arguments.add_argument("n", type=int)
    arguments.add_argument("steps", type=int)
    arguments.add_argument("h", type=float, nargs="?", default=0.01)
    calculix_common.add_options(arguments, threads="1")
    return arguments.parse_args()


def model():
    """Nodes on a lattice of half cells; S4 leaves out those with an odd index, S8R those with two."""
    m = 2 * options.n
    second = options.element == "S8R"
    number = {(i, j): 1 + i + (m + 1) * j for j in range(m + 1) for i in range(m + 1) if (i % 2 + j % 2 < 2 if second else i % 2 + j % 2 == 0)}
    yield "*NODE, NSET=ALL"
    yield from (f"{label}, {side * i / m:.12g}, {side * j / m:.12g}, 0" for (i, j), label in number.items())
    yield f"*ELEMENT, TYPE={options.element}, ELSET=PLATE"
    corners, middles = ((0, 0), (2, 0), (2, 2), (0, 2)), ((1, 0), (2, 1), (1, 2), (0, 1))
    cells = [(i, j) for j in range(0, m, 2) for i in range(0, m, 2)]
    for label, (i, j) in enumerate(cells, 1):
        yield ", ".join(map(str, [label] + [number[i + a, j + b] for a, b in corners + (middles if second else ())]))
    yield "*NSET, NSET=HELD"
    yield from (f"{label}," for (i, _), label in number.items() if i == 0)
    yield f"*NSET, NSET=TIP\n{number[m, m]},"
    yield f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{E}, {nu}\n*DENSITY\n{rho}"
    yield f"*SHELL SECTION, ELSET=PLATE, MATERIAL=STEEL\n{thickness}\n*BOUNDARY\nHELD, 1, 6"
    yield f"*STEP, INC={20 * options.steps}, NLGEOM\n*DYNAMIC, DIRECT, ALPHA=-0.05\n{options.h:.12g}, {options.h * options.steps:.12g}"
    yield f"*CLOAD\nTIP, 3, {force}\n*NODE PRINT, NSET=TIP, FREQUENCY={20 * options.steps}\nU\n*END STEP"


def main(folder):
    found = calculix_common.run(folder, "plate", model(), options.threads, component=2)
    print(json.dumps({"seconds": found["seconds"], "tip": found["tip"], "steps": options.steps, "newton": found["iterations"]}))


options = parse_arguments()
calculix_common.in_folder(options.keep, main)
