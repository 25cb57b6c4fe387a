#include "solver/verify/measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/dynamics/symplectic.h"
#include "solver/error.h"
#include "solver/unknowns.h"

namespace symdyn
{
namespace
{
/// A run whose energy has grown so far, and by error, is no motion of the system any more.
constexpr double lost_growth = 100., lost_error = 0.5;

State started(const Trial &trial)
{
  State state = trial.start;
  begin(*trial.system, *trial.integrator, state, trial.h);
  return state;
}

State moved_by(const Trial &trial, State state, const double h, const int steps)
{
  begin(*trial.system, *trial.integrator, state, h);
  for (int k = 0; k < steps; ++k)
    advance(*trial.system, *trial.integrator, state, h);
  return state;
}

/// Both parts of comparable size for motions of frequency 1/h.
std::array<State, 2> random_pair(const Trial &trial, const unsigned int seed)
{
  std::array<State, 2> pair;
  for (unsigned int i = 0; i < 2; ++i)
  {
    pair[i].q = random_vector(*trial.system, 4 * seed + 2 * i);
    pair[i].v = random_vector(*trial.system, 4 * seed + 2 * i + 1);
    pair[i].v *= 1. / trial.h;
  }
  return pair;
}

SymplecticForm one_step(const Trial &trial, const unsigned int seed)
{
  State state = started(trial);
  SymplecticForm form(*trial.system, *trial.integrator, state, trial.h, random_pair(trial, seed));
  const State before = state;
  advance(*trial.system, *trial.integrator, state, trial.h);
  form.advance(*trial.system, *trial.integrator, before, state, trial.h);
  return form;
}

void record(const Trial &trial, const State &state, const double V0, RunHistory &history)
{
  const MechanicalSystem &system = *trial.system;
  const double kinetic = kinetic_energy(system, state.v), potential = system.potential(state.q), speed = mass_norm(system, state.v);
  history.t.push_back(state.t);
  history.energy.push_back(kinetic + potential);
  history.energy_scale = std::max(history.energy_scale, kinetic + std::abs(potential - V0));
  history.momenta.push_back(momenta_of(system, state));
  history.canonical.push_back(canonical_momenta(system, *trial.integrator, state, trial.h));
  history.momentum_scale.resize(history.momenta.back().size(), 0.);
  Vector xi = system.new_vector();
  for (std::size_t i = 0; i < history.momentum_scale.size(); ++i)
  {
    system.unknowns().generator(i, state.q, xi);
    history.momentum_scale[i] = std::max(history.momentum_scale[i], mass_norm(system, xi) * speed);
  }
  if (!std::isfinite(history.energy.back()))
    throw ComputationError(fmt::format("the energy is not finite at step {}", state.n));
  const double error = std::abs(history.energy.back() - history.energy.front()), first_kinetic = history.energy.front() - V0;
  if (error > lost_error * history.energy_scale && history.energy_scale > lost_growth * first_kinetic)
    throw ComputationError(fmt::format("the run is lost: at step {} the energy is {:.1g} times that of the start", state.n,
                                       history.energy_scale / first_kinetic));
}
}  // namespace

double kinetic_energy(const MechanicalSystem &system, const Vector &v)
{
  Vector Mv = system.new_vector();
  system.mass(v, Mv);
  return 0.5 * std::max(0., v * Mv);
}

std::pair<double, double> distances(const MechanicalSystem &system, const State &a, const State &b)
{
  Vector q = a.q, v = a.v;
  q -= b.q;
  v -= b.v;
  q.update_ghost_values();
  v.update_ghost_values();
  return {mass_norm(system, q), mass_norm(system, v)};
}

RunHistory measured_run(const Trial &trial)
{
  const MechanicalSystem &system = *trial.system;
  State state = started(trial);
  RunHistory history;
  const double V0 = system.potential(state.q);
  record(trial, state, V0, history);
  SymplecticForm form(system, *trial.integrator, state, trial.h);
  constexpr int least = 20;
  const TrialClock clock(trial.seconds);
  for (int k = 0; k < std::max(trial.steps, trial.long_steps) && !(k >= least && clock.over()); ++k)
  {
    const State before = state;
    advance(system, *trial.integrator, state, trial.h);
    record(trial, state, V0, history);
    if (k >= trial.steps)
      continue;
    form.advance(system, *trial.integrator, before, state, trial.h);
    history.drift.push_back(form.drift());
    history.drift_qv.push_back(form.drift_qv());
  }
  history.form_floor = form.floor();
  return history;
}

OneStepDrift one_step_drift(const Trial &trial, const bool canonical)
{
  OneStepDrift largest;
  for (const unsigned int seed : {11u, 12u, 13u})
  {
    const SymplecticForm form = one_step(trial, seed);
    largest.value = larger(largest.value, canonical ? form.drift() : form.drift_qv());
    largest.floor = std::max(largest.floor, form.floor());
  }
  return largest;
}

double one_step_change(const Trial &trial, const bool canonical)
{
  Trial fixed = trial;
  const double h = trial.h;
  fixed.h = 1.;  // the same pair whatever h
  const auto pair = random_pair(fixed, 11);
  State state = started(trial);
  SymplecticForm form(*trial.system, *trial.integrator, state, h, pair);
  const State before = state;
  advance(*trial.system, *trial.integrator, state, h);
  form.advance(*trial.system, *trial.integrator, before, state, h);
  return canonical ? form.change() : form.change_qv();
}

double tangent_error(const Trial &trial)
{
  const State before = started(trial);
  State after = before;
  advance(*trial.system, *trial.integrator, after, trial.h);
  State delta = random_pair(trial, 11)[0];
  // Along the motion: random directions would turn whole cells over within the step of the difference.
  delta.q = after.q;
  delta.q -= before.q;
  delta.v = after.v;
  delta.v -= before.v;
  delta.v.add(0.3, before.v);
  trial.system->project(delta.q);  // what moving supports prescribe is no part of the tangent
  trial.system->project(delta.v);
  delta.q.update_ghost_values();
  delta.v.update_ghost_values();
  delta.a = trial.system->new_vector();
  trial.integrator->start_tangent(*trial.system, before, trial.h, delta);
  State exact = delta, difference = delta;
  trial.integrator->step_tangent(*trial.system, before, after, trial.h, exact);
  trial.integrator->Integrator::step_tangent(*trial.system, before, after, trial.h, difference);
  const auto [q, v] = distances(*trial.system, exact, difference);
  const double size = mass_norm(*trial.system, difference.q) + trial.h * mass_norm(*trial.system, difference.v);
  return (q + trial.h * v) / size;
}

double irreversibility(const Trial &trial)
{
  constexpr int steps = 4;
  const State there = moved_by(trial, trial.start, trial.h, steps);
  State turned = there;
  turned.memory.clear();
  turned.v *= -1.;
  turned.v.update_ghost_values();
  State back = moved_by(trial, turned, trial.h, steps);
  back.v *= -1.;
  back.v.update_ghost_values();
  const auto [q, v] = distances(*trial.system, back, trial.start);
  const auto [q_way, v_way] = distances(*trial.system, there, trial.start);
  return (q + trial.h * v) / (q_way + trial.h * v_way);
}
}  // namespace symdyn
