#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// Stages in time.
namespace symdyn
{
void Simulation::begin_dynamic(Stage &stage)
{
  MechanicalSystem &system = structure->system();
  load_factor = 1.;
  system.set_load_factor(1.);
  slow_motion.begin(system, state);
  system.set_statics(false);
  place.start = state.t;
  log_damping_ratios(stage);
  begin_tables(stage);
  log_load_jumps(stage);
  warn_of_zero_tables(stage);
  warn_of_missed_points(stage);
  warn_of_kinks(stage);
  if (stage.modal)
  {
    stage.modal->prepare(system, state.t, at_rest, stage.step);
    tell_modes(stage, stage.modal->all_modes(), stage.modal->all_ratios());
    constexpr double little = 1e-3;
    if (const double lost = stage.modal->lost_share(system, state); lost > little)
      log_warning(fmt::format(
          "stage {}: {:.2g} of the energy that the motion starts with is in none of the {} modes and is lost. Ask for more Modes",
          stage.name, lost, stage.modal->all_modes().size()));
  }
  stage.substeps.begin(stage.step);
  system.set_step_interval(state.t, state.t + stage.step, stage.step);
  stage.integrator->start(system, state, stage.step);
  if (books_open)
    energy_balance.restart(system, booked(stage), false);
  else
    energy_balance.start(system, booked(stage), false);
  books_open = true;
  monitors.start(system, *stage.integrator, state, stage.step);
  watch.start(system, state, *stage.integrator, stage.scheme, stage.step, critical, units);
  start_energy_alarm(stage);
  record(stage, 0., {}, true);
}

bool Simulation::run_dynamic(Stage &stage)
{
  MechanicalSystem &system = structure->system();
  if (place.begun)
    resumed.reset();
  else
    begin_dynamic(stage);
  place.begun = true;
  const double start = place.start;
  const long count = steps_of(stage);
  const bool divides = stage.substeps.on();
  // A copy of the state costs a good part of an explicit step: where no one compares both ends of a step, one from time to time, of a state
  // that has been found finite.
  const bool each_step =
      divides || !stage.integrator->is_explicit() || EnergyBalance::work_is_done(system, false) || monitors.follow_steps();
  State before;
  bool save = true, look = true;
  for (long k = place.done + 1; k <= count; ++k)
  {
    if (look && should_stop())  // a reduction
      return false;
    begin_step(stage, k);
    if (save)
      before = state;
    const std::vector<double> cuts = cuts_of_step(stage, state.t, start + k * stage.step);
    const bool divided = divides || !cuts.empty();
    StepReport report = divided ? divided_step(stage, cuts) : stage.integrator->step(system, state, stage.step);
    state.t = start + k * stage.step;  // no drift of the clock
    const bool steady = stage.modal && stage.modal->is_steady(before, state), last = steady || k == count;
    look = evaluates_energy(stage, last);
    save = look || each_step;
    account_for_step(stage, before, report, divided, look, save);
    ++steps;
    last_newton = report.newton;
    if (!divided)
      monitors.advance(system, *stage.integrator, before, state, stage.step);
    record(stage, divides ? stage.substeps.length() : stage.step, report, last);
    watch.look(system, state, report, divides ? stage.substeps.max_newton() : report.newton - report.kept,
               look ? &energy_balance : nullptr);
    show_progress(stage, double(k) / count, last);
    if (steady)
    {
      log_line(
          fmt::format("stage {}: steady at t = {:.6g}{}, after {} of {} steps", stage.name, state.t, Units::after(units.time), k, count));
      break;
    }
    if (slow_motion.due(k, count))
      project_motion(stage);
    place.done = k;
    if (checkpoint_is_due())
      write_checkpoint();
    if (stop_reason == 3)
      return false;
  }
  end_dynamic(stage, count);
  return true;
}

void Simulation::account_for_step(const Stage &stage, const State &before, const StepReport &report, const bool divided, const bool energy,
                                  const bool finite)
{
  const MechanicalSystem &system = structure->system();
  try
  {
    if (!divided)
    {
      energy_balance.advance(system, before, needs_acceleration(stage) ? booked(stage) : state, stage.step, stage.integrator->work_rule(),
                             false, energy);
      energy_balance.dissipate(report.dissipated);
    }
    check_finite(finite);
    if (energy)
      energy_alarm.look(system, state, energy_balance);
  }
  catch (...)
  {
    steps -= state.n - 1 - before.n;
    state = before;
    throw;
  }
}

void Simulation::end_dynamic(const Stage &stage, const long count)
{
  place.done = 0;
  end_tables();
  if (stage.modal && stage.modal->may_end_early() && state.t > place.start + (count - 0.5) * stage.step)
    log_warning(fmt::format("stage {}: not steady at its end. Raise its End time", stage.name));
  for (const std::string &sentence : {monitors.summary_line(), stage.substeps.summary_line()})
    if (!sentence.empty())
      log_line(fmt::format("stage {}: {}", stage.name, sentence));
}

void Simulation::start_energy_alarm(const Stage &stage)
{
  const bool closes =
      !stage.modal && stage.integrator->promise(structure->system()).order > 0;  // modes are about a state; a bath gives energy
  energy_alarm.start(structure->system(), state, energy_balance, stage.step, stage.scheme, closes, units);
}

StepReport Simulation::divided_step(Stage &stage, const std::vector<double> &cuts)
{
  MechanicalSystem &system = structure->system();
  const Integrator &scheme = *stage.integrator;
  const State start = state;
  const auto account = [&](const double h, const State &before, const State &after, const StepReport &part) {
    State seen = after;
    if (needs_acceleration(stage))
      scheme.Integrator::start(system, seen, h);
    seen.v = after.v;
    energy_balance.advance(system, before, seen, h, scheme.work_rule(), false, true);
    energy_balance.dissipate(part.dissipated);
    monitors.advance(system, scheme, before, after, h);
  };
  try
  {
    if (cuts.empty())
      return stage.substeps.advance(system, scheme, state, stage.step, account);
    return intervals_of_step(stage, cuts, account);
  }
  catch (const ComputationError &)
  {
    state = start;
    throw;
  }
}

StepReport Simulation::intervals_of_step(Stage &stage, const std::vector<double> &cuts, const AdaptiveStep::Account &account)
{
  MechanicalSystem &system = structure->system();
  const std::uint64_t n = state.n;
  StepReport sum;
  double from = state.t;
  const double end = place.start + (place.done + 1) * stage.step;
  for (std::size_t i = 0; i <= cuts.size(); ++i)
  {
    const double to = i < cuts.size() ? cuts[i] : end, h = to - from;
    begin_interval(stage, from, to);
    StepReport report;
    if (stage.substeps.on())
      report = stage.substeps.advance(system, *stage.integrator, state, h, account, i == cuts.size());
    else
    {
      const State before = state;
      report = stage.integrator->step(system, state, h);
      account(h, before, state, report);
    }
    state.t = from = to;
    sum.newton += report.newton;
    sum.krylov += report.krylov;
    sum.kept += report.kept;
    if (!report.warning.empty())
      sum.warning = report.warning;
  }
  state.n = n + 1;
  return sum;
}

void Simulation::project_motion(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  slow_motion.project(system, state);
  stage.integrator->start(system, state, stage.step);
  energy_balance.restart(system, booked(stage), false);  // the energy of the oscillations goes
}
}  // namespace symdyn
