#!/usr/bin/env python3
"""Frequency response of the plate of benchmarks/plate.prm in FEniCSx 0.5: modes by SLEPc with MUMPS, and their sum at each frequency.

fenicsx_response.py NX NY NZ MODES POINTS LOWEST HIGHEST
Q2, damping ratios of 0.02, no static correction; frequencies [Hz] at equal distances. Prints processor seconds without imports, mesh and compilation, the peak
memory [MiB], the natural frequencies and the receptance |u_z/f_z| of the shaken corner at each frequency as JSON.
"""
import json
import resource
import sys
import time

import numpy as np
import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc

from fenicsx_common import comm, compiled, lowest_modes

cells, number, points = [int(word) for word in sys.argv[1:4]], int(sys.argv[4]), int(sys.argv[5])
lowest, highest = map(float, sys.argv[6:8])
E, nu, rho, zeta = 210e9, 0.3, 7850.0, 0.02
mu, lame = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
size = np.array([0.4, 0.12, 0.02])
domain = mesh.create_box(comm, [np.zeros(3), size], cells, mesh.CellType.hexahedron)
V = fem.VectorFunctionSpace(domain, ("CG", 2))
u, w = ufl.TrialFunction(V), ufl.TestFunction(V)
strain = lambda x: ufl.sym(ufl.grad(x))
stress = lame * ufl.tr(strain(u)) * ufl.Identity(3) + 2 * mu * strain(u)
dx = ufl.dx(metadata={"quadrature_degree": 4})
forms = compiled(ufl.inner(stress, strain(w)) * dx), compiled(rho * ufl.dot(u, w) * dx)
clamp = fem.dirichletbc(np.zeros(3), fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 0)), V)
shaken = 3 * fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], size[0]) & np.isclose(x[1], 0) & np.isclose(x[2], size[2]))[0] + 2
start = time.process_time()
K, M = (petsc.assemble_matrix(form, [clamp], diagonal=diagonal) for form, diagonal in zip(forms, (1.0, 0.0)))
for A in (K, M):
    A.assemble()
eps, shape = lowest_modes(K, M, number), K.createVecRight()
squares, values = np.empty(number), np.empty(number)
for i in range(number):
    squares[i] = eps.getEigenpair(i, shape).real  # of unit mass
    values[i] = shape.array[shaken]
omega = 2 * np.pi * np.linspace(lowest, highest, points)[:, None]
receptance = (values**2 / (squares - omega**2 + 2j * zeta * np.sqrt(squares) * omega)).sum(axis=1)
print(json.dumps({"cpu": time.process_time() - start, "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "dofs": K.getSize()[0],
                  "frequencies": list(np.sqrt(squares) / (2 * np.pi)), "receptance": list(abs(receptance))}))
