#!/usr/bin/env python3
"""The bracket of benchmarks/bracket.geo in CalculiX (ccx), C3D10: statics, modes, and what is made of modes.

calculix_bracket.py static|modes|sweep|transient MESH.msh [--modes 10] [--steps 5] [--h 2e-5] [--load 1e8] [--threads 1] [--keep FOLDER]

MESH.msh: format 2.2, 10-node tetrahedra. Prints processor seconds of the whole program ("cpu"), the peak memory [MiB], and frequencies [Hz] or u_z of the corner
(0.1, 0.06, 0.008) [m] as JSON.
static: *STATIC, NLGEOM, DIRECT of a neo-Hookean body, STEPS increments, default *CONTROLS. sweep: *STEADY STATE DYNAMICS from 100 Hz to 1000 Hz, STEPS
frequencies, the amplitude at the last. transient: *MODAL DYNAMIC, STEPS steps. Both have damping ratios of 0.02. SPOOLES solves; it is the only solver
of Debian's ccx that factors (PARDISO and PASTIX are not in it, the two iterative ones do not serve *FREQUENCY).
"""
import argparse
import json
import math
import os
import re

import calculix_common
from gmsh_file import read

E, nu, rho = 210e3, 0.3, 7.85e-9  # mm, t, s: with E in Pa ccx 2.20 loses 2/kappa, and the body is too stiff by a fifth
mm = 1e3
mu, kappa = E / (2 * (1 + nu)), E / (3 * (1 - 2 * nu))
corner = (0.1, 0.06, 0.008)
degree_5 = [(1 / 3, 1 / 3, 0.225 / 2)] + [  # points and weights on the triangle (Strang, Fix 1973)
    (a if k != 0 else 1 - 2 * a, a if k != 1 else 1 - 2 * a, w / 2)
    for a, w in ((0.470142064105115, 0.132394152788506), (0.101286507323456, 0.125939180544827)) for k in range(3)]


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("job", choices=["static", "modes", "sweep", "transient"])
    arguments.add_argument("mesh")
    arguments.add_argument("--modes", type=int, default=10)
    arguments.add_argument("--steps", type=int, default=5)
    arguments.add_argument("--h", type=float, default=2e-5, help="[s]")
    arguments.add_argument("--load", type=float, default=1e8, help="traction along z on the bolts [Pa]")
    calculix_common.add_options(arguments, threads="1")
    return arguments.parse_args()


def shapes(x, y):
    """Of a triangle of 6 nodes, with their derivatives along x and y."""
    z = 1 - x - y
    return ((z * (2 * z - 1), x * (2 * x - 1), y * (2 * y - 1), 4 * x * z, 4 * x * y, 4 * y * z),
            (1 - 4 * z, 4 * x - 1, 0, 4 * (z - x), 4 * y, -4 * y), (1 - 4 * z, 0, 4 * y - 1, -4 * x, 4 * x, 4 * (z - y)))


def nodal_loads():
    """Forces along z of a traction of 1 on the bolts."""
    forces = {}
    for face in faces["bolts"]:
        for x, y, weight in degree_5:
            values, along_x, along_y = shapes(x, y)
            a, b = ([sum(d * points[node][i] for d, node in zip(along, face)) for i in range(3)] for along in (along_x, along_y))
            area = math.dist((0, 0, 0), (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))
            for value, node in zip(values, face):
                forces[node] = forces.get(node, 0.0) + weight * area * value
    return forces


def model():
    yield "*NODE, NSET=ALL"
    yield from (f"{number}, {mm * x:.16g}, {mm * y:.16g}, {mm * z:.16g}" for number, (x, y, z) in enumerate(points, 1))
    yield "*ELEMENT, TYPE=C3D10, ELSET=BODY"
    for number, cell in enumerate(cells, 1):  # the last two nodes of Gmsh's are exchanged
        yield ", ".join(str(word) for word in [number, *(cell[k] + 1 for k in (0, 1, 2, 3, 4, 5, 6, 7, 9, 8))])
    yield "*NSET, NSET=CLAMPED"
    yield from (f"{node + 1}," for node in sorted({node for face in faces["clamped"] for node in face}))
    yield f"*NSET, NSET=TIP\n{1 + min(range(len(points)), key=lambda node: math.dist(points[node], corner))},"
    yield "*MATERIAL, NAME=STEEL"
    yield f"*HYPERELASTIC, NEO HOOKE\n{mu / 2:.12g}, {2 / kappa:.12g}" if options.job == "static" else f"*ELASTIC\n{E}, {nu}"
    yield f"*DENSITY\n{rho}\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\nCLAMPED, 1, 3"


def loads():
    yield "*CLOAD"
    yield from (f"{node + 1}, 3, {options.load * force:.16g}" for node, force in nodal_loads().items())
    yield f"*NODE PRINT, NSET=TIP\nU\n*END STEP"


def procedure():
    if options.job == "static":
        yield f"*STEP, NLGEOM, INC=1000\n*STATIC, DIRECT\n{1 / options.steps:.12g}, 1."
        return (yield from loads())
    yield f"*STEP\n*FREQUENCY{'' if options.job == 'modes' else ', STORAGE=YES'}\n{options.modes},\n*END STEP"
    if options.job == "sweep":
        yield f"*STEP\n*STEADY STATE DYNAMICS\n100., 1000., {options.steps}, 1."
    elif options.job == "transient":
        yield f"*STEP, INC={2 * options.steps}\n*MODAL DYNAMIC\n{options.h:.12g}, {options.h * options.steps:.12g}"
    if options.job != "modes":
        yield f"*MODAL DAMPING\n1, {options.modes}, 0.02"
        yield from loads()


def frequencies(table):
    """Of the first table of a .dat file."""
    rows = re.findall(r"^ +\d+((?: +[-+.\dE]+){4}) *$", table, re.M)
    return [float(row.split()[2]) for row in rows[: options.modes]]


def main(folder):
    job = os.path.join(folder, "bracket")
    with open(job + ".inp", "w") as deck:
        deck.write("\n".join([*model(), *procedure()]) + "\n")
    _, said = calculix_common.call(job, options.threads)
    with open(job + ".dat") as file:
        table = file.read()
    rows = [float(row.split()[-1]) for row in re.findall(r"^ +\d+((?: +[-+.\dE]+){3}) *$", table, re.M)]  # U
    found = {} if options.job == "modes" else {"tip": (math.hypot(*rows[-2:]) if options.job == "sweep" else rows[-1]) / mm}
    if options.job != "static":
        found["frequencies"] = frequencies(table)
    print(json.dumps({"dofs": 3 * len(points), "iterations": calculix_common.iterations(said), **calculix_common.usage(), **found}))


options = parse_arguments()
points, cells, faces = read(options.mesh)
calculix_common.in_folder(options.keep, main)
