#include "solver/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "solver/error.h"
#include "solver/names.h"

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
}  // namespace

CsvTable CsvTable::read(const std::string &name)
{
  std::ifstream in(name);
  if (!in || std::filesystem::is_directory(name))
    throw InputError(fmt::format("{}: cannot be read: {}", name, in ? "it is a folder" : std::strerror(errno)));
  CsvTable table;
  table.file = name;
  std::string line;
  if (!std::getline(in, line) || line.empty())
    throw InputError(name + ": is empty; the first line has the titles of the columns");
  const auto without_return = [](std::string &text) {
    if (!text.empty() && text.back() == '\r')
      text.pop_back();
  };
  without_return(line);
  table.headers = cells_of(line);
  for (const std::string &header : table.headers)
  {
    const std::size_t at = header.rfind(" [");
    const bool has_unit = at != std::string::npos && header.back() == ']';
    table.names.push_back(has_unit ? header.substr(0, at) : header);
    table.units.push_back(has_unit ? header.substr(at + 2, header.size() - at - 3) : "");
  }
  const std::size_t columns = table.headers.size();
  table.values.resize(columns);
  table.texts.resize(columns);
  table.is_number.assign(columns, true);
  for (std::size_t number = 2; std::getline(in, line); ++number)
  {
    without_return(line);
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns)
      throw InputError(fmt::format("{}:{}: has {} columns, and the titles {}. The file is damaged, or not a table of symdyn", name, number, cells.size(), columns));
    for (std::size_t i = 0; i < columns; ++i)
    {
      double value = 0;
      const bool numeric = symdyn::is_number(cells[i], value);
      if (number == 2)
        table.is_number[i] = numeric && !holds_words(table.names[i]);
      if (!table.is_number[i])
        table.texts[i].push_back(cells[i]);
      else if (numeric)
        table.values[i].push_back(value);
      else
        throw InputError(fmt::format("{}:{}: '{}' in the column '{}' is not a number. The file is damaged", name, number, cells[i], table.names[i]));
    }
    ++table.count;
  }
  if (table.count == 0)
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
