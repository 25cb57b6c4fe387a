#include "elements/lumped/constraint_set.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
double constraint_product(const Place &a, const Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
}  // namespace

Place DistanceConstraint::difference(const double *x) const
{
  Place d{};
  for (int i = 0; i < dimension; ++i)
    d[i] = (to < 0 ? anchor[i] : x[dimension * to + i]) - x[dimension * from + i];
  return d;
}

void DistanceConstraint::add_pair(const Place &d, const double factor, ConstraintRows &G) const
{
  for (int i = 0; i < dimension; ++i)
  {
    G.add(dimension * from + i, -factor * d[i]);
    if (to >= 0)
      G.add(dimension * to + i, factor * d[i]);
  }
  G.finish_row();
}

double DistanceConstraint::value(const double *x) const
{
  const Place d = difference(x);
  const double s = constraint_product(d, d);
  return squared ? s - length * length : std::sqrt(s) - length;
}

void DistanceConstraint::add_row(const double *x, ConstraintRows &G) const
{
  const Place d = difference(x);
  add_pair(d, squared ? 2. : 1. / std::sqrt(constraint_product(d, d)), G);
}

void DistanceConstraint::add_curvature(const double *x, const double lambda, const double *w, double *r) const
{
  const Place d = difference(x), e = relative(w);
  const double length_now = std::sqrt(constraint_product(d, d)),
               along = squared ? 0. : constraint_product(d, e) / (length_now * length_now),
               factor = lambda * (squared ? 2. : 1. / length_now);
  for (int i = 0; i < dimension; ++i)
  {
    const double value = factor * (e[i] - along * d[i]);
    r[dimension * from + i] -= value;
    if (to >= 0)
      r[dimension * to + i] += value;
  }
}

void DistanceConstraint::add_discrete_row(const double *x0, const double *x1, ConstraintRows &G) const
{
  const Place d0 = difference(x0), d1 = difference(x1);
  add_pair({d0[0] + d1[0], d0[1] + d1[1], d0[2] + d1[2]},
           squared ? 1. : 1. / (std::sqrt(constraint_product(d0, d0)) + std::sqrt(constraint_product(d1, d1))), G);
}

Place DistanceConstraint::relative(const double *w) const
{
  Place e{};
  for (int i = 0; i < dimension; ++i)
    e[i] = (to < 0 ? 0. : w[dimension * to + i]) - w[dimension * from + i];
  return e;
}

double DistanceConstraint::bend(const double *x, const double *v, const double *w) const
{
  const Place d = difference(x), a = relative(v), b = relative(w);
  const double s = constraint_product(d, d);
  return squared ? 2. * constraint_product(a, b)
                 : (constraint_product(a, b) - constraint_product(d, a) * constraint_product(d, b) / s) / std::sqrt(s);
}

double LinearConstraint::value(const double *x) const
{
  double g = -constant;
  for (std::size_t k = 0; k < factors.size(); ++k)
    g += factors[k] * x[coordinates[k]];
  return g;
}

void LinearConstraint::add_row(const double *, ConstraintRows &G) const
{
  for (std::size_t k = 0; k < factors.size(); ++k)
    G.add(coordinates[k], factors[k]);
  G.finish_row();
}

std::vector<double> FormulaConstraint::gathered(const double *x) const
{
  std::vector<double> z;
  for (const int k : coordinates)
    z.push_back(x[k]);
  return z;
}

double FormulaConstraint::value(const double *x) const { return formula.value(gathered(x).data()); }

void FormulaConstraint::add_row(const double *x, ConstraintRows &G) const
{
  std::vector<double> g(coordinates.size());
  formula.gradient(gathered(x).data(), g.data());
  for (std::size_t k = 0; k < g.size(); ++k)
    G.add(coordinates[k], g[k]);
  G.finish_row();
}

void FormulaConstraint::add_curvature(const double *x, const double lambda, const double *w, double *r) const
{
  std::vector<double> Hw(coordinates.size());
  formula.hessian_times(gathered(x).data(), gathered(w).data(), Hw.data());
  for (std::size_t k = 0; k < Hw.size(); ++k)
    r[coordinates[k]] += lambda * Hw[k];
}

void FormulaConstraint::add_discrete_row(const double *x0, const double *x1, ConstraintRows &G) const
{
  std::vector<double> g(coordinates.size());
  formula.discrete_gradient(gathered(x0).data(), gathered(x1).data(), g.data());
  for (std::size_t k = 0; k < g.size(); ++k)
    G.add(coordinates[k], g[k]);
  G.finish_row();
}

ConstraintSet::ConstraintSet(std::vector<std::shared_ptr<const Constraint>> given, std::vector<double> positions,
                             std::vector<char> prescribed)
    : constraints(std::move(given)), X(std::move(positions)), held(std::move(prescribed))
{
  const auto [least, most] = std::minmax_element(X.begin(), X.end());
  if (!X.empty() && *most > *least)
    span = *most - *least;
}

double FormulaConstraint::bend(const double *x, const double *v, const double *w) const
{
  std::vector<double> Hw(coordinates.size());
  const std::vector<double> along = gathered(v);
  formula.hessian_times(gathered(x).data(), gathered(w).data(), Hw.data());
  double sum = 0;
  for (std::size_t k = 0; k < Hw.size(); ++k)
    sum += along[k] * Hw[k];
  return sum;
}

double ConstraintSet::farthest(const std::vector<double> &u) const
{
  double far = 0;
  for (std::size_t i = 0; i < X.size(); ++i)
    far = std::max(far, std::abs(X[i] + u[i]));
  return far;
}

void ConstraintSet::bending(const std::vector<double> &u, const std::vector<double> &v, const std::vector<double> &w,
                            std::vector<double> &c) const
{
  const std::vector<double> x = present(u);
  for (int i = 0; i < size(); ++i)
    c[i] = constraints[i]->bend(x.data(), v.data(), w.data());
}

void ConstraintSet::gather(const Vector &x, std::vector<double> &w) const { w.assign(x.begin(), x.begin() + X.size()); }

void ConstraintSet::scatter(const std::vector<double> &w, Vector &x) const
{
  std::vector<double> free(w);
  for (std::size_t i = 0; i < w.size(); ++i)
    if (held[i])
      free[i] = 0.;
  scatter_all(free, x);
}

void ConstraintSet::scatter_all(const std::vector<double> &w, Vector &x) const
{
  for (std::size_t i = 0; i < w.size(); ++i)
    x.local_element(i) += w[i];
}

std::vector<double> ConstraintSet::present(const std::vector<double> &u) const
{
  std::vector<double> x(X);
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] += u[i];
  return x;
}

void ConstraintSet::values(const std::vector<double> &u, std::vector<double> &g) const
{
  const std::vector<double> x = present(u);
  g.clear();
  for (const auto &constraint : constraints)
    g.push_back(constraint->value(x.data()));
}

void ConstraintSet::jacobian(const std::vector<double> &u, ConstraintRows &G) const
{
  const std::vector<double> x = present(u);
  G.clear();
  for (const auto &constraint : constraints)
    constraint->add_row(x.data(), G);
}

void ConstraintSet::discrete_jacobian(const std::vector<double> &u0, const std::vector<double> &u1, ConstraintRows &G) const
{
  const std::vector<double> x0 = present(u0), x1 = present(u1);
  G.clear();
  for (const auto &constraint : constraints)
    constraint->add_discrete_row(x0.data(), x1.data(), G);
}

void ConstraintSet::curvature(const std::vector<double> &u, const std::vector<double> &lambda, const std::vector<double> &w,
                              std::vector<double> &r) const
{
  const std::vector<double> x = present(u);
  for (int i = 0; i < size(); ++i)
    constraints[i]->add_curvature(x.data(), lambda[i], w.data(), r.data());
}
}  // namespace symdyn
