#include "elements/contact/laws/linear.h"

namespace symdyn
{
/// No depth: the linear law about multipliers (MultiplierTerm). They are of equilibria, and of contacts without friction, whose bound would
/// have to know them.
class HardContact : public LinearContact
{
public:
  bool has_multipliers() const override { return true; }
  std::string in_place_of(const bool moves, const bool rubs) const override { return moves ? "barrier" : rubs ? "linear" : ""; }
  double over_modulus() const override { return 50.; }
};
SYMDYN_REGISTER(ContactLaw, HardContact, "hard");
}  // namespace symdyn
