#!/usr/bin/env python3
"""The beam of decks/verification/implicit-beam.prm in CalculiX (ccx), neo-Hooke, C3D8.

calculix_beam.py implicit|explicit|linear NX NY NZ STEPS [H] [--threads 2] [--keep FOLDER]
implicit: *DYNAMIC, NLGEOM, alpha = 0, residuals to 1e-8 of the mean force; explicit: *DYNAMIC, EXPLICIT, alpha = 0; linear: *DYNAMIC of an elastic body.
Runs STEPS and 2 STEPS steps; the difference of their times is that of STEPS steps, without reading and set-up. Prints seconds per step
and the tip after STEPS steps as JSON.
"""
import argparse
import json

import calculix_common

length, E, nu, rho = 10.0, 1e7, 0.3, 1000.0
mu, kappa = E / (2 * (1 + nu)), E / (3 * (1 - 2 * nu))


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("case", choices=["implicit", "explicit", "linear"])
    arguments.add_argument("cells", type=int, nargs=3)
    arguments.add_argument("steps", type=int)
    arguments.add_argument("h", type=float, nargs="?", default=0.01)
    calculix_common.add_options(arguments, threads="2")
    return arguments.parse_args()


def lattice():
    return [(i, j, k) for k in range(nz + 1) for j in range(ny + 1) for i in range(nx + 1)]


def node(i, j, k):
    return 1 + i + (nx + 1) * (j + (ny + 1) * k)


def model():
    yield "*NODE, NSET=ALL"
    for i, j, k in lattice():
        yield f"{node(i, j, k)}, {length * i / nx:.12g}, {j / ny:.12g}, {k / nz:.12g}"
    yield "*ELEMENT, TYPE=C3D8, ELSET=BEAM"
    for number, (i, j, k) in enumerate((i, j, k) for i, j, k in lattice() if i < nx and j < ny and k < nz):
        corners = [node(i + a, j + b, k + c) for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
        yield ", ".join(map(str, [number + 1] + corners))
    yield "*NSET, NSET=HELD"
    yield from (f"{node(*place)}," for place in lattice() if place[0] == 0)
    yield f"*NSET, NSET=TIP\n{node(nx, ny, nz)},"
    yield "*MATERIAL, NAME=RUBBER"
    yield f"*ELASTIC\n{E}, {nu}" if options.case == "linear" else f"*HYPERELASTIC, NEO HOOKE\n{mu / 2:.12g}, {2 / kappa:.12g}"
    yield f"*DENSITY\n{rho}\n*SOLID SECTION, ELSET=BEAM, MATERIAL=RUBBER\n*BOUNDARY\nHELD, 1, 3"
    yield "*INITIAL CONDITIONS, TYPE=VELOCITY"
    yield from (f"{node(*place)}, 2, {5.0 * place[0] / nx:.12g}" for place in lattice() if place[0] > 0)


def procedure(steps):
    end = options.h * steps
    nonlinear = "" if options.case == "linear" else ", NLGEOM"
    yield f"*STEP, INC={20 * steps}{nonlinear}"
    if options.case == "explicit":  # h as the largest increment: ccx 2.20 refuses DIRECT here, and else takes its own
        yield f"*DYNAMIC, EXPLICIT, ALPHA=0.\n{options.h:.12g}, {end:.12g}, 1e-12, {options.h:.12g}"
    else:
        yield f"*DYNAMIC, DIRECT, ALPHA=0.\n{options.h:.12g}, {end:.12g}"
    if options.case == "implicit":
        yield "*CONTROLS, PARAMETERS=FIELD\n1e-8, 1."
    yield f"*NODE PRINT, NSET=TIP, FREQUENCY={20 * steps}\nU\n*END STEP"


def run(folder, steps):
    return calculix_common.run(folder, f"beam{steps}", [*model(), *procedure(steps)], options.threads, component=1)


def main(folder):
    once, twice = run(folder, options.steps), run(folder, 2 * options.steps)
    print(json.dumps({"seconds per step": (twice["seconds"] - once["seconds"]) / options.steps, "tip": once["tip"], "steps": options.steps,
                      "dofs": 3 * (nx + 1) * (ny + 1) * (nz + 1), "newton": twice["iterations"] - once["iterations"]}))


options = parse_arguments()
nx, ny, nz = options.cells
calculix_common.in_folder(options.keep, main)
