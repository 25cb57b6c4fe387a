#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

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
}  // namespace

std::string Simulation::restart_signature() const
{
  std::string text = deck.without([](const std::string &path, const std::string &entry) {
                           return path == "Output" || entry == "End time" || entry == "Title";
                         })
                         .as_prm();
  for (const auto &[name, path] : deck.files())
    text += fmt::format("the file {}, CRC-32 {:08x}\n", name, checksum_of(path));
  return text;
}

long Simulation::steps_of(const Stage &stage) const
{
  if (stage.is_perturbation())  // as long as it is the present stage it is not done
    return std::numeric_limits<long>::max();
  return stage.is_static() ? stage.increments : std::lround((stage.end - place.start) / stage.step);
}

bool Simulation::checkpoint_is_due()
{
  if (checkpoint_every_steps > 0)
  {
    const long before = std::exchange(checkpoint_steps, steps);  // an increment that is cut counts more than once
    return steps / checkpoint_every_steps > before / checkpoint_every_steps;
  }
  if (checkpoint_every_seconds <= 0.)
    return false;
  const double now = dealii::Utilities::MPI::broadcast(MPI_COMM_WORLD, ScopedTimer::now(), 0);
  return now - last_checkpoint >= checkpoint_every_seconds;
}

void Simulation::write_checkpoint()
{
  const ScopedTimer timer("checkpoint");
  Checkpoint checkpoint;
  checkpoint.put("state", state);
  auto &facts = checkpoint.facts;
  facts["program"] = SYMDYN_VERSION;
  facts["deck"] = settled;
  facts["deck file"] = options.deck;
  facts["settings"] = options.settings;
  const Stage &stage = stages[place.stage];
  facts["place"] = {place.stage,        place.done,        exact(place.start), exact(stage.step), exact(critical),
                    exact(load_factor), exact(next_frame), place.begun,        books_open,        ratios_told};
  facts["counts"] = {steps, newton_total, krylov_total, last_newton};
  facts["errors"] = {exact(last_energy_error), exact(largest_energy_error)};
  facts["books"] = energy_balance.saved();
  facts["results"] = results->saved();
  facts["slow motion"] = slow_motion.saved();
  facts["energy alarm"] = energy_alarm.saved();
  structure->save(checkpoint);
  facts["projected"] = stage.moves() && place.begun && slow_motion.due(place.done, steps_of(stage));
  facts["modes found"] = found;
  facts["sweep"] = {sweep.rows, sweep.real, sweep.imaginary};
  checkpoint.put(name_of_rest, at_rest);
  if (stage.moves() && place.begun)
  {
    monitors.save(checkpoint);
    watch.save(checkpoint);
    facts["parts of steps"] = stage.substeps.saved();
  }
  const std::string file = results->folder() + "/checkpoint";
  last_checkpoint = ScopedTimer::now();
  try
  {
    checkpoint.write(file, structure->system());
  }
  catch (const ComputationError &error)  // the run itself is well
  {
    return log_warning(error.what());
  }
  log_detail(fmt::format("checkpoint: step {}, t = {:.6g}{}", state.n, state.t, Units::after(units.time)));
  if (deterministic && stop_reason == 0 && (place.stage + 1 < stages.size() || !place.begun || place.done < steps_of(stage)))
    stop_reason = 3;
}

void Simulation::check_restart()
{
  settled = restart_signature();  // before other files are named, on the way to the mesh
  if (options.restart.empty())
    return;
  resumed = std::make_unique<Checkpoint>(Checkpoint::read_facts(options.restart + "/checkpoint"));
  const std::string before = resumed->facts.at("deck");
  if (before != settled)
  {
    const auto [was, is] = first_difference(before, settled);
    throw InputError(fmt::format(
        "{}/checkpoint: the deck is not that of the checkpoint: it was `{}`, and {} has `{}`. Only Title, Output and End time may change",
        options.restart, was, deck.name(), is));
  }
}

void Simulation::load_checkpoint()
{
  if (!resumed)
    return;
  resumed->read_vectors(options.restart + "/checkpoint", structure->system());
  const auto &facts = resumed->facts;
  state = resumed->state("state");
  structure->load(*resumed);
  const auto &at = facts.at("place");
  place = {at.at(0), at.at(1), from_exact(at.at(2)), at.at(7)};
  at_rest = resumed->vector(name_of_rest);
  Stage &stage = stages.at(place.stage);
  if (stage.moves() && place.begun)
    take_step(stage, from_exact(at.at(3)));
  if (place.begun && place.done >= steps_of(stage) && place.stage + 1 == stages.size())
    throw InputError(
        fmt::format("{}/checkpoint: the run is at its end, t = {:.6g}{}. Raise \"Time/End time\" to go on, with --set or in the deck",
                    options.restart, state.t, Units::after(units.time)));
}

void Simulation::take_step(Stage &stage, const double step) const
{
  stage.step = step;
  const double count = std::round((stage.end - place.start) / step), reached = place.start + count * step;
  if (std::abs(reached - stage.end) > 1e-9 * stage.end)  // `auto`, of which the deck could not know
    throw InputError(fmt::format(
        "{}: the run goes on with its step of {:.12g} s, of which End time = {:.12g} s is no multiple. The nearest is {:.15g} s",
        stage.where_end, step, stage.end, reached));
}

void Simulation::resume_stage(Stage &stage)
{
  MechanicalSystem &system = structure->system();
  const auto &facts = resumed->facts;
  const auto &at = facts.at("place");
  critical = from_exact(at.at(4));
  load_factor = from_exact(at.at(5));
  next_frame = from_exact(at.at(6));
  for (std::size_t k = 0; k < place.stage + place.begun; ++k)
  {
    acting = acting_in(stages[k], k == 0 ? std::vector<bool>(system.load_names().size(), false) : acting);
    system.begin_loads(acting);
    if (k < place.stage && !stages[k].is_perturbation())
      system.set_load_factor(1.);
  }
  resume_supports();
  system.set_load_factor(load_factor);
  system.set_statics(stage.is_static());
  if (stage.moves() && place.begun)
    begin_tables(stage);
  books_open = at.at(8);
  ratios_told = at.at(9);
  found = facts.at("modes found");
  const auto &of_sweep = facts.at("sweep");
  sweep = {of_sweep.at(0), of_sweep.at(1), of_sweep.at(2)};
  std::size_t i = 0;
  for (long *count : {&steps, &newton_total, &krylov_total})
    *count = facts.at("counts").at(i++);
  last_newton = facts.at("counts").at(i);
  last_energy_error = from_exact(facts.at("errors").at(0));
  largest_energy_error = from_exact(facts.at("errors").at(1));
  slow_motion.load(facts.at("slow motion"));
  checkpoint_steps = steps;
  const bool rests = !stage.moves() || !place.begun;
  if (!rests)
  {
    if (stage.modal)
      stage.modal->prepare(system, place.start, state.memory.at(ModalTransient::base), stage.step);
    State scratch = state;
    stage.integrator->start(system, scratch, stage.step);  // for what a scheme keeps beside the state
  }
  if (books_open)
    energy_balance.resume(system, rests ? state : booked(stage), rests, facts.at("books"));
  if (rests)
  {
    energy_alarm.load(facts.at("energy alarm"));
    return resumed.reset();
  }
  stage.substeps.begin(stage.step);
  stage.substeps.load(facts.at("parts of steps"));
  monitors.resume(system, *stage.integrator, state, stage.step, *resumed);
  watch.start(system, state, *stage.integrator, stage.scheme, stage.step, critical, units);
  watch.load(*resumed);
  start_energy_alarm(stage);
  energy_alarm.load(facts.at("energy alarm"));
  if (slow_motion.due(place.done, steps_of(stage)) && !facts.at("projected").get<bool>())  // what was the end then
    project_motion(stage);
}
}  // namespace symdyn
