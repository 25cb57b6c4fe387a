#include "integrators/equations/balance.h"
#include "integrators/equations/prescribed.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The energy-momentum scheme with the discrete gradient DV(q0, q1) of Gonzalez (1996, 2000) for the internal force:
///     M a + C (v0 + v1)/2 + DV(q0, q1) = f(t0 + h/2, (q0 + q1)/2, (v0 + v1)/2)      [N]
///     q1 = q0 + h v0 + h²/2 a,   v1 = v0 + h a
/// Since DV·(q1 - q0) = V(q1) - V(q0), E1 - E0 = work of f - h d·C d, d = (v0 + v1)/2, to the tolerance of Newton; the momenta
/// are kept because DV is taken strain by strain. Order 2, reversible, not symplectic. state.a is (v1 - v0)/h. Its tangent is
/// unsymmetric. Prescribed q1 are exact; there v1 follows from the formulas and the energy balance holds with the work of the
/// reactions. Errors: ComputationError if Newton does not converge.
class DiscreteGradient : public Integrator
{
public:
  void declare(Parameters &) override {}
  WorkRule work_rule() const override { return WorkRule::discrete_gradient; }
  bool carries_acceleration() const override { return false; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_potential_loads(system, p, "discrete-gradient");
  }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise;
    promise.linear_momentum = promise.angular_momentum = system.has(Feature::momentum_gradient) ? Where::in_qv : Where::nowhere;
    promise.energy = promise.energy_bounded = promise.monotone_dissipation = promise.reversible = true;
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h;
    Vector q1 = state.q, v1 = state.v;
    q1.add(h, state.v);
    Balance balance;
    balance.points = {{1., state.t + 0.5 * h, q1, state.v, 0.5 * h * h, 0.5 * h, &state.q}};
    Vector a = prescribed_acceleration(system, t1, q1, 0.5 * h * h);
    const NewtonReport report = balance.solve(system, *newton, step_name(state, t1), a, &state.q);
    q1.add(0.5 * h * h, a);
    v1.add(h, a);
    accept(state, h, q1, v1, a);
    return {report.iterations, report.krylov, report.kept()};
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    const double t = before.t + 0.5 * h;
    Vector v = before.v;
    v.sadd(0.5, 0.5, after.v);
    v.update_ghost_values();
    // DV is symmetric in its arguments: its derivative by q0 is the one by q1 with both exchanged.
    Vector known = system.new_vector();
    system.factor({{K, t, &before.q, &v, &after.q}})->multiply(delta.q, known);
    known *= -1.;
    Balance balance;
    balance.points = {{1., t, after.q, v, 0.5 * h * h, 0.5 * h, &before.q}};
    Vector q1 = delta.q;
    q1.add(h, delta.v);
    q1.update_ghost_values();
    balance.linearised(system, system.new_vector(), {q1}, {delta.v}, known, delta.a);
    delta.q = q1;
    delta.q.add(0.5 * h * h, delta.a);
    delta.v.add(h, delta.a);
    delta.q.update_ghost_values();
    delta.v.update_ghost_values();
  }
};

/// The same scheme under the name it has for St.Venant-Kirchhoff, where the discrete gradient is the force of the mean of the
/// stresses at both ends: DV = int (F0 + F1)/2 (S0 + S1)/2 : grad N dX (Simo, Tarnow 1992, sect. 4). Contact beside it, whose energy is
/// no such one, has the discrete gradients of its points. Errors: InputError for other potentials.
class SimoTarnow : public DiscreteGradient
{
public:
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_potential_loads(system, p, "simo-tarnow");
    if (!system.has(Feature::quadratic_energy))
      p.fail(
          "",
          "simo-tarnow takes the mean of the stresses at both ends, which keeps an energy that is quadratic in the strain: st-venant-kirchhoff, "
          "bars, contact beside them, no other potentials. Use Scheme = discrete-gradient, which keeps every energy");
  }
};

SYMDYN_REGISTER(Integrator, DiscreteGradient, "discrete-gradient");
SYMDYN_REGISTER(Integrator, SimoTarnow, "simo-tarnow");
}  // namespace symdyn
