#include <cmath>
#include <limits>

#include "integrators/equations/balance.h"
#include "integrators/equations/prescribed.h"
#include "solver/dynamics/critical_step.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The scheme of the discrete Lagrangian L_d^alpha = h/2 |d|²_M - h V(q_alpha), d = (q1 - q0)/h, q_alpha = (1 - alpha) q0 + alpha q1
/// (Kane, Marsden, Ortiz, West 1999, eqs. 2.2, 2.7), in (q, v) with M v = p:
///     M a + C d + f_int(q_alpha) = f(t0 + alpha h, q_alpha, d)                          [N]
///     q1 = q0 + h v0 + h² (1 - alpha) a,   v1 = v0 + h a,   d = v0 + h (1 - alpha) a
/// Order 1, at alpha = 1/2 (the midpoint rule) order 2 and reversible. Symplectic in (q, M v), keeps the momenta. Linear modes
/// as Newmark's with beta = alpha (1 - alpha), whose orbit q_alpha is (their Theorem 3.4): stable iff h omega |1 - 2 alpha| < 2.
/// With damping and s = 2 alpha - 1 > 0, where d lags: iff (h s)² K + 2 h s C < 4 M.
/// state.a is (v1 - v0)/h. Prescribed q1 are exact; there v1 follows from the two formulas for alpha <= 1/2 and is the prescribed
/// one for alpha > 1/2, where the formulas would ring. Errors: ComputationError if Newton does not converge.
class GalerkinAlpha : public Integrator, public StepBoundByDamping
{
public:
  void declare(Parameters &p) override
  {
    p.add("alpha", alpha, "point of a step where the forces are taken [-]; 0: at its start, 1/2: midpoint rule, 1: at its end",
          between(0., 1.));
  }
  std::optional<double> law_point() const override { return alpha; }
  WorkRule work_rule() const override { return alpha == 0.5 ? WorkRule::midpoint : WorkRule::trapezoidal; }
  bool carries_acceleration() const override { return false; }
  void check(const MechanicalSystem &, const Parameters &) const override {}

  Promise promise(const MechanicalSystem &system) const override
  {
    const bool symmetric = alpha == 0.5;
    Promise promise;
    promise.order = symmetric ? 2 : 1;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.energy_bounded = true;
    promise.reversible = symmetric;
    promise.energy = promise.monotone_dissipation = symmetric && system.has(Feature::linear);
    if (!symmetric)
      promise.stable_h_omega = 2. / std::abs(1. - 2. * alpha);
    return promise;
  }

  double stable_step(const double omega, const double mu) const override
  {
    const double s = 2. * alpha - 1.;
    return s > 0. ? lagged_damping_step(2. / s, 1. / s, omega, mu) : s < 0. ? 2. / (-s * omega) : std::numeric_limits<double>::infinity();
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h, weight = h * h * (1. - alpha);
    Vector q1 = state.q, v1 = state.v;
    q1.add(h, state.v);
    Balance balance;
    balance.points = {{1., state.t + alpha * h, state.q, state.v, alpha * weight, h * (1. - alpha)}};
    balance.points[0].q.add(alpha * h, state.v);
    Vector a = alpha <= 0.5 ? prescribed_acceleration(system, t1, q1, weight) : prescribed_mean(system, t1, state.v, h);
    if (alpha > 0.5 && system.has(Feature::supports))
    {
      Vector q_formula = q1;
      q_formula.add(weight, a);
      const Vector gap = prescribed_acceleration(system, t1, q_formula, 1.);
      q1 += gap;
      balance.points[0].q.add(alpha, gap);
    }
    const NewtonReport report = balance.solve(system, *newton, step_name(state, t1), a);
    q1.add(weight, a);
    v1.add(h, a);
    accept(state, h, q1, v1, a);
    return {report.iterations, report.krylov, report.kept()};
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    const double weight = h * h * (1. - alpha);
    Balance balance;
    balance.points = {{1., before.t + alpha * h, at_alpha(before, after), before.v, alpha * weight, h * (1. - alpha)}};
    Vector q = delta.q;
    q.add(alpha * h, delta.v);
    q.update_ghost_values();
    balance.linearised(system, system.new_vector(), {q}, {delta.v}, Vector(), delta.a);
    delta.q.add(h, delta.v, weight, delta.a);
    delta.v.add(h, delta.a);
    delta.q.update_ghost_values();
    delta.v.update_ghost_values();
  }

  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, const double h) const override
  {
    Vector d = after.q, Md = system.new_vector();
    d -= before.q;
    system.mass(d, Md);
    return 0.5 * (d * Md) / (h * h) + system.potential(at_alpha(before, after));
  }

protected:
  double alpha = 0.5;

private:
  Vector at_alpha(const State &before, const State &after) const
  {
    Vector q = before.q;
    q.sadd(1. - alpha, alpha, after.q);
    q.update_ghost_values();
    return q;
  }

  /// (v1 - v0)/h of the prescribed components, v1 the prescribed velocity
  static Vector prescribed_mean(const MechanicalSystem &system, const double t1, const Vector &v0, const double h)
  {
    Vector a = v0, q = system.new_vector(), unused = q;
    system.impose(t1, q, a, unused);
    a -= v0;
    a *= 1. / h;
    system.project_prescribed(a);
    return a;
  }
};

/// The implicit midpoint rule, alpha = 1/2: forces at the mean of both ends. Order 2, symplectic in (q, M v), reversible, keeps
/// the momenta; on linear systems the energy too, and there it is Newmark with beta = 1/4.
class Midpoint : public GalerkinAlpha
{
public:
  void declare(Parameters &) override {}
};

/// The discrete Lagrange-d'Alembert principle (Kane, Marsden, Ortiz, West 1999, eq. 5.3) with L_d^alpha and the discrete forces
///     F_d^- = h (1 - alpha) f,   F_d^+ = h alpha f,   f = (f_applied - C v)(t0 + alpha h, q_alpha, d)
/// M v_0 = -D1 L_d - F_d^-, M v_1 = D2 L_d + F_d^+ (they lack M^-1 before F in 5.4): the map of galerkin-alpha, which has its forces there.
/// alpha = 1/2: the energy of a mode omega with M, R decays with the rate R/(1 + h² omega²/4), not in every step.
class LagrangeDalembert : public GalerkinAlpha
{
};

SYMDYN_REGISTER(Integrator, GalerkinAlpha, "galerkin-alpha");
SYMDYN_REGISTER(Integrator, Midpoint, "midpoint");
SYMDYN_REGISTER(Integrator, LagrangeDalembert, "lagrange-dalembert");
}  // namespace symdyn
