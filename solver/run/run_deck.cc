#include <fmt/format.h>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/timer.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/run/run.h"
#include "solver/stages/stage_list.h"

// How a deck becomes a structure, stages, and what is written.
namespace symdyn
{
namespace
{
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

void declare_top(Parameters &root, std::string &title, bool &check_only)
{
  root.add("Title", title, "shown in the log and in summary.json");
  root.add("Check only", check_only, "build and check the model, print its summary and stop before the analysis, as symdyn check");
}
}  // namespace

Run::Run(Deck &given) : deck(given), phases_before(ScopedTimer::seconds())
{
  const auto warn_of_old_names = [this] {
    for (const std::string &warning : deck.old_names_used())
      log_warning(warning);
  };
  try
  {
    declare();
    warn_of_old_names();
  }
  catch (const InputError &)
  {
    warn_of_old_names();
    Deck reference;
    document(reference.root());
    const Parameters of_stage = reference.root().section("Stages").section("<name>");  // which may have these two of its own
    document_motion(of_stage.section("Time"), of_stage.section("Integrator"));
    if (const std::vector<std::string> unknown = deck.unknown_to(reference); !unknown.empty())
      throw InputError(join(unknown, "\n"));  // what is missing may be misspelt
    throw;
  }
  deck.finish();
  signature = restart_signature();  // before other files are named, on the way to the mesh
}

void Run::declare()
{
  Parameters root = deck.root();
  declare_top(root, title, check_only);
  Parameters section = root.section("Units");
  analysis.units.declare(section);
  std::string kind = solid;
  declare_structure(root, kind);
  if (kind == solid)
  {
    int dimension = 3;
    declare_dimension(root.section("Mesh"), dimension);
    kind = fmt::format("{}-{}d", solid, dimension);
  }
  analysis.structure = Registry<Structure>::instance().make(kind);
  on_mesh = kind.rfind(solid, 0) == 0;
  analysis.structure->declare(root);
  section = root.section("Newton");
  newton_given = section.exists();
  linear_solver_given = root.section("Linear solver").exists();
  analysis.newton.declare(section);
  analysis.stages = declare_stages(root, analysis.newton);
  analysis.slow_motion.declare(root.section("Slow manifold"));
  section = root.section("Monitors");
  analysis.monitors.declare(section);
  analysis.energy_alarm.declare(section);
  analysis.recorder.declare(root.section("Output"));
  declare_checkpoints(root.section("Output"), root.section("Solver"));
}

void Run::declare_checkpoints(Parameters output, Parameters solver)
{
  output.add(
      "Checkpoint every", checkpoints.entry,
      "interval of the file `checkpoint`, from which `symdyn run --restart` resumes: number of steps (`1000`) or wall time (`10 min`)");
  if (!checkpoints.entry.empty())
    read_interval(output, "Checkpoint every", checkpoints.entry, ", or a time such as `10 min`", checkpoints.every_steps,
                  checkpoints.every_seconds);
  solver.add(
      "Deterministic", checkpoints.deterministic,
      "drop kept tangents and preconditioners at each checkpoint, as a restart does: a run and its restart on the same number of ranks then agree to the last bit");
}

void Run::document(Parameters root)
{
  std::string text;
  bool no = false;
  declare_top(root, text, no);
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
  SlowMotion().declare(root.section("Slow manifold"));
  section = root.section("Monitors");
  Monitors().declare(section);
  EnergyAlarm().declare(section);
  Recorder().declare(root.section("Output"));
  Deck nothing;
  Run(nothing, Documentation()).declare_checkpoints(root.section("Output"), root.section("Solver"));
}
}  // namespace symdyn
