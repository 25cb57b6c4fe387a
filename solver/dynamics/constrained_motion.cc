#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/dynamics/multipliers.h"
#include "solver/dynamics/nodal_projection.h"
#include "solver/error.h"
#include "solver/integrator.h"

// Motion under exact constraints, of nodes or between them.
namespace symdyn
{
std::vector<double> multipliers_of_motion(Multipliers &multipliers, const State &state)
{
  const HolonomicConstraints &g = multipliers.constraints();
  std::vector<double> u, v, a, lambda(g.size());
  ConstraintRows G;
  g.gather(state.q, u);
  g.gather(state.v, v);
  g.gather(state.a, a);
  g.jacobian(u, G);
  multipliers.directions(G, state.q, state.q);
  multipliers.factor(G);
  g.bending(u, v, v, lambda);
  for (int i = 0; i < g.size(); ++i)
    lambda[i] = -lambda[i] - G.times(i, a);
  multipliers.solve(lambda);
  return lambda;
}

std::vector<double> multipliers_across(Multipliers &multipliers, const Vector &q, const Vector &x)
{
  const HolonomicConstraints &g = multipliers.constraints();
  std::vector<double> u, w, r(g.size());
  ConstraintRows G;
  g.gather(q, u);
  g.gather(x, w);
  g.jacobian(u, G);
  multipliers.factor(G);
  for (int i = 0; i < g.size(); ++i)
    r[i] = G.times(i, w);
  multipliers.solve(r);
  return r;
}

std::vector<double> rate_multipliers(Multipliers &multipliers, const State &state)
{
  std::vector<double> u;
  ConstraintRows G;
  multipliers.constraints().gather(state.q, u);
  multipliers.constraints().jacobian(u, G);
  multipliers.directions(G, state.q, state.q);
  return multipliers_across(multipliers, state.q, state.v);
}

Vector impulse(const MechanicalSystem &system, const Vector &q, const std::vector<double> &lambda)
{
  const HolonomicConstraints &g = *system.constraints();
  std::vector<double> u, w(g.coordinates(), 0.);
  ConstraintRows G;
  g.gather(q, u);
  g.jacobian(u, G);
  G.add_transposed(lambda, w);
  Vector force = system.new_vector(), result = force;
  g.scatter(w, force);
  system.mass_solve(force, result);
  return result;
}

namespace
{
/// a += M^-1 Gᵀ lambda of nodal constraints alone.
void add_nodal_forces(const MechanicalSystem &system, State &state)
{
  if (!system.nodal_constraints())
    return;
  const NodalConstraints::Bending bending{state.v, state.v};
  NodalProjection(system).meet_rates(state.q, state.a, &bending);
}
}  // namespace

Vector bend(const MechanicalSystem &system, const Vector &q, const std::vector<double> &lambda, const Vector &dq)
{
  const HolonomicConstraints &g = *system.constraints();
  std::vector<double> u, w, r(g.coordinates(), 0.);
  g.gather(q, u);
  g.gather(dq, w);
  g.curvature(u, lambda, w, r);
  Vector force = system.new_vector(), result = force;
  g.scatter(r, force);
  system.mass_solve(force, result);
  return result;
}

std::vector<double> multipliers_of_motion(const MechanicalSystem &system, const State &state)
{
  State at = state;
  free_motion(system, at);
  add_nodal_forces(system, at);
  Multipliers multipliers(system);
  return multipliers_of_motion(multipliers, at);
}

namespace
{
/// Gᵀ lambda of the equation of motion of nodal constraints: M of what they change a by, and, where motion is prescribed, of the same
/// lambda. state.a: without the forces of these.
Vector nodal_force(const MechanicalSystem &system, const State &state)
{
  State at = state;
  Vector change = at.a, force = system.new_vector();
  add_nodal_forces(system, at);
  change -= at.a;
  change *= -1.;
  change.update_ghost_values();
  system.mass(change, force);
  Vector rest = force;
  system.nodal_constraints()->subtract_forces(state.q, rest);
  force -= rest;
  return force;
}
}  // namespace

Vector constraint_force(const MechanicalSystem &system, const State &state)
{
  State at = state;
  free_motion(system, at);
  Vector force = system.new_vector();
  if (system.constraints())
  {
    const HolonomicConstraints &g = *system.constraints();
    const std::vector<double> lambda = multipliers_of_motion(system, state);
    std::vector<double> u, w(g.coordinates(), 0.);
    ConstraintRows G;
    g.gather(state.q, u);
    g.jacobian(u, G);
    G.add_transposed(lambda, w);
    g.scatter_all(w, force);
    if (system.nodal_constraints())
      at.a += impulse(system, state.q, lambda);
  }
  if (system.nodal_constraints())
    force += nodal_force(system, at);
  return force;
}

void add_constraint_forces(const MechanicalSystem &system, State &state)
{
  add_nodal_forces(system, state);
  if (!system.constraints())
    return;
  Multipliers multipliers(system);
  const std::vector<double> lambda = multipliers_of_motion(multipliers, state);
  multipliers.add(1., lambda, state.a);
  state.a.update_ghost_values();
}

void project_rates(const MechanicalSystem &system, State &state)
{
  if (system.nodal_constraints())
    NodalProjection(system).meet_rates(state.q, state.v);
  if (!system.constraints())
    return;
  Multipliers multipliers(system);
  const std::vector<double> mu = rate_multipliers(multipliers, state);
  multipliers.add(-1., mu, state.v);
  state.v.update_ghost_values();
}

void project_tangent(const MechanicalSystem &system, const State &state, Vector &dq, Vector &dv)
{
  if (system.nodal_constraints())
  {
    const NodalProjection projection(system);
    const NodalConstraints::Bending bending{state.v, dq};
    projection.meet_rates(state.q, dq);
    if (!system.constraints())
      return projection.meet_rates(state.q, dv, &bending);
  }
  Multipliers multipliers(system);
  const HolonomicConstraints &g = multipliers.constraints();
  std::vector<double> u, v, change, r(g.size());
  ConstraintRows G;
  g.gather(state.q, u);
  g.gather(state.v, v);
  g.jacobian(u, G);
  multipliers.directions(G, state.q, state.q);
  multipliers.factor(G);
  const auto remove = [&](Vector &x) {
    multipliers.solve(r);
    multipliers.add(-1., r, x);
    x.update_ghost_values();
  };
  g.gather(dq, change);
  for (int i = 0; i < g.size(); ++i)
    r[i] = G.times(i, change);
  remove(dq);
  if (system.nodal_constraints())
  {
    const NodalConstraints::Bending bending{state.v, dq};
    NodalProjection(system).meet_rates(state.q, dv, &bending);
  }
  std::vector<double> along;
  g.gather(dq, along);
  g.gather(dv, change);
  g.bending(u, v, along, r);
  for (int i = 0; i < g.size(); ++i)
    r[i] += G.times(i, change);
  remove(dv);
}

void project_on_constraints(const MechanicalSystem &system, State &state)
{
  if (const NodalConstraints *nodal = system.nodal_constraints())
  {
    nodal->retract(state.q);
    state.q.update_ghost_values();
    if (!system.constraints())
      return project_rates(system, state);
  }
  Multipliers multipliers(system);
  const HolonomicConstraints &constraints = multipliers.constraints();
  std::vector<double> u, r;
  ConstraintRows G;
  constexpr int most = 50;
  constexpr double enough = 1e-13, rounding = 8. * std::numeric_limits<double>::epsilon();
  for (int iteration = 0;; ++iteration)
  {
    constraints.gather(state.q, u);
    constraints.values(u, r);
    constraints.jacobian(u, G);
    multipliers.directions(G, state.q, state.q);
    multipliers.factor(G);
    multipliers.solve(r);
    std::vector<double> step(u.size(), 0.);
    multipliers.add(-1., r, step);
    multipliers.add(-1., r, state.q);
    if (system.nodal_constraints())
      system.nodal_constraints()->retract(state.q);
    state.q.update_ghost_values();
    const double size =
        std::abs(*std::max_element(step.begin(), step.end(), [](const double a, const double b) { return std::abs(a) < std::abs(b); }));
    constraints.gather(state.q, u);
    if (size <= std::max(enough * shortest(constraints), rounding * constraints.farthest(u)))
      break;
    if (iteration + 1 == most || !std::isfinite(size))
      throw ComputationError(
          fmt::format("the start cannot be projected onto the constraints: no state that fulfils them is near; the farthest from it is {}",
                      constraint_in_words(constraints, constraint_error(constraints, state).g_at)));
  }
  project_rates(system, state);
}
}  // namespace symdyn
