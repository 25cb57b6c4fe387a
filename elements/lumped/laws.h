#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "elements/lumped/central_pairs.h"

namespace symdyn
{
/// The first order + 1 of four numbers.
template <int order>
PairSlopes<order> cut(const std::array<double, 4> &all)
{
  PairSlopes<order> some;
  for (int i = 0; i <= order; ++i)
    some[i] = all[i];
  return some;
}

/// Slopes by s = r² from slopes f, f', f'', f''' by r.
template <int order>
PairSlopes<order> by_square(const double r, const std::array<double, 4> &f)
{
  return cut<order>(
      {f[0], f[1] / (2. * r), (f[2] - f[1] / r) / (4. * r * r), (f[3] - 3. * f[2] / r + 3. * f[1] / (r * r)) / (8. * r * r * r)});
}

/// phi = k/2 (s - L²)². With k = EA/(4 L³) the axial energy EA L/2 E² of the Green-Lagrange strain E = (s - L²)/(2 L²) (Bonet and Wood
/// 2008, sect. 3.2), with k = K/2 the quartic spring K/4 (r² - L²)², with k = omega² the penalty of a rigid rod (Tao and Owhadi 2015,
/// sect. 4.1).
struct SquaredLaw
{
  static constexpr bool quadratic = true;
  double k, length;  ///< [N/m³], L [m]
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double strain = s - length * length;
    return cut<order>({0.5 * k * strain * strain, k * strain, k, 0.});
  }
  bool smooth(double, double) const { return true; }
  double scale() const { return k * std::pow(length, 4); }
};

/// phi = k/2 (r - L)² [k: N/m]; `slack`: 0 for r < L, a cable.
struct LinearLaw
{
  static constexpr bool quadratic = false;
  double k, length;
  bool slack = false;
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    if (length == 0.)
      return cut<order>({0.5 * k * s, 0.5 * k, 0., 0.});
    const double r = std::sqrt(s);
    if (slack && r < length)
      return {};
    return cut<order>({0.5 * k * (r - length) * (r - length), 0.5 * k * (1. - length / r), 0.25 * k * length / (s * r),
                       -0.375 * k * length / (s * s * r)});
  }
  bool smooth(const double s0, const double s1) const { return !slack || (s0 < length * length) == (s1 < length * length); }
  double scale() const { return k * length * length; }
};

/// phi = integral of the force F(e) of the elongation e = r - L: linear between the points of a table, constant beyond them.
struct TableLaw
{
  static constexpr bool quadratic = false;
  std::vector<double> elongation, force, work;  ///< [m], ascending; [N]; integral from 0 to each elongation [J]
  double length = 0;

  /// Errors: none; the tables are of equal length, and elongations ascend.
  TableLaw(const std::vector<double> &e, const std::vector<double> &F, const double L)
      : elongation(e), force(F), work(e.size(), 0.), length(L)
  {
    for (std::size_t i = 1; i < e.size(); ++i)
      work[i] = work[i - 1] + 0.5 * (F[i - 1] + F[i]) * (e[i] - e[i - 1]);
    const double at_rest = at(0.)[0];
    for (double &W : work)
      W -= at_rest;
  }
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double r = std::sqrt(s);
    return by_square<order>(r, at(r - length));
  }
  bool smooth(const double s0, const double s1) const { return segment(std::sqrt(s0) - length) == segment(std::sqrt(s1) - length); }
  double scale() const { return largest() * length; }
  /// Of the forces [N], and of the elongations [m].
  double largest() const
  {
    double most = 0;
    for (const double F : force)
      most = std::max(most, std::abs(F));
    return most;
  }
  double reach() const { return std::max(std::abs(elongation.front()), std::abs(elongation.back())); }
  /// W, F, F', F'' of an elongation
  std::array<double, 4> at(const double e) const
  {
    const std::size_t i = segment(e);
    if (i == 0 || i == elongation.size())
    {
      const std::size_t end = i == 0 ? 0 : i - 1;
      return {work[end] + force[end] * (e - elongation[end]), force[end], 0., 0.};
    }
    const double k = (force[i] - force[i - 1]) / (elongation[i] - elongation[i - 1]), x = e - elongation[i - 1];
    return {work[i - 1] + (force[i - 1] + 0.5 * k * x) * x, force[i - 1] + k * x, k, 0.};
  }

private:
  std::size_t segment(const double e) const { return std::upper_bound(elongation.begin(), elongation.end(), e) - elongation.begin(); }
};
}  // namespace symdyn
