#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Ku = (V''(q) - df_applied/dq) u [N]: what linear motion about q is made of. Stress and loads that follow the body are in it.
void tangent(const MechanicalSystem &system, double t, const Vector &q, const Vector &u, Vector &Ku);

/// How far a tangent is from a symmetric one: sqrt(sum (u·Kw - w·Ku)² / sum ((u·Kw)² + (w·Ku)²)) over pairs of random vectors of signs on
/// the free degrees of freedom, which estimates |K - Kᵀ|/(sqrt 2 |K|) in Frobenius' norm (Hutchinson 1990 of the trace). 0: symmetric.
struct Asymmetry
{
  double of_loads = 0;  ///< of the part that loads add, alone
  double of_tangent = 0;
};
Asymmetry asymmetry_of_tangent(const MechanicalSystem &system, double t, const Vector &q);

/// Errors: InputError where linear motion is not what we compute: exact constraints, and rigid bodies whose matrices only a scheme keeps
/// rotations.
void check_linear_system(const MechanicalSystem &system);
/// The same, and InputError for loads that follow the body with an unsymmetric tangent at this state. Collective.
void check_linear_motion(const MechanicalSystem &system, double t, const Vector &q);
}  // namespace symdyn
