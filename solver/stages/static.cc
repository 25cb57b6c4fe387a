#include "solver/stages/static.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/log.h"
#include "solver/dynamics/flow_watch.h"
#include "solver/dynamics/kept_multipliers.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/nodal_constraints.h"
#include "solver/program_error.h"
#include "solver/registry.h"
#include "solver/searching.h"
#include "solver/stages/equilibrium.h"
#include "solver/stages/held.h"
#include "solver/stages/relaxation_report.h"
#include "solver/vibration/held_constraints.h"

namespace symdyn
{
namespace
{
constexpr int most_cuts = 10;  ///< an increment becomes 1/1024 of itself at least
/// Of exact constraints, from one increment to the next: equilibria under bending are far from those without their forces.
const char *const multipliers = "multipliers of statics";
/// dq/d(part of the stage) of the last increment, from which the next one begins.
const char *const rate_of_increments = "rate of statics";
}  // namespace

void Static::declare(Parameters &p)
{
  p.add("Increments", increments, "equal parts in which loads and prescribed displacements are applied", between(1, 100000));
  p.renamed("Cut increments", "Halve on failure");
  p.add("Halve on failure", cut,
        "halve an increment that does not converge, or in which plastic strain grows by more than Largest flow, down to 1/1024");
  p.add(
      "Largest flow", largest_flow,
      "growth of plastic and creep strain in an increment beyond which it is halved (Halve on failure = yes) or warned of, CETOL of *VISCO [-]",
      Range{0., FlowWatch::most, true, false});
  p.add("Duration", duration, "time that passes in the stage, for amplitudes [s]", not_negative());
  p.add("Heating", heats, "the body goes to the temperatures of the section Temperature; no: it keeps those that it has");
  p.add(
      "Rates", rates,
      "no: materials neither creep nor relax, and flow needs no overstress, as in *STATIC; yes: they do, over the Duration, as in *VISCO");
  rates_given = p.given("Rates");
  p.add("Extrapolate", extrapolate,
        "an increment begins where the last one, at its rate, leads, if |r| is smaller there; it saves iterations, the answer is the same");
  p.add("Free motions", free_motions,
        "of bodies that supports leave some: refused; held: the stage holds them itself, with a warning, where loads do not push them",
        {"refused", "held"});
  p.add("Ramp", ramp, "new loads grow with the increments; no: they act in full, times their amplitude, from the first on");
  unbalances = p.root().section("Unbalance").named_sections();
}

StageTraits Static::traits() const
{
  StageTraits traits;
  traits.ramps = ramp;
  traits.takes_no_time = duration == 0.;
  traits.solves_newton = traits.of_sectors = true;
  return traits;
}

double Static::frame_time(const Analysis &analysis) const
{
  return duration == 0. ? analysis.state.t + analysis.actions.reached - 1. - statics_after : analysis.state.t;
}

void Static::check(Analysis &analysis)
{
  check_laws(analysis);
  warn_of_standing_unbalances(analysis);
  if (const HolonomicConstraints *constraints = analysis.system().constraints(); constraints && !constraints->springs->in_system)
    throw InputError(fmt::format("{}: a static stage knows no exact constraints ({}). Make the stage dynamic, or use {}", where,
                                 constraint_in_words(*constraints, 0), without_constraints(*constraints)));
  hold_constraints(analysis.system(), analysis.state.t, analysis.state.q);
  // Of supports that stay the first static stage says all, unless it holds what they leave free.
  const auto first =
      std::find_if(analysis.stages.begin(), analysis.stages.end(), [](const auto &one) { return one->traits().is_static(); });
  const auto *other = dynamic_cast<const Static *>(first->get());
  if (!analysis.supports.change() && (this == other || (other && other->holds() && !holds())))
    check_held(analysis, *this, analysis.state.q, holds());
  release_constraints(analysis.system());
}

void Static::check_laws(const Analysis &analysis) const
{
  const Remembering *laws = remembering(analysis.system());
  const bool depends = laws && laws->depends_on_rates();
  if (rates_given && !depends)
    throw InputError(where + ": Rates has no effect: no material creeps, relaxes or flows by its rate. Remove the entry");
  if (depends && rates && duration == 0.)
    throw InputError(
        where + ": a material creeps, relaxes or flows by its rate, and the stage has no time. Give its Duration [s], or set Rates = no");
  if (depends && !rates && laws->needs_time())
    throw InputError(
        where +
        ": Rates = no: a law depends on its rate and has no increments without it (umat: only its function could leave it out). Give Duration, and set Rates = yes");
  if (depends && !rates)
    log_line(fmt::format("stage {}: Rates = no: nothing creeps or relaxes, and flow needs no overstress", name));
  if (rates && duration > 0.)
    warn_of_relaxation_times(analysis, *this, 0., end);  // long increments have relaxed, and that is right at rest
  if (laws && duration == 0. && heats && laws->heats_in_time())
    throw InputError(where + ": Temperature is a function of t, and the stage has no time. Give its Duration [s], or set Heating = no");
  if (!heats && !analysis.system().has(Feature::heated))
    throw InputError(where + ": Heating = no has no effect: the deck changes no temperatures. Remove the entry");
}

void Static::check_supports(Analysis &analysis)
{
  if (!may_be_stressed(analysis, *this))
    check_held(analysis, *this, analysis.system().new_vector(), holds());
}

void Static::begin(Analysis &analysis)
{
  const MechanicalSystem &system = analysis.system();
  State &state = analysis.state;
  Vector load = system.new_vector();
  analysis.actions.statics = true;
  analysis.actions.reached = 1.;
  hold_constraints(system, state.t, state.q);
  system.applied_force(duration > 0. ? state.t + duration : state.t, state.q, state.v, load);
  analysis.place.start = state.t;
  if (analysis.supports.change() && may_be_stressed(analysis, *this))
    check_held(analysis, *this, state.q, holds());
  largest_force = hold_motions(analysis, *this, holds());
  tangent_checked = false;
  largest_plausible = first_compliance = last_compliance = 0.;
  most_negatives = 0;
  reach(analysis, 0.);
  system.impose(state.t, state.q, state.v, state.a);
  analysis.open_balance(state, true);
  analysis.record(*this, 0., {}, true);
  const std::vector<bool> &acting = analysis.loads.acting();
  const bool any = std::count(acting.begin(), acting.end(), true) > 0;
  if (any && load.l2_norm() == 0. && !system.has(Feature::gravity))
    log_warning(fmt::format("stage {}: all loads are zero at t = {:g}{}, the time of this static stage (look at their amplitudes)", name,
                            state.t, Units::after(analysis.units.time)));
  if (system.has(Feature::moving_supports) && (duration == 0. || (!any && !system.has(Feature::gravity))))
    warn_of_rest(analysis);
}

void Static::resume(Analysis &analysis, const Archive &)
{
  tangent_checked = false;
  largest_force = 0.;
  recall_motions(analysis, holds());
}

void Static::reach(Analysis &analysis, const double part) const
{
  analysis.actions.reached = ramp ? part : 1.;
  analysis.state.t = analysis.place.start + part * duration;
}

Progress Static::advance(Analysis &analysis)
{
  const long k = analysis.place.done + 1;
  advance(analysis, double(k - 1) / increments, double(k) / increments, 0);
  analysis.show_progress(*this, k, increments, k == increments);
  analysis.place.done = k;
  if (k < increments)
    return Progress::more;
  HeldMotions::forget(analysis.state);
  for (const char *const name : {multipliers, rate_of_increments})
    analysis.state.memory.erase(name);
  return Progress::more;
}

/// Where a start by the last increment leads nowhere, once more without it.
StepReport Static::try_step(Analysis &analysis, const double from, const double to, const bool may_halve, NewtonReport &report)
{
  State &state = analysis.state;
  const State before = state;
  extrapolated = false;
  const auto take = [&] {
    return step_within_reach(
        analysis.system(), state, [&] { return step(analysis, from, to, may_halve, report); }, increment_name(to));
  };
  try
  {
    return take();
  }
  catch (const ComputationError &error)
  {
    if (dynamic_cast<const ProgramError *>(&error) || !extrapolated)
      throw;
    log_line(fmt::format("stage {}: the increment to {:.6g} of the loads fails from where the last one leads, and begins without it: {}",
                         name, to, error.what()));
  }
  state = before;
  state.memory.erase(rate_of_increments);
  return take();
}

void Static::advance(Analysis &analysis, const double from, const double to, const int cuts)
{
  const State before = analysis.state;
  reach(analysis, to);
  NewtonReport report;
  StepReport taken;
  try
  {
    taken = try_step(analysis, from, to, cut && cuts < most_cuts, report);
  }
  catch (const ComputationError &error)
  {
    analysis.state = before;
    reach(analysis, from);
    if (dynamic_cast<const ProgramError *>(&error))
      throw;
    if (!cut || cuts == most_cuts)
      throw ComputationError(limit_in_words(analysis, error.what(), from, cuts) + weakness_at(analysis, before));
    log_line(
        fmt::format("stage {}: the increment from {:.6g} to {:.6g} of the loads fails and is halved: {}", name, from, to, error.what()));
    return divide(analysis, from, to, cuts);
  }
  catch (...)
  {
    analysis.state = before;
    reach(analysis, from);
    throw;
  }
  keep_rate(before.q, to - from, analysis.state);
  note_compliance(before.q, to - from, analysis.state.q);
  warn_of_instability(from, to);
  warn_of_small_load(analysis, to, report);
  ++analysis.counts.steps;
  ++analysis.state.n;
  analysis.counts.last_newton = report.iterations;
  warn_of_size(analysis);
  const double V = analysis.energy_balance.potential(), W = analysis.energy_balance.external_work(),
               error = analysis.energy_balance.balance_error();
  analysis.energy_balance.advance(analysis.system(), before, analysis.state, 1., WorkRule::trapezoidal, true);
  analysis.energy_balance.dissipate(taken.dissipated);
  warn_of_jump(analysis, from, to, {V, W, error}, before);
  analysis.record(*this, to - from, taken, to == 1.);
}

void Static::keep_rate(const Vector &before, const double part, State &state) const
{
  if (!extrapolate || increments == 1)
    return;
  Vector &rate = state.memory[rate_of_increments];
  rate = state.q;
  rate -= before;
  rate *= 1. / part;
  rate.update_ghost_values();
}

/// Where the last increment, at its rate, leads, if supports go on as before and it is nearer to equilibrium than they alone; else as the
/// body moves under the jump of its supports by the tangent of the state: with the jump alone the cells beside supports are distorted by
/// all of it.
void Static::choose_start(const Analysis &analysis, const MechanicalSystem &system, const double part, Equilibrium &equilibrium, Vector &q)
{
  const State &state = analysis.state;
  if (part == 0.)
    return;
  extrapolated = false;
  if (const auto last = state.memory.find(rate_of_increments);
      last != state.memory.end() && !system.has(Feature::linear) && !system.constraints())
  {
    Vector further = state.q, v = state.v, a = state.a;
    further.add(part, last->second);
    Vector jump = q, turn = further;
    system.impose(state.t, further, v, a);
    further.update_ghost_values();
    jump -= state.q;
    turn -= further;
    constexpr double straight = 0.1;
    extrapolated = turn.linfty_norm() <= straight * jump.linfty_norm() && equilibrium.is_nearer(further, q, state.q);
    if (extrapolated)
      return q.swap(further);
  }
  if (remembering(analysis.system()))
    equilibrium.predict(*About(analysis.system(), state), state.q, q);
  else if (!system.has(Feature::linear) && !system.constraints() && !system.nodal_constraints())
    try
    {
      Vector moved = q;
      equilibrium.predict(system, state.q, moved);
      if (equilibrium.is_nearer(moved, q, state.q))
        q.swap(moved);
    }
    catch (const ComputationError &error)  // a tangent that cannot be solved with says nothing yet
    {
      if (dynamic_cast<const ProgramError *>(&error))
        throw;
    }
}

void Static::divide(Analysis &analysis, const double from, const double to, const int cuts)
{
  const double middle = 0.5 * (from + to);
  advance(analysis, from, middle, cuts + 1);
  advance(analysis, middle, to, cuts + 1);
}

/// Without a Duration the laws see the stage as one second, which matters to none of them: rates need a Duration.
StepReport Static::step(Analysis &analysis, const double from, const double to, const bool may_halve, NewtonReport &report)
{
  const std::string increment = increment_name(to);
  StepReport taken;
  if (const Remembering *laws = remembering(analysis.system()))
  {
    const double length = rates ? (to - from) * (duration > 0. ? duration : 1.) : without_rates;
    const auto increment_from = [&](const HistoryPointer &history) {
      analysis.actions.heating = !heats ? 0. : ramp ? (to - from) / (1. - from) : 1.;
      auto made = laws->increment(history, length, analysis.state.t);
      analysis.actions.heating = 1.;
      return made;
    };
    HistoryPointer past = analysis.state.history;
    auto system = increment_from(past);
    const Vector start = analysis.state.q;
    report = solve(analysis, *system, to - from, increment, may_halve);
    for (int times = 0; (past = laws->renewed(past, start, analysis.state.q, times)); ++times)
    {
      system = increment_from(past);
      const NewtonReport more = solve(analysis, *system, 0., increment, may_halve);
      report.iterations += more.iterations;
      report.krylov += more.krylov;
      report.linearisations += more.linearisations;
    }
    const Increment::Committed made = system->commit(analysis.state.q);
    analysis.state.history = made.history;
    look_at_flow(analysis, may_halve);
  }
  else
    report = solve(analysis, analysis.system(), to - from, increment, may_halve);
  taken.newton = report.iterations;
  taken.krylov = report.krylov;
  return taken;
}

NewtonReport Static::solve(Analysis &analysis, const MechanicalSystem &system, const double part, const std::string &increment,
                           const bool may_halve)
{
  State &state = analysis.state;
  Vector q = state.q, v = state.v, a = state.a;
  system.impose(state.t, q, v, a);
  Equilibrium equilibrium(system, state.t, v);
  choose_start(analysis, system, part, equilibrium, q);
  NewtonProblem problem;
  problem.name = increment;
  problem.may_be_divided = may_halve;
  problem.finer = cut ? "" : "Double \"Increments\", or set Halve on failure = yes";
  problem.linear = system.has(Feature::linear);
  problem.residual = [&](const Vector &x, Vector &r) { return equilibrium.residual(x, r); };
  if (const NodalConstraints *nodal = system.nodal_constraints())
  {
    problem.retract = [&equilibrium](Vector &x) { equilibrium.retract(x); };
    nodal->retract(q);
  }
  judge(problem, system);
  if (system.has(Feature::carried_stresses))
    problem.carry = [&equilibrium](const bool carries) { equilibrium.carry(carries); };
  std::shared_ptr<const LinearSolve> tangent;
  problem.linearise = [&](const Vector &x) {
    tangent = equilibrium.tangent(x);
    if (!std::exchange(tangent_checked, true))
      check_tangent(analysis, *tangent);
    return tangent;
  };
  hold_constraints(system, state.t, state.q, kept_multipliers(state, multipliers));
  const NewtonReport report = solve_with_multipliers(analysis.newton, system, problem, q);
  negatives = tangent && tangent->current() ? tangent->negative_eigenvalues() : -1;
  if (negatives > most_negatives)  // the last tangent is that of the last iterate but one
    negatives = AtRest(system, state.t, q)->factor(K, state.t, q, v)->negative_eigenvalues();
  if (problem.retract)
    problem.retract(q);
  q.update_ghost_values();
  check_pushed(analysis, *this, system, q, largest_force);
  state.q.swap(q);
  if (const HolonomicConstraints *constraints = system.constraints())
    keep_multipliers(constraints->springs->lambda, state, multipliers);
  return report;
}

SYMDYN_REGISTER(Stage, Static, "static");
}  // namespace symdyn
