#include <fmt/format.h>

#include <cmath>

#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Newmark's scheme (Newmark 1959, eqs. 1-2) in acceleration form:
///     M a1 + C v1 + f_int(q1) = f(t1, q1, v1)
///     q1 = q0 + h v0 + h² ((1/2 - beta) a0 + beta a1)      [m]
///     v1 = v0 + h ((1 - gamma) a0 + gamma a1)              [m/s]
/// Order 2 iff gamma = 1/2; gamma > 1/2 damps, gamma < 1/2 grows. Linear undamped modes: unconditionally stable for
/// beta >= gamma/2 >= 1/4, for gamma = 1/2 stable iff (h omega)² (1 - 4 beta) < 4 (Hughes 1987, 9.1.3).
/// Prescribed q1 is exact; there a1 and v1 follow from the two formulas, so that the energy identity of the scheme holds
/// on every degree of freedom. beta = 0: no Newton; one solve with M (+ gamma h C), and prescribed a1 is the one that
/// leads to the prescribed q2. Errors: ComputationError if Newton does not converge or a value is not finite.
class Newmark : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("beta", beta, "weight of the new acceleration in q1 [-]; 0: explicit, 1/4: average acceleration",
          between(0., 1.));
    p.add("gamma", gamma, "weight of the new acceleration in v1 [-]; 1/2: second order, larger: damps", between(0., 1.));
  }

  bool is_explicit() const override { return beta == 0.; }

  double stable_h_omega() const override
  {
    // Hughes (1987), 9.1.19: Omega_crit = (gamma/2 - beta)^(-1/2), undamped; below gamma = 1/2 every mode grows.
    return 2. * beta >= gamma ? std::numeric_limits<double>::infinity() : 1. / std::sqrt(gamma / 2. - beta);
  }

  bool conserves_on_linear() const override { return gamma == 0.5; }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    if (gamma < 0.5)
      p.fail("gamma", "gamma < 1/2 lets every oscillation grow. Set gamma = 0.5 (or more, to damp)");
    if (is_explicit() && !system.has(Feature::diagonal_mass))
      p.fail("beta", "beta = 0 is explicit and needs a diagonal mass. Use --set \"Elements/Mass=lumped\", or set beta = 0.25");
    if (is_explicit() && system.has(Feature::stiffness_damping))
      p.fail("beta",
             "beta = 0 is explicit and cannot carry damping proportional to stiffness (M + gamma h C is not diagonal). Use "
             "--set \"Damping/Stiffness proportional=0\", or set beta = 0.25");
  }

  StepReport step(const MechanicalSystem &system, State &state, double h) const override
  {
    return is_explicit() ? explicit_step(system, state, h) : implicit_step(system, state, h);
  }

private:
  StepReport implicit_step(const MechanicalSystem &system, State &state, double h) const
  {
    const double t1 = state.t + h;
    const Vector &q0 = state.q, &v0 = state.v, &a0 = state.a;
    Vector q_predicted = q0, v_predicted = v0;
    q_predicted.add(h, v0, h * h * (0.5 - beta), a0);
    v_predicted.add(h * (1. - gamma), a0);

    Vector q1 = q_predicted, v1 = v_predicted, a1 = system.new_vector(), f = system.new_vector();
    // Newton starts from a1 = 0: smooth modes would rather have a0, but modes with h omega >> 1 change their sign each step
    // and a0 leads far astray. The prescribed a1 follows from the prescribed q1; Newton leaves it alone.
    system.impose(t1, q1, v1, a1);
    a1 = q1;
    a1.add(-1., q_predicted);
    a1 *= 1. / (beta * h * h);
    system.project_prescribed(a1);
    const auto follow = [&](const Vector &a) {  // q1 and v1 that belong to a1
      q1 = q_predicted;
      q1.add(beta * h * h, a);
      v1 = v_predicted;
      v1.add(gamma * h, a);
      q1.update_ghost_values();
      v1.update_ghost_values();
    };

    NewtonProblem problem;
    problem.name = fmt::format("step {}, t = {:.6g} s", state.n + 1, t1);
    problem.linear = system.has(Feature::linear);
    problem.residual = [&](const Vector &a, Vector &r) {
      follow(a);
      system.mass(a, r);
      system.internal_force(q1, f);
      r += f;
      system.damping_force(q1, v1, f);
      r += f;
      system.applied_force(t1, q1, v1, f);
      r -= f;
      system.project(r);
    };
    problem.linearise = [&](const Vector &) { return system.factor(M + gamma * h * C + beta * h * h * K, t1, q1, v1); };
    problem.rounding = [&](const Vector &) { return system.rounding(q1); };
    problem.admissible = [&] { return system.admissible(); };
    problem.diagnose = [&](const Vector &) { return system.diagnose(q1); };

    const NewtonReport report = newton->solve(problem, a1);
    follow(a1);
    accept(state, h, q1, v1, a1);
    return {report.iterations, report.krylov};
  }

  StepReport explicit_step(const MechanicalSystem &system, State &state, double h) const
  {
    const double t1 = state.t + h;
    Vector q1 = state.q, v1 = state.v, a1 = state.a, r = system.new_vector(), f = system.new_vector();
    q1.add(h, state.v, 0.5 * h * h, state.a);
    v1.add(h * (1. - gamma), state.a);
    Vector scratch = v1, q2 = q1;
    system.impose(t1, q1, scratch, scratch);
    q1.update_ghost_values();

    // Prescribed: q2 = q1 + h v1 + h²/2 a1 with v1 = v_predicted + gamma h a1.
    system.impose(t1 + h, q2, scratch, scratch);
    a1 = q2;
    a1 -= q1;
    a1.add(-h, v1);
    a1 *= 1. / (h * h * (0.5 + gamma));
    system.project_prescribed(a1);

    system.applied_force(t1, q1, v1, r);
    system.internal_force(q1, f);
    r -= f;
    Vector v_known = v1;
    v_known.add(gamma * h, a1);
    system.damping_force(q1, v_known, f);
    r -= f;
    StepReport report;
    Vector a_free = system.new_vector();
    if (system.has(Feature::damping))
      report.krylov = system.factor(M + gamma * h * C, t1, q1, v1)->solve(r, a_free, 1e-14);
    else
      system.mass_solve(r, a_free);
    a1 += a_free;
    v1.add(gamma * h, a1);
    accept(state, h, q1, v1, a1);
    return report;
  }

  static void accept(State &state, double h, Vector &q1, Vector &v1, Vector &a1)
  {
    for (Vector *x : {&q1, &v1, &a1})
      x->update_ghost_values();
    state.q.swap(q1);
    state.v.swap(v1);
    state.a.swap(a1);
    state.t += h;
    ++state.n;
  }

  double beta = 0.25, gamma = 0.5;
};

SYMDYN_REGISTER(Integrator, Newmark, "newmark");
}  // namespace symdyn
