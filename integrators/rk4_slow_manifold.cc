#include "solver/dynamics/slow_manifold.h"
#include "solver/integrator.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// The classical Runge-Kutta method with the projection P onto the slow manifold before each evaluation (Ariel, Sanz-Serna, Tsai 2012, eq.
/// 38), for z = (q, v), f(z) = (v, a):
///     Z1 = P(z0), Z2 = P(z0 + h/2 f(Z1)), Z3 = P(z0 + h/2 f(Z2)), Z4 = P(z0 + h f(Z3)),   z1 = Z1 + h/6 (f1 + 2 f2 + 2 f3 + f4)
/// The end is not projected; the next step does it. For the slow solution of a stiff system: h is that of the slow motion, a step costs
/// some hundred to a thousand evaluations of the force, however stiff the system is. Fourth order in h, down to the error of the
/// projections, 4/h of them a second and each O((L/omega)⁴) and the more the longer they iterate: the promise names no order. Keeps
/// nothing. The section holds the parameters of the projection. Errors: ComputationError of the projection.
class RungeKutta4SlowManifold : public Integrator
{
public:
  void declare(Parameters &p) override { manifold.declare(p); }
  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &system, const Parameters &p) const override { manifold.check(system, p); }
  bool is_explicit() const override { return true; }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 0;
    promise.linear_momentum = Where::nowhere;
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    StepReport report;
    State slope = projected(system, state, report), end = slope;
    end.q.add(h / 6., slope.v);
    end.v.add(h / 6., slope.a);
    for (const auto &[place, weight] : {std::pair{0.5, 1. / 3.}, {0.5, 1. / 3.}, {1., 1. / 6.}})
    {
      State next = state;
      next.t = state.t + place * h;
      next.q.add(place * h, slope.v);
      next.v.add(place * h, slope.a);
      slope = projected(system, next, report);
      end.q.add(h * weight, slope.v);
      end.v.add(h * weight, slope.a);
    }
    end.t = state.t + h;
    end.q.update_ghost_values();
    end.v.update_ghost_values();
    report.force = solve_motion(system, end);
    accept(state, h, end.q, end.v, end.a);
    return report;
  }

private:
  State projected(const MechanicalSystem &system, State state, StepReport &report) const
  {
    state.q.update_ghost_values();
    state.v.update_ghost_values();
    if (const SlowManifold::Report projection = manifold.project(system, state); !projection.converged && report.warning.empty())
      report.warning = "the projection onto the slow manifold has not converged, and its last iterate is taken: " + projection.text();
    return state;
  }

  SlowManifold manifold;
};

SYMDYN_REGISTER(Integrator, RungeKutta4SlowManifold, "rk4-slow-manifold");
}  // namespace symdyn
