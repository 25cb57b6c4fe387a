#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/equations/multiplier_search.h"
#include "integrators/equations/step_constraints.h"
#include "solver/base/pool.h"
#include "solver/dynamics/kept_multipliers.h"
#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// What SHAKE and RATTLE share: explicit steps with multipliers, for constrained systems without damping.
class ConstrainedVerlet : public Integrator
{
public:
  explicit ConstrainedVerlet(std::string name) : name(std::move(name)) {}
  void declare(Parameters &) override {}
  bool is_explicit() const override { return true; }
  bool keeps_constraints() const override { return true; }
  double solver_tolerance() const override { return 0.; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    if (!is_constrained(system))
      refuse_scheme(
          p,
          name +
              " is for systems with constraints, and the deck has none that are exact. Add a section Constraints, set Elements/Directors = exact for beams and shells, or use Scheme = " +
              (system.has(Feature::nodal_mass) && !system.has(Feature::stiffness_damping) ? "stormer-verlet" : "newmark"));
    if (system.nodal_constraints() && !system.has(Feature::nodal_mass))  // others have their part of M^-1 by solves
      refuse_scheme(p, name +
                           " is explicit and needs a diagonal mass. Use --set \"Elements/Mass=lumped\", or newmark-constrained or "
                           "gonzalez-constrained");
    require_undamped(system, p, name, "newmark-constrained or gonzalez-constrained");
  }

protected:
  /// M^-1 (f - dV/dq), with the prescribed components of q, v and a.
  static ForceReport free_acceleration(const MechanicalSystem &system, const double t, Vector &q, Vector &v, Vector &a)
  {
    if (system.has(Feature::moving_supports) || !system.has(Feature::diagonal_mass))
    {
      State at;
      at.t = t;
      at.q = q;
      at.v = v;
      at.a = a;
      const ForceReport report = free_motion(system, at);
      q = at.q;
      v = at.v;
      a = at.a;
      return report;
    }
    system.impose(t, q, v, a);
    const ForceReport report = system.internal_force(q, a);
    a *= -1.;
    if (system.has(Feature::loads))
    {
      PooledVector applied(a);
      system.applied_force(t, q, v, *applied);
      a += *applied;
    }
    system.mass_solve(a, a);
    return report;
  }

  /// Prescribed components as they are at t.
  static void lead(const MechanicalSystem &system, const double t, Vector &q, Vector &v)
  {
    if (!system.has(Feature::moving_supports))
      return;
    Vector unused = v;
    system.impose(t, q, v, unused);
    q.update_ghost_values();
    v.update_ghost_values();
  }

  StepConstraints &constraints_of(const MechanicalSystem &system) const
  {
    if (!kept || !kept->are_of(system))
      kept = StepConstraints::of(system);
    return *kept;
  }

  /// At every start: another system may stand where the last one stood.
  void forget() const { kept.reset(); }

private:
  std::string name;
  mutable std::unique_ptr<StepConstraints> kept;
};

/// SHAKE (Ryckaert, Ciccotti, Berendsen 1977; in the form of Tao and Owhadi 2015, sect. 4.1): with a_k = M^-1 (f - dV/dq + Gᵀ lambda_k) at
/// q_k
///     v_½ = v_k + h/2 a_k,   q_{k+1} = q_k + h v_½,   v_{k+1} = v_½ + h/2 a_{k+1}
///     lambda_{k+1}: g(q_{k+1} + h (v_½ + h a_{k+1})) = 0,   lambda_0: g(q_0 + h (v_0 + h/2 a_0)) = 0
/// so that g holds at every q; G v = 0 holds to O(h²) only. Order 2, reversible but for its start, keeps the momenta; its half-step
/// velocities with q are RATTLE's, so that it is conjugate to a symplectic scheme. state.a is a_k, memory "lambda" lambda_k where
/// constraints are not nodal. Errors: ComputationError.
class Shake : public ConstrainedVerlet
{
public:
  Shake() : ConstrainedVerlet("shake") {}

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.angular_momentum = Where::in_qv;
    promise.energy_bounded = true;
    promise.stable_h_omega = 2.;
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    forget();
    free_motion(system, state);
    Reaction reaction;
    hold(system, state, h, 0.5 * h * h, reaction);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    State next = state;
    next.v.add(0.5 * h, state.a);
    next.q.add(h, next.v);
    next.t += h;
    ++next.n;
    next.q.update_ghost_values();
    next.v.update_ghost_values();
    StepReport report;
    report.force = free_motion(system, next);
    Reaction reaction;
    reaction.lambda = kept_multipliers(state);
    report.newton = hold(system, next, h, h * h, reaction);
    next.v.add(0.5 * h, next.a);
    next.v.update_ghost_values();
    lead(system, next.t, next.q, next.v);
    state = std::move(next);
    return report;
  }

private:
  /// The reaction with g(q + h v + factor a) = 0, a = state.a + M^-1 Gᵀ lambda, which becomes state.a.
  int hold(const MechanicalSystem &system, State &state, const double h, const double factor, Reaction &reaction) const
  {
    StepConstraints &constraints = constraints_of(system);
    Vector end = state.q;
    end.add(h, state.v, factor, state.a);
    end.update_ghost_values();
    Vector v = state.v;
    lead(system, state.t + h, end, v);
    const int iterations = constraints.meet(state.q, end, factor, reaction, fmt::format("shake: step {}, t = {:g} s", state.n, state.t));
    constraints.add(1., reaction, state.a);
    state.a.update_ghost_values();
    if (system.constraints())
      keep_multipliers(reaction.lambda, state);
    return iterations;
  }
};

/// RATTLE (Andersen 1983): with a = M^-1 (f - dV/dq)
///     v_½ = v_0 + h/2 (a_0 + M^-1 G_0ᵀ lambda),   q_1 = q_0 + h v_½,   g(q_1) = 0
///     v_1 = v_½ + h/2 (a_1 + M^-1 G_1ᵀ mu),       G_1 v_1 = 0
/// Order 2, symplectic on the constraint manifold (Leimkuhler, Skeel 1994), reversible, keeps the momenta. state.a is a_1 + M^-1 G_1ᵀ mu.
/// Errors: ComputationError.
class Rattle : public ConstrainedVerlet
{
public:
  Rattle() : ConstrainedVerlet("rattle") {}
  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    forget();
    Integrator::start(system, state, h);
  }
  bool carries_acceleration() const override { return false; }

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
    PooledVector q(state.q), v(state.v), a(state.a), v1(state.v);
    StepReport report;
    report.newton = reach(system, h, state, *q, *v);
    report.force = free_end(system, h, state.t + h, *q, *v, *a, *v1);
    for (unsigned int i = 0; i < a->locally_owned_size(); ++i)
      a->local_element(i) += 2. / h * (v1->local_element(i) - v->local_element(i));
    lead(system, state.t + h, *q, *v1);
    accept(state, h, *q, *v1, *a);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    StepConstraints &constraints = constraints_of(system);
    State next = before;
    Reaction start, end;
    reach(system, h, before, next.q, next.v, &start);
    Vector dv = delta.v, dq = delta.q;
    dv.add(0.5 * h, delta.a, 0.5 * h, constraints.bend(before.q, start, delta.q));
    dq.add(h, dv);
    dq.update_ghost_values();
    const Vector change = constraints.part_across(before.q, next.q, dq);
    dq -= change;
    dv.add(-1. / h, change);
    dq.update_ghost_values();
    Vector v1 = next.v;
    free_end(system, h, before.t + h, next.q, next.v, next.a, v1, &end);
    Vector force = system.new_vector();
    system.stiffness(next.q, dq, force);
    force *= -1.;
    system.mass_solve(force, delta.a);
    dv.add(0.5 * h, delta.a);
    delta.a.add(-2. / h, dv);
    dv.add(-1., constraints.bend(next.q, end, dq));
    dv.update_ghost_values();
    project_tangent(system, after, dq, dv);
    delta.a.add(2. / h, dv);
    delta.a.update_ghost_values();
    delta.q = dq;
    delta.v = dv;
  }

private:
  /// q_1, v_½ from the state; the reaction, where it is asked for, is what its acceleration has not. Iterations of the search.
  int reach(const MechanicalSystem &system, const double h, const State &state, Vector &q, Vector &v, Reaction *reaction = nullptr) const
  {
    StepConstraints &constraints = constraints_of(system);
    const double *q0 = state.q.begin(), *v0 = state.v.begin(), *a0 = state.a.begin();
    for (unsigned int i = 0; i < q.locally_owned_size(); ++i)
    {
      v.local_element(i) = v0[i] + 0.5 * h * a0[i];
      q.local_element(i) = q0[i] + h * v.local_element(i);
    }
    q.update_ghost_values();
    lead(system, state.t + h, q, v);
    state.q.update_ghost_values();
    const std::string name = fmt::format("rattle: step {}, t = {:g} s", state.n + 1, state.t + h);
    if (!reaction)
      return constraints.lead(state.q, h, q, v, name);
    const int iterations = constraints.meet(state.q, q, 0.5 * h * h, *reaction, name);
    constraints.add(0.5 * h, *reaction, v);
    constraints.add(0.5 * h * h, *reaction, q);
    return iterations;
  }

  /// At q_1, v_½: a_1 without the forces of the constraints, v <- v_½ + h/2 a_1, and v_1, which has not the reaction.
  ForceReport free_end(const MechanicalSystem &system, const double h, const double t, Vector &q, Vector &v, Vector &a, Vector &v1,
                       Reaction *reaction = nullptr) const
  {
    const ForceReport force = free_acceleration(system, t, q, v, a);
    v.add(0.5 * h, a);
    v.update_ghost_values();
    lead(system, t, q, v);
    v1.equ(1., v);
    constraints_of(system).meet_rates(q, v1, reaction);
    return force;
  }
};
}  // namespace

SYMDYN_REGISTER(Integrator, Shake, "shake");
SYMDYN_REGISTER(Integrator, Rattle, "rattle");
}  // namespace symdyn
