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
    if (!p.given("Drag stress") && p.exists())
      p.fail("", "Drag stress is missing: the overstress is D p'^(1/n). Give Drag stress [Pa] and Exponent");
  }
  Rise overstress(const FlowCurve &, const Wide &, const Wide &dp, const double dt) const override { return power_of_rate(D, n, dp, dt); }

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
  }
  Rise overstress(const FlowCurve &curve, const Wide &, const Wide &dp, const double dt) const override
  {
    return power_of_rate(curve.yield_stress() * std::pow(gamma, -1. / n), n, dp, dt);
  }

private:
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
  }
  /// The energy is ∫ (sigma_y + R) (x/(D dt))^(1/P) dx to dp, by Gauss points in s, x = dp s^P, where the integrand is smooth.
  Rise overstress(const FlowCurve &curve, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    constexpr double abscissa[8] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
                                    0.5917173212478249,   0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
    constexpr double weight[8] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.18134189168918100,
                                  0.18134189168918100, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813};
    const double m = 1. / P;
    const Wide factor = pow(Wide((1. / (D * dt)) * dp), m), r = 1. / dp;
    Rise sum;
    for (int k = 0; k < 8; ++k)
    {
      const double s = abscissa[k];
      const Wide flow = curve.yield_stress() + curve.hardening(p_n + std::pow(s, P) * dp).stress;
      sum.energy += (weight[k] * P * std::pow(s, P)) * flow * factor * dp;  // s^P = s s^(P-1)
    }
    const Rise R = curve.hardening(p_n + dp);
    const Wide flow = curve.yield_stress() + R.stress;
    sum.stress = flow * factor;
    sum.slope = factor * (R.slope + m * flow * r);
    sum.curvature = factor * (R.curvature + 2. * m * R.slope * r + m * (m - 1.) * flow * r * r);
    return sum;
  }

private:
  double D = 40., P = 5.;
};
}  // namespace
SYMDYN_REGISTER(RateLaw, Norton, "norton");
SYMDYN_REGISTER(RateLaw, Perzyna, "perzyna");
SYMDYN_REGISTER(RateLaw, CowperSymonds, "cowper-symonds");
}  // namespace symdyn
