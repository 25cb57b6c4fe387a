#include <cmath>

#include "elements/contact/laws/contact_law.h"
#include "elements/contact/laws/fade.h"

namespace symdyn
{
/// p = p0 exp(-ln(100) g/c0): p0 at touching, 1 % of it at the clearance c0 (CalculiX, *SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=EXPONENTIAL:
/// Dhondt 2004), times a fade F(y) for y = g/c0 - 2 in [0, 1]; Phi = -∫ p dg, in closed form. Pinned by
/// ContactLaws.ExponentialIsItsIntegralOfThePressure.
class Exponential : public ContactLaw
{
public:
  std::vector<std::string> entries() const override { return {"Pressure", "Distance"}; }
  std::array<std::string, 2> take(const ContactEntries &entries) override
  {
    p0 = entries.pressure;
    c0 = entries.distance;
    if (p0 <= 0.)
      return {"Pressure", "Law = exponential needs the pressure at touching [Pa]"};
    if (c0 <= 0.)
      return {"Distance", "Law = exponential needs the clearance at which 1 % of the pressure is left [m]"};
    return {};
  }
  std::array<double, 5> at(const double g) const override
  {
    const double y = g / c0 - begin, rate = decay / c0;
    if (y >= 1.)
      return {};
    const double p = p0 * std::exp(-rate * g), tail = p0 * std::exp(-begin * decay);
    const double end = c0 * tail * std::exp(-decay) * moments(1.);
    if (y <= 0.)
      return {(p - tail) / rate + c0 * tail * moments(0.) - end, -p, rate * p, -rate * rate * p, rate * rate * rate * p};
    const auto F = fade(y);
    const double f1 = F[1] / c0, f2 = F[2] / (c0 * c0), f3 = F[3] / (c0 * c0 * c0), r2 = rate * rate;
    return {c0 * p * moments(y) - end, -p * F[0], p * (rate * F[0] - f1), -p * (r2 * F[0] - 2. * rate * f1 + f2),
            p * (r2 * rate * F[0] - 3. * r2 * f1 + 3. * rate * f2 - f3)};
  }
  double reach() const override { return (begin + 1.) * c0; }
  double scale(double) const override { return c0; }
  double stiffness() const override { return p0 * decay / c0; }
  int smoothness() const override { return 4; }

private:
  static constexpr double begin = 2., decay = 4.605170185988092;  // of the fade, in c0; ln 100
  /// sum F^(n)(y)/decay^(n+1), so that ∫ exp(-decay y) F dy = -exp(-decay y) times it.
  static double moments(const double y)
  {
    const auto F = fade(y);
    double sum = 0;
    for (int n = orders_of_fade; n-- > 0;)
      sum = (sum + F[n]) / decay;
    return sum;
  }
  double p0 = 1., c0 = 1.;
};
SYMDYN_REGISTER(ContactLaw, Exponential, "exponential");
}  // namespace symdyn
