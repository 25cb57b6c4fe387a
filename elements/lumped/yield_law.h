#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "elements/lumped/by_elongation.h"
#include "elements/lumped/element_memory.h"

namespace symdyn
{
/// The force F of an elongation e that yields: plasticity in one dimension without rates, with linear isotropic and kinematic hardening
/// (Prager). With the memory m = (e_p, p), the plastic elongation and the sum of its changes [m],
///     A(e, m) = k/2 (e - e_p)² + C/2 e_p² + H/2 p²      |F - C e_p| <= F_y + H p,  F = k (e - e_p)
///     W_n(e) = min over e_p of A(e, e_p, p) + F_y |e_p - e_p,n|,  p = p_n + |e_p - e_p,n|      [J]
/// Closed form (Simo, Hughes 1998, box 1.5): where f = |k (e - e_p,n) - C e_p,n| - F_y - H p_n > 0, p grows by f/(k + C + H) and W_n =
/// A(e, m_n) - f²/(2 (k + C + H)), else nothing flows. An increment dissipates F_y (p - p_n).
struct YieldLaw
{
  static constexpr bool quadratic = false;
  static constexpr int variables = 3;   ///< e_p, p, growth of p in the last increment
  double k = 0, yield = 0;              ///< [N/m], F_y [N]
  double isotropic = 0, kinematic = 0;  ///< H, C [N/m]
  double length = 0;                    ///< L of elements that turn: e = r - L [m]
  double unit = 1;                      ///< what p is measured by: of a bar its length, of a spring its elongation at first yield [m]
  double volume = 0;                    ///< of a bar [m³]

  double scale() const { return k * length * length; }
  void add_spent(const double *m, Spent &sum) const;

  class InStep;
};

/// In a step of one element.
class YieldLaw::InStep : public ByElongation<YieldLaw>
{
public:
  using ByElongation::ByElongation;
  /// W_n, its slopes F, F', F'' by e.
  std::array<double, 4> at(const double e) const
  {
    const auto [trial, f] = excess(e);
    const double elastic = 0.5 * (law.k * (e - m[0]) * (e - m[0]) + law.kinematic * m[0] * m[0] + law.isotropic * m[1] * m[1]);
    const double F = law.k * (e - m[0]);
    if (f <= 0.)
      return {elastic, F, law.k, 0.};
    const double dp = f / all();
    return {elastic - 0.5 * f * dp, F - std::copysign(law.k * dp, trial), law.k * (1. - law.k / all()), 0.};
  }
  /// (W_n(e1) - W_n(e0))/(e1 - e0) and its slope by e1: means of F and of t F' over e0 + t (e1 - e0), exact because F' is constant outside
  /// of the elastic range and in it.
  std::array<double, 2> secant(const double e0, const double e1) const
  {
    const double de = e1 - e0, flowing = frozen ? law.k : law.k * (1. - law.k / all());
    const double centre = m[0] * (1. + law.kinematic / law.k), half = (law.yield + law.isotropic * m[1]) / law.k;
    double a = 0., b = std::abs(e0 - centre) <= half ? 1. : 0.;  // the part of t in the elastic range
    if (de != 0.)
    {
      a = std::clamp((centre - std::copysign(half, de) - e0) / de, 0., 1.);
      b = std::clamp((centre + std::copysign(half, de) - e0) / de, 0., 1.);
    }
    const double of_t = 0.5 * (b * b - a * a), of_rest = (b - a) - of_t;
    return {at(e0)[1] + de * (0.5 * flowing + (law.k - flowing) * of_rest), 0.5 * flowing + (law.k - flowing) * of_t};
  }
  /// Writes the memory at e, where that is wanted.
  void remember(const double e) const
  {
    if (!to)
      return;
    const auto [trial, f] = excess(e);
    const double dp = std::max(f, 0.) / all();
    to[0] = m[0] + std::copysign(dp, trial);
    to[1] = m[1] + dp;
    to[2] = frozen ? m[2] : dp;
  }

private:
  /// k (e - e_p,n) - C e_p,n, and by how much it is too large for an elastic step [N].
  std::pair<double, double> excess(const double e) const
  {
    const double trial = law.k * (e - m[0]) - law.kinematic * m[0];
    return {trial, frozen ? 0. : std::abs(trial) - law.yield - law.isotropic * m[1]};
  }
  double all() const { return law.k + law.kinematic + law.isotropic; }
};

inline void YieldLaw::add_spent(const double *m, Spent &sum) const
{
  sum.dissipated += yield * m[1];
  sum.stored += 0.5 * (kinematic * m[0] * m[0] + isotropic * m[1] * m[1]);
  sum.largest_flow = std::max(sum.largest_flow, m[1] / unit);
  sum.last_flow = std::max(sum.last_flow, m[2] / unit);
  sum.volume += volume;
  sum.flowing += m[2] > 0. ? volume : 0.;
}
}  // namespace symdyn
