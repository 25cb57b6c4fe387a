#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/stages/motion.h"

// Tables with points inside of steps, and loads that jump between steps.
namespace symdyn
{
namespace
{
bool zero_until(const double end, const Table &table)
{
  const std::vector<double> &t = table.times(), &a = table.values();
  for (std::size_t i = 0; i < t.size() && (i == 0 || t[i] < end); ++i)
    if (a[i] != 0.)
      return false;
  return table(end) == 0.;
}
}  // namespace

std::vector<DrivingTable> Motion::driving_tables(const Analysis &analysis)
{
  const auto *driven = dynamic_cast<const TableDriven *>(&whole(analysis.system()));
  return driven ? driven->driving_tables() : std::vector<DrivingTable>();
}

void Motion::check_sampling(const Analysis &analysis) const
{
  if (!entries.averages())
    return;
  if (meets_tables())
    throw InputError(fmt::format("{}: Sampling = mean has no effect here: the steps of {} end at the points of tables. Remove the entry",
                                 entries.where_sampling, traits().linear ? "a modal transient stage" : "Adaptive = yes"));
  const std::vector<DrivingTable> tables = driving_tables(analysis);
  if (std::none_of(tables.begin(), tables.end(), [](const DrivingTable &one) { return one.averaged; }))
    throw InputError(fmt::format(
        "{}: Sampling = mean has no effect: no load of stage '{}' has an Amplitude file, and there is no Base motion in the frame `relative`. Remove the entry",
        entries.where_sampling, name));
}

void Motion::begin_tables(Analysis &analysis)
{
  const MechanicalSystem &system = analysis.system();
  check_sampling(analysis);
  if (entries.averages())
    analysis.actions.averaging = {time.step, analysis.place.start};
  jumps = entries.averages() ? std::vector<LoadJump>() : system.diagnosis().load_jumps(time.step);
  tables_to_meet.clear();
  if (meets_tables())
    for (const DrivingTable &one : driving_tables(analysis))
      tables_to_meet.emplace_back(one.table, time.step);
}

void Motion::end_tables(Analysis &analysis)
{
  analysis.actions.seen = {};
  analysis.actions.averaging = {};
}

void Motion::warn_of_missed_points(const Analysis &analysis) const
{
  if (meets_tables())
    return;
  constexpr double matters = 0.01;
  for (const DrivingTable &one : driving_tables(analysis))
  {
    if (!one.sampled || (one.averaged && entries.averages()))
      continue;
    const TableSteps::Missed missed = TableSteps(one.table, time.step).missed(analysis.place.start, time.end, matters);
    if (missed.points == 0)
      continue;
    const double step = step_that_meets(missed.times, analysis.place.start, time.step);
    std::string ways = step > 0. ? fmt::format("set \"Time step\" to {:.6g}, which meets them", step)
                                 : "let its points stand at multiples of \"Time step\"";
    if (one.averaged)
      ways += "; or \"Sampling = mean\": its impulse is then exact";
    log_warning(fmt::format(
        "stage {}: the table of {} has {} point{} inside of steps that matter: at t = {:g}{} it differs by {:.3g} % of its largest value from the straight line over "
        "the step. What it does between ends of steps is lost or counts too much: {}; or \"Adaptive = yes\" (steps end at its points)",
        name, one.name, missed.points, missed.points == 1 ? "" : "s", missed.at, Units::after(analysis.units.time),
        100. * missed.difference, ways));
  }
}

void Motion::warn_of_zero_tables(Analysis &analysis) const
{
  double end = time.end;
  for (const auto &other : analysis.stages)
    if (const TimeStepping *stepping = other->stepping())
      end = std::max(end, stepping->end);
  for (const DrivingTable &one : driving_tables(analysis))
    if (!one.of_support && zero_until(end, one.table) && analysis.zero_tables.insert(one.name).second)
      log_warning(fmt::format("stage {}: the table of {} is zero until the end of the run, t = {:g}{}. It has no effect", name, one.name,
                              end, Units::after(analysis.units.time)));
}

void Motion::warn_of_kinks(const Analysis &analysis) const
{
  constexpr double matters = 0.25;  // a sine with fewer than 25 points a period
  if (!feels_kinks(analysis))
    return;
  for (const DrivingTable &one : driving_tables(analysis))
  {
    if (!one.displaces)
      continue;
    const std::vector<double> &t = one.table.times(), &u = one.table.values();
    double fastest = 0, jump = 0, at = 0;
    const auto slope = [&](const std::size_t i) { return i == 0 || i == t.size() ? 0. : (u[i] - u[i - 1]) / (t[i] - t[i - 1]); };
    for (std::size_t i = 0; i < t.size(); ++i)
      fastest = std::max(fastest, std::abs(slope(i)));
    for (std::size_t i = 0; i < t.size(); ++i)
      if (const double change = std::abs(slope(i + 1) - slope(i)); t[i] > analysis.place.start && t[i] < time.end && change > jump)
      {
        jump = change;
        at = t[i];
      }
    if (jump <= matters * fastest)
      continue;
    log_warning(fmt::format(
        "stage {}: the table of {} has kinks: at t = {:g}{} its velocity jumps by {:.3g} % of the largest. After a jump {} may give velocities and accelerations that alternate "
        "from step to step, and Adaptive = yes loses the impulse that the mass between supports and free nodes passes on. Use an amplitude without kinks, a modal "
        "transient stage (exact), hht-alpha or generalized-alpha, or Elements/Mass = lumped",
        name, one.name, at, Units::after(analysis.units.time), 100. * jump / fastest, time.scheme));
  }
}

std::vector<double> Motion::cuts_of_step(const double t0, const double t1) const
{
  std::vector<double> cuts;
  for (const TableSteps &table : tables_to_meet)
  {
    const std::vector<double> own = table.cuts(t0, t1, table_tolerance());
    cuts.insert(cuts.end(), own.begin(), own.end());
  }
  if (tables_to_meet.size() < 2)
    return cuts;
  constexpr double same = 1e-9;
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end(), [&](const double a, const double b) { return b - a <= same * time.step; }), cuts.end());
  return cuts;
}

void Motion::log_load_jumps(const Analysis &analysis) const
{
  constexpr std::size_t most = 5;
  const double width = jump_width * time.step;
  std::size_t reported = 0;
  for (const LoadJump &jump : jumps)
  {
    const double steps_until = (0.5 * (jump.from + jump.to) - analysis.state.t) / time.step,
                 nearest = analysis.state.t + std::round(steps_until) * time.step;
    const bool between = jump.from - width <= nearest && nearest <= jump.to + width;
    if (jump.to < analysis.state.t - width || jump.from > time.end + width || !(between || meets_tables()))
      continue;
    if (++reported > most)
      return log_line(fmt::format("stage {}: ... and more jumps of loads", name));
    log_line(fmt::format(
        "stage {}: load {} jumps at t = {:g}{} from a factor of {:g} to {:g}: {} uses the first, {} the second; the acceleration is solved for again between them",
        name, jump.load, jump.to, Units::after(analysis.units.time), jump.before, jump.after,
        between ? "the step before" : "the part of the step before it", between ? "the step after" : "the part after it"));
  }
}

bool Motion::jumps_at(const double t, const double h) const
{
  return std::any_of(jumps.begin(), jumps.end(),
                     [&](const LoadJump &jump) { return jump.from - jump_width * h <= t && t <= jump.to + jump_width * h; });
}

void Motion::begin_step(Analysis &analysis, const long k) const
{
  if (jumps.empty())
    return;
  const MechanicalSystem &system = analysis.system();
  analysis.actions.seen = {analysis.state.t, analysis.place.start + k * time.step, time.step};
  if (k == 1 || !jumps_at(analysis.state.t, time.step))  // at its beginning a stage has solved for a
    return;
  time.integrator->start(system, analysis.state, time.step);
  analysis.energy_balance.jump(system, booked(analysis));
}

void Motion::begin_interval(Analysis &analysis, const double from, const double to) const
{
  if (jumps.empty())
    return;
  const MechanicalSystem &system = analysis.system();
  analysis.actions.seen = {from, to, time.step};
  if (!jumps_at(from, time.step))
    return;
  time.integrator->start(system, analysis.state, to - from);
  analysis.energy_balance.jump(system, booked(analysis));
}
}  // namespace symdyn
