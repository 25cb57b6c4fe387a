#include "solver/dynamics/nodal_projection.h"

namespace symdyn
{
NodalProjection::NodalProjection(const MechanicalSystem &system)
    : system(system), nodal(*system.nodal_constraints()), diagonal(system.has(Feature::diagonal_mass)), inverse_mass(system.new_vector())
{
  inverse_mass = 1.;
  if (!diagonal)
    return;
  Vector one = inverse_mass, mass = inverse_mass;
  one.update_ghost_values();
  system.mass(one, mass);
  for (unsigned int i = 0; i < mass.locally_owned_size(); ++i)
    inverse_mass.local_element(i) = 1. / mass.local_element(i);
}

/// Without a diagonal mass: x' with G x' + c = 0, any; then x' - N (Nᵀ M N)⁻¹ Nᵀ M (x' - x).
void NodalProjection::meet_rates(const double t, const Vector &q, Vector &x, const NodalConstraints::Bending *bending) const
{
  const Vector given = x;
  nodal.meet_rates(inverse_mass, q, q, x, bending);
  if (diagonal)
    return;
  constexpr double tight = 1e-14;
  Vector change = x, momentum = system.new_vector(), across = momentum;
  change -= given;
  change.update_ghost_values();
  system.mass(change, momentum);
  system.project(momentum);
  LinearTerm mass{M, t, &q, &across};
  mass.across = &across;
  system.factor(Linearisation{mass})->solve(momentum, change, tight);
  x -= change;
  x.update_ghost_values();
}

Vector NodalProjection::bend(const Vector &q, const Vector &x, const Vector &u) const
{
  Vector force = system.new_vector(), bent = force, result = force;
  system.mass(x, force);
  nodal.subtract_curvature(q, force, u, bent);
  bent *= -1.;
  system.mass_solve(bent, result);
  return result;
}
}  // namespace symdyn
