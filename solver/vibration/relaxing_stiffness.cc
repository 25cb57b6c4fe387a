#include "solver/vibration/relaxing_stiffness.h"

#include <algorithm>

namespace symdyn
{
const MechanicalSystem &RelaxingStiffness::at(const double omega, const double loss) const
{
  constexpr std::size_t most = 4;
  const auto found = std::find_if(made.begin(), made.end(), [&](const One &one) { return one.of.omega == omega && one.of.loss == loss; });
  if (found != made.end())
    return *found->about;
  made.emplace_front(laws, state, Oscillation{omega, loss});
  if (made.size() > most)
    made.pop_back();
  return *made.front().about;
}
}  // namespace symdyn
