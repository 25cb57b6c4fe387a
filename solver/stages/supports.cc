#include "solver/stages/supports.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
namespace
{
/// Where the structure stood when supports began, and the forces of those that went: kept in the state for a restart.
std::string memory_of(const Stage &stage) { return "where supports of " + stage.name + " began"; }
const std::string faded = "forces of supports that went";
}  // namespace

std::vector<bool> SupportProgramme::holding_in(const Analysis &analysis, const Stage &stage)
{
  const std::vector<std::string> names = analysis.structure->supports().names();
  for (const std::string &support : stage.supports)
    if (support != "all" && support != "none" && !std::count(names.begin(), names.end(), support))
      throw InputError(
          names.empty() ? fmt::format("{}: the deck has no supports. Remove the entry, or add a section to Supports", stage.at("Supports"))
                        : fmt::format("{}: there is no support '{}'; there are: {}, and `all`, `none`", stage.at("Supports"), support,
                                      join(nearest_first(support, names))));
  return chosen(stage.supports, names);
}

void SupportProgramme::check(Analysis &analysis)
{
  const Structure &structure = *analysis.structure;
  holding = holding_in(analysis, *analysis.stages.front());
  changing = std::any_of(analysis.stages.begin(), analysis.stages.end(),
                         [&](const auto &stage) { return holding_in(analysis, *stage) != holding; });
  const std::vector<std::string> names = structure.supports().names();
  for (const std::string &name : structure.supports().standing())
    if (holding[std::find(names.begin(), names.end(), name) - names.begin()])
      throw InputError(fmt::format(
          "support '{}' has a component `hold` from the first stage on, where nothing has moved yet. Name it in the Supports of a later stage only, "
          "or give a displacement",
          name));
  if (changing)
    check_stages(analysis);
}

void SupportProgramme::check_stages(Analysis &analysis)
{
  const Vector q = analysis.system().new_vector();
  const std::vector<bool> none(holding.size(), false);
  for (const auto &stage : analysis.stages)
    try
    {
      analysis.structure->supports().begin(holding_in(analysis, *stage), none, q);
      stage->check_supports(analysis);
    }
    catch (const InputError &error)
    {
      throw InputError(fmt::format("stage {}: {}", stage->name, error.what()));
    }
  analysis.structure->supports().begin(holding, none, q);
}

void SupportProgramme::begin(Analysis &analysis, const Stage &stage)
{
  if (analysis.place.stage == 0 || !changing)
    return;
  State &state = analysis.state;
  const std::vector<bool> hold = holding_in(analysis, stage);
  std::vector<bool> begin(hold.size()), end(hold.size());
  for (std::size_t i = 0; i < hold.size(); ++i)
  {
    begin[i] = hold[i] && !holding[i];
    end[i] = holding[i] && !hold[i];
  }
  analysis.structure->supports().begin(hold, begin, state.q);
  analysis.actions.fading = Vector();
  state.memory.erase(faded);
  if (stage.traits().perturbation)  // about the state as it is: nothing moves
    return;
  holding = hold;
  if (std::count(begin.begin(), begin.end(), true) > 0)
    state.memory[memory_of(stage)] = state.q;
  if (std::count(end.begin(), end.end(), true) > 0 && stage.traits().ramps)
    fade(analysis, stage);
  report(analysis, stage, begin, end);
}

/// r = f_int - f_applied on what becomes free: with the load (1 - s) r equilibrium goes on from where it is.
void SupportProgramme::fade(Analysis &analysis, const Stage &stage)
{
  const MechanicalSystem &system = analysis.system();
  State &state = analysis.state;
  Vector r = system.new_vector(), f = system.new_vector();
  analysis.actions.reached = 0.;
  system.internal_force(state.q, r);
  system.applied_force(state.t, state.q, state.v, f);
  r -= f;
  system.project(r);
  analysis.actions.fading = r;
  state.memory[faded] = r;
  log_detail(fmt::format("stage {}: forces of supports that go, |R| = {:.6g}{}, fade over the stage", stage.name, r.l2_norm(),
                         Units::after(analysis.units.force)));
}

void SupportProgramme::report(Analysis &analysis, const Stage &stage, const std::vector<bool> &begin, const std::vector<bool> &end)
{
  const std::vector<std::string> names = analysis.structure->supports().names(), added = marked(names, begin), removed = marked(names, end);
  const std::string how = how_it_comes(stage);
  if (!removed.empty())
    log_line(fmt::format("stage {}: supports {} go {}", stage.name, join(removed), how));
  if (added.empty())
    return;
  log_line(fmt::format("stage {}: supports {} begin {}", stage.name, join(added), how));
  if (!stage.traits().ramps && !stage.traits().linear)  // modes are about where the structure stands
    report_jump(analysis, stage);
}

/// The jump is the work of supports: nothing else moves in no time.
void SupportProgramme::report_jump(Analysis &analysis, const Stage &stage)
{
  const MechanicalSystem &system = analysis.system();
  const State &state = analysis.state;
  const Units &units = analysis.units;
  Vector q = state.q, v = state.v, a = state.a, momentum = system.new_vector();
  const auto energy = [&](const Vector &position, const Vector &velocity) {
    system.mass(velocity, momentum);
    return system.potential(position) + (stage.traits().is_static() ? 0. : 0.5 * (momentum * velocity));
  };
  const double before = energy(state.q, state.v);
  analysis.actions.reached = 1.;
  system.impose(state.t, q, v, a);
  for (Vector *x : {&q, &v})
    x->update_ghost_values();
  const double work = energy(q, v) - before;
  q -= state.q;
  v -= state.v;
  if (q.linfty_norm() == 0. && v.linfty_norm() == 0.)
    return;
  analysis.energy_balance.jump(work);
  log_warning(fmt::format("stage {}: supports jump by up to {:.3g}{} and {:.3g}{} where it begins; their work is {:.6g}{}", stage.name,
                          q.linfty_norm(), Units::after(units.length), v.linfty_norm(), Units::after(units.length + "/" + units.time), work,
                          Units::after(units.energy)));
}

bool SupportProgramme::oscillate(const Analysis &analysis, const Stage &stage)
{
  return holding_in(analysis, stage) != holding_in(analysis, analysis.state_before(stage));
}

std::vector<Vector> SupportProgramme::motions_at(Analysis &analysis, const Stage &stage, const std::vector<double> &times) const
{
  const MechanicalSystem &system = analysis.system();
  const Vector &q = analysis.state.q;
  const std::vector<bool> hold = holding_in(analysis, stage), none(hold.size(), false);
  std::vector<bool> stay(hold.size()), begin(hold.size());
  for (std::size_t i = 0; i < hold.size(); ++i)
  {
    stay[i] = hold[i] && holding[i];
    begin[i] = hold[i] && !holding[i];
  }
  Vector v = system.new_vector(), a = v;
  const auto imposed = [&] {
    std::vector<Vector> motions(times.size(), q);
    analysis.actions.reached = 1.;
    for (std::size_t j = 0; j < times.size(); ++j)
      system.impose(times[j], motions[j], v, a);
    analysis.actions.reached = 0.;
    return motions;
  };
  analysis.structure->supports().begin(stay, none, q);
  const std::vector<Vector> others = imposed();
  analysis.structure->supports().begin(hold, begin, q);
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

void SupportProgramme::resume(Analysis &analysis)
{
  if (!changing)
    return;
  const Vector nothing = analysis.system().new_vector();
  holding = holding_in(analysis, *analysis.stages.front());
  for (std::size_t k = 1; k <= analysis.place.stage; ++k)
  {
    const Stage &stage = *analysis.stages[k];
    const std::vector<bool> hold = holding_in(analysis, stage);
    std::vector<bool> begin(hold.size(), false);
    const auto stood = analysis.state.memory.find(memory_of(stage));
    if (k == analysis.place.stage && !analysis.place.begun && stood == analysis.state.memory.end())
      break;  // its supports change when it begins
    for (std::size_t i = 0; i < hold.size(); ++i)
      begin[i] = stood != analysis.state.memory.end() && hold[i] && !holding[i];
    analysis.structure->supports().begin(hold, begin, stood == analysis.state.memory.end() ? nothing : stood->second);
    if (!stage.traits().perturbation)
      holding = hold;
  }
  if (const auto force = analysis.state.memory.find(faded); force != analysis.state.memory.end())
    analysis.actions.fading = force->second;
}
}  // namespace symdyn
