#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/run/simulation.h"

// Tables and records with points inside of steps. A scheme takes a load for smooth within a step and uses its values at times of its own,
// most often the ends: of what a table does between them it sees nothing. Stages that may choose the ends of their steps end them at such
// points; others can take means (StepMean); the rest is warned of.
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

std::vector<DrivingTable> Simulation::driving_tables() const
{
  const auto *driven = dynamic_cast<const TableDriven *>(&structure->system());
  return driven ? driven->driving_tables() : std::vector<DrivingTable>();
}

void Simulation::check_sampling(const Stage &stage) const
{
  if (!stage.averages_tables())
    return;
  if (stage.meets_tables())
    throw InputError(fmt::format("{}: Sampling = mean has no effect here: the steps of {} end at the points of tables. Remove the entry",
                                 stage.where_sampling, stage.modal ? "a modal transient stage" : "Adaptive = yes"));
  const std::vector<DrivingTable> tables = driving_tables();
  if (std::none_of(tables.begin(), tables.end(), [](const DrivingTable &one) { return one.averaged; }))
    throw InputError(fmt::format(
        "{}: Sampling = mean has no effect: no load of stage '{}' has an Amplitude file, and there is no Base motion in the frame `relative`. Remove the entry",
        stage.where_sampling, stage.name));
}

void Simulation::begin_tables(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  check_sampling(stage);
  if (auto *driven = dynamic_cast<TableDriven *>(&system); driven && stage.averages_tables())
    driven->average_tables(StepMean(stage.step, place.start));
  jumps = stage.averages_tables() ? std::vector<LoadJump>() : system.load_jumps(stage.step);
  tables_to_meet.clear();
  if (stage.meets_tables())
    for (const DrivingTable &one : driving_tables())
      tables_to_meet.emplace_back(one.table, stage.step);
}

void Simulation::end_tables()
{
  constexpr double never = std::numeric_limits<double>::infinity();
  structure->system().set_step_interval(-never, never, never);
  if (auto *driven = dynamic_cast<TableDriven *>(&structure->system()))
    driven->average_tables(StepMean());
}

void Simulation::warn_of_missed_points(const Stage &stage) const
{
  if (stage.meets_tables())
    return;
  constexpr double matters = 0.01;
  for (const DrivingTable &one : driving_tables())
  {
    if (!one.sampled || (one.averaged && stage.averages_tables()))
      continue;
    const TableSteps::Missed missed = TableSteps(one.table, stage.step).missed(place.start, stage.end, matters);
    if (missed.points == 0)
      continue;
    const double step = step_that_meets(missed.times, place.start, stage.step);
    std::string ways = step > 0. ? fmt::format("set \"Time step\" to {:.6g}, which meets them", step)
                                 : "let its points stand at multiples of \"Time step\"";
    if (one.averaged)
      ways += "; or \"Sampling = mean\": its impulse is then exact";
    log_warning(fmt::format(
        "stage {}: the table of {} has {} point{} inside of steps that matter: at t = {:g}{} it differs by {:.3g} % of its largest value from the straight line over "
        "the step. What it does between ends of steps is lost or counts too much: {}; or \"Adaptive = yes\" (steps end at its points)",
        stage.name, one.name, missed.points, missed.points == 1 ? "" : "s", missed.at, Units::after(units.time), 100. * missed.difference,
        ways));
  }
}

void Simulation::warn_of_zero_tables(const Stage &stage)
{
  double end = stage.end;
  for (const Stage &other : stages)
    if (other.moves())
      end = std::max(end, other.end);
  for (const DrivingTable &one : driving_tables())
    if (!one.of_support && zero_until(end, one.table) && zero_tables.insert(one.name).second)
      log_warning(fmt::format("stage {}: the table of {} is zero until the end of the run, t = {:g}{}. It has no effect", stage.name,
                              one.name, end, Units::after(units.time)));
}

void Simulation::warn_of_kinks(const Stage &stage) const
{
  constexpr double matters = 0.25;  // a sine with fewer than 25 points a period
  if (stage.modal || structure->system().has(Feature::diagonal_mass))
    return;
  for (const DrivingTable &one : driving_tables())
  {
    if (!one.displaces)
      continue;
    const std::vector<double> &t = one.table.times(), &u = one.table.values();
    double fastest = 0, jump = 0, at = 0;
    const auto slope = [&](const std::size_t i) { return i == 0 || i == t.size() ? 0. : (u[i] - u[i - 1]) / (t[i] - t[i - 1]); };
    for (std::size_t i = 0; i < t.size(); ++i)
      fastest = std::max(fastest, std::abs(slope(i)));
    for (std::size_t i = 0; i < t.size(); ++i)
      if (const double change = std::abs(slope(i + 1) - slope(i)); t[i] > place.start && t[i] < stage.end && change > jump)
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
        stage.name, one.name, at, Units::after(units.time), 100. * jump / fastest, stage.scheme));
  }
}

std::vector<double> Simulation::cuts_of_step(const Stage &stage, const double t0, const double t1) const
{
  std::vector<double> cuts;
  for (const TableSteps &table : tables_to_meet)
  {
    const std::vector<double> own = table.cuts(t0, t1, stage.table_tolerance());
    cuts.insert(cuts.end(), own.begin(), own.end());
  }
  if (tables_to_meet.size() < 2)
    return cuts;
  constexpr double same = 1e-9;
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end(), [&](const double a, const double b) { return b - a <= same * stage.step; }), cuts.end());
  return cuts;
}
}  // namespace symdyn
