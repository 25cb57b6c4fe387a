#include "solver/stages/growing_loads.h"

#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/unknowns.h"

namespace symdyn
{
GrowingLoads::GrowingLoads(Analysis &analysis, const Stage &stage)
    : where(stage.at("Loads")), actions(analysis.actions), grow(chosen(stage.loads, analysis.system().diagnosis().load_names()))
{
  const std::vector<std::string> names = analysis.system().diagnosis().load_names();
  const bool all = stage.loads.empty() || stage.loads.front() == "all";
  for (std::size_t i = 0; i < grow.size(); ++i)
  {
    before.push_back(actions.strength(i));
    if (grow[i] && names[i] == load_of_frame && spinning(analysis.structure->system()))
    {
      if (!all)
        throw InputError(where + ": the centrifugal load of a frame cannot grow, because its speed stays. Name other loads");
      grow[i] = false;
    }
  }
}

void GrowingLoads::set(const double factor)
{
  for (std::size_t i = 0; i < grow.size(); ++i)
    if (grow[i])
      actions.set_strength(i, before[i] + factor);
}

Vector GrowingLoads::force(const MechanicalSystem &system, const State &state)
{
  Vector f = system.new_vector(), without = f;
  const Vector rest = f;
  system.applied_force(state.t, state.q, rest, without);
  set(1.);
  system.applied_force(state.t, state.q, rest, f);
  set(0.);
  f -= without;
  return f;
}

Vector GrowingLoads::displacement(const MechanicalSystem &system, const State &state, const Vector &f) const
{
  Vector free = f, u = system.new_vector();
  const Vector rest = u;
  system.project(free);
  if (free.l2_norm() == 0.)
    throw InputError(where + ": the loads that grow are zero, or act on supports alone. Look at their values and amplitudes at this time");
  const auto K0 = system.factor(K, state.t, state.q, rest);
  K0->solve(free, u, K0->tolerance());
  u.update_ghost_values();
  return u;
}

std::vector<double> GrowingLoads::resultant(const MechanicalSystem &system, const Vector &q, const Vector &f)
{
  std::vector<double> sums;
  Vector xi = system.new_vector();
  const std::vector<std::string> momenta = system.unknowns().momenta();
  for (std::size_t j = 0; j < momenta.size(); ++j)
    if (momenta[j][0] == 'P')
    {
      system.unknowns().generator(j, q, xi);
      sums.push_back(xi * f);
    }
  return sums;
}

LoadedState::LoadedState(const MechanicalSystem &structure, const State &state, GrowingLoads &loads, const Vector &u, const double factor,
                         const double strength)
    : loads(loads), made(dynamic_cast<const BearsStress &>(structure).stressed(state, u, factor))
{
  loads.set(strength);
  about = std::make_unique<AtRest>(*made, state.t, state.q);
}
}  // namespace symdyn
