#include "integrators/equations/balance.h"
#include "integrators/equations/prescribed.h"
#include "integrators/verlet.h"
#include "solver/history.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Symplectic Euler, kick then drift (de Vogelaere 1956; Hairer, Lubich, Wanner 2006, VI.3):
///     v1 = v0 + h a,   q1 = q0 + h v1,   M a + C v1 + f_int(q0) = f(t0, q0, v0)      [m/s], [m]
/// The scheme of L_d = h/2 |d|²_M - h V(q0), d = (q1 - q0)/h: galerkin-alpha with alpha = 0. Explicit, order 1, symplectic in
/// (q, M v), keeps the momenta, not reversible; stable iff h omega < 2. state.a is (v1 - v0)/h. Prescribed q1 are exact,
/// prescribed v1 is (q1 - q0)/h. Errors: none.
class SymplecticEuler : public Integrator
{
public:
  void declare(Parameters &) override {}
  bool is_explicit() const override { return true; }
  bool carries_acceleration() const override { return false; }

  void check(const MechanicalSystem &system, const Parameters &p) const override { require_explicit(system, p, "", "symplectic-euler"); }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 1;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.energy_bounded = true;
    promise.stable_h_omega = 2.;
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Vector q1 = state.q, v1 = state.v;
    q1.add(h, state.v);
    Vector a = prescribed_acceleration(system, state.t + h, q1, h * h);
    const StepReport report = solve_acceleration(*About(system, state), state.t, state.q, state.v, h, a);
    q1.add(h * h, a);
    v1.add(h, a);
    accept(state, h, q1, v1, a);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &, const double h, State &delta) const override
  {
    Balance balance;
    balance.points = {{1., before.t, before.q, before.v, 0., h}};
    balance.linearised(system, system.new_vector(), {delta.q}, {delta.v}, Vector(), delta.a);
    delta.v.add(h, delta.a);
    delta.q.add(h, delta.v);
    delta.q.update_ghost_values();
    delta.v.update_ghost_values();
  }

  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, double) const override
  {
    Vector Mv = system.new_vector();
    system.mass(after.v, Mv);
    return 0.5 * (after.v * Mv) + system.potential(before.q);
  }
};

SYMDYN_REGISTER(Integrator, SymplecticEuler, "symplectic-euler");
}  // namespace symdyn
