#include "solver/dynamics/critical_step.h"

#include <cmath>

#include "solver/diagnosis.h"
#include "solver/linear/eigen.h"

namespace symdyn
{
double lagged_damping_step(const double S, const double share, const double omega, const double mu)
{
  return S * S / (share * mu + std::sqrt(share * share * mu * mu + S * S * omega * omega));
}

double highest_damping(const MechanicalSystem &system, const State &state)
{
  if (!system.has(Feature::damping))
    return 0.;
  Vector start = system.new_vector(), f = start, v = start;
  for (unsigned int i = 0; i < start.locally_owned_size(); ++i)  // no mode is orthogonal to it by symmetry
    start.local_element(i) = std::sin(1. + 12.9898 * (i + start.get_partitioner()->local_range().first));
  system.project(start);
  if (start.l2_norm() == 0.)
    return 0.;
  return largest_eigenvalue(
      [&](const Vector &x, Vector &y) {
        v = x;
        system.project(v);
        v.update_ghost_values();
        system.damping_force(state.q, v, f);
        system.project(f);
        system.mass_solve(f, y);
      },
      start, false);
}

double critical_step(const Integrator &integrator, const MechanicalSystem &system, const State &state, Vector *const mode)
{
  const double omega = system.diagnosis().highest_frequency(state.t, state.q, false, mode),
               undamped = integrator.promise(system).stable_h_omega / omega;
  const auto *bound = dynamic_cast<const StepBoundByDamping *>(&integrator);
  const double mu = bound ? highest_damping(system, state) : 0.;
  return mu > 0. ? bound->stable_step(omega, mu) : undamped;
}
}  // namespace symdyn
