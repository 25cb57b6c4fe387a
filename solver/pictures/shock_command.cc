#include "solver/pictures/shock_command.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "solver/base/csv.h"
#include "solver/base/shock_spectrum.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
struct ColumnOfTime
{
  std::vector<double> times, values;
  std::string unit;
};

bool has_number(const std::string &text)
{
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (double value = 0; std::sscanf(word.c_str(), "%lf", &value) == 1)
      return true;
  return false;
}

/// Lines `t a`; the first may have titles.
ColumnOfTime read_record(const std::string &file, const std::vector<std::pair<int, std::string>> &rows)
{
  ColumnOfTime record;
  for (const auto &[line, words] : rows)
  {
    double t = 0, a = 0;
    int used = 0;
    if (line == rows.front().first && !has_number(words))
      continue;
    if (std::sscanf(words.c_str(), "%lf %lf %n", &t, &a, &used) != 2 || words.find_first_not_of(" \t\r", used) != std::string::npos)
      throw InputError(
          fmt::format("{}:{}: '{}' is not a time and an acceleration. Write two numbers a line, or name a column with --column", file, line,
                      shortened(words)));
    record.times.push_back(t);
    record.values.push_back(a);
  }
  return record;
}

/// A column of a table with titles, as history.csv.
ColumnOfTime read_column(const ShockOptions &options)
{
  const CsvTable table = CsvTable::read(options.file);
  const std::size_t time = table.column("time"), wanted = table.column(options.column);
  if (const std::string &unit = table.units[time]; !unit.empty() && unit != "s")
    throw InputError(fmt::format("{}: the time is in {}. A shock spectrum needs seconds", options.file, unit));
  ColumnOfTime record;
  record.unit = table.units[wanted];
  for (std::size_t i = 0; i < table.rows(); ++i)
    if (const double t = table.values[time][i]; record.times.empty() || t != record.times.back())
    {
      record.times.push_back(t);
      record.values.push_back(table.values[wanted][i]);
    }
  return record;
}

ColumnOfTime read(const ShockOptions &options)
{
  const TextFile text = TextFile::read(options.file);
  if (!text.fault.empty())
    throw InputError(text.place(options.file) + " " + text.fault);
  ColumnOfTime record = options.column.empty() ? read_record(options.file, text.rows()) : read_column(options);
  if (record.times.size() < 2)
    throw InputError(options.file + ": has fewer than two samples. A record needs a time and an acceleration in each of several lines");
  for (std::size_t i = 0; i < record.times.size(); ++i)
    if (!std::isfinite(record.values[i]) || (i > 0 && !(record.times[i] > record.times[i - 1])))
      throw InputError(fmt::format("{}: sample {}: {:g} at {:g} s: times must grow, and values be numbers", options.file, i + 1,
                                   record.values[i], record.times[i]));
  return record;
}

void warn(const ShockRecord &record, const std::vector<double> &range)
{
  constexpr double left_over = 0.02;
  if (record.duration() * range[0] < 1.)
    std::fprintf(stderr, "warning: the record lasts %g s, less than a period of %g Hz: below %g Hz the residual decides\n",
                 record.duration(), range[0], 1. / record.duration());
  if (range[1] * record.shortest_interval() > 0.1)
    std::fprintf(stderr, "warning: at %g Hz a period has fewer than 10 samples (%g s apart): the record does not resolve it\n", range[1],
                 record.shortest_interval());
  if (const double change = record.velocity_change(); std::abs(change) > left_over * record.peak() * record.duration())
    std::fprintf(stderr, "warning: the record leaves the base with a velocity of %g: low frequencies answer to that\n", change);
}
}  // namespace

std::string write_shock_spectrum(const ShockOptions &options)
{
  const ColumnOfTime given = read(options);
  const ShockRecord record(given.times, given.values);
  std::vector<double> range = options.range;
  if (range.empty())
    range = {1. / record.duration(), 0.1 / record.shortest_interval()};
  if (options.range.empty() && !(range[1] > range[0]))
    throw InputError(fmt::format("{}: {:g} s of samples {:g} s apart resolve no frequency. Give --frequencies LOWEST,HIGHEST", options.file,
                                 record.duration(), record.shortest_interval()));
  if (range.size() != 2 || !(range[0] > 0.) || !(range[1] > range[0]))
    throw InputError("--frequencies: needs the lowest and the highest frequency [Hz], 0 < lowest < highest");
  if (!(options.per_octave > 0.) || !(options.quality > 0.5))
    throw InputError(
        fmt::format("--points-an-octave {:g}, --q {:g}: the first must be > 0, the second > 0.5", options.per_octave, options.quality));
  if (!options.output.empty() && std::filesystem::exists(options.output) && !options.overwrite)
    throw InputError("--output " + options.output + ": exists. Give another name, or --overwrite");
  warn(record, range);
  const std::string unit = given.unit.empty() ? "" : " [" + given.unit + "]";
  std::string text = fmt::format(
      "frequency [Hz],maximax{0},positive{0},negative{0},primary{0},residual{0},relative displacement,pseudo-velocity,pseudo-acceleration{0}\n",
      unit);
  const double zeta = 0.5 / options.quality, pi = std::acos(-1.);
  for (const double f : octave_frequencies(range[0], range[1], options.per_octave))
  {
    const ShockResponse one = record.response(f, zeta);
    const double omega = 2. * pi * f;
    text +=
        fmt::format("{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g},{:.10g}\n", f, one.maximax(), one.positive,
                    one.negative, one.primary, one.residual, one.displacement, omega * one.displacement, omega * omega * one.displacement);
  }
  if (options.output.empty())
  {
    std::fputs(text.c_str(), stdout);
    return "";
  }
  std::ofstream file(options.output);
  file << text;
  file.close();
  if (!file)
    throw InputError("--output " + options.output + ": cannot be written");
  return options.output;
}
}  // namespace symdyn
