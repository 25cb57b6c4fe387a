#include "elements/amplitude.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "solver/deck/formula/step_mean.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// A table from t, value, t, value, ...
Table table_of(const std::vector<double> &points, const Parameters &p)
{
  const std::string entry = "Amplitude points";
  if (points.size() % 2 != 0)
    p.fail(entry, "needs pairs: t, value, t, value, ...");
  std::vector<double> times, values;
  for (std::size_t i = 0; i < points.size(); i += 2)
  {
    if (!times.empty() && !(points[i] > times.back()))
      p.fail(entry, fmt::format("t = {} must be > {}, the time before. For a jump write two close times", points[i], times.back()));
    times.push_back(points[i]);
    values.push_back(points[i + 1]);
  }
  return Table::of(times, values);
}

/// t, moved to the side of jumps at the ends of a step that belongs to it: behind one at its begin, before one at its end.
double on_the_side_of(const Interval &step, const Table &table, const double t)
{
  if (!step.of_a_step())
    return t;
  const double width = step.width(), near = 2. * width;
  double earliest = -std::numeric_limits<double>::infinity(), latest = -earliest;
  const std::vector<Table::Jump> at_begin = table.jumps(width, step.t0 - near, step.t0 + near),
                                 at_end = table.jumps(width, step.t1 - near, step.t1 + near);
  if (const Table::Jump *jump = Table::nearest(at_begin, step.t0, width))
    earliest = jump->to;
  if (const Table::Jump *jump = Table::nearest(at_end, step.t1, width))
    latest = jump->from;
  return std::max(earliest, std::min(latest, t));
}
}  // namespace

void Amplitude::declare(Parameters &p)
{
  std::string file;
  std::vector<double> points;
  p.add("Amplitude", formula, "factor of time t [-]");
  p.add("Amplitude file", file, "file of lines `t value` [s, -], relative to the deck; instead of Amplitude");
  p.add("Amplitude points", points, "table `t, value, t, value, ...` [s, -] in the deck itself; instead of Amplitude");
  for (const char *variable : {"x", "y", "z"})
    if (formula.uses(variable))
      p.fail("Amplitude", "an amplitude depends on t alone; put x, y, z into the field itself");
  if (p.given("Amplitude points"))
  {
    for (const char *other : {"Amplitude", "Amplitude file"})
      if (p.given(other))
        p.fail("Amplitude points", fmt::format("there is an {} too; give one of the two", other));
    table = std::make_shared<Table>(table_of(points, p));
    table_name = fmt::format("of {} points from t = {} to {} ({:x})", points.size() / 2, table->times().front(), table->times().back(),
                             std::hash<std::string>()(fmt::format("{}", fmt::join(points, ","))));
  }
  if (file.empty())
    return;
  if (p.given("Amplitude"))
    p.fail("Amplitude file", "there is an Amplitude too; give one of the two");
  table_name = file;
  try
  {
    table = std::make_shared<Table>(Table::read(p.file_path(file)));
  }
  catch (const InputError &error)
  {
    p.fail("Amplitude file", error.what());
  }
}

double Amplitude::operator()(const Moment &now) const
{
  if (table && now.averaging.on())
    return StepMean(now.averaging)(*table, now.t, StepMean::Beyond::constant);
  return in_time(table ? on_the_side_of(now.seen, *table, now.t) : now.t).x;
}

Jet<double> Amplitude::in_time(const double t) const
{
  if (!table)
    return formula.in_time(nullptr, 0, t);
  return {(*table)(t), table->slope(t), 0.};
}

void check_force(const Parameters &p, const std::string &entry, const std::vector<Expression> &components, const std::size_t needed)
{
  if (components.empty())
    p.fail(entry, fmt::format("is missing. The load needs {} components, with commas", needed));
  if (components.size() != needed)
    p.fail(entry, fmt::format("needs {} components separated by commas; here are {}", needed, components.size()));
  if (std::all_of(components.begin(), components.end(), [](const Expression &e) { return e.is_zero(); }))
    p.fail(entry, "every component is zero: the load has no effect. Give its value or remove the load");
}
}  // namespace symdyn
