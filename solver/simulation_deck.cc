#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "solver/log.h"
#include "solver/registry.h"
#include "solver/simulation.h"

// How a deck becomes stages and a structure.
namespace symdyn
{
namespace
{
double number_of(const std::string &text, const Parameters &p, const std::string &name, const std::string &also)
{
  std::size_t end = 0;
  double value = 0;
  try
  {
    value = std::stod(text, &end);
  }
  catch (const std::exception &)
  {
    end = 0;
  }
  if (end != text.size() || !std::isfinite(value) || !(value > 0.))
    p.fail(name, "must be a number > 0" + also);
  return value;
}

/// "solid" stands for the structures solid-2d and solid-3d, of which Mesh/Dimension selects one.
const std::string solid = "solid";

std::vector<std::string> structures()
{
  std::vector<std::string> names{solid};
  for (const std::string &name : Registry<Structure>::instance().names())
    if (name.compare(0, solid.size() + 1, solid + "-") != 0)
      names.push_back(name);
  return names;
}

void declare_structure(Parameters &root, std::string &kind)
{
  root.add("Structure", kind, "solid: a body on a mesh; discrete: points, bars, dashpots, potentials given as formulas", structures());
}

void declare_dimension(Parameters mesh, int &dimension)
{
  mesh.add("Dimension", dimension, "2 (plane strain, or plane stress where the material says so) or 3", between(2, 3));
}
}  // namespace

Simulation::Simulation(Deck &given) : deck(given)
{
  Parameters root = deck.root();
  root.add("Title", title, "shown in the log and in summary.json");
  Parameters section = root.section("Units");
  units.declare(section);
  std::string kind = solid;
  declare_structure(root, kind);
  if (kind == solid)
  {
    int dimension = 3;
    declare_dimension(root.section("Mesh"), dimension);
    kind = fmt::format("{}-{}d", solid, dimension);
  }
  structure = Registry<Structure>::instance().make(kind);
  on_mesh = kind.rfind(solid, 0) == 0;
  structure->declare(root);
  section = root.section("Newton");
  newton_given = section.exists();
  linear_solver_given = root.section("Linear solver").exists();
  newton.declare(section);
  declare_stages(root);
  slow_motion.declare(root.section("Slow manifold"));
  monitors.declare(root.section("Monitors"));
  declare_output(root.section("Output"));
  declare_solver(root.section("Solver"));
  deck.finish();
}

void Simulation::document(Parameters root)
{
  std::string text;
  root.add("Title", text, "shown in the log and in summary.json");
  Parameters section = root.section("Units");
  Units().declare(section);
  std::string kind = solid;
  declare_structure(root, kind);
  int dimension = 3;
  declare_dimension(root.section("Mesh"), dimension);
  for (const char *solid_kind : {"solid-3d", "solid-2d"})  // some shapes exist in one of them only
    Registry<Structure>::instance().make(solid_kind)->document(root);
  for (const std::string &name : structures())
    if (name != solid)
      Registry<Structure>::instance().make(name)->document(root);
  section = root.section("Newton");
  Newton().declare(section);
  document_stages(root);
}

void Simulation::document_stages(Parameters &root)
{
  // A deck without entries: declarations are recorded before the missing ones are complained about.
  Deck nothing;
  Simulation specimen(nothing, Documentation());
  const auto record = [](const auto &declare) {
    try
    {
      declare();
    }
    catch (const InputError &)
    {
    }
  };
  Stage stage;
  record([&] { specimen.declare_dynamic(stage, root.section("Time"), root.section("Integrator")); });
  Parameters integrator = root.section("Integrator"), named = root.section("Stages").section("<name>");
  integrator.add("Scheme", stage.scheme, "time-stepping scheme", Registry<Integrator>::instance().names());
  for (const std::string &name : Registry<Integrator>::instance().names())
  {
    Parameters p = integrator.section(name);
    record([&] { Registry<Integrator>::instance().make(name)->declare(p); });
  }
  declare_stage(stage, named);
  stage.type = "static";
  declare_stage(stage, named);
  specimen.slow_motion.declare(root.section("Slow manifold"));
  specimen.monitors.declare(root.section("Monitors"));
  specimen.declare_output(root.section("Output"));
  specimen.declare_solver(root.section("Solver"));
}

void Simulation::declare_solver(Parameters p)
{
  p.add("Deterministic", deterministic,
        "each checkpoint makes mesh, system and solvers anew, as a restart does: a run and its restart on as many ranks then agree to the last bit");
}

void Simulation::declare_stage(Stage &stage, Parameters &p)
{
  p.add("Type", stage.type, "static: equilibrium by load increments; dynamic: motion in time", {"static", "dynamic"});
  if (stage.type == "static")
    p.add("Increments", stage.increments, "equal parts in which loads and prescribed displacements are applied", between(1, 100000));
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
    if (stage.type == "static" && !stages.empty())
      p.fail("Type", "a static stage comes first: after a motion there is no rest to start from, and after another static stage the loads are on already. "
                     "Make one static stage, with more Increments if need be");
    stages.push_back(stage);
  }
  if (stages.empty())
  {
    stages.emplace_back();
    stages.back().name = "dynamic";
  }
  bool uses_time = false, uses_integrator = false;
  double start = 0;
  for (Stage &stage : stages)
    if (stage.type == "dynamic")
    {
      Parameters own = section.section(stage.name), time = own.section("Time"), integrator = own.section("Integrator");
      const bool own_time = time.exists(), own_integrator = integrator.exists();
      uses_time = uses_time || !own_time;
      uses_integrator = uses_integrator || !own_integrator;
      stage.start = start;
      declare_dynamic(stage, own_time ? time : root.section("Time"), own_integrator ? integrator : root.section("Integrator"));
      start = stage.end;
    }
  Stage unused;
  for (const auto &[name, used] : {std::pair{"Time", uses_time}, {"Integrator", uses_integrator}})
    if (!used && root.section(name).exists())
      log_warning(fmt::format("{}: no dynamic stage uses this section", root.section(name).where()));
  if (!uses_time)
    declare_time(unused, root.inactive_section("Time"));
  if (!uses_integrator)
    declare_scheme(unused, root.inactive_section("Integrator"));
  if (!uses_time && !uses_integrator && start == 0. && root.section("Damping").exists())
    root.section("Damping").fail("", "has no effect: the deck has static stages only. Remove it, or add a dynamic stage");
}

std::string Simulation::declare_time(Stage &stage, Parameters time)
{
  time.add("Time step", stage.step_text, "h [s], or `auto`: 0.9 of the critical step of an explicit scheme");
  std::string end;
  time.add("End time", end, "[s]; a multiple of the step");
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
  if (stage.step_text != "auto")
    stage.step = number_of(stage.step_text, time, "Time step", " or `auto`");
  stage.end = number_of(end, time, "End time", "");
  if (stage.end <= stage.start)
    time.fail("End time", fmt::format("must be later than the start of stage '{}', {:g} s", stage.name, stage.start));
  if (stage.step > 0.)
  {
    const double n = std::max(1., std::round((stage.end - stage.start) / stage.step)), nearest = stage.start + n * stage.step;
    if (n > 1e9)
      time.fail("End time", fmt::format("takes {:.3g} steps of {} s; at most 1e9 are possible. Look at the unit of both", n, stage.step_text));
    if (std::abs(nearest - stage.end) > 1e-9 * stage.end)
      time.fail("End time", fmt::format("is not a multiple of the step {} s{}. The nearest is {:.12g} s", stage.step_text,
                                        stage.start > 0. ? fmt::format(" after the start at {:g} s", stage.start) : "", nearest));
  }
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

namespace
{
/// `10` steps or `0.05 s`.
void read_interval(const Parameters &p, const std::string &entry, const std::string &given, const std::string &also, long &steps, double &seconds)
{
  std::string text = given;
  const bool timed = text.size() > 1 && text.back() == 's';
  if (timed)
    text = trim(text.substr(0, text.size() - 1));
  const double value = number_of(text, p, entry, " (steps)" + also);
  if (timed)
    seconds = value;
  else if (value != std::floor(value))
    p.fail(entry, fmt::format("a number of steps is whole. For a time write `{} s`", text));
  else
    steps = long(value);
}
}  // namespace

void Simulation::declare_output(Parameters p)
{
  write_every_text = "";
  p.add("Write every", write_every_text, "a frame each so many steps (`10`) or seconds (`0.05 s`); `never`; default: 100 frames a stage");
  p.add("History every", history_every, "a row of history.csv each so many steps; 0: each step, each tenth of an explicit scheme on a mesh", between(0, 1000000000));
  p.add("Checkpoint every", checkpoint_every_text, "the file `checkpoint`, from which `symdyn run --restart` goes on, each so many steps (`1000`) or seconds of computing (`600 s`)");
  p.add("Static peaks", static_peaks, "peaks.csv and maxima.pvd count static stages beside dynamic ones; they always do if all stages are static");
  spectra.declare(p);
  if (!checkpoint_every_text.empty())
    read_interval(p, "Checkpoint every", checkpoint_every_text, ", or a time such as `600 s`", checkpoint_every_steps, checkpoint_every_seconds);
  if (write_every_text.empty() || write_every_text == "never")
    return;
  read_interval(p, "Write every", write_every_text, ", a time such as `0.05 s`, or `never`", write_every_steps, write_every_seconds);
}
}  // namespace symdyn
