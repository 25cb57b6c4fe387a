#include "materials/inelastic/flow_curve.h"
#include "materials/inelastic/power_hardening.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// R = B p^n, whose slope at p = 0 is infinite: taken as B ((p0 + p)^n - p0^n), p0 = 1e-10, less by B 1e-10n. (Johnson, Cook 1983)
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
    return power_rise(B, p0, n, p);
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
  }
  /// The energy is a sum of Gauss points, of a smooth function from p'_0 on.
  Rise overstress(const FlowCurve &curve, const Wide &p_n, const Wide &dp, const double dt) const override
  {
    constexpr double abscissa[8] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
                                    0.5917173212478249,   0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
    constexpr double weight[8] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.18134189168918100,
                                  0.18134189168918100, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813};
    const Wide begin = reference * dt;
    const Wide::Bits fast = positive(Wide(dp - begin));
    const Wide over = select(fast, Wide(dp - begin), Wide(0.)), x = select(fast, dp, begin);
    Rise sum;
    for (int k = 0; k < 8; ++k)
    {
      const Wide at = begin + abscissa[k] * over;
      sum.energy += weight[k] * over * (curve.yield_stress() + curve.hardening(p_n + at).stress) * C * log(at / begin);
    }
    const Rise R = curve.hardening(p_n + x);
    const Wide flow = curve.yield_stress() + R.stress, r = 1. / x, rate = log(x / begin);
    sum.stress = C * flow * rate;
    sum.slope = select(fast, Wide(C * (flow * r + R.slope * rate)), Wide(0.));
    sum.curvature = select(fast, Wide(C * (2. * R.slope * r - flow * r * r + R.curvature * rate)), Wide(0.));
    return sum;
  }

private:
  double C = 0.01, reference = 1.;
};
}  // namespace
SYMDYN_REGISTER(Hardening, JohnsonCook, "johnson-cook");
SYMDYN_REGISTER(RateLaw, JohnsonCookRate, "johnson-cook");
}  // namespace symdyn
