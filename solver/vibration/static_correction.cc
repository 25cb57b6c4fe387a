#include "solver/vibration/static_correction.h"

#include <algorithm>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
bool all_vibrate(const Modes &modes)
{
  return std::all_of(modes.kinds.begin(), modes.kinds.end(), [](const Modes::Kind kind) { return kind == Modes::vibration; });
}
}  // namespace

void StaticCorrection::declare(Parameters &p, std::string &answer)
{
  p.add(
      "Static correction", answer,
      "of sums over modes: what the modes that are left out answer to the loads as if at rest; automatic (harmonic: the default): yes, where no mode is rigid, a mechanism or unstable",
      {"automatic", "yes", "no"});
}

bool StaticCorrection::wanted(const std::string &answer, const Modes &modes)
{
  return answer == "yes" || (answer == "automatic" && all_vibrate(modes));
}

StaticCorrection::StaticCorrection(const MechanicalSystem &system, const double t, const Vector &q, const Modes &modes)
    : system(system), t(t), q(q), modes(modes), rest(system.new_vector())
{
  if (!all_vibrate(modes))
    throw InputError(
        "Static correction is of a structure that is held and stable; here a mode is rigid, a mechanism or unstable. Hold the structure, or set Static correction = no");
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
