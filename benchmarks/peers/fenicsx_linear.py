#!/usr/bin/env python3
"""The beam of decks/verification/implicit-beam.prm, linear elastic, in FEniCSx 0.5: average acceleration, MUMPS factored once.

mpirun -n N python3 fenicsx_linear.py NX NY NZ STEPS
Prints seconds of the assembly, of the factorisation and of a step, processor seconds of these together, the peak memory and the tip, as JSON.
"""
import resource
import sys
import time

from fenicsx_common import PETSc, beam, compiled, direct, dx, fem, hooke, kick, np, now, petsc, report, rho, tip, ufl

cells, steps = list(map(int, sys.argv[1:4])), int(sys.argv[4])
h, beta, gamma = 0.01, 0.25, 0.5
V, held = beam(cells)
clamp = fem.dirichletbc(np.zeros(3), held, V)
trial, w = ufl.TrialFunction(V), ufl.TestFunction(V)
strain = lambda x: ufl.sym(ufl.grad(x))
K_form, M_form = compiled(ufl.inner(hooke(trial), strain(w)) * dx), compiled(rho * ufl.dot(trial, w) * dx)
begin, processor = now(), time.process_time()
K, M = petsc.assemble_matrix(K_form, [clamp], diagonal=0.0), petsc.assemble_matrix(M_form, [clamp], diagonal=1.0)
K.assemble()
M.assemble()
A = M.copy()
A.axpy(beta * h * h, K, structure=PETSc.Mat.Structure.SAME_NONZERO_PATTERN)
assembled = now()
ksp = direct(A)
ksp.setUp()
start_velocity = fem.Function(V)
kick(start_velocity)
v = M.createVecRight()
start_velocity.vector.copy(v)
q, a, r, new = (v.duplicate() for _ in range(4))
for x in (q, a):
    x.set(0)
factored = now()
for _ in range(steps):  # M a1 + K (predictor + beta h^2 a1) = 0
    q.axpy(h, v)
    q.axpy(h * h * (0.5 - beta), a)
    K.mult(q, r)
    r.scale(-1)
    ksp.solve(r, new)
    q.axpy(beta * h * h, new)
    v.axpy(h * (1 - gamma), a)
    v.axpy(h * gamma, new)
    new.copy(a)
seconds = (now() - factored) / steps
used = {"cpu": time.process_time() - processor, "MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}  # of this rank
report(V, **used, **{"seconds per step": seconds, "assembly": assembled - begin, "factorisation": factored - assembled, "tip": tip(V, q.array), "steps": steps})
