#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/dynamics/critical_step.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/motion.h"

// The time step of a stage: critical, automatic, of a checkpoint.
namespace symdyn
{
namespace
{
double critical_step_of(const Integrator &integrator, const Analysis &analysis, Vector *const mode = nullptr)
{
  const ScopedTimer timer("critical step");
  return critical_step(integrator, analysis.system(), analysis.state, mode);
}

/// S/sqrt(omega² + impact²) of a critical step S/omega: contacts that are open make the body stiffer when they close.
double beside_contacts(const Integrator &integrator, const Analysis &analysis, const double critical)
{
  const double omega = integrator.promise(analysis.system()).stable_h_omega / critical;
  return critical / std::hypot(1., analysis.system().diagnosis().impact_frequency() / omega);
}
}  // namespace

void Motion::warn_of_loose_newton(const Analysis &analysis) const
{
  constexpr double tight_enough = 1e-8;
  const Promise promise = time.integrator->promise(analysis.system());
  const bool keeps = promise.symplectic != Where::nowhere || promise.energy || promise.angular_momentum != Where::nowhere;
  if (const double tolerance = time.integrator->solver_tolerance(); keeps && tolerance > tight_enough)
    log_warning(fmt::format(
        "the equations of a step are solved to {0:g}: {1} then keeps its structure (symplectic form, momenta, energy) to about {0:g} "
        "a step only. Tighten {2} to 1e-10",
        tolerance, time.scheme, tolerance == analysis.newton.tolerance ? "Newton/Tolerance" : "\"Solve tolerance\" of the scheme"));
}

void Motion::warn_if_unstable_later(Analysis &analysis)
{
  if (time.step == 0. || entries.allow_unstable || !std::isfinite(time.integrator->promise(analysis.system()).stable_h_omega))
    return;
  const double now = critical_step_of(*time.integrator, analysis);
  if (time.step <= now)
    return;
  if (analysis.system().has(Feature::linear) && !analysis.supports.change())
    fix_step(analysis);
  log_warning(fmt::format(
      "{}: the critical step of {} is {:.6g}{} at the start of the run; unless the stages before or other supports raise it, {:g} will be refused",
      entries.where_step, time.scheme, now, Units::after(analysis.units.time), time.step));
}

void Motion::fix_step(Analysis &analysis)
{
  analysis.highest_mode = Vector();
  const bool automatic = time.step == 0.;
  const std::string unit = Units::after(analysis.units.time);
  if (!std::isfinite(time.integrator->promise(analysis.system()).stable_h_omega))
  {
    if (automatic)
      throw InputError(entries.where_step + ": `auto` is for explicit schemes; this one has no critical step. Give the step in seconds");
    if (entries.allow_unstable)
      throw InputError(entries.where_step + ": \"Allow unstable step\" has no effect: this scheme has no critical step. Remove it");
    return;
  }
  const double critical = analysis.critical = critical_step_of(*time.integrator, analysis, &analysis.highest_mode);
  if (automatic && !std::isfinite(critical))
    throw InputError(entries.where_step +
                     ": `auto` needs a frequency, and nothing vibrates here (V'' = 0 at the start). Give the step in seconds");
  const double limit = automatic ? beside_contacts(*time.integrator, analysis, critical) : critical;
  const double longest = entries.at_most > 0. ? std::min(0.9 * limit, entries.at_most) : 0.9 * limit;
  const double safe = (time.end - time.start) / std::ceil((time.end - time.start) / longest * (1. - 1e-12));  // divides the stage
  if (automatic && longest < entries.at_least * (1. - 1e-9))
    throw InputError(fmt::format(
        "{}: `auto` is {:.6g}{}, shorter than \"Automatic step at least\" = {:g}. CalculiX would scale the masses of small cells up to that step; symdyn scales "
        "no masses. Remove the bound (of *DYNAMIC, EXPLICIT: the third number), or enlarge the smallest cells",
        entries.where_step, longest, unit, entries.at_least));
  if (automatic)
  {
    time.step = safe;
    log_line(fmt::format("time step: {:.6g}{} ({} the critical step {:.6g}{}{})", time.step, unit,
                         longest < 0.9 * limit ? "as \"Automatic step at most\" asks;" : "0.9 of", critical, unit,
                         limit < critical ? fmt::format(", which closed contacts shorten to {:.6g}{}", limit, unit) : ""));
  }
  else if (time.step > critical && !entries.allow_unstable)
    throw InputError(
        fmt::format("{}: the critical step of {} is {:.6g}{} here; a larger one is unstable. Use --set \"{}/Time step={:.12g}\", or "
                    "`auto`",
                    entries.where_step, time.scheme, critical, unit, entries.section, safe));
}

void Motion::take_step(const double step, const double start)
{
  time.step = step;
  const double count = std::round((time.end - start) / step), reached = start + count * step;
  if (std::abs(reached - time.end) > 1e-9 * time.end)  // `auto`, of which the deck could not know
    throw InputError(fmt::format(
        "{}: the run goes on with its step of {:.12g} s, of which End time = {:.12g} s is no multiple. The nearest is {:.15g} s",
        entries.where_end, step, time.end, reached));
}
}  // namespace symdyn
