#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "solver/base/quantity.h"
#include "solver/error.h"
#include "solver/pictures/compare.h"

namespace symdyn
{
namespace
{
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Rows of both that belong together; how many have no partner, and the first time of one.
struct Rows
{
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t alone_a = 0, alone_b = 0;
  double first_alone = 0;
  bool by_time = false;
};

double largest(const std::vector<double> &values)
{
  double size = 0;
  for (const double value : values)
    size = std::max(size, std::abs(value));
  return size;
}

Rows match_times(const std::vector<double> &a, const std::vector<double> &b)
{
  constexpr double same = 1e-9;
  const double small = same * std::max(largest(a), largest(b));
  Rows rows;
  rows.by_time = true;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size())
  {
    const double ta = i < a.size() ? a[i] : infinite, tb = j < b.size() ? b[j] : infinite;
    if (i < a.size() && j < b.size() && std::abs(ta - tb) <= small)
      rows.pairs.emplace_back(i++, j++);
    else
    {
      if (rows.alone_a + rows.alone_b == 0)
        rows.first_alone = std::min(ta, tb);
      ta < tb ? (++rows.alone_a, ++i) : (++rows.alone_b, ++j);
    }
  }
  return rows;
}

bool has_times(const CsvTable &table)
{
  return table.is_number[0] && std::all_of(table.values[0].begin(), table.values[0].end(), [](const double t) { return std::isfinite(t); });
}

Rows match_rows(const CsvTable &a, const CsvTable &b)
{
  if (has_times(a) && has_times(b))
    return match_times(a.values[0], b.values[0]);
  Rows rows;
  for (std::size_t i = 0; i < std::min(a.rows(), b.rows()); ++i)
    rows.pairs.emplace_back(i, i);
  rows.alone_a = a.rows() - rows.pairs.size();
  rows.alone_b = b.rows() - rows.pairs.size();
  rows.first_alone = double(rows.pairs.size());
  return rows;
}

/// Largest size of each quantity in both.
using Scales = std::map<std::string, double>;

void note_size(const std::string &header, const std::vector<double> &values, Scales &scales)
{
  const Quantity quantity = quantity_of(header);
  double &scale = scales[quantity.name];
  scale = std::max(scale, quantity.least);
  for (const double value : values)
    if (std::isfinite(value))
      scale = std::max(scale, std::abs(value));
}

/// |x - y| over the scale; infinite if one alone is not finite.
double distance(const double x, const double y, const double scale)
{
  if (std::isfinite(x) && std::isfinite(y))
    return x == y ? 0. : std::abs(x - y) / scale;
  return (std::isnan(x) && std::isnan(y)) || x == y ? 0. : infinite;
}

void look(Difference &difference, const double off, const double time, const double tolerance)
{
  if (off > tolerance && !difference.beyond)
  {
    difference.beyond = true;
    difference.first = time;
  }
  if (off > difference.largest)
  {
    difference.largest = off;
    difference.when = time;
  }
  if (std::isinf(off))
    difference.note = "nan or infinite in one of both";
}

/// Two tables, rows that belong together, scales.
struct Pair
{
  const CsvTable &a, &b;
  const Rows rows;
  Scales scales;
  const double tolerance;

  double time(const std::size_t row_of_a) const { return rows.by_time ? a.values[0][row_of_a] : double(row_of_a); }
  Difference numbers(std::size_t of_a, std::size_t of_b) const;
  Difference phases(std::size_t of_a, std::size_t of_b, const std::string &amplitude) const;
  Difference words(std::size_t of_a, std::size_t of_b) const;
  Difference column(std::size_t of_a, std::size_t of_b) const;
};

Difference Pair::numbers(const std::size_t of_a, const std::size_t of_b) const
{
  Difference difference{a.names[of_a], a.units[of_a], 0., 0., 0., false, ""};
  const double scale = scales.at(quantity_of(a.headers[of_a]).name);
  const bool of_shape = a.names[of_a].rfind("participation ", 0) == 0;
  const auto seen = [&](const double value) { return of_shape ? std::abs(value) : value; };
  for (const auto &[i, j] : rows.pairs)
    look(difference, distance(seen(a.values[of_a][i]), seen(b.values[of_b][j]), scale), time(i), tolerance);
  return difference;
}

/// Of an amplitude of rounding alone the phase may be any: counts |A| times the angle between both, over the scale of A.
Difference Pair::phases(const std::size_t of_a, const std::size_t of_b, const std::string &amplitude) const
{
  Difference difference{a.names[of_a], a.units[of_a], 0., 0., 0., false, ""};
  const std::size_t size_a = a.column(amplitude), size_b = b.column(amplitude);
  const double scale = scales.at(quantity_of(a.headers[size_a]).name);
  constexpr double turn = 360, radian = 57.29577951308232;
  for (const auto &[i, j] : rows.pairs)
  {
    const double x = a.values[of_a][i], y = b.values[of_b][j],
                 size = std::max(std::abs(a.values[size_a][i]), std::abs(b.values[size_b][j]));
    double off = distance(x, y, 1.);
    if (off > 0. && std::isfinite(off))
      off = size == 0. ? 0. : std::abs(std::remainder(x - y, turn)) / radian * size / scale;
    look(difference, off, time(i), tolerance);
  }
  return difference;
}

Difference Pair::words(const std::size_t of_a, const std::size_t of_b) const
{
  for (const auto &[i, j] : rows.pairs)
    if (a.texts[of_a][i] != b.texts[of_b][j])
      return Difference::of_kind(a.names[of_a], fmt::format("'{}' and '{}'", a.texts[of_a][i], b.texts[of_b][j]), time(i));
  return {a.names[of_a], "", 0., 0., 0., false, ""};
}

Difference Pair::column(const std::size_t i, const std::size_t j) const
{
  if (a.is_number[i] != b.is_number[j])
    return Difference::of_kind(a.names[i], "numbers in one, words in the other");
  if (!a.is_number[i])
    return words(i, j);
  if (a.units[i] != b.units[j])
    return Difference::of_kind(a.names[i], fmt::format("units differ: {} and {}", a.units[i], b.units[j]));
  const std::string phase = "phase ", amplitude = "amplitude " + a.names[i].substr(std::min(phase.size(), a.names[i].size()));
  if (a.names[i].rfind(phase, 0) == 0 && a.has(amplitude) && b.has(amplitude))
    return phases(i, j, amplitude);
  return numbers(i, j);
}

/// What a row of peaks.csv says.
struct Peak
{
  std::string header;
  double least, when_least, largest, when_largest;
};

std::map<std::string, Peak> peaks_of(const CsvTable &table)
{
  std::map<std::string, Peak> peaks;
  const auto number = [&](const char *name, const std::size_t row) {
    const std::size_t column = table.column(name);
    if (!table.is_number[column])
      throw InputError(fmt::format("{}: the column '{}' holds no numbers. The file is damaged, or not a peaks.csv", table.file, name));
    return table.values[column][row];
  };
  for (std::size_t i = 0; i < table.rows(); ++i)
    peaks[table.texts[0][i]] = {fmt::format("{} [{}]", table.texts[0][i], table.texts[table.column("unit")][i]), number("minimum", i),
                                number("time of minimum", i), number("maximum", i), number("time of maximum", i)};
  return peaks;
}

Difference compare_peak(const std::string &name, const Peak &a, const Peak &b, const Scales &scales, const double tolerance)
{
  if (a.header != b.header)
    return Difference::of_kind(name, fmt::format("units differ: {} and {}", a.header, b.header));
  Difference difference{name, "", 0., 0., 0., false, ""};
  const double scale = scales.at(quantity_of(a.header).name);
  look(difference, distance(a.least, b.least, scale), a.when_least, tolerance);
  look(difference, distance(a.largest, b.largest, scale), a.when_largest, tolerance);
  for (const auto &[what, x, y] : {std::tuple{"minimum", a.when_least, b.when_least}, {"maximum", a.when_largest, b.when_largest}})
    if (!difference.beyond && x != y && !(std::isnan(x) && std::isnan(y)) &&
        std::abs(x - y) > tolerance * std::max(std::abs(x), std::abs(y)))
      difference.note = fmt::format("{} at {:.6g} and {:.6g}", what, x, y);
  return difference;
}
}  // namespace

bool CompareOptions::wants(const std::string &column) const
{
  return std::count(ignored.begin(), ignored.end(), column) == 0 &&
         (columns.empty() || std::count(columns.begin(), columns.end(), column) > 0);
}

Difference Difference::of_kind(const std::string &name, const std::string &note, const double first)
{
  return {name, "", infinite, first, first, true, note};
}

std::vector<Difference> compare_tables(const CsvTable &a, const CsvTable &b, const CompareOptions &options)
{
  Pair both{a, b, match_rows(a, b), {}, options.tolerance};
  for (const CsvTable *table : {&a, &b})
    for (std::size_t i = 0; i < table->names.size(); ++i)
      note_size(table->headers[i], table->values[i], both.scales);
  const Rows &rows = both.rows;
  std::vector<Difference> differences;
  for (const auto &[alone, which] : {std::pair{rows.alone_a, a.file}, {rows.alone_b, b.file}})
    if (alone > 0)
      differences.push_back(Difference::of_kind("rows", fmt::format("{} only in {}", alone, which), rows.first_alone));
  if (rows.pairs.empty() && a.rows() > 0 && b.rows() > 0)
    throw InputError(fmt::format("{} and {} have no row at a common {}: there is nothing to compare", a.file, b.file, a.names[0]));
  for (std::size_t i = 0; i < a.names.size(); ++i)
    if (options.wants(a.names[i]))
      differences.push_back(b.has(a.names[i]) ? both.column(i, b.column(a.names[i]))
                                              : Difference::of_kind(a.names[i], "only in " + a.file));
  for (const std::string &name : b.names)
    if (options.wants(name) && !a.has(name))
      differences.push_back(Difference::of_kind(name, "only in " + b.file));
  return differences;
}

std::vector<Difference> compare_peaks(const CsvTable &a, const CsvTable &b, const CompareOptions &options)
{
  const auto of_a = peaks_of(a), of_b = peaks_of(b);
  Scales scales;
  for (const auto *peaks : {&of_a, &of_b})
    for (const auto &[name, peak] : *peaks)
      note_size(peak.header, {peak.least, peak.largest}, scales);
  std::vector<Difference> differences;
  for (const auto &[name, peak] : of_a)
    if (options.wants(name))
      differences.push_back(of_b.count(name) > 0 ? compare_peak(name, peak, of_b.at(name), scales, options.tolerance)
                                                 : Difference::of_kind(name, "only in " + a.file));
  for (const auto &[name, peak] : of_b)
    if (options.wants(name) && of_a.count(name) == 0)
      differences.push_back(Difference::of_kind(name, "only in " + b.file));
  return differences;
}
}  // namespace symdyn
