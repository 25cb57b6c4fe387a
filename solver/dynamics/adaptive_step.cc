#include "solver/dynamics/adaptive_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/dynamics/flow_watch.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/parameters.h"
#include "solver/program_error.h"
#include "solver/searching.h"

namespace symdyn
{
namespace
{
constexpr double order = 3.;  ///< of the local error
constexpr double growth_margin = 0.5;
constexpr int default_halvings = 10, most_halvings = 30;

/// a of the equation of motion.
Vector acceleration(const MechanicalSystem &system, const Integrator &integrator, const State &state, const double h)
{
  if (integrator.carries_acceleration())
    return state.a;
  State copy = state;
  integrator.Integrator::start(*About(system, state), copy, h);
  return copy.a;
}

constexpr double part_of_a_halving = 1e-9;  ///< what rounding makes of a whole number

/// How often H can be halved without coming below `shortest`.
int halvings_down_to(const double shortest, const double H)
{
  return std::min(most_halvings, int(std::log2(H / shortest) + part_of_a_halving));
}

/// The fewest halvings of H that make it as short as `wanted`.
int halvings_towards(const double wanted, const double H, const int most)
{
  return std::max(0, std::min(most, int(std::ceil(std::log2(H / wanted) - part_of_a_halving))));
}

/// Into `sum`, whether the part is accepted or not.
void add_work_of_part(const StepReport &part, StepReport &sum)
{
  sum.newton += part.newton;
  sum.krylov += part.krylov;
  sum.kept += part.kept;
  sum.force = part.force;
}
}  // namespace

void AdaptiveStep::declare(Parameters &p)
{
  p.add("Adaptive", adaptive, "divides steps where their local error is too large; gives up symplecticity");
  p.add("Error tolerance", tolerance, "of Adaptive: local error of a step over the largest displacement so far [-]", positive());
  p.add("Reference displacement", reference, "of Adaptive: below it the largest displacement does not count [m]; 0: it always counts",
        not_negative());
  p.renamed("Cut back", "Halve on failure");
  p.add(
      "Halve on failure", cut_back,
      "halves a step whose equations are not solved, or in which plastic strain grows by more than 0.5 (not of explicit schemes); gives up symplecticity there");
  p.add("Smallest step", smallest, "of Adaptive and Halve on failure [s]; default: Time step/1024", positive());
  for (const char *entry : {"Error tolerance", "Reference displacement"})
    if (p.given(entry) && !adaptive)
      p.fail(entry, "has no effect without Adaptive = yes. Add that, or remove the entry");
  if (p.given("Smallest step") && !on())
    p.fail("Smallest step", "has no effect without Adaptive = yes or Halve on failure = yes. Add one of them, or remove the entry");
  where = p.where(adaptive ? "Adaptive" : "Halve on failure");
  where_smallest = p.where("Smallest step");
}

void AdaptiveStep::check(const MechanicalSystem &system, const Integrator &integrator, const std::string &scheme, const double step) const
{
  if (!on())
    return;
  constexpr double linear_acceleration = 1. / 6., same = 1e-9;
  const Promise promise = integrator.promise(system);
  if (adaptive && promise.order != 2)
    throw InputError(
        fmt::format("{}: the error estimate is of schemes of second order, and {} is none here. Use a fixed step, or Scheme = {}", where,
                    scheme, is_constrained(system) ? "newmark-constrained" : "newmark"));
  if (adaptive && std::abs(integrator.suris_shift() - linear_acceleration) < same)
    throw InputError(fmt::format(
        "{}: the error estimate compares with beta = 1/6, which {} has itself: it is always zero. Use beta = 0.25, or a fixed step", where,
        scheme));
  if (promise.order == 0)
    throw InputError(fmt::format("{}: {} has no steps that could be divided. Remove the entry", where, scheme));
  if (step > 0. && smallest > step)
    throw InputError(fmt::format("{}: must not be above the largest step, \"Time step\" = {:g} s", where_smallest, step));
  if (promise.symplectic != Where::nowhere)
    log_warning(fmt::format(
        "{}: {} keeps the symplectic form, and its energy from drifting, with a fixed step only: where the step changes both are given up. For long "
        "runs set a small fixed step",
        where, scheme));
}

void AdaptiveStep::begin(const double step)
{
  if (!on())
    return;
  if (smallest > step)
    throw InputError(fmt::format("{}: must not be above the largest step, \"Time step\" = {:g} s", where_smallest, step));
  finest = smallest > 0. ? halvings_down_to(smallest, step) : default_halvings;
  within = false;
  last = shortest = whole = wanted = step;
  largest_q = worst = 0.;
  counts = Counts();
}

double AdaptiveStep::local_error(const MechanicalSystem &system, const double h, const State &before, const Vector &a0, const State &after,
                                 const Vector &a1)
{
  Vector e = after.q;
  e -= before.q;
  e.add(-h, before.v, -h * h / 3., a0);
  e.add(-h * h / 6., a1);
  system.project(e);
  return e.linfty_norm();
}

double AdaptiveStep::relative_error(const MechanicalSystem &system, const Integrator &integrator, const double h, const State &before,
                                    const State &after)
{
  const Vector a0 = acceleration(system, integrator, before, h), a1 = acceleration(system, integrator, after, h);
  const double error = local_error(system, h, before, a0, after, a1);
  largest_q = std::max({largest_q, before.q.linfty_norm(), after.q.linfty_norm()});
  const double scale = std::max(reference, largest_q);
  return error == 0. ? 0. : error / scale;
}

/// Whether the equations of the part were solved, with a state that can be and flow that the part resolves; the level of the next one if
/// not.
bool AdaptiveStep::try_part(const MechanicalSystem &system, const Integrator &integrator, const double h, int &level, const int finest,
                            State &trial, StepReport &report)
{
  const double t = trial.t;
  try
  {
    report = step_within_reach(system, trial, [&] { return integrator.advance(system, trial, h); });
    if (cut_back && !is_admissible(*About(system, trial), trial, report))
      throw ComputationError(fmt::format("t = {:.6g} s: a step of {:.3g} s leads to an inverted cell. Lower \"Smallest step\"", t, h));
    const bool may_divide = level < finest && !integrator.is_explicit();
    const std::string flow = may_divide ? FlowWatch::large_flow(system, trial.history) : "";
    if (flow.empty())
      return true;
    note_failure(t, h, flow);
  }
  catch (const ComputationError &error)
  {
    if (!cut_back || level == finest || dynamic_cast<const ProgramError *>(&error))
      throw;
    note_failure(t, h, error.what());
  }
  ++level;
  return false;
}

void AdaptiveStep::note_failure(const double t, const double h, const std::string &what)
{
  ++counts.failed;
  const std::string text = fmt::format("t = {:.6g} s: a step of {:.3g} s fails and is halved: {}", t, h, what);
  failure_said ? log_detail(text) : log_warning(text);
  failure_said = true;
}

/// Whether a part of this error is accepted; the level of the next one if not.
bool AdaptiveStep::judge(const double error, const double t, int &level, const int finest)
{
  worst = std::max(worst, error);
  if (error <= tolerance)
    return true;
  if (level == finest)
  {
    if (++counts.beyond == 1)
      log_detail(
          fmt::format("t = {:.6g} s: the local error of the smallest step is {:.3g}, above the tolerance {:g}", t, error, tolerance));
    return true;
  }
  ++counts.rejected;
  const double down = std::isfinite(error) ? std::ceil(std::log2(error / tolerance) / order) : 1.;
  level = std::min(finest, level + std::max(1, int(std::min(down, double(most_halvings)))));
  return false;
}

void AdaptiveStep::note_part(const double h, const StepReport &report)
{
  ++counts.parts;
  shortest = std::min(shortest, h);
  most_newton = std::max(most_newton, report.newton - report.kept);
}

StepReport AdaptiveStep::advance(const MechanicalSystem &system, const Integrator &integrator, State &state, const double H,
                                 const Account &account, const bool ends)
{
  const double t0 = state.t;
  const std::uint64_t n = state.n;
  const int deepest = H == whole ? finest : std::max(0, halvings_down_to(std::ldexp(whole, -finest), H));
  int level = halvings_towards(wanted, H, deepest);
  const long units = 1L << deepest;
  StepReport sum;
  if (!std::exchange(within, true))
    most_newton = 0;
  bool may_grow = false;
  for (long position = 0; position < units;)
  {
    const long length = units >> level;
    const double h = std::ldexp(H, -level);
    if (h != last)
      integrator.start(system, state, h);
    last = h;
    State trial = state;
    StepReport report;
    if (!try_part(system, integrator, h, level, deepest, trial, report))
      continue;
    trial.t = t0 + std::ldexp(H, -deepest) * (position + length);
    const double error = adaptive ? relative_error(system, integrator, h, state, trial) : 0.;
    add_work_of_part(report, sum);
    if (!judge(error, state.t, level, deepest))
      continue;
    account(h, state, trial, report);
    std::swap(state, trial);
    position += length;
    note_part(h, report);
    if (!report.warning.empty())
      sum.warning = report.warning;
    may_grow = error * std::exp2(order) <= growth_margin * tolerance;
    if (level > 0 && position % (2 * length) == 0 && may_grow)
      --level;
  }
  wanted = level > 0 ? std::ldexp(H, -level) : may_grow ? std::min(whole, std::max(wanted, 2. * H)) : H;
  state.n = ends ? n + 1 : n;
  counts.steps += ends;
  within = !ends;
  return sum;
}

std::string AdaptiveStep::summary_line() const
{
  if (!on())
    return "";
  std::string text = fmt::format("{} steps in {} parts, the shortest {:.4g} s", counts.steps, counts.parts, shortest);
  if (adaptive)
    text += fmt::format("; {} parts rejected for their error", counts.rejected);
  if (cut_back || counts.failed > 0)
    text += fmt::format("; {} halved because they failed", counts.failed);
  if (counts.beyond > 0)
    text += fmt::format(
        "; {} of the smallest parts have a larger error than the tolerance {:g}, the largest {:.3g}: lower \"Smallest step\", or give a \"Reference "
        "displacement\" if they are at the start of a motion from rest",
        counts.beyond, tolerance, worst);
  return text;
}

void AdaptiveStep::save(Archive archive) const
{
  archive.put("wanted", wanted);
  archive.put("last", last);
  archive.put("largest q", largest_q);
  archive.put("shortest", shortest);
  archive.put("worst", worst);
  archive.put("failure said", failure_said);
  archive.put("counts", std::vector<long>{counts.steps, counts.parts, counts.rejected, counts.failed, counts.beyond});
}

void AdaptiveStep::load(const Archive &archive)
{
  archive.get("wanted", wanted);
  archive.get("last", last);
  archive.get("largest q", largest_q);
  archive.get("shortest", shortest);
  archive.get("worst", worst);
  archive.get("failure said", failure_said);
  const auto numbers = archive.get<std::vector<long>>("counts");
  std::size_t i = 0;
  for (long *count : {&counts.steps, &counts.parts, &counts.rejected, &counts.failed, &counts.beyond})
    *count = numbers.at(i++);
}
}  // namespace symdyn
