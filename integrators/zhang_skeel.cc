#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/equations/balance.h"
#include "integrators/verlet.h"
#include "solver/error.h"
#include "solver/fourth_derivative.h"
#include "solver/kicking.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
namespace
{
/// rho = c²/2 |M^-1 V'''aa| / |a|: measured runs are lost at 0.1 to 0.3, and are safe below this.
constexpr double largest_correction = 0.03;
/// Relative tolerances of the solve with M.
constexpr double tightest = 1e-14, loosest = 1e-3;

/// V'''[a, b] at x
Vector mixed_third_derivative(const MechanicalSystem &system, const Vector &x, const Vector &a, const Vector &b, const Part part)
{
  Vector r = system.new_vector();
  const double size_a = a.l2_norm(), size_b = b.l2_norm();
  if (size_a == 0. || size_b == 0.)
    return r;
  const double s = size_a / size_b;
  Vector sum = a, minus = system.new_vector();
  sum.add(s, b);
  sum.update_ghost_values();
  system.third_derivative(x, sum, r, part);
  sum.add(-2. * s, b);
  sum.update_ghost_values();
  system.third_derivative(x, sum, minus, part);
  r.sadd(0.25 / s, -0.25 / s, minus);
  return r;
}
}  // namespace

/// Zhang-Skeel (Zhang, Skeel 1997, sect. 3; Tao, Owhadi 2015, Integrator 1.1): velocity Verlet in x with the kick f, c = beta h²,
///     (M + c V''(x)) a = f(t, x, v) - V'(x),   f = a - c²/2 M^-1 V'''(x)[a, a]      [m/s²]
///     x1 = x0 + h v0 + h²/2 f0,   v1 = v0 + h/2 (f0 + f1)
/// One linear solve a step and no Newton. f = -M^-1 U' with U = V - c/2 V'·(M + c V'')^-1 V', so the step is Verlet's of U: order
/// 2, symplectic in (q, M v), reversible, keeps the momenta. Linear modes as Newmark's: stable iff (h omega)² (1 - 4 beta) < 4; on
/// curved stiff motions the third-derivative term grows like omega² h⁴ v⁴ and the run is lost where it reaches a tenth of a: the
/// step warns at rho > 0.03, and where M + c V'' is seen to be indefinite. state.a is f. Undamped systems only. The two relatives
/// below leave the third-derivative term out. Errors: ComputationError of the linear solver.
///
/// A part V_c of V whose V'' has jumps (Kicking) stands beside it: f - M^-1 V_c'(x), Verlet's of U + V_c, with the same properties where
/// h omega_max <= 2 of the rest of V; start() refuses larger steps (InputError).
class ZhangSkeel : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("beta", beta, "of the implicit part, c = beta h² [-]; 0: Stoermer-Verlet, 1/4 or more: linear modes are stable at any h",
          between(0., 1.));
    p.add(
        "Solve tolerance", solve_tolerance,
        "of iterative linear solves, |r - A a| <= tolerance |r| [-]; a step changes the symplectic form and the momenta by about this times h |a|",
        {0., 1e-4, true, false});
  }
  bool is_explicit() const override { return beta == 0.; }
  bool carries_acceleration() const override { return beta == 0.; }

  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    require_undamped(system, p, "Zhang-Skeel", "newmark or lagrange-dalembert");
    if (is_explicit())
      require_explicit(system, p, "beta", "beta = 0");
  }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.symplectic = promise.angular_momentum = Where::in_qv;
    promise.reversible = promise.energy_bounded = true;
    if (beta < 0.25)
      promise.stable_h_omega = 2. / std::sqrt(1. - 4. * beta);
    return promise;
  }

  double solver_tolerance() const override { return solve_tolerance; }
  void start(const MechanicalSystem &system, State &state, const double h) const override
  {
    check_kicks(system, state, h);
    state.a = 0.;
    system.impose(state.t, state.q, state.v, state.a);
    system.project_prescribed(state.a);
    state.a.update_ghost_values();
    kick(system, state.t, state.q, state.v, h, state.a);
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    Drift next = drift(system, state, h);
    StepReport report = kick(system, next.t, next.x, next.v, h, next.f);
    next.v.add(0.5 * h, next.f);
    accept(state, h, next.x, next.v, next.f);
    return report;
  }

  void start_tangent(const MechanicalSystem &system, const State &started, const double h, State &delta) const override
  {
    differentiate_kicks(system, started, h, delta);
  }

  void step_tangent(const MechanicalSystem &system, const State &, const State &after, const double h, State &delta) const override
  {
    drift_tangent(h, delta);
    differentiate_kicks(system, after, h, delta);
    kick_tangent(h, delta);
  }

  /// Of L_d = h/2 |d|²_M - h U(x0); U = V + c/2 V'·a. NaN for the relatives, which have no U.
  double discrete_energy(const MechanicalSystem &system, const State &before, const State &after, const double h) const override
  {
    if (!corrected)
      return Integrator::discrete_energy(system, before, after, h);
    Vector r = system.new_vector(), a = r;
    smooth_part(system).internal_force(before.q, r);
    system.project(r);
    smooth_part(system).factor(M + beta * h * h * K, before.t, before.q, before.v)->solve(r, a, solve_tolerance);
    return drift_energy(system, before, h) + system.potential(before.q) - 0.5 * beta * h * h * (r * a);
  }

protected:
  double beta = 0.25, solve_tolerance = 1e-12;
  Part part = Part::all;
  bool corrected = true;

private:
  /// r = f - V' - (M + c V'') a, `a` the prescribed components
  Vector right_side(const MechanicalSystem &system, const double t, const Vector &x, const Vector &v, const double c, const Vector &a,
                    StepReport &report) const
  {
    Vector r = system.new_vector(), f = system.new_vector();
    system.applied_force(t, x, v, r);
    report.force = system.internal_force(x, f);
    r -= f;
    if (system.has(Feature::supports) && a.linfty_norm() > 0.)
    {
      system.mass(a, f);
      r -= f;
      system.stiffness(x, a, f, part);
      r.add(-c, f);
    }
    system.project(r);
    return r;
  }

  std::shared_ptr<const LinearSolve> factor(const MechanicalSystem &system, const double t, const Vector &x, const Vector &v,
                                            const double c) const
  {
    return system.factor(Linearisation{{M + c * K, t, &x, &v, nullptr, part}});
  }

  static const MechanicalSystem &smooth_part(const MechanicalSystem &system)
  {
    const Kicking *kicks = kicking(system);
    return kicks ? kicks->smooth() : system;
  }

  void check_kicks(const MechanicalSystem &system, const State &state, const double h) const
  {
    if (!kicking(system))
      return;
    if (const double most = kicking(system)->longest_step(state.t, state.q); std::abs(h) > most)
      throw InputError(
          fmt::format("Time step = {:g}: Zhang-Skeel schemes take boundaries that touch each other by kicks, and these ask for steps of at "
                      "most 2/omega_max = {:.3g} s. Lower \"Time step\", or use Scheme = newmark",
                      std::abs(h), most));
  }

  /// f at x; it brings the prescribed components.
  StepReport kick(const MechanicalSystem &system, const double t, const Vector &x, const Vector &v, const double h, Vector &f) const
  {
    StepReport report = smooth_kick(smooth_part(system), t, x, v, h, f);
    const Kicking *kicks = kicking(system);
    if (!kicks)
      return report;
    Vector r = system.new_vector(), a = r;
    const ForceReport found = kicks->kick(x, r);
    report.force->smallest = std::min(report.force->smallest, found.smallest);
    system.project(r);
    system.mass_solve(r, a);
    f -= a;
    f.update_ghost_values();
    return report;
  }

  StepReport smooth_kick(const MechanicalSystem &system, const double t, const Vector &x, const Vector &v, const double h, Vector &f) const
  {
    const double c = beta * h * h;
    StepReport report;
    const Vector r = right_side(system, t, x, v, c, f, report);
    Vector a = system.new_vector();
    if (c == 0.)
    {
      system.mass_solve(r, a);
      f += a;
      return report;
    }
    report.krylov = factor(system, t, x, v, c)->solve(r, a, solve_tolerance);
    if (a * r < 0.)
      report.warning =
          "M + beta h² K is not positive definite, the body is close to buckling for this scheme. Lower \"Time step\", or use newmark";
    f += a;
    f.update_ghost_values();
    if (corrected && !system.has(Feature::linear))
      correct(system, x, c, report.krylov > 0 ? solve_tolerance * r.l2_norm() : 0., f, report);
    return report;
  }

  /// f -= c²/2 M^-1 V'''[f, f], as accurate as the first solve: with a residual of the size of its own, `residual` [N] (0: of a direct
  /// solve).
  void correct(const MechanicalSystem &system, const Vector &x, const double c, const double residual, Vector &f, StepReport &report) const
  {
    Vector r = system.new_vector(), correction = r;
    system.third_derivative(x, f, r);
    r *= 0.5 * c * c;
    const double size = r.l2_norm();
    system.mass_solve(r, correction, size > 0. ? std::min(std::max(residual / size, tightest), loosest) : tightest);
    const double rho = correction.l2_norm() / std::max(f.l2_norm(), std::numeric_limits<double>::min());
    if (rho > largest_correction && report.warning.empty())
      report.warning = fmt::format(
          "Zhang-Skeel leaves its range: the third-derivative term is {:.2g} of the acceleration, more than {:g}, "
          "and runs are lost where it reaches 0.1. Lower \"Time step\", or use zhang-skeel-simplified or newmark",
          rho, largest_correction);
    f -= correction;
    f.update_ghost_values();
  }

  void differentiate_kicks(const MechanicalSystem &system, const State &at, const double h, State &delta) const
  {
    const MechanicalSystem &smooth = smooth_part(system);
    differentiate_kick(smooth, at, h, delta);
    if (&smooth == &system)
      return;
    Vector r = system.new_vector(), of_smooth = r;
    system.stiffness(at.q, delta.q, r);
    smooth.stiffness(at.q, delta.q, of_smooth);
    r -= of_smooth;
    system.project(r);
    system.mass_solve(r, of_smooth);
    delta.a -= of_smooth;
    delta.a.update_ghost_values();
  }

  /// delta.a = df along delta.q: exact, but for the fourth derivative of V, which is a difference of third ones.
  void differentiate_kick(const MechanicalSystem &system, const State &at, const double h, State &delta) const
  {
    const double c = beta * h * h, tight = 1e-14;
    Vector f = at.a, a = system.new_vector(), r = a;
    system.project_prescribed(f);
    f.update_ghost_values();
    const auto A = factor(system, at.t, at.q, at.v, c);
    StepReport unused;
    A->solve(right_side(system, at.t, at.q, at.v, c, f, unused), a, tight);
    a += f;
    a.update_ghost_values();
    system.stiffness(at.q, delta.q, r);
    r.add(c, mixed_third_derivative(system, at.q, a, delta.q, part));
    r *= -1.;
    system.project(r);
    delta.a = system.new_vector();
    A->solve(r, delta.a, tight);
    delta.a.update_ghost_values();
    if (!corrected || system.has(Feature::linear) || c == 0.)
      return;
    r = mixed_third_derivative(system, at.q, a, delta.a, part);
    r *= 2.;
    r += fourth_derivative(system, at.q, a, delta.q, std::abs(h) * at.v.l2_norm() + h * h * a.l2_norm());
    Vector correction = system.new_vector();
    system.mass_solve(r, correction);
    delta.a.add(-0.5 * c * c, correction);
    delta.a.update_ghost_values();
  }
};

/// f = a, without the third-derivative term (Tao, Owhadi 2015, Integrator 2.3). Order 2, reversible; the symplectic form changes by
/// O(h⁵) a step, and the angular momentum too: the torque c² sum (V''a) x a is what the term cancels. Symplectic on linear systems.
class ZhangSkeelSimplified : public ZhangSkeel
{
public:
  ZhangSkeelSimplified() { corrected = false; }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise = ZhangSkeel::promise(system);
    if (beta != 0.)
    {
      promise.symplectic = system.has(Feature::linear) ? Where::in_qv : Where::nowhere;
      promise.angular_momentum = Where::nowhere;
      promise.energy_bounded = system.has(Feature::linear);
    }
    return promise;
  }
};

/// The simplified scheme with V'' of the stiff part alone in the solve (Tao, Owhadi 2015, Integrator 2.6). Order 2, reversible, keeps the
/// linear momentum; the symplectic form changes by O(h³) a step, even on linear systems. Linear, K = K0 + K1 (K1 stiff): stable
/// iff K0 + (1 - 4 beta) K1 < 4 M/h². The limit promised is that of the stiff modes; the others need h omega < 2.
class ZhangSkeelStiff : public ZhangSkeelSimplified
{
public:
  ZhangSkeelStiff()
  {
    part = Part::stiff;
    beta = 0.4;
  }

  void check(const MechanicalSystem &system, const Parameters &p) const override
  {
    ZhangSkeel::check(system, p);
    if (!system.has(Feature::stiff_part))
      refuse_scheme(
          p,
          "zhang-skeel-stiff solves with the part of V that the deck marks stiff, and none is. Set Stiff = yes in Constraints or "
          "in a section of Materials or of bars, springs and potentials, or use Scheme = zhang-skeel-simplified, which takes all of V");
  }

  Promise promise(const MechanicalSystem &system) const override
  {
    Promise promise = ZhangSkeelSimplified::promise(system);
    if (beta != 0.)
    {
      promise.symplectic = Where::nowhere;
      promise.energy_bounded = false;
    }
    return promise;
  }
};

SYMDYN_REGISTER(Integrator, ZhangSkeel, "zhang-skeel");
SYMDYN_REGISTER(Integrator, ZhangSkeelSimplified, "zhang-skeel-simplified");
SYMDYN_REGISTER(Integrator, ZhangSkeelStiff, "zhang-skeel-stiff");
}  // namespace symdyn
