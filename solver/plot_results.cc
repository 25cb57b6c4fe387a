#include "solver/plot_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "solver/csv.h"
#include "solver/error.h"
#include "solver/plot.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;

struct Run
{
  std::string label;
  CsvTable history;
  std::optional<CsvTable> spectra;
};

/// "run-a" of results/run-a/; of two that end alike, more of their paths.
std::vector<std::string> labels_of(const std::vector<std::string> &folders)
{
  std::vector<std::string> labels;
  for (const std::string &folder : folders)
  {
    const fs::path path = fs::path(folder).lexically_normal();
    labels.push_back(path.has_filename() ? path.filename() : path.parent_path().filename());
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (std::count(labels.begin(), labels.end(), labels[i]) > 1)
      return folders;
  return labels;
}

std::vector<Run> read_runs(const std::vector<std::string> &folders)
{
  std::vector<Run> runs;
  const std::vector<std::string> labels = labels_of(folders);
  for (std::size_t i = 0; i < folders.size(); ++i)
  {
    if (!fs::is_directory(folders[i]))
      throw InputError(folders[i] + ": is no folder of results. Give the folder that holds history.csv");
    runs.push_back({labels[i], CsvTable::read(folders[i] + "/history.csv"), {}});
    if (const std::string spectra = folders[i] + "/spectra.csv"; fs::exists(spectra))
      runs.back().spectra = CsvTable::read(spectra);
  }
  return runs;
}

/// What a column shows, by which pictures are made: "u" of "tip.u_x", "P" of "P_y".
std::string quantity(const std::string &column)
{
  const std::string last = column.substr(column.rfind('.') == std::string::npos ? 0 : column.rfind('.') + 1);
  const std::size_t axis = last.rfind('_');
  return axis != std::string::npos && axis + 2 == last.size() ? last.substr(0, axis) : last;
}

std::string with_unit(const std::string &name, const std::string &unit) { return unit.empty() ? name : name + " [" + unit + "]"; }

/// A picture in the making: columns of one quantity and unit, of all runs.
struct Picture
{
  std::string file;
  Plot plot;
};

void add_line(const CsvTable &table, const std::size_t column, const std::string &label, Plot &plot)
{
  plot.lines.push_back({label.empty() ? table.names[column] : table.names[column] + ", " + label, table.values[0], table.values[column]});
}

/// A colour a column and dashes a run, where there are several runs.
void style(const std::vector<Run> &runs, Plot &plot)
{
  if (runs.size() < 2)
    return;
  std::vector<std::string> columns;
  for (Plot::Line &line : plot.lines)
    for (std::size_t run = 0; run < runs.size(); ++run)
      if (const std::string end = ", " + runs[run].label; line.name.size() > end.size() && line.name.compare(line.name.size() - end.size(), end.size(), end) == 0)
      {
        const std::string column = line.name.substr(0, line.name.size() - end.size());
        const auto found = std::find(columns.begin(), columns.end(), column);
        line.colour = int(found - columns.begin());
        line.dashes = int(run);
        if (found == columns.end())
          columns.push_back(column);
      }
}

/// Columns that `belongs` chooses, of every run that has them; nothing if there are none.
template <class Belongs>
void add_picture(const std::vector<Run> &runs, const std::string &file, const std::string &title, const Belongs &belongs, std::vector<Picture> &pictures)
{
  Picture picture{file, {}};
  for (const Run &run : runs)
    for (std::size_t i = 1; i < run.history.names.size(); ++i)
      if (run.history.is_number[i] && belongs(run.history.names[i]))
      {
        picture.plot.x_label = run.history.headers[0];
        picture.plot.y_label = run.history.units[i].empty() ? "" : "[" + run.history.units[i] + "]";
        add_line(run.history, i, runs.size() > 1 ? run.label : "", picture.plot);
      }
  picture.plot.title = title;
  if (!picture.plot.lines.empty())
    pictures.push_back(picture);
}

/// A picture a quantity and unit.
void add_by_quantity(const std::vector<Run> &runs, const std::string &prefix, const bool of_spectra, const std::vector<std::string> &wanted, std::vector<Picture> &pictures)
{
  static const std::map<std::string, std::string> titles{{"u", "Displacement"}, {"v", "Velocity"},          {"a", "Acceleration"},   {"R", "Reaction"},
                                                         {"F", "Section force"}, {"M", "Section moment"}, {"F_int", "Force of the strain"}};
  std::map<std::pair<std::string, std::string>, Picture> of;
  for (const Run &run : runs)
  {
    if (of_spectra && !run.spectra)
      continue;
    const CsvTable &table = of_spectra ? *run.spectra : run.history;
    for (std::size_t i = 1; i < table.names.size(); ++i)
    {
      const std::string &name = table.names[i];
      const bool chosen = wanted.empty() ? of_spectra || name.find('.') != std::string::npos : std::count(wanted.begin(), wanted.end(), name) > 0;
      if (!table.is_number[i] || !chosen)
        continue;
      const std::string what = quantity(name);
      Plot &plot = of[{what, table.units[i]}].plot;
      const std::string title = titles.count(what) ? titles.at(what) : what;
      plot.title = of_spectra ? "Spectrum: " + title : title;
      plot.x_label = table.headers[0];
      plot.y_label = with_unit(of_spectra ? "amplitude" : what, table.units[i]);
      plot.logarithmic = of_spectra;
      add_line(table, i, runs.size() > 1 ? run.label : "", plot);
    }
  }
  std::map<std::string, int> times_used;
  for (auto &[key, picture] : of)
  {
    std::string name = prefix + key.first;
    for (char &c : name)
      c = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ? c : '-';
    const int used = times_used[name]++;
    picture.file = name + (used > 0 ? fmt::format("-{}", used + 1) : "") + ".svg";
    pictures.push_back(picture);
  }
}

std::vector<Picture> usual_pictures(const std::vector<Run> &runs)
{
  std::vector<Picture> pictures;
  const auto begins = [](const std::string &name, const std::string &start) { return name.rfind(start, 0) == 0 && name.find('.') == std::string::npos; };
  add_picture(runs, "energy.svg", "Energy", [&](const std::string &n) { return n == "E_kinetic" || n == "E_potential" || n == "E_total" || n == "W_external" || n == "E_dissipated"; },
              pictures);
  add_picture(runs, "balance.svg", "Energy balance error", [](const std::string &n) { return n == "E_balance_error"; }, pictures);
  add_picture(runs, "linear-momentum.svg", "Linear momentum", [&](const std::string &n) { return begins(n, "P_"); }, pictures);
  add_picture(runs, "angular-momentum.svg", "Angular momentum", [&](const std::string &n) { return begins(n, "J_"); }, pictures);
  add_by_quantity(runs, "reports-", false, {}, pictures);
  add_by_quantity(runs, "spectra-", true, {}, pictures);
  return pictures;
}
}  // namespace

std::vector<std::string> plot_results(const PlotOptions &options)
{
  const std::vector<Run> runs = read_runs(options.results);
  std::vector<Picture> pictures;
  if (options.columns.empty())
    pictures = usual_pictures(runs);
  else
  {
    for (const std::string &column : options.columns)
      if (std::none_of(runs.begin(), runs.end(), [&](const Run &run) { return run.history.has(column); }))
        runs.front().history.column(column);  // says what there is
    add_by_quantity(runs, "columns-", false, options.columns, pictures);
  }
  const std::string folder = options.output.empty() ? options.results.front() + "/plots" : options.output;
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<std::string> names;
  for (Picture &picture : pictures)
  {
    style(runs, picture.plot);
    names.push_back(folder + "/" + picture.file);
    if (!(std::ofstream(names.back()) << picture.plot.svg() << std::flush))
      throw InputError(names.back() + ": cannot be written. Choose another folder with --output");
  }
  return names;
}
}  // namespace symdyn
