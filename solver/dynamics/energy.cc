#include "solver/dynamics/energy.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

#include "solver/archive.h"
#include "solver/base/timer.h"
#include "solver/comes_by_stages.h"
#include "solver/dynamics/multipliers.h"
#include "solver/history.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
namespace
{
/// f·(q1 - q0)
double along(const Vector &f, const Vector &q0, const Vector &q1)
{
  double sum = 0;
  for (unsigned int i = 0; i < f.locally_owned_size(); ++i)
    sum += f.local_element(i) * (q1.local_element(i) - q0.local_element(i));
  return dealii::Utilities::MPI::sum(sum, f.get_mpi_communicator());
}

bool supports_work(const MechanicalSystem &system, const bool statics)
{
  return statics ? system.has(Feature::supports) : system.has(Feature::moving_supports);
}
}  // namespace

Forces::Forces(const MechanicalSystem &system, const State &state, const bool statics, const bool with_reaction)
    : applied(system.new_vector())
{
  system.applied_force(state.t, state.q, state.v, applied);
  if (!statics && system.has(Feature::damping))
  {
    damping = system.new_vector();
    system.damping_force(state.q, state.v, damping);
  }
  if (!with_reaction)
    return;
  reaction = system.new_vector();
  system.internal_force(state.q, reaction);
  reaction -= applied;
  if (damping.size() > 0)
    reaction += damping;
  if (const NodalConstraints *nodal = system.nodal_constraints(); nodal && statics)
    nodal->subtract_forces(state.q, reaction);
  if (statics)
    return;
  Vector f = system.new_vector();
  system.mass(state.a, f);
  reaction += f;
  if (is_constrained(system))
    reaction -= constraint_force(system, state);
}

Forces::Forces(const MechanicalSystem &system, const State &before, const State &after, const double h, const WorkRule rule,
               const bool with_reaction)
{
  State middle = before;
  middle.t += 0.5 * h;
  middle.q.sadd(0.5, 0.5, after.q);
  middle.v.sadd(0.5, 0.5, after.v);
  middle.a.equ(1. / h, after.v);
  middle.a.add(-1. / h, before.v);
  for (Vector *x : {&middle.q, &middle.v, &middle.a})
    x->update_ghost_values();
  Forces at_middle(system, middle, false, with_reaction);
  std::swap(*this, at_middle);
  if (rule != WorkRule::discrete_gradient || !with_reaction)
    return;
  Vector f = system.new_vector();
  system.internal_force(middle.q, f);
  reaction -= f;
  system.discrete_gradient(before.q, after.q, f);
  reaction += f;
}

namespace
{
bool heats_in_time(const MechanicalSystem &system)
{
  const Remembering *laws = remembering(system);
  return laws && laws->heats_in_time();
}
}  // namespace

namespace
{
void take_coming(const MechanicalSystem &system, const State &state, Forces &forces)
{
  const auto *comes = dynamic_cast<const ComesByStages *>(&whole(system));
  if (!comes)
    return;
  forces.slope = comes->coming(state);
  forces.part = comes->come();
}
}  // namespace

bool EnergyBalance::work_is_done(const MechanicalSystem &system, const bool statics)
{
  return statics || system.has(Feature::loads) || heats_in_time(system) || system.has(Feature::damping) ||
         system.has(Feature::moving_supports);
}

void EnergyBalance::look_at(const MechanicalSystem &system, const State &state, const bool statics)
{
  last_momentum = system.new_vector();
  if (!statics)
    system.mass(state.v, last_momentum);
  kinetic_energy = 0.5 * (last_momentum * state.v);
  potential_energy = About(system, state)->potential(state.q);
  inelastic = spent(system, state).dissipated;
}

void EnergyBalance::open(const MechanicalSystem &system, const State &state, const bool statics)
{
  const ScopedTimer timer("monitors");
  look_at(system, state, statics);
  last = work_is_done(system, statics) ? std::make_unique<Forces>(*About(system, state), state, statics, supports_work(system, statics))
                                       : nullptr;
  if (statics)
    take_coming(system, state, *last);
}

void EnergyBalance::start(const MechanicalSystem &system, const State &state, const bool statics)
{
  open(system, state, statics);
  start_potential = potential_energy;
  start_energy = kinetic_energy + potential_energy + inelastic;
  largest = std::abs(kinetic_energy);
}

void EnergyBalance::restart(const MechanicalSystem &system, const State &state, const bool statics)
{
  open(system, state, statics);
  start_energy = kinetic_energy + potential_energy - work - heat + loss +
                 inelastic;  // what the last stage leaves open, and what velocity appears, is not the next one's fault
  balance = 0.;
}

void EnergyBalance::save(Archive archive) const
{
  archive.put("start", start_energy);
  archive.put("potential at the start", start_potential);
  archive.put("work", work);
  archive.put("heat", heat);
  archive.put("dissipated", loss);
  archive.put("largest", largest);
  archive.put("error", balance);
  archive.put("kinetic", kinetic_energy);
  archive.put("potential", potential_energy);
}

void EnergyBalance::resume(const MechanicalSystem &system, const State &state, const bool statics, const Archive &archive)
{
  open(system, state, statics);
  archive.get("start", start_energy);
  archive.get("potential at the start", start_potential);
  archive.get("work", work);
  archive.get("heat", heat);
  archive.get("dissipated", loss);
  archive.get("largest", largest);
  archive.get("error", balance);
  archive.get("kinetic", kinetic_energy);
  archive.get("potential", potential_energy);
}

void EnergyBalance::dissipate(const double energy)
{
  loss += energy;
  balance += energy;
}

void EnergyBalance::advance(const MechanicalSystem &system, const State &before, const State &after, const double h, const WorkRule rule,
                            const bool statics, const bool look)
{
  const ScopedTimer timer("monitors");
  if (work_is_done(system, statics))
  {
    const bool reacts = supports_work(system, statics);
    const auto count = [&](const Forces &forces, const double weight) {
      work += weight * along(forces.applied, before.q, after.q);
      if (forces.damping.size() > 0)
        loss += weight * along(forces.damping, before.q, after.q);
      if (!reacts)
        return;
      Vector dq = after.q;
      dq -= before.q;
      system.project_prescribed(dq);
      work += weight * (forces.reaction * dq);
    };
    if (rule == WorkRule::trapezoidal || statics)
    {
      auto now = std::make_unique<Forces>(*About(system, after), after, statics, reacts);
      count(*last, 0.5);
      count(*now, 0.5);
      if (statics)
      {
        take_coming(system, after, *now);
        work += 0.5 * (last->slope + now->slope) * (now->part - last->part);
      }
      last = std::move(now);
    }
    else
      count(Forces(*About(system, before, h, before.t + 0.5 * h), before, after, h, rule, reacts), 1.);
    if (const Remembering *laws = remembering(system))
      heat += laws->heating_work(before, after, rule != WorkRule::trapezoidal && !statics);
  }
  if (!look)
    return;
  look_at(system, after, statics);
  balance = kinetic_energy + potential_energy - start_energy - work - heat + loss + inelastic;
  largest = std::max({largest, kinetic_energy, std::abs(potential_energy - start_potential), std::abs(work), std::abs(heat)});
}
}  // namespace symdyn
