#include "elements/contact/laws/linear.h"

namespace symdyn
{
/// No depth: the linear law about multipliers (MultiplierTerm).
class HardContact : public LinearContact
{
public:
  bool has_multipliers() const override { return true; }
};
SYMDYN_REGISTER(ContactLaw, HardContact, "hard");
}  // namespace symdyn
