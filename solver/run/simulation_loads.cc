#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/run/simulation.h"
#include "solver/vibration/linear_motion.h"

// Which loads act in which stage.
namespace symdyn
{
void Simulation::check_stage(const Stage &stage) const
{
  const std::vector<std::string> names = structure->system().load_names();
  for (const std::string &load : stage.loads)
    if (load != "all" && load != "none" && !std::count(names.begin(), names.end(), load))
      throw InputError(names.empty() ? fmt::format("{}: Loads = {}: the deck has no loads. Remove the entry, or add a section to Loads",
                                                   stage.where, load)
                                     : fmt::format("{}: Loads = {}: there is no load '{}'; there are: {}, and `all`, `none`", stage.where,
                                                   join(stage.loads), load, join(nearest_first(load, names))));
  if (stage.is_perturbation() || stage.modal)
    try
    {
      check_linear_system(structure->system());
    }
    catch (const InputError &error)
    {
      throw InputError(stage.where + ": " + error.what());
    }
  if (stage.modal && stage.substeps.on())
    throw InputError(stage.where +
                     ": a modal transient stage steps its modes exactly and has no steps to divide. Remove Adaptive and Cut back");
  if (!stage.is_static())
    return;
  if (structure->system().constraints())
    throw InputError(fmt::format(
        "{}: a static stage knows no exact constraints. Make the stage dynamic, or use --set Constraints/Treatment=penalty with an omega",
        stage.where));
  // Of supports that stay the first static stage says all.
  if (!supports_change() && &stage == &*std::find_if(stages.begin(), stages.end(), [](const Stage &one) { return one.is_static(); }))
    check_held(stage, state.q);
}

std::vector<bool> Simulation::acting_in(const Stage &stage, const std::vector<bool> &before) const
{
  if (stage.is_perturbation())
    return before;
  const std::vector<std::string> names = structure->system().load_names();
  const bool all = stage.loads.empty() || stage.loads.front() == "all";
  std::vector<bool> act;
  for (const std::string &name : names)
    act.push_back(all || std::count(stage.loads.begin(), stage.loads.end(), name));
  return act;
}

void Simulation::begin_loads(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  const std::vector<std::string> names = system.load_names();
  if (acting.size() != names.size())
    acting.assign(names.size(), false);  // before the first stage
  const std::vector<bool> before = acting;
  acting = acting_in(stage, before);
  if (stage.is_perturbation() && place.stage == 0 && system.has(Feature::gravity))
    log_detail(fmt::format("stage {}: the body as it is drawn, without its weight. A static stage before this one puts the weight on",
                           stage.name));
  system.begin_loads(acting);
  std::vector<std::string> added, removed;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (acting[i] != before[i])
      (acting[i] ? added : removed).push_back(names[i]);
  if (place.stage == 0 || (added.empty() && removed.empty()))
    return;
  const std::string how = stage.is_static() && stage.ramp ? "over the stage" : "at once";
  log_line(fmt::format("stage {}:{}{}{} {}", stage.name, added.empty() ? "" : " loads " + join(added) + " come",
                       added.empty() || removed.empty() ? "" : ",",
                       removed.empty() ? "" : (added.empty() ? " loads " : " ") + join(removed) + " go", how));
}
}  // namespace symdyn
