#include "integrators/alpha_method.h"

#include "integrators/equations/step_start.h"
#include "integrators/newmark.h"
#include "solver/history.h"

// Alpha schemes: Chung, Hulbert 1993; evaluated in between: Erlicher, Bonaventura, Bursi 2002.
namespace symdyn
{
namespace
{
/// (1 - alpha) x1 + alpha x0
Vector between_states(const double alpha, const Vector &x1, const Vector &x0)
{
  Vector x = x1;
  x.sadd(1. - alpha, alpha, x0);
  x.update_ghost_values();
  return x;
}

Vector force(const MechanicalSystem &system, const State &state)
{
  Vector F = system.new_vector(), f = system.new_vector();
  system.internal_force(state.q, F);
  system.damping_force(state.q, state.v, f);
  F += f;
  system.applied_force(state.t, state.q, state.v, f);
  F -= f;
  return F;
}
}  // namespace

Promise AlphaMethod::promise(const MechanicalSystem &system) const
{
  Promise promise;
  const Constants alpha = constants();
  if (!alpha.conservative())
    return promise;
  const bool in_qv = alpha.evaluated && alpha.alpha_f == 0.5;  // the midpoint rule; else Newmark (1/4, 1/2)
  promise.symplectic = in_qv || system.has(Feature::linear) ? Where::in_qv : Where::canonical_h;
  promise.angular_momentum = in_qv ? Where::in_qv : Where::canonical_h;
  promise.reversible = promise.energy_bounded = true;
  return promise;
}

double AlphaMethod::suris_shift() const
{
  const Constants alpha = constants();
  return alpha.conservative() && !alpha.evaluated ? 0.25 : 0.;
}

std::optional<double> AlphaMethod::law_point() const
{
  const Constants alpha = constants();
  return alpha.evaluated ? 1. - alpha.alpha_f : 1.;
}

WorkRule AlphaMethod::work_rule() const { return constants().evaluated ? WorkRule::midpoint : WorkRule::trapezoidal; }

bool AlphaMethod::carries_acceleration() const { return constants().alpha_m == 0. && constants().alpha_f == 0.; }

Balance AlphaMethod::balance(const State &state, const double h, const Vector &Q, const Vector &V) const
{
  const Constants alpha = constants();
  const double dq = alpha.beta() * h * h, dv = alpha.gamma() * h, weight = 1. - alpha.alpha_f;
  Balance balance;
  balance.mass = 1. - alpha.alpha_m;
  if (alpha.evaluated)
    balance.points = {{1., state.t + weight * h, between_states(alpha.alpha_f, Q, state.q), between_states(alpha.alpha_f, V, state.v),
                       weight * dq, weight * dv}};
  else
    balance.points = {{weight, state.t + h, Q, V, dq, dv}};
  return balance;
}

StepReport AlphaMethod::step(const MechanicalSystem &system, State &state, const double h) const
{
  const Constants alpha = constants();
  const double t1 = state.t + h, dq = alpha.beta() * h * h, dv = alpha.gamma() * h;
  auto [q1, v1] = newmark_predictor(state, h, alpha.beta(), alpha.gamma());
  Balance equation = balance(state, h, q1, v1);
  equation.known = system.new_vector();
  system.mass(state.a, equation.known);
  equation.known *= -alpha.alpha_m;
  if (!alpha.evaluated && alpha.alpha_f != 0.)
    equation.known.add(-alpha.alpha_f, force(*About(system, state), state));

  Vector a1 = unknown_of_drift(system, q1, dq, state, h, prescribed_unknown(system, t1, q1, dq));
  const NewtonReport report = equation.solve(system, *newton, step_name(state, t1), a1, &state.q);
  q1.add(dq, a1);
  v1.add(dv, a1);
  accept(state, h, q1, v1, a1);
  return {report.iterations, report.krylov, report.kept()};
}

void AlphaMethod::step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const
{
  const Constants alpha = constants();
  const auto [Q, V] = newmark_predictor(before, h, alpha.beta(), alpha.gamma());
  auto [q, v] = newmark_predictor(delta, h, alpha.beta(), alpha.gamma());
  Vector known = system.new_vector(), f = known;
  system.mass(delta.a, known);
  known *= -alpha.alpha_m;
  if (!alpha.evaluated)
  {
    system.stiffness(before.q, delta.q, f);
    known.add(-alpha.alpha_f, f);
    system.damping_force(before.q, delta.v, f);
    known.add(-alpha.alpha_f, f);
  }
  const double at_start = alpha.evaluated ? alpha.alpha_f : 0.;
  Vector a = system.new_vector();
  balance(before, h, Q, V)
      .linearised(system, after.a, {between_states(at_start, q, delta.q)}, {between_states(at_start, v, delta.v)}, known, a);
  q.add(alpha.beta() * h * h, a);
  v.add(alpha.gamma() * h, a);
  q.update_ghost_values();
  v.update_ghost_values();
  delta.q.swap(q);
  delta.v.swap(v);
  delta.a.swap(a);
}
}  // namespace symdyn
