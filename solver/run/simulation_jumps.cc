#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/run/simulation.h"

// Loads that jump inside a stage. A scheme takes a load for smooth within a step; a jump that stands between two steps is none to either of
// them if the one before sees the load as it was, the one after as it is, and a is solved anew between them. A jump inside a step is an
// error of first order: simulation_tables.cc.
namespace symdyn
{
void Simulation::log_load_jumps(const Stage &stage) const
{
  constexpr std::size_t most = 5;
  const double width = jump_width * stage.step;
  std::size_t reported = 0;
  for (const LoadJump &jump : jumps)
  {
    const double steps_until = (0.5 * (jump.from + jump.to) - state.t) / stage.step,
                 nearest = state.t + std::round(steps_until) * stage.step;
    const bool between = jump.from - width <= nearest && nearest <= jump.to + width;
    if (jump.to < state.t - width || jump.from > stage.end + width || !(between || stage.meets_tables()))
      continue;
    if (++reported > most)
      return log_line(fmt::format("stage {}: ... and more jumps of loads", stage.name));
    log_line(fmt::format(
        "stage {}: load {} jumps at t = {:g}{} from a factor of {:g} to {:g}: {} uses the first, {} the second; the acceleration is solved for again between them",
        stage.name, jump.load, jump.to, Units::after(units.time), jump.before, jump.after,
        between ? "the step before" : "the part of the step before it", between ? "the step after" : "the part after it"));
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
  system.set_step_interval(state.t, place.start + k * stage.step, stage.step);
  if (k == 1 || !jumps_at(state.t, stage.step))  // at its beginning a stage has solved for a
    return;
  stage.integrator->start(system, state, stage.step);
  energy_balance.jump(system, booked(stage));
}

void Simulation::begin_interval(const Stage &stage, const double from, const double to)
{
  if (jumps.empty())
    return;
  MechanicalSystem &system = structure->system();
  system.set_step_interval(from, to, stage.step);
  if (!jumps_at(from, stage.step))
    return;
  stage.integrator->start(system, state, to - from);
  energy_balance.jump(system, booked(stage));
}
}  // namespace symdyn
