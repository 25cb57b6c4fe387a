#include <limits>

#include "elements/contact/laws/linear.h"

namespace symdyn
{
/// An elastic layer that holds bodies together, in tension and shear as in pressure: TiedTerm has its energy, of which this is the part of
/// the gap.
class TiedContact : public LinearContact
{
public:
  bool holds() const override { return true; }
  std::array<double, 5> at(const double g) const override { return {0.5 * stiffness() * g * g, stiffness() * g, stiffness(), 0., 0.}; }
  double reach() const override { return std::numeric_limits<double>::infinity(); }
  int smoothness() const override { return 4; }
};
SYMDYN_REGISTER(ContactLaw, TiedContact, "tied");
}  // namespace symdyn
