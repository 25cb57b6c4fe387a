#include "integrators/equations/balance.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The two-step variational principle for friction (Kane, Marsden, Ortiz, West 1999, eqs. 5.14-5.16) on the midpoint Lagrangian: first
/// without damping, then extremise kinetic energy and dissipation over the end point,
///     M (q_pred - 2 q1 + q0)/h² + ½ [F(t_01, (q0 + q1)/2) + F(t_12, (q1 + q_pred)/2)] = 0,   F = f_int - f_applied
///     M (q2 - q_pred)/h² + f_damp(q1, (q2 - q1)/h) = 0
/// Written with u1 = (q1 - q0)/h - (h/2) M^-1 F_01 (memory "u", the velocity of the conservative part): M x + F_12 = 0, q_pred =
/// q1 + h u1 + ½ h² x; (M + h C) y = -C (q_pred - q1)/h, q2 = q_pred + h² y; u2 = d + (h/2) x_2, d = (q2 - q1)/h, M x_2 = -F at
/// (q1 + q2)/2. Recorded: v2 = u2 + (h/2) y = M^-1 (D2 L_d + F_d^+). The first step after start() has no q0: it is one of
/// lagrange-dalembert (alpha = 1/2). First order in the damping; without damping it is the midpoint rule. Loads are taken at
/// the midpoint with v = 0. state.a is the mean acceleration. Fixed h. Errors: ComputationError if Newton does not converge.
class TwoStep : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("base", base, "discrete Lagrangian of the conservative part; there is L_d at the midpoint", {"midpoint"});
  }
  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &, const Parameters &) const override {}
  bool carries_acceleration() const override { return false; }
  WorkRule work_rule() const override { return WorkRule::midpoint; }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise = first->promise(system);
    promise.order = system.has(Feature::damping) ? 1 : 2;
    promise.energy = promise.monotone_dissipation = false;  // v of the record is not the mean velocity
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    state.memory.erase("u");
    Integrator::start(system, state, h);
  }
  void start_tangent(const MechanicalSystem &system, const State &started, const double h, State &delta) const override
  {
    delta.memory.erase("u");
    Integrator::start_tangent(system, started, h, delta);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    State next = state;
    StepReport report;
    Vector y = system.new_vector();
    if (state.memory.count("u"))
      report = advance(system, next, h, y);
    else
    {
      first->newton = newton;
      report = first->step(system, next, h);
    }
    Vector &u = next.memory["u"];
    u = velocity(system, state, next, h);
    if (state.memory.count("u"))
    {
      next.v = u;
      next.v.add(0.5 * h, y);
    }
    next.a = next.v;
    next.a -= state.v;
    next.a *= 1. / h;
    for (Vector *x : {&u, &next.v, &next.a})
      x->update_ghost_values();
    state = std::move(next);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    const Vector q0 = delta.q, v0 = delta.v;
    Vector y = system.new_vector();
    if (before.memory.count("u"))
      advance_tangent(system, before, after, h, delta, y);
    else
      first->step_tangent(system, before, after, h, delta);
    Vector mean = q0, d = delta.q, x = system.new_vector(), f = x;
    mean.sadd(0.5, 0.5, delta.q);
    mean.update_ghost_values();
    system.stiffness(middle(before.q, after.q), mean, f);
    f *= -1.;
    system.project(f);
    system.mass_solve(f, x);
    d -= q0;
    d *= 1. / h;
    d.add(0.5 * h, x);
    if (before.memory.count("u"))
    {
      delta.v = d;
      delta.v.add(0.5 * h, y);
    }
    delta.memory["u"] = d;
    delta.a = delta.v;
    delta.a -= v0;
    delta.a *= 1. / h;
    for (Vector *z : {&delta.q, &delta.v, &delta.a, &delta.memory["u"]})
      z->update_ghost_values();
  }

  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, const double h) const override
  {
    return first->discrete_energy(system, before, after, h);
  }

private:
  static Vector middle(const Vector &a, const Vector &b)
  {
    Vector m = a;
    m.sadd(0.5, 0.5, b);
    m.update_ghost_values();
    return m;
  }

  /// M x + F(t_m, q + (h/2) u + (h²/4) x) = 0; with velocity 0 the damping drops out.
  Balance conservative(const MechanicalSystem &system, const State &state, const double h) const
  {
    Balance balance;
    balance.points = {{1., state.t + 0.5 * h, state.q, system.new_vector(), 0.25 * h * h, 0.}};
    balance.points[0].q.add(0.5 * h, state.memory.at("u"));
    return balance;
  }

  /// Both steps: next.q, t and n. y = -M^-1 f_damp.
  StepReport advance(const MechanicalSystem &system, State &next, const double h, Vector &y) const
  {
    const double t1 = next.t + h;
    Vector q = next.q, x = q, unused = q, also = q;
    q.add(h, next.memory.at("u"));
    x = q;
    system.impose(t1, x, unused, also);
    x -= q;
    x *= 2. / (h * h);
    system.project_prescribed(x);
    const NewtonReport newton_report = conservative(system, next, h).solve(system, *newton, step_name(next, t1), x);
    StepReport report{newton_report.iterations, newton_report.krylov, newton_report.kept()};
    q.add(0.5 * h * h, x);
    if (system.has(Feature::damping))
    {
      Vector d = q;
      d -= next.q;
      d *= 1. / h;
      d.update_ghost_values();
      report.krylov += damped(system, next, h, d, y);
      q.add(h * h, y);
    }
    accept(next, h, q, next.v, x);
    return report;
  }

  /// (M + h C(q1)) y = -C(q1) d
  static int damped(const MechanicalSystem &system, const State &state, const double h, const Vector &d, Vector &y)
  {
    Vector r = system.new_vector();
    system.damping_force(state.q, d, r);
    r *= -1.;
    system.project(r);
    const int krylov = system.factor(M + h * C, state.t, state.q, state.v)->solve(r, y, 1e-14);
    y.update_ghost_values();
    return krylov;
  }

  /// d + (h/2) x, M x = -F at the midpoint of the step, and x on prescribed degrees of freedom so that u0 + u1 = 2 d there.
  static Vector velocity(const MechanicalSystem &system, const State &before, const State &after, const double h)
  {
    const Vector q = middle(before.q, after.q), rest = system.new_vector();
    Vector d = after.q, r = system.new_vector(), f = r, x = r, prescribed = before.memory.count("u") ? before.memory.at("u") : before.v;
    d -= before.q;
    d *= 1. / h;
    prescribed.sadd(-1., 1., d);
    prescribed *= 2. / h;
    system.project_prescribed(prescribed);
    system.applied_force(before.t + 0.5 * h, q, rest, r);
    system.internal_force(q, f);
    r -= f;
    system.mass(prescribed, f);
    r -= f;
    system.project(r);
    system.mass_solve(r, x);
    x += prescribed;
    d.add(0.5 * h, x);
    return d;
  }

  void advance_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta,
                       Vector &y) const
  {
    // x of the predictor and y of the damping, from what the states hold.
    Vector x = after.v, q = delta.q, dx;
    x -= after.memory.at("u");
    x *= -2. * h;  // -h² y
    x += after.q;
    x -= before.q;
    x.add(-h, before.memory.at("u"));
    x *= 2. / (h * h);
    q.add(0.5 * h, delta.memory.at("u"));
    const Vector rest = system.new_vector();
    conservative(system, before, h).linearised(system, x, {q}, {rest}, Vector(), dx);
    Vector d = delta.memory.at("u");
    d.add(0.5 * h, dx);
    d.update_ghost_values();
    if (system.has(Feature::damping))
      damped(system, before, h, d, y);
    delta.q.add(h, d, h * h, y);
  }

  std::string base = "midpoint";
  std::unique_ptr<Integrator> first = Registry<Integrator>::instance().make("lagrange-dalembert");
};

SYMDYN_REGISTER(Integrator, TwoStep, "two-step");
}  // namespace symdyn
