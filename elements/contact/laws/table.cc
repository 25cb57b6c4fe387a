#include <algorithm>
#include <cmath>

#include "elements/contact/laws/contact_law.h"

namespace symdyn
{
/// Pressures p at closures d = -g: monotone cubics between rows (Fritsch and Butland 1984), zero slope at the first row, where p = 0, and
/// the last slope beyond the last. p has one continuous derivative, Phi = ∫ p dd has two. Pinned by ContactLaws.TableMeetsItsRows.
class TabularContact : public ContactLaw
{
public:
  std::vector<std::string> entries() const override { return {"Pressures", "Closures"}; }
  std::array<std::string, 2> take(const ContactEntries &entries) override
  {
    p = entries.pressures;
    d = entries.closures;
    if (p.size() < 2 || p.size() != d.size())
      return {"Pressures", "Law = table needs as many Pressures as Closures, two at least"};
    for (std::size_t i = 0; i < p.size(); ++i)
      if (!std::isfinite(p[i]) || !std::isfinite(d[i]))
        return {"Pressures", "a row is not a finite number. Give numbers"};
    if (p[0] != 0.)
      return {"Pressures", "the first pressure must be 0: a pressure that jumps has no energy with a force that is continuous"};
    for (std::size_t i = 0; i + 1 < p.size(); ++i)
    {
      if (d[i + 1] <= d[i])
        return {"Closures", "must increase from row to row"};
      if (p[i + 1] < p[i])
        return {"Pressures", "must not fall from row to row: a pressure that falls with the closure is unstable"};
    }
    find_slopes();
    return {};
  }
  std::array<double, 5> at(const double g) const override
  {
    const double closure = -g;
    if (closure <= d.front())
      return {};
    const std::size_t last = d.size() - 1;
    if (closure >= d[last])
    {
      const double s = closure - d[last];
      return {energy[last] + s * (p[last] + 0.5 * s * slope[last]), -p[last] - s * slope[last], slope[last], 0., 0.};
    }
    const std::size_t i = std::upper_bound(d.begin(), d.end(), closure) - d.begin() - 1;
    const double s = closure - d[i];
    const auto [c2, c3] = cubic(i);
    return {energy[i] + s * (p[i] + s * (slope[i] / 2. + s * (c2 / 3. + s * c3 / 4.))), -(p[i] + s * (slope[i] + s * (c2 + s * c3))),
            slope[i] + s * (2. * c2 + 3. * s * c3), -(2. * c2 + 6. * s * c3), 6. * c3};
  }
  double reach() const override { return -d.front(); }
  double scale(const double g) const override { return 1e-2 * std::abs(g); }  // between rows p'' jumps
  double stiffness() const override { return steepest; }
  int smoothness() const override { return 2; }

private:
  /// p = p_i + slope_i s + c2 s² + c3 s³.
  std::array<double, 2> cubic(const std::size_t i) const
  {
    const double h = d[i + 1] - d[i], secant = (p[i + 1] - p[i]) / h;
    return {(3. * secant - 2. * slope[i] - slope[i + 1]) / h, (slope[i] + slope[i + 1] - 2. * secant) / (h * h)};
  }
  void find_slopes()
  {
    const std::size_t rows = d.size();
    const auto secant = [&](const std::size_t i) { return (p[i + 1] - p[i]) / (d[i + 1] - d[i]); };
    slope.assign(rows, 0.);
    steepest = 0.;
    for (std::size_t i = 1; i + 1 < rows; ++i)
      if (const double before = secant(i - 1), after = secant(i); before > 0. && after > 0.)
      {
        const double h0 = d[i] - d[i - 1], h1 = d[i + 1] - d[i], w0 = 2. * h1 + h0, w1 = h1 + 2. * h0;
        slope[i] = (w0 + w1) / (w0 / before + w1 / after);
      }
    slope[rows - 1] = secant(rows - 2);
    energy.assign(rows, 0.);
    for (std::size_t i = 0; i + 1 < rows; ++i)
    {
      const double h = d[i + 1] - d[i];
      energy[i + 1] = energy[i] + 0.5 * h * (p[i] + p[i + 1]) + h * h / 12. * (slope[i] - slope[i + 1]);
      steepest = std::max({steepest, secant(i), slope[i + 1]});
    }
  }
  std::vector<double> p{0., 1.}, d{0., 1.}, slope{0., 1.}, energy{0., 0.5};
  double steepest = 1.;
};
SYMDYN_REGISTER(ContactLaw, TabularContact, "table");
}  // namespace symdyn
