#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/dynamics/weakest_motion.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// What holds the structure in a static stage.
namespace symdyn
{
void Simulation::check_held(const Stage &stage, const Vector &q) const
{
  if (const std::string free = structure->free_motions(q, units); !free.empty())
    throw InputError(fmt::format(
        "{}: a static stage needs supports that hold the body; {}. Add a support, join it to a part that is held, or make the stage dynamic",
        stage.where, free));
}

bool Simulation::may_be_stressed(const Stage &stage) const
{
  return !structure->system().has(Feature::linear) &&
         std::any_of(stages.data(), &stage, [](const Stage &earlier) { return earlier.is_static(); });
}

void Simulation::check_tangent(const LinearSolve &tangent)
{
  if (tangent_checked)
    return;
  tangent_checked = true;
  WeakestMotion motion;
  try
  {
    motion = weakest_motion(structure->system(), tangent);
  }
  catch (const ComputationError &error)
  {
    throw ComputationError(fmt::format("{}. The stiffness may be singular: look at the supports", error.what()));
  }
  log_detail(fmt::format("least resistance of the tangent: {:.2e}{}", motion.resistance,
                         motion.known ? ", of a motion largest " + motion.in_words(Units::after(units.length)) : " or more"));
  if (motion.singular())
    throw InputError(fmt::format(
        "nothing resists a motion of the structure that is largest {}: the stiffness is singular (resistance {:.1e}, rounding). Add a support, join it to a part that "
        "is held, or make the stage dynamic",
        motion.in_words(Units::after(units.length)), motion.resistance));
}

std::string Simulation::weakness_at(const State &start) const
{
  constexpr double weak = 1e-12;
  const std::string supports = ". Look at the supports";
  try
  {
    const auto tangent = structure->system().factor(K, start.t, start.q, start.v);
    const WeakestMotion motion = weakest_motion(structure->system(), *tangent);
    if (!motion.known || motion.resistance > weak)
      return "";
    return fmt::format(
        ". At the start of the increment hardly anything resists a motion that is largest {} (resistance {:.1e} of its cells'){}",
        motion.in_words(Units::after(units.length)), motion.resistance, supports);
  }
  catch (const ComputationError &)
  {
    return ". The stiffness at the start of the increment is singular" + supports;
  }
}

void Simulation::warn_of_size(const Stage &stage)
{
  constexpr double sizes = 1e3;
  if (largest_plausible == 0.)
  {
    const ModelFacts facts = structure->facts();
    const double size = std::hypot(facts.upper[0] - facts.lower[0], facts.upper[1] - facts.lower[1], facts.upper[2] - facts.lower[2]);
    largest_plausible = size > 0. ? sizes * size : std::numeric_limits<double>::infinity();
  }
  const double largest = state.q.linfty_norm();
  if (largest <= largest_plausible)
    return;
  log_warning(fmt::format(
      "stage {}: a displacement of {:.3g}{}, more than {:g} times the size of the body: look at the supports, the stiffness and the units",
      stage.name, largest, Units::after(units.length), sizes));
  largest_plausible = std::numeric_limits<double>::infinity();
}
}  // namespace symdyn
