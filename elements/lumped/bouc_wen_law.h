#pragma once
#include <array>
#include <cmath>

#include "elements/lumped/by_elongation.h"
#include "elements/lumped/element_memory.h"

namespace symdyn
{
/// The force F of an elongation e that yields gradually (Bouc 1967; Wen 1976, eqs. 1-3 with A = 1),
///     F = a k e + (1 - a) k z      dz/de = 1 - |z/z_y|^n (b sign(z de) + 1 - b)      z_y = F_y/k,  b = beta/(beta + gamma)
/// Loading has dz/de = 1 - |z/z_y|^n, unloading 1 + (2 b - 1) |z/z_y|^n; b >= 1/2 never gives energy (Erlicher, Point 2004). Along an
/// increment from e_n to e, z(e) is a function, so that there is an incremental potential: with A = k/2 (a e² + (1 - a) z²) [J]
///     W_n(e) = A(e, z(e)) + D,   D = (1 - a) k ∫ z (1 - dz/de) de >= 0 from e_n to e,   F = dW_n/de
/// Frozen it is elastic about the state, z = e - e_p. z(e) is integrated to rounding (Gragg 1965; Bulirsch, Stoer 1966), so that an
/// increment may be as long as one likes.
struct BoucWenLaw
{
  static constexpr bool quadratic = false;
  static constexpr int variables = 5;  ///< e_p = e - z, z, p: sum of |de_p|, growth of p in the last increment [m], dissipated [J]
  double k = 0, yield = 0;             ///< [N/m], F_y [N]
  double ratio = 0, exponent = 1;      ///< a, n [-]
  double unloading = 0.5;              ///< b [-]
  double length = 0;                   ///< L of elements that turn: e = r - L [m]

  double scale() const { return k * length * length; }
  double largest() const { return yield / k; }
  void add_spent(const double *m, Spent &sum) const
  {
    sum.dissipated += m[4];
    sum.stored += 0.5 * k * ratio * (1. - ratio) * m[0] * m[0];
    sum.largest_flow = std::max(sum.largest_flow, m[2] / largest());
    sum.last_flow = std::max(sum.last_flow, m[3] / largest());
  }

  /// Of u = z/z_y along x >= 0, the way in the direction of the increment over z_y, from u_0: du/dx = slope(u).
  struct Way
  {
    double change, work, loss;  ///< u - u_0, ∫ u dx, ∫ u (1 - du/dx) dx
  };
  Way along(double u, double x) const;
  double slope(const double u) const
  {
    const double power = exponent == 1. ? std::abs(u) : exponent == 2. ? u * u : std::pow(std::abs(u), exponent);
    return u < 0. ? 1. + (2. * unloading - 1.) * power : std::max(1. - power, 0.);
  }
  /// d slope/du
  double curvature(const double u) const
  {
    const double power = exponent * std::pow(std::abs(u), exponent - 1.);
    return u < 0. ? -(2. * unloading - 1.) * power : -power;
  }

  class InStep;
};

/// In a step of one element.
class BoucWenLaw::InStep : public ByElongation<BoucWenLaw>
{
public:
  using ByElongation::ByElongation;
  /// W_n, its slopes F, F', F'' by e.
  std::array<double, 4> at(const double e) const
  {
    const double soft = law.ratio * law.k, stiff = law.k - soft;
    if (frozen)
      return {0.5 * (soft * e * e + stiff * (e - m[0]) * (e - m[0])), soft * e + stiff * (e - m[0]), law.k, 0.};
    const Reached there = reach(e);
    const double z = m[1] + there.change, slope = law.slope(there.u), bend = there.sign * law.curvature(there.u) * slope / law.largest();
    return {0.5 * (soft * e * e + stiff * z * z) + stiff * there.loss, soft * e + stiff * z, soft + stiff * slope, stiff * bend};
  }
  /// (W_n(e1) - W_n(e0))/(e1 - e0) and its slope by e1. The work of z is integrated: differences of energies would cancel.
  std::array<double, 2> secant(const double e0, const double e1) const
  {
    constexpr double close = 1e-7, near = 1e-5;  // over z_y: the mean of both ends, of error (e1 - e0)², is exact; slopes would cancel
    const double de = e1 - e0, soft = law.ratio * law.k, stiff = law.k - soft;
    const auto last = at(e1);
    double g = 0.5 * (at(e0)[1] + last[1]);
    if (!frozen && std::abs(de) > close * law.largest())
      g = 0.5 * soft * (e0 + e1) + stiff * (reach(e1).work - reach(e0).work) / de;
    return {g, frozen || std::abs(de) < near * law.largest() ? 0.5 * last[2] : (last[1] - g) / de};
  }
  /// Writes the memory at e, where that is wanted.
  void remember(const double e) const
  {
    if (!to)
      return;
    std::copy_n(m, int(variables), to);
    if (frozen)
      return;
    const Reached there = reach(e);
    to[1] = m[1] + there.change;
    to[0] = e - to[1];
    to[3] = std::abs(to[0] - m[0]);
    to[2] = m[2] + to[3];
    to[4] = m[4] + (1. - law.ratio) * law.k * there.loss;
  }

private:
  struct Reached
  {
    double u, sign;             ///< z/z_y in the direction of the increment; that direction
    double change, work, loss;  ///< z - z_n [m], ∫ z de, ∫ z (1 - dz/de) de [m²]
  };
  Reached reach(const double e) const
  {
    const double z_y = law.largest(), way = e - (m[0] + m[1]);
    const double sign = way != 0. ? std::copysign(1., way) : m[1] > 0. ? -1. : 1.;  // of no way: that of unloading
    const double u = sign * m[1] / z_y;
    const Way there = law.along(u, std::abs(way) / z_y);
    return {u + there.change, sign, sign * z_y * there.change, z_y * z_y * there.work, z_y * z_y * there.loss};
  }
};
}  // namespace symdyn
