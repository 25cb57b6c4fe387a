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

StaticCorrection::StaticCorrection(const MechanicalSystem &system, const double t, const Vector &q, const Modes &modes,
                                   const std::vector<Vector> &forces)
    : system(system), t(t), q(q), modes(modes), rest(system.new_vector())
{
  if (!all_vibrate(modes))
    throw InputError(
        "Static correction is of a structure that is held and stable; here a mode is rigid, a mechanism or unstable. Hold the structure, or set Static correction = no");
  for (std::size_t k = 0; k < modes.at_rest.size(); ++k)
  {
    Vector answer = modes.at_rest[k], force = rest_of(forces[k]);
    answer.zero_out_ghost_values();
    const double size = force.l2_norm();
    answer -= without_known(force);
    constexpr double new_direction = 1e-6;  // what is left of two forces that are nearly one is rounding
    if (force.l2_norm() > new_direction * size)
      keep(std::move(force), std::move(answer));
  }
}

Vector StaticCorrection::of(const Vector &f) const
{
  constexpr double rounding = 1e-13;  // of the projections
  Vector rest_of_f = rest_of(f);
  const double size = rest_of_f.l2_norm();
  Vector u = without_known(rest_of_f);
  if (rest_of_f.l2_norm() > rounding * size)
  {
    Vector answer = solved(rest_of_f);
    answer.zero_out_ghost_values();
    u += answer;
    keep(std::move(rest_of_f), std::move(answer));
  }
  u.update_ghost_values();
  return u;
}

Vector StaticCorrection::without_known(Vector &f) const
{
  Vector u = system.new_vector();
  for (int twice = 0; twice < 2; ++twice)
    for (const Known &one : known)
    {
      const double part = one.force * f;
      f.add(-part, one.force);
      u.add(part, one.answer);
    }
  return u;
}

void StaticCorrection::keep(Vector force, Vector answer) const
{
  constexpr std::size_t most = 8;  // a sweep has the real and the imaginary part of a force for each direction of a base
  const double size = force.l2_norm();
  if (known.size() >= most || size == 0.)
    return;
  force *= 1. / size;
  answer *= 1. / size;
  known.push_back({std::move(force), std::move(answer)});
}

Vector StaticCorrection::rest_of(const Vector &f) const
{
  Vector rest_of_f = f;
  rest_of_f.zero_out_ghost_values();
  system.project(rest_of_f);
  const std::vector<double> parts = modes.project(rest_of_f);
  for (std::size_t i = 0; i < modes.size(); ++i)
    rest_of_f.add(-parts[i], modes.momenta[i]);
  return rest_of_f;
}

Vector StaticCorrection::solved(const Vector &f) const
{
  Vector u = system.new_vector();
  if (!solve || !solve->current())
    solve = system.factor(K, t, q, rest);
  solve->solve(f, u, solve->tolerance());
  u.update_ghost_values();
  return u;
}
}  // namespace symdyn
