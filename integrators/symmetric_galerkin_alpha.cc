#include <cmath>

#include "integrators/equations/balance.h"
#include "integrators/equations/prescribed.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The scheme of L_d = h/2 |d|²_M - h/2 (V(q_alpha) + V(q_(1-alpha))), d = (q1 - q0)/h, q_alpha = (1 - alpha) q0 + alpha q1 (Kane,
/// Marsden, Ortiz, West 1999, eqs. 2.16, 2.19), with F(q) = C d + f_int(q) - f(t, q, d) at its time:
///     M x + (1 - alpha) F(q_alpha) + alpha F(q_(1-alpha)) = 0,   q1 = q0 + h v0 + h²/2 x,   d = v0 + h/2 x
///     M a + 1/2 F(q_alpha) + 1/2 F(q_(1-alpha)) = 0,             v1 = v0 + h a
/// Order 2, symplectic in (q, M v), reversible, keeps the momenta; alpha = 1/2: the midpoint rule, 0 or 1: Stoermer-Verlet.
/// On linear systems Newmark with beta = alpha (1 - alpha): stable iff h omega |1 - 2 alpha| < 2. state.a is (v1 - v0)/h.
/// Prescribed q1 are exact; there v1 follows from the formulas. Errors: ComputationError if Newton does not converge.
class SymmetricGalerkinAlpha : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("alpha", alpha, "the forces are taken at alpha and 1 - alpha of a step [-]; 1/2: midpoint rule", between(0., 1.));
  }
  std::optional<double> law_point() const override { return std::nullopt; }
  WorkRule work_rule() const override { return WorkRule::midpoint; }
  bool carries_acceleration() const override { return false; }
  void check(const MechanicalSystem &, const Parameters &) const override {}

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.reversible = promise.energy_bounded = true;
    promise.energy = promise.monotone_dissipation = alpha == 0.5 && system.has(Feature::linear);
    if (alpha != 0.5)
      promise.stable_h_omega = 2. / std::abs(1. - 2. * alpha);
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h;
    Vector q1 = state.q, v1 = state.v;
    q1.add(h, state.v);
    Balance balance = equation(state.t, h, state.q, q1, state.v);
    Vector x = prescribed_acceleration(system, t1, q1, 0.5 * h * h), a = x;
    const NewtonReport report = balance.solve(system, *newton, step_name(state, t1), x);
    q1.add(0.5 * h * h, x);
    if (alpha == 0.5)
      a = x;
    else
      solve_mean(system, balance, x, a);
    v1.add(h, a);
    accept(state, h, q1, v1, a);
    return {report.iterations, report.krylov, report.kept()};
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    Vector d = after.q;
    d.sadd(1. / h, -1. / h, before.q);
    d.update_ghost_values();
    const Balance balance = equation(before.t, h, before.q, after.q, d);
    Vector q1 = delta.q;
    q1.add(h, delta.v);
    const Balance tangent = equation(before.t, h, delta.q, q1, delta.v);
    std::vector<Vector> q;
    for (const Balance::Point &point : tangent.points)
      q.push_back(point.q);
    Vector x;
    balance.linearised(system, system.new_vector(), q, std::vector<Vector>(q.size(), delta.v), Vector(), x);
    delta.a = x;
    if (alpha != 0.5)
    {
      Vector r = system.new_vector(), f = r, v = delta.v;
      v.add(0.5 * h, x);
      v.update_ghost_values();
      for (std::size_t k = 0; k < q.size(); ++k)
      {
        q[k].add(tangent.points[k].dq, x);
        q[k].update_ghost_values();
        system.stiffness(balance.points[k].q, q[k], f);
        r.add(-0.5, f);
        system.damping_force(balance.points[k].q, v, f);
        r.add(-0.5, f);
      }
      system.mass_solve(r, delta.a);
      delta.a.update_ghost_values();
    }
    delta.q = q1;
    delta.q.add(0.5 * h * h, x);
    delta.v.add(h, delta.a);
    delta.q.update_ghost_values();
    delta.v.update_ghost_values();
  }

  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, const double h) const override
  {
    Vector d = after.q, Md = system.new_vector();
    d.sadd(1. / h, -1. / h, before.q);
    system.mass(d, Md);
    const Balance balance = equation(before.t, h, before.q, after.q, d);
    return 0.5 * (d * Md) + 0.5 * (system.potential(balance.points.front().q) + system.potential(balance.points.back().q));
  }

private:
  /// For x, with the points between q0 and q1, the position for x = 0. alpha = 1/2: both points are one.
  Balance equation(const double t0, const double h, const Vector &q0, const Vector &q1, const Vector &v) const
  {
    Balance balance;
    for (const double where : {alpha, 1. - alpha})
    {
      balance.points.push_back({1. - where, t0 + where * h, q0, v, 0.5 * where * h * h, 0.5 * h});
      balance.points.back().q.sadd(1. - where, where, q1);
      balance.points.back().q.update_ghost_values();
    }
    if (alpha == 0.5)
    {
      balance.points.pop_back();
      balance.points.front().weight = 1.;
    }
    return balance;
  }

  /// a from the forces at both points, which stand at x; `a` brings the prescribed components.
  static void solve_mean(const MechanicalSystem &system, const Balance &balance, const Vector &x, Vector &a)
  {
    Vector r = system.new_vector(), f = r;
    system.mass(a, r);
    r *= -1.;
    for (Balance::Point point : balance.points)
    {
      point.q.add(point.dq, x);
      point.v.add(point.dv, x);
      point.q.update_ghost_values();
      point.v.update_ghost_values();
      system.internal_force(point.q, f);
      r.add(-0.5, f);
      system.damping_force(point.q, point.v, f);
      r.add(-0.5, f);
      system.applied_force(point.t, point.q, point.v, f);
      r.add(0.5, f);
    }
    system.mass_solve(r, f);
    a += f;
  }

  double alpha = 0.5;
};

SYMDYN_REGISTER(Integrator, SymmetricGalerkinAlpha, "symmetric-galerkin-alpha");
}  // namespace symdyn
