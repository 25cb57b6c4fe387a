#include "solver/verify/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/history.h"

namespace symdyn
{
namespace
{
constexpr double second_law_limit = 1e-14;  ///< of the energy
constexpr double force_limit = 1e-12;       ///< relative
constexpr double least_power = 1. - order_tolerance;
constexpr double flow_order_tolerance = 0.25;  ///< where flow begins and ends within steps, errors have kinks in h
constexpr double elastic_limit = 1e-11;        ///< over a run, relative to the way: Newton's tolerance, with a margin
constexpr int few_steps = 20;
constexpr double least_share = 1e-6;  ///< of the energy, that must be dissipated for a motion in which something flows
constexpr double faster = 1.5;        ///< from one motion that is tried to the next
constexpr int most_faster = 4;
constexpr double rough_tolerance = 1e-11;  ///< of Newton's method with small steps from a start that is not smooth: rounding
constexpr char nothing_flows[] = "nothing flows or slides from the deck's start. Raise the velocity of `Initial conditions`";

bool same_bits(const Vector &a, const Vector &b)
{
  bool same = true;
  for (unsigned int i = 0; i < a.locally_owned_size(); ++i)
    same = same && a.local_element(i) == b.local_element(i);
  return dealii::Utilities::MPI::min(int(same), a.get_mpi_communicator()) == 1;
}

/// Strains flowed, or surfaces slid.
bool flowed(const Spent &before, const Spent &after)
{
  return after.largest_flow > before.largest_flow || after.by_friction > before.by_friction;
}

double energy_of(const MechanicalSystem &system, const State &state)
{
  return kinetic_energy(system, state.v) + About(system, state)->potential(state.q);
}
}  // namespace

MemoryCheck::MemoryCheck(std::string scheme, Integrator &integrator, Trial given, const VerifySubject::OtherStarts *others)
    : scheme(std::move(scheme)), integrator(integrator), trial(std::move(given)), laws(*remembering(*trial.system))
{
  trial.integrator = &integrator;
  virgin = trial.start.history;
  choose_motion(others);
  at_start = laws.spent(trial.start.history);
}

State MemoryCheck::entered(State start) const
{
  start.history = laws.increment(virgin, trial.h, start.t)->commit(start.q).history;
  return start;
}

bool MemoryCheck::flows_from(const State &entered) const
{
  State state = entered;
  const double before = laws.spent(state.history).dissipated, least = least_share * kinetic_energy(*trial.system, state.v);
  try
  {
    begin(*About(*trial.system, state), integrator, state, trial.h);
    for (int k = 0; k < trial.steps; ++k)
    {
      advance(*trial.system, integrator, state, trial.h);
      const double loss = laws.spent(state.history).dissipated - before;
      if (!(std::abs(loss) <= least))  // a wrong sign is found by the second law; NaN: a law without energies
        return true;
    }
  }
  catch (const ComputationError &)  // too large for the scheme and its step
  {
  }
  return false;
}

void MemoryCheck::choose_motion(const VerifySubject::OtherStarts *others)
{
  trial.start = entered(trial.start);
  if (flows_from(trial.start) || !others)
    return;
  if (others->given.v.l2_norm() > 0.)
  {
    const State given = entered(others->given);
    if (!flows_from(given))
      return;
    trial.start = given;
    motion_used = "; from the deck's start as given: from the smooth one nothing flows";
    rough = true;
    return;
  }
  double factor = 1.;
  for (int k = 0; k < most_faster; ++k, factor *= faster)
  {
    State start = entered(others->smooth);
    start.v *= factor;
    start.v.update_ghost_values();
    if (!flows_from(start))
      continue;
    trial.start = start;
    motion_used = fmt::format("; from {:.3g} times the velocity that verify chooses: after damped steps nothing flows", factor);
    return;
  }
}

void MemoryCheck::row(const std::string &property, const std::function<void(Finding &)> &measure)
{
  Finding finding{scheme, property, true, Verdict::not_applicable, std::nan(""), std::nan(""), ""};
  try
  {
    measure(finding);
  }
  catch (const ComputationError &error)
  {
    finding.verdict = Verdict::broken;
    finding.reason = std::string("the computation failed: ") + error.what();
  }
  findings.push_back(finding);
}

std::vector<Finding> MemoryCheck::run()
{
  if (!std::isfinite(motion(trial.h, 1).spent.dissipated))
    return {{scheme, "second law", true, Verdict::not_applicable, std::nan(""), std::nan(""),
             "a law of the deck says nothing of its energies"}};
  row("second law", [this](Finding &finding) { second_law(finding); });
  row("dissipation balance", [this](Finding &finding) { balance(finding); });
  row("order with flow", [this](Finding &finding) { order(finding); });
  row("function", [this](Finding &finding) { function(finding); });
  row("accepted state", [this](Finding &finding) { accepted_state(finding); });
  row("rollback", [this](Finding &finding) { rollback(finding); });
  row("same as elastic", [this](Finding &finding) { same_as_elastic(finding); });
  return findings;
}

namespace
{
void judge(Finding &finding, const double value, const double limit, const std::string &reason)
{
  finding.value = value;
  finding.limit = limit;
  finding.reason = reason;
  finding.verdict = value <= limit ? Verdict::kept : Verdict::broken;
}
}  // namespace

MemoryCheck::Motion MemoryCheck::motion(const double h, const int steps) const
{
  Motion r;
  State state = trial.start;
  begin(*About(*trial.system, state), integrator, state, h);
  double energy = energy_of(*trial.system, state), lost = 0., largest = energy;
  const double first = energy;
  for (int k = 0; k < steps; ++k)
  {
    const double before = laws.spent(state.history).dissipated;
    const StepReport report = advance(*trial.system, integrator, state, h);
    const double loss = laws.spent(state.history).dissipated - before + report.dissipated, now = energy_of(*trial.system, state);
    r.least_loss = -larger(-r.least_loss, -loss);
    r.worst_step = larger(r.worst_step, std::abs(now - energy + loss));
    lost += loss;
    r.worst = larger(r.worst, std::abs(now - first + lost));
    energy = now;
    largest = std::max(largest, std::abs(now - first) + kinetic_energy(*trial.system, state.v));
  }
  r.scale = largest;
  r.end = state;
  r.spent = laws.spent(state.history);
  return r;
}

State MemoryCheck::before_flow() const
{
  State state = trial.start;
  begin(*About(*trial.system, state), integrator, state, trial.h);
  for (int k = 0; k < trial.steps; ++k)
  {
    State next = state;
    advance(*trial.system, integrator, next, trial.h);
    if (k > 0 && flowed(laws.spent(state.history), laws.spent(next.history)))
      break;
    state = std::move(next);
  }
  return state;
}

void MemoryCheck::second_law(Finding &finding) const
{
  const Motion run = motion(trial.h, trial.steps);
  if (run.spent.dissipated == at_start.dissipated)
  {
    finding.reason = nothing_flows;
    return;
  }
  judge(finding, -run.least_loss / run.scale, second_law_limit,
        fmt::format("energy that a step gives, relative; {} steps dissipate {:.3g} J, largest plastic strain {:.3g}{}", trial.steps,
                    run.spent.dissipated, run.spent.largest_flow, motion_used));
}

void MemoryCheck::balance(Finding &finding) const
{
  const Motion coarse = motion(trial.h, trial.steps);
  if (integrator.work_rule() == WorkRule::discrete_gradient)
  {
    judge(finding, coarse.worst_step / coarse.scale, exact_per_step, "of a step, relative");
    return;
  }
  const Motion fine = motion(0.25 * trial.h, 4 * trial.steps);
  if (coarse.worst <= exact_per_step * trial.steps * coarse.scale)
  {
    judge(finding, coarse.worst / coarse.scale, exact_per_step * trial.steps, "over the run, relative");
    return;
  }
  const double power = 0.5 * std::log2(coarse.worst / fine.worst);
  finding.value = power;
  finding.limit = least_power;
  finding.reason =
      fmt::format("the power of h of the largest error, {:.1e} of the energy at h = {:.3g}", coarse.worst / coarse.scale, trial.h);
  finding.verdict = power >= least_power ? Verdict::kept : Verdict::broken;
}

void MemoryCheck::order(Finding &finding) const
{
  const Spent all = motion(trial.h, trial.steps).spent;
  if (all.dissipated == at_start.dissipated)
  {
    finding.reason = nothing_flows;
    return;
  }
  Trial at_flow = trial;
  const bool flows = flowed(at_start, all);
  if (flows && !flowed(at_start, motion(trial.h, few_steps).spent))
    at_flow.start = before_flow();
  const bool late = laws.depends_on_rates() && (integrator.law_point() != 1. || integrator.work_rule() == WorkRule::discrete_gradient);
  const int promised = integrator.promise(*trial.system).order, expected = std::min(promised, flows || late ? 1 : promised);
  if (promised == 0)
  {
    finding.reason = "no order in h";
    return;
  }
  const double tolerance = flows ? flow_order_tolerance : order_tolerance;
  Newton coarse;
  coarse.tolerance = rough_tolerance;
  const Newton *const kept = integrator.newton;
  if (rough && kept)
    integrator.newton = &coarse;
  const std::shared_ptr<void> restore(nullptr, [this, kept](void *) { integrator.newton = kept; });
  const MeasuredOrder order = measured_order(at_flow, expected, tolerance, trial.h);
  const double off = std::max(std::abs(order.q - expected), std::abs(order.v - expected));
  // The error of an isotropic flow that does not turn is of a higher order.
  const bool better = std::min(order.q, order.v) >= expected - tolerance && std::max(order.q, order.v) <= promised + order_tolerance;
  finding.value = std::abs(order.q - expected) > std::abs(order.v - expected) ? order.q : order.v;
  finding.limit = expected;
  finding.reason = fmt::format("of q {:.2f}, of v {:.2f} at h = {:.2g} s{}", order.q, order.v, order.h,
                               late    ? "; 1 where the forces of a step are those of its middle, and laws know rates"
                               : flows ? "; 1 where flow turns"
                                       : "");
  finding.verdict = off <= tolerance || better ? Verdict::kept : Verdict::broken;
}

void MemoryCheck::function(Finding &finding) const
{
  const State about = before_flow();
  const auto increment = laws.increment(about.history, trial.h, about.t + trial.h);
  Vector near = about.q, far = about.q, f = trial.system->new_vector(), g = f;
  near.add(trial.h, about.v);
  far.add(5. * trial.h, about.v);
  for (Vector *x : {&near, &far})
    x->update_ghost_values();
  increment->internal_force(near, f);
  increment->internal_force(far, g);
  increment->internal_force(near, g);
  const bool same = same_bits(f, g);
  g -= f;
  judge(finding, same ? 0. : g.l2_norm() / f.l2_norm(), 0., "change of the force at one place after a force at another, relative");
}

void MemoryCheck::accepted_state(Finding &finding) const
{
  if (integrator.law_point() != 1. || integrator.divides())
  {
    finding.promised = false;
    finding.reason = "its law is taken within the step";
    return;
  }
  double worst = 0.;
  State state = before_flow();
  Vector f = trial.system->new_vector(), g = f;
  for (int k = 0; k < few_steps; ++k)
  {
    const State before = state;
    advance(*trial.system, integrator, state, trial.h);
    laws.increment(before.history, trial.h, state.t)->internal_force(state.q, f);
    About(*trial.system, state)->internal_force(state.q, g);
    const double size = std::max(f.l2_norm(), 1e-300);
    g -= f;
    worst = larger(worst, g.l2_norm() / size);
  }
  judge(finding, worst, force_limit, "difference of the force that ends a step and that of its state, relative");
}

/// Without the tangent that Newton's method keeps from one solution to the next, and what linear solvers have learnt: `automatic` chooses
/// by what it has seen.
void MemoryCheck::step_afresh(State &state) const
{
  if (trial.keeps)
    trial.keeps->forget();
  Newton fresh;
  const Newton *const kept = integrator.newton;
  if (kept)
  {
    fresh.tolerance = kept->tolerance;
    integrator.newton = &fresh;
  }
  const std::shared_ptr<void> restore(nullptr, [this, kept](void *) { integrator.newton = kept; });
  advance(*trial.system, integrator, state, trial.h);
}

void MemoryCheck::rollback(Finding &finding) const
{
  const State before = before_flow();
  State first = before, far = before, second = before;
  step_afresh(first);
  try
  {
    advance(*trial.system, integrator, far, 4. * trial.h);
  }
  catch (const ComputationError &)  // too far: that is a trial, too
  {
  }
  step_afresh(second);
  const bool same = same_bits(first.q, second.q) && same_bits(first.v, second.v) &&
                    laws.spent(first.history).dissipated == laws.spent(second.history).dissipated;
  bool kept = true;
  std::string reason = "a step repeated after a longer one has the same bits";
  if (!integrator.is_explicit() && integrator.newton)
  {
    Newton fails;
    fails.max_iterations = 0;
    const Newton *good = std::exchange(integrator.newton, &fails);
    State state = before;
    try
    {
      advance(*trial.system, integrator, state, 10. * trial.h);
      reason += "; a step without iterations did not fail";
    }
    catch (const ComputationError &)
    {
      kept = state.history == before.history && same_bits(state.q, before.q);
      reason += ", one that fails leaves the history, the same object";
    }
    integrator.newton = good;
  }
  judge(finding, (same ? 0. : 1.) + (kept ? 0. : 1.), 0., reason);
}

void MemoryCheck::same_as_elastic(Finding &finding) const
{
  constexpr int most_tenths = 10;
  Trial small = trial;
  small.start.history = virgin;
  for (int k = 0; k < most_tenths; ++k, small.start.v *= 0.1, small.start.q *= 0.1)
  {
    small.start.q.update_ghost_values();
    small.start.v.update_ghost_values();
    State flowing = small.start, elastic = small.start;
    const auto frozen = laws.at(elastic);
    begin(*frozen, integrator, flowing, trial.h);
    begin(*frozen, integrator, elastic, trial.h);
    for (int n = 0; n < few_steps; ++n)
      advance(*trial.system, integrator, flowing, trial.h);
    if (const Spent now = laws.spent(flowing.history); now.largest_flow > 0. || now.dissipated > 0.)
      continue;
    const HistoryPointer none = elastic.history;
    for (int n = 0; n < few_steps; ++n)
      advance(*frozen, integrator, elastic, trial.h);
    const auto [q, v] = distances(*trial.system, flowing, elastic);
    const double speed = std::sqrt(2. * kinetic_energy(*trial.system, small.start.v));
    judge(finding, larger(q / (speed * few_steps * trial.h), v / speed), elastic_limit,
          fmt::format("distance after {} steps of a motion {:g} times as large, relative", few_steps, std::pow(0.1, k)));
    return;
  }
  finding.promised = false;
  finding.reason = "the law flows in any motion";
}
}  // namespace symdyn
