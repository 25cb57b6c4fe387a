#include <cmath>

#include "materials/inelastic/flow_curve.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// R = B p^n (Johnson, Cook 1983), whose slope at p = 0 is infinite: below p0 = 1e-10 the chord B p0^n p/p0.
class JohnsonCook : public Hardening
{
public:
  void declare(Parameters &p) override
  {
    p.add("Johnson-Cook modulus", B, "B: growth B p^n of the yield stress (Johnson, Cook) [Pa]", positive());
    p.add("Johnson-Cook exponent", n, "n of Johnson's and Cook's growth [-]", Range{0., 1., true, false});
    if (p.given("Johnson-Cook modulus") != p.given("Johnson-Cook exponent"))
      p.fail(p.given("Johnson-Cook modulus") ? "Johnson-Cook modulus" : "Johnson-Cook exponent",
             "the growth B p^n needs both. Give Johnson-Cook modulus and Johnson-Cook exponent");
  }
  bool given() const override { return B != 0.; }
  Rise at(const Wide &p) const override
  {
    constexpr double p0 = 1e-10;
    const double at_p0 = B * std::pow(p0, n);
    const Wide::Bits above = positive(Wide(p - p0));
    const Wide x = select(above, p, Wide(p0)), stress = B * pow(x, n), r = 1. / x;
    return {select(above, Wide((stress * x - at_p0 * p0) * (1. / (n + 1.)) + 0.5 * at_p0 * p0), Wide(0.5 * at_p0 / p0 * p * p)),
            select(above, stress, Wide(at_p0 / p0 * p)), select(above, Wide(n * stress * r), Wide(at_p0 / p0)),
            select(above, Wide(n * (n - 1.) * stress * r * r), Wide(0.))};
  }

private:
  double B = 0., n = 0.;
};

/// (sigma_y + R) C ln(p'/p'_0) where p' > p'_0, else 0, of p' = dp/dt (Johnson, Cook 1983).
class JohnsonCookRate : public RateLaw
{
public:
  void declare(Parameters &p) override
  {
    p.add("Coefficient", C, "C: the flow stress grows by the factor 1 + C ln(p'/p'_0) [-]", positive());
    p.add("Reference rate", reference, "p'_0, below which the rate has no influence [1/s]", positive());
    require_given(p, {"Coefficient", "Reference rate"}, "the flow stress grows by the factor 1 + C ln(p'/p'_0)");
  }
  Rise overstress(const FlowCurve &curve, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    const Wide begin = reference * dt;
    const Wide::Bits fast = positive(Wide(dp - begin));
    const Wide x = select(fast, dp, begin), r = 1. / x, rate = log(x / begin);
    const Rise R = curve.hardening(p_n + x);
    const Wide flow = curve.yield_stress() + R.stress;
    return {0., C * flow * rate, select(fast, Wide(C * (flow * r + R.slope * rate)), Wide(0.)),
            select(fast, Wide(C * (2. * R.slope * r - flow * r * r + R.curvature * rate)), Wide(0.))};
  }
  /// From p'_0 dt to dp, in the logarithm of x/(p'_0 dt), by Gauss points.
  Wide energy(const FlowCurve &curve, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    const Wide begin = reference * dt, over = log(select(positive(Wide(dp - begin)), dp, begin) / begin);
    Wide sum = 0.;
    for (int k = 0; k < gauss_points; ++k)
    {
      const Wide ratio = gauss_abscissa[k] * over, at = begin * exp(ratio);
      sum += gauss_weight_of[k] * over * at * (curve.yield_stress() + curve.hardening(p_n + at).stress) * C * ratio;
    }
    return sum;
  }

private:
  double C = 0.01, reference = 1.;
};
}  // namespace
SYMDYN_REGISTER(Hardening, JohnsonCook, "johnson-cook");
SYMDYN_REGISTER(RateLaw, JohnsonCookRate, "johnson-cook");
}  // namespace symdyn
