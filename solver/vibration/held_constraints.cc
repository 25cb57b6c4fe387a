#include "solver/vibration/held_constraints.h"

#include <deal.II/lac/full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/constraint_springs.h"
#include "solver/constraints.h"
#include "solver/error.h"
#include "solver/vibration/linear_motion.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
namespace
{
/// Of static stages: softer springs need more equilibria, stiffer ones make rounding of g a force. A constraint is crossed by the whole
/// structure, which is softer than its stiffest part by far.
constexpr double in_statics = 10.;
/// Of linear motion, which has no second equilibrium: frequencies have an error of its inverse at most.
constexpr double in_linear_motion = 1e5;

ConstraintRows rows_at(const HolonomicConstraints &g, const Vector &q)
{
  std::vector<double> u;
  g.gather(q, u);
  ConstraintRows G;
  g.jacobian(u, G);
  return G;
}

/// grad g_i over all coordinates.
std::vector<double> row_of(const ConstraintRows &G, const int i, const int coordinates)
{
  std::vector<double> one(G.size(), 0.), row(coordinates, 0.);
  one[i] = 1.;
  G.add_transposed(one, row);
  return row;
}

/// w·K w of the motion that crosses constraint i by 1.
double stiffness_across(const MechanicalSystem &rest, const HolonomicConstraints &g, const ConstraintRows &G, const int i, const double t,
                        const Vector &q)
{
  const std::vector<double> row = row_of(G, i, g.coordinates());
  const double whole = std::inner_product(row.begin(), row.end(), row.begin(), 0.);
  Vector w = rest.new_vector(), Kw = rest.new_vector();
  g.scatter(row, w);
  rest.project(w);
  constexpr double nothing = 1e-10;
  const double left = w * w;
  if (!(left > nothing * whole))
    throw InputError(
        fmt::format("constraint '{}' cannot be held: supports and exact directors leave no motion across it. Remove it", g.name(i)));
  w *= 1. / left;
  w.update_ghost_values();
  tangent(rest, t, q, w, Kw);
  return std::abs(w * Kw);
}

std::vector<double> stiffnesses(const MechanicalSystem &system, const double t, const Vector &q, const double factor)
{
  const HolonomicConstraints &g = *system.constraints();
  const AtRest rest(system, t, q);
  const ConstraintRows G = rows_at(g, q);
  std::vector<double> k;
  for (int i = 0; i < g.size(); ++i)
    k.push_back(stiffness_across(*rest, g, G, i, t, q));
  constexpr double least = 1e-6;  // of the largest: a rod between points that nothing else holds
  const double most = *std::max_element(k.begin(), k.end());
  for (double &one : k)
    one = factor * (most > 0. ? std::max(one, least * most) : 1.);
  return k;
}

/// lambda with G a = 0, M a = dV/dq - f - Gᵀ lambda: the forces of the constraints, which an equilibrium determines whatever M is.
std::vector<double> forces_at_rest(const MechanicalSystem &system, const double t, const Vector &q)
{
  const HolonomicConstraints &g = *system.constraints();
  const AtRest rest(system, t, q);
  const ConstraintRows G = rows_at(g, q);
  Vector r = system.new_vector(), f = r, a = r;
  const Vector none = r;
  system.internal_force(q, r);
  system.applied_force(t, q, none, f);
  r -= f;
  std::vector<double> seen;
  const auto accelerations = [&] {
    rest->project(r);
    rest->mass_solve(r, a);
    a.update_ghost_values();
    g.gather(a, seen);
  };
  dealii::FullMatrix<double> S(g.size(), g.size());
  dealii::Vector<double> right(g.size()), lambda(g.size());
  accelerations();
  for (int i = 0; i < g.size(); ++i)
    right[i] = G.times(i, seen);
  for (int i = 0; i < g.size(); ++i)
  {
    r = 0.;
    g.scatter(row_of(G, i, g.coordinates()), r);
    accelerations();
    for (int j = 0; j < g.size(); ++j)
      S(j, i) = G.times(j, seen);
  }
  S.gauss_jordan();
  S.vmult(lambda, right);
  if (!std::isfinite(lambda.l2_norm()))
    throw ComputationError(
        "the forces of the exact constraints cannot be found: some of them say the same here. Remove those that repeat others");
  return {lambda.begin(), lambda.end()};
}
}  // namespace

void hold_constraints(const MechanicalSystem &system, const double t, const Vector &q, const std::vector<double> &lambda)
{
  const HolonomicConstraints *g = system.constraints();
  if (!g)
    return;
  g->springs->release();
  g->springs->k = stiffnesses(system, t, q, in_statics);
  g->springs->lambda = lambda;
  g->springs->lambda.resize(g->size(), 0.);
}

void hold_constraints_at_rest(const MechanicalSystem &system, const double t, const Vector &q)
{
  const HolonomicConstraints *g = system.constraints();
  if (!g)
    return;
  g->springs->release();
  std::vector<double> k = stiffnesses(system, t, q, in_linear_motion);
  g->springs->lambda = forces_at_rest(system, t, q);
  g->springs->k = std::move(k);
}

bool improve_multipliers(const MechanicalSystem &system, const Vector &q)
{
  const HolonomicConstraints *g = system.constraints();
  if (!g)
    return false;
  std::vector<double> u, values;
  g->gather(q, u);
  g->values(u, values);
  ConstraintSprings &springs = *g->springs;
  constexpr double rounding = 1e-10, stiff = 1e-4;  // together: g is rounding of its terms
  double change = 0, size = 0;
  for (int i = 0; i < g->size(); ++i)
  {
    const double length = g->length(i), step = springs.k[i] * values[i];
    springs.lambda[i] -= step;
    change = std::max(change, std::abs(step) * length);
    size = std::max({size, std::abs(springs.lambda[i]) * length, stiff * springs.k[i] * length * length});
  }
  return change > rounding * size;
}

void release_constraints(const MechanicalSystem &system)
{
  if (const HolonomicConstraints *g = system.constraints())
    g->springs->release();
}
}  // namespace symdyn
