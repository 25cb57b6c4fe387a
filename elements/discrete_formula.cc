#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/discrete_terms.h"
#include "solver/expression_series.h"

namespace symdyn
{
namespace
{
/// The slopes e[order] in all n coordinates of a formula on the line z + s a (a = nullptr: 0), `lanes` at once.
template <int order, int lanes>
void slopes_by(const Expression &expression, const int n, const double *z, const double *a, double *result)
{
  using Scalar = Series<order, lanes>;
  std::vector<Scalar> at(n);
  for (int first = 0; first < n; first += lanes)
  {
    const int last = std::min(n, first + lanes);
    for (int i = 0; i < n; ++i)
    {
      at[i] = Scalar(z[i]);
      if constexpr (order > 0)
        at[i].c[1] = a[i];
      if (i >= first && i < last)
        at[i].e[0][i - first] = 1.;
    }
    const Scalar value = expression(at.data());
    std::copy(value.e[order], value.e[order] + last - first, result + first);
  }
}

/// One point in 1, 2, 3 dimensions, or a pair in space: one evaluation each.
template <int order>
void slopes(const Expression &expression, const int n, const double *z, const double *a, double *result)
{
  (n <= 1 ? slopes_by<order, 1> : n == 2 ? slopes_by<order, 2> : n == 3 ? slopes_by<order, 3> : slopes_by<order, 6>)(expression, n, z, a, result);
}

double product(const std::vector<double> &a, const std::vector<double> &b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}
}  // namespace

std::vector<double> FormulaPotential::gradient(const double *z) const
{
  std::vector<double> g(variables);
  slopes<0>(expression, variables, z, nullptr, g.data());
  return g;
}

std::vector<double> FormulaPotential::hessian_times(const double *z, const double *u) const
{
  std::vector<double> Hu(variables);
  slopes<1>(expression, variables, z, u, Hu.data());
  return Hu;
}

std::vector<double> FormulaPotential::third(const double *z, const double *a) const
{
  std::vector<double> r(variables);
  slopes<2>(expression, variables, z, a, r.data());
  for (double &value : r)
    value *= 2.;
  return r;
}

std::vector<double> FormulaPotential::hessian(const double *z) const
{
  std::vector<double> H(variables * variables), e(variables, 0.);
  for (int i = 0; i < variables; ++i)
  {
    e[i] = 1.;
    slopes<1>(expression, variables, z, e.data(), &H[i * variables]);
    e[i] = 0.;
  }
  return H;
}

void FormulaPotential::gather(const int set, const double *x, double *z) const
{
  for (int i = 0; i < variables; ++i)
    z[i] = x[coordinates[set * variables + i]];
}

void FormulaPotential::scatter(const int set, const std::vector<double> &z, double *f) const
{
  for (int i = 0; i < variables; ++i)
    f[coordinates[set * variables + i]] += z[i];
}

double FormulaPotential::potential(const double *x) const
{
  std::vector<double> z(variables);
  double V = 0;
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x, z.data());
    V += expression(z.data());
  }
  return V;
}

void FormulaPotential::add_force(const double *x, double *f) const
{
  std::vector<double> z(variables);
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x, z.data());
    scatter(set, gradient(z.data()), f);
  }
}

void FormulaPotential::add_stiffness(const double *x, const double *u, double *Ku) const
{
  std::vector<double> z(variables), w(variables);
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x, z.data());
    gather(set, u, w.data());
    scatter(set, hessian_times(z.data(), w.data()), Ku);
  }
}

void FormulaPotential::add_third(const double *x, const double *a, double *r) const
{
  std::vector<double> z(variables), w(variables);
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x, z.data());
    gather(set, a, w.data());
    scatter(set, third(z.data(), w.data()), r);
  }
}

void FormulaPotential::add_tangent(const double *x, const double weight, const AddEntry &add) const
{
  std::vector<double> z(variables);
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x, z.data());
    const std::vector<double> H = hessian(z.data());
    const int *const dofs = &coordinates[set * variables];
    for (int i = 0; i < variables; ++i)
      for (int j = 0; j < variables; ++j)
        add(dofs[i], dofs[j], weight * H[i * variables + j]);
  }
}

/// g = gradient + c dz with c = N/|dz|², N = V(z1) - V(z0) - gradient·dz.
struct FormulaPotential::Quotient
{
  std::vector<double> middle, dz, gradient;
  double N = 0, dz_dz = 0;
  bool series = false;  ///< N is rounding alone; its first term V'''[dz, dz, dz]/24 is used
};

FormulaPotential::Quotient FormulaPotential::quotient(const double *z0, const double *z1) const
{
  Quotient r;
  r.middle.resize(variables);
  r.dz.resize(variables);
  for (int i = 0; i < variables; ++i)
  {
    r.middle[i] = 0.5 * (z0[i] + z1[i]);
    r.dz[i] = z1[i] - z0[i];
  }
  r.gradient = gradient(r.middle.data());
  r.dz_dz = product(r.dz, r.dz);
  const double V0 = expression(z0), V1 = expression(z1), work = product(r.gradient, r.dz);
  r.N = V1 - V0 - work;
  constexpr double rounding = 16. * std::numeric_limits<double>::epsilon();
  r.series = r.dz_dz == 0. || std::abs(r.N) <= rounding * (std::abs(V0) + std::abs(V1));
  if (r.series)
    r.N = product(third(r.middle.data(), r.dz.data()), r.dz) / 24.;
  return r;
}

void FormulaPotential::add_discrete_gradient(const double *x0, const double *x1, double *f) const
{
  std::vector<double> z0(variables), z1(variables);
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x0, z0.data());
    gather(set, x1, z1.data());
    Quotient r = quotient(z0.data(), z1.data());
    for (int i = 0; i < variables && r.dz_dz > 0.; ++i)
      r.gradient[i] += r.N / r.dz_dz * r.dz[i];
    scatter(set, r.gradient, f);
  }
}

void FormulaPotential::add_discrete_tangent(const double *x0, const double *x1, const double weight, const AddEntry &add) const
{
  std::vector<double> z0(variables), z1(variables), slope(variables);
  for (int set = 0; set < sets(); ++set)
  {
    gather(set, x0, z0.data());
    gather(set, x1, z1.data());
    const Quotient r = quotient(z0.data(), z1.data());
    const std::vector<double> H = hessian(r.middle.data());
    // d N/d z1
    if (r.series)
    {
      slope = third(r.middle.data(), r.dz.data());
      for (double &value : slope)
        value /= 8.;
    }
    else
    {
      slope = gradient(z1.data());
      const std::vector<double> Hdz = hessian_times(r.middle.data(), r.dz.data());
      for (int i = 0; i < variables; ++i)
        slope[i] -= r.gradient[i] + 0.5 * Hdz[i];
    }
    const double c = r.dz_dz > 0. ? r.N / r.dz_dz : 0.;
    const int *const dofs = &coordinates[set * variables];
    for (int i = 0; i < variables; ++i)
      for (int j = 0; j < variables; ++j)
      {
        double value = 0.5 * H[i * variables + j] + (i == j ? c : 0.);
        if (r.dz_dz > 0.)
          value += r.dz[i] * (slope[j] - 2. * c * r.dz[j]) / r.dz_dz;
        add(dofs[i], dofs[j], weight * value);
      }
  }
}
}  // namespace symdyn
