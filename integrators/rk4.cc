#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "solver/dynamics/critical_step.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The classical Runge-Kutta method (Kutta 1901, p. 443) for q' = v, v' = a(t, q, v), M a = f_applied - f_int - f_damp:
///     k_i at t + c_i h from q + c_i h q'_(i-1), v + c_i h v'_(i-1), c = 0, 1/2, 1/2, 1; weights 1/6, 1/3, 1/3, 1/6
/// Order 4, damping included. It knows nothing of mechanics: it keeps linear momentum, and loses (below the frequencies it
/// resolves: damps) energy, angular momentum and the symplectic form. Undamped modes are stable for h omega <= 2 sqrt(2), others where the
/// stability function R(z) = 1 + z + z²/2 + z³/6 + z⁴/24 has |R(h lambda)| <= 1, lambda² + (c/m) lambda + k/m = 0. Needs one solve with M a
/// stage, no other: with a consistent mass as well. The stages take their prescribed motion from `impose`. For comparison, and where a few
/// steps must be accurate.
class RungeKutta4 : public Integrator, public StepBoundByDamping
{
public:
  void declare(Parameters &) override {}
  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &, const Parameters &) const override {}
  bool is_explicit() const override { return true; }
  bool keeps_constraints() const override { return true; }  // of the index-reduced equation, up to its errors

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 4;
    promise.stable_h_omega = std::sqrt(8.);
    return promise;
  }

  double stable_step(const double omega, const double mu) const override
  {
    constexpr int directions = 400;
    double h = reach(1.) / mu;  // overdamped: |lambda| <= c/m
    for (int i = 0; i < directions; ++i)
    {
      const double zeta = double(i) / directions,
                   largest = zeta == 0. ? omega : std::min(omega, mu / (2. * zeta));  // |lambda|² = k/m, c/m = 2 zeta |lambda|
      if (largest > 0.)
        h = std::min(h, reach(zeta) / largest);
    }
    return h;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    State end = state;
    const std::vector<State> at = stages(system, state, h);
    for (std::size_t i = 0; i < at.size(); ++i)
    {
      end.q.add(h * weight[i], at[i].v);
      end.v.add(h * weight[i], at[i].a);
    }
    end.t = state.t + h;
    StepReport report;
    report.force = solve_motion(system, end);
    accept(state, h, end.q, end.v, end.a);
    return report;
  }

  void step_tangent(const MechanicalSystem &system, const State &before, const State &after, const double h, State &delta) const override
  {
    State end = delta, slope = delta;
    const std::vector<State> at = stages(system, before, h);
    for (std::size_t i = 0; i < at.size(); ++i)
    {
      State here = delta;
      if (i > 0)
      {
        here.q.add(place[i] * h, slope.v);
        here.v.add(place[i] * h, slope.a);
        here.q.update_ghost_values();
        here.v.update_ghost_values();
        Integrator::start_tangent(system, at[i], h, here);
      }
      end.q.add(h * weight[i], here.v);
      end.v.add(h * weight[i], here.a);
      slope = here;
    }
    end.q.update_ghost_values();
    end.v.update_ghost_values();
    Integrator::start_tangent(system, after, h, end);
    delta = std::move(end);
  }

private:
  /// The largest |z| up to which |R(z)| <= 1 in the direction -zeta + i sqrt(1 - zeta²).
  static double reach(const double zeta)
  {
    constexpr double beyond = 4., rounding = 1e-12;
    constexpr int parts = 400, halvings = 50;
    const auto stable = [&](const double r) {
      const std::complex<double> z = r * std::complex<double>(-zeta, std::sqrt(1. - zeta * zeta));
      return std::abs(1. + z * (1. + z / 2. * (1. + z / 3. * (1. + z / 4.)))) <= 1. + rounding;
    };
    double inside = 0, outside = beyond;
    for (int i = 1; i <= parts && outside == beyond; ++i)
      (stable(beyond * i / parts) ? inside : outside) = beyond * i / parts;
    for (int i = 0; i < halvings; ++i)
    {
      const double middle = 0.5 * (inside + outside);
      (stable(middle) ? inside : outside) = middle;
    }
    return inside;
  }

  /// The four points (t, q, v) and their accelerations.
  std::vector<State> stages(const MechanicalSystem &system, const State &state, const double h) const
  {
    std::vector<State> at{state};
    for (std::size_t i = 1; i < place.size(); ++i)
    {
      State next = state;
      next.t = state.t + place[i] * h;
      next.q.add(place[i] * h, at.back().v);
      next.v.add(place[i] * h, at.back().a);
      next.q.update_ghost_values();
      next.v.update_ghost_values();
      Integrator::start(system, next, h);
      at.push_back(std::move(next));
    }
    return at;
  }

  static constexpr std::array<double, 4> place{0., 0.5, 0.5, 1.}, weight{1. / 6, 1. / 3, 1. / 3, 1. / 6};
};

SYMDYN_REGISTER(Integrator, RungeKutta4, "rk4");
}  // namespace symdyn
