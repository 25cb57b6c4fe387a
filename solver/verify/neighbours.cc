#include <algorithm>
#include <cmath>

#include "solver/dynamics/multipliers.h"
#include "solver/dynamics/rotations.h"
#include "solver/dynamics/symplectic.h"
#include "solver/verify/measures.h"

// The symplectic form on differences of runs.
namespace symdyn
{
namespace
{
State shifted(const State &start, const double s, const std::array<Vector, 2> &direction)
{
  State state = start;
  state.q.add(s, direction[0]);
  state.v.add(s, direction[1]);
  state.q.update_ghost_values();
  state.v.update_ghost_values();
  return state;
}
}  // namespace

State neighbour_of(const MechanicalSystem &system, const State &start, const double s, const std::array<Vector, 2> &direction)
{
  State state = shifted(start, s, direction);
  if (is_constrained(system))
    project_on_constraints(system, state);
  else
    project_on_rotations(system, state);
  return state;
}

namespace
{
/// (a - b)/2
State half_difference(const State &a, const State &b)
{
  State half = a;
  half.q.sadd(0.5, -0.5, b.q);
  half.v.sadd(0.5, -0.5, b.v);
  half.q.update_ghost_values();
  half.v.update_ghost_values();
  return half;
}

/// {q, v}, a small part of the way that the trial goes in `steps`.
std::array<Vector, 2> small_direction(const Trial &trial, const double resolved, const int steps, const unsigned int seed)
{
  constexpr double apart = 1e-5;  // there the error of central differences and the rounding of runs are both small
  const MechanicalSystem &system = *trial.system;
  const double T = steps * trial.h, way = T * mass_norm(system, trial.start.v);
  std::vector<Vector> direction{random_vector(system, seed), random_vector(system, seed + 1)};
  smooth(system, resolved, trial.start.q, direction);
  direction[0] *= apart * way / mass_norm(system, direction[0]);
  direction[1] *= apart * way / (T * mass_norm(system, direction[1]));
  return {direction[0], direction[1]};
}
}  // namespace

NeighbourDrift neighbour_drift(const Trial &trial, const double resolved)
{
  constexpr int most_steps = 50;
  NeighbourDrift drift;
  drift.steps = std::min(most_steps, trial.steps);
  const MechanicalSystem &system = *trial.system;
  std::vector<State> runs{trial.start};
  for (const unsigned int seed : {21u, 23u})
    for (const double side : {1., -1.})
      runs.push_back(neighbour_of(system, trial.start, side, small_direction(trial, resolved, drift.steps, seed)));
  const auto tangents = [&] { return std::array<State, 2>{half_difference(runs[1], runs[2]), half_difference(runs[3], runs[4])}; };
  for (State &run : runs)
    begin(system, *trial.integrator, run, trial.h);
  SymplecticForm form(system, *trial.integrator, runs[0], trial.h, tangents());
  for (int k = 0; k < drift.steps; ++k)
  {
    for (State &run : runs)
      advance(system, *trial.integrator, run, trial.h);
    form.replace(system, *trial.integrator, runs[0], trial.h, tangents());
    drift.canonical = larger(drift.canonical, form.drift());
    drift.qv = larger(drift.qv, form.drift_qv());
  }
  return drift;
}
}  // namespace symdyn
