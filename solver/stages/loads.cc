#include "solver/stages/loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
void LoadProgramme::reset(const Analysis &analysis) { act.assign(analysis.system().diagnosis().load_names().size(), false); }

void LoadProgramme::enter(const Analysis &analysis, const Stage &stage)
{
  if (!stage.traits().perturbation)
    act = chosen(stage.loads, analysis.system().diagnosis().load_names());
}

void LoadProgramme::check(const Analysis &analysis, const Stage &stage)
{
  const std::vector<std::string> names = analysis.system().diagnosis().load_names();
  for (const std::string &load : stage.loads)
    if (load != "all" && load != "none" && !std::count(names.begin(), names.end(), load))
      throw InputError(names.empty()
                           ? fmt::format("{}: the deck has no loads. Remove the entry, or add a section to Loads", stage.at("Loads"))
                           : fmt::format("{}: there is no load '{}'; there are: {}, and `all`, `none`", stage.at("Loads"), load,
                                         join(nearest_first(load, names))));
}

void LoadProgramme::warn_of_idle(const Analysis &analysis)
{
  std::vector<std::string> idle = analysis.system().diagnosis().load_names();
  for (const auto &stage : analysis.stages)
  {
    if (stage->traits().perturbation && stage->loads.empty())  // its default is not known here
      return;
    std::vector<bool> rests = chosen(stage->loads, idle);
    rests.flip();
    idle = marked(idle, rests);
  }
  if (!idle.empty())
    log_warning(fmt::format("no stage has the load{} {}: name {} in Loads of a stage, or remove {}", idle.size() > 1 ? "s" : "", join(idle),
                            idle.size() > 1 ? "them" : "it", idle.size() > 1 ? "them" : "it"));
}

void LoadProgramme::begin(Analysis &analysis, const Stage &stage)
{
  const MechanicalSystem &system = analysis.system();
  const bool first = analysis.place.stage == 0;
  const std::vector<bool> before = act;
  enter(analysis, stage);
  if (stage.traits().perturbation && first && system.has(Feature::gravity))
    log_detail(fmt::format("stage {}: the body as it is drawn, without its weight. A static stage before this one puts the weight on",
                           stage.name));
  analysis.actions.begin(act);
  analysis.actions.stage = analysis.place.stage;
  if (stage.apart && *stage.apart != analysis.actions.apart)
    log_line(fmt::format("stage {}: contacts that do not act, from its start: {}", stage.name,
                         stage.apart->empty() ? "none" : join(*stage.apart)));
  if (stage.apart)
    analysis.actions.apart = *stage.apart;
  std::vector<bool> comes(act.size()), goes(act.size());
  for (std::size_t i = 0; i < act.size(); ++i)
  {
    comes[i] = act[i] && !before[i];
    goes[i] = before[i] && !act[i];
  }
  const std::vector<std::string> names = system.diagnosis().load_names(), added = marked(names, comes), removed = marked(names, goes);
  if (first || (added.empty() && removed.empty()))
    return;
  log_line(fmt::format("stage {}:{}{}{} {}", stage.name, added.empty() ? "" : " loads " + join(added) + " come",
                       added.empty() || removed.empty() ? "" : ",",
                       removed.empty() ? "" : (added.empty() ? " loads " : " ") + join(removed) + " go", how_it_comes(stage)));
}

std::size_t resting_load(const Analysis &analysis, const std::string &where, const std::string &name, const std::string &use,
                         const std::string &of_weights)
{
  const MechanicalSystem &system = analysis.system();
  const std::vector<std::string> names = system.diagnosis().load_names(), weights = system.diagnosis().weights();
  const std::size_t number = std::find(names.begin(), names.end(), name) - names.begin();
  if (number == names.size())
    throw InputError(fmt::format("{}: there is no load '{}'; there are: {}", where, name, join(nearest_first(name, names))));
  if (analysis.loads.acting()[number])
    throw InputError(fmt::format(
        "{}: load '{}' acts already, at rest, and cannot {}, too. Leave it out of Loads of the stage before, or make another load", where,
        name, use));
  if (std::count(weights.begin(), weights.end(), name) > 0)
    throw InputError(fmt::format("{}: load '{}' is a weight. {}", where, name, of_weights));
  return number;
}

Vector constant_load(const Analysis &analysis, const std::string &where, const std::string &name)
{
  const MechanicalSystem &system = analysis.system();
  const State &state = analysis.state;
  const std::vector<std::string> names = system.diagnosis().load_names();
  const std::size_t number = std::find(names.begin(), names.end(), name) - names.begin();
  Vector f = system.new_vector();
  system.diagnosis().load_force(number, state.t, state.q, f);
  if (f.l2_norm() == 0.)
    throw InputError(fmt::format("{}: load '{}' is zero. Give it the amplitude of which it has a factor here", where, name));
  if (!is_constant_load(system, number, state.t, state.q, f))
    throw InputError(
        fmt::format("{}: load '{}' changes with time; an amplitude does not. Give it a constant value, without Amplitude", where, name));
  return f;
}

bool is_constant_load(const MechanicalSystem &system, const std::size_t load, const double t, const Vector &q, const Vector &now)
{
  constexpr double rounding = 1e-12;
  for (const double later : {1.234567e-4, 0.0317, 0.71, 12.9})
  {
    Vector then = system.new_vector();
    system.diagnosis().load_force(load, t + later, q, then);
    then -= now;
    if (then.linfty_norm() > rounding * now.linfty_norm())
      return false;
  }
  return true;
}
}  // namespace symdyn
