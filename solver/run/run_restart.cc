#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "solver/base/checkpoint.h"
#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/run/run.h"

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
nlohmann::json saved_actions(const Actions &actions)
{
  const auto numbers = [](const std::vector<double> &values) {
    nlohmann::json list = nlohmann::json::array();
    for (const double value : values)
      list.push_back(exact(value));
    return list;
  };
  return {{"from", numbers(actions.from)},
          {"to", numbers(actions.to)},
          {"motion from", exact(actions.motion_from)},
          {"reached", exact(actions.reached)}};
}

void load_actions(const nlohmann::json &saved, Actions &actions)
{
  const auto numbers = [](const nlohmann::json &list) {
    std::vector<double> values;
    for (const auto &value : list)
      values.push_back(from_exact(value));
    return values;
  };
  actions.from = numbers(saved.at("from"));
  actions.to = numbers(saved.at("to"));
  actions.motion_from = from_exact(saved.at("motion from"));
  actions.reached = from_exact(saved.at("reached"));
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

bool Run::refreshes() const
{
  const RunPlace &place = analysis.place;
  const bool at_the_end = place.stage + 1 == analysis.stages.size() && place.begun && stage().is_complete(analysis);
  return checkpoints.deterministic && stop_reason == goes_on && !at_the_end;
}

bool Run::write_checkpoint()
{
  const ScopedTimer timer("checkpoint");
  const RunPlace &place = analysis.place;
  const Counts &counts = analysis.counts;
  Checkpoint checkpoint;
  checkpoint.put("state", analysis.state);
  checkpoint.put(name_of_rest, analysis.at_rest);
  auto &facts = checkpoint.facts;
  facts["program"] = SYMDYN_VERSION;
  facts["deck"] = signature;
  facts["deck file"] = options.deck;
  facts["settings"] = options.settings;
  facts["plugins"] = options.plugins;
  facts["place"] = {{"stage", place.stage}, {"done", place.done}, {"start", exact(place.start)}, {"begun", place.begun}};
  facts["counts"] = {{"steps", counts.steps},
                     {"newton", counts.newton},
                     {"krylov", counts.krylov},
                     {"last newton", counts.last_newton},
                     {"energy error", exact(counts.energy_error)},
                     {"largest energy error", exact(counts.largest_energy_error)}};
  facts["actions"] = saved_actions(analysis.actions);
  facts["critical step"] = exact(analysis.critical);
  facts["balance open"] = analysis.balance_open;
  facts["energy balance"] = analysis.energy_balance.saved();
  facts["energy alarm"] = analysis.energy_alarm.saved();
  facts["slow motion"] = analysis.slow_motion.saved();
  facts["ratios logged"] = analysis.ratios_logged;
  facts["found"] = analysis.found;
  facts["results"] = analysis.recorder.saved();
  analysis.structure->save(checkpoint);
  if (place.begun)
    stage().save(analysis, checkpoint);
  checkpoints.wall = ScopedTimer::now();
  try
  {
    checkpoint.write(options.output + "/checkpoint", analysis.system());
  }
  catch (const ComputationError &error)  // the run itself is well
  {
    log_warning(error.what());
    return false;
  }
  log_detail(fmt::format("checkpoint: step {}, t = {:.6g}{}", analysis.state.n, analysis.state.t, Units::after(analysis.units.time)));
  return true;
}

void Run::check_restart()
{
  signature = restart_signature();  // before other files are named, on the way to the mesh
  if (options.restart.empty())
    return;
  resumed = std::make_unique<Checkpoint>(Checkpoint::read_facts(options.restart + "/checkpoint"));
  const std::string before = resumed->facts.at("deck");
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
  resumed->read_vectors(options.restart + "/checkpoint", analysis.system());
  analysis.state = resumed->state("state");
  analysis.at_rest = resumed->vector(name_of_rest);
  analysis.structure->load(*resumed);
  const auto &place = resumed->facts.at("place");
  analysis.place = {place.at("stage"), place.at("done"), from_exact(place.at("start")), place.at("begun")};
  if (analysis.place.begun)
    stage().load(analysis, *resumed);
  if (analysis.place.begun && stage().is_complete(analysis) && analysis.place.stage + 1 == analysis.stages.size())
    throw InputError(
        fmt::format("{}/checkpoint: the run is at its end, t = {:.6g}{}. Raise \"Time/End time\" to go on, with --set or in the deck",
                    options.restart, analysis.state.t, Units::after(analysis.units.time)));
}

void Run::resume_loads()
{
  const RunPlace &place = analysis.place;
  analysis.loads.reset(analysis);
  for (std::size_t k = 0; k < place.stage + place.begun; ++k)
  {
    analysis.loads.enter(analysis, *analysis.stages[k]);
    analysis.actions.begin(analysis.loads.acting());
    if (k < place.stage && !analysis.stages[k]->traits().perturbation)
      analysis.actions.reached = 1.;
  }
}

void Run::resume()
{
  MechanicalSystem &system = analysis.system();
  const auto &facts = resumed->facts;
  analysis.critical = from_exact(facts.at("critical step"));
  resume_loads();
  analysis.supports.resume(analysis);
  load_actions(facts.at("actions"), analysis.actions);
  const StageTraits traits = stage().traits();
  analysis.actions.statics = traits.is_static();
  analysis.balance_open = facts.at("balance open");
  analysis.ratios_logged = facts.at("ratios logged");
  analysis.found = facts.at("found");
  const auto &counts = facts.at("counts");
  analysis.counts = {counts.at("steps"),
                     counts.at("newton"),
                     counts.at("krylov"),
                     counts.at("last newton"),
                     from_exact(counts.at("energy error")),
                     from_exact(counts.at("largest energy error"))};
  checkpoints.steps = analysis.counts.steps;
  analysis.slow_motion.load(facts.at("slow motion"));
  if (const bool rests = !traits.in_time || !analysis.place.begun; rests)
  {
    if (analysis.balance_open)
      analysis.energy_balance.resume(system, analysis.state, true, facts.at("energy balance"));
    analysis.energy_alarm.load(facts.at("energy alarm"));
  }
  if (analysis.place.begun)
    stage().resume(analysis, *resumed);
  resumed.reset();
}
}  // namespace symdyn
