#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// Which supports hold in which stage.
namespace symdyn
{
namespace
{
/// Where the structure stood when supports began, and the forces of those that went: kept in the state for a restart.
std::string memory_of(const Stage &stage) { return "where supports of " + stage.name + " began"; }
const std::string faded = "forces of supports that went";
}  // namespace

std::vector<bool> Simulation::holding_in(const Stage &stage) const
{
  const std::vector<std::string> names = structure->support_names();
  for (const std::string &support : stage.supports)
    if (support != "all" && support != "none" && !std::count(names.begin(), names.end(), support))
      throw InputError(names.empty()
                           ? fmt::format("{}: Supports = {}: the deck has no supports. Remove the entry, or add a section to Supports",
                                         stage.where, support)
                           : fmt::format("{}: Supports = {}: there is no support '{}'; there are: {}, and `all`, `none`", stage.where,
                                         join(stage.supports), support, join(nearest_first(support, names))));
  const bool all = stage.supports.empty() || stage.supports.front() == "all";
  std::vector<bool> hold;
  for (const std::string &name : names)
    hold.push_back(all || std::count(stage.supports.begin(), stage.supports.end(), name));
  return hold;
}

bool Simulation::find_supports_change() const
{
  const std::vector<bool> first = holding_in(stages.front());
  return std::any_of(stages.begin(), stages.end(), [&](const Stage &stage) { return holding_in(stage) != first; });
}

/// Errors: InputError for supports that stand as they stand, and hold from the first stage on.
void Simulation::check_supports()
{
  holding = holding_in(stages.front());
  changing_supports = find_supports_change();
  const std::vector<std::string> names = structure->support_names();
  for (const std::string &name : structure->standing_supports())
    if (holding[std::find(names.begin(), names.end(), name) - names.begin()])
      throw InputError(fmt::format(
          "support '{}' holds a component that `stands`, from the first stage on, where nothing has moved yet. Name it in the Supports of a later stage only, "
          "or give a displacement",
          name));
  if (!supports_change())
    return;
  const Vector q = structure->system().new_vector();
  const std::vector<bool> none(holding.size(), false);
  for (const Stage &stage : stages)
    try
    {
      structure->begin_supports(holding_in(stage), none, q);
      if (stage.is_static() && !may_be_stressed(stage))
        check_held(stage, q);
      if (stage.modal)
        stage.modal->check(structure->system(), *stage.scheme_parameters);
    }
    catch (const InputError &error)
    {
      throw InputError(fmt::format("stage {}: {}", stage.name, error.what()));
    }
  structure->begin_supports(holding, none, q);
}

void Simulation::begin_supports(const Stage &stage)
{
  if (place.stage == 0 || !supports_change())
    return;
  const std::vector<bool> hold = holding_in(stage);
  std::vector<bool> begin(hold.size()), end(hold.size());
  for (std::size_t i = 0; i < hold.size(); ++i)
  {
    begin[i] = hold[i] && !holding[i];
    end[i] = holding[i] && !hold[i];
  }
  structure->begin_supports(hold, begin, state.q);
  structure->fade(Vector());
  state.memory.erase(faded);
  if (stage.is_perturbation())  // about the state as it is: nothing moves
    return;
  holding = hold;
  if (std::count(begin.begin(), begin.end(), true) > 0)
    state.memory[memory_of(stage)] = state.q;
  if (std::count(end.begin(), end.end(), true) > 0 && stage.is_static() && stage.ramp)
    fade_supports(stage);
  report_supports(stage, begin, end);
}

/// r = f_int - f_applied on what becomes free: with the load (1 - s) r equilibrium goes on from where it is.
void Simulation::fade_supports(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  Vector r = system.new_vector(), f = system.new_vector();
  system.set_load_factor(0.);
  system.internal_force(state.q, r);
  system.applied_force(state.t, state.q, state.v, f);
  r -= f;
  system.project(r);
  structure->fade(r);
  state.memory[faded] = r;
  log_detail(fmt::format("stage {}: forces of supports that go, |R| = {:.6g}{}, fade over the stage", stage.name, r.l2_norm(),
                         Units::after(units.force)));
}

void Simulation::report_supports(const Stage &stage, const std::vector<bool> &begin, const std::vector<bool> &end)
{
  MechanicalSystem &system = structure->system();
  const std::vector<std::string> names = structure->support_names();
  std::vector<std::string> added, removed;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (begin[i] || end[i])
      (begin[i] ? added : removed).push_back(names[i]);
  const std::string how = stage.is_static() && stage.ramp ? "over the stage" : "at once";
  if (!removed.empty())
    log_line(fmt::format("stage {}: supports {} go {}", stage.name, join(removed), how));
  if (added.empty())
    return;
  log_line(fmt::format("stage {}: supports {} begin {}", stage.name, join(added), how));
  if (how != "at once" || stage.modal)  // modes are about where the structure stands
    return;
  // The jump is the work of supports: nothing else moves in no time.
  Vector q = state.q, v = state.v, a = state.a, momentum = system.new_vector();
  const auto energy = [&](const Vector &position, const Vector &velocity) {
    system.mass(velocity, momentum);
    return system.potential(position) + (stage.is_static() ? 0. : 0.5 * (momentum * velocity));
  };
  const double before = energy(state.q, state.v);
  system.set_load_factor(1.);
  system.impose(state.t, q, v, a);
  for (Vector *x : {&q, &v})
    x->update_ghost_values();
  const double work = energy(q, v) - before;
  q -= state.q;
  v -= state.v;
  if (q.linfty_norm() == 0. && v.linfty_norm() == 0.)
    return;
  energy_balance.jump(work);
  log_warning(fmt::format("stage {}: supports jump by up to {:.3g}{} and {:.3g}{} where it begins; their work is {:.6g}{}", stage.name,
                          q.linfty_norm(), Units::after(units.length), v.linfty_norm(), Units::after(units.length + "/" + units.time), work,
                          Units::after(units.energy)));
}

bool Simulation::supports_oscillate(const Stage &stage) const
{
  const Stage *last = &stages.front();
  for (const Stage *before = last; before != &stage; ++before)
    if (!before->is_perturbation())
      last = before;
  return holding_in(stage) != holding_in(*last);
}

std::vector<Vector> Simulation::motions_at(const Stage &stage, const std::vector<double> &times)
{
  MechanicalSystem &system = structure->system();
  const std::vector<bool> hold = holding_in(stage), none(hold.size(), false);
  std::vector<bool> stay(hold.size()), begin(hold.size());
  for (std::size_t i = 0; i < hold.size(); ++i)
  {
    stay[i] = hold[i] && holding[i];
    begin[i] = hold[i] && !holding[i];
  }
  Vector v = system.new_vector(), a = v;
  const auto imposed = [&] {
    std::vector<Vector> motions(times.size(), state.q);
    system.set_load_factor(1.);
    for (std::size_t j = 0; j < times.size(); ++j)
      system.impose(times[j], motions[j], v, a);
    system.set_load_factor(0.);
    return motions;
  };
  structure->begin_supports(stay, none, state.q);
  const std::vector<Vector> others = imposed();
  structure->begin_supports(hold, begin, state.q);
  std::vector<Vector> motions = imposed();
  for (std::size_t j = 0; j < times.size(); ++j)
    motions[j] -= others[j];
  constexpr double rounding = 1e-12;
  const auto moved = [&](const Vector &then) {
    Vector difference = then;
    difference -= others.front();
    return difference.linfty_norm() > rounding * then.linfty_norm();
  };
  if (std::any_of(others.begin(), others.end(), moved))
    log_warning(fmt::format("stage {}: supports that hold before it stay where they are; those that begin in it oscillate", stage.name));
  return motions;
}

Vector Simulation::harmonic_supports(const Stage &stage)
{
  if (!supports_oscillate(stage))
    return {};
  Vector g = motions_at(stage, {state.t}).front();
  if (g.l2_norm() == 0.)
    return {};
  g.update_ghost_values();
  log_line(fmt::format("stage {}: supports oscillate by up to {:.6g}{}", stage.name, g.linfty_norm(), Units::after(units.length)));
  return g;
}

void Simulation::resume_supports()
{
  if (!supports_change())
    return;
  const Vector nothing = structure->system().new_vector();
  holding = holding_in(stages.front());
  for (std::size_t k = 1; k <= place.stage; ++k)
  {
    const std::vector<bool> hold = holding_in(stages[k]);
    std::vector<bool> begin(hold.size(), false);
    const auto stood = state.memory.find(memory_of(stages[k]));
    for (std::size_t i = 0; i < hold.size(); ++i)
      begin[i] = stood != state.memory.end() && hold[i] && !holding[i];
    structure->begin_supports(hold, begin, stood == state.memory.end() ? nothing : stood->second);
    if (!stages[k].is_perturbation())
      holding = hold;
  }
  if (const auto force = state.memory.find(faded); force != state.memory.end())
    structure->fade(force->second);
}
}  // namespace symdyn
