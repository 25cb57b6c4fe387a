#include "solver/pictures/sweep_quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "solver/base/csv.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/pictures/results_state.h"

namespace symdyn
{
namespace
{
const std::map<std::string, SweepQuantity::Kind> kinds{{"peak", SweepQuantity::peak},   {"min", SweepQuantity::least},
                                                       {"max", SweepQuantity::largest}, {"last", SweepQuantity::last},
                                                       {"mode", SweepQuantity::mode},   {"summary", SweepQuantity::summary}};

/// Extremes of a column as peaks.csv has them.
SweepQuantity::Value extreme(const SweepQuantity &quantity, const std::string &folder)
{
  const CsvTable history = CsvTable::read(folder + "/history.csv");
  const std::size_t column = history.column(quantity.name);
  const CsvTable peaks = CsvTable::read(folder + "/peaks.csv");
  const std::vector<std::string> &names = peaks.texts[peaks.column("column")];
  const auto row = std::find(names.begin(), names.end(), quantity.name);
  if (row == names.end())
    throw InputError(fmt::format("--collect {}: {} has no extremes of this column. Choose a column of numbers that the run computes",
                                 quantity.text, peaks.file));
  const std::size_t at = std::size_t(row - names.begin());
  const double least = peaks.values[peaks.column("minimum")][at], largest = peaks.values[peaks.column("maximum")][at];
  const double value = quantity.kind == SweepQuantity::least     ? least
                       : quantity.kind == SweepQuantity::largest ? largest
                                                                 : std::max(std::abs(least), std::abs(largest));
  return {value, history.units[column]};
}

/// The table of modes of this stage; "": the only one there is.
std::string table_of_modes(const SweepQuantity &quantity, const std::string &folder)
{
  const std::string before = "modes-", after = ".csv";
  std::vector<std::string> stages;
  for (const auto &file : std::filesystem::directory_iterator(folder))
    if (const std::string name = file.path().filename(); name.rfind(before, 0) == 0 && file.path().extension() == after)
      stages.push_back(name.substr(before.size(), name.size() - before.size() - after.size()));
  if (stages.empty())
    throw InputError(fmt::format("--collect {}: {} has no table of modes. Add a stage of Type = modes to the deck", quantity.text, folder));
  const std::vector<std::string> nearest = nearest_first(quantity.name, stages);
  if (quantity.name.empty() && stages.size() > 1)
    throw InputError(fmt::format("--collect {}: {} has modes of the stages {}. Write mode:STAGE:{}", quantity.text, folder, join(nearest),
                                 quantity.number));
  if (!quantity.name.empty() && nearest.front() != quantity.name)
    throw InputError(
        fmt::format("--collect {}: {} has no modes of this stage. Stages with modes: {}", quantity.text, folder, join(nearest)));
  return folder + "/" + before + nearest.front() + after;
}

SweepQuantity::Value frequency(const SweepQuantity &quantity, const std::string &folder)
{
  const CsvTable modes = CsvTable::read(table_of_modes(quantity, folder), true);
  if (quantity.number > modes.rows())
    throw InputError(fmt::format("--collect {}: {} has {} modes. Raise Modes of the stage", quantity.text, modes.file, modes.rows()));
  const std::size_t column = modes.column("frequency");
  return {modes.values[column][quantity.number - 1], modes.units[column]};
}

SweepQuantity::Value number_of_summary(const SweepQuantity &quantity, const std::string &folder)
{
  const std::string file = folder + "/summary.json";
  nlohmann::json node = json_of(file);
  for (const std::string &key : split(quantity.name, '/'))
  {
    std::vector<std::string> keys;
    if (node.is_object())
      for (const auto &item : node.items())
        keys.push_back(item.key());
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw InputError(fmt::format("--collect {}: {} has no '{}'. There is: {}", quantity.text, file, key, join(nearest_first(key, keys))));
    node = nlohmann::json(node.at(key));
  }
  if (!node.is_number())
    throw InputError(fmt::format("--collect {}: this is no number in {}. Name one, as summary:dofs", quantity.text, file));
  return {node.get<double>(), ""};
}
}  // namespace

SweepQuantity SweepQuantity::of(const std::string &text)
{
  const std::size_t colon = text.find(':');
  const std::string word = text.substr(0, colon);
  std::vector<std::string> words;
  for (const auto &[name, kind] : kinds)
    words.push_back(name);
  if (kinds.count(word) == 0)
    throw InputError(fmt::format("--collect {}: '{}' is no kind of quantity. Kinds: {}", text, word, join(nearest_first(word, words))));
  SweepQuantity result{kinds.at(word), text, colon == std::string::npos ? "" : trim(text.substr(colon + 1))};
  if (result.name.empty())
    throw InputError(fmt::format("--collect {0}: nothing stands after the kind. Write {0}:{1}", word,
                                 result.kind == mode      ? "1"
                                 : result.kind == summary ? "dofs"
                                                          : "tip.u_y"));
  if (result.kind != mode)
    return result;
  const std::size_t last_colon = result.name.rfind(':');
  const auto count = number_from<std::size_t>(last_colon == std::string::npos ? result.name : result.name.substr(last_colon + 1));
  if (!count || *count == 0)
    throw InputError(fmt::format("--collect {}: has no number of a mode, from 1. Write mode:1 or mode:STAGE:1", text));
  result.number = *count;
  result.name = last_colon == std::string::npos ? "" : result.name.substr(0, last_colon);
  return result;
}

SweepQuantity::Value SweepQuantity::in(const std::string &folder) const
{
  switch (kind)
  {
    case mode:
      return frequency(*this, folder);
    case summary:
      return number_of_summary(*this, folder);
    case last:
    {
      const CsvTable history = CsvTable::read(folder + "/history.csv");
      const std::size_t column = history.column(name);
      if (!history.is_number[column])
        throw InputError(fmt::format("--collect {}: this column of {} holds words. Choose one of numbers", text, history.file));
      return {history.values[column].back(), history.units[column]};
    }
    default:
      return extreme(*this, folder);
  }
}
}  // namespace symdyn
