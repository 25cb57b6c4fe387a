#include "integrators/equations/balance.h"
#include "integrators/verlet.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Stoermer-Verlet in its velocity form (Verlet 1967; Hairer, Lubich, Wanner 2003, eq. 1.5), the central differences:
///     q1 = q0 + h v0 + h²/2 a0,   v1 = v0 + h/2 (a0 + a1)      [m], [m/s]
///     M a1 + C v1 + f_int(q1) = f(t1, q1, v0 + h/2 a0)
/// Explicit, order 2, symplectic in (q, M v), reversible, keeps the momenta. Stable iff h omega < 2. The same as newmark
/// with beta = 0, gamma = 1/2. Prescribed q1 are exact, prescribed a1 central differences. Errors: none.
class StormerVerlet : public Integrator
{
public:
  void declare(Parameters &) override {}
  bool is_explicit() const override { return true; }

  void check(const MechanicalSystem &system, const Parameters &p) const override { require_explicit(system, p, "", "stormer-verlet"); }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.reversible = promise.energy_bounded = true;
    promise.stable_h_omega = 2.;
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Drift next = drift(system, state, h);
    const StepReport report = solve_acceleration(system, next.t, next.x, next.v, 0.5 * h, next.f);
    next.v.add(0.5 * h, next.f);
    accept(state, h, next.x, next.v, next.f);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &, const State &after, const double h, State &delta) const override
  {
    drift_tangent(h, delta);
    Balance balance;
    balance.points = {{1., after.t, after.q, after.v, 0., 0.5 * h}};
    balance.linearised(system, system.new_vector(), {delta.q}, {delta.v}, Vector(), delta.a);
    kick_tangent(h, delta);
  }

  /// Of L_d = h/2 |d|²_M - h V(q0), d = (q1 - q0)/h.
  double discrete_energy(const MechanicalSystem &system, const State &before, const State &, const double h) const override
  {
    return drift_energy(system, before, h) + system.potential(before.q);
  }
};

SYMDYN_REGISTER(Integrator, StormerVerlet, "stormer-verlet");
}  // namespace symdyn
