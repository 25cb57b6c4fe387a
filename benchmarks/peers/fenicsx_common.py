"""The beam of decks/verification/implicit-beam.prm in FEniCSx 0.5: mesh, space, material, clamp, kick, tip; and for all bodies factors by MUMPS and modes by SLEPc."""
import json
import time

import numpy as np
import ufl
from dolfinx import fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

comm = MPI.COMM_WORLD
E, nu, rho = 1e7, 0.3, 1000.0
mu, kappa, lame = E / (2 * (1 + nu)), E / (3 * (1 - 2 * nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
dx = ufl.dx(metadata={"quadrature_degree": 2})


def beam(cells):
    """Space of trilinear displacements, and the nodes that are clamped."""
    domain = mesh.create_box(comm, [np.zeros(3), np.array([10.0, 1.0, 1.0])], cells, mesh.CellType.hexahedron)
    V = fem.VectorFunctionSpace(domain, ("CG", 1))
    return V, fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 0))


def neo_hooke(u):
    """P = d psi/dF, psi = mu/2 (J^(-2/3) I1 - 3) + kappa/2 (J - 1)^2."""
    F = ufl.variable(ufl.Identity(3) + ufl.grad(u))
    J = ufl.det(F)
    return ufl.diff(mu / 2 * (J ** (-2 / 3) * ufl.tr(F.T * F) - 3) + kappa / 2 * (J - 1) ** 2, F)


def hooke(u):
    strain = ufl.sym(ufl.grad(u))
    return lame * ufl.tr(strain) * ufl.Identity(3) + 2 * mu * strain


def compiled(form, *more):
    """Its code, compiled for this processor."""
    return fem.form(form, jit_params={"cffi_extra_compile_args": ["-O3", "-march=native", "-fno-math-errno", *more]})


def kick(v):
    v.interpolate(lambda x: np.vstack((0 * x[0], 0.5 * x[0], 0 * x[0])))


def assemble(form, vector):
    with vector.localForm() as local:
        local.set(0)
    petsc.assemble_vector(vector, form)
    vector.ghostUpdate(addv=PETSc.InsertMode.ADD, mode=PETSc.ScatterMode.REVERSE)


def tip(V, values):
    """u_y at the corner (10, 1, 1), on every rank."""
    corner = fem.locate_dofs_geometrical(V, lambda x: np.isclose(x[0], 10) & np.isclose(x[1], 1) & np.isclose(x[2], 1))
    mine = [float(values[3 * node + 1]) for node in corner if node < V.dofmap.index_map.size_local]
    return [value for found in comm.allgather(mine) for value in found][0]


def direct(A):
    """MUMPS' LDL^T of A."""
    A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    ksp = PETSc.KSP().create(A.comm)
    ksp.setOperators(A)
    ksp.setType("preonly")
    ksp.getPC().setType("cholesky")
    ksp.getPC().setFactorSolverType("mumps")
    return ksp


def lowest_modes(K, M, number):
    """SLEPc: Krylov-Schur on K^-1 M. What holds omega^2 and shapes."""
    from slepc4py import SLEPc
    M.setOption(PETSc.Mat.Option.SYMMETRIC, True)
    eps = SLEPc.EPS().create(K.comm)
    eps.setOperators(K, M)
    eps.setProblemType(SLEPc.EPS.ProblemType.GHEP)
    eps.setDimensions(number)
    eps.setTarget(0.0)
    eps.setWhichEigenpairs(SLEPc.EPS.Which.TARGET_MAGNITUDE)
    eps.setTolerances(1e-8)
    transformation = eps.getST()
    transformation.setType("sinvert")
    transformation.setKSP(direct(K))
    eps.solve()
    return eps


def now():
    """Seconds, when all ranks have come here."""
    comm.barrier()
    return time.time()


def report(V, **figures):
    if comm.rank == 0:
        print(json.dumps({"dofs": 3 * V.dofmap.index_map.size_global, **figures}))
