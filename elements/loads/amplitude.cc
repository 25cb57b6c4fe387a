#include "elements/amplitude.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

double Amplitude::operator()(const double t) const
{
  if (table && mean.on())
    return mean(*table, t, StepMean::Beyond::constant);
  return in_time(table ? std::max(earliest, std::min(latest, t)) : t).x;
}

void Amplitude::set_interval(const double from, const double to)
{
  earliest = from;
  latest = to;
}

Jet<double> Amplitude::in_time(const double t) const
{
  if (!table)
    return formula.in_time(nullptr, 0, t);
  return {(*table)(t), table->slope(t), 0.};
}
}  // namespace symdyn
