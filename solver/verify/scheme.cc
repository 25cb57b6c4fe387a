#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/diagnosis.h"
#include "solver/dynamics/symplectic.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/registry.h"
#include "solver/unknowns.h"
#include "solver/verify/verify.h"

// The properties of one scheme on the structure of a deck.
namespace symdyn
{
namespace
{
constexpr double tangent_limit = 1e-6;  ///< the floor of the differences it is compared with
constexpr double form_limit = 1e-10;    ///< in 1000 steps
constexpr double one_step_limit = 1e-12;
constexpr double defect_above_rounding = 10.;  ///< a limit is never closer to the floor of its instrument
constexpr double hidden_form = 1e-4;           ///< a drift of the form that a scheme without that promise has in a few steps
constexpr double reversibility_limit = 1e-9;
constexpr double largest_drift = 3.;       ///< of the envelope, from the first to the second half of a run
constexpr double significant_defect = 6.;  ///< standard errors of a slope
constexpr int most_halved_steps = 5;       ///< of a step with which the scheme fails
constexpr double most_longer = 10.;        ///< runs with smaller steps have more of them
constexpr double least_time = 0.5;         ///< part of the run of other schemes in which a drift can be told
constexpr int times_longer = 4, most_times_longer = 16;
constexpr int fewest_steps_in_time = 40;  ///< of a scheme that is not too slow

double largest_defect(const std::vector<double> &values)
{
  double result = 0;
  for (const double value : values)
    result = larger(result, value);
  return result;
}

/// Messages of Newton are long.
std::string cut_message(const std::string &message)
{
  constexpr std::size_t most = 140;
  return message.size() <= most ? message : message.substr(0, message.find_last_of(' ', most)) + " ...";
}
}  // namespace

std::string name_of(const Verdict verdict)
{
  switch (verdict)
  {
    case Verdict::kept:
      return "kept";
    case Verdict::broken:
      return "broken";
    case Verdict::not_promised:
      return "not promised";
    case Verdict::not_applicable:
      return "not applicable";
  }
  return "";
}

SchemeCheck::SchemeCheck(std::string name, const Integrator &integrator, const VerifySubject &subject, const int steps,
                         const double seconds)
    : subject(subject), promise(integrator.promise(subject.undamped()))
{
  trial.system = &subject.undamped();
  trial.integrator = &integrator;
  trial.start = subject.start;
  trial.h = subject.step_for(integrator, *trial.system);
  trial.steps = wanted_steps = steps;
  trial.seconds = seconds;
  history.scheme = std::move(name);
  history.symmetric = symmetries(*trial.system, trial.start);
  moving = trial.system->has(Feature::moving_supports);
}

void SchemeCheck::property(const std::string &name, const bool promised, const std::function<void(Finding &)> &measure)
{
  Finding finding{history.scheme, name, promised, Verdict::not_applicable, std::nan(""), std::nan(""), ""};
  try
  {
    measure(finding);
  }
  catch (const ComputationError &error)
  {
    finding.verdict = promised ? Verdict::broken : Verdict::not_applicable;
    finding.reason = "the computation failed: " + cut_message(error.what());
  }
  catch (const InputError &error)
  {
    finding.reason = error.what();
  }
  catch (const std::exception &error)
  {
    finding.verdict = Verdict::broken;
    finding.reason = std::string("internal: ") + error.what();
  }
  findings.push_back(finding);
}

void SchemeCheck::set(Finding &finding, const double value, const double limit, const std::string &reason) const
{
  finding.value = value;
  finding.limit = limit;
  finding.reason = reason;
  finding.verdict = !finding.promised ? Verdict::not_promised : value <= limit ? Verdict::kept : Verdict::broken;
}

bool SchemeCheck::too_slow()
{
  if (!std::isfinite(trial.seconds))
    return false;
  double step = 0;
  try
  {
    step = seconds_of_a_step(trial);
  }
  catch (const std::exception &)  // the properties say it
  {
    return false;
  }
  if (step <= trial.seconds / fewest_steps_in_time)
    return false;
  findings.push_back(
      {history.scheme, "scheme", false, Verdict::not_applicable, std::nan(""), std::nan(""),
       fmt::format("a step takes {:.1f} s here, too long among all schemes; verify it alone with --scheme {}", step, history.scheme)});
  return true;
}

void SchemeCheck::settle_step()
{
  const double wanted = trial.h;
  std::string first_failure;
  for (int i = 0; i <= most_halved_steps; ++i, trial.h *= 0.5)
  {
    trial.long_steps = int(std::min(most_longer, std::ceil(subject.h / trial.h)) * trial.steps);
    try
    {
      history.run = measured_run(trial);
      run_failed.clear();
      break;
    }
    catch (const std::exception &error)
    {
      run_failed = cut_message(error.what());
      if (first_failure.empty())
        first_failure = run_failed;
    }
  }
  if (!run_failed.empty())
  {
    trial.h = wanted;
    return;
  }
  trial.steps = int(history.run.drift.size());
  if (!first_failure.empty())
    findings.push_back({history.scheme, "scheme", false, Verdict::not_applicable, std::nan(""), std::nan(""),
                        fmt::format("h = {:.3g} s, because with {:.3g} s: {}", trial.h, wanted, first_failure)});
}

void SchemeCheck::run()
{
  if (too_slow())
    return;
  settle_step();
  property("order", true, [&](Finding &finding) { order(finding); });
  // A scheme without an order, that could not take a step from this start either, says nothing of its derivative here.
  property("tangent", promise.order > 0 || run_failed.empty(), [&](Finding &finding) { tangent(finding); });
  history.canonical = promise.symplectic == Where::canonical_h;
  property("one-step form", promise.symplectic != Where::nowhere, [&](Finding &finding) { one_step_form(finding); });
  property("form", promise.symplectic != Where::nowhere, [&](Finding &finding) { form(finding); });
  property("form, neighbours", promise.symplectic != Where::nowhere, [&](Finding &finding) { neighbours(finding); });
  property("reversible", promise.reversible && !moving, [&](Finding &finding) {
    if (moving)
      finding.reason = "the supports move: time has a direction";
    else
      set(finding, irreversibility(trial), reversibility_limit);
  });
  property("linear momentum", promise.linear_momentum != Where::nowhere,
           [&](Finding &finding) { momenta(finding, 'P', promise.linear_momentum); });
  property("angular momentum", promise.angular_momentum != Where::nowhere,
           [&](Finding &finding) { momenta(finding, 'J', promise.angular_momentum); });
  property("energy", promise.energy, [&](Finding &finding) { energy(finding); });
  property("energy bounded", promise.energy_bounded, [&](Finding &finding) { energy_bounded(finding); });
  equivalences(trial, false);
}

void SchemeCheck::order(Finding &finding) const
{
  if (promise.order == 0)
  {
    finding.promised = false;
    finding.reason = "no order in h: what its errors follow is noise, or tolerances of its own";
    return;
  }
  judge_order(finding, measured_order(trial, promise.order, order_tolerance, subject.h), promise.order, trial);
}

void SchemeCheck::judge_order(Finding &finding, const MeasuredOrder &order, const int promised, const Trial &of) const
{
  finding.value = std::abs(order.q - promised) > std::abs(order.v - promised) ? order.q : order.v;
  finding.limit = promised;
  const bool holds = std::abs(finding.value - promised) <= order_tolerance, above = finding.value > promised;
  finding.verdict = holds ? Verdict::kept : Verdict::broken;
  finding.reason =
      fmt::format("q {:.2f}, v {:.2f} at h = {:.3g} s{}", order.q, order.v, order.h, order.remark.empty() ? "" : ", " + order.remark);
  if (holds)
    return;
  std::string cause;
  if (!order.remark.empty())
    cause = fmt::format("too little is left to measure order {}", promised);
  else if (above && of.system->has(Feature::linear))
    cause = "more than promised: on a linear deck terms of the error may vanish, so a nonlinear one decides";
  else if (above && subject.has_entries(history.scheme))
    cause = "more than promised: with these parameters the term of the promised order is too small to be seen";
  else if (above && order.h * subject.highest > 1.)
    cause = fmt::format("more than promised: there are modes with h omega = {:.0f}, and what they add to the error falls otherwise",
                        order.h * subject.highest);
  else if (!order.stays_off)
    cause = std::string(above ? "more" : "less") + " than promised, and still on the way to it as h falls";
  else if (!above && promised > 2 && order.h * subject.highest > 1.)
    cause = fmt::format("order {} is for resolved modes, and there are some with h omega = {:.0f}", promised, order.h * subject.highest);
  if (!cause.empty())
    finding.verdict = Verdict::not_applicable;
  else
    cause = above ? "more than promised, at every h" : "less than promised";
  finding.reason += ": " + cause;
}

void SchemeCheck::tangent(Finding &finding) const
{
  set(finding, tangent_error(trial), tangent_limit, "of the linearised step, against differences");
  if (finding.value != 0.)
    return;
  finding.verdict = Verdict::not_applicable;
  finding.reason = "the scheme has the differences themselves as its tangent";
}

void SchemeCheck::one_step_form(Finding &finding) const
{
  const OneStepDrift in_qv = one_step_drift(trial, false);
  const OneStepDrift in_x = trial.integrator->suris_shift() == 0. ? in_qv : one_step_drift(trial, true);
  const double qv = in_qv.value, canonical = in_x.value, limit = std::max(one_step_limit, defect_above_rounding * in_qv.floor);
  set(finding,
      promise.symplectic == Where::canonical_h ? canonical
      : promise.symplectic == Where::in_qv     ? qv
                                               : std::min(qv, canonical),
      limit);
  if (promise.symplectic == Where::canonical_h)
    finding.reason = fmt::format("in x = q + {:g} h² M⁻¹f; in (q, Mv) it changes by {:.1e}", trial.integrator->suris_shift(), qv);
  else if (promise.symplectic == Where::in_qv && trial.integrator->suris_shift() != 0. && trial.system->has(Feature::linear))
    finding.reason = "linear deck: symplectic in (q, Mv) too";
  else if (promise.symplectic == Where::nowhere && finding.value <= limit)
    finding.reason = trial.system->has(Feature::linear) ? "linear deck: it cannot fail here" : "not seen here";
}

void SchemeCheck::form(Finding &finding) const
{
  if (!run_failed.empty())
    throw ComputationError(run_failed);
  const bool canonical = promise.symplectic == Where::canonical_h;
  const double qv = largest_defect(history.run.drift_qv), x = largest_defect(history.run.drift);
  const double limit = std::max(form_limit * std::max(1., trial.steps / 1000.), defect_above_rounding * history.run.form_floor);
  set(finding, canonical ? x : promise.symplectic == Where::in_qv ? qv : std::min(x, qv), limit);
  finding.reason = fmt::format("{} steps of {:.3g} s; rounding up to {:.0e}{}", trial.steps, trial.h, history.run.form_floor,
                               canonical ? fmt::format("; in (q, Mv): {:.1e}", qv) : "");
  if (finding.verdict == Verdict::kept && finding.value > hidden_form)
  {
    finding.verdict = Verdict::not_applicable;
    finding.reason += ": no drift can be told from it";
  }
}

void SchemeCheck::neighbours(Finding &finding) const
{
  if (!run_failed.empty())
    throw ComputationError(run_failed);
  const NeighbourDrift drift = neighbour_drift(trial, subject.h);
  const bool canonical = promise.symplectic == Where::canonical_h;
  set(finding,
      canonical                            ? drift.canonical
      : promise.symplectic == Where::in_qv ? drift.qv
                                           : std::min(drift.canonical, drift.qv),
      neighbours_limit);
  finding.reason =
      fmt::format("differences of runs of {} steps{}", drift.steps, canonical ? fmt::format("; in (q, Mv): {:.1e}", drift.qv) : "");
}

void SchemeCheck::momenta(Finding &finding, const char kind, const Where where) const
{
  const std::vector<std::string> names = trial.system->unknowns().momenta();
  double value = 0;
  std::string which;
  const auto &rows = where == Where::canonical_h ? history.run.canonical : history.run.momenta;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i][0] == kind && history.symmetric[i] && !moving)
    {
      which += (which.empty() ? "" : ", ") + names[i];
      for (const auto &row : rows)
        value = larger(value, std::abs(row[i] - rows[0][i]) / std::max(history.run.momentum_scale[i], std::numeric_limits<double>::min()));
    }
  if (which.empty())
    finding.reason = kind == 'P' ? "supports or forces hold the body: it has no such symmetry"
                                 : "no axis about which body and supports are free to turn";
  else if (!run_failed.empty())
    throw ComputationError(run_failed);
  else
    set(finding, value, exact_per_step * double(rows.size() - 1),
        which + (where == Where::canonical_h ? " in its canonical variables" : ""));
}

void SchemeCheck::energy(Finding &finding) const
{
  if (moving)
  {
    finding.reason = "moving supports do work";
    return;
  }
  if (!run_failed.empty())
    throw ComputationError(run_failed);
  const EnergyTrend trend = energy_trend(history.run.t, history.run.energy);
  const double scale = history.run.energy_scale;
  set(finding, trend.envelope / scale,
      double(history.run.t.size() - 1) * (exact_per_step + trial.system->diagnosis().potential_rounding() / scale),
      fmt::format("largest |E - E0|, relative to {:.3g}", scale));
}

void SchemeCheck::energy_bounded(Finding &finding) const
{
  if (moving)
  {
    finding.reason = "moving supports do work";
    return;
  }
  if (!run_failed.empty())
    throw ComputationError(run_failed);
  const double scale = history.run.energy_scale;
  const auto rounding = [scale](const EnergyTrend &of) { return of.steps * exact_per_step * scale; };
  const auto drifts = [](const EnergyTrend &of) { return of.significance > significant_defect && std::abs(of.drift) > 0.5 * of.envelope; };
  const auto grows = [&](const EnergyTrend &of) { return of.growth > largest_drift && of.envelope > rounding(of); };
  EnergyTrend trend = energy_trend(history.run.t, history.run.energy);
  const bool longer = finding.promised && (grows(trend) || drifts(trend));
  // Of the motion looked at [s]: thin structures swing slower than a run is long. A body that flies has no period that a run would see.
  double period = subject.frequency > 0. ? 2. * M_PI / subject.frequency : 0.;
  if (!is_constrained(*trial.system) && period > most_times_longer * trend.steps * trial.h)
    period = 0.;
  for (int times = times_longer; longer && times <= most_times_longer; times *= times_longer)
  {
    trend = trend_of_longer_run(times);  // a swing that takes longer than the run, or a drift that goes on
    if ((!grows(trend) && !drifts(trend)) || trend.steps * trial.h > period)
      break;
  }
  finding.value = trend.envelope / scale;
  const bool holds = trend.envelope <= rounding(trend) || (!grows(trend) && !drifts(trend));
  finding.verdict = !finding.promised ? Verdict::not_promised : holds ? Verdict::kept : Verdict::broken;
  finding.reason = fmt::format(
      "envelope of the second half {:.2f} times that of the first (limit {:g}); slope over the run {:+.1e}, {:.1f} standard errors{}",
      trend.growth, largest_drift, trend.drift / scale, trend.significance, longer ? fmt::format("; a run of {} steps", trend.steps) : "");
  if (finding.verdict == Verdict::broken && !trial.system->has(Feature::linear) && !trial.integrator->is_explicit())
    finding.reason +=
        "; steps that do not resolve stiff vibrations of a body that turns far may do so: see a smaller Time step, or discrete-gradient";
  const double time = trend.steps * trial.h, whole = std::max(least_time * std::min(wanted_steps, 1000) * subject.h, 0.5 * period);
  if (finding.verdict == Verdict::broken && time < whole && trend.growth < 2. * largest_drift)
  {
    finding.verdict = Verdict::not_applicable;
    finding.reason += fmt::format("; in {:.3g} s a swing cannot be told from a drift", time);
  }
}

EnergyTrend SchemeCheck::trend_of_longer_run(const int times) const
{
  Trial longer = trial;
  longer.steps = 0;  // no tangents
  longer.long_steps = times * int(history.run.t.size() - 1);
  const RunHistory run = measured_run(longer);
  return energy_trend(run.t, run.energy);
}
}  // namespace symdyn
