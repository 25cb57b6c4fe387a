#!/usr/bin/env python3
"""The beam of decks/verification/implicit-beam.prm in FEniCSx 0.5, neo-Hooke, central differences with a lumped mass.

mpirun -n N python3 fenicsx_explicit.py NX NY NZ STEPS H
Prints seconds per step and the tip as JSON. The form is compiled with -ffast-math, vectors are numpy's.
"""
import sys

from fenicsx_common import assemble, beam, compiled, dx, fem, kick, neo_hooke, np, now, petsc, report, rho, tip, ufl

cells, steps, h = list(map(int, sys.argv[1:4])), int(sys.argv[4]), float(sys.argv[5])
V, held = beam(cells)
u, one, start_velocity = (fem.Function(V) for _ in range(3))
w = ufl.TestFunction(V)
force = compiled(ufl.inner(neo_hooke(u), ufl.grad(w)) * dx, "-ffast-math")
f = petsc.create_vector(force)
one.x.array[:] = 1
assemble(compiled(rho * ufl.dot(one, w) * dx), f)
owned = 3 * V.dofmap.index_map.size_local
inverse_mass = 1 / f.array
mine = held[held < owned // 3]
inverse_mass[(3 * mine[:, None] + np.arange(3)).ravel()] = 0
kick(start_velocity)
v = start_velocity.x.array[:owned].copy()


def acceleration():
    assemble(force, f)
    return -f.array * inverse_mass


a = acceleration()
start = now()
for _ in range(steps):
    v += 0.5 * h * a
    u.x.array[:owned] += h * v
    u.x.scatter_forward()
    a = acceleration()
    v += 0.5 * h * a
seconds = (now() - start) / steps
report(V, **{"seconds per step": seconds, "tip": tip(V, u.x.array), "steps": steps})
