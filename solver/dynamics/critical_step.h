#pragma once
#include "solver/integrator.h"

namespace symdyn
{
/// A conditionally stable scheme whose critical step depends on the damping as well: it takes C v of what is known, not of the velocity it
/// solves for.
class StepBoundByDamping
{
public:
  virtual ~StepBoundByDamping() = default;
  /// The largest h [s] for which it is stable on all m q'' + c q' + k q = 0 with 0 <= c/m <= mu and 0 <= k/m <= omega², whatever c and k of
  /// a system are together: omega² the largest eigenvalue of V'' u = omega² M u, mu that of C u = mu M u [1/s].
  virtual double stable_step(double omega, double mu) const = 0;
};

/// The step of schemes that are stable where h² K + 2 h s C < S² M, as central differences with the velocity of the interval before are
/// with S = 2 and s = 1:
///     M (q2 - 2 q1 + q0)/h² + C (q1 - q0)/h + K q1 = 0,   q_n = (-1)^n u at the limit
/// which (h omega)² + 2 h s mu < S² makes sure of. S: stable_h_omega, s: `share`.
double lagged_damping_step(double stable_h_omega, double share, double omega, double mu);

/// mu, the largest eigenvalue of C u = mu M u at a state [1/s]; 0 without damping. From below to 1e-4 relative. Collective.
double highest_damping(const MechanicalSystem &system, const State &state);
/// The critical step of a scheme at a state [s]; infinite if it has none. `mode`: that of Diagnosis::highest_frequency(). Collective.
double critical_step(const Integrator &integrator, const MechanicalSystem &system, const State &state, Vector *mode = nullptr);
}  // namespace symdyn
