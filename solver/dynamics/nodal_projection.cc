#include "solver/dynamics/nodal_projection.h"

#include <deal.II/lac/solver_cg.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace symdyn
{
namespace
{
/// As deal.II's solvers take it.
struct Product
{
  std::function<void(Vector &, const Vector &)> multiply;
  void vmult(Vector &y, const Vector &x) const { multiply(y, x); }
};
}  // namespace

NodalProjection::NodalProjection(const MechanicalSystem &system)
    : system(system),
      nodal(*system.nodal_constraints()),
      diagonal(system.has(Feature::diagonal_mass)),
      inverse_mass(system.new_vector()),
      inverse_metric(inverse_mass)
{
  Vector one = inverse_mass, mass = inverse_mass;
  one = 1.;
  one.update_ghost_values();
  system.mass(one, mass);
  for (unsigned int i = 0; i < mass.locally_owned_size(); ++i)
    inverse_mass.local_element(i) = mass.local_element(i) > 0. ? 1. / mass.local_element(i) : 0.;
  if (diagonal)
    inverse_metric = inverse_mass;
  else
    inverse_metric = 1.;
}

void NodalProjection::require_diagonal() const
{
  if (!diagonal)
    throw std::logic_error("directors are moved node by node with a diagonal mass alone");
}

void NodalProjection::meet_rates_from(const Vector &from, const Vector &q, Vector &x) const
{
  require_diagonal();
  nodal.meet_rates(inverse_mass, from, q, x);
}

void NodalProjection::meet(const Vector &from, const Vector &end, Vector &change) const
{
  require_diagonal();
  nodal.meet(inverse_mass, from, end, change);
}

void NodalProjection::keep_along(const Vector &q, Vector &r) const
{
  nodal.subtract_forces(q, r);
  system.project(r);
}

/// Without a diagonal mass: x' with G x' + c = 0, any; then x' - y, y along the constraints and M y = M (x' - x) there, by conjugate
/// gradients: M is well conditioned beside its rows.
void NodalProjection::meet_rates(const Vector &q, Vector &x, const NodalConstraints::Bending *bending) const
{
  const Vector given = x;
  nodal.meet_rates(inverse_metric, q, q, x, bending);
  if (diagonal)
    return;
  constexpr double tight = 2e-13;  // above the rounding of the product
  constexpr double rounding = 1e-16;
  constexpr unsigned int most = 1000;
  Vector change = x, momentum = system.new_vector(), y = momentum;
  change -= given;
  change.update_ghost_values();
  system.mass(change, momentum);
  const double whole = momentum.l2_norm();
  keep_along(q, momentum);
  keep_along(q, momentum);  // what rounding of the large part has left across
  const Product mass{[&](Vector &r, const Vector &u) {
    Vector seen = u;
    seen.update_ghost_values();
    system.mass(seen, r);
    keep_along(q, r);
  }};
  const Product rows{[&](Vector &r, const Vector &u) {
    r = u;
    r.scale(inverse_mass);
    keep_along(q, r);
  }};
  if (const double size = momentum.l2_norm(); size > 0.)
  {
    dealii::SolverControl control(most, std::max(tight * size, rounding * whole));
    dealii::SolverCG<Vector>(control).solve(mass, y, momentum, rows);
  }
  x -= y;
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
