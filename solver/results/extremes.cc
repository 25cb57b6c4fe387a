#include "solver/results/extremes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/archive.h"

namespace symdyn
{
namespace
{
constexpr std::size_t first_value = 3;  ///< after time, step, stage
}

Extremes::Extremes(const std::vector<Column> &columns)
{
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  time_unit = columns.at(0).unit;
  for (std::size_t i = first_value; i < columns.size(); ++i)
  {
    names.push_back(columns[i].name);
    units.push_back(columns[i].unit);
  }
  found.assign(names.size(), {nan, nan, nan, nan});
}

void Extremes::look(const double t, const std::vector<double> &values)
{
  if (values.size() != found.size())
    throw std::logic_error(fmt::format("a row has {} values and the table {} columns", values.size(), found.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    Pair &pair = found[i];
    if (!std::isfinite(values[i]))
      continue;
    if (!(pair.least <= values[i]))
      pair.least = values[i], pair.when_least = t;
    if (!(pair.largest >= values[i]))
      pair.largest = values[i], pair.when_largest = t;
  }
}

std::string Extremes::table() const
{
  std::string text = fmt::format("column,minimum,time of minimum [{0}],maximum,time of maximum [{0}],unit\n", time_unit);
  for (std::size_t i = 0; i < found.size(); ++i)
    text += fmt::format("{},{},{},{},{},{}\n", names[i], found[i].least, found[i].when_least, found[i].largest, found[i].when_largest,
                        units[i].empty() ? "1" : units[i]);
  return text;
}

void Extremes::save(Archive archive) const
{
  std::vector<double> values;
  for (const Pair &p : found)
    values.insert(values.end(), {p.least, p.when_least, p.largest, p.when_largest});
  archive.put("time unit", time_unit);
  archive.put("names", names);
  archive.put("units", units);
  archive.put("values", values);
}

void Extremes::load(const Archive &archive)
{
  archive.get("time unit", time_unit);
  archive.get("names", names);
  archive.get("units", units);
  const auto values = archive.get<std::vector<double>>("values");
  found.clear();
  for (std::size_t i = 0; i + 3 < values.size(); i += 4)
    found.push_back({values[i], values[i + 1], values[i + 2], values[i + 3]});
}
}  // namespace symdyn
