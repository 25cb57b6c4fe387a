#include <algorithm>
#include <cmath>

#include "elements/contact/laws/contact_law.h"

namespace symdyn
{
/// CalculiX's linear law of nodes against faces (Dhondt, CalculiX CrunchiX USER'S MANUAL, node-to-face penalty contact), d = -g:
///     p = K d (1/2 + atan(d/e)/pi),   e = pi sigma/K
/// It tends to K d when pressed and to -sigma when open; sigma: `Pressure`. Beyond the clearance c0 = `Distance` CalculiX cuts it off. Here
/// it ends by a polynomial of degree 7 between c0 and 2 c0, with three continuous derivatives. Phi = ∫_g p, in closed form. Pinned by
/// ContactLaws.DerivativesAreThoseOfTheEnergy and ContactLaws.TensionIsThatOfCalculix.
class Tension : public ContactLaw
{
public:
  std::vector<std::string> entries() const override { return {"Stiffness", "Pressure", "Distance"}; }
  std::array<std::string, 2> take(const ContactEntries &entries) override
  {
    k = entries.stiffness;
    constexpr double of_face = 1e-3;  // about CalculiX's c0, of the root of the area of a node
    c0 = entries.distance > 0. ? entries.distance : of_face * entries.face;
    if (entries.pressure <= 0.)
      return {"Pressure", "Law = tension needs the tension of open nodes [Pa]"};
    if (c0 <= 0.)
      return {"Distance", "Law = tension needs the clearance up to which it acts [m]"};
    e = pi * entries.pressure / k;
    make_end();
    return {};
  }
  std::array<double, 5> at(const double g) const override
  {
    if (g >= 2. * c0)
      return {};
    if (g <= c0)
    {
      std::array<double, 5> phi = pressed(g);
      phi[0] += over_end - pressed(c0)[0];
      return phi;
    }
    const double y = g / c0 - 1.;
    std::array<double, 5> phi{};
    for (int order = 0; order < 5; ++order)
      phi[order] = polynomial(y, order) / std::pow(c0, order);
    phi[0] -= polynomial(1., 0);
    return phi;
  }
  double reach() const override { return 2. * c0; }
  double scale(const double g) const override { return std::max(e, std::abs(g)); }
  double stiffness() const override { return k; }
  int smoothness() const override { return 4; }
  bool closes_by_touching() const override { return true; }

private:
  static constexpr double pi = 3.141592653589793;
  static constexpr int terms = 4;
  /// 2 ∫_0^z s atan(s) ds = (1 + z²) atan(z) - z, by its series where these cancel.
  static double area(const double z)
  {
    constexpr double small = 0.2;
    constexpr int of_series = 12;
    if (std::abs(z) > small)
      return (1. + z * z) * std::atan(z) - z;
    double sum = 0.;
    for (int i = of_series; i-- > 0;)
      sum = 2. / ((2. * i + 1.) * (2. * i + 3.)) - z * z * sum;
    return z * z * z * sum;
  }
  /// A primitive of -p, and -p with its derivatives to the third, by g.
  std::array<double, 5> pressed(const double g) const
  {
    const double d = -g, z = d / e, w = 1. / (1. + z * z), angle = std::atan(z);
    return {k * (0.25 * d * d + 0.5 * e * e * area(z) / pi), -k * d * (0.5 + angle / pi), k * (0.5 + (angle + z * w) / pi),
            -2. * k * w * w / (pi * e), -8. * k * z * w * w * w / (pi * e * e)};
  }
  /// Coefficients of Phi on c0 <= g <= 2 c0 in y = g/c0 - 1: Phi' c0 = (1 - y)^4 sum_i a_i y^i has the derivatives of `pressed` at y = 0.
  void make_end()
  {
    const std::array<double, 5> at_end = pressed(c0);
    const std::array<double, terms> taylor{c0 * at_end[1], c0 * c0 * at_end[2], std::pow(c0, 3) * at_end[3] / 2.,
                                           std::pow(c0, 4) * at_end[4] / 6.};
    constexpr std::array<double, terms> inverse{1., 4., 10., 20.};         // of (1 - y)^4
    constexpr std::array<double, terms + 1> fourth{1., -4., 6., -4., 1.};  // (1 - y)^4
    std::array<double, terms> a{};
    for (int i = 0; i < terms; ++i)
      for (int j = 0; j <= i; ++j)
        a[i] += taylor[j] * inverse[i - j];
    end = {};
    for (int i = 0; i < terms; ++i)
      for (int j = 0; j <= terms; ++j)
        end[i + j + 1] += a[i] * fourth[j] / (i + j + 1.);
    over_end = -polynomial(1., 0);
  }
  double polynomial(const double y, const int order) const
  {
    double sum = 0.;
    for (int i = int(end.size()); i-- > order;)
    {
      double factor = end[i];
      for (int j = 0; j < order; ++j)
        factor *= i - j;
      sum = sum * y + factor;
    }
    return sum;
  }

  double k = 1., e = 1., c0 = 1.;
  std::array<double, 2 * terms + 1> end{};
  double over_end = 0.;  ///< Phi at c0
};
SYMDYN_REGISTER(ContactLaw, Tension, "tension");
}  // namespace symdyn
