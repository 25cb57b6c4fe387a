#include "solver/static_correction.h"

#include <algorithm>

#include "solver/error.h"

namespace symdyn
{
StaticCorrection::StaticCorrection(const MechanicalSystem &system, const double t, const Vector &q, const Modes &modes)
    : system(system), t(t), q(q), modes(modes), rest(system.new_vector())
{
  if (std::any_of(modes.kinds.begin(), modes.kinds.end(), [](const Modes::Kind kind) { return kind != Modes::vibration; }))
    throw InputError("Static correction is of a structure that is held and stable; here a mode is rigid, a mechanism or unstable. Hold the structure, or set Static correction = no");
}

Vector StaticCorrection::of(const Vector &f) const
{
  Vector rest_of_f = f, u = system.new_vector();
  system.project(rest_of_f);
  const std::vector<double> parts = modes.project(rest_of_f);
  for (std::size_t i = 0; i < modes.size(); ++i)
    rest_of_f.add(-parts[i], modes.momenta[i]);
  if (!solve || !solve->current())
    solve = system.factor(K, t, q, rest);
  solve->solve(rest_of_f, u, solve->tolerance());
  u.update_ghost_values();
  return u;
}
}  // namespace symdyn
