#include "solver/run/simulation.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "solver/base/log.h"
#include "solver/base/plain_units.h"
#include "solver/base/signals.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/linear_solver.h"
#include "solver/vibration/modes_table.h"
#include "solver/vibration/unsolved_frequencies.h"

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
  structure->needs_tangent =
      std::any_of(stages.begin(), stages.end(), [](const Stage &stage) { return !stage.integrator || !stage.integrator->is_explicit(); });
  for (const Stage &stage : stages)
    structure->modes = std::max(structure->modes, stage.number_of_modes());
  structure->solves_complex =
      std::any_of(stages.begin(), stages.end(), [](const Stage &stage) { return stage.type == "harmonic" && !stage.harmonic.modal(); });
  structure->first_supports = stages.front().supports;
  structure->build();
  check_supports();
  // What a static stage prescribes comes with its increments.
  const bool comes = stages.front().is_static() && stages.front().ramp;
  structure->system().set_load_factor(comes ? 0. : 1.);
  structure->initialise(state);
  check_start();
  structure->system().set_load_factor(1.);
  check_initial_velocity();
  check_constraints();
  at_rest = state.q;
  std::vector<bool> acting_before(structure->system().load_names().size(), false);
  for (Stage &stage : stages)
  {
    check_stage(stage);
    if (stage.type == "harmonic")
      oscillating_loads(stage, acting_before);
    acting_before = acting_in(stage, acting_before);
    if (!stage.moves())
      continue;
    check_scheme(*stage.integrator, structure->system(), *stage.scheme_parameters);
    warn_of_loose_newton(stage);
    stage.substeps.check(structure->system(), *stage.integrator, stage.scheme, stage.step);
    if (&stage == &stages.front())
      fix_time_step(stage);
    else
      warn_if_unstable_later(stage);
  }
  slow_motion.check(structure->system(), state, stages.back().end, most_steps());
  monitors.check(stages.back().end);
}

int Simulation::run(const RunOptions &given)
{
  options = given;
  wall_start = ScopedTimer::now();
  results = std::make_unique<Results>(options.output);
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
  const auto fail = [&] {
    status = "failed";
    if (running)
      leave(fmt::format("the last good state (step {}, t = {:.6g}{}) is the last frame of {}/solution.pvd", steps, state.t,
                        Units::after(units.time), results->folder()));
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
    results->check_files();
  }
  catch (const ComputationError &)
  {
    fail();
    throw;
  }
  catch (const InputError &)  // what only shows at the state that a stage starts from
  {
    fail();
    throw;
  }
  return conclude();
}

int Simulation::conclude()
{
  const std::string unsolved = list_of_unsolved_frequencies(found, hertz(units));
  write_conclusions(unsolved.empty() ? "done" : "incomplete");
  if (const auto unused = unused_petsc_options(); !unused.empty())
    log_warning("PETSc options that had no effect (misspelt, or of a solver that did not run): " + join(unused));
  if (!unsolved.empty())
    throw ComputationError(fmt::format(
        "frequencies without an answer: {}. {}/run.log has the reasons; all other results are complete. Add damping, or take other Frequencies",
        unsolved, results->folder()));
  log_line(fmt::format("done: {} steps, {:.3g} s; largest energy balance error {:.3g}{}; results in {}", steps,
                       ScopedTimer::now() - wall_start, largest_energy_error, Units::after(units.energy), results->folder()));
  return exit_done;
}

bool Simulation::run_stage(Stage &stage)
{
  if (resumed)
    resume_stage(stage);
  if (!place.begun)
  {
    begin_loads(stage);
    begin_supports(stage);
    if (stage.moves() && place.stage > 0)
      fix_time_step(stage);
  }
  bool done = true;
  try
  {
    done = stage.moves()              ? run_dynamic(stage)
           : stage.is_static()        ? run_static(stage)
           : stage.type == "harmonic" ? run_harmonic(stage)
                                      : (run_modes(stage), true);
  }
  catch (const Interrupted &interruption)
  {
    log_line(fmt::format("stage {}: {}; a restart begins the stage anew", stage.name, interruption.what()));
    return false;
  }
  catch (const InputError &error)
  {
    const std::string what = error.what();
    throw InputError(what.rfind(deck.name() + ":", 0) == 0 || stage.where.empty() ? what : stage.where + ": " + what);
  }
  if (!done)
    return false;
  place.begun = false;
  if (!stage.moves())
    at_rest = state.q;
  return true;
}

void Simulation::open_results()
{
  spectra.check(columns());
  if (resumed)
    results->resume(resumed->facts.at("results"));
  else
    results->clear(structure->printed_file());
  Log::instance().open(results->folder() + "/run.log", bool(resumed));
  if (resumed)
  {
    const std::string text = fmt::format("goes on from {}/checkpoint: stage {}, step {}, t = {:.6g}{}", results->folder(),
                                         stages[place.stage].name, state.n, state.t, Units::after(units.time));
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
  for (const auto &more : {structure->momentum_columns(units),
                           monitors.columns(*structure, structure->system(), units),
                           {"newton", "krylov"},
                           structure->report_columns(units)})
    std::transform(more.begin(), more.end(), std::back_inserter(columns), with_plain_unit);
  return columns;
}

bool Simulation::evaluates_energy(const Stage &stage, const bool last) const
{
  return last || !stage.integrator->is_explicit() || state.n % rows_every(stage) == 0 || state.n % seldom == 0 ||
         frame_is_due(stage, false);
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
  const bool finite = !thoroughly || (std::isfinite(energy_balance.balance_error()) && std::isfinite(state.v.l2_norm()));
  if (structure->system().admissible() && finite)
    return;
  const std::string diagnosis = structure->system().diagnose(state.q);
  throw ComputationError(fmt::format("step {}, t = {:.6g}{}: {}{}. Lower \"Time step\"", state.n, state.t, Units::after(units.time),
                                     finite ? "the state cannot be" : "the energy is not finite",
                                     diagnosis.empty() ? "" : ": " + diagnosis));
}

void Simulation::print(const std::string &tables)
{
  if (!tables.empty())
    results->append(structure->printed_file(), tables);
}

void Simulation::record(const Stage &stage, const double step, const StepReport &report, const bool force)
{
  newton_total += report.newton;
  krylov_total += report.krylov;
  last_energy_error = energy_balance.balance_error();
  largest_energy_error = std::max(largest_energy_error, std::abs(last_energy_error));
  if (has_peaks(stage))
    structure->observe(state);
  print(structure->print(state, {stage.name, load_factor, force, state.t - place.start}));
  const bool row = force || state.n % rows_every(stage) == 0, frame = frame_is_due(stage, force);
  if (!row && !frame)
    return;
  State shown = state;
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
  const ScopedTimer timer("monitors");
  MechanicalSystem &system = structure->system();
  const double kinetic = energy_balance.kinetic(), potential = energy_balance.potential();
  std::vector<double> values{kinetic,          potential, energy_balance.external_work(), energy_balance.dissipated(), kinetic + potential,
                             last_energy_error};
  const std::vector<double> counts{double(report.newton), double(report.krylov)},
      momenta = structure->momenta(shown, energy_balance.momentum());
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
  const long whole = stage.is_static() ? stage.increments : std::lround((stage.end - stage.start) / stage.step);
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
  const int mine = signal_came() ? 2 : ScopedTimer::now() - wall_start > options.max_wall_time;
  stop_reason = MPI::n_mpi_processes(MPI_COMM_WORLD) > 1 ? MPI::max(mine, MPI_COMM_WORLD) : mine;
  return stop_reason != 0;
}

}  // namespace symdyn
