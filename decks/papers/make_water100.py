#!/usr/bin/env python3
"""Makes water100_init.txt, the start of to-water-100.prm, with the program itself.

decks/papers/make_water100.py [--binary build/release/symdyn] [--seed 1] [--output decks/papers/water100_init.txt]

1. A lattice of 5 x 5 x 4 molecules, 3.1 A apart (liquid water), each turned at random.
2. A heat bath at kT = 0.02 kcal/mol (10 K) around zhang-skeel-stiff, bonds held by penalties: first strong friction and short steps, for the
   lattice is far from equilibrium, then gamma = 1 and h = 0.05.
3. Onto the constraints, with velocities along them (Constraints/Project), and without linear momentum: one velocity less for all, which changes no
   bond.
Another machine or compiler gives another drop of the same kind: rounding grows. The file is kept, not made again.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import tempfile

here = os.path.dirname(os.path.abspath(__file__))
deck = os.path.join(here, "to-water-100.prm")
shape, spacing = (5, 5, 4), 3.1  # A
mass = {"HA": 1.008, "O": 15.9994, "HB": 1.008}
bond, angle = 0.9572, math.radians(104.52)
bath = ["Integrator/Scheme=langevin", "Integrator/langevin/kT=0.02"]
phases = [["Integrator/langevin/gamma=20", "Time/Time step=0.01", "Time/End time=10"],
          ["Integrator/langevin/gamma=5", "Time/Time step=0.05", "Time/End time=100"],
          ["Integrator/langevin/gamma=1", "Time/Time step=0.05", "Time/End time=400"]]
projection = ["Integrator/Scheme=shake", "Constraints/Treatment=exact", "Constraints/Project=yes", "Time/End time=0.05"]
header = ("# {} TIP3P waters, rows H O H per molecule: x y z vx vy vz; Angstrom, amu, kcal/mol, time sqrt(amu A^2 mol/kcal) = 48.888 fs;\n"
          "# on the constraints with velocities along them, kT = 0.02, no linear momentum; by make_water100.py --seed {}\n")


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default=os.path.join(here, "../../build/release/symdyn"))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--output", default=os.path.join(here, "water100_init.txt"))
    return arguments.parse_args()


def random_rotation(generator):
    """Columns of the matrix of a random unit quaternion."""
    a, b, c, d = (generator.gauss(0, 1) for _ in range(4))
    n = math.sqrt(a * a + b * b + c * c + d * d)
    a, b, c, d = a / n, b / n, c / n, d / n
    return ((a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c)),
            (2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b)))


def lattice(seed):
    """Rows of x and v: H O H of each molecule, at rest."""
    generator = random.Random(seed)
    rows = []
    for n in range(math.prod(shape)):
        i, j, k = n % shape[0], n // shape[0] % shape[1], n // (shape[0] * shape[1])
        place = [spacing * (index - (count - 1) / 2) for index, count in zip((i, j, k), shape)]
        along, across = random_rotation(generator)
        for side in (1, 0, -1):
            x, y = (bond * math.cos(angle / 2), side * bond * math.sin(angle / 2)) if side else (0., 0.)
            rows.append([place[d] + x * along[d] + y * across[d] for d in range(3)] + [0., 0., 0.])
    return rows


def write(rows, file, seed):
    with open(file, "w") as out:
        out.write(header.format(len(rows) // 3, seed))
        out.writelines(" ".join(f"{value:.17g}" for value in row) + "\n" for row in rows)


def run(binary, start, settings, row, folder):
    """The points in the first (0) or last (-1) row of history.csv of a run from the file `start`."""
    entries = settings + ["Points/Report=HA,O,HB", "Output/Write every=never", "Output/History every=1000000"]
    entries += [f"Points/{name}/File={start}" for name in mass]
    command = [binary, "run", deck, "--quiet", "--overwrite", "--output", folder + "/results"]
    for entry in entries:
        command += ["--set", entry]
    subprocess.run(command, check=True)
    with open(folder + "/results/history.csv") as file:
        lines = file.read().split("\n")[:-1]
    values = dict(zip([name.split(" [")[0] for name in lines[0].split(",")], (lines[1:])[row].split(",")))
    return [[float(values[f"{name}{n}.{what}"]) for what in ("x", "y", "z", "v_x", "v_y", "v_z")]
            for n in range(math.prod(shape)) for name in mass]


def without_momentum(rows):
    masses = list(mass.values()) * math.prod(shape)
    drift = [sum(m * row[3 + d] for m, row in zip(masses, rows)) / sum(masses) for d in range(3)]
    return [row[:3] + [row[3 + d] - drift[d] for d in range(3)] for row in rows]


def main():
    options = parse_arguments()
    binary = os.path.abspath(options.binary)
    with tempfile.TemporaryDirectory() as folder:
        start, rows = folder + "/start.txt", lattice(options.seed)
        for number, phase in enumerate(phases):
            write(rows, start, options.seed)
            rows = run(binary, start, bath + phase + [f"Integrator/langevin/seed={options.seed + number}"], -1, folder)
        write(rows, start, options.seed)
        rows = without_momentum(run(binary, start, projection, 0, folder))
    write(rows, options.output, options.seed)


if __name__ == "__main__":
    sys.exit(main())
