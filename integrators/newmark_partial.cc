#include <cmath>

#include "integrators/newmark.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// Newmark's scheme with gamma = 1/2 and exactly one Newton iteration (Tao, Owhadi 2015, sect. 2):
///     q_pre = q0 + h v0 + h² (1/2 - beta) a0,   z = q_pre or q0 (the guess)
///     (M + beta h² K(z)) (q1 - z) = -M (z - q_pre) - beta h² F(t1, z)
///     a1 = -M^-1 F(t1, q1),   v1 = v0 + h (a0 + a1)/2
/// F = f_int - f_applied. a1 belongs to the q1 that was reached, so that the residual of the iteration does not enter the next
/// step. Order 2, keeps linear momentum. Not symplectic: in x = q + beta h² M^-1 dV/dq its defect is of order h^6 a step, harmless on
/// mild problems, fatal on strongly nonlinear ones. On linear systems it is Newmark. Errors: ComputationError of the solver.
class NewmarkPartial : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("beta", beta, "weight of the new acceleration in q1 [-]", Range{0., 1., true, false});
    p.add("guess", guess, "where the iteration starts: predictor q0 + h v0 + h² (1/2 - beta) a0, or the previous q0",
          {"predictor", "previous"});
  }
  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_undamped(system, p, "newmark-partial", "Scheme = newmark");
  }
  double suris_shift() const override { return beta; }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise;
    if (beta < 0.25)
      promise.stable_h_omega = 2. / std::sqrt(1. - 4. * beta);
    if (system.has(Feature::linear))
    {
      promise.symplectic = Where::in_qv;
      promise.angular_momentum = Where::canonical_h;
      promise.reversible = promise.energy_bounded = true;
    }
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    const double t1 = state.t + h;
    auto [q_pre, v1] = newmark_predictor(state, h, beta, 0.5);
    Vector a1 = prescribed_acceleration(system, t1, h, beta, 0.5, q_pre, v1);
    Vector z = guessed(system, state, q_pre, t1), v = state.v, r = system.new_vector(), f = r, dz = z;
    v.add(h, state.a);  // for loads that depend on v
    v.update_ghost_values();
    force(system, t1, z, v, r);
    r *= -beta * h * h;
    dz -= q_pre;
    system.mass(dz, f);
    r -= f;
    system.project(r);
    dz = 0.;
    const auto linear = system.factor(M + beta * h * h * K, t1, z, v);
    StepReport report;
    report.newton = 1;
    report.krylov = linear->solve(r, dz, linear->tolerance());

    Vector a_free = system.new_vector(), &q1 = z;
    q1 += dz;
    q1.update_ghost_values();
    report.force = force(system, t1, q1, v, r);
    system.mass(a1, f);
    r += f;
    r *= -1.;
    system.mass_solve(r, a_free);
    a1 += a_free;
    v1.add(0.5 * h, a1);
    accept(state, h, q1, v1, a1);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    const Vector z = guessed(system, before, newmark_predictor(before, h, beta, 0.5).first, after.t),
                 delta_pre = newmark_predictor(delta, h, beta, 0.5).first;
    Vector delta_z = guess == "predictor" ? delta_pre : delta.q, iteration = after.q;
    iteration -= z;
    iteration.update_ghost_values();
    delta_z.update_ghost_values();
    Vector r = system.new_vector(), f = r, difference = delta_pre;
    system.stiffness(z, delta_z, r);
    add_mixed_third_derivative(system, z, iteration, delta_z, r);
    r *= -beta * h * h;
    difference -= delta_z;
    system.mass(difference, f);
    r += f;
    system.project(r);
    Vector q = system.new_vector();
    system.factor(M + beta * h * h * K, after.t, z, after.v)->solve(r, q, 1e-14);
    q += delta_z;
    system.project(q);
    q.update_ghost_values();

    system.stiffness(after.q, q, r);
    r *= -1.;
    Vector a = system.new_vector();
    system.mass_solve(r, a);
    delta.v.add(0.5 * h, delta.a, 0.5 * h, a);
    delta.q.swap(q);
    delta.a.swap(a);
    delta.v.update_ghost_values();
    delta.a.update_ghost_values();
  }

private:
  /// Where the iteration starts, with the prescribed q1
  Vector guessed(const MechanicalSystem &system, const State &state, const Vector &q_pre, const double t1) const
  {
    Vector z = guess == "predictor" ? q_pre : state.q, scratch = z, unused = z;
    system.impose(t1, z, scratch, unused);
    z.update_ghost_values();
    return z;
  }
  /// r = f_int(q) - f_applied(t, q, v)
  static ForceReport force(const MechanicalSystem &system, const double t, const Vector &q, const Vector &v, Vector &r)
  {
    Vector f = system.new_vector();
    system.applied_force(t, q, v, f);
    const ForceReport report = system.internal_force(q, r);
    r -= f;
    return report;
  }
  /// r_i += V'''_ijk a_j b_k = (T(a + b) - T(a - b))/4, T(a)_i = V'''_ijk a_j a_k; a is brought to the size of b against cancellation
  static void add_mixed_third_derivative(const MechanicalSystem &system, const Vector &q, const Vector &a, const Vector &b, Vector &r)
  {
    const double size_a = a.l2_norm(), size_b = b.l2_norm();
    if (size_a == 0. || size_b == 0.)
      return;
    Vector T = system.new_vector();
    for (const double sign : {1., -1.})
    {
      Vector c = a;
      c.sadd(size_b / size_a, sign, b);
      c.update_ghost_values();
      system.third_derivative(q, c, T);
      r.add(0.25 * sign * size_a / size_b, T);
    }
  }

  double beta = 0.25;
  std::string guess = "predictor";
};

SYMDYN_REGISTER(Integrator, NewmarkPartial, "newmark-partial");
}  // namespace symdyn
