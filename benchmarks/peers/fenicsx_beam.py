#!/usr/bin/env python3
"""The beam of decks/verification/implicit-beam.prm in FEniCSx 0.5, neo-Hooke, trapezoidal Newmark.

mpirun -n N python3 fenicsx_beam.py NX NY NZ jacobi|gamg|mumps STEPS
Newton stops at |r| <= 1e-8 of the step's first residual; Krylov at 1e-3 (jacobi), 1e-8 (gamg). Prints seconds per step and the tip.
"""
import sys
import time

import numpy as np
import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

comm = MPI.COMM_WORLD
cells, solver, steps = list(map(int, sys.argv[1:4])), sys.argv[4], int(sys.argv[5])
h, beta, gamma = 0.01, 0.25, 0.5
E, nu, rho = 1e7, 0.3, 1000.0
mu, kappa = E / (2 * (1 + nu)), E / (3 * (1 - 2 * nu))

domain = mesh.create_box(comm, [np.zeros(3), np.array([10.0, 1.0, 1.0])], cells, mesh.CellType.hexahedron)
V = fem.VectorFunctionSpace(domain, ("CG", 1))
u, predicted, v, a = (fem.Function(V) for _ in range(4))
F = ufl.variable(ufl.Identity(3) + ufl.grad(u))
J = ufl.det(F)
P = ufl.diff(mu / 2 * (J ** (-2 / 3) * ufl.tr(F.T * F) - 3) + kappa / 2 * (J - 1) ** 2, F)
dx, w = ufl.dx(metadata={"quadrature_degree": 2}), ufl.TestFunction(V)
residual = rho / (beta * h * h) * ufl.dot(u - predicted, w) * dx + ufl.inner(P, ufl.grad(w)) * dx
flags = {"jit_params": {"cffi_extra_compile_args": ["-O3", "-march=native", "-fno-math-errno"]}}
r_form, A_form = fem.form(residual, **flags), fem.form(ufl.derivative(residual, u, ufl.TrialFunction(V)), **flags)
clamp = fem.dirichletbc(np.zeros(3), fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 0)), V)
v.interpolate(lambda x: np.vstack((0 * x[0], 0.5 * x[0], 0 * x[0])))

A, r = petsc.create_matrix(A_form), petsc.create_vector(r_form)
d = r.duplicate()
ksp = PETSc.KSP().create(comm)
ksp.setOperators(A)
if solver == "mumps":
    A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    ksp.setType("preonly")
    ksp.getPC().setType("cholesky")
    ksp.getPC().setFactorSolverType("mumps")
else:
    ksp.setType("cg")
    ksp.setTolerances(rtol=1e-3 if solver == "jacobi" else 1e-8)
    ksp.getPC().setType(solver)
    A.setBlockSize(3)
    X = V.tabulate_dof_coordinates()[: V.dofmap.index_map.size_local]
    modes = []
    for m in range(6):
        q = np.zeros_like(X)
        if m < 3:
            q[:, m] = 1
        else:
            i, j = [(0, 1), (1, 2), (2, 0)][m - 3]
            q[:, i], q[:, j] = -X[:, j], X[:, i]
        mode = r.duplicate()
        mode.setArray(q.ravel())
        for other in modes:
            mode.axpy(-other.dot(mode), other)
        mode.normalize()
        modes.append(mode)
    A.setNearNullSpace(PETSc.NullSpace().create(vectors=modes, comm=comm))

tip = [t for t in fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 10) & np.isclose(x[1], 1) & np.isclose(x[2], 1))
       if t < V.dofmap.index_map.size_local]
comm.barrier()
start, newton, krylov = time.time(), 0, 0
for _ in range(steps):
    predicted.x.array[:] = u.x.array + h * v.x.array + h * h * (0.5 - beta) * a.x.array
    u.x.array[:] = predicted.x.array
    first = None
    while True:
        with r.localForm() as local:
            local.set(0)
        petsc.assemble_vector(r, r_form)
        r.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)
        petsc.set_bc(r, [clamp], u.vector, -1.0)
        norm = r.norm()
        first = first or norm
        if norm <= 1e-8 * first:
            break
        A.zeroEntries()
        petsc.assemble_matrix(A, A_form, [clamp])
        A.assemble()
        ksp.setOperators(A)
        ksp.solve(r, d)
        krylov += ksp.getIterationNumber()
        u.vector.axpy(-1.0, d)
        u.x.scatter_forward()
        newton += 1
    new = (u.x.array - predicted.x.array) / (beta * h * h)
    v.x.array[:] += h * ((1 - gamma) * a.x.array + gamma * new)
    a.x.array[:] = new
comm.barrier()
seconds = (time.time() - start) / steps
found = [t for t in comm.allgather(u.x.array[3 * tip[0] + 1] if tip else None) if t is not None]
if comm.rank == 0:
    print(f"{seconds:.6g} {found[0]:.12g} {newton} {krylov}")
