#include "solver/run/run.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/signals.h"
#include "solver/base/timer.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/linear_solver.h"
#include "solver/searching.h"
#include "solver/vibration/unsolved_frequencies.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// What a stage asks of an input that shows only at the state that it starts from: with the place of the stage in the deck.
template <class Work>
auto with_place(const Stage &stage, const std::string &deck, const Work &work)
{
  try
  {
    return work();
  }
  catch (const InputError &error)
  {
    const std::string what = error.what();
    const bool has_place = what.rfind(deck + ":", 0) == 0 || what.rfind("--set ", 0) == 0;
    throw InputError(has_place || stage.where.empty() ? what : stage.where + ": " + what);
  }
}
}  // namespace

Run::~Run() = default;

int Run::run(const RunOptions &given)
{
  start(given);
  while (advance() == going)
    ;
  return finish();
}

int Run::finish_early()
{
  if (!resumed && !options.output.empty())  // else the file is still the right one
    write_checkpoint();
  const std::string why = stop_reason == signal    ? "stopped by a signal"
                          : stop_reason == program ? "stopped by the program"
                                                   : "stopped at the wall time limit";
  leave(fmt::format("{} after {} steps, t = {:.6g}{}: the state is saved in {}", why, analysis.counts.steps, analysis.state.t,
                    Units::after(analysis.units.time), analysis.recorder.folder()),
        why);
  return exit_signal;
}

int Run::stop()
{
  if (analysis.place.stage == analysis.stages.size())
    return finish();
  if (analysis.place.begun)
    stage().stop(analysis);
  status = stopped;
  stop_reason = signal_came() ? signal : program;
  return finish();
}

void Run::start(const RunOptions &given)
{
  if (check_only)
    throw InputError(deck.root().where("Check only") + " = yes: nothing is to be computed. Remove the entry to run the analysis");
  options = given;
  analysis.wall_start = checkpoints.wall = ScopedTimer::now();
  analysis.should_stop = [this] { return should_stop(); };
  if (!options.output.empty())
    analysis.recorder.open(options.output);
  check_restart();
  build();
  load_checkpoint();
  open_results();
  running = true;
}

Run::Status Run::advance()
{
  if (analysis.place.stage == analysis.stages.size())
    return status = done;
  try
  {
    return status = advance_stage();
  }
  catch (const Interrupted &interruption)
  {
    log_line(fmt::format("stage {}: {}; a restart {}", stage().name, interruption.what(),
                         resumed ? "resumes from the same checkpoint" : "repeats the stage"));
    if (analysis.place.done == 0 && !stage().traits().in_time)
      analysis.place.begun = false;
    return status = stopped;
  }
  catch (const ComputationError &error)
  {
    fail(error.what());
    throw;
  }
  catch (const InputError &error)  // what only shows at the state that a stage starts from
  {
    fail(error.what());
    throw;
  }
}

void Run::set_strength(const std::string &load, const double strength)
{
  const std::vector<std::string> names = analysis.system().diagnosis().load_names();
  const auto found = std::find(names.begin(), names.end(), load);
  if (found == names.end())
    throw InputError(fmt::format("there is no load '{}'; there are: {}", load, join(nearest_first(load, names))));
  if (resumed)
    resume();
  if (!analysis.place.begun)
    throw InputError(
        fmt::format("the strength of the load '{}' has no effect between stages, each of which sets its own: advance first", load));
  analysis.actions.set_strength(found - names.begin(), strength);
  forces_changed();
}

void Run::forces_changed()
{
  if (!analysis.place.begun)
    return;
  if (const TimeStepping *stepping = stage().stepping())
    stepping->integrator->start(analysis.system(), analysis.state, stepping->step);
  if (analysis.balance_open)
    analysis.energy_balance.jump(analysis.system(), analysis.state, stage().traits().is_static());
}

std::string Run::stage_name() const { return analysis.place.stage == analysis.stages.size() ? "" : stage().name; }

Run::Status Run::advance_stage()
{
  RunPlace &place = analysis.place;
  Stage &now = stage();
  if (resumed)
    resume();
  if (!place.begun)
    begin_stage();
  if (!now.is_complete(analysis))
  {
    if (now.may_stop() && should_stop())
    {
      now.stop(analysis);
      return stopped;
    }
    const Progress progress = with_place(now, deck.name(), [&] { return now.advance(analysis); });
    if (progress == Progress::more && checkpoint_is_due())
      write_checkpoint();
    if (progress == Progress::more && !now.is_complete(analysis))
      return going;
  }
  with_place(now, deck.name(), [&] { now.end(analysis); });
  if (!now.traits().in_time)
    analysis.at_rest = analysis.state.q;
  place.begun = false;
  place.done = 0;
  return ++place.stage < analysis.stages.size() ? going : done;
}

void Run::look_at_begun_contacts(const std::vector<std::string> &apart_before)
{
  std::vector<std::string> begun;
  for (const std::string &name : apart_before)
    if (!analysis.actions.are_apart(name))
      begun.push_back(name);
  const Diagnosis &diagnosis = analysis.system().diagnosis();
  for (const BegunContact &contact : begun.empty() ? std::vector<BegunContact>{} : diagnosis.begun_contacts(begun, analysis.state.q))
  {
    if (!contact.refusal.empty())
      throw InputError(
          fmt::format("Contact: {} (undeformed place). Contact '{}' begins in this stage. Let it begin earlier, or move the "
                      "bodies apart before",
                      contact.refusal, contact.name));
    if (!stage().traits().perturbation && contact.energy > diagnosis.potential_rounding())
      log_warning(fmt::format(
          "{}: Contact: '{}' begins where bodies press each other. Its energy, {:.3g}{}, is nobody's work. {}", stage().where, contact.name,
          contact.energy, Units::after(analysis.units.energy),
          stage().traits().in_time ? "Let it begin in a static stage, or before they touch" : "The first increment parts them at once"));
  }
}

void Run::begin_stage()
{
  Stage &now = stage();
  const std::vector<std::string> apart = analysis.actions.apart;
  analysis.loads.begin(analysis, now);
  analysis.supports.begin(analysis, now);
  search_about(analysis.system(), analysis.state.q);  // laws of a contact may reach farther than in the last stage
  with_place(now, deck.name(), [&] { look_at_begun_contacts(apart); });
  with_place(now, deck.name(), [&] { now.begin(analysis); });
  analysis.place.begun = true;
}

void Run::open_results()
{
  if (resumed)
  {
    const std::string text = fmt::format("goes on from {}/checkpoint: stage {}, step {}, t = {:.6g}{}", options.output, stage().name,
                                         analysis.state.n, analysis.state.t, Units::after(analysis.units.time));
    analysis.recorder.resume(resumed->section("results"), header() + "\n" + text);
  }
  else
  {
    std::vector<std::string> lines{header()};
    if (!start_note.empty())
      lines.push_back(start_note);
    analysis.recorder.begin(lines);
  }
  analysis.recorder.file("deck-as-run.prm", deck.as_prm());
  if (!options.output.empty() && MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    analysis.progress_file.open(options.output);
  analysis.write_progress("running");
}

bool Run::should_stop()
{
  const int mine = signal_came() ? signal : ScopedTimer::now() - analysis.wall_start > options.max_wall_time ? wall_time : goes_on;
  const int any = MPI::n_mpi_processes(MPI_COMM_WORLD) > 1 ? MPI::max(mine, MPI_COMM_WORLD) : mine;
  stop_reason = any == signal ? signal : any == wall_time ? wall_time : goes_on;
  return stop_reason != goes_on;
}

void Run::leave(const std::string &why, const std::string &status, const std::string &error)
{
  const RunPlace &place = analysis.place;
  const Stage &last = *analysis.stages[std::min(place.stage, analysis.stages.size() - 1)];
  log_line(why);
  try
  {
    analysis.recorder.last_frame(analysis.state, last.frame_time(analysis));
    write_conclusions(status, error);
  }
  catch (const std::exception &fault)
  {
    log_warning(fault.what());
  }
}

void Run::fail(const std::string &error)
{
  if (!running)
    return;
  write_failed_point(error);
  leave(fmt::format("the last good state is that of step {}, t = {:.6g}{}{}", analysis.counts.steps, analysis.state.t,
                    Units::after(analysis.units.time),
                    options.output.empty() ? "" : ": the last frame of " + analysis.recorder.folder() + "/solution.pvd"),
        "failed", error);
}

void Run::write_conclusions(const std::string &status, const std::string &error)
{
  const RunVerdict verdict = verdict_of(analysis, status);
  analysis.recorder.conclude(analysis.state);
  nlohmann::json content = summary(status);
  if (!error.empty())
    content["error"] = error;
  content["certificate"] = certificate_of(analysis, verdict);
  content["certificate"].update(provenance.json(deck, options.settings));
  if (const nlohmann::json verified = verified_beside(options.output, deck.name()); !verified.is_null())
    content["certificate"]["verify"] = verified;
  analysis.recorder.summary(content);
  analysis.write_progress(status, verdict.word);  // who follows the run looks for the summary then
  if (!verdict.word.empty() && error.empty())
    log_verdict(verdict.word + ": " + verdict.reason, paint_of_verdict(verdict.word));
}

int Run::finish()
{
  if (status == stopped)
    return finish_early();
  try
  {
    analysis.recorder.check_files();
  }
  catch (const ComputationError &error)
  {
    fail(error.what());
    throw;
  }
  const std::string unsolved = list_of_unsolved_frequencies(*analysis.found, hertz(analysis.units));
  write_conclusions(unsolved.empty() ? "done" : "incomplete");
  if (const auto unused = unused_petsc_options(); !unused.empty())
    log_warning("PETSc options that had no effect (misspelt, or of a solver that did not run): " + join(unused));
  if (!unsolved.empty())
    throw ComputationError(fmt::format(
        "frequencies without an answer: {}. {}/run.log has the reasons; all other results are complete. Add damping, or take other Frequencies",
        unsolved, analysis.recorder.folder()));
  const std::string error = verdict_of(analysis, "done").word.empty() && analysis.counts.steps > 0
                                ? fmt::format("; largest energy balance error {:.3g}{}", analysis.counts.largest_energy_error,
                                              Units::after(analysis.units.energy))
                                : "";  // the verdict has it
  log_line(fmt::format("done: {} steps, {:.3g} s{}; results in {}", analysis.counts.steps, ScopedTimer::now() - analysis.wall_start, error,
                       analysis.recorder.folder()));
  return exit_done;
}
}  // namespace symdyn
