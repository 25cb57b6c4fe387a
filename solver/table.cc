#include "solver/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "solver/error.h"
#include "solver/names.h"
#include "solver/number.h"

namespace symdyn
{
namespace
{
std::vector<std::string> columns(const std::string &line)
{
  for (const char separator : {';', ','})
    if (line.find(separator) != std::string::npos) return split(line, separator);
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Titles: no column is a number, nor an attempt at one ("nan" is none: it must not pass for a title).
bool are_titles(const std::vector<std::string> &words)
{
  return std::none_of(words.begin(), words.end(),
                      [](const std::string &word)
                      {
                        char *end = nullptr;
                        std::strtod(word.c_str(), &end);
                        return word.empty() || end != word.c_str();
                      });
}

double number(const std::string &word, const std::string &place)
{
  const auto value = number_from<double>(word);
  if (!value) throw InputError(place + ": '" + word + "' is not a finite number. A line is 't value'.");
  return *value;
}
}  // namespace

Table Table::read(const std::string &file)
{
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file))
    throw InputError(file + ": cannot be read: " + (stream ? "it is a folder" : std::strerror(errno)) + ".");
  Table table;
  std::string line;
  int number_of_line = 0, previous = 0;
  for (bool first = true; std::getline(stream, line);)
  {
    const std::string place = fmt::format("{}:{}", file, ++number_of_line);
    const auto words = columns(trim(line.substr(0, line.find('#'))));
    if (words.empty()) continue;
    if (words.size() != 2)
      throw InputError(fmt::format("{}: has {} columns; a line is 't value'.", place, words.size()));
    const bool titles = first && are_titles(words);
    first = false;
    if (titles) continue;
    const double time = number(words[0], place), value = number(words[1], place);
    if (!table.t.empty() && time <= table.t.back())
      throw InputError(fmt::format("{}: t = {} must be > {}, which line {} has. For a jump write two close times.",
                                   place, time, table.t.back(), previous));
    previous = number_of_line;
    table.t.push_back(time);
    table.a.push_back(value);
  }
  if (table.t.empty()) throw InputError(file + ": has no line 't value'.");
  return table;
}

double Table::operator()(const double time) const
{
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  if (after == t.begin()) return a.front();
  if (after == t.end()) return a.back();
  const std::size_t i = after - t.begin();
  const double weight = (time - t[i - 1]) / (t[i] - t[i - 1]);
  return (1. - weight) * a[i - 1] + weight * a[i];
}

double Table::slope(const double time) const
{
  const auto after = std::upper_bound(t.begin(), t.end(), time);
  if (after == t.begin() || after == t.end()) return 0.;
  const std::size_t i = after - t.begin();
  return (a[i] - a[i - 1]) / (t[i] - t[i - 1]);
}
}  // namespace symdyn
