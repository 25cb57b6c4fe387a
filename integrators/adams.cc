#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/integrator.h"
#include "solver/ode.h"
#include "solver/parameters.h"
#include "solver/registry.h"

namespace symdyn
{
/// An oracle, not a method of mechanics: q' = v, v' = M^-1 (f_applied - f_int - f_damp) by the Adams-Moulton method of variable
/// order and step (Brown, Byrne, Hindmarsh 1989; SUNDIALS CVODE), started again in each output step, to about 1e-13 relative (tolerances of
/// 1e-14: 10000 restarts add up). What the benchmark of Kane et al. (1999, sect. 4.2) is made of. The output step h has no influence on the
/// error, so that it has no order in h: the promise says 0, not measured. Keeps nothing but what small errors keep. Many evaluations a
/// step; not for stiff systems. Constraints: by the multipliers of the equation of motion, at each evaluation. The report counts internal
/// steps as linear iterations. Prescribed motion is followed within the steps.
class Adams : public Integrator
{
public:
  void declare(Parameters &p) override
  {
    p.add("Relative tolerance", relative, "of the local error of each component [-]", {1e-15, 1e-3, false, false});
    p.add("Absolute tolerance", absolute, "the same, relative to the largest component of q and of v at the start of the step [-]",
          {0., 1e-3, true, false});
  }
  std::optional<double> law_point() const override { return std::nullopt; }
  void check(const MechanicalSystem &, const Parameters &) const override {}
  double solver_tolerance() const override { return 0.; }
  bool keeps_constraints() const override { return true; }

  Promise promise(const MechanicalSystem &) const override
  {
    Promise promise;
    promise.order = 0;
    return promise;
  }

  StepReport step(const MechanicalSystem &system, State &state, const double h) const override
  {
    State end = state;
    OdeProblem problem;
    problem.relative_tolerance = relative;
    const auto [q, v] = scales(system, state, h);
    problem.absolute_q = absolute * q;
    problem.absolute_v = absolute * v;
    problem.acceleration = [&](const double t, Vector &q_here, Vector &v_here, Vector &a_here) {
      State here;
      here.t = t;
      here.q.swap(q_here);
      here.v.swap(v_here);
      here.a.swap(a_here);
      Integrator::start(system, here, h);
      here.q.swap(q_here);
      here.v.swap(v_here);
      here.a.swap(a_here);
    };
    const long steps = integrate_by_adams(problem, state.t, state.t + h, end.q, end.v);
    end.t = state.t + h;
    Integrator::start(system, end, h);
    accept(state, h, end.q, end.v, end.a);
    return {0, int(steps)};
  }

private:
  /// What is large in the step, of q and of v. Each may be zero at the start: the undeformed body, rest, a load that only begins.
  std::pair<double, double> scales(const MechanicalSystem &system, const State &state, const double h) const
  {
    const double length = std::abs(h);
    double v = std::max(state.v.linfty_norm(), length * state.a.linfty_norm());
    double q = std::max(state.q.linfty_norm(), length * v);
    if (q == 0.)
    {
      State later = state;
      later.t += 0.5 * h;
      Integrator::start(system, later, h);
      v = std::max({later.v.linfty_norm(), length * later.a.linfty_norm(), std::numeric_limits<double>::min()});
      q = length * v;
    }
    return {q, std::max(v, q / length)};
  }

  double relative = 1e-14, absolute = 1e-16;
};

SYMDYN_REGISTER(Integrator, Adams, "adams");
}  // namespace symdyn
