#include "solver/base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
std::vector<std::string> cells_of(const std::string &line)
{
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= line.size();)
  {
    const std::size_t end = std::min(line.find(',', at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return cells;
}

/// Columns whose words may look like numbers: a stage may be called 1.
bool holds_words(const std::string &column) { return column == "stage" || column == "column" || column == "unit"; }

/// nan and inf, too.
bool is_number(const std::string &text, double &value)
{
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return !text.empty() && end == text.c_str() + text.size();
}

std::string way_to_results(const std::string &file)
{
  const std::filesystem::path path = file;
  return path.filename() == "history.csv" && !std::filesystem::exists(path) ? ". Give the folder of a run, which holds history.csv" : "";
}
}  // namespace

void CsvTable::read_titles(const std::string &line)
{
  headers = cells_of(line);
  for (const std::string &header : headers)
  {
    const std::size_t at = header.rfind(" [");
    const bool has_unit = at != std::string::npos && header.back() == ']';
    names.push_back(has_unit ? header.substr(0, at) : header);
    units.push_back(has_unit ? header.substr(at + 2, header.size() - at - 3) : "");
  }
  values.resize(headers.size());
  texts.resize(headers.size());
  is_number.assign(headers.size(), true);
}

void CsvTable::read_row(const std::string &line, const std::size_t number)
{
  const std::vector<std::string> cells = cells_of(line);
  if (cells.size() != headers.size())
    throw InputError(fmt::format("{}:{}: has {} columns, and the titles {}. The file is damaged, or not a table of symdyn", file, number,
                                 cells.size(), headers.size()));
  for (std::size_t i = 0; i < cells.size(); ++i)
  {
    double value = 0;
    const bool numeric = symdyn::is_number(cells[i], value);
    if (count == 0)
      is_number[i] = numeric && !holds_words(names[i]);
    if (!is_number[i])
      texts[i].push_back(cells[i]);
    else if (numeric)
      values[i].push_back(value);
    else
      throw InputError(
          fmt::format("{}:{}: '{}' in the column '{}' is not a number. The file is damaged", file, number, cells[i], names[i]));
  }
  ++count;
}

CsvTable CsvTable::read(const std::string &name, const bool may_have_no_rows)
{
  std::ifstream in(name);
  if (!in || std::filesystem::is_directory(name))
    throw InputError(fmt::format("{}: cannot be read: {}{}", name, in ? "it is a folder" : std::strerror(errno), way_to_results(name)));
  CsvTable table;
  table.file = name;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number)
  {
    if (!line.empty() && line.back() == '\r')
      line.pop_back();
    number == 1 ? table.read_titles(line) : table.read_row(line, number);
  }
  if (table.headers.empty() || table.headers.front().empty())
    throw InputError(name + ": is empty; the first line has the titles of the columns");
  if (table.count == 0 && !may_have_no_rows)
    throw InputError(name + ": has titles and no rows");
  return table;
}

std::size_t CsvTable::column(const std::string &name) const
{
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(fmt::format("{}: has no column '{}'; it has: {}", file, name, join(nearest_first(name, names))));
  return found - names.begin();
}

bool CsvTable::has(const std::string &name) const { return std::count(names.begin(), names.end(), name) > 0; }
}  // namespace symdyn
