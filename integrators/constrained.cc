#include <fmt/format.h>

#include <cmath>

#include "integrators/equations/constrained_balance.h"
#include "integrators/equations/multiplier_search.h"
#include "integrators/equations/nodal_balance.h"
#include "integrators/equations/prescribed.h"
#include "solver/dynamics/kept_multipliers.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
void require_constraints(const MechanicalSystem &system, const Parameters &p, const std::string &scheme, const std::string &without)
{
  if (!is_constrained(system))
    p.fail(
        "",
        scheme +
            " is for systems with constraints, and the deck has none that are exact. Add a section Constraints, set Elements/Directors = exact for beams and shells, or use Scheme = " +
            without);
}

/// The energy-momentum scheme for constrained systems (Gonzalez 1999, eqs. 33, 34): with the discrete gradient DV and the discrete Jacobian
/// Dg
///     M a + C (v0 + v1)/2 + DV(q0, q1) = f(t0 + h/2, ..) + Dg(q0, q1)ᵀ lambda,   g(q1) = 0
///     q1 = q0 + h v0 + h²/2 a,   v1 = v0 + h a
/// Energy, momenta and constraints are kept to the tolerance of Newton's method; G v = 0 oscillates with O(h²). Order 2, reversible.
/// state.a is (v1 - v0)/h, memory "lambda" the multiplier of the step that led here, of constraints between nodes. Errors: ComputationError
/// if Newton does not converge.
class GonzalezConstrained : public Integrator
{
public:
  void declare(Parameters &) override {}
  bool keeps_constraints() const override { return true; }
  WorkRule work_rule() const override { return WorkRule::discrete_gradient; }
  bool carries_acceleration() const override { return false; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_constraints(system, p, "gonzalez-constrained", "discrete-gradient");
    require_potential_loads(system, p, "gonzalez-constrained");
  }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise;
    promise.linear_momentum = promise.angular_momentum = system.has(Feature::momentum_gradient) ? Where::in_qv : Where::nowhere;
    promise.energy = promise.energy_bounded = promise.monotone_dissipation = promise.reversible = true;
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    Integrator::start(system, state, h);
    if (system.constraints())
      keep_multipliers(multipliers_of_motion(system, state), state);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h, c = 0.5 * h * h;
    Vector q1 = state.q, v1 = state.v;
    q1.add(h, state.v);
    const std::vector<Balance::Point> points{{1., state.t + 0.5 * h, q1, state.v, c, 0.5 * h, &state.q}};
    Vector a = prescribed_acceleration(system, t1, q1, c);
    const NewtonReport report = solve(system, state, points, step_name(state, t1), a);
    q1.add(c, a);
    v1.add(h, a);
    accept(state, h, q1, v1, a);
    return {report.iterations, report.krylov, report.kept()};
  }

private:
  NewtonReport solve(const MechanicalSystem &system, State &state, const std::vector<Balance::Point> &points, const std::string &name,
                     Vector &a) const
  {
    if (!system.constraints())
    {
      NodalBalance step;
      step.from = &state.q;
      step.discrete = true;
      step.balance.points = points;
      return step.solve(system, *newton, name, a);
    }
    step_equation.from = &state.q;
    step_equation.discrete = true;
    step_equation.balance.points = points;
    std::vector<double> lambda = kept_multipliers(state);
    lambda.resize(system.constraints()->size(), 0.);
    const NewtonReport report = step_equation.solve(system, *newton, name, a, lambda);
    keep_multipliers(lambda, state);
    return report;
  }

  mutable ConstrainedBalance step_equation;
};

/// Newmark's method with constraints, of which RATTLE is the member beta = 0: with a = M^-1 (f - dV/dq - C v) without the forces of the
/// constraints
///     q1 = q0 + h v0 + h² ((½ - beta) a0 + beta a1) + h²/2 M^-1 G0ᵀ lambda,   g(q1) = 0
///     v1 = v0 + h ((1 - gamma) a0 + gamma a1) + h/2 M^-1 (G0ᵀ lambda + G1ᵀ mu),   G1 v1 = 0
/// Constraints act in q0 and q1 as in RATTLE, not as an index-3 equation at the end of the step, whose multipliers grow without bound.
/// Implicit in V and stable as Newmark's method is: for stiff solids with rigid links. Order 2 and reversible with gamma = 1/2; above,
/// order 1, and what oscillates faster than 1/h is damped as by Newmark's method. state.a is a. Errors: ComputationError if Newton does not
/// converge.
class ConstrainedNewmark : public Integrator
{
public:
  bool carries_acceleration() const override { return false; }  // without the forces of the constraints
  void declare(Parameters &p) override
  {
    p.add("beta", beta, "weight of the new acceleration in q1 [-]; 1/4 or more: linear modes are stable at any h", {0., 1., true, false});
    p.add("gamma", gamma, "weight of the new acceleration in v1 [-]; above 1/2, with beta = (gamma + 1/2)^2/4 at least, damps fast modes",
          between(0.5, 1.));
  }
  bool keeps_constraints() const override { return true; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_constraints(system, p, "newmark-constrained", "newmark");
    if (gamma > 0.5 && system.has(Feature::damping))
      p.fail("gamma", "is for systems without damping: both together are not right. Set gamma = 0.5, or remove the damping");
    if (const double least = 0.25 * std::pow(gamma + 0.5, 2); gamma > 0.5 && beta < least * (1. - 1e-9))
      p.fail("gamma", fmt::format("damps at any h with beta >= (gamma + 1/2)^2/4. Set beta = {:.6g} or more", least));
    if (beta != 0.25 && system.has(Feature::damping))
      p.fail("beta", "with damping the step takes v1 right for beta = 0.25 only. Set beta = 0.25, or remove the damping");
  }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.reversible = promise.energy_bounded = gamma == 0.5;
    promise.order = gamma == 0.5 ? 2 : 1;
    if (beta < 0.25)
      promise.stable_h_omega = 2. / std::sqrt(1. - 4. * beta);
    return promise;
  }

  void start(const MechanicalSystem &system, State &state, double) const override { free_motion(system, state); }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h, c = beta * h * h;
    Vector q1 = state.q, v1 = state.v;
    q1.add(h, state.v, (0.5 - beta) * h * h, state.a);
    v1.add((1. - gamma) * h, state.a);
    const std::vector<Balance::Point> points{{1., t1, q1, v1, c, gamma * h, nullptr}};
    Vector x = prescribed_acceleration(system, t1, q1, c), a1, v_end = v1;
    const NewtonReport report = system.nodal_constraints() ? move_by_nodes(system, state, points, step_name(state, t1), x, a1)
                                                           : move(system, state, points, step_name(state, t1), x, a1);
    q1.add(c, x);
    q1.update_ghost_values();
    // x holds the constraints' part of q1; of v1 it is 2 beta of it.
    x -= a1;
    v_end.add(gamma * h, a1, h * beta, x);
    v_end.update_ghost_values();
    State end = state;
    end.t = t1;
    end.q = q1;
    end.v = v_end;
    Vector unused = a1;
    system.impose(t1, end.q, end.v, unused);
    end.v.update_ghost_values();
    project_rates(system, end);
    accept(state, h, q1, end.v, a1);
    return {report.iterations, report.krylov, report.kept()};
  }

private:
  /// x = a1 + M^-1 G0ᵀ lambda, half of lambda over beta.
  NewtonReport move(const MechanicalSystem &system, const State &state, const std::vector<Balance::Point> &points, const std::string &name,
                    Vector &x, Vector &a1) const
  {
    step_equation.from = &state.q;
    step_equation.balance.points = points;
    std::vector<double> lambda(system.constraints()->size(), 0.);
    const NewtonReport report = step_equation.solve(system, *newton, name, x, lambda);
    Multipliers multipliers(system);
    MultiplierSearch at_start(multipliers, state.q);
    a1 = x;
    multipliers.add(-1., lambda, a1);
    return report;
  }
  NewtonReport move_by_nodes(const MechanicalSystem &system, const State &state, const std::vector<Balance::Point> &points,
                             const std::string &name, Vector &x, Vector &a1) const
  {
    NodalBalance step;
    step.from = &state.q;
    step.balance.points = points;
    // Begins at q0 + h v0: a0 lacks the forces of the constraints, and leads far from them.
    Vector back = state.a;
    system.project(back);
    x.add(1. - 0.5 / beta, back);
    x.update_ghost_values();
    const NewtonReport report = system.constraints() ? move_by_both(system, state, points, name, x) : step.solve(system, *newton, name, x);
    a1 = x;
    a1 -= step.reaction(system, x);
    return report;
  }

  NewtonReport move_by_both(const MechanicalSystem &system, const State &state, const std::vector<Balance::Point> &points,
                            const std::string &name, Vector &x) const
  {
    step_equation.from = &state.q;
    step_equation.balance.points = points;
    std::vector<double> lambda(system.constraints()->size(), 0.);
    return step_equation.solve(system, *newton, name, x, lambda);
  }

  double beta = 0.25, gamma = 0.5;
  mutable ConstrainedBalance step_equation;
};

SYMDYN_REGISTER(Integrator, GonzalezConstrained, "gonzalez-constrained");
SYMDYN_REGISTER(Integrator, ConstrainedNewmark, "newmark-constrained");
}  // namespace
}  // namespace symdyn
