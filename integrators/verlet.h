#pragma once
#include "solver/integrator.h"

namespace symdyn
{
/// Velocity Verlet (Verlet 1967; Swope et al. 1982) with an acceleration f of one's own, which is stored as state.a:
///     x1 = x0 + h v0 + h²/2 f0,   v1 = v0 + h/2 (f0 + f1)
/// What is known before f1 is. Prescribed x1 are exact; there f1 is the central difference that leads to the prescribed x2.
struct Drift
{
  double t;  ///< of x1
  Vector x;  ///< x1
  Vector v;  ///< v0 + h/2 f0
  Vector f;  ///< f1, prescribed components only
};
Drift drift(const MechanicalSystem &system, const State &state, double h);

/// Solves (M + c C) a = f_applied(t, q, v) - f_int(q) - C v on the free degrees of freedom; `a` brings the prescribed ones.
/// Krylov iterations, and what is known of q.
StepReport solve_acceleration(const MechanicalSystem &system, double t, const Vector &q, const Vector &v, double c, Vector &a);

/// delta.q, delta.v at x1 and at half a kick: what the tangent of f1 needs. Prescribed components of tangents are 0.
void drift_tangent(double h, State &delta);
/// delta.v after the second half, delta.a = delta f1.
void kick_tangent(double h, State &delta);
/// ½ |v0 + h/2 f0|²_M, v0 + h/2 f0 = (x1 - x0)/h: the kinetic part of E_d [J].
double drift_energy(const MechanicalSystem &system, const State &before, double h);
}  // namespace symdyn
