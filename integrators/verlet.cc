#include "integrators/verlet.h"

#include "integrators/equations/prescribed.h"

// Velocity Verlet: Verlet 1967; Swope et al. 1982.
namespace symdyn
{
Drift drift(const MechanicalSystem &system, const State &state, const double h)
{
  Drift next{state.t + h, state.q, state.v, system.new_vector()};
  next.x.add(h, state.v, 0.5 * h * h, state.a);
  next.v.add(0.5 * h, state.a);
  if (system.has(Feature::supports))
  {
    const Vector gap = prescribed_acceleration(system, next.t, next.x, 1.);
    next.x += gap;
    next.v.add(1. / h, gap);
    Vector x2 = next.x;
    x2.add(h, next.v);
    next.f = prescribed_acceleration(system, next.t + h, x2, h * h);
  }
  return next;
}

StepReport solve_acceleration(const MechanicalSystem &system, const double t, const Vector &q, const Vector &v, const double c, Vector &a)
{
  Vector r = system.new_vector(), f = system.new_vector();
  system.applied_force(t, q, v, r);
  StepReport report;
  report.force = system.internal_force(q, f);
  r -= f;
  if (!system.has(Feature::diagonal_mass))
  {
    system.mass(a, f);
    r -= f;
  }
  Vector free = system.new_vector();
  if (system.has(Feature::damping))
  {
    Vector v_known = v;
    v_known.add(c, a);
    v_known.update_ghost_values();
    system.damping_force(q, v_known, f);
    r -= f;
    system.project(r);
    report.krylov = system.factor(M + c * C, t, q, v)->solve(r, free, 1e-14);
  }
  else
    system.mass_solve(r, free);
  a += free;
  return report;
}

void drift_tangent(const double h, State &delta)
{
  delta.q.add(h, delta.v, 0.5 * h * h, delta.a);
  delta.v.add(0.5 * h, delta.a);
  delta.q.update_ghost_values();
  delta.v.update_ghost_values();
}

void kick_tangent(const double h, State &delta)
{
  delta.v.add(0.5 * h, delta.a);
  delta.v.update_ghost_values();
}

double drift_energy(const MechanicalSystem &system, const State &before, const double h)
{
  Vector d = before.v, Md = system.new_vector();
  d.add(0.5 * h, before.a);
  system.mass(d, Md);
  return 0.5 * (d * Md);
}
}  // namespace symdyn
