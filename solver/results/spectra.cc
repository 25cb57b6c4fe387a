#include "solver/results/spectra.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "solver/base/csv.h"
#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/together.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/results/extremes.h"

namespace symdyn
{
void Spectra::declare(Parameters &p)
{
  p.add("Spectra", wanted,
        "columns of history.csv whose amplitude spectra go to spectra.csv (tip.u_y), or all of a probe or support (tip)");
  p.add("Spectra window", window_name, "hann: half a cosine wave, little leakage; none", {"hann", "none"});
  where = p.where("Spectra");
  if (wanted.empty() && p.given("Spectra window"))
    p.fail("Spectra window", "has no effect without Spectra. Name columns there, or remove the entry");
}

namespace
{
/// Columns whose name is wanted, or begins with it and a point.
std::vector<std::size_t> chosen(const std::vector<std::string> &names, const std::vector<std::string> &wanted, const std::string &where)
{
  std::vector<std::size_t> columns;
  for (const std::string &name : wanted)
  {
    const std::size_t before = columns.size();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] != "stage" && (names[i] == name || names[i].rfind(name + ".", 0) == 0))
        columns.push_back(i);
    if (columns.size() == before)
      throw InputError(fmt::format("{}: history.csv has no column '{}'; it has: {}", where, name, join(nearest_first(name, names))));
  }
  return columns;
}

std::string spectrum_table(const CsvTable &history, const std::vector<std::string> &wanted, const Window window, const std::string &where,
                           const Units &units)
{
  const std::vector<std::size_t> columns = chosen(history.names, wanted, where);
  const auto &stage = history.texts.at(history.column("stage"));
  const std::size_t first = std::find(stage.begin(), stage.end(), stage.empty() ? "" : stage.back()) - stage.begin();
  const auto part = [&](const std::size_t column) {
    return std::vector<double>(history.values[column].begin() + first, history.values[column].end());
  };
  std::vector<std::vector<double>> values;
  std::vector<std::string> names;
  std::string text = fmt::format("frequency [{}]", hertz(units));
  for (const std::size_t column : columns)
  {
    values.push_back(part(column));
    names.push_back(history.names[column]);
    text += "," + history.headers[column];
  }
  const UniformRows rows = uniform_rows(part(history.column("time")), values, names);
  std::vector<std::vector<double>> spectra;
  for (const auto &x : rows.columns)
    spectra.push_back(amplitudes(x, window));
  const double length = rows.step * double(rows.columns.front().size());
  for (std::size_t k = 0; k < spectra.front().size(); ++k)
  {
    text += fmt::format("\n{}", double(k) / length);
    for (const auto &spectrum : spectra)
      text += fmt::format(",{}", spectrum[k]);
  }
  return text + "\n";
}
}  // namespace

void Spectra::check(const std::vector<Column> &columns) const
{
  std::vector<std::string> names;
  for (const Column &column : columns)
    names.push_back(column.name);
  chosen(names, wanted, where);
}

void Spectra::write(const std::string &folder, const Units &units) const
{
  if (wanted.empty())
    return;
  std::string fault, warning;
  if (dealii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0)
    try
    {
      const std::string text = spectrum_table(CsvTable::read(folder + "/history.csv"), wanted,
                                              window_name == "hann" ? Window::hann : Window::none, where, units);
      if (!(std::ofstream(folder + "/spectra.csv") << text << std::flush))
        fault = folder + "/spectra.csv: could not be written (is the disk full?)";
    }
    catch (const InputError &error)
    {
      warning = error.what();
    }
  throw_collectively<ComputationError>(fault);
  if (!warning.empty())
    log_warning("spectra.csv was not written: " + warning);
}
}  // namespace symdyn
