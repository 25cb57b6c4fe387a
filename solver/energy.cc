#include "solver/energy.h"

#include <algorithm>
#include <cmath>

#include "solver/phase.h"

namespace symdyn
{
Forces::Forces(const MechanicalSystem &system, const State &state, const bool statics)
    : momentum(system.new_vector()), applied(system.new_vector()), damping(system.new_vector()), reaction(system.new_vector())
{
  Vector f = system.new_vector();
  system.internal_force(state.q, reaction);
  system.applied_force(state.t, state.q, state.v, applied);
  reaction -= applied;
  if (statics)
    return;
  system.mass(state.v, momentum);
  system.mass(state.a, f);
  reaction += f;
  if (system.has(Feature::damping))
  {
    system.damping_force(state.q, state.v, damping);
    reaction += damping;
  }
}

void EnergyBooks::look(const MechanicalSystem &system, const State &state, const bool statics)
{
  last = std::make_shared<Forces>(system, state, statics);
  potential_energy = system.potential(state.q);
  q_before = state.q;
}

void EnergyBooks::start(const MechanicalSystem &system, const State &state, const bool statics)
{
  const Phase phase("monitors");
  look(system, state, statics);
  start_potential = potential_energy;
  start_energy = kinetic(state) + potential_energy;
  largest = std::abs(kinetic(state));
}

void EnergyBooks::restart(const MechanicalSystem &system, const State &state, const bool statics)
{
  const Phase phase("monitors");
  look(system, state, statics);
  start_energy += balance_error(state);  // what the last stage leaves open, and what velocity appears, is not the next one's fault
}

void EnergyBooks::advance(const MechanicalSystem &system, const State &state, const bool statics)
{
  const Phase phase("monitors");
  const std::shared_ptr<Forces> before = last;
  Vector dq = state.q;
  dq -= q_before;
  look(system, state, statics);
  work += 0.5 * (before->applied * dq + last->applied * dq);
  loss += 0.5 * (before->damping * dq + last->damping * dq);
  system.project_prescribed(dq);
  work += 0.5 * (before->reaction * dq + last->reaction * dq);
  largest = std::max({largest, kinetic(state), std::abs(potential_energy - start_potential), std::abs(work)});
}

double EnergyBooks::balance_error(const State &state) const
{
  return kinetic(state) + potential_energy - start_energy - work + loss;
}
}  // namespace symdyn
