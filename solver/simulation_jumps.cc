#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/log.h"
#include "solver/simulation.h"

// Loads that jump inside a stage. A scheme takes a load for smooth within a step; a jump that stands between two steps is none to either of them if the one
// before sees the load as it was, the one after as it is, and a is solved anew between them. A jump inside a step is an error of first order.
namespace symdyn
{
void Simulation::tell_jumps(const Stage &stage) const
{
  constexpr std::size_t most = 5;
  std::size_t told = 0;
  for (const LoadJump &jump : structure->system().load_jumps(stage.step))
  {
    const double steps_until = (0.5 * (jump.from + jump.to) - state.t) / stage.step, nearest = state.t + std::round(steps_until) * stage.step;
    if (jump.to < state.t - jump_width * stage.step || jump.from > stage.end + jump_width * stage.step)
      continue;
    if (++told > most)
      return log_line(fmt::format("stage {}: ... and more jumps of loads", stage.name));
    const double width = jump_width * stage.step;
    const std::string what = fmt::format("stage {}: load {} jumps at t = {:g}{} by the factor of time {:g} to {:g}", stage.name, jump.load, jump.to, Units::after(units.time),
                                         jump.before, jump.after);
    if (jump.from - width <= nearest && nearest <= jump.to + width)
      log_line(what + ": the step before sees the one, the step after the other, and the acceleration is solved anew between them");
    else
      log_warning(what + fmt::format(", inside of a step: its impulse is wrong by up to half of the jump times {:g}{}. Let it jump at a multiple of \"Time step\", or use a smaller one",
                                     stage.step, Units::after(units.time)));
  }
}

bool Simulation::jumps_at(const double t, const double h) const
{
  return std::any_of(jumps.begin(), jumps.end(),
                     [&](const LoadJump &jump) { return jump.from - jump_width * h <= t && t <= jump.to + jump_width * h; });
}

void Simulation::begin_step(const Stage &stage, const long k)
{
  if (jumps.empty())
    return;
  MechanicalSystem &system = structure->system();
  system.see_step(state.t, place.start + k * stage.step);
  if (k == 1 || !jumps_at(state.t, stage.step))  // at its beginning a stage has solved for a
    return;
  stage.integrator->start(system, state, stage.step);
  books.jump(system, booked(stage));
}
}  // namespace symdyn
