#include <cmath>

#include "integrators/equations/balance.h"
#include "integrators/verlet.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Newmark's scheme (gamma = 1/2) in the variables where it is symplectic, the pushforward (Suris 1989; Kane et al. 1999, sect.
/// 3.4; Tao, Owhadi 2015, Integrator 2.2): velocity Verlet in x with the acceleration of q = x + beta h² a:
///     x1 = x0 + h v0 + h²/2 a0,   v1 = v0 + h/2 (a0 + a1)      [m], [m/s]
///     M a + C v + f_int(x + beta h² a) = f(t, x + beta h² a, v)
/// state.q is x, state.a is a. Order 2 in x too, symplectic in (x, M v), which does not depend on h, reversible, keeps the momenta
/// of (x, v); stable iff (h omega)² (1 - 4 beta) < 4. `start`: x0 = q0 takes the given q0 as x0, a scheme of its own; suris takes
/// x0 = q0 - beta h² a(q0), and then memory["q_newmark"] = x + beta h² a is the orbit of newmark with this beta. Prescribed motion
/// is that of x. Errors: ComputationError if Newton does not converge.
class VariationalNewmark : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("beta", beta, "weight of the new acceleration in q1 of Newmark [-]", between(0., 1.));
    p.add("start", start_from,
          "x0 = q0: the given positions are x; suris: x0 = q0 - beta h² a(q0), so that the run is the shadow of newmark's",
          {"x0 = q0", "suris"});
  }
  bool carries_acceleration() const override { return beta == 0.; }
  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &, const Parameters &) const override {}

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.reversible = promise.energy_bounded = true;
    if (beta < 0.25)
      promise.stable_h_omega = 2. / std::sqrt(1. - 4. * beta);
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    Integrator::start(system, state, h);
    const bool shift = start_from == "suris" && !state.memory.count(q_newmark);
    if (shift)
    {
      state.memory.emplace(q_newmark, state.q);
      state.q.add(-beta * h * h, state.a);
      Vector v = state.v, a = state.a;
      system.impose(state.t, state.q, v, a);
      state.q.update_ghost_values();
      return;
    }
    Vector a = state.a;
    system.project_prescribed(a);
    equation(state.t, h, state.q, state.v, 0.).solve(system, *newton, step_name(state, state.t), a);
    a.update_ghost_values();
    state.a = a;
    remember(state, h);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Drift next = drift(system, state, h);
    const NewtonReport report = equation(next.t, h, next.x, next.v, 0.5 * h).solve(system, *newton, step_name(state, next.t), next.f);
    next.v.add(0.5 * h, next.f);
    accept(state, h, next.x, next.v, next.f);
    remember(state, h);
    return {report.iterations, report.krylov, report.kept()};
  }

  void start_tangent(const MechanicalSystem &system, const State &started, const double h, State &delta) const override
  {
    if (started.memory.count(q_newmark) && !delta.memory.count(q_newmark))
    {
      State at_q = started;
      at_q.q = started.memory.at(q_newmark);
      Integrator::start_tangent(system, at_q, h, delta);
      delta.memory[q_newmark] = delta.q;
      delta.q.add(-beta * h * h, delta.a);
      delta.q.update_ghost_values();
      return;
    }
    linearised(system, started, h, 0., delta);
  }

  void step_tangent(const MechanicalSystem &system, const State &, const State &after, const double h, State &delta) const override
  {
    drift_tangent(h, delta);
    linearised(system, after, h, 0.5 * h, delta);
    kick_tangent(h, delta);
  }

  /// As newmark's: with V~(x0) = V(q0) + beta h²/2 a0·M a0 at q0 = x0 + beta h² a0.
  double discrete_energy(const MechanicalSystem &system, const State &before, const State &, const double h) const override
  {
    Vector q = before.q, Ma = system.new_vector();
    q.add(beta * h * h, before.a);
    q.update_ghost_values();
    system.mass(before.a, Ma);
    return drift_energy(system, before, h) + system.potential(q) + 0.5 * beta * h * h * (before.a * Ma);
  }

private:
  /// For a, with v + dv a as velocity
  Balance equation(const double t, const double h, const Vector &x, const Vector &v, const double dv) const
  {
    Balance balance;
    balance.points = {{1., t, x, v, beta * h * h, dv}};
    return balance;
  }

  /// delta.a and the memory of delta from delta.q and delta.v
  void linearised(const MechanicalSystem &system, const State &at, const double h, const double dv, State &delta) const
  {
    Balance balance = equation(at.t, h, at.q, at.v, dv);
    balance.points[0].v.add(-dv, at.a);
    balance.linearised(system, at.a, {delta.q}, {delta.v}, Vector(), delta.a);
    if (at.memory.count(q_newmark))
      delta.memory[q_newmark] = shadowed(delta, h);
  }

  void remember(State &state, const double h) const
  {
    if (const auto found = state.memory.find(q_newmark); found != state.memory.end())
      found->second = shadowed(state, h);
  }

  Vector shadowed(const State &state, const double h) const
  {
    Vector q = state.q;
    q.add(beta * h * h, state.a);
    q.update_ghost_values();
    return q;
  }

  static constexpr const char *q_newmark = "q_newmark";
  double beta = 0.25;
  std::string start_from = "x0 = q0";
};

SYMDYN_REGISTER(Integrator, VariationalNewmark, "variational-newmark");
}  // namespace symdyn
