#include "materials/inelastic/norton.h"

#include <limits>

#include "materials/inelastic/flow_curve.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// D p'^(1/n)  (Norton 1929, above a yield stress: Chaboche 1989)
class Norton : public RateLaw
{
public:
  void declare(Parameters &p) override
  {
    p.add("Drag stress", D, "D: overstress D p'^(1/n), at a rate of 1/s [Pa]", positive());
    p.add("Exponent", n, "n of the overstress [-]", Range{1., std::numeric_limits<double>::infinity(), false, false});
    require_given(p, {"Drag stress", "Exponent"}, "the overstress is D p'^(1/n)");
  }
  Rise overstress(const FlowCurve &, const Wide &, const Wide &dp, const double dt) const override { return power_of_rate(D, n, dp, dt); }
  Wide energy(const FlowCurve &, const Wide &, const Wide &dp, const double dt) const override { return energy_of_power(D, n, dp, dt); }

private:
  double D = 0., n = 1.;
};

/// sigma_y (p'/gamma)^(1/n), sigma_y of the virgin material  (Perzyna 1966)
class Perzyna : public RateLaw
{
public:
  void declare(Parameters &p) override
  {
    p.add("Fluidity", gamma, "gamma: the rate at which the overstress is the virgin yield stress [1/s]", positive());
    p.add("Exponent", n, "n: overstress sigma_y (p'/gamma)^(1/n) [-]", Range{1., std::numeric_limits<double>::infinity(), false, false});
    require_given(p, {"Fluidity", "Exponent"}, "the overstress is sigma_y (p'/gamma)^(1/n)");
  }
  Rise overstress(const FlowCurve &curve, const Wide &, const Wide &dp, const double dt) const override
  {
    return power_of_rate(drag(curve), n, dp, dt);
  }
  Wide energy(const FlowCurve &curve, const Wide &, const Wide &dp, const double dt) const override
  {
    return energy_of_power(drag(curve), n, dp, dt);
  }

private:
  double drag(const FlowCurve &curve) const { return curve.yield_stress() * std::pow(gamma, -1. / n); }
  double gamma = 1., n = 1.;
};

/// (sigma_y + R) (p'/D)^(1/P): the whole flow stress grows by the factor 1 + (p'/D)^(1/P)  (Cowper, Symonds 1957)
class CowperSymonds : public RateLaw
{
public:
  void declare(Parameters &p) override
  {
    p.add("Reference rate", D, "D: at this rate the flow stress has doubled; mild steel: 40 [1/s]", positive());
    p.add("Exponent", P, "P: factor 1 + (p'/D)^(1/P) of the flow stress; mild steel: 5 [-]",
          Range{1., std::numeric_limits<double>::infinity(), false, false});
    require_given(p, {"Reference rate", "Exponent"}, "the flow stress grows by the factor 1 + (p'/D)^(1/P)");
  }
  Rise overstress(const FlowCurve &curve, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    const double m = 1. / P;
    const Wide factor = pow(Wide((1. / (D * dt)) * dp), m), r = 1. / dp;
    const Rise R = curve.hardening(p_n + dp);
    const Wide flow = curve.yield_stress() + R.stress;
    return {0., flow * factor, factor * (R.slope + m * flow * r),
            factor * (R.curvature + 2. * m * R.slope * r + m * (m - 1.) * flow * r * r)};
  }
  /// ∫ (sigma_y + R) (x/(D dt))^(1/P) dx to dp, by Gauss points in s, x = dp s^P, where the integrand is smooth.
  Wide energy(const FlowCurve &curve, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    const Wide factor = pow(Wide((1. / (D * dt)) * dp), 1. / P);
    Wide sum = 0.;
    for (int k = 0; k < gauss_points; ++k)
    {
      const double power = std::pow(gauss_abscissa[k], P);  // dx = P s^(P-1) dp ds
      sum += (gauss_weight_of[k] * P * power) * (curve.yield_stress() + curve.hardening(p_n + power * dp).stress);
    }
    return sum * factor * dp;
  }

private:
  double D = 40., P = 5.;
};
}  // namespace
SYMDYN_REGISTER(RateLaw, Norton, "norton");
SYMDYN_REGISTER(RateLaw, Perzyna, "perzyna");
SYMDYN_REGISTER(RateLaw, CowperSymonds, "cowper-symonds");
}  // namespace symdyn
