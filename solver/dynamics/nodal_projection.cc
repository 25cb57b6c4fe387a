#include "solver/dynamics/nodal_projection.h"

#include <deal.II/lac/solver_cg.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "solver/error.h"

namespace symdyn
{
namespace
{
/// As deal.II's solvers take it.
struct ProductAlong
{
  std::function<void(Vector &, const Vector &)> vmult;
};
}  // namespace

NodalProjection::NodalProjection(const MechanicalSystem &system)
    : system(system),
      nodal(*system.nodal_constraints()),
      diagonal(system.has(Feature::diagonal_mass)),
      of_nodes(system.has(Feature::nodal_mass)),
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

void NodalProjection::require_nodal() const
{
  if (!of_nodes)
    throw std::logic_error("directors are moved node by node with a mass that joins sites of a node alone");
}

NodalConstraints::Impulses NodalProjection::impulses(const Vector &from) const
{
  NodalConstraints::Impulses found{nodal.gradients(from), {}};
  for (const Vector &force : found.forces)
    system.mass_solve(force, found.motions.emplace_back(system.new_vector()));
  return found;
}

void NodalProjection::accelerate(const Vector &force, Vector &x) const
{
  Vector change = system.new_vector();
  system.mass_solve(force, change);
  x += change;
  x.update_ghost_values();
}

void NodalProjection::meet_rates_from(const Vector &from, const Vector &q, Vector &x) const
{
  require_nodal();
  if (diagonal)
    return nodal.meet_rates(inverse_mass, from, q, x);
  Vector force = system.new_vector();
  nodal.find_rate_impulse(impulses(from), q, x, force);
  accelerate(force, x);
}

void NodalProjection::meet(const Vector &from, const Vector &end, Vector &change) const
{
  require_nodal();
  if (diagonal)
    return nodal.meet(inverse_mass, from, end, change);
  Vector force = system.new_vector();
  nodal.find_impulse(impulses(from), end, force);
  change = 0.;
  accelerate(force, change);
}

void NodalProjection::lead(const Vector &from, const double per, Vector &q, Vector &v) const
{
  require_nodal();
  if (diagonal)
    return nodal.lead(inverse_mass, from, per, q, v);
  Vector change = system.new_vector();
  meet(from, q, change);
  q += change;
  v.add(per, change);
}

void NodalProjection::keep_along(const Vector &q, Vector &r) const
{
  nodal.subtract_forces(q, r);
  system.project(r);
}

/// By conjugate gradients: M is well conditioned beside its rows.
Vector NodalProjection::solve_along(const Vector &q, const Vector &momentum, const double rest) const
{
  constexpr unsigned int most = 1000;
  const ProductAlong mass{[&](Vector &r, const Vector &u) {
    Vector seen = u;
    seen.update_ghost_values();
    system.mass(seen, r);
    keep_along(q, r);
  }};
  const ProductAlong rows{[&](Vector &r, const Vector &u) {
    r = u;
    r.scale(inverse_mass);
    keep_along(q, r);
  }};
  Vector y = system.new_vector();
  dealii::SolverControl control(most, rest);
  try
  {
    dealii::SolverCG<Vector>(control).solve(mass, y, momentum, rows);
  }
  catch (const dealii::SolverControl::NoConvergence &failed)
  {
    throw ComputationError(fmt::format(
        "velocities are not projected onto exact directors: conjugate gradients reach {:.2g} of the momentum in {} iterations. Use "
        "--set \"Elements/Mass=lumped\", or Elements/Directors=elastic",
        failed.last_residual / momentum.l2_norm(), failed.last_step));
  }
  return y;
}

/// Where M joins nodes: x' with G x' + c = 0, any; then x' - y, y along the constraints and M y = M (x' - x) there.
void NodalProjection::meet_rates(const Vector &q, Vector &x, const NodalConstraints::Bending *bending) const
{
  if (of_nodes && !diagonal)
  {
    Vector force = system.new_vector();
    nodal.find_rate_impulse(impulses(q), q, x, force, bending);
    return accelerate(force, x);
  }
  const Vector given = x;
  nodal.meet_rates(inverse_metric, q, q, x, bending);
  if (diagonal)
    return;
  constexpr double tight = 2e-13, rounding = 1e-16;  // of what is solved for, above the rounding of its product; of the whole
  Vector change = x, momentum = system.new_vector();
  change -= given;
  change.update_ghost_values();
  system.mass(change, momentum);
  const double whole = momentum.l2_norm();
  keep_along(q, momentum);
  keep_along(q, momentum);  // what rounding of the large part has left across
  if (const double size = momentum.l2_norm(); size > 0.)
    x -= solve_along(q, momentum, std::max(tight * size, rounding * whole));
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
