#include "solver/pictures/plot_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>

#include "solver/error.h"
#include "solver/pictures/images/render_display.h"
#include "solver/pictures/plot_picture.h"
#include "solver/pictures/plot_runs.h"

namespace symdyn
{
namespace
{
namespace fs = std::filesystem;
constexpr double sharpness = 2;  ///< pixels of a PNG for one of the SVG

using Run = PlotRun;

/// What a column shows, by which pictures are made: "u" of "tip.u_x", "P" of "P_y".
std::string quantity(const std::string &column)
{
  const std::string last = column.substr(column.rfind('.') == std::string::npos ? 0 : column.rfind('.') + 1);
  const std::size_t axis = last.rfind('_');
  return axis != std::string::npos && axis + 2 == last.size() ? last.substr(0, axis) : last;
}

std::string with_unit(const std::string &name, const std::string &unit)
{
  return unit.empty() ? name : name + (name.empty() ? "[" : " [") + unit + "]";
}

std::string as_file_name(std::string name)
{
  for (char &c : name)
    c = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' ? c : '-';
  return name;
}

struct Picture
{
  std::string file;  ///< without its ending
  Plot plot;
};

/// Pictures in the making. What has another unit, of the ordinate or of the abscissa, is another picture: "energy" in J, "energy-2" in mJ.
class Pictures
{
public:
  Plot &of(const std::string &what, const CsvTable &table, const std::size_t column)
  {
    const auto key = std::tuple{what, table.units[column], table.headers[0]};
    if (places.count(key) == 0)
    {
      const std::string name = as_file_name(what);
      const int used = times_used[name]++;
      places[key] = made.size();
      made.push_back({name + (used > 0 ? fmt::format("-{}", used + 1) : ""), {}});
      made.back().plot.x_label = table.headers[0];
    }
    return made[places.at(key)].plot;
  }
  std::vector<Picture> made;

private:
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  std::map<std::string, int> times_used;
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
      if (const std::string end = ", " + runs[run].label;
          line.name.size() > end.size() && line.name.compare(line.name.size() - end.size(), end.size(), end) == 0)
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
void add_picture(const std::vector<Run> &runs, const std::string &name, const std::string &title, const Belongs &belongs,
                 Pictures &pictures)
{
  for (const Run &run : runs)
    for (std::size_t i = 1; i < run.history.names.size(); ++i)
      if (run.history.rows() > 0 && run.history.is_number[i] && belongs(run.history.names[i]))
      {
        Plot &plot = pictures.of(name, run.history, i);
        plot.title = title;
        plot.y_label = with_unit("", run.history.units[i]);
        add_line(run.history, i, runs.size() > 1 ? run.label : "", plot);
      }
}

/// The picture of a quantity and unit; `of`: what comes before its name.
Plot &picture_of_column(const std::string &prefix, const std::string &of, const CsvTable &table, const std::size_t column,
                        Pictures &pictures)
{
  static const std::map<std::string, std::string> titles{
      {"u", "Displacement"},  {"v", "Velocity"},       {"a", "Acceleration"},           {"R", "Reaction"},
      {"F", "Section force"}, {"M", "Section moment"}, {"F_int", "Force of the strain"}};
  const std::string what = quantity(table.names[column]), title = titles.count(what) ? titles.at(what) : what;
  Plot &plot = pictures.of(prefix + what, table, column);
  plot.title = of + title;
  plot.y_label = with_unit(of.empty() ? what : "amplitude", table.units[column]);
  return plot;
}

/// Tables of a run beside history.csv.
template <class Action>
void for_each_table(const Run &run, const Action &action)
{
  for (const auto *tables : {&run.spectra, &run.diagrams})
    for (const auto &[name, table] : *tables)
      action(name, table);
}

/// Whether a table over frequencies, speeds or orbits has this column, of numbers.
bool is_in_tables(const Run &run, const std::string &column)
{
  bool found = false;
  for_each_table(run, [&](const std::string &, const CsvTable &table) {
    for (std::size_t i = 1; i < table.names.size(); ++i)
      found = found || (table.names[i] == column && table.is_number[i]);
  });
  return found;
}

/// Columns of history.csv: the `wanted` ones, or those of probes, supports and sections.
void add_columns(const std::vector<Run> &runs, const std::string &prefix, const std::vector<std::string> &wanted, Pictures &pictures)
{
  for (const Run &run : runs)
    for (std::size_t i = 1; i < run.history.names.size(); ++i)
    {
      const std::string &name = run.history.names[i];
      if (run.history.rows() > 0 && run.history.is_number[i] &&
          (wanted.empty() ? name.find('.') != std::string::npos : std::count(wanted.begin(), wanted.end(), name) > 0))
        add_line(run.history, i, runs.size() > 1 ? run.label : "", picture_of_column(prefix, "", run.history, i, pictures));
    }
}

/// Amplitudes over frequencies. What is rounding beside the rest of its quantity, as motions across the plane of a vibration, is left out:
/// it would stretch the axis.
void add_spectra(const std::vector<Run> &runs, Pictures &pictures)
{
  constexpr double rounding = 1e-9;
  for (const Run &run : runs)
    for (const auto &[name, table] : run.spectra)
    {
      const std::string of = name == "spectra" ? "Spectrum: " : name.substr(name.find('-') + 1) + ": ";
      std::map<std::string, double> largest;
      const auto peak = [&table = table](const std::size_t i) {
        return table.values[i].empty() ? 0. : *std::max_element(table.values[i].begin(), table.values[i].end());
      };
      for (const bool measures : {true, false})
        for (std::size_t i = 1; i < table.names.size(); ++i)
        {
          if (!table.is_number[i])
            continue;
          double &most = largest[quantity(table.names[i]) + table.units[i]];
          if (measures)
            most = std::max(most, peak(i));
          else if (peak(i) >= rounding * most)
          {
            Plot &plot = picture_of_column(name + "-", of, table, i, pictures);
            plot.logarithmic = true;
            add_line(table, i, runs.size() > 1 ? run.label : "", plot);
          }
        }
    }
}

/// A line of the columns x and y; what has no number in a row, as a branch that begins later, is left out.
void add_curve(const CsvTable &table, const std::size_t x, const std::size_t y, const std::string &label, const int dashes, Plot &plot,
               const int colour = -1)
{
  Plot::Line line{label, {}, {}};
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (std::isfinite(table.values[x][row]) && std::isfinite(table.values[y][row]))
    {
      line.x.push_back(table.values[x][row]);
      line.y.push_back(table.values[y][row]);
    }
  line.dashes = dashes;
  line.colour = colour;
  if (!line.x.empty())
    plot.lines.push_back(std::move(line));
}

/// The first of these columns that the table has; 0: none.
std::size_t first_of(const CsvTable &table, const std::vector<std::string> &names)
{
  for (const std::string &name : names)
    if (const auto found = std::find(table.names.begin(), table.names.end(), name); found != table.names.end())
      return std::size_t(found - table.names.begin());
  return 0;
}

/// The abscissa of a table of orbits is their frequency, of others the first column.
std::size_t abscissa_of(const CsvTable &table) { return first_of(table, {"frequency_corrected", "frequency"}); }

/// The wanted columns of tables over frequencies, speeds and orbits.
void add_columns_of_tables(const std::vector<Run> &runs, const std::vector<std::string> &wanted, Pictures &pictures)
{
  for (const Run &run : runs)
    for_each_table(run, [&](const std::string &name, const CsvTable &table) {
      const std::size_t x = has_start(name, "periodic-") ? abscissa_of(table) : 0;
      for (std::size_t i = 1; i < table.names.size(); ++i)
        if (table.is_number[i] && std::count(wanted.begin(), wanted.end(), table.names[i]) > 0)
        {
          Plot &plot = picture_of_column("columns-" + name + "-", name + ": ", table, i, pictures);
          plot.x_label = table.headers[x];
          add_curve(table, x, i, table.names[i] + (runs.size() > 1 ? ", " + run.label : ""), 0, plot);
        }
    });
}

/// " forward", " backward flutter" by "branch 1", at the last speeds of campbell-STAGE.csv beside this file; none where there is no such
/// one.
std::map<std::string, std::string> words_of_branches(const std::string &file)
{
  std::map<std::string, std::string> words;
  const std::string points = file.substr(0, file.rfind("-plot")) + ".csv";
  if (!std::filesystem::exists(points))
    return words;
  const CsvTable table = CsvTable::read(points, true);
  if (!table.has("direction of travel") || !table.has("kind"))  // of a version before
    return words;
  const std::size_t of = table.column("branch"), direction = table.column("direction of travel"), kind = table.column("kind");
  for (std::size_t row = 0; row < table.rows(); ++row)
  {
    const double to = table.values[direction][row];
    const std::string here = table.texts[kind][row];
    words[fmt::format("branch {:g}", table.values[of][row])] = std::string(to > 0.   ? " forward"
                                                                           : to < 0. ? " backward"
                                                                                     : "") +
                                                               (here == "oscillates" ? "" : " " + here);
  }
  return words;
}

/// Of a Campbell diagram: lines of orders are black and dashed, each by its own dashes, branches have the other colours.
void add_line_of_map(const CsvTable &table, const std::size_t i, const std::string &label, Plot &plot)
{
  constexpr int black = 6, colours = 8, dashes = 4;  // of Plot::Line
  const bool is_order = has_start(table.names[i], "order ");
  const int number = int(std::count_if(table.names.begin() + 1, table.names.begin() + long(i),
                                       [&](const std::string &name) { return has_start(name, "order ") == is_order; })),
            colour = number % (colours - 1);
  if (is_order)
    add_curve(table, 0, i, table.names[i] + label, 1 + number % (dashes - 1), plot, black);
  else
    add_curve(table, 0, i, table.names[i] + label, number / (colours - 1), plot, colour < black ? colour : colour + 1);
}

/// Campbell diagrams, orbits by unbalance and backbone curves.
void add_diagrams(const std::vector<Run> &runs, Pictures &pictures)
{
  for (std::size_t k = 0; k < runs.size(); ++k)
    for (const auto &[name, table] : runs[k].diagrams)
    {
      const std::string label = runs.size() > 1 ? ", " + runs[k].label : "";
      if (has_start(name, "periodic-"))
      {
        const std::size_t x = abscissa_of(table), y = first_of(table, {"amplitude", "energy", "load_factor"});
        if (y == 0)
          continue;
        Plot &plot = pictures.of(name, table, y);
        plot.title = "Periodic motions: " + name.substr(name.find('-') + 1, name.rfind('-') - name.find('-') - 1);
        plot.x_label = table.headers[x];
        plot.y_label = table.headers[y];
        add_curve(table, x, y, table.names[y] + label, 0, plot);
        continue;
      }
      const bool is_map = has_start(name, "campbell-");
      const auto words = is_map ? words_of_branches(table.file) : std::map<std::string, std::string>();
      for (std::size_t i = 1; i < table.names.size(); ++i)
        if (is_map || has_end(table.names[i], ".orbit") || has_end(table.names[i], ".minor"))
        {
          Plot &plot = pictures.of(name, table, i);
          plot.title = (is_map ? "Campbell diagram: " : "Orbits by unbalance: ") +
                       name.substr(name.find('-') + 1, (is_map ? name.rfind('-') : name.size()) - name.find('-') - 1);
          plot.y_label = with_unit(is_map ? "frequency" : "half axis", table.units[i]);
          if (is_map)
            add_line_of_map(table, i, (words.count(table.names[i]) ? words.at(table.names[i]) : "") + label, plot);
          else
            add_curve(table, 0, i, table.names[i] + label, 0, plot);
        }
    }
}

void add_usual_pictures(const std::vector<Run> &runs, Pictures &pictures)
{
  const auto of_all = [](const std::string &name, const std::string &start) {
    return has_start(name, start) && name.find('.') == std::string::npos;
  };
  add_picture(
      runs, "energy", "Energy",
      [&](const std::string &n) {
        return n == "E_kinetic" || n == "E_potential" || n == "E_total" || n == "W_external" || n == "E_dissipated";
      },
      pictures);
  add_picture(
      runs, "balance", "Energy balance error", [](const std::string &n) { return n == "E_balance_error"; }, pictures);
  add_picture(
      runs, "linear-momentum", "Linear momentum", [&](const std::string &n) { return of_all(n, "P_"); }, pictures);
  add_picture(
      runs, "angular-momentum", "Angular momentum", [&](const std::string &n) { return of_all(n, "J_"); }, pictures);
  add_columns(runs, "reports-", {}, pictures);
  add_spectra(runs, pictures);
  add_diagrams(runs, pictures);
}

/// Errors: InputError for columns that a run lacks, or that are no ordinates.
void check_columns(const std::vector<Run> &runs, const std::vector<std::string> &columns)
{
  for (const std::string &column : columns)
    for (const Run &run : runs)
    {
      if (is_in_tables(run, column))
        continue;
      const std::size_t i = run.history.column(column);  // says what there is
      if (i == 0)
        throw InputError(fmt::format("--columns {}: is the abscissa of all pictures. Name others", column));
      if (!run.history.is_number[i])
        throw InputError(fmt::format("--columns {}: holds words in {}. Name columns of numbers", column, run.history.file));
    }
}
}  // namespace

std::vector<std::string> plot_results(const PlotOptions &options)
{
  const std::vector<Run> runs = read_runs(options.results);
  Pictures pictures;
  check_columns(runs, options.columns);
  if (options.columns.empty())
    add_usual_pictures(runs, pictures);
  else
  {
    add_columns(runs, "columns-", options.columns, pictures);
    add_columns_of_tables(runs, options.columns, pictures);
  }
  if (pictures.made.empty())
    throw InputError(
        runs.front().history.file +
        ": has titles and no rows, and there is no spectrum beside it: nothing to draw. Give the folder of a run that took a step");
  const std::string folder = options.output.empty() ? options.results.front() + "/plots" : options.output;
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<std::string> names;
  std::optional<Display> display;
  if (options.format == "png")
    display.emplace();
  for (Picture &picture : pictures.made)
  {
    style(runs, picture.plot);
    names.push_back(folder + "/" + picture.file + "." + options.format);
    if (display)
      write_png(names.back(), picture_of(picture.plot, sharpness));
    else if (!(std::ofstream(names.back()) << picture.plot.svg() << std::flush))
      throw InputError(names.back() + ": cannot be written. Choose another folder with --output");
  }
  return names;
}
}  // namespace symdyn
