#!/usr/bin/env python3
"""The cantilever of decks/verification/j2-cantilever.prm in FEniCSx 0.5, small strains: von Mises with linear hardening at quadrature points, the
return map by numba, trilinear cells.

python3 fenicsx_cantilever.py NX NY NZ INCREMENTS
Newton stops at |r| <= 1e-7 of the increment's first residual, and begins with the step of the increment before, the first with an elastic one. Prints processor seconds (those of
numba and of the compiler apart), the reaction and the iterations as JSON. Small strains are less work than the large ones of symdyn's run.
"""
import json
import sys
import time

import basix
import numba
import numpy as np
import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

cells, increments = list(map(int, sys.argv[1:4])), int(sys.argv[4])
E, nu, yield_stress, H = 200000.0, 0.3, 250.0, 2000.0
mu, kappa = E / (2 * (1 + nu)), E / (3 * (1 - 2 * nu))
degree = 2
dx = ufl.dx(metadata={"quadrature_degree": degree, "quadrature_scheme": "default"})


@numba.njit(cache=True)
def flow(strain, plastic, p, stress, moduli, new_plastic, new_p):
    """Components 11, 22, 33, 12, 13, 23; shear strains gamma = 2 eps."""
    for n in range(strain.shape[0]):
        e = strain[n] - plastic[n]
        trace = e[0] + e[1] + e[2]
        s = np.empty(6)
        for i in range(6):
            s[i] = 2 * mu * (e[i] - trace / 3) if i < 3 else mu * e[i]
        q = np.sqrt(1.5 * (s[0] ** 2 + s[1] ** 2 + s[2] ** 2 + 2 * (s[3] ** 2 + s[4] ** 2 + s[5] ** 2)))
        f, dp, keep, soft = q - yield_stress - H * p[n], 0.0, 1.0, 0.0
        if f > 0:
            dp = f / (3 * mu + H)
            keep = 1 - 3 * mu * dp / q
            soft = 3 * mu / (3 * mu + H) - 3 * mu * dp / q
        new_p[n] = p[n] + dp
        for i in range(6):
            new_plastic[n, i] = plastic[n, i] + (1.5 * dp * s[i] / q * (1 if i < 3 else 2) if dp > 0 else 0.0)
            for j in range(6):
                unit = (1.0 if i < 3 else 0.5) if i == j else 0.0
                direct = 1.0 if i < 3 and j < 3 else 0.0
                moduli[n, 6 * i + j] = kappa * direct + 2 * mu * keep * (unit - direct / 3)
                if dp > 0:
                    moduli[n, 6 * i + j] -= 2 * mu * soft * 1.5 * s[i] * s[j] / q**2
            stress[n, i] = keep * s[i] + (kappa * trace if i < 3 else 0.0)


def voigt(u):
    e = ufl.sym(ufl.grad(u))
    return ufl.as_vector([e[0, 0], e[1, 1], e[2, 2], 2 * e[0, 1], 2 * e[0, 2], 2 * e[1, 2]])


domain = mesh.create_box(MPI.COMM_WORLD, [np.zeros(3), np.array([10.0, 2.0, 2.0])], cells, mesh.CellType.hexahedron)
V = fem.VectorFunctionSpace(domain, ("CG", 1))
of_points = [fem.FunctionSpace(domain, ufl.VectorElement("Quadrature", domain.ufl_cell(), degree, size, quad_scheme="default")) for size in (6, 36)]
sigma, D = (fem.Function(space) for space in of_points)
u, v, w = fem.Function(V), ufl.TestFunction(V), ufl.TrialFunction(V)
options = {"cffi_extra_compile_args": ["-O3", "-march=native"]}
residual = fem.form(ufl.inner(sigma, voigt(v)) * dx, jit_params=options)
tangent = fem.form(ufl.inner(ufl.dot(ufl.as_matrix([[D[6 * i + j] for j in range(6)] for i in range(6)]), voigt(w)), voigt(v)) * dx, jit_params=options)
points, _ = basix.make_quadrature(basix.CellType.hexahedron, degree)
strain_of = fem.Expression(voigt(u), points, jit_params=options)
root = fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 0))
tip = fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 10))
held = np.sort(np.concatenate([3 * root, 3 * root + 1, 3 * root + 2, 3 * tip + 1])).astype(np.int32)
moved = 3 * tip + 1
bcs = [fem.dirichletbc(np.zeros(3), root, V), fem.dirichletbc(PETSc.ScalarType(0), fem.locate_dofs_topological(
    (V.sub(1)), 2, mesh.locate_entities_boundary(domain, 2, lambda x: np.isclose(x[0], 10))), V.sub(1))]
A, r = petsc.create_matrix(tangent), petsc.create_vector(residual)
all_cells = np.arange(domain.topology.index_map(3).size_local, dtype=np.int32)
count = len(all_cells) * len(points)
plastic, p = np.zeros((count, 6)), np.zeros(count)
trial_plastic, trial_p = plastic.copy(), p.copy()
stress, moduli = np.zeros((count, 6)), np.zeros((count, 36))
places = [space.dofmap.list.array for space in of_points]  # of the points, cell by cell
ksp = PETSc.KSP().create(PETSc.COMM_WORLD)
ksp.setOperators(A)
A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
ksp.setType("preonly")
ksp.getPC().setType("cholesky")
ksp.getPC().setFactorSolverType("mumps")

flow(np.zeros((1, 6)), np.zeros((1, 6)), np.zeros(1), np.zeros((1, 6)), np.zeros((1, 36)), np.zeros((1, 6)), np.zeros(1))  # compiled apart


def stresses():
    strain = strain_of.eval(all_cells).reshape(-1, 6)
    flow(strain, plastic, p, stress, moduli, trial_plastic, trial_p)
    sigma.x.array.reshape(-1, 6)[places[0]] = stress
    D.x.array.reshape(-1, 36)[places[1]] = moduli


def force():
    with r.localForm() as local:
        local.set(0)
    petsc.assemble_vector(r, residual)
    return r.array.copy()


def elastic_start():
    """What an elastic body does under the first increment: with the tangents of flow beside the moved face Newton's method fails."""
    jump, Kjump, du = r.duplicate(), r.duplicate(), r.duplicate()
    jump.array[:] = 0
    jump.array[moved] = -1 / increments
    stresses()
    for conditions in ([], bcs):
        A.zeroEntries()
        petsc.assemble_matrix(A, tangent, conditions)
        A.assemble()
        if not conditions:
            A.mult(jump, Kjump)
    Kjump.array[held] = 0
    ksp.solve(Kjump, du)
    return jump.array - du.array


begin, iterations, last = time.process_time(), 0, np.zeros_like(u.x.array)
for k in range(1, increments + 1):
    old = u.x.array.copy()
    if k > 1:
        u.x.array[:] += last
    else:
        u.x.array[:] = elastic_start()
    u.x.array[moved] = -k / increments
    first = None
    for n in range(30):
        stresses()
        f = force()
        reaction = f[moved].sum()
        f[held] = 0
        norm = np.linalg.norm(f)
        first = first or norm
        if n > 0 and norm <= 1e-7 * first:
            break
        A.zeroEntries()
        petsc.assemble_matrix(A, tangent, bcs)
        A.assemble()
        r.array[:] = f
        du = r.duplicate()
        ksp.solve(r, du)
        u.x.array[:] -= du.array
        iterations += 1
    last = u.x.array - old
    plastic, p = trial_plastic.copy(), trial_p.copy()
print(json.dumps({"cpu": time.process_time() - begin, "reaction": abs(reaction), "newton": iterations, "p_max": p.max()}))
