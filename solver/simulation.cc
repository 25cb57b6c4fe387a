#include "solver/simulation.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/error.h"
#include "solver/linear_solver.h"
#include "solver/log.h"
#include "solver/phase.h"
#include "solver/signals.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// An energy costs half a force: a twentieth of an explicit step if it is looked at so seldom.
constexpr std::uint64_t seldom = 10;
}  // namespace

void Simulation::build()
{
  structure->needs_tangent = std::any_of(stages.begin(), stages.end(), [](const Stage &stage) { return !stage.integrator || !stage.integrator->is_explicit(); });
  structure->finds_modes = std::any_of(stages.begin(), stages.end(), [](const Stage &stage) { return stage.needs_modes(); });
  structure->first_supports = stages.front().supports;
  structure->build();
  check_supports();
  // What a static stage prescribes comes with its increments.
  const bool comes = stages.front().is_static() && stages.front().ramp;
  structure->system().set_load_factor(comes ? 0. : 1.);
  structure->initialise(state);
  check_start();
  structure->system().set_load_factor(1.);
  check_constraints();
  for (Stage &stage : stages)
  {
    check_stage(stage);
    if (!stage.moves())
      continue;
    check_scheme(*stage.integrator, structure->system(), *stage.scheme_parameters);
    warn_of_loose_newton(stage);
    stage.parts_of_steps.check(structure->system(), *stage.integrator, stage.scheme, stage.step);
    if (&stage == &stages.front())
      settle_time_step(stage);  // a later stage: at the state it starts from
  }
  slow_motion.check(structure->system(), state, stages.back().end, most_steps());
  monitors.check(stages.back().end);
}

int Simulation::run(const RunOptions &given)
{
  options = given;
  wall_start = Phase::now();
  results = std::make_unique<Results>(options.output, options.overwrite, !options.restart.empty());
  std::string status = "done";
  bool running = false;
  const auto leave = [&](const std::string &why) {
    log_line(why);
    try
    {
      results->frame(*structure, state, frame_time());
      write_conclusions(status);
    }
    catch (const std::exception &error)
    {
      log_warning(error.what());
    }
  };
  try
  {
    last_checkpoint = wall_start;
    check_restart();
    build();
    load_checkpoint();
    open_results();
    running = true;
    for (; place.stage < stages.size(); ++place.stage)
    {
      if (!run_stage(stages[place.stage]))
      {
        if (stop_reason == 3)
          return go_on;
        write_checkpoint();
        status = stop_reason == 2 ? "stopped by a signal" : "stopped at the wall time limit";
        leave(fmt::format("{} after {} steps, t = {:.6g}{}: the state is saved in {}", status, steps, state.t, Units::after(units.time),
                          results->folder()));
        return exit_signal;
      }
    }
  }
  catch (const ComputationError &)
  {
    status = "failed";
    if (running)
      leave(fmt::format("the last good state (step {}, t = {:.6g}{}) is the last frame of {}/solution.pvd", steps, state.t, Units::after(units.time),
                        results->folder()));
    throw;
  }
  write_conclusions(status);
  if (const auto unused = unused_petsc_options(); !unused.empty())
    log_warning("PETSc options that had no effect (misspelt, or of a solver that did not run): " + join(unused));
  log_line(fmt::format("done: {} steps, {:.3g} s; largest energy balance error {:.3g}{}; results in {}", steps,
                       Phase::now() - wall_start, largest_energy_error, Units::after(units.energy), results->folder()));
  return exit_done;
}

bool Simulation::run_stage(Stage &stage)
{
  if (resumed)
    resume_stage(stage);
  else
  {
    begin_loads(stage);
    begin_supports(stage);
    if (stage.moves() && place.stage > 0)
      settle_time_step(stage);
  }
  if (stage.moves())
    return run_dynamic(stage);
  if (stage.is_static())
    return run_static(stage);
  if (stage.type == "harmonic")
    return run_harmonic(stage);
  run_modes(stage);
  return true;
}

void Simulation::open_results()
{
  spectra.check(columns());
  if (resumed)
    results->resume(resumed->facts.at("results"));
  else
    results->clear();
  Log::instance().open(results->folder() + "/run.log", bool(resumed));
  if (resumed)
  {
    const std::string text = fmt::format("goes on from {}/checkpoint: stage {}, step {}, t = {:.6g}{}", results->folder(), stages[place.stage].name, state.n, state.t,
                                         Units::after(units.time));
    options.refreshed ? log_detail(text) : log_line(header() + "\n" + text);
    return;
  }
  log_line(header());
  if (!start_note.empty())
    log_line(start_note);
  results->history_header(columns());
}

std::vector<std::string> Simulation::columns()
{
  std::vector<std::string> columns{"time [" + units.time + "]", "step [" + units.time + "]", "stage"};
  for (const char *energy : {"E_kinetic", "E_potential", "W_external", "E_dissipated", "E_total", "E_balance_error"})
    columns.push_back(fmt::format("{} [{}]", energy, units.energy));
  for (const auto &more : {structure->momentum_columns(units), monitors.columns(*structure, structure->system(), units), {"newton", "krylov"}, structure->report_columns(units)})
    columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

void Simulation::begin_dynamic(Stage &stage)
{
  MechanicalSystem &system = structure->system();
  load_factor = 1.;
  system.set_load_factor(1.);
  slow_motion.begin(system, state);
  if (stage.modal)
    stage.modal->prepare(system, state.t, state.q, stage.step);
  stage.parts_of_steps.begin(stage.step);
  stage.integrator->start(system, state, stage.step);
  if (books_open)
    books.restart(system, booked(stage), false);
  else
    books.start(system, booked(stage), false);
  books_open = true;
  place.start = state.t;
  monitors.start(system, *stage.integrator, state, stage.step);
  watch.start(system, state, *stage.integrator, stage.scheme, stage.step, critical, units);
  record(stage, 0., {}, true);
}

bool Simulation::run_dynamic(Stage &stage)
{
  MechanicalSystem &system = structure->system();
  if (resumed)
    resumed.reset();
  else
    begin_dynamic(stage);
  const double start = place.start;
  const long count = steps_of(stage);
  const bool divides = stage.parts_of_steps.on();
  // A copy of the state costs a good part of an explicit step: where no one compares both ends of a step, one from time to time, of a state
  // that has been found finite.
  const bool each_step = divides || !stage.integrator->is_explicit() || EnergyBooks::work_is_done(system, false) || monitors.follow_steps();
  State before;
  bool save = true, look = true;
  for (long k = place.done + 1; k <= count; ++k)
  {
    if (look && should_stop())  // a reduction
      return false;
    if (save)
      before = state;
    StepReport report = divides ? divided_step(stage) : stage.integrator->step(system, state, stage.step);
    state.t = start + k * stage.step;  // no drift of the clock
    const bool steady = stage.modal && stage.modal->is_steady(before, state), last = steady || k == count;
    look = looks(stage, last);
    try
    {
      if (!divides)
      {
        books.advance(system, before, needs_acceleration(stage) ? booked(stage) : state, stage.step, stage.integrator->work_rule(), false, look);
        books.dissipate(report.dissipated);
      }
      check_finite(look || each_step);
    }
    catch (...)
    {
      steps -= state.n - 1 - before.n;
      state = before;
      throw;
    }
    save = look || each_step;
    ++steps;
    last_newton = report.newton;
    if (!divides)
      monitors.advance(system, *stage.integrator, before, state, stage.step);
    record(stage, divides ? stage.parts_of_steps.length() : stage.step, report, last);
    if (divides)
      report.newton = stage.parts_of_steps.hardest();
    watch.look(system, state, report, look ? &books : nullptr);
    show_progress(stage, double(k) / count, last);
    if (steady)
    {
      log_line(fmt::format("stage {}: steady at t = {:.6g}{}, after {} of {} steps", stage.name, state.t, Units::after(units.time), k, count));
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
  place.done = 0;
  if (stage.modal && stage.modal->may_end_early() && state.t > start + (count - 0.5) * stage.step)
    log_warning(fmt::format("stage {}: not steady at its end. Raise its End time", stage.name));
  for (const std::string &sentence : {monitors.sentence(), stage.parts_of_steps.sentence()})
    if (!sentence.empty())
      log_line(fmt::format("stage {}: {}", stage.name, sentence));
  return true;
}

StepReport Simulation::divided_step(Stage &stage)
{
  MechanicalSystem &system = structure->system();
  const Integrator &scheme = *stage.integrator;
  const State start = state;
  const auto account = [&](const double h, const State &before, const State &after, const StepReport &) {
    State seen = after;
    if (needs_acceleration(stage))
      scheme.Integrator::start(system, seen, h);
    seen.v = after.v;
    books.advance(system, before, seen, h, scheme.work_rule(), false, true);
    monitors.advance(system, scheme, before, after, h);
  };
  try
  {
    return stage.parts_of_steps.advance(system, scheme, state, stage.step, account);
  }
  catch (const ComputationError &)
  {
    state = start;
    throw;
  }
}

void Simulation::project_motion(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  slow_motion.project(system, state);
  stage.integrator->start(system, state, stage.step);
  books.restart(system, booked(stage), false);  // the energy of the oscillations goes
}

bool Simulation::looks(const Stage &stage, const bool last) const
{
  return last || !stage.integrator->is_explicit() || state.n % rows_every(stage) == 0 || state.n % seldom == 0 || frame_is_due(stage, false);
}

std::uint64_t Simulation::rows_every(const Stage &stage) const
{
  if (history_every > 0)
    return history_every;
  return on_mesh && stage.integrator && stage.integrator->is_explicit() ? seldom : 1;
}

State Simulation::booked(const Stage &stage) const
{
  State completed = state;
  if (!needs_acceleration(stage))
    return completed;
  State accelerated = state;
  stage.integrator->Integrator::start(structure->system(), accelerated, stage.step);
  completed.a = accelerated.a;  // the reactions at the end of a step need the true one; v stays the scheme's
  return completed;
}

bool Simulation::needs_acceleration(const Stage &stage) const
{
  const Integrator &scheme = *stage.integrator;
  return !scheme.carries_acceleration() && scheme.work_rule() == WorkRule::trapezoidal && structure->system().has(Feature::moving_supports);
}

void Simulation::check_finite(const bool thoroughly) const
{
  const bool finite = !thoroughly || (std::isfinite(books.balance_error()) && std::isfinite(state.v.l2_norm()));
  if (structure->system().admissible() && finite)
    return;
  const std::string diagnosis = structure->system().diagnose(state.q);
  throw ComputationError(fmt::format("step {}, t = {:.6g}{}: {}{}. Lower \"Time step\"", state.n, state.t, Units::after(units.time),
                                     finite ? "the state cannot be" : "the energy is not finite", diagnosis.empty() ? "" : ": " + diagnosis));
}

void Simulation::record(const Stage &stage, const double step, const StepReport &report, const bool force)
{
  newton_total += report.newton;
  krylov_total += report.krylov;
  last_energy_error = books.balance_error();
  largest_energy_error = std::max(largest_energy_error, std::abs(last_energy_error));
  if (has_peaks(stage))
    structure->observe(state);
  const bool row = force || state.n % rows_every(stage) == 0, frame = frame_is_due(stage, force);
  if (!row && !frame)
    return;
  State shown = state;
  structure->print(shown, stage.is_static(), {stage.name, options.output, load_factor, force, state.t - place.start});
  const bool constrained = structure->system().constraints();
  if (stage.integrator && (constrained || !stage.integrator->carries_acceleration()))
    stage.integrator->Integrator::start(structure->system(), shown, stage.step);  // a of the equation of motion
  if (row)
    write_row(stage, step, shown, report);
  if (!frame)
    return;
  results->frame(*structure, shown, frame_time());
  while (write_every_seconds > 0. && next_frame <= frame_time() + 1e-9 * write_every_seconds)
    next_frame += write_every_seconds;
}

void Simulation::write_row(const Stage &stage, const double step, const State &shown, const StepReport &report)
{
  const Phase phase("monitors");
  MechanicalSystem &system = structure->system();
  const double kinetic = books.kinetic(), potential = books.potential();
  std::vector<double> values{kinetic, potential, books.external_work(), books.dissipated(), kinetic + potential, last_energy_error};
  const std::vector<double> counts{double(report.newton), double(report.krylov)}, momenta = structure->momenta(shown, books.momentum());
  for (const auto &more : {momenta, monitors.values(system, stage.integrator.get(), state, momenta, stage.step), counts,
                           structure->report(shown, stage.is_static())})
    values.insert(values.end(), more.begin(), more.end());
  results->history_row(stage.name, {state.t, step}, values, has_peaks(stage));
}

long Simulation::most_steps() const
{
  long most = 0;
  for (const Stage &stage : stages)
    if (stage.moves())
      most = std::max(most, stage.step > 0. ? std::lround((stage.end - stage.start) / stage.step) : std::numeric_limits<long>::max());
  return most;
}

bool Simulation::frame_is_due(const Stage &stage, const bool force) const
{
  if (write_every_text == "never")
    return false;
  if (write_every_seconds > 0.)
    return force || frame_time() >= next_frame - 1e-9 * write_every_seconds;
  const long whole = stage.is_static() ? stage.increments : std::lround(stage.end / stage.step);
  const long every = write_every_steps > 0 ? write_every_steps : std::max(1L, whole / 100);
  return force || state.n % every == 0;
}

double Simulation::frame_time() const
{
  const Stage &stage = stages[std::min(place.stage, stages.size() - 1)];
  return stage.is_static() && stage.duration == 0. ? state.t + load_factor - 1. - stage.statics_after : state.t;
}

bool Simulation::should_stop()
{
  const int mine = signal_came() ? 2 : Phase::now() - wall_start > options.max_wall_time;
  stop_reason = MPI::n_mpi_processes(MPI_COMM_WORLD) > 1 ? MPI::max(mine, MPI_COMM_WORLD) : mine;
  return stop_reason != 0;
}

}  // namespace symdyn
