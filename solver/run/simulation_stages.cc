#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/run/simulation.h"

// The stages of a deck.
namespace symdyn
{
namespace
{
const std::vector<std::string> &stage_types()
{
  static const std::vector<std::string> types{"static", "dynamic", "modes", "modal transient", "harmonic"};
  return types;
}

/// Of a deck without entries: declarations are recorded before the missing ones are complained about.
template <class Declare>
void note_entries(const Declare &declare)
{
  try
  {
    declare();
  }
  catch (const InputError &)
  {
  }
}
}  // namespace

void Simulation::document_motion(Parameters time, Parameters integrator)
{
  Deck nothing;
  Simulation specimen(nothing, Documentation());
  Stage stage;
  note_entries([&] { specimen.declare_dynamic(stage, time, integrator); });
  integrator.add("Scheme", stage.scheme, "time-stepping scheme", Registry<Integrator>::instance().names());
  for (const std::string &name : Registry<Integrator>::instance().names())
  {
    Parameters p = integrator.section(name);
    note_entries([&] { Registry<Integrator>::instance().make(name)->declare(p); });
  }
}

void Simulation::document_stages(Parameters &root)
{
  Deck nothing;
  Simulation specimen(nothing, Documentation());
  document_motion(root.section("Time"), root.section("Integrator"));
  Parameters named = root.section("Stages").section("<name>");
  for (const std::string &type : stage_types())
    note_entries([&] {
      Stage of_type;
      of_type.type = type;
      specimen.declare_stage(of_type, named);
    });
  specimen.slow_motion.declare(root.section("Slow manifold"));
  Parameters section = root.section("Monitors");
  specimen.monitors.declare(section);
  specimen.energy_alarm.declare(section);
  specimen.declare_output(root.section("Output"));
  specimen.declare_solver(root.section("Solver"));
}

void Simulation::declare_stage(Stage &stage, Parameters &p)
{
  p.add(
      "Type", stage.type,
      "static: equilibrium by load increments; dynamic: motion in time; modes: free vibration about the state; modal transient: linear motion, mode by mode; "
      "harmonic: steady vibration",
      stage_types());
  p.add(
      "Loads", stage.loads,
      "names of sections of Loads and Forces that act in this stage, `all` or `none`; default: all. harmonic: those that oscillate, while others that acted before stay; default: "
      "all that do not act yet. modes: `none`; those that acted before stay");
  if (stage.type == "modes" && !stage.loads.empty() && stage.loads != std::vector<std::string>{"none"})
    p.fail("Loads", "a modes stage applies no loads; those of the stages before it stay. Set Loads = none, or remove the entry");
  p.add("Supports", stage.supports,
        "names of sections of Supports and of Equations that hold in this stage, `all` or `none`; default: all");
  if (stage.supports.size() > 1 &&
      (std::count(stage.supports.begin(), stage.supports.end(), "all") || std::count(stage.supports.begin(), stage.supports.end(), "none")))
    p.fail("Supports", "`all` and `none` stand alone");
  if (stage.loads.size() > 1 &&
      (std::count(stage.loads.begin(), stage.loads.end(), "all") || std::count(stage.loads.begin(), stage.loads.end(), "none")))
    p.fail("Loads", "`all` and `none` stand alone");
  if (stage.is_static())
    declare_static(stage, p);
  const auto stop = [this] { return should_stop(); };
  stage.modes.stop = stage.harmonic.modes.stop = stop;
  if (stage.type == "modes")
    stage.modes.declare(p);
  if (stage.type == "harmonic")
    stage.harmonic.declare(p);
  if (stage.type != "modal transient")
    return;
  stage.modal = std::make_shared<ModalTransient>();
  stage.modal->declare(p);
  stage.modal->stop_when(stop);
  stage.integrator = stage.modal;
  stage.scheme = "modal";
  stage.scheme_parameters = std::make_shared<Parameters>(p);
}

void Simulation::declare_static(Stage &stage, Parameters &p)
{
  p.add("Increments", stage.increments, "equal parts in which loads and prescribed displacements are applied", between(1, 100000));
  p.add("Cut increments", stage.cut, "halve an increment that does not converge, down to 1/1024");
  p.add("Duration", stage.duration, "time that passes in the stage, for amplitudes [s]", not_negative());
  p.add("Ramp", stage.ramp, "new loads grow with the increments; no: they act in full, times their amplitude, from the first on");
}

void Simulation::declare_stages(Parameters &root)
{
  Parameters section = root.section("Stages");
  for (const std::string &name : section.named_sections())
  {
    Parameters p = section.section(name);
    Stage stage;
    stage.name = name;
    stage.where = p.where();
    declare_stage(stage, p);
    stages.push_back(stage);
  }
  if (stages.empty())
  {
    stages.emplace_back();
    stages.back().name = "dynamic";
  }
  check_order();
  int statics = 0;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
  {
    stage->statics_after = statics;
    if (!stage->is_perturbation())
      statics = stage->is_static() && stage->duration == 0. ? statics + 1 : 0;
  }
  declare_motions(root);
}

void Simulation::check_order() const
{
  bool moved = false;
  std::map<std::string, const Stage *> files;
  for (const Stage &stage : stages)
  {
    if (stage.modal && stage.modal->may_end_early() && &stage != &stages.back())
      throw InputError(stage.where +
                       ": Until steady lets the end of the stage open, and others follow. Remove the entry, or make this stage the last");
    if (const auto [other, alone] = files.emplace(Results::stem(stage.type, stage.name), &stage); stage.is_perturbation() && !alone)
      throw InputError(
          fmt::format("{}: its results would have the names of those of stage '{}'. Call one of them differently by a letter or a digit",
                      stage.where, other->second->name));
    if (!stage.moves() && moved)
      throw InputError(
          fmt::format("{}: a {} stage is about a state at rest, and after a motion there is none. Put it before the stages that move",
                      stage.where, stage.type));
    moved = moved || stage.moves();
  }
}

void Simulation::declare_motions(Parameters &root)
{
  Parameters section = root.section("Stages");
  bool uses_time = false, uses_integrator = false;
  double start = 0;
  for (Stage &stage : stages)
  {
    stage.start = start;
    if (stage.is_static())
      start += stage.duration;
    if (!stage.moves())
      continue;
    Parameters own = section.section(stage.name), time = own.section("Time"), integrator = own.section("Integrator");
    const bool own_time = time.exists(), own_integrator = integrator.exists();
    uses_time = uses_time || !own_time;
    if (!stage.modal)
      uses_integrator = uses_integrator || !own_integrator;
    else if (own_integrator)
      integrator.fail("", "has no effect: a modal transient stage steps its modes exactly. Remove the section");
    declare_dynamic(stage, own_time ? time : root.section("Time"), own_integrator ? integrator : root.section("Integrator"));
    start = stage.end;
  }
  Stage unused;
  for (const auto &[name, used] : {std::pair{"Time", uses_time}, {"Integrator", uses_integrator}})
    if (!used && root.section(name).exists())
      log_warning(fmt::format("{}: no stage uses this section", root.section(name).where()));
  if (!uses_time)
    declare_time(unused, root.inactive_section("Time"));
  if (!uses_integrator)
    declare_scheme(unused, root.inactive_section("Integrator"));
  const auto none = [this](const auto &what) { return std::none_of(stages.begin(), stages.end(), what); };
  if (none([](const Stage &stage) { return !stage.is_static(); }) && root.section("Damping").exists())
    root.section("Damping").fail("", "has no effect: the deck has static stages only. Remove it, or add a dynamic stage");
  if (none([](const Stage &stage) { return stage.moves(); }) && root.section("Base motion").exists())
    root.section("Base motion").fail("", "has no effect: the deck has no stage in time. Remove it, or add a dynamic stage");
}

std::string Simulation::declare_time(Stage &stage, Parameters time)
{
  time.add("Time step", stage.step_text, "h [s], or `auto`: 0.9 of the critical step of an explicit scheme");
  time.add("Automatic step at most", stage.at_most, "upper bound of `Time step = auto` [s]", positive());
  time.add("Automatic step at least", stage.at_least,
           "lower bound of `Time step = auto` [s]: where the critical step asks for a shorter one, the run is refused", positive());
  std::string end;
  time.add("End time", end, "[s]; a multiple of the step");
  time.add(
      "Sampling", stage.sampling,
      "value of amplitude tables and base records that a step uses; points: that of the table at the times of the scheme; mean: the mean over the neighbouring steps, whose "
      "impulse is exact",
      {"points", "mean"});
  stage.where_sampling = time.where("Sampling");
  stage.substeps.declare(time);
  time.add("Allow unstable step", stage.allow_unstable, "run an explicit scheme beyond its critical step");
  return end;
}

void Simulation::declare_dynamic(Stage &stage, Parameters time, Parameters integrator)
{
  const std::string end = declare_time(stage, time);
  stage.where_step = time.where("Time step");
  stage.time_section = time.path();
  stage.where_end = time.where("End time");
  if (!time.given("Time step"))
    time.fail("Time step", "a dynamic stage needs its time step [s]");
  if (!time.given("End time"))
    time.fail("End time", "a dynamic stage needs its end time [s]");
  for (const char *entry : {"Automatic step at most", "Automatic step at least"})
    if (time.given(entry) && stage.step_text != "auto")
      time.fail(entry, "has no effect without \"Time step = auto\". Set that, or remove the entry");
  if (stage.at_most > 0. && stage.at_least > stage.at_most)
    time.fail("Automatic step at least", "is above \"Automatic step at most\". Lower it");
  if (stage.step_text != "auto")
    stage.step = positive_number(stage.step_text, time, "Time step", " or `auto`");
  stage.end = positive_number(end, time, "End time", "");
  if (stage.end <= stage.start)
    time.fail("End time", fmt::format("must be later than the start of stage '{}', {:g} s", stage.name, stage.start));
  if (stage.step > 0.)
  {
    const double n = std::max(1., std::round((stage.end - stage.start) / stage.step)), nearest = stage.start + n * stage.step;
    if (n > 1e9)
      time.fail("End time",
                fmt::format("takes {:.3g} steps of {} s; at most 1e9 are possible. Look at the unit of both", n, stage.step_text));
    if (std::abs(nearest - stage.end) > 1e-9 * stage.end)
      time.fail("End time", fmt::format("is not a multiple of the step {} s{}. The nearest is {:.12g} s", stage.step_text,
                                        stage.start > 0. ? fmt::format(" after the start at {:g} s", stage.start) : "", nearest));
  }
  if (!stage.modal)
    declare_scheme(stage, integrator);
}

void Simulation::declare_scheme(Stage &stage, Parameters integrator)
{
  stage.scheme = "newmark";
  const std::vector<std::string> names = Registry<Integrator>::instance().names();
  integrator.add("Scheme", stage.scheme, "time-stepping scheme", names);
  for (const std::string &name : names)
    if (name != stage.scheme)
    {
      Parameters other = integrator.inactive_section(name);
      Registry<Integrator>::instance().make(name)->declare(other);
    }
  stage.scheme_parameters = std::make_shared<Parameters>(integrator.section(stage.scheme));
  stage.integrator = Registry<Integrator>::instance().make(stage.scheme);
  stage.integrator->declare(*stage.scheme_parameters);
  stage.integrator->newton = &newton;
}
}  // namespace symdyn
