#include "elements/contact/laws/linear.h"

namespace symdyn
{
/// No depth: the linear law about multipliers (MultiplierTerm). They are of equilibria.
class HardContact : public LinearContact
{
public:
  bool has_multipliers() const override { return true; }
  std::string in_motion() const override { return "barrier"; }
  double over_modulus() const override { return 50.; }
};
SYMDYN_REGISTER(ContactLaw, HardContact, "hard");
}  // namespace symdyn
