#include <cmath>

#include "elements/contact/laws/contact_law.h"

namespace symdyn
{
/// Phi = k L² b(x), b = -(1 - x)³ ln x for 0 < x < 1, else 0; x = (g + L)/L (inside) or g/L (outside). Infinite at x = 0, three continuous
/// derivatives at x = 1: the barrier of incremental potential contact (Li et al., ACM Trans. Graph. 39, 2020) with one more power of 1 - x.
/// Pinned by ContactLaws.BarrierIsThatOfTheTable.
class Barrier : public ContactLaw
{
public:
  std::vector<std::string> entries() const override { return {"Stiffness", "Layer", "Side", "Largest speed"}; }
  std::array<std::string, 2> take(const ContactEntries &entries) override
  {
    k = entries.stiffness;
    L = entries.layer;
    shift = entries.inside ? L : 0.;
    return {};
  }
  std::array<double, 5> at(const double g) const override
  {
    const double x = (g + shift) / L;
    if (x >= 1.)
      return {};
    std::array<double, 5> b = of(std::max(x, smallest));
    if (x < smallest)
      b = continued(b, x - smallest);
    return {k * L * L * b[0], k * L * b[1], k * b[2], k * b[3] / L, k * b[4] / (L * L)};
  }
  double least() const override { return smallest * L - shift; }
  double reach() const override { return L - shift; }
  double scale(const double g) const override { return std::max(g + shift, smallest * L); }
  double stiffness() const override { return k; }
  int smoothness() const override { return 3; }
  bool is_barrier() const override { return true; }

private:
  static constexpr double smallest = 1e-3;  ///< x of the last state that is accepted

  static std::array<double, 5> of(const double x)
  {
    const double m = 1. - x, l = std::log(x), r = 1. / x, n = m * r;
    return {-m * m * m * l, m * m * (3. * l - n), m * (-6. * l + n * (6. + n)), 6. * l - n * (18. + n * (9. + 2. * n)),
            r * (24. + n * (36. + n * (24. + 6. * n)))};
  }
  /// Taylor's polynomial.
  static std::array<double, 5> continued(const std::array<double, 5> &b, const double d)
  {
    return {b[0] + d * (b[1] + d / 2. * (b[2] + d / 3. * (b[3] + d / 4. * b[4]))), b[1] + d * (b[2] + d / 2. * (b[3] + d / 3. * b[4])),
            b[2] + d * (b[3] + d / 2. * b[4]), b[3] + d * b[4], b[4]};
  }

  double k = 1., L = 1., shift = 0.;
};
SYMDYN_REGISTER(ContactLaw, Barrier, "barrier");
}  // namespace symdyn
