#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/verify/verify.h"

// What a scheme promises of damped systems.
namespace symdyn
{
namespace
{
constexpr double rise_limit = 1e-10;        ///< of the energy in a step, relative
constexpr double significant_damping = 6.;  ///< standard errors of a slope
/// The rate of a mode omega differs from that of the damping by parts of (h omega)² for schemes of order 2, of h omega for those of order 1
/// (Newmark's R/(1 + beta h² omega²)), and the motion has h omega <= 0.2: 0.04 and 0.2, with a margin for motions that get faster.
constexpr double rate_limit_2 = 0.05, rate_limit_1 = 0.25;
}  // namespace

void SchemeCheck::run_damped(const Integrator &integrator)
{
  Trial damped = trial;
  damped.system = &subject.damped();
  damped.integrator = &integrator;
  damped.h = std::min(trial.h, subject.step_for(integrator, *damped.system));
  const Promise with_damping = integrator.promise(*damped.system);
  property("damping order", true, [&](Finding &finding) {
    if (with_damping.order == 0)
    {
      finding.promised = false;
      finding.reason = "no order in h: what its errors follow is noise, or tolerances of its own";
      return;
    }
    Trial without = trial;
    without.h = damped.h;
    judge_order(finding, measured_order(damped, with_damping.order, order_tolerance, subject.h, &without), with_damping.order, damped);
    finding.reason = "of what the damping changes: " + finding.reason;
  });
  MeasuredDissipation measured;
  property("damping monotone", with_damping.monotone_dissipation, [&](Finding &finding) {
    measured = measured_dissipation(damped);
    set(finding, measured.largest_rise, rise_limit, "largest rise of the energy in a step, relative");
  });
  property("damping rate", promise.energy_bounded || promise.energy,
           [&](Finding &finding) { damping_rate(finding, measured, with_damping.order); });
  equivalences(damped, true);
}

void SchemeCheck::damping_rate(Finding &finding, const MeasuredDissipation &measured, const int promised_order) const
{
  if (measured.work == 0.)
  {
    finding.reason = "the damping does no work here";
    return;
  }
  set(finding, std::abs(measured.rate_error), promised_order > 1 ? rate_limit_2 : rate_limit_1,
      fmt::format("loss of energy over the work of the damping less 1, {:.1f} standard errors", measured.significance));
  if (finding.verdict == Verdict::broken && measured.significance <= significant_damping)
  {
    finding.verdict = Verdict::not_applicable;
    finding.reason += ": the swing of the energy hides it";
  }
}
}  // namespace symdyn
