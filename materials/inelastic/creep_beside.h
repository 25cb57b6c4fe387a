#pragma once
#include <memory>

#include "materials/inelastic/hardening.h"

namespace symdyn
{
class FlowConstants;

/// Creep beside plastic flow. Both have one direction and one stress q of von Mises, and their strains add: dp = dp_p + dp_c with
///     q = c(dp_c) = sigma_y + R(p_p + dp_p) where c(dp) > sigma_y + R(p_p), else dp_p = 0 and q = c(dp),
/// c: the stress that the rate dp_c/dt of creep needs; sigma_y, R and c are those of the temperature (FlowConstants). The potentials of
/// both are minimal then: of all parts of dp, for ∫ (sigma_y + R) dp_p + ∫ c d(dp_c), as the derivative by a part is the difference of the
/// two stresses.
class CreepBeside
{
public:
  /// `exponent`: n of c, about dp_c^(1/n), which makes it almost linear in (dp_c/dp)^(1/n).
  CreepBeside(std::shared_ptr<const RateLaw> rate, const double exponent) : rate(std::move(rate)), exponent(exponent) {}

  /// Where an increment starts: plastic and crept strain, and its length [s].
  struct From
  {
    const FlowConstants *of;
    Wide plastic, crept;
    double dt;
  };
  /// c, and ∫ c d(dp_c) [J/m³], of the constants of one temperature.
  Rise stress(const FlowCurve &curve, const Wide &crept, const Wide &creep, const double dt) const
  {
    return rate->overstress(curve, crept, creep, dt);
  }
  Wide energy(const FlowCurve &curve, const Wide &crept, const Wide &creep, const double dt) const
  {
    return rate->energy(curve, crept, creep, dt);
  }

  /// dp_c of dp > 0; NaN where it is not found.
  Wide creep(const From &from, const Wide &dp) const;
  /// q as a function of dp > 0; without its energy.
  Rise resistance(const From &from, const Wide &dp) const;
  /// ∫ c d(dp_c) [J/m³], and c dp_c, which is dissipated.
  Wide energy(const From &from, const Wide &creep) const;
  Wide loss(const From &from, const Wide &creep) const;

private:
  /// Creep below this part of dp is none.
  static constexpr double least = 1e-30;

  std::shared_ptr<const RateLaw> rate;
  double exponent;
};
}  // namespace symdyn
