#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "elements/contact/laws/contact_law.h"

namespace symdyn
{
/// Phi = k/2 g² for g < 0, else 0: the penalty of textbooks (Wriggers, Computational Contact Mechanics, 2006). One continuous derivative:
/// symplectic schemes drift in energy. Pinned by ContactLaws.DerivativesAreThoseOfTheEnergy.
class LinearContact : public ContactLaw
{
public:
  std::vector<std::string> entries() const override { return {"Stiffness"}; }
  std::array<std::string, 2> take(const ContactEntries &entries) override
  {
    k = entries.stiffness;
    return {};
  }
  std::array<double, 5> at(const double g) const override
  {
    if (g >= 0.)
      return {};
    return {0.5 * k * g * g, k * g, k, 0., 0.};
  }
  double reach() const override { return 0.; }
  double scale(const double g) const override { return std::abs(g); }
  double stiffness() const override { return k; }
  int smoothness() const override { return 1; }
  bool closes_by_touching() const override { return true; }

private:
  double k = 1.;
};
}  // namespace symdyn
