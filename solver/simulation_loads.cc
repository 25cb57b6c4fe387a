#include <fmt/format.h>

#include <algorithm>

#include "solver/error.h"
#include "solver/log.h"
#include "solver/names.h"
#include "solver/simulation.h"

// Which loads act in which stage.
namespace symdyn
{
void Simulation::check_stage(const Stage &stage) const
{
  const std::vector<std::string> names = structure->system().load_names();
  for (const std::string &load : stage.loads)
    if (load != "all" && load != "none" && !std::count(names.begin(), names.end(), load))
      throw InputError(names.empty() ? fmt::format("{}: Loads = {}: the deck has no loads. Remove the entry, or add a section to Loads", stage.where, load)
                                     : fmt::format("{}: Loads = {}: there is no load '{}'; there are: {}, and `all`, `none`", stage.where, join(stage.loads), load,
                                                   join(nearest_first(load, names))));
  if (!stage.is_static())
    return;
  if (structure->system().constraints())
    throw InputError(fmt::format("{}: a static stage knows no exact constraints. Make the stage dynamic, or use --set Constraints/Treatment=penalty with an omega",
                                 stage.where));
  if (!supports_change())
    check_held(stage);
}

void Simulation::check_held(const Stage &stage) const
{
  if (const std::string direction = structure->unheld_direction(); !direction.empty())
    throw InputError(fmt::format("{}: a static stage needs supports that hold the body; it is free to move along {}. Add a support, or make the stage "
                                 "dynamic",
                                 stage.where, direction));
}

std::vector<bool> Simulation::acting_in(const Stage &stage, const std::vector<bool> &before) const
{
  if (stage.looks())
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
  if (stage.looks() && place.stage == 0 && system.has(Feature::gravity))
    log_detail(fmt::format("stage {}: the body as it is drawn, without its weight. A static stage before this one puts the weight on", stage.name));
  system.begin_loads(acting);
  std::vector<std::string> added, removed;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (acting[i] != before[i])
      (acting[i] ? added : removed).push_back(names[i]);
  if (place.stage == 0 || (added.empty() && removed.empty()))
    return;
  const std::string how = stage.is_static() && stage.ramp ? "over the stage" : "at once";
  log_line(fmt::format("stage {}:{}{}{} {}", stage.name, added.empty() ? "" : " loads " + join(added) + " come", added.empty() || removed.empty() ? "" : ",",
                       removed.empty() ? "" : (added.empty() ? " loads " : " ") + join(removed) + " go", how));
}

ComplexForce Simulation::harmonic_force(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  const std::vector<std::string> names = system.load_names();
  const bool all = stage.loads.empty() || stage.loads.front() == "all";
  std::vector<bool> with[2] = {acting, acting};  // in phase, a quarter of a period ahead
  bool any = false;
  for (const std::string &name : stage.harmonic.quadrature)
    if (!std::count(names.begin(), names.end(), name))
      throw InputError(fmt::format("{}: Loads out of phase = {}: there is no load '{}'; there are: {}", stage.where, join(stage.harmonic.quadrature), name, join(nearest_first(name, names))));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (all ? !acting[i] : std::count(stage.loads.begin(), stage.loads.end(), names[i]) > 0)
    {
      if (acting[i])
        throw InputError(fmt::format("{}: load '{}' acts already, at rest; it cannot also oscillate. Leave it out of Loads of the stage before, or make another load", stage.where, names[i]));
      with[std::count(stage.harmonic.quadrature.begin(), stage.harmonic.quadrature.end(), names[i])][i] = any = true;
    }
  if (!any && holding_in(stage) == holding)
    throw InputError(fmt::format("{}: a harmonic stage needs a load that oscillates, and does not act before it. Name those of the stages before in their Loads", stage.where));
  if (!any)
    return {system.new_vector(), system.new_vector()};
  const auto force_of = [&](const std::vector<bool> &act) {
    Vector force = system.new_vector(), before = system.new_vector();
    system.begin_loads(act);
    system.set_load_factor(0.);
    system.applied_force(state.t, state.q, state.v, before);
    system.set_load_factor(1.);
    system.applied_force(state.t, state.q, state.v, force);
    system.set_load_factor(0.);
    system.begin_loads(acting);
    force -= before;
    return force;
  };
  ComplexForce force{force_of(with[0]), force_of(with[1])};
  if (force.real.l2_norm() == 0. && force.imaginary.l2_norm() == 0.)
    throw InputError(fmt::format("{}: the loads of this harmonic stage are zero at t = {:g}{}. Look at their amplitudes: a harmonic load has the constant one that stands in the deck",
                                 stage.where, state.t, Units::after(units.time)));
  return force;
}
}  // namespace symdyn
