#include "integrators/newmark.h"

#include <cmath>

#include "integrators/equations/balance.h"
#include "integrators/equations/step_start.h"
#include "solver/base/pool.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
std::pair<Vector, Vector> newmark_predictor(const State &state, const double h, const double beta, const double gamma)
{
  std::pair<Vector, Vector> p{state.q, state.v};
  p.first.add(h, state.v, h * h * (0.5 - beta), state.a);
  p.second.add(h * (1. - gamma), state.a);
  return p;
}

Vector prescribed_unknown(const MechanicalSystem &system, const double t, const Vector &Q, const double dq)
{
  Vector x = Q, scratch = Q, unused = Q;
  system.impose(t, x, scratch, unused);
  x -= Q;
  x *= 1. / dq;
  system.project_prescribed(x);
  return x;
}

Vector prescribed_acceleration(const MechanicalSystem &system, const double t, const double h, const double beta, const double gamma,
                               Vector &Q, Vector &V)
{
  if (2. * beta >= gamma)
    return prescribed_unknown(system, t, Q, beta * h * h);
  Vector q = Q, v = V, a = Q;
  system.impose(t, q, v, a);
  system.project_prescribed(a);
  q -= Q;
  q.add(-beta * h * h, a);
  system.project_prescribed(q);
  Q += q;
  v -= V;
  v.add(-gamma * h, a);
  system.project_prescribed(v);
  V += v;
  return a;
}

void Newmark::declare(Parameters &p)
{
  p.add("beta", beta, "weight of the new acceleration in q1 [-]; 0: explicit, 1/4: average acceleration", between(0., 1.));
  p.add("gamma", gamma, "weight of the new acceleration in v1 [-]; 1/2: second order, larger: damps", between(0., 1.));
}

void Newmark::check(const MechanicalSystem &system, const Parameters &p) const
{
  if (is_explicit())
    require_explicit(system, p, "beta", "beta = 0");
}

Promise Newmark::promise(const MechanicalSystem &system) const
{
  Promise promise;
  promise.order = gamma == 0.5 ? 2 : 1;
  // Hughes (1987), 9.1.19: Omega_crit = (gamma/2 - beta)^(-1/2), undamped; below gamma = 1/2 every mode grows.
  if (2. * beta < gamma)
    promise.stable_h_omega = 1. / std::sqrt(gamma / 2. - beta);
  promise.reversible = promise.energy_bounded = gamma == 0.5;
  if (gamma == 0.5)
  {
    promise.symplectic = beta == 0. || system.has(Feature::linear) ? Where::in_qv : Where::canonical_h;
    promise.angular_momentum = beta == 0. ? Where::in_qv : Where::canonical_h;
  }
  return promise;
}

StepReport Newmark::step(const MechanicalSystem &system, State &state, const double h) const
{
  StepReport report = is_explicit() ? explicit_step(system, state, h) : implicit_step(system, state, h);
  if (gamma < 0.5)
    report.warning = "gamma < 1/2 lets every oscillation grow. Set gamma = 0.5 (or more, to damp)";
  return report;
}

void Newmark::step_tangent(const MechanicalSystem &system, const State &, const State &after, const double h, State &delta) const
{
  Balance balance;
  balance.points = {{1., after.t, after.q, after.v, beta * h * h, gamma * h}};
  balance.points[0].q.add(-beta * h * h, after.a);
  balance.points[0].v.add(-gamma * h, after.a);
  const auto [q, v] = newmark_predictor(delta, h, beta, gamma);
  balance.linearised(system, after.a, {q}, {v}, Vector(), delta.a);
  delta.q = q;
  delta.v = v;
  delta.q.add(beta * h * h, delta.a);
  delta.v.add(gamma * h, delta.a);
  delta.q.update_ghost_values();
  delta.v.update_ghost_values();
}

double Newmark::discrete_energy(const MechanicalSystem &system, const State &before, const State &, const double h) const
{
  if (gamma != 0.5)
    return Integrator::discrete_energy(system, before, before, h);
  // In Suris' x: dx/h = v0 + h a0/2, and V~(x0) = V + (beta h²/2) a0·M a0, since a0 = -M^-1 dV/dq.
  Vector d = before.v, Md = system.new_vector(), Ma = Md;
  d.add(0.5 * h, before.a);
  system.mass(d, Md);
  system.mass(before.a, Ma);
  return 0.5 * (d * Md) + system.potential(before.q) + 0.5 * beta * h * h * (before.a * Ma);
}

StepReport Newmark::implicit_step(const MechanicalSystem &system, State &state, const double h) const
{
  const double t1 = state.t + h;
  auto [q1, v1] = newmark_predictor(state, h, beta, gamma);
  Vector a1 = prescribed_acceleration(system, t1, h, beta, gamma, q1, v1);
  a1 = unknown_of_drift(system, q1, beta * h * h, state, h, a1);
  Balance balance;
  balance.points = {{1., t1, q1, v1, beta * h * h, gamma * h}};
  const NewtonReport report = balance.solve(system, *newton, step_name(state, t1), a1, &state.q);
  q1.add(beta * h * h, a1);
  v1.add(gamma * h, a1);
  accept(state, h, q1, v1, a1);
  return {report.iterations, report.krylov, report.kept()};
}

StepReport Newmark::explicit_step(const MechanicalSystem &system, State &state, const double h) const
{
  // Supports that rest have no acceleration: what they hold has v = a = 0 from the start on.
  const bool moving = system.has(Feature::moving_supports);
  if (!moving && !system.has(Feature::loads) && !system.has(Feature::damping))
    return free_step(system, state, h);
  // Large vectors pass through memory: lent ones, a loop where one does, and no more of them than something acts on.
  const double t1 = state.t + h;
  PooledVector q1(state.q), v1(state.v), f(state.a);
  explicit_predictor(state, h, *q1, *v1);
  const Vector prescribed = moving ? prescribed_explicit_acceleration(system, t1, h, *q1, *v1) : Vector();
  q1->update_ghost_values();

  // f = f_int + C v - f_applied = -M a
  StepReport report;
  report.force = system.internal_force(*q1, *f);
  if (system.has(Feature::loads))
  {
    PooledVector applied(state.a);
    system.applied_force(t1, *q1, *v1, *applied);
    *f -= *applied;
  }
  if (system.has(Feature::damping))
  {
    Vector v_known = *v1, force = *f;
    if (moving)
      v_known.add(gamma * h, prescribed);
    v_known.update_ghost_values();
    system.damping_force(*q1, v_known, *f);
    force += *f;
    *f = 0.;
    report.krylov = system.factor(M + gamma * h * C, t1, *q1, *v1)->solve(force, *f, 1e-14);
  }
  else
    system.mass_solve(*f, *f);
  explicit_corrector(prescribed, h, *f, *v1);
  accept(state, h, *q1, *v1, *f);
  return report;
}

/// Where only the body itself acts nothing can fail on the way: q and v are changed where they are, which moves a quarter less memory.
StepReport Newmark::free_step(const MechanicalSystem &system, State &state, const double h) const
{
  PooledVector a1(state.a);
  explicit_predictor(state, h, state.q, state.v);
  state.q.update_ghost_values();
  StepReport report;
  report.force = system.internal_force(state.q, *a1);
  system.mass_solve(*a1, *a1);
  explicit_corrector(Vector(), h, *a1, state.v);
  a1->update_ghost_values();
  state.v.update_ghost_values();
  state.a.swap(*a1);
  state.t += h;
  ++state.n;
  return report;
}

/// q1 = q0 + h v0 + h²/2 a0, v1 = v0 + h (1 - gamma) a0
void Newmark::explicit_predictor(const State &state, const double h, Vector &q1, Vector &v1) const
{
  const double *q0 = state.q.begin(), *v0 = state.v.begin(), *a0 = state.a.begin();
  double *q = q1.begin(), *v = v1.begin();
  const unsigned int size = state.q.locally_owned_size();
#pragma GCC ivdep  // q1 may be q0, and v1 v0
  for (unsigned int i = 0; i < size; ++i)
  {
    q[i] = q0[i] + h * v0[i] + 0.5 * h * h * a0[i];
    v[i] = v0[i] + h * (1. - gamma) * a0[i];
  }
}

/// From x = -a1 of the free components to a1, and v1 += gamma h a1.
void Newmark::explicit_corrector(const Vector &prescribed, const double h, Vector &x, Vector &v1) const
{
  double *a = x.begin(), *v = v1.begin();
  const double *given = prescribed.size() > 0 ? prescribed.begin() : nullptr;
  const unsigned int size = x.locally_owned_size();
#pragma GCC ivdep
  for (unsigned int i = 0; i < size; ++i)
  {
    a[i] = given ? given[i] - a[i] : -a[i];
    v[i] += gamma * h * a[i];
  }
}

/// Prescribed components: q1 at t1, and a1 from q2 = q1 + h v1 + h²/2 a1 with v1 = v_predicted + gamma h a1.
Vector Newmark::prescribed_explicit_acceleration(const MechanicalSystem &system, const double t1, const double h, Vector &q1,
                                                 const Vector &v1) const
{
  Vector scratch = v1, q2 = q1;
  system.impose(t1, q1, scratch, scratch);
  system.impose(t1 + h, q2, scratch, scratch);
  q2 -= q1;
  q2.add(-h, v1);
  q2 *= 1. / (h * h * (0.5 + gamma));
  system.project_prescribed(q2);
  return q2;
}

/// beta = 1/4: the mean of both accelerations over the step (Newmark 1959).
class AverageAcceleration : public NewmarkPreset
{
public:
  AverageAcceleration() : NewmarkPreset(1. / 4.) {}
};

/// beta = 1/6: the acceleration is linear over the step (Newmark 1959).
class LinearAcceleration : public NewmarkPreset
{
public:
  LinearAcceleration() : NewmarkPreset(1. / 6.) {}
};

/// beta = 1/12 (Fox and Goodwin 1949). Its positions are Numerov's, conjugate to order 4 on any V: started with
/// v + (h²/12) da/dt and read with v - (h²/12) da/dt it is of order 4; in q and v as they are, which is promised, of order 2.
class FoxGoodwin : public NewmarkPreset
{
public:
  FoxGoodwin() : NewmarkPreset(1. / 12.) {}
};

SYMDYN_REGISTER(Integrator, Newmark, "newmark");
SYMDYN_REGISTER(Integrator, AverageAcceleration, "average-acceleration");
SYMDYN_REGISTER(Integrator, LinearAcceleration, "linear-acceleration");
SYMDYN_REGISTER(Integrator, FoxGoodwin, "fox-goodwin");
}  // namespace symdyn
