#include "solver/results/extremes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "solver/base/checkpoint.h"

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
    text += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g},{}\n", names[i], found[i].least, found[i].when_least, found[i].largest,
                        found[i].when_largest, units[i].empty() ? "1" : units[i]);
  return text;
}

nlohmann::json Extremes::saved() const
{
  nlohmann::json rows = nlohmann::json::array();
  for (const Pair &p : found)
    rows.push_back({exact(p.least), exact(p.when_least), exact(p.largest), exact(p.when_largest)});
  return {{"time unit", time_unit}, {"names", names}, {"units", units}, {"rows", rows}};
}

void Extremes::load(const nlohmann::json &saved)
{
  time_unit = saved.at("time unit");
  names = saved.at("names").get<std::vector<std::string>>();
  units = saved.at("units").get<std::vector<std::string>>();
  found.clear();
  for (const auto &row : saved.at("rows"))
    found.push_back({from_exact(row.at(0)), from_exact(row.at(1)), from_exact(row.at(2)), from_exact(row.at(3))});
}
}  // namespace symdyn
