#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "solver/archive.h"
#include "solver/base/checksum.h"
#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/linear/keeps_tangents.h"
#include "solver/run/run.h"
#include "solver/searching.h"

// Checkpoints of a run, and how it goes on from one.
namespace symdyn
{
namespace
{
const char *const name_of_rest = "at rest";

/// The first line in which two texts differ, of each.
std::pair<std::string, std::string> first_difference(const std::string &a, const std::string &b)
{
  std::istringstream in_a(a), in_b(b);
  std::string line_a, line_b;
  while (true)
  {
    const bool more_a = bool(std::getline(in_a, line_a)), more_b = bool(std::getline(in_b, line_b));
    if (!more_a || !more_b || line_a != line_b)
      return {more_a ? line_a : "(end)", more_b ? line_b : "(end)"};
  }
}
/// Factors of the loads: those of the stages, and what a program has made of them.
void save_actions(const Actions &actions, Archive archive)
{
  archive.put("from", actions.from);
  archive.put("to", actions.to);
  archive.put("motion from", actions.motion_from);
  archive.put("reached", actions.reached);
}

void load_actions(const Archive &archive, Actions &actions)
{
  archive.get("from", actions.from);
  archive.get("to", actions.to);
  archive.get("motion from", actions.motion_from);
  archive.get("reached", actions.reached);
}
/// What a run that is at the end of its last stage needs to go on.
std::string what_goes_on(Deck &deck, const Stage &last)
{
  if (!last.traits().in_time)
    return fmt::format("Stage '{}' has no End time that could be raised: add a stage, and run the deck from its start", last.name);
  const bool has_own = deck.root().section("Stages").section(last.name).section("Time").exists();
  return fmt::format("Raise \"{}Time/End time\" to go on, with --set or in the deck", has_own ? "Stages/" + last.name + "/" : "");
}
}  // namespace

std::string Run::restart_signature() const
{
  std::string text = deck.without([](const std::string &path, const std::string &entry) {
                           return path == "Output" || entry == "End time" || entry == "Title";
                         })
                         .as_prm();
  text += "set Columns = " + analysis.recorder.more_columns() + "\n";
  for (const auto &[name, path] : deck.files())
    text += fmt::format("the file {}, CRC-32 {:08x}\n", name, checksum_of(path));
  return text;
}

bool Run::checkpoint_is_due()
{
  if (options.output.empty())
    return false;
  if (checkpoints.every_steps > 0)
  {
    const long before = std::exchange(checkpoints.steps, analysis.counts.steps);  // an increment that is cut counts more than once
    return analysis.counts.steps / checkpoints.every_steps > before / checkpoints.every_steps;
  }
  if (checkpoints.every_seconds <= 0.)
    return false;
  const double now = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, ScopedTimer::now(), 0);
  return now - checkpoints.wall >= checkpoints.every_seconds;
}

void Run::save()
{
  if (options.output.empty() || resumed || !running || analysis.place.stage == analysis.stages.size())
    throw InputError(options.output.empty() ? "a checkpoint needs a folder of results: RunOptions::output"
                                            : "a checkpoint is written between two steps: after advance(), and before the run is done");
  write_checkpoint();
}

Archive Run::archive()
{
  const RunPlace &place = analysis.place;
  const Counts &counts = analysis.counts;
  Archive all, of_place = all.section("place"), of_counts = all.section("counts");
  all.put("state", analysis.state);
  if (const Remembering *laws = remembering(analysis.system()))
    laws->save_history(analysis.state.history, all.section("history"));
  all.put(name_of_rest, analysis.at_rest);
  all.put("program", std::string(SYMDYN_VERSION));
  all.put("deck", signature);
  all.put("deck file", options.deck);
  all.put("settings", options.settings);
  all.put("plugins", options.plugins);
  of_place.put("stage", place.stage);
  of_place.put("done", place.done);
  of_place.put("start", place.start);
  of_place.put("begun", place.begun);
  of_counts.put("steps", counts.steps);
  of_counts.put("newton", counts.newton);
  of_counts.put("krylov", counts.krylov);
  of_counts.put("last newton", counts.last_newton);
  of_counts.put("energy error", counts.energy_error);
  of_counts.put("largest energy error", counts.largest_energy_error);
  const NewtonReached &newton = analysis.newton.reached();
  of_counts.put("newton solutions", newton.solutions);
  of_counts.put("newton residual", newton.residual);
  of_counts.put("newton relative residual", newton.relative);
  analysis.quality.save(all.section("balance quality"));
  save_actions(analysis.actions, all.section("actions"));
  all.put("critical step", analysis.critical);
  all.put("balance open", analysis.balance_open);
  all.put("ratios logged", analysis.ratios_logged);
  all.put_json("found", *analysis.found);
  analysis.energy_balance.save(all.section("energy balance"));
  analysis.energy_alarm.save(all.section("energy alarm"));
  analysis.slow_motion.save(all.section("slow motion"));
  analysis.recorder.save(all.section("results"));
  analysis.structure->save(all);
  if (place.begun)
    stage().save(analysis, all);
  return all;
}

void Run::write_checkpoint()
{
  const ScopedTimer timer("checkpoint");
  search_about(analysis.system(), analysis.state.q);  // as the run that goes on from here does
  const Archive all = archive();
  checkpoints.wall = ScopedTimer::now();
  try
  {
    all.write(options.output + "/checkpoint", analysis.system());
    log_detail(fmt::format("checkpoint: step {}, t = {:.6g}{}", analysis.state.n, analysis.state.t, Units::after(analysis.units.time)));
  }
  catch (const ComputationError &error)  // the run itself is well
  {
    log_warning(error.what());
  }
  const bool at_the_end = analysis.place.begun && stage().is_complete(analysis) && analysis.place.stage + 1 == analysis.stages.size();
  if (checkpoints.deterministic && stop_reason == goes_on && !at_the_end)
    refresh(all);
}

void Run::refresh(const Archive &all)
{
  resumed = std::make_unique<Archive>(all);  // if it is interrupted, the file is still the right one
  forget();
  resume_stage(all);
  resumed.reset();
}

void Run::forget()
{
  analysis.newton.forget();
  if (auto *system = dynamic_cast<KeepsTangents *>(&analysis.structure->system()))
    system->forget();
}

void Run::check_restart()
{
  for (const std::string &load : options.loads)
    signature += "set Load of a program = " + load + "\n";
  if (options.restart.empty())
    return;
  resumed = std::make_unique<Archive>(Archive::read(options.restart + "/checkpoint"));
  const auto before = resumed->get<std::string>("deck");
  if (before == signature)
    return;
  const auto [was, is] = first_difference(before, signature);
  throw InputError(fmt::format(
      "{}/checkpoint: the deck is not that of the checkpoint: it was `{}`, and {} has `{}`. Only Title, End time and Output (but not Columns) may change",
      options.restart, was, deck.name(), is));
}

void Run::load_checkpoint()
{
  if (!resumed)
    return;
  resumed->read_vectors(analysis.system());
  resumed->get("state", analysis.state);
  if (const Remembering *laws = remembering(analysis.system()))
    analysis.state.history = laws->load_history(std::as_const(*resumed).section("history"));
  resumed->get(name_of_rest, analysis.at_rest);
  analysis.structure->load(*resumed);
  search_about(analysis.system(), analysis.state.q);
  const Archive place = std::as_const(*resumed).section("place");
  analysis.place = {place.get<std::size_t>("stage"), place.get<long>("done"), place.get<double>("start"), place.get<bool>("begun")};
  if (analysis.place.begun)
    stage().load(analysis, *resumed);
  if (analysis.place.begun && stage().is_complete(analysis) && analysis.place.stage + 1 == analysis.stages.size())
    throw InputError(fmt::format("{}/checkpoint: the run is at its end, t = {:.6g}{}. {}", options.restart, analysis.state.t,
                                 Units::after(analysis.units.time), what_goes_on(deck, stage())));
}

void Run::resume_loads()
{
  const RunPlace &place = analysis.place;
  analysis.loads.reset(analysis);
  for (std::size_t k = 0; k < place.stage + place.begun; ++k)
  {
    analysis.loads.enter(analysis, *analysis.stages[k]);
    analysis.actions.begin(analysis.loads.acting());
    analysis.actions.stage = k;
    if (analysis.stages[k]->apart)
      analysis.actions.apart = *analysis.stages[k]->apart;
    if (k < place.stage && !analysis.stages[k]->traits().perturbation)
      analysis.actions.reached = 1.;
  }
}

void Run::resume()
{
  const Archive all = *resumed, counts = all.section("counts");
  all.get("critical step", analysis.critical);
  resume_loads();
  analysis.supports.resume(analysis);
  load_actions(all.section("actions"), analysis.actions);
  analysis.actions.statics = stage().traits().is_static();
  all.get("balance open", analysis.balance_open);
  all.get("ratios logged", analysis.ratios_logged);
  *analysis.found = all.get_json("found");
  analysis.counts = {counts.get<long>("steps"),      counts.get<long>("newton"),         counts.get<long>("krylov"),
                     counts.get<int>("last newton"), counts.get<double>("energy error"), counts.get<double>("largest energy error")};
  analysis.newton.continue_from(
      {counts.get<long>("newton solutions"), counts.get<double>("newton residual"), counts.get<double>("newton relative residual")});
  analysis.quality.load(all.section("balance quality"));
  checkpoints.steps = analysis.counts.steps;
  if (checkpoints.deterministic)  // what the checks before the first step have left
    forget();
  resume_stage(all);
  resumed.reset();
}

void Run::resume_stage(const Archive &all)
{
  analysis.slow_motion.load(all.section("slow motion"));
  if (const bool rests = !stage().traits().in_time || !analysis.place.begun; rests)
  {
    if (analysis.balance_open)
      analysis.energy_balance.resume(analysis.system(), analysis.state, true, all.section("energy balance"));
    analysis.energy_alarm.load(all.section("energy alarm"));
  }
  if (analysis.place.begun)
    stage().resume(analysis, all);
}
}  // namespace symdyn
