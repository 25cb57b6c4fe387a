#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/equations/balance.h"
#include "solver/dynamics/critical_step.h"
#include "solver/minimise.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Newmark as a minimisation (Kane, Marsden, Ortiz, West 1999, eqs. 3.18-3.23), with the dissipation function phi = R of the system:
///     q1 = argmin (1/2h²) |q1 - q_pre|²_M + beta [V(q1) + h phi(q_sigma, (q1 - q0)/h) - f(t1)·q1],   q_pre = q0 + h v0 + h² (½ - beta) a0
///     a1 = -M^-1 (dV/dq(q1) + dphi/dv((q1 - q0)/h) - f(t1)),   v1 = v0 + h ((1 - gamma) a0 + gamma a1)
/// Solved for x = a1, q1 = q_pre + beta h² x: the objective over beta² h² is ½ x·M x + (V + h phi - f·q1)/(beta h²), its gradient
/// the residual of Newmark [N]. A trust region finds a minimum where Newton on the residual fails or takes a saddle. beta = 0:
/// nothing to minimise, closed form. First order in the damping (the first a is the true one); without damping it is newmark.
/// q_sigma = (1 - sigma) q0 + sigma q1 matters only where phi depends on q. Prescribed q1 is exact, a1 and v1 follow from the
/// formulas. 2 beta < gamma: stable iff h² K + 2 h C < M/(gamma/2 - beta), C too because its velocity is that of the interval. Loads must
/// have a potential. Errors: ComputationError if TAO does not converge.
class IncrementalPotential : public Integrator, public StepBoundByDamping
{
public:
  void declare(Parameters &p) override
  {
    p.add("beta", beta, "weight of the new acceleration in q1 [-]; 0: explicit, 1/4: average acceleration", between(0., 1.));
    p.add("gamma", gamma, "weight of the new acceleration in v1 [-]; 1/2: second order without damping, larger: damps", between(0., 1.));
    p.add("sigma", sigma, "where between q0 and q1 a damping that depends on q is taken [-]; there only 0 is possible", between(0., 1.));
  }

  bool is_explicit() const override { return beta == 0.; }
  double suris_shift() const override { return beta; }
  bool carries_acceleration() const override { return false; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    if (gamma < 0.5)
      p.fail("gamma", "gamma < 1/2 lets every oscillation grow. Set gamma = 0.5 (or more, to damp)");
    require_potential_loads(system, p, "incremental-potential");
    if (sigma != 0. && system.has(Feature::nonlinear_damping))
      p.fail("sigma", "a damping that depends on q is taken at q0 only. Set sigma = 0");
    if (p.given("sigma") && !system.has(Feature::nonlinear_damping))
      p.fail("sigma", "has no effect: no damping of this deck depends on q. Remove the entry");
    if (is_explicit())
      require_explicit(system, p, "beta", "beta = 0");
  }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise;
    promise.order = gamma == 0.5 && !system.has(Feature::damping) ? 2 : 1;
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

  double stable_step(const double omega, const double mu) const override
  {
    return 2. * beta < gamma ? lagged_damping_step(1. / std::sqrt(gamma / 2. - beta), 1., omega, mu)
                             : std::numeric_limits<double>::infinity();
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h;
    Vector q1 = predictor(state, h), v1 = state.v, a1 = q1, scratch = v1, unused = v1;
    system.impose(t1, a1, scratch, unused);
    StepReport report;
    if (is_explicit())
      report.force = explicit_acceleration(system, state, h, q1, a1);
    else
    {
      a1 -= q1;
      a1 *= 1. / (beta * h * h);
      system.project_prescribed(a1);
      a1.update_ghost_values();
      const MinimiseReport minimised = Minimise().solve(problem(system, state, q1, h), a1);
      report = {minimised.iterations, minimised.krylov};
      q1.add(beta * h * h, a1);
    }
    v1.add(h * (1. - gamma), state.a, h * gamma, a1);
    accept(state, h, q1, v1, a1);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    if (system.has(Feature::nonlinear_damping))
      return Integrator::step_tangent(system, before, after, h, delta);
    Balance balance;
    balance.points = {{1., after.t, predictor(before, h), after.v, beta * h * h, beta * h}};
    Vector q = predictor(delta, h), d = q, a;
    d -= delta.q;
    d *= 1. / h;
    q.update_ghost_values();
    d.update_ghost_values();
    balance.linearised(system, after.a, {q}, {d}, Vector(), a);
    q.add(beta * h * h, a);
    delta.v.add(h * (1. - gamma), delta.a, h * gamma, a);
    delta.q = q;
    delta.a = a;
    delta.q.update_ghost_values();
    delta.v.update_ghost_values();
  }

private:
  /// q1 with a1 = 0
  Vector predictor(const State &state, const double h) const
  {
    Vector q = state.q;
    q.add(h, state.v, h * h * (0.5 - beta), state.a);
    return q;
  }

  struct Force
  {
    double size;  ///< |all of its parts|, for rounding
    ForceReport report;
  };
  /// f_int + f_damp((q1 - q0)/h) - f(t1)
  static Force force(const MechanicalSystem &system, const State &state, const Vector &q1, const double h, Vector &r)
  {
    Vector d = q1, f = system.new_vector();
    d -= state.q;
    d *= 1. / h;
    d.update_ghost_values();
    const ForceReport report = system.internal_force(q1, r);
    double size = r.l2_norm();
    system.damping_force(state.q, d, f);
    r += f;
    size += f.l2_norm();
    system.applied_force(state.t + h, q1, d, f);
    r -= f;
    return {size + f.l2_norm(), report};
  }

  /// The objective over beta² h² at x, where q = q_pre + beta h² x.
  double objective(const MechanicalSystem &system, const State &state, const Vector &load, const double h, const Vector &x,
                   const Vector &q) const
  {
    Vector d = q, Mx = system.new_vector();
    d -= state.q;
    const double work = load * d;
    d *= 1. / h;
    d.update_ghost_values();
    system.mass(x, Mx);
    const double value = 0.5 * (x * Mx) + (system.potential(q) + h * system.dissipation(state.q, d) - work) / (beta * h * h);
    return system.internal_force(q, Mx).admissible() ? value : std::numeric_limits<double>::infinity();
  }

  /// Hu of the objective over beta² h² at q.
  void multiply_hessian(const MechanicalSystem &system, const State &state, const double h, const Vector &q, const Vector &u,
                        Vector &Hu) const
  {
    const double b = beta * h * h;
    Vector f = system.new_vector();
    system.mass(u, Hu);
    system.stiffness(q, u, f);
    Hu.add(b, f);
    system.damping_force(state.q, u, f);
    Hu.add(b / h, f);
    system.project(Hu);
  }

  MinimiseProblem problem(const MechanicalSystem &system, const State &state, const Vector &q_pre, const double h) const
  {
    MinimiseProblem problem;
    const double b = beta * h * h;
    const auto at = [q_pre, b](const Vector &x) {
      Vector q = q_pre;
      q.add(b, x);
      q.update_ghost_values();
      return q;
    };
    Vector load = system.new_vector();
    system.applied_force(state.t + h, state.q, state.v, load);
    problem.name = step_name(state, state.t + h);
    problem.objective = [this, &system, &state, h, at, load](const Vector &x) { return objective(system, state, load, h, x, at(x)); };
    auto size = std::make_shared<double>(0.);
    problem.gradient = [&system, &state, h, at, size](const Vector &x, Vector &g) {
      Vector Mx = system.new_vector();
      *size = force(system, state, at(x), h, g).size;
      system.mass(x, Mx);
      *size += Mx.l2_norm();
      g += Mx;
      system.project(g);
    };
    problem.hessian = [this, &system, &state, h, at](const Vector &x, const Vector &u, Vector &Hu) {
      multiply_hessian(system, state, h, at(x), u, Hu);
    };
    problem.precondition = [&system](const Vector &r, Vector &z) { system.mass_solve(r, z); };
    const double epsilon = std::numeric_limits<double>::epsilon();
    problem.objective_rounding = std::max(potential_rounding(system), epsilon * std::abs(system.potential(state.q))) / b;
    problem.rounding = [size, epsilon](const Vector &) { return epsilon * *size; };
    return problem;
  }

  ForceReport explicit_acceleration(const MechanicalSystem &system, const State &state, const double h, Vector &q1, Vector &a1) const
  {
    const double t1 = state.t + h;
    Vector r = system.new_vector(), f = r, q2 = q1, v2 = state.v, a = r;
    system.impose(t1, q1, v2, a1);
    q1.update_ghost_values();
    // Prescribed: q2 = q1 + h v1 + ½ h² a1 with v1 = v0 + h ((1 - gamma) a0 + gamma a1), as in newmark.
    system.impose(t1 + h, q2, v2, a1);
    a1 = q2;
    a1 -= q1;
    a1.add(-h, state.v, -h * h * (1. - gamma), state.a);
    a1 *= 1. / (h * h * (0.5 + gamma));
    system.project_prescribed(a1);
    const ForceReport report = force(system, state, q1, h, r).report;
    r *= -1.;
    system.mass(a1, f);
    r -= f;
    system.project(r);
    system.mass_solve(r, a);
    a1 += a;
    return report;
  }

  double beta = 0.25, gamma = 0.5, sigma = 0;
};

SYMDYN_REGISTER(Integrator, IncrementalPotential, "incremental-potential");
}  // namespace symdyn
