#include <fmt/format.h>

#include <cmath>

#include "solver/base/log.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/run/simulation.h"

// How a deck becomes stages and a structure.
namespace symdyn
{
namespace
{
/// "solid" stands for the structures solid-2d and solid-3d, of which Mesh/Dimension selects one.
const std::string solid = "solid";
constexpr double longest_interval = 1e9;  ///< from one output to the next

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
  try
  {
    declare();
  }
  catch (const InputError &)
  {
    Deck reference;
    document(reference.root());
    Parameters of_stage = reference.root().section("Stages").section("<name>");  // which may have these two of its own
    document_motion(of_stage.section("Time"), of_stage.section("Integrator"));
    if (const std::vector<std::string> unknown = deck.unknown_to(reference.declarations()); !unknown.empty())
      throw InputError(join(unknown, "\n"));  // what is missing may be misspelt
    throw;
  }
  deck.finish();
}

void Simulation::declare()
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
  section = root.section("Monitors");
  monitors.declare(section);
  energy_alarm.declare(section);
  declare_output(root.section("Output"));
  declare_solver(root.section("Solver"));
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

void Simulation::declare_solver(Parameters p)
{
  p.add(
      "Deterministic", deterministic,
      "each checkpoint makes mesh, system and solvers anew, as a restart does: a run and its restart on as many ranks then agree to the last bit");
}

double Simulation::positive_number(const std::string &text, const Parameters &p, const std::string &name, const std::string &also)
{
  const auto value = number_from<double>(text);
  if (!value || !(*value > 0.))
    p.fail(name, "must be a number > 0" + also);
  return *value;
}

/// `10` steps or `0.05 s`.
void Simulation::read_interval(const Parameters &p, const std::string &entry, const std::string &given, const std::string &also,
                               long &steps, double &seconds)
{
  std::string text = given;
  const bool timed = text.size() > 1 && text.back() == 's';
  if (timed)
    text = trim(text.substr(0, text.size() - 1));
  const double value = positive_number(text, p, entry, " (steps)" + also);
  if (timed)
    seconds = value;
  else if (value != std::floor(value))
    p.fail(entry, fmt::format("a number of steps is whole. For a time write `{} s`", text));
  else if (value > longest_interval)
    p.fail(entry, fmt::format("must be at most {:g} steps. For a time write `{} s`", longest_interval, text));
  else
    steps = long(value);
}

void Simulation::declare_output(Parameters p)
{
  write_every_text = "";
  p.add("Write every", write_every_text,
        "output interval: number of steps (`10`) or time (`0.05 s`); `never`; default: 100 frames a stage");
  p.add("History every", history_every,
        "interval of the rows of history.csv [steps]; 0: every step, with explicit schemes on a mesh every tenth", between(0, 1000000000));
  p.add("Checkpoint every", checkpoint_every_text,
        "interval of the file `checkpoint`, from which `symdyn run --restart` resumes: number of steps (`1000`) or wall time (`600 s`)");
  p.add("Static peaks", static_peaks,
        "peaks.csv and maxima.pvd count static stages beside dynamic ones; they always do if all stages are static");
  spectra.declare(p);
  if (!checkpoint_every_text.empty())
    read_interval(p, "Checkpoint every", checkpoint_every_text, ", or a time such as `600 s`", checkpoint_every_steps,
                  checkpoint_every_seconds);
  if (write_every_text.empty() || write_every_text == "never")
    return;
  read_interval(p, "Write every", write_every_text, ", a time such as `0.05 s`, or `never`", write_every_steps, write_every_seconds);
}
}  // namespace symdyn
