#include "solver/dynamics/multipliers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/timer.h"
#include "solver/dynamics/nodal_projection.h"
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

namespace
{
/// M^-1 along nodal constraints.
class MassAlongNodal : public LinearSolve
{
public:
  MassAlongNodal(const MechanicalSystem &system, const Vector &from, const Vector &q) : system(system), nodal(system), from(from), q(q) {}
  int solve(const Vector &r, Vector &x, double) const override
  {
    system.mass_solve(r, x);
    x.update_ghost_values();
    const double whole = x.l2_norm();
    if (&from == &q)
      nodal.meet_rates(q, x);
    else
      nodal.meet_rates_from(from, q, x);
    left.push_back(whole > 0. ? x.l2_norm() / whole : 1.);
    return 0;
  }
  /// Of each x that has been solved for: what nodal constraints leave of it, over the whole.
  const std::vector<double> &shares() const { return left; }
  void multiply(const Vector &x, Vector &y) const override { system.mass(x, y); }
  double tolerance() const override { return 0.; }
  bool iterative() const override { return false; }

private:
  const MechanicalSystem &system;
  NodalProjection nodal;
  const Vector &from, &q;
  mutable std::vector<double> left;
};
}  // namespace

void Multipliers::directions(const ConstraintRows &D, const Vector &from, const Vector &q)
{
  if (!system.nodal_constraints())
    return directions(D);
  constexpr double nothing = 1e-10;
  const MassAlongNodal mass(system, from, q);
  directions(D, mass, 0.);
  for (int i = 0; i < size(); ++i)
    if (mass.shares()[i] < nothing)
      throw ComputationError(constraint_in_words(g, i) + " cannot be held: exact directors leave no motion across it. Remove it");
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

std::string without_constraints(const HolonomicConstraints &constraints)
{
  return constraints.size() > 0 && constraints.where(0).empty() ? "--set Elements/Directors=elastic"
                                                                : "--set Constraints/Treatment=penalty with an omega";
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
}  // namespace symdyn
