#!/usr/bin/env python3
"""The bracket of benchmarks/bracket.geo in FEniCSx 0.5: modes, statics and steps, one process.

fenicsx_bracket.py modes|static|implicit|linear MESH.msh [--modes 10] [--steps 20] [--h 2e-5] [--load 1e8] [--solver mumps|kept|gamg|hypre]

MESH.msh: format 2.2, 10-node tetrahedra. Prints processor seconds without imports, mesh and compilation of the forms ("seconds"), the peak memory [MiB],
and frequencies [Hz] or the displacement u_z of the corner (0.1, 0.06, 0.008) [m] as JSON.

modes: SLEPc, Krylov-Schur on K^-1 M, MUMPS as LDL^T. linear: average acceleration, MUMPS factored once.
static, implicit (average acceleration): neo-Hooke mu/2 (J^(-2/3) I1 - 3) + kappa/2 (J - 1)^2 by Newton's method to 1e-8 of the first residual. Tried, with
seconds of the static job with 82 455 unknowns: kept, CG with factors of an earlier tangent, made again where a solve takes more than 12 iterations, the
fastest, 21; gamg with rigid motions, Chebyshev and Jacobi, 69; hypre, BoomerAMG with nodal coarsening, not done after 145; mumps, factors of each tangent.
Krylov tolerances of kept: 1e-2 23, 1e-3 21, 1e-5 26.
"""
import argparse
import json
import resource
import time

import numpy as np
import ufl
from dolfinx import cpp, fem, mesh
from dolfinx.fem import petsc
from mpi4py import MPI
from petsc4py import PETSc

from fenicsx_common import direct, lowest_modes
from gmsh_file import read

E, nu, rho = 210e9, 0.3, 7850.0
mu, kappa, lame = E / (2 * (1 + nu)), E / (3 * (1 - 2 * nu)), E * nu / ((1 + nu) * (1 - 2 * nu))
holes = {"clamped": (((0.02, 0.05), (0.08, 0.05)), (0, 2), 0.007), "bolts": (((0.02, 0.035), (0.08, 0.035)), (0, 1), 0.006)}  # middles, axes, radius
corner = (0.1, 0.06, 0.008)
beta, gamma = 0.25, 0.5
eight_points = ((3.281633025163817e-01, 1.362178425370874e-01), (1.080472498984286e-01, 1.137821574629126e-01))  # Witherden, Vincent 2015, as symdyn
now = time.process_time


def parse_arguments():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("job", choices=["modes", "static", "implicit", "linear"])
    arguments.add_argument("mesh")
    arguments.add_argument("--modes", type=int, default=10)
    arguments.add_argument("--steps", type=int, default=20, help="or increments")
    arguments.add_argument("--h", type=float, default=2e-5, help="[s]")
    arguments.add_argument("--load", type=float, default=1e8, help="traction along z on the bolts [Pa]")
    arguments.add_argument("--solver", choices=["mumps", "kept", "gamg", "hypre"], default="kept")
    arguments.add_argument("--tolerance", type=float, default=1e-3, help="of CG")
    return arguments.parse_args()


def on(boundary):
    """Whether points are on the holes of a boundary."""
    middles, (a, b), radius = holes[boundary]
    near = lambda x: [np.abs(np.hypot(x[a] - middle[0], x[b] - middle[1]) - radius) < 2e-5 for middle in middles]
    return lambda x: np.logical_or(*near(x)) & (x[1 if boundary == "clamped" else 2] < 0.0081)


def stiffness_points():
    """Four permutations of (a, a, a, 1 - 3 a) with a weight each, exact for degree 3."""
    places = [(a, k, weight / 6) for a, weight in eight_points for k in range(4)]
    points = tuple(tuple(1 - 3 * a if k == axis else a for axis in range(3)) for a, k, _ in places)
    return {"quadrature_rule": "custom", "quadrature_degree": 3, "quadrature_points": points, "quadrature_weights": tuple(w for *_, w in places)}


def compiled(form):
    return fem.form(form, jit_params={"cffi_extra_compile_args": ["-O3", "-march=native", "-fno-math-errno"]})


def hooke(u):
    strain = ufl.sym(ufl.grad(u))
    return lame * ufl.tr(strain) * ufl.Identity(3) + 2 * mu * strain


def neo_hooke(u):
    F = ufl.variable(ufl.Identity(3) + ufl.grad(u))
    J = ufl.det(F)
    return ufl.diff(mu / 2 * (J ** (-2 / 3) * ufl.tr(F.T * F) - 3) + kappa / 2 * (J - 1) ** 2, F)


class Body:
    def __init__(self, file):
        points, cells, _ = read(file)
        order = cpp.io.perm_gmsh(mesh.CellType.tetrahedron, 10)
        element = ufl.Mesh(ufl.VectorElement("Lagrange", "tetrahedron", 2))
        self.domain = mesh.create_mesh(MPI.COMM_SELF, np.array(cells)[:, order], np.array(points), element)
        self.V = fem.VectorFunctionSpace(self.domain, ("CG", 2))
        self.bcs = [fem.dirichletbc(np.zeros(3), fem.locate_dofs_geometrical(self.V, on("clamped")), self.V)]
        self.u, self.w = ufl.TrialFunction(self.V), ufl.TestFunction(self.V)
        self.dx, self.dx_mass = (ufl.Measure("dx", self.domain, metadata=data) for data in (stiffness_points(), {"quadrature_degree": 5}))
        self.strain = lambda x: ufl.sym(ufl.grad(x))
        self.tip = 3 * fem.locate_dofs_geometrical(self.V, lambda x: np.linalg.norm(x.T - corner, axis=1) < 1e-9)[0] + 2
        facets = mesh.locate_entities_boundary(self.domain, 2, on("bolts"))
        tags = mesh.meshtags(self.domain, 2, np.sort(facets), np.ones(len(facets), dtype=np.int32))
        self.ds = ufl.Measure("ds", self.domain, subdomain_data=tags, metadata={"quadrature_degree": 4})(1)
        self.stiffness = ufl.inner(hooke(self.u), self.strain(self.w)) * self.dx
        self.mass = rho * ufl.dot(self.u, self.w) * self.dx_mass

    def load(self):
        """Of a traction of 1 along z; none on what is held."""
        f = petsc.assemble_vector(compiled(ufl.dot(ufl.as_vector((0, 0, 1.0)), self.w) * self.ds))
        fem.set_bc(f, self.bcs)
        return f

    def matrix(self, form, diagonal=1.0):
        A = petsc.assemble_matrix(form, self.bcs, diagonal=diagonal)
        A.assemble()
        return A

    def rigid_motions(self, like):
        """Orthonormal, for GAMG."""
        x, motions = self.V.tabulate_dof_coordinates(), []
        for axis in range(6):
            q = np.zeros_like(x)
            if axis < 3:
                q[:, axis] = 1
            else:
                a, b = [(1, 2), (2, 0), (0, 1)][axis - 3]
                q[:, a], q[:, b] = -x[:, b], x[:, a]
            motion = like.duplicate()
            motion.array[:] = q.ravel()
            for other in motions:
                motion.axpy(-motion.dot(other), other)
            motion.normalize()
            motions.append(motion)
        return PETSc.NullSpace().create(vectors=motions, comm=PETSc.COMM_SELF)


class TangentSolver:
    def __init__(self, body, A):
        self.A, self.solves, self.iterations, self.setups, self.last = A, 0, 0, 0, None
        if options.solver == "mumps":
            self.ksp = direct(A)
            return
        A.setBlockSize(3)
        A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
        A.setNearNullSpace(body.rigid_motions(A.createVecRight()))
        self.ksp = PETSc.KSP().create(PETSc.COMM_SELF)
        self.ksp.setType("cg")
        self.ksp.setTolerances(rtol=options.tolerance)
        more, pc = PETSc.Options(), self.ksp.getPC()
        if options.solver == "kept":
            pc.setType("cholesky")
            pc.setFactorSolverType("mumps")
        else:
            pc.setType(options.solver)
            chosen = {"gamg": {"mg_levels_ksp_type": "chebyshev", "mg_levels_pc_type": "jacobi", "pc_gamg_threshold": 0.01},
                      "hypre": {"pc_hypre_boomeramg_nodal_coarsen": 4, "pc_hypre_boomeramg_vec_interp_variant": 2, "pc_hypre_boomeramg_strong_threshold": 0.5}}
            for name, value in chosen[options.solver].items():
                more[name] = value
        self.ksp.setFromOptions()
        self.ksp.setOperators(A)

    def __call__(self, b, x):
        keep = options.solver == "kept" and self.last is not None and self.last <= 12
        self.ksp.getPC().setReusePreconditioner(keep)
        self.ksp.setOperators(self.A)
        self.setups += not keep
        self.ksp.solve(b, x)
        self.last = self.ksp.getIterationNumber() if keep else 0
        self.solves, self.iterations = self.solves + 1, self.iterations + self.ksp.getIterationNumber()


def modes(body):
    forms = compiled(body.stiffness), compiled(body.mass)
    start = now()
    K, M = body.matrix(forms[0]), body.matrix(forms[1], 0.0)
    eps = lowest_modes(K, M, options.modes)
    seconds = now() - start
    return {"seconds": seconds, "frequencies": [eps.getEigenvalue(i).real ** 0.5 / (2 * np.pi) for i in range(options.modes)]}


def linear(body):
    forms, f = (compiled(body.stiffness), compiled(body.mass)), options.load * body.load()
    start = now()
    K, M = body.matrix(forms[0], 0.0), body.matrix(forms[1])
    h = options.h
    A = M.copy()
    A.axpy(beta * h * h, K, structure=PETSc.Mat.Structure.SAME_NONZERO_PATTERN)
    solver, begin = direct(A), PETSc.KSP().create(PETSc.COMM_SELF)
    q, v, a, r, new = (f.duplicate() for _ in range(5))
    begin.setOperators(M)
    begin.setType("cg")
    begin.getPC().setType("jacobi")
    begin.setTolerances(rtol=1e-12)
    begin.solve(f, a)
    for _ in range(options.steps):  # M a1 + K (predictor + beta h^2 a1) = f
        q.axpy(h, v)
        q.axpy(h * h * (0.5 - beta), a)
        K.mult(q, r)
        r.aypx(-1, f)
        solver.solve(r, new)
        q.axpy(beta * h * h, new)
        v.axpy(h * (1 - gamma), a)
        v.axpy(h * gamma, new)
        new.copy(a)
    return {"seconds": now() - start, "tip": q.array[body.tip]}


class Equations:
    """Residual and tangent of a displacement: f_int - f, with a mass also M (u - predictor)/(beta h^2)."""

    def __init__(self, body, weight):
        self.body, self.u, self.predictor = body, fem.Function(body.V), fem.Function(body.V)
        residual = ufl.inner(neo_hooke(self.u), ufl.grad(body.w)) * body.dx
        if weight:
            residual += weight * rho * ufl.dot(self.u - self.predictor, body.w) * body.dx_mass
        self.residual, self.tangent = compiled(residual), compiled(ufl.derivative(residual, self.u, body.u))
        self.r, self.A, self.newton = petsc.create_vector(self.residual), petsc.create_matrix(self.tangent), 0
        self.du, self.solve = self.r.duplicate(), TangentSolver(body, self.A)

    def newton_solve(self, f):
        first = None
        for iteration in range(30):
            with self.r.localForm() as local:
                local.set(0)
            petsc.assemble_vector(self.r, self.residual)
            self.r.axpy(-1, f)
            fem.set_bc(self.r, self.body.bcs, self.u.vector, -1.0)
            norm = self.r.norm()
            first = first or norm
            if iteration and norm <= 1e-8 * first:
                return
            self.A.zeroEntries()
            petsc.assemble_matrix(self.A, self.tangent, self.body.bcs)
            self.A.assemble()
            self.solve(self.r, self.du)
            self.u.vector.axpy(-1, self.du)
            self.newton += 1
        raise RuntimeError("Newton's method has not converged")

    def figures(self, start):
        return {"seconds": now() - start, "tip": self.u.x.array[self.body.tip], "newton": self.newton, "krylov": self.solve.iterations, "set-ups": self.solve.setups}


def static(body):
    equations, f = Equations(body, 0.0), body.load()
    start = now()
    for n in range(options.steps):
        equations.newton_solve(options.load * (n + 1) / options.steps * f)
    return equations.figures(start)


def implicit(body):
    h = options.h
    equations, f, mass = Equations(body, 1 / (beta * h * h)), options.load * body.load(), compiled(body.mass)
    start = now()
    a, v, begin = f.duplicate(), f.duplicate(), PETSc.KSP().create(PETSc.COMM_SELF)
    begin.setOperators(body.matrix(mass))
    begin.setType("cg")
    begin.getPC().setType("jacobi")
    begin.setTolerances(rtol=1e-12)
    begin.solve(f, a)
    u, predictor = equations.u.x.array, equations.predictor.x.array
    for _ in range(options.steps):
        predictor[:] = u + h * v.array + h * h * (0.5 - beta) * a.array
        u += h * v.array  # begins there: with `predictor` |r| is a thousand times as large
        equations.newton_solve(f)
        new = (u - predictor) / (beta * h * h)
        v.array[:] += h * ((1 - gamma) * a.array + gamma * new)
        a.array[:] = new
    return equations.figures(start)


options = parse_arguments()
body = Body(options.mesh)
found = {"modes": modes, "static": static, "implicit": implicit, "linear": linear}[options.job](body)
print(json.dumps({"dofs": 3 * body.V.dofmap.index_map.size_global, "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, **found}))
