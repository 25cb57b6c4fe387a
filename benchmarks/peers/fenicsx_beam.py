#!/usr/bin/env python3
"""The beam of decks/verification/implicit-beam.prm in FEniCSx 0.5, neo-Hooke, trapezoidal Newmark.

mpirun -n N python3 fenicsx_beam.py NX NY NZ jacobi|icc|gamg|mumps STEPS [KRYLOV_TOLERANCE]
Newton stops at |r| <= 1e-8 of the step's first residual; Krylov at 1e-3 unless given: the fastest of 1e-2 to 1e-4 (jacobi) and 1e-2 to 1e-5
(gamg). Prints seconds per step, the tip and the iterations as JSON.
"""
import sys

from fenicsx_common import PETSc, assemble, beam, compiled, dx, fem, kick, neo_hooke, np, now, petsc, report, rho, tip, ufl

cells, solver, steps = list(map(int, sys.argv[1:4])), sys.argv[4], int(sys.argv[5])
krylov_tolerance = float(sys.argv[6]) if len(sys.argv) > 6 else 1e-3
h, beta, gamma = 0.01, 0.25, 0.5


def rigid_motions(V, layout):
    """Orthonormal, for the coarse levels of the multigrid."""
    X = V.tabulate_dof_coordinates()[: V.dofmap.index_map.size_local]
    modes = []
    for m in range(6):
        q = np.zeros_like(X)
        if m < 3:
            q[:, m] = 1
        else:
            i, j = [(0, 1), (1, 2), (2, 0)][m - 3]
            q[:, i], q[:, j] = -X[:, j], X[:, i]
        mode = layout.duplicate()
        mode.setArray(q.ravel())
        for other in modes:
            mode.axpy(-other.dot(mode), other)
        mode.normalize()
        modes.append(mode)
    return PETSc.NullSpace().create(vectors=modes, comm=PETSc.COMM_WORLD)


def linear_solver(V, A, layout):
    ksp = PETSc.KSP().create(PETSc.COMM_WORLD)
    ksp.setOperators(A)
    if solver == "mumps":
        A.setOption(PETSc.Mat.Option.SYMMETRIC, True)
        ksp.setType("preonly")
        ksp.getPC().setType("cholesky")
        ksp.getPC().setFactorSolverType("mumps")
        return ksp
    ksp.setType("cg")
    ksp.setTolerances(rtol=krylov_tolerance)
    A.setBlockSize(3)
    if solver == "icc":
        ksp.getPC().setType("bjacobi")
        PETSc.Options()["sub_pc_type"] = "icc"
        ksp.setFromOptions()
    else:
        ksp.getPC().setType(solver)
    if solver == "gamg":
        A.setNearNullSpace(rigid_motions(V, layout))
    return ksp


def main():
    V, held = beam(cells)
    clamp = fem.dirichletbc(np.zeros(3), held, V)
    u, predicted, v, a = (fem.Function(V) for _ in range(4))
    w = ufl.TestFunction(V)
    residual = rho / (beta * h * h) * ufl.dot(u - predicted, w) * dx + ufl.inner(neo_hooke(u), ufl.grad(w)) * dx
    r_form, A_form = compiled(residual), compiled(ufl.derivative(residual, u, ufl.TrialFunction(V)))
    kick(v)
    A, r = petsc.create_matrix(A_form), petsc.create_vector(r_form)
    d = r.duplicate()
    ksp = linear_solver(V, A, r)
    start, newton, krylov = now(), 0, 0
    for _ in range(steps):
        predicted.x.array[:] = u.x.array + h * v.x.array + h * h * (0.5 - beta) * a.x.array
        u.x.array[:] = predicted.x.array
        first = None
        while True:
            assemble(r_form, r)
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
    seconds = (now() - start) / steps
    report(V, **{"seconds per step": seconds, "tip": tip(V, u.x.array), "newton": newton, "krylov": krylov, "steps": steps})


main()
