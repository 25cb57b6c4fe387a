#include "solver/deck/formula/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
std::vector<std::string> table_columns(const std::string &line)
{
  for (const char separator : {';', ','})
    if (line.find(separator) != std::string::npos)
      return split(line, separator);
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// Titles: no column is a number, nor an attempt at one ("nan" is none: it must not pass for a title).
bool are_titles(const std::vector<std::string> &words)
{
  return std::none_of(words.begin(), words.end(), [](const std::string &word) {
    char *end = nullptr;
    std::strtod(word.c_str(), &end);
    return word.empty() || end != word.c_str();
  });
}

double table_number(const std::string &word, const std::string &place, const std::string &rule)
{
  const auto value = number_from<double>(word);
  if (!value)
    throw InputError(place + ": '" + word + "' is not a finite number. A line is '" + rule + "'.");
  return *value;
}

const std::string one_value = "t value", any_values = "t value value ...";
}  // namespace

Table Table::read(const std::string &file) { return read_lines(file, 1).front(); }

std::vector<Table> Table::read_columns(const std::string &file) { return read_lines(file, 0); }

/// `values`: in each line beside t; 0: as many as in the first.
std::vector<Table> Table::read_lines(const std::string &file, std::size_t values)
{
  const std::string rule = values == 1 ? one_value : any_values;
  const TextFile found = TextFile::read(file);
  if (!found.fault.empty())
    throw InputError(found.place(file) + (found.line > 0 ? " " : ": ") + found.fault + ".");
  std::istringstream stream(found.text);
  std::vector<Table> tables(values);
  std::string line;
  int number_of_line = 0, previous = 0;
  for (bool first = true; std::getline(stream, line);)
  {
    const std::string place = fmt::format("{}:{}", file, ++number_of_line);
    const auto words = table_columns(trim(line.substr(0, line.find('#'))));
    if (words.empty())
      continue;
    if (words.size() < 2 || (values > 0 && words.size() != values + 1))
      throw InputError(fmt::format("{}: has {} columns; a line is '{}'{}.", place, words.size(), rule,
                                   previous > 0 && values > 1 ? fmt::format(", and line {} has {}", previous, values + 1) : ""));
    const bool titles = first && are_titles(words);
    first = false;
    if (titles)
      continue;
    values = words.size() - 1;
    tables.resize(values);
    const double time = table_number(words[0], place, rule);
    if (previous > 0 && time <= tables[0].t.back())
      throw InputError(fmt::format("{}: t = {} must be > {}, which line {} has. For a jump write two close times.", place, time,
                                   tables[0].t.back(), previous));
    previous = number_of_line;
    for (std::size_t column = 0; column < values; ++column)
    {
      tables[column].t.push_back(time);
      tables[column].a.push_back(table_number(words[column + 1], place, rule));
    }
  }
  if (previous == 0)
    throw InputError(file + ": has no line '" + rule + "'.");
  return tables;
}

Table Table::of(std::vector<double> times, std::vector<double> values)
{
  Table table;
  table.t = std::move(times);
  table.a = std::move(values);
  return table;
}

double Table::largest() const
{
  double size = 0;
  for (const double value : a)
    size = std::max(size, std::abs(value));
  return size;
}

Table Table::changed(const double delay, const double factor) const
{
  Table other = *this;
  for (double &time : other.t)
    time += delay;
  for (double &value : other.a)
    value *= factor;
  return other;
}

double Table::operator()(const double time) const
{
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  if (after == t.begin())
    return a.front();
  if (after == t.end())
    return a.back();
  const std::size_t i = after - t.begin();
  const double weight = (time - t[i - 1]) / (t[i] - t[i - 1]);
  return (1. - weight) * a[i - 1] + weight * a[i];
}

std::vector<Table::Jump> Table::jumps(const double width) const
{
  constexpr double never = std::numeric_limits<double>::infinity();
  return jumps(width, -never, never);
}

std::vector<Table::Jump> Table::jumps(const double width, const double from, const double to) const
{
  constexpr double alone = 10., clear = 0.01;
  double clearly = -1;  // of the whole table: not before some rows are close
  std::vector<Jump> found;
  for (std::size_t i = std::max<std::ptrdiff_t>(1, std::lower_bound(t.begin(), t.end(), from) - t.begin()); i < t.size() && t[i - 1] <= to;
       ++i)
  {
    const double length = t[i] - t[i - 1];
    const bool before = i < 2 || t[i - 1] - t[i - 2] >= alone * length, after = i + 1 == t.size() || t[i + 1] - t[i] >= alone * length;
    if (!(length <= width && before && after))
      continue;
    if (clearly < 0.)
      clearly = clear * largest();
    if (std::abs(a[i] - a[i - 1]) >= clearly)
      found.push_back({t[i - 1], t[i], a[i - 1], a[i]});
  }
  return found;
}

const Table::Jump *Table::nearest(const std::vector<Jump> &jumps, const double t, const double width)
{
  const auto distance = [t](const Jump &jump) { return std::max({0., jump.from - t, t - jump.to}); };
  auto nearest = std::lower_bound(jumps.begin(), jumps.end(), t, [](const Jump &jump, const double time) { return jump.to < time; });
  if (nearest != jumps.begin() && (nearest == jumps.end() || distance(*std::prev(nearest)) < distance(*nearest)))
    --nearest;
  return nearest != jumps.end() && distance(*nearest) <= width ? &*nearest : nullptr;
}

double Table::slope(const double time) const
{
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  if (after == t.begin() || after == t.end())
    return 0.;
  const std::size_t i = after - t.begin();
  return (a[i] - a[i - 1]) / (t[i] - t[i - 1]);
}
}  // namespace symdyn
