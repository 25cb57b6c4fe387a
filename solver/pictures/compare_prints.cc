#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/pictures/compare.h"

// Tables of .dat files: a title " displacements (vx,vy,vz) for set TIP and time  0.1000000E+01", and rows of whole numbers (nodes,
// elements, points) and of others.
namespace symdyn
{
namespace
{
struct PrintedTable
{
  std::string title;  ///< "displacements (vx,vy,vz) for set TIP"
  double time = 0;
  std::vector<std::vector<std::string>> rows;

  /// Tables that share a scale: forces and their sum.
  std::string quantity() const
  {
    const std::string sum = "total force ", nodes = "forces ";
    return title.rfind(sum, 0) == 0 ? nodes + title.substr(sum.size()) : title;
  }
};

bool is_whole(const std::string &word) { return word.find_first_not_of("0123456789") == std::string::npos; }

double number(const std::string &word) { return number_from<double>(word).value_or(std::numeric_limits<double>::quiet_NaN()); }

std::vector<PrintedTable> read_tables(const std::string &file)
{
  std::ifstream in(file);
  std::vector<PrintedTable> tables;
  std::string line;
  while (std::getline(in, line))
  {
    std::istringstream words(line);
    std::vector<std::string> row;
    for (std::string word; words >> word;)
      row.push_back(word);
    constexpr const char *before_time = " and time ";
    if (const std::size_t at = line.find(before_time); at != std::string::npos)
      tables.push_back({line.substr(line.find_first_not_of(' '), at - line.find_first_not_of(' ')), number(row.back()), {}});
    else if (!row.empty() && !tables.empty())
      tables.back().rows.push_back(row);
    else if (!row.empty())
      throw InputError(fmt::format("{}: is no file of tables (Tables, *NODE PRINT): it begins with '{}'", file, line));
  }
  if (tables.empty())
    throw InputError(file + ": has no tables, or cannot be read");
  return tables;
}

using Scales = std::map<std::string, double>;

void note_sizes(const std::vector<PrintedTable> &tables, Scales &scales)
{
  for (const PrintedTable &table : tables)
    for (const auto &row : table.rows)
      for (const std::string &word : row)
        if (double &scale = scales[table.quantity()]; !is_whole(word) && std::isfinite(number(word)))
          scale = std::max(scale, std::abs(number(word)));
}

/// Largest difference of two tables of one title over their scale; infinite where rows, whole numbers or words differ.
double distance(const PrintedTable &a, const PrintedTable &b, const double scale)
{
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (a.rows.size() != b.rows.size())
    return infinite;
  double largest = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    for (std::size_t c = 0; c < std::max(a.rows[i].size(), b.rows[i].size()); ++c)
    {
      if (a.rows[i].size() != b.rows[i].size())
        return infinite;
      const std::string &x = a.rows[i][c], &y = b.rows[i][c];
      if (x == y)
        continue;
      if (is_whole(x) || is_whole(y) || !std::isfinite(number(x)) || !std::isfinite(number(y)))
        return infinite;
      largest = std::max(largest, std::abs(number(x) - number(y)) / scale);
    }
  return largest;
}
}  // namespace

std::vector<Difference> compare_prints(const std::string &file_a, const std::string &file_b, const double tolerance)
{
  const auto a = read_tables(file_a), b = read_tables(file_b);
  Scales scales;
  note_sizes(a, scales);
  note_sizes(b, scales);
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
  {
    if (a[i].title != b[i].title || std::abs(a[i].time - b[i].time) > tolerance * std::max(std::abs(a[i].time), std::abs(b[i].time)))
      return {Difference::of_kind("tables", fmt::format("'{}' at {:g} and '{}' at {:g}", a[i].title, a[i].time, b[i].title, b[i].time),
                                  a[i].time)};
    auto found = std::find_if(differences.begin(), differences.end(), [&](const Difference &d) { return d.name == a[i].title; });
    if (found == differences.end())
      found = differences.insert(differences.end(), Difference{a[i].title, "", 0., 0., 0., false, ""});
    const double off = distance(a[i], b[i], scales[a[i].quantity()]);
    if (off > tolerance && !found->beyond)
      found->beyond = true, found->first = a[i].time;
    if (off > found->largest)
      found->largest = off, found->when = a[i].time;
    if (std::isinf(off))
      found->note = "rows, or what is no number, differ";
  }
  if (a.size() != b.size())
    differences.push_back(Difference::of_kind("tables", fmt::format("{} in {}, {} in {}", a.size(), file_a, b.size(), file_b)));
  return differences;
}
}  // namespace symdyn
