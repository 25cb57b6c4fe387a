#pragma once
#include <cmath>

#include "elements/central_pairs.h"

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
  return cut<order>({f[0], f[1] / (2. * r), (f[2] - f[1] / r) / (4. * r * r), (f[3] - 3. * f[2] / r + 3. * f[1] / (r * r)) / (8. * r * r * r)});
}

/// phi = k/2 (s - L²)². With k = EA/(4 L³) the axial energy EA L/2 E² of the Green-Lagrange strain E = (s - L²)/(2 L²) (Bonet and Wood 2008, sect.
/// 3.2), with k = K/2 the quartic spring K/4 (r² - L²)², with k = omega² the penalty of a rigid rod (Tao and Owhadi 2015, sect. 4.1).
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
    return cut<order>({0.5 * k * (r - length) * (r - length), 0.5 * k * (1. - length / r), 0.25 * k * length / (s * r), -0.375 * k * length / (s * s * r)});
  }
  bool smooth(const double s0, const double s1) const { return !slack || (s0 < length * length) == (s1 < length * length); }
  double scale() const { return k * length * length; }
};
}  // namespace symdyn
