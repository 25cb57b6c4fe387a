#include "elements/contact/laws/linear.h"

namespace symdyn
{
SYMDYN_REGISTER(ContactLaw, LinearContact, "linear");
}  // namespace symdyn
