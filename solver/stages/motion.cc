#include "solver/stages/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/searching.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/damping_report.h"
#include "solver/stages/inertia_report.h"
#include "solver/stages/relaxation_report.h"
#include "solver/vibration/held_constraints.h"

namespace symdyn
{
namespace
{
/// An energy costs half a force: a twentieth of an explicit step if it is looked at so seldom.
constexpr std::uint64_t seldom = 10;
}  // namespace

StageTraits Motion::traits() const
{
  StageTraits traits;
  traits.in_time = true;
  traits.needs_tangent = !time.integrator || !time.integrator->is_explicit();
  return traits;
}

void Motion::check(Analysis &analysis)
{
  if (const Spinning *frame = spinning(analysis.structure->system()))
    throw InputError(fmt::format(
        "{}: the frame turns ({}), in which only static stages, modes, complex modes, buckling and harmonic stages are computed. Remove the "
        "section, and turn the body by its initial velocity",
        where, frame->where_turning()));
  check_scheme(*time.integrator, analysis.system(), *time.parameters);
  warn_of_loose_newton(analysis);
  substeps.check(analysis.system(), *time.integrator, time.scheme, time.step);
  warn_of_relaxation_times(analysis, *this, time.step, time.end);
  analysis.is_first(*this) ? fix_step(analysis) : warn_if_unstable_later(analysis);
}

bool Motion::feels_kinks(const Analysis &analysis) const { return !analysis.system().has(Feature::nodal_mass); }

bool Motion::closes_balance(const Analysis &analysis) const
{
  return time.integrator->promise(analysis.system()).order > 0;  // a bath gives energy
}

void Motion::begin(Analysis &analysis)
{
  const MechanicalSystem &system = analysis.system();
  State &state = analysis.state;
  release_constraints(system);  // before anything is asked of V''
  if (!analysis.is_first(*this))
    fix_step(analysis);
  analysis.actions.reached = 1.;
  analysis.slow_motion.begin(system, state);
  analysis.actions.statics = false;
  analysis.place.start = state.t;
  log_damping_ratios(analysis, *this);
  log_scaled_inertia(analysis, *this);
  begin_tables(analysis);
  log_load_jumps(analysis);
  warn_of_zero_tables(analysis);
  warn_of_missed_points(analysis);
  warn_of_kinks(analysis);
  prepare(analysis);
  substeps.begin(time.step);
  analysis.actions.seen = {state.t, state.t + time.step, time.step};
  if (const Remembering *laws = remembering(system))
    state.history = laws->heated(state.history, state.t);
  time.integrator->start(system, state, time.step);
  analysis.open_balance(booked(analysis), false);
  analysis.monitors.start(system, *time.integrator, state, time.step);
  analysis.watch.start(system, state, *time.integrator, time.scheme, time.step, analysis.critical, std::move(analysis.highest_mode),
                       analysis.units);
  start_alarm(analysis);
  const Promise promise = time.integrator->promise(system);
  analysis.quality.start({name, time.scheme, closes_balance(analysis), !promise.energy_bounded, time.step,
                          std::isfinite(promise.stable_h_omega) ? analysis.critical : 0.});
  keep = looked = true;
  analysis.record(*this, 0., {}, true);
}

void Motion::start_alarm(Analysis &analysis) const
{
  analysis.energy_alarm.start(analysis.system(), analysis.state, analysis.energy_balance, time.step, time.scheme, closes_balance(analysis),
                              analysis.units);
}

long Motion::steps_from(const double start) const { return std::lround((time.end - start) / time.step); }

bool Motion::is_complete(const Analysis &analysis) const { return analysis.place.done >= steps_from(analysis.place.start); }

bool Motion::follows_each_step(const Analysis &analysis) const
{
  return substeps.on() || !time.integrator->is_explicit() || EnergyBalance::work_is_done(analysis.system(), false) ||
         analysis.monitors.follow_steps();
}

Progress Motion::advance(Analysis &analysis)
{
  const MechanicalSystem &system = analysis.system();
  State &state = analysis.state;
  const RunPlace &place = analysis.place;
  const long count = steps_from(place.start), k = place.done + 1;
  begin_step(analysis, k);
  // A copy of the state costs a good part of an explicit step: where no one compares both ends of a step, one from time to time, of a state
  // that has been found finite.
  if (keep)
    before = state;
  const double end = place.start + k * time.step;
  const std::vector<double> cuts = cuts_of_step(state.t, end);
  const bool divides = substeps.on(), divided = divides || !cuts.empty();
  const StepReport report = divided ? divided_step(analysis, cuts)
                                    : steps.take(system, state, [&] { return time.integrator->advance(system, state, time.step); });
  state.t = end;  // no drift of the clock
  const bool steady = is_steady(before, state), last = steady || k == count;
  looked = evaluates_energy(analysis, last);
  keep = looked || follows_each_step(analysis);
  account_for_step(analysis, report, divided, looked, keep);
  ++analysis.counts.steps;
  analysis.counts.last_newton = report.newton;
  if (!divided)
    analysis.monitors.advance(system, *time.integrator, before, state, time.step);
  analysis.record(*this, divides ? substeps.length() : time.step, report, last);
  analysis.watch.look(system, state, report, divides ? substeps.max_newton() : report.newton - report.kept,
                      looked ? &analysis.energy_balance : nullptr);
  analysis.show_progress(*this, k, count, last);
  if (steady)
  {
    ended_early = true;
    log_line(
        fmt::format("stage {}: steady at t = {:.6g}{}, after {} of {} steps", name, state.t, Units::after(analysis.units.time), k, count));
    return Progress::ended;
  }
  if (analysis.slow_motion.due(k, count))
    project(analysis);
  analysis.place.done = k;
  return Progress::more;
}

bool Motion::evaluates_energy(const Analysis &analysis, const bool last) const
{
  const State &state = analysis.state;
  return last || !time.integrator->is_explicit() || analysis.recorder.row_is_due(state, time.integrator.get()) || state.n % seldom == 0 ||
         analysis.recorder.frame_is_due(state, frame_time(analysis), length());
}

void Motion::account_for_step(Analysis &analysis, const StepReport &report, const bool divided, const bool energy, const bool finite)
{
  State &state = analysis.state;
  try
  {
    if (!divided)
    {
      const std::optional<State> accelerated = needs_acceleration(analysis) ? std::optional(booked(analysis)) : std::nullopt;
      analysis.energy_balance.advance(analysis.system(), before, accelerated ? *accelerated : state, time.step,
                                      time.integrator->work_rule(), false, energy);
      analysis.energy_balance.dissipate(report.dissipated);
    }
    check_finite(analysis, report, finite);
    look_at_flow(analysis);
    if (energy)
      analysis.energy_alarm.look(analysis.system(), state, analysis.energy_balance);
  }
  catch (...)
  {
    analysis.counts.steps -= state.n - 1 - before.n;
    state = before;
    throw;
  }
}

void Motion::look_at_flow(Analysis &analysis) const
{
  if (time.integrator->is_explicit())
    return;
  const State &state = analysis.state;
  if (const std::string what = FlowWatch::large_flow(analysis.system(), state.history, analysis.units); !what.empty())
    analysis.flow_watch.warn(fmt::format("stage {}: t = {:.6g}{}: {}. Lower \"Time step\", or set Halve on failure = yes", name, state.t,
                                         Units::after(analysis.units.time), what));
}

void Motion::check_finite(const Analysis &analysis, const StepReport &report, const bool thoroughly)
{
  const State &state = analysis.state;
  const MechanicalSystem &system = analysis.system();
  const auto energy_is_unknown = [&] { return std::isnan(spent(system, state).dissipated); };  // a law of users leaves it out
  const bool finite =
      !thoroughly || (std::isfinite(state.v.l2_norm()) && (std::isfinite(analysis.energy_balance.balance_error()) || energy_is_unknown()));
  if (is_admissible(system, state, report) && finite)
    return;
  const std::string diagnosis = system.diagnosis().diagnose(state.q);
  const bool has_way_out = !diagnosis.empty() && diagnosis.back() == '.';
  throw ComputationError(fmt::format("step {}, t = {:.6g}{}: {}{}{}", state.n, state.t, Units::after(analysis.units.time),
                                     finite ? "the state cannot be" : "the energy is not finite", diagnosis.empty() ? "" : ": " + diagnosis,
                                     has_way_out ? "" : ". Lower \"Time step\""));
}

bool Motion::needs_acceleration(const Analysis &analysis) const
{
  const Integrator &scheme = *time.integrator;
  return !scheme.carries_acceleration() && scheme.work_rule() == WorkRule::trapezoidal && analysis.system().has(Feature::moving_supports);
}

State Motion::booked(const Analysis &analysis) const
{
  State completed = analysis.state;
  if (!needs_acceleration(analysis))
    return completed;
  State accelerated = analysis.state;
  time.integrator->Integrator::start(analysis.system(), accelerated, time.step);
  completed.a = accelerated.a;  // the reactions at the end of a step need the true one; v stays the scheme's
  return completed;
}

StepReport Motion::divided_step(Analysis &analysis, const std::vector<double> &cuts)
{
  const MechanicalSystem &system = analysis.system();
  const Integrator &scheme = *time.integrator;
  const State start = analysis.state;
  const auto account = [&](const double h, const State &from, const State &to, const StepReport &part) {
    State seen = to;
    if (needs_acceleration(analysis))
      scheme.Integrator::start(*About(system, to), seen, h);
    seen.v = to.v;
    analysis.energy_balance.advance(system, from, seen, h, scheme.work_rule(), false, true);
    analysis.energy_balance.dissipate(part.dissipated);
    analysis.monitors.advance(system, scheme, from, to, h);
  };
  try
  {
    if (cuts.empty())
      return substeps.advance(system, scheme, analysis.state, time.step, account);
    return intervals_of_step(analysis, cuts, account);
  }
  catch (const ComputationError &)
  {
    analysis.state = start;
    throw;
  }
}

StepReport Motion::intervals_of_step(Analysis &analysis, const std::vector<double> &cuts, const AdaptiveStep::Account &account)
{
  const MechanicalSystem &system = analysis.system();
  State &state = analysis.state;
  const std::uint64_t n = state.n;
  StepReport sum;
  double from = state.t;
  const double end = analysis.place.start + (analysis.place.done + 1) * time.step;
  for (std::size_t i = 0; i <= cuts.size(); ++i)
  {
    const double to = i < cuts.size() ? cuts[i] : end, h = to - from;
    begin_interval(analysis, from, to);
    StepReport report;
    if (substeps.on())
      report = substeps.advance(system, *time.integrator, state, h, account, i == cuts.size());
    else
    {
      const State at = state;
      report = step_within_reach(system, state, [&] { return time.integrator->advance(system, state, h); });
      account(h, at, state, report);
    }
    state.t = from = to;
    sum.newton += report.newton;
    sum.krylov += report.krylov;
    sum.kept += report.kept;
    sum.force = report.force;
    if (!report.warning.empty())
      sum.warning = report.warning;
  }
  state.n = n + 1;
  return sum;
}

void Motion::project(Analysis &analysis)
{
  const MechanicalSystem &system = analysis.system();
  analysis.slow_motion.project(system, analysis.state);
  time.integrator->start(system, analysis.state, time.step);
  analysis.energy_balance.restart(system, booked(analysis), false);  // the energy of the oscillations goes
}

void Motion::end(Analysis &analysis)
{
  end_tables(analysis);
  before = State();
  for (const std::string &sentence : {analysis.monitors.summary_line(), substeps.summary_line()})
    if (!sentence.empty())
      log_line(fmt::format("stage {}: {}", name, sentence));
}

void Motion::save(const Analysis &analysis, Archive &archive) const
{
  const RunPlace &place = analysis.place;
  analysis.monitors.save(archive.section("monitors"));
  analysis.watch.save(archive.section("watch"));
  Archive own = archive.section("motion");
  own.put("step", time.step);
  own.put("projected", analysis.slow_motion.due(place.done, steps_from(place.start)));
  substeps.save(own.section("substeps"));
}

void Motion::load(const Analysis &analysis, const Archive &archive)
{
  take_step(archive.section("motion").get<double>("step"), analysis.place.start);
}

void Motion::resume(Analysis &analysis, const Archive &archive)
{
  const MechanicalSystem &system = analysis.system();
  const State &state = analysis.state;
  const Archive own = archive.section("motion");
  end_tables(analysis);  // those of the step before
  begin_tables(analysis);
  prepare_again(analysis);
  State scratch = state;
  time.integrator->start(system, scratch, time.step);  // for what a scheme keeps beside the state
  analysis.energy_balance.resume(system, booked(analysis), false, archive.section("energy balance"));
  substeps.begin(time.step);
  substeps.load(own.section("substeps"));
  analysis.monitors.resume(system, *time.integrator, state, time.step, archive.section("monitors"));
  analysis.watch.start(system, state, *time.integrator, time.scheme, time.step, analysis.critical, Vector(), analysis.units);
  analysis.watch.load(archive.section("watch"));
  start_alarm(analysis);
  analysis.energy_alarm.load(archive.section("energy alarm"));
  if (analysis.slow_motion.due(analysis.place.done, steps_from(analysis.place.start)) && !own.get<bool>("projected"))
    project(analysis);  // what was the end then
  analysis.actions.seen = {state.t, state.t + time.step, time.step};
  keep = looked = true;
}
}  // namespace symdyn
