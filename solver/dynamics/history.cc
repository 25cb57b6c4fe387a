#include "solver/history.h"

namespace symdyn
{
const MechanicalSystem &whole(const MechanicalSystem &system)
{
  const auto *increment = dynamic_cast<const Increment *>(&system);
  return increment ? increment->whole() : system;
}

const Remembering *remembering(const MechanicalSystem &system)
{
  const auto *one = dynamic_cast<const Remembering *>(&whole(system));
  return one && one->remembers() ? one : nullptr;
}

Spent spent(const MechanicalSystem &system, const State &state)
{
  const Remembering *laws = remembering(system);
  return laws ? laws->spent(state.history) : Spent();
}

About::About(const MechanicalSystem &system, const State &state) : seen(&system)
{
  if (const Remembering *laws = remembering(system))
    seen = (made = laws->at(state)).get();
}

About::About(const MechanicalSystem &system, const State &before, const double h, const double t) : seen(&system)
{
  if (const Remembering *laws = remembering(system))
    seen = (made = laws->increment(before.history, h, t)).get();
}
}  // namespace symdyn
