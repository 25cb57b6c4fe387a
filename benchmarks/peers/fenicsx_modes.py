#!/usr/bin/env python3
"""Modes of benchmarks/bracket.geo in FEniCSx 0.5 with SLEPc: Krylov-Schur on (K - 0 M)^-1 M, factored by MUMPS as LDL^T.
usage: fenicsx_modes.py MESH.msh (format 2.2) [modes]; prints processor seconds and frequencies as JSON."""
import json
import sys
import time

import numpy as np
import ufl
from dolfinx import cpp, fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc
from slepc4py import SLEPc

E, nu, rho = 210e9, 0.3, 7850.0
mu, lame = E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
bolts, radius = ((0.02, 0.05), (0.08, 0.05)), 0.007  # the clamped holes, in x and z
now = time.process_time


def read(file):
    """Coordinates and 10-node tetrahedra of a Gmsh file of format 2.2."""
    lines = iter(open(file).read().split("\n"))
    for line in lines:
        if line == "$Nodes":
            break
    points = np.array([[float(word) for word in next(lines).split()[1:]] for _ in range(int(next(lines)))])
    for line in lines:
        if line == "$Elements":
            break
    rows = [[int(word) for word in next(lines).split()] for _ in range(int(next(lines)))]
    cells = np.array([row[3 + row[2]:] for row in rows if row[1] == 11]) - 1
    used, numbers = np.unique(cells, return_inverse=True)
    return points[used], numbers.reshape(cells.shape)


def clamped(x):
    near = [np.abs(np.hypot(x[0] - bolt[0], x[2] - bolt[1]) - radius) < 2e-5 for bolt in bolts]
    return (near[0] | near[1]) & (x[1] < 0.0081)


def compiled(form):
    return fem.form(form, jit_params={"cffi_extra_compile_args": ["-O3", "-march=native"]})


def main(file, number=10):
    points, cells = read(file)
    order = cpp.io.perm_gmsh(mesh.CellType.tetrahedron, 10)
    domain = mesh.create_mesh(MPI.COMM_SELF, cells[:, order], points, ufl.Mesh(ufl.VectorElement("Lagrange", "tetrahedron", 2)))
    V = fem.VectorFunctionSpace(domain, ("CG", 2))
    u, w = ufl.TrialFunction(V), ufl.TestFunction(V)
    strain = lambda x: ufl.sym(ufl.grad(x))
    stress = lame * ufl.tr(strain(u)) * ufl.Identity(3) + 2 * mu * strain(u)
    stiffness = compiled(ufl.inner(stress, strain(w)) * ufl.dx(metadata={"quadrature_degree": 2}))
    inertia = compiled(rho * ufl.dot(u, w) * ufl.dx(metadata={"quadrature_degree": 4}))
    bc = fem.dirichletbc(np.zeros(3), fem.locate_dofs_geometrical(V, clamped), V)
    start = now()
    K, M = petsc.assemble_matrix(stiffness, [bc]), petsc.assemble_matrix(inertia, [bc], diagonal=0.0)
    for A in (K, M):
        A.assemble()
        A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    eps = SLEPc.EPS().create(MPI.COMM_SELF)
    eps.setOperators(K, M)
    eps.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    eps.setDimensions(int(number))
    eps.setTarget(0.0)
    eps.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
    eps.setTolerances(1e-8)
    transformation = eps.getST()
    transformation.setType("sinvert")
    solver = transformation.getKSP()
    solver.setType("preonly")
    solver.getPC().setType("cholesky")
    solver.getPC().setFactorSolverType("mumps")
    eps.solve()
    done = now()
    squares = [eps.getEigenvalue(i).real for i in range(int(number))]
    print(json.dumps({"unknowns": K.getSize()[0], "seconds": done - start, "all": done, "frequencies": [square**0.5 / (2 * np.pi) for square in squares]}))


main(*sys.argv[1:])
