#include "solver/dynamics/multipliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/integrator.h"

namespace symdyn
{
Multipliers::Multipliers(const MechanicalSystem &system)
    : system(system), g(*system.constraints()), diagonal(system.has(Feature::diagonal_mass))
{
  Vector one = system.new_vector(), inverse = one;
  if (diagonal)
  {
    one = 1.;
    system.mass_solve(one, inverse);
    inverse.update_ghost_values();
    g.gather(inverse, inverse_mass);
  }
}

void Multipliers::number(const ConstraintRows &D)
{
  std::vector<std::vector<int>> touching(g.coordinates());
  for (int i = 0; i < size(); ++i)
    for (int k = D.start[i]; k < D.start[i + 1]; ++k)
      touching[D.column[k]].push_back(i);
  coupled.assign(size(), {});
  for (const auto &group : touching)
    for (const int i : group)
      coupled[i].insert(coupled[i].end(), group.begin(), group.end());
  int reach = 0;
  for (auto &row : coupled)
  {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  order = narrow_numbering(coupled);
  for (int i = 0; i < size(); ++i)
    for (const int k : coupled[i])
      reach = std::max(reach, std::abs(int(order[i]) - int(order[k])));
  matrix.resize(size(), reach, reach);
}

void Multipliers::directions(const ConstraintRows &D)
{
  if (!diagonal)
  {
    solve_columns(D, [&](const Vector &r, Vector &x) { system.mass_solve(r, x); });
    return;
  }
  rows = D;
  if (order.empty())
    number(D);
}

void Multipliers::directions(const ConstraintRows &D, const LinearSolve &A, const double tolerance)
{
  diagonal = false;
  solve_columns(D, [&](const Vector &r, Vector &x) { A.solve(r, x, tolerance); });
}

void Multipliers::solve_columns(const ConstraintRows &D, const std::function<void(const Vector &, Vector &)> &solve_by)
{
  columns.resize(size());
  seen.resize(size());
  for (int i = 0; i < size(); ++i)
  {
    Vector r = system.new_vector();
    std::vector<double> w(g.coordinates(), 0.);
    for (int k = D.start[i]; k < D.start[i + 1]; ++k)
      w[D.column[k]] += D.value[k];
    g.scatter(w, r);
    columns[i] = system.new_vector();
    solve_by(r, columns[i]);
    columns[i].update_ghost_values();
    g.gather(columns[i], seen[i]);
  }
}

void Multipliers::add(const double factor, const std::vector<double> &lambda, Vector &x) const
{
  if (!diagonal)
  {
    for (int i = 0; i < size(); ++i)
      x.add(factor * lambda[i], columns[i]);
    return;
  }
  std::vector<double> w(g.coordinates(), 0.);
  add(factor, lambda, w);
  g.scatter(w, x);
}

void Multipliers::add(const double factor, const std::vector<double> &lambda, std::vector<double> &u) const
{
  for (int i = 0; i < size(); ++i)
    if (diagonal)
      for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
        u[rows.column[k]] += factor * lambda[i] * rows.value[k] * inverse_mass[rows.column[k]];
    else
      for (std::size_t k = 0; k < u.size(); ++k)
        u[k] += factor * lambda[i] * seen[i][k];
}

void Multipliers::couple_all()
{
  matrix.resize(size(), size(), size());
  coupled.assign(size(), {});
  for (int i = 0; i < size(); ++i)
  {
    order.push_back(i);
    for (int k = 0; k < size(); ++k)
      coupled[i].push_back(k);
  }
}

void Multipliers::fill(const ConstraintRows &G)
{
  matrix.clear();
  std::vector<double> along(g.coordinates(), 0.);
  for (int i = 0; i < size(); ++i)
  {
    for (int k = G.start[i]; k < G.start[i + 1] && diagonal; ++k)
      along[G.column[k]] += G.value[k] * inverse_mass[G.column[k]];
    double own = 0;
    bool finite = true;
    for (const int j : coupled[i])
    {
      const double entry = diagonal ? rows.times(j, along) : G.times(i, seen[j]);
      matrix(order[i], order[j]) = entry;
      own = std::max(own, std::abs(entry));
      finite = finite && std::isfinite(entry);
    }
    for (int k = G.start[i]; k < G.start[i + 1] && diagonal; ++k)
      along[G.column[k]] = 0.;
    if (!finite)
      throw ComputationError(
          fmt::format("{} has no finite slope here: its formula is not differentiable at this place. Change the place, or the "
                      "formula (sqrt of 0, abs, a distance of 0)",
                      constraint_in_words(g, i)));
    if (!(own > 0.))
      throw ComputationError(fmt::format(
          "{} cannot be held: it moves no free point with mass there (G M^-1 Gᵀ is singular; also where a formula has no slope, "
          "as a distance of 0). Remove it, move it, or free a point of it",
          constraint_in_words(g, i)));
    scale[i] = 1. / std::sqrt(own);
  }
}

void Multipliers::factor(const ConstraintRows &G)
{
  if (!diagonal && order.empty())
    couple_all();
  scale.resize(size());
  fill(G);
  // Rows and columns of size 1, so that units and masses do not matter.
  for (int i = 0; i < size(); ++i)
    for (const int j : coupled[i])
      matrix(order[i], order[j]) *= scale[i] * scale[j];
  int row = matrix.factor();
  constexpr double redundant = 1e-13;
  if (row < 0 && matrix.smallest_pivot().second < redundant)
    row = matrix.smallest_pivot().first;
  if (row < 0)
    return;
  const int i = std::find(order.begin(), order.end(), static_cast<unsigned int>(row)) - order.begin();
  throw ComputationError(
      fmt::format("{} follows from others, or contradicts them (G M^-1 Gᵀ is singular). Remove one of them", constraint_in_words(g, i)));
}

void Multipliers::solve(std::vector<double> &r) const
{
  std::vector<double> x(size());
  for (int i = 0; i < size(); ++i)
    x[order[i]] = scale[i] * r[i];
  matrix.solve(x.data());
  for (int i = 0; i < size(); ++i)
    r[i] = scale[i] * x[order[i]];
}

std::string constraint_in_words(const HolonomicConstraints &constraints, const int i)
{
  const std::string where = constraints.where(i);
  return fmt::format("constraint '{}'{}", constraints.name(i), where.empty() ? "" : " (" + where + ")");
}

double shortest(const HolonomicConstraints &constraints)
{
  double length = constraints.length();
  for (int i = 0; i < constraints.size(); ++i)
    length = std::min(length, constraints.length(i));
  return length;
}

ConstraintError constraint_error(const HolonomicConstraints &constraints, const State &state)
{
  ConstraintError error;
  std::vector<double> u, v, g;
  ConstraintRows G;
  constraints.gather(state.q, u);
  constraints.gather(state.v, v);
  constraints.values(u, g);
  constraints.jacobian(u, G);
  for (int i = 0; i < constraints.size(); ++i)
  {
    const double rate = std::abs(G.times(i, v));
    double slope = 0;
    for (int k = G.start[i]; k < G.start[i + 1]; ++k)
      slope += G.value[k] * G.value[k];
    slope = std::sqrt(slope);
    if (const double off = std::abs(g[i]) / slope / constraints.length(i); !(off <= error.distance))
    {
      error.distance = off;
      error.distance_at = i;
    }
    if (const double off = rate / slope; !(off <= error.speed))
    {
      error.speed = off;
      error.speed_at = i;
    }
    if (!(std::abs(g[i]) <= error.g))
      error.g = std::abs(g[error.g_at = i]);
    if (!(rate <= error.rate))
    {
      error.rate = rate;
      error.rate_at = i;
    }
  }
  return error;
}

std::vector<double> multipliers_of_motion(Multipliers &multipliers, const State &state)
{
  const HolonomicConstraints &g = multipliers.constraints();
  std::vector<double> u, v, a, lambda(g.size());
  ConstraintRows G;
  g.gather(state.q, u);
  g.gather(state.v, v);
  g.gather(state.a, a);
  g.jacobian(u, G);
  multipliers.directions(G);
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
  multipliers.directions(G);
  return multipliers_across(multipliers, state.q, state.v);
}

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
  Multipliers multipliers(system);
  return multipliers_of_motion(multipliers, at);
}

Vector constraint_force(const MechanicalSystem &system, const State &state)
{
  const HolonomicConstraints &g = *system.constraints();
  const std::vector<double> lambda = multipliers_of_motion(system, state);
  std::vector<double> u, w(g.coordinates(), 0.);
  ConstraintRows G;
  g.gather(state.q, u);
  g.jacobian(u, G);
  G.add_transposed(lambda, w);
  Vector force = system.new_vector();
  g.scatter_all(w, force);
  return force;
}

void add_constraint_forces(const MechanicalSystem &system, State &state)
{
  Multipliers multipliers(system);
  const std::vector<double> lambda = multipliers_of_motion(multipliers, state);
  multipliers.add(1., lambda, state.a);
  state.a.update_ghost_values();
}

void project_rates(const MechanicalSystem &system, State &state)
{
  Multipliers multipliers(system);
  const std::vector<double> mu = rate_multipliers(multipliers, state);
  multipliers.add(-1., mu, state.v);
  state.v.update_ghost_values();
}

void project_tangent(const MechanicalSystem &system, const State &state, Vector &dq, Vector &dv)
{
  Multipliers multipliers(system);
  const HolonomicConstraints &g = multipliers.constraints();
  std::vector<double> u, v, change, r(g.size());
  ConstraintRows G;
  g.gather(state.q, u);
  g.gather(state.v, v);
  g.jacobian(u, G);
  multipliers.directions(G);
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
    multipliers.directions(G);
    multipliers.factor(G);
    multipliers.solve(r);
    std::vector<double> step(u.size(), 0.);
    multipliers.add(-1., r, step);
    multipliers.add(-1., r, state.q);
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
