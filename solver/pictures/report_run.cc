#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "solver/base/csv.h"
#include "solver/error.h"
#include "solver/pictures/base64.h"
#include "solver/pictures/report.h"
#include "solver/pictures/results_state.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
using Json = nlohmann::json;
constexpr std::size_t most_rows = 1500;     ///< of a table that is plotted
constexpr std::size_t most_text = 200000;   ///< bytes of a deck
constexpr std::size_t rows_of_table = 100;  ///< of one that is printed

/// Columns of numbers in single precision, one after the other; of long tables some rows, with the first and the last.
Json plotted(const CsvTable &table)
{
  const std::size_t rows = table.rows(), kept = std::min(rows, most_rows);
  Json columns = Json::array();
  std::vector<float> numbers;
  for (std::size_t c = 0; c < table.names.size(); ++c)
  {
    if (!table.is_number[c])
      continue;
    columns.push_back({{"name", table.names[c]}, {"unit", table.units[c]}});
    for (std::size_t i = 0; i < kept; ++i)
      numbers.push_back(float(table.values[c][kept < rows ? i * (rows - 1) / (kept - 1) : i]));
  }
  return {{"columns", columns}, {"rows", kept}, {"of", rows}, {"data", base64(numbers)}};
}

/// Modes: rows and columns as text.
Json printed(const CsvTable &table)
{
  Json rows = Json::array();
  for (std::size_t i = 0; i < std::min(table.rows(), rows_of_table); ++i)
  {
    Json row = Json::array();
    for (std::size_t c = 0; c < table.names.size(); ++c)
      row.push_back(table.is_number[c] ? fmt::format("{:.6g}", table.values[c][i]) : table.texts[c][i]);
    rows.push_back(row);
  }
  return {{"headers", table.headers}, {"rows", rows}, {"of", table.rows()}};
}

/// The table of a file, if there is one that can be read: that of a run under way may end within a row, for a moment.
template <class Use>
void with_table(const std::string &file, const Use &use)
{
  constexpr int tries = 3;
  for (int k = 0; k < tries && fs::exists(file); ++k)
    try
    {
      return use(CsvTable::read(file, true));
    }
    catch (const InputError &)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
}

void add_tables(const std::string &folder, Json &run)
{
  run["tables"] = run["sweeps"] = Json::object();
  with_table(folder + "/history.csv", [&](const CsvTable &table) { run["history"] = plotted(table); });
  for (const auto &entry : fs::directory_iterator(folder))
  {
    const std::string name = entry.path().stem();
    if (entry.path().extension() != ".csv")
      continue;
    if (name.rfind("modes-", 0) == 0)
      with_table(entry.path(), [&](const CsvTable &table) { run["tables"][name] = printed(table); });
    else if (name.rfind("harmonic-", 0) == 0 || name == "spectra")
      with_table(entry.path(), [&](const CsvTable &table) { run["sweeps"][name] = plotted(table); });
  }
}

/// Warnings of run.log, and what it begins with: the lines on the model.
void add_log(const std::string &folder, Json &run)
{
  run["warnings"] = run["model"] = Json::array();
  std::ifstream in(folder + "/run.log");
  bool head = true;
  const std::string word = "warning: ";
  for (std::string line; std::getline(in, line);)
  {
    head = head && (line.rfind("symdyn ", 0) == 0 || line.rfind("  ", 0) == 0);
    if (head)
      run["model"].push_back(line);
    if (line.rfind(word, 0) == 0)
      run["warnings"].push_back(line.substr(word.size()));
  }
}

/// "run-a" of results/run-a/.
std::string label_of(const std::string &folder)
{
  const fs::path path = fs::absolute(folder).lexically_normal();
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}
}  // namespace

Json report_of_run(const std::string &folder)
{
  const ResultsState state = ResultsState::of(folder);
  Json run = {
      {"label", label_of(folder)}, {"folder", folder}, {"status", state.status}, {"summary", state.summary}, {"progress", state.progress}};
  if (!state.ended())
    run["summary"] = Json();  // that of the run before, which goes on
  add_log(folder, run);
  add_tables(folder, run);
  std::string deck = text_of_file(folder + "/deck-as-run.prm");
  run["deck cut"] = deck.size() > most_text;
  run["deck"] = deck.substr(0, most_text);
  return run;
}
}  // namespace symdyn
