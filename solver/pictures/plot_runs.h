#pragma once
#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "solver/base/csv.h"
#include "solver/error.h"

namespace symdyn
{
/// The tables of a folder of results that can be drawn.
struct PlotRun
{
  std::string label;
  CsvTable history;
  std::map<std::string, CsvTable> spectra;   ///< over frequencies: "spectra", "harmonic-STAGE"
  std::map<std::string, CsvTable> diagrams;  ///< "campbell-STAGE-plot", "unbalance-STAGE", "periodic-STAGE-orbits"
};

inline bool has_start(const std::string &name, const std::string &start) { return name.rfind(start, 0) == 0; }
inline bool has_end(const std::string &name, const std::string &end)
{
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

/// "run-a" of results/run-a/; of two that end alike, more of their paths.
inline std::vector<std::string> labels_of(const std::vector<std::string> &folders)
{
  std::vector<std::string> labels;
  for (const std::string &folder : folders)
  {
    const std::filesystem::path path = std::filesystem::path(folder).lexically_normal();
    labels.push_back(path.has_filename() ? path.filename() : path.parent_path().filename());
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (std::count(labels.begin(), labels.end(), labels[i]) > 1)
      return folders;
  return labels;
}

/// Where all rows are of one time, as those of a static stage, their numbers are the abscissa.
inline void count_rows(CsvTable &history)
{
  std::vector<double> &t = history.values[0];
  if (history.rows() == 0 || std::any_of(t.begin(), t.end(), [&](const double time) { return time != t.front(); }))
    return;
  std::iota(t.begin(), t.end(), 0.);
  history.headers[0] = "row of history.csv";
}

/// Of a sweep the amplitudes alone, named as what they are of.
inline void keep_amplitudes(CsvTable &sweep)
{
  const std::string word = "amplitude ";
  for (std::size_t i = 1; i < sweep.names.size(); ++i)
    if (sweep.names[i].rfind(word, 0) == 0)
      sweep.names[i].erase(0, word.size());
    else
      sweep.is_number[i] = false;
}

inline std::map<std::string, CsvTable> read_spectra(const std::string &folder)
{
  std::map<std::string, CsvTable> tables;
  for (const std::filesystem::directory_entry &entry : std::filesystem::directory_iterator(folder))
  {
    const std::string name = entry.path().stem();
    if (entry.path().extension() != ".csv" || (name != "spectra" && name.rfind("harmonic-", 0) != 0))
      continue;
    CsvTable &table = tables[name] = CsvTable::read(entry.path(), true);
    if (name != "spectra")
      keep_amplitudes(table);
  }
  return tables;
}

inline std::map<std::string, CsvTable> read_diagrams(const std::string &folder)
{
  std::map<std::string, CsvTable> tables;
  for (const std::filesystem::directory_entry &entry : std::filesystem::directory_iterator(folder))
    if (const std::string name = entry.path().stem();
        entry.path().extension() == ".csv" && (has_start(name, "unbalance-") || (has_start(name, "campbell-") && has_end(name, "-plot")) ||
                                               (has_start(name, "periodic-") && has_end(name, "-orbits"))))
      tables[name] = CsvTable::read(entry.path(), true);
  return tables;
}
/// Errors: InputError for a folder without history.csv.
inline std::vector<PlotRun> read_runs(const std::vector<std::string> &folders)
{
  std::vector<PlotRun> runs;
  const std::vector<std::string> labels = labels_of(folders);
  for (std::size_t i = 0; i < folders.size(); ++i)
  {
    if (!std::filesystem::is_directory(folders[i]))
      throw InputError(folders[i] + ": is no folder of results. Give the folder that holds history.csv");
    runs.push_back({labels[i], CsvTable::read(folders[i] + "/history.csv", true), {}, read_diagrams(folders[i])});
    count_rows(runs.back().history);
    runs.back().spectra = read_spectra(folders[i]);
  }
  return runs;
}
}  // namespace symdyn
