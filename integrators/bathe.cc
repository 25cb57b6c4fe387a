#include <cmath>
#include <tuple>

#include "integrators/equations/balance.h"
#include "integrators/equations/step_start.h"
#include "integrators/newmark.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Bathe's composite scheme (Bathe, Baig 2005, eqs. 5-12; any gamma: Noh, Bathe 2012; TR-BDF2 of Bank et al. 1985):
///     to t0 + gamma h by average acceleration:  M a_g + F_g = 0,  v_g = v0 + gamma h (a0 + a_g)/2,  q_g = q0 + gamma h (v0 + v_g)/2
///     to t0 + h by backward differences:        M a1 + F1 = 0,  v1 = c1 q0 + c2 q_g + c3 q1,  a1 = c1 v0 + c2 v_g + c3 v1
///     c1 = (1 - gamma)/(gamma h),  c2 = -1/((1 - gamma) gamma h),  c3 = (2 - gamma)/((1 - gamma) h)
/// F = f_int + f_damp - f_applied. Two Newton solves a step; with gamma = 2 - sqrt(2), the default, both have the same matrix
/// M + (gamma h/2) C + (gamma h/2)² K on linear systems. Order 2. Linear modes: unconditionally stable, the largest root falls from
/// 1 to 0 as h omega grows: it damps. Linear momentum is kept. Laws with a memory take each substep as an increment of its own. Errors:
/// ComputationError if Newton does not converge.
class Bathe : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("gamma", gamma, "length of the first substep over h [-]; 2 - sqrt(2): both have the same matrix", Range{0., 1., true, true});
  }
  bool divides() const override { return true; }
  void check(const MechanicalSystem &, const Parameters &) const override {}
  Promise promise(const MechanicalSystem &) const override { return {}; }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    State middle = state;
    const StepReport first = in_increment(system, middle, {gamma * h, state.t + gamma * h}, [&](const MechanicalSystem &seen, State &next) {
      std::tie(next.q, next.v) = newmark_predictor(state, gamma * h, 0.25, 0.5);
      const Balance balance = first_substep(state.t, next.q, next.v, h);
      next.a = unknown_of_drift(seen, next.q, balance.points.front().dq, state, gamma * h, prescribed(seen, balance));
      return substep(seen, balance, step_name(state, state.t + h), next);
    });
    const StepReport second = in_increment(system, middle, {(1. - gamma) * h, state.t + h}, [&](const MechanicalSystem &seen, State &next) {
      std::tie(next.q, next.v) = differences(state, middle.q, middle.v, h);
      const Balance balance = second_substep(state.t, next.q, next.v, h);
      next.a = prescribed(seen, balance);
      return substep(seen, balance, step_name(state, state.t + h), next);
    });
    Vector q1 = middle.q, v1 = middle.v, a1 = middle.a;
    state.history = middle.history;
    accept(state, h, q1, v1, a1);
    return {first.newton + second.newton, first.krylov + second.krylov, first.kept + second.kept};
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    const auto [c1, c2, c3] = coefficients(h);
    Vector q_g = after.v, v_g = after.a;  // from the two backward differences
    q_g.add(-c1, before.q, -c3, after.q);
    v_g.add(-c1, before.v, -c3, after.v);
    q_g *= 1. / c2;
    v_g *= 1. / c2;
    const Vector none = system.new_vector();
    auto [dq_g, dv_g] = newmark_predictor(delta, gamma * h, 0.25, 0.5);
    linearised(system, first_substep(before.t, q_g, v_g, h), none, dq_g, dv_g);
    auto [dq1, dv1] = differences(delta, dq_g, dv_g, h);
    delta.a = linearised(system, second_substep(before.t, after.q, after.v, h), none, dq1, dv1);
    delta.q.swap(dq1);
    delta.v.swap(dv1);
  }

private:
  struct Coefficients
  {
    double c1, c2, c3;
  };
  Coefficients coefficients(const double h) const
  {
    return {(1. - gamma) / (gamma * h), -1. / ((1. - gamma) * gamma * h), (2. - gamma) / ((1. - gamma) * h)};
  }
  Balance first_substep(const double t, const Vector &Q, const Vector &V, const double h) const
  {
    Balance balance;
    balance.points = {{1., t + gamma * h, Q, V, 0.25 * gamma * gamma * h * h, 0.5 * gamma * h}};
    return balance;
  }
  Balance second_substep(const double t, const Vector &Q, const Vector &V, const double h) const
  {
    const double c3 = coefficients(h).c3;
    Balance balance;
    balance.points = {{1., t + h, Q, V, 1. / (c3 * c3), 1. / c3}};
    return balance;
  }
  /// q1 and v1 of the backward differences, but for a1
  std::pair<Vector, Vector> differences(const State &start, const Vector &q_g, const Vector &v_g, const double h) const
  {
    const auto [c1, c2, c3] = coefficients(h);
    Vector V = start.v, Q = start.q;
    V *= -c1 / c3;
    V.add(-c2 / c3, v_g);
    Q *= -c1 / c3;
    Q.add(-c2 / c3, q_g, 1. / c3, V);
    return {Q, V};
  }
  static Vector prescribed(const MechanicalSystem &system, const Balance &balance)
  {
    const Balance::Point &point = balance.points.front();
    return prescribed_unknown(system, point.t, point.q, point.dq);
  }
  /// q and v of `next` but for a, which is solved for from where it is.
  StepReport substep(const MechanicalSystem &system, const Balance &balance, const std::string &name, State &next) const
  {
    const Balance::Point &point = balance.points.front();
    const NewtonReport report = balance.solve(system, *newton, name, next.a);
    next.q.add(point.dq, next.a);
    next.v.add(point.dv, next.a);
    next.q.update_ghost_values();
    next.v.update_ghost_values();
    return {report.iterations, report.krylov, report.kept()};
  }
  /// dq, dv but for da on entry; completed on return, which gives da
  Vector linearised(const MechanicalSystem &system, const Balance &balance, const Vector &x, Vector &dq, Vector &dv) const
  {
    Vector da;
    balance.linearised(system, x, {dq}, {dv}, Vector(), da);
    dq.add(balance.points.front().dq, da);
    dv.add(balance.points.front().dv, da);
    dq.update_ghost_values();
    dv.update_ghost_values();
    return da;
  }

  double gamma = 2. - std::sqrt(2.);
};

SYMDYN_REGISTER(Integrator, Bathe, "bathe");
}  // namespace symdyn
