#include "solver/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "solver/csv.h"
#include "solver/error.h"
#include "solver/names.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// Rows of both that belong together; how many have no partner, and the first time of one.
struct Rows
{
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::size_t alone_a = 0, alone_b = 0;
  double first_alone = 0;
};

Rows match(const std::vector<double> &a, const std::vector<double> &b)
{
  constexpr double same = 1e-9;
  const double scale = std::max(a.empty() ? 0. : std::abs(a.back()), b.empty() ? 0. : std::abs(b.back()));
  Rows rows;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size())
  {
    const double ta = i < a.size() ? a[i] : infinite, tb = j < b.size() ? b[j] : infinite;
    if (i < a.size() && j < b.size() && std::abs(ta - tb) <= same * scale)
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

Rows match_rows(const CsvTable &a, const CsvTable &b)
{
  if (a.is_number[0] && b.is_number[0])
    return match(a.values[0], b.values[0]);
  Rows rows;
  for (std::size_t i = 0; i < std::min(a.rows(), b.rows()); ++i)
    rows.pairs.emplace_back(i, i);
  rows.alone_a = a.rows() - rows.pairs.size();
  rows.alone_b = b.rows() - rows.pairs.size();
  return rows;
}

double time_of(const CsvTable &table, const std::size_t row) { return table.is_number[0] ? table.values[0][row] : double(row); }

/// What shares a scale: the components of a vector, of which one may be rounding alone; the energies, of which the balance error is.
std::string quantity(const std::string &column)
{
  static const std::set<std::string> energies{"E_kinetic", "E_potential", "W_external", "E_dissipated", "E_total", "E_balance_error"};
  if (energies.count(column) > 0)
    return "energy";
  const std::size_t n = column.size();
  return n > 2 && column[n - 2] == '_' && column[n - 1] >= 'x' && column[n - 1] <= 'z' ? column.substr(0, n - 2) : column;
}

/// Largest size of each quantity in both.
std::map<std::string, double> scales_of(const CsvTable &a, const CsvTable &b)
{
  std::map<std::string, double> scales;
  for (const CsvTable *table : {&a, &b})
    for (std::size_t i = 0; i < table->names.size(); ++i)
      for (const double value : table->values[i])
        if (double &scale = scales[quantity(table->names[i])]; std::isfinite(value))
          scale = std::max(scale, std::abs(value));
  return scales;
}

Difference compare_numbers(const CsvTable &a, const CsvTable &b, const std::size_t of_a, const std::size_t of_b, const Rows &rows, const double scale, const double tolerance)
{
  Difference difference{a.names[of_a], a.units[of_a], 0., 0., 0., false, ""};
  const std::vector<double> &x = a.values[of_a], &y = b.values[of_b];
  for (const auto &[i, j] : rows.pairs)
  {
    double off = 0;
    if (std::isfinite(x[i]) && std::isfinite(y[j]))
      off = x[i] == y[j] ? 0. : std::abs(x[i] - y[j]) / scale;
    else if (!(std::isnan(x[i]) && std::isnan(y[j])) && x[i] != y[j])
      off = infinite;
    if (off > tolerance && !difference.beyond)
    {
      difference.beyond = true;
      difference.first = time_of(a, i);
    }
    if (off > difference.largest)
    {
      difference.largest = off;
      difference.when = time_of(a, i);
    }
  }
  if (std::isinf(difference.largest))
    difference.note = "nan or infinite in one of both";
  if (a.units[of_a] != b.units[of_b])
    difference = {a.names[of_a], a.units[of_a], infinite, 0., 0., true, fmt::format("units differ: {} and {}", a.units[of_a], b.units[of_b])};
  return difference;
}

Difference compare_words(const CsvTable &a, const CsvTable &b, const std::size_t of_a, const std::size_t of_b, const Rows &rows)
{
  Difference difference{a.names[of_a], "", 0., 0., 0., false, ""};
  if (a.is_number[of_a] != b.is_number[of_b])
    return {a.names[of_a], "", infinite, 0., 0., true, "numbers in one, words in the other"};
  for (const auto &[i, j] : rows.pairs)
    if (!difference.beyond && a.texts[of_a][i] != b.texts[of_b][j])
      difference = {a.names[of_a], "", infinite, time_of(a, i), time_of(a, i), true, fmt::format("'{}' and '{}'", a.texts[of_a][i], b.texts[of_b][j])};
  return difference;
}

void check_names(const CsvTable &a, const CsvTable &b, const std::vector<std::string> &names)
{
  for (const std::string &name : names)
    if (!a.has(name) && !b.has(name))
      a.column(name);  // says what there is
}
}  // namespace

std::vector<Difference> compare_tables(const std::string &file_a, const std::string &file_b, const CompareOptions &options)
{
  const CsvTable a = CsvTable::read(file_a), b = CsvTable::read(file_b);
  check_names(a, b, options.columns);
  check_names(a, b, options.ignored);
  const auto wanted = [&](const std::string &name) {
    return std::count(options.ignored.begin(), options.ignored.end(), name) == 0 &&
           (options.columns.empty() || std::count(options.columns.begin(), options.columns.end(), name) > 0);
  };
  const Rows rows = match_rows(a, b);
  const std::map<std::string, double> scales = scales_of(a, b);
  std::vector<Difference> differences;
  for (const auto &[alone, which] : {std::pair{rows.alone_a, file_a}, {rows.alone_b, file_b}})
    if (alone > 0)
      differences.push_back({"rows", "", infinite, rows.first_alone, rows.first_alone, true, fmt::format("{} only in {}", alone, which)});
  if (rows.pairs.empty())
    throw InputError(fmt::format("{} and {} have no row at a common {}: there is nothing to compare", file_a, file_b, a.names[0]));
  for (std::size_t i = 0; i < a.names.size(); ++i)
    if (wanted(a.names[i]))
    {
      if (!b.has(a.names[i]))
        differences.push_back({a.names[i], a.units[i], infinite, 0., 0., true, "only in " + file_a});
      else if (const std::size_t j = b.column(a.names[i]); a.is_number[i] && b.is_number[j])
        differences.push_back(compare_numbers(a, b, i, j, rows, scales.at(quantity(a.names[i])), options.tolerance));
      else
        differences.push_back(compare_words(a, b, i, j, rows));
    }
  for (std::size_t j = 0; j < b.names.size(); ++j)
    if (wanted(b.names[j]) && !a.has(b.names[j]))
      differences.push_back({b.names[j], b.units[j], infinite, 0., 0., true, "only in " + file_b});
  return differences;
}

namespace
{
void print(const std::string &title, std::vector<Difference> differences, const double tolerance)
{
  std::stable_sort(differences.begin(), differences.end(), [](const Difference &x, const Difference &y) { return x.largest > y.largest; });
  std::size_t equal = 0, width = 6;
  for (const Difference &d : differences)
    width = std::max(width, d.name.size());
  fmt::print("{} (tolerance {:g})\n", title, tolerance);
  for (const Difference &d : differences)
    if (d.largest == 0.)
      ++equal;
    else if (std::isinf(d.largest))
      fmt::print("  {:<{}}  DIFFERS  {}{}\n", d.name, width, d.note, d.first != 0. ? fmt::format(", first at {:.6g}", d.first) : "");
    else
      fmt::print("  {:<{}}  {:<7}  {:.2e} at {:.6g}{}\n", d.name, width, d.beyond ? "DIFFERS" : "same", d.largest, d.when,
                 d.beyond ? fmt::format(", first beyond the tolerance at {:.6g}", d.first) : "");
  fmt::print("  {} of {} are equal to the last bit\n", equal, differences.size());
}

bool is_within(const std::vector<Difference> &differences)
{
  return std::none_of(differences.begin(), differences.end(), [](const Difference &d) { return d.beyond; });
}
}  // namespace

int compare(const CompareOptions &options)
{
  for (const std::string &name : {options.a, options.b})
    if (!fs::exists(name))
      throw InputError(name + ": there is no such folder or file. Give two folders of results, or two tables (.csv)");
  if (fs::is_directory(options.a) != fs::is_directory(options.b))
    throw InputError(fmt::format("{} and {}: one is a folder and one a file. Give two folders of results, or two tables (.csv)", options.a, options.b));
  bool same = true;
  const auto judge = [&](const std::string &title, const std::vector<Difference> &differences, const double tolerance) {
    print(title, differences, tolerance);
    same = same && is_within(differences);
  };
  if (!fs::is_directory(options.a))
    judge(options.a + " and " + options.b, compare_tables(options.a, options.b, options), options.tolerance);
  else
  {
    judge("history.csv", compare_tables(options.a + "/history.csv", options.b + "/history.csv", options), options.tolerance);
    constexpr double single_precision = 1e-5;
    const double tolerance = std::max(options.tolerance, single_precision);
    for (const char *name : {"solution.pvd", "quadrature.pvd", "maxima.pvd"})
    {
      const std::string a = options.a + "/" + name, b = options.b + "/" + name;
      if (!options.frames || (!fs::exists(a) && !fs::exists(b)))
        continue;
      if (fs::exists(a) != fs::exists(b))
        judge(name, {{"frames", "", infinite, 0., 0., true, "only in " + (fs::exists(a) ? a : b)}}, tolerance);
      else
        judge(name, compare_frames(a, b, tolerance), tolerance);
    }
  }
  fmt::print("{}\n", same ? "the same within the tolerance" : "different");
  return same ? 0 : 1;
}
}  // namespace symdyn
