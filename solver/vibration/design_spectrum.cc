#include "solver/vibration/design_spectrum.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "solver/base/acceleration_unit.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/text_file.h"
#include "solver/error.h"

namespace symdyn
{
std::string DesignSpectrum::unknown_name(const Parameters &root, const std::string &name)
{
  const std::vector<std::string> names = root.section("Spectra").named_sections();
  if (std::find(names.begin(), names.end(), name) != names.end())
    return "";
  return fmt::format(
      "there is no spectrum '{}'. {}", name,
      names.empty() ? "Add a section Spectra with a section of this name" : "Available: " + join(nearest_first(name, names)));
}

DesignSpectrum DesignSpectrum::read(const Parameters &root, const std::string &name, const Wanted wanted)
{
  DesignSpectrum spectrum;
  Parameters p = root.section("Spectra").section(name);
  spectrum.declare(p);
  if ((spectrum.type == "psd") != (wanted != Wanted::answers))
    p.fail("Type", wanted != Wanted::answers
                       ? "a random stage takes power spectral densities. Set Type = psd"
                       : "a power spectral density is for stages of Type = random. Give the spectrum of answers of oscillators");
  spectrum.read_file(p);
  if (wanted != Wanted::load_density)
    return spectrum;
  if (p.given("Unit"))
    p.fail(
        "Unit",
        "is of accelerations, and a stage takes this spectrum for a load: values are densities of a factor of its amplitude, in 1/Hz. Remove the entry");
  spectrum.factor = 1.;
  return spectrum;
}

void DesignSpectrum::declare(Parameters &p)
{
  p.add(
      "Type", type,
      "quantity of the values: acceleration (pseudo-acceleration), pseudo-velocity or displacement of an oscillator; psd: one-sided power "
      "spectral density of the acceleration",
      {"acceleration", "pseudo-velocity", "displacement", "psd"});
  p.add(
      "File", file,
      "lines `frequency value`, or a value for each damping ratio; then the first line names these: frequency, 0.02, 0.05; relative to the "
      "deck");
  p.add(
      "Unit", unit,
      std::string("unit of the values: ") + AccelerationUnit::help +
          "; of a pseudo-velocity and a displacement: m/s2 stands for m/s and m, cm/s2 for cm/s and cm; of a psd: g stands for g^2/Hz, m/s2 for (m/s2)^2/Hz",
      AccelerationUnit::names());
  p.add("Abscissa", abscissa, "first column: frequency [Hz] or period [s]", {"frequency", "period"});
  p.add("Interpolation", interpolation, "between lines: log-log, straight in the logarithms of both; or linear", {"log-log", "linear"});
  p.add("Beyond", beyond, "outside of the table: error; or constant, the acceleration at its end", {"error", "constant"});
  where = p.where();
}

void DesignSpectrum::read_rows(const Parameters &p)
{
  const std::string path = p.file_path(file);
  const TextFile text = TextFile::read(path);
  if (!text.fault.empty())
    p.fail("File", text.place(path) + " " + text.fault);
  std::vector<std::vector<double>> columns;
  bool first_line = true;
  for (const auto &[line, content] : text.rows())
  {
    std::istringstream words(content.substr(0, content.find('#')));
    std::vector<double> row;
    bool titles = false;
    for (std::string word; words >> word;)
      if (const auto number = number_from<double>(word))
        (titles ? ratios : row).push_back(*number);
      else if (first_line && row.empty())
        titles = true;
      else
        p.fail("File", fmt::format("{}:{}: '{}' is not a finite number", path, line, shortened(word)));
    first_line = false;
    if (titles)
      continue;
    if (columns.empty())
      columns.resize(row.size());
    if (row.size() < 2 || row.size() != columns.size())
      p.fail("File", fmt::format("{}:{}: has {} numbers. A line is a {} and a value for each curve, as many in each line", path, line,
                                 row.size(), abscissa));
    if (!columns[0].empty() && !(row[0] > columns[0].back()))
      p.fail("File", fmt::format("{}:{}: {} {:g} is not above {:g}, the one before", path, line, abscissa, row[0], columns[0].back()));
    for (std::size_t k = 0; k < row.size(); ++k)
      columns[k].push_back(row[k]);
  }
  if (columns.empty() || columns[0].size() < 2)
    p.fail("File", path + ": has fewer than two lines of values. A spectrum needs two at least");
  abscissae = columns[0];
  curves.assign(columns.begin() + 1, columns.end());
}

void DesignSpectrum::read_file(const Parameters &p)
{
  const Units units = Units::of(p.root());
  if (file.empty())
    p.fail("File", "a spectrum needs the file of its values");
  factor = AccelerationUnit::in_deck(unit, units);
  if (factor == 0.)
    p.fail("Unit", AccelerationUnit::unknown);
  if (type != "acceleration" && type != "psd" && unit == "g")
    p.fail("Unit", fmt::format("g is a unit of accelerations, and Type = {}. Give m/s2, cm/s2 or deck", type));
  read_rows(p);
  if (type == "psd" && !ratios.empty())
    p.fail(
        "File",
        "the first line has words and numbers. A density has no damping ratios: write titles without numbers, or a frequency and a value");
  const bool ascend = std::adjacent_find(ratios.begin(), ratios.end(), std::greater_equal<>()) == ratios.end();
  if (!ratios.empty() && (ratios.size() != curves.size() || !ascend || !(ratios.front() > 0.)))
    p.fail("File", "the first line must give one damping ratio > 0 for each column of values, in ascending order");
  if (type == "psd" && curves.size() > 1)
    p.fail("File", fmt::format("has {} columns of values. A density has one", curves.size()));
  if (ratios.empty() && curves.size() > 1)
    p.fail("File",
           fmt::format("has {} columns of values. Give their damping ratios in the first line: frequency, 0.02, 0.05", curves.size()));
  for (const std::vector<double> &curve : curves)
    for (std::size_t i = 0; i < curve.size(); ++i)
      if (abscissae[i] <= 0. || curve[i] < 0. || (interpolation == "log-log" && curve[i] == 0.))
        p.fail("File", fmt::format("a {} of {:g} with the value {:g}: {}", abscissa, abscissae[i], curve[i],
                                   interpolation == "log-log" ? "both must be > 0 for Interpolation = log-log"
                                                              : "the first must be > 0, the value >= 0"));
}

double DesignSpectrum::at(const std::vector<double> &a, const double x) const
{
  const std::vector<double> &t = abscissae;
  if (x <= t.front())
    return a.front();
  if (x >= t.back())
    return a.back();
  const std::size_t i = std::size_t(std::upper_bound(t.begin(), t.end(), x) - t.begin());
  if (interpolation == "linear")
    return a[i - 1] + (a[i] - a[i - 1]) * (x - t[i - 1]) / (t[i] - t[i - 1]);
  return a[i - 1] * std::pow(a[i] / a[i - 1], std::log(x / t[i - 1]) / std::log(t[i] / t[i - 1]));
}

double DesignSpectrum::value(const double x, const double ratio) const
{
  constexpr double same = 1e-6;
  if (ratios.size() <= 1)
  {
    if (!ratios.empty() && std::abs(ratio - ratios[0]) > same)
      throw InputError(fmt::format(
          "{}: the spectrum is for a damping ratio of {:g}, and a mode has {:g}. Give a file with a column for each damping ratio, or Damping "
          "ratios = {:g}",
          where, ratios[0], ratio, ratios[0]));
    return at(curves[0], x);
  }
  if (ratio < ratios.front() * (1. - same) || ratio > ratios.back() * (1. + same))
    throw InputError(fmt::format("{}: the spectrum has damping ratios from {:g} to {:g}, and a mode has {:g}. Give a column for that",
                                 where, ratios.front(), ratios.back(), ratio));
  const auto next = std::upper_bound(ratios.begin() + 1, ratios.end() - 1, ratio);
  const std::size_t i = std::size_t(next - ratios.begin());
  const double low = at(curves[i - 1], x), high = at(curves[i], x);
  return low + (high - low) * std::log(ratio / ratios[i - 1]) / std::log(ratios[i] / ratios[i - 1]);
}

double DesignSpectrum::in_acceleration(const double frequency, const double value) const
{
  const double omega = 2. * dealii::numbers::PI * frequency;
  return factor * value * (type == "acceleration" ? 1. : type == "displacement" ? omega * omega : omega);
}

double DesignSpectrum::acceleration(const double frequency, const double ratio) const
{
  const double x = by_period() ? 1. / frequency : frequency;
  const std::vector<double> &t = abscissae;
  if (beyond == "error" && (x < t.front() || x > t.back()))
    throw InputError(
        fmt::format("{}: a mode has the {} {:g}, and the spectrum goes from {:g} to {:g}. Extend the file, set Beyond = constant, or "
                    "ask for other modes",
                    where, abscissa, x, t.front(), t.back()));
  const auto [lowest, highest] = ends();
  return in_acceleration(std::clamp(frequency, lowest, highest), value(x, ratio));
}

std::pair<double, double> DesignSpectrum::ends() const
{
  const double first = abscissae.front(), last = abscissae.back();
  return by_period() ? std::pair(1. / last, 1. / first) : std::pair(first, last);
}

std::vector<std::pair<double, double>> DesignSpectrum::density(const std::vector<double> &range) const
{
  constexpr double enough = 1e-7, rounding = 1e-9;
  const auto [lowest, highest] = ends();
  if (beyond == "error" && (range[0] < lowest * (1. - rounding) || range[1] > highest * (1. + rounding)))
    throw InputError(
        fmt::format("{}: the Range from {:g} to {:g} Hz leaves the table, which goes from {:g} to {:g} Hz. Extend the file, set "
                    "Beyond = constant, or narrow the Range",
                    where, range[0], range[1], lowest, highest));
  std::vector<double> corners{range[0], range[1]};
  for (const double x : abscissae)
    if (const double f = by_period() ? 1. / x : x; f > range[0] && f < range[1])
      corners.push_back(f);
  std::sort(corners.begin(), corners.end());
  const auto G = [&](const double f) { return factor * factor * at(curves[0], by_period() ? 1. / f : f); };
  std::vector<std::pair<double, double>> points{{corners[0], G(corners[0])}};
  const std::function<void(double, double, double, double, int)> add = [&](const double a, const double at_a, const double b,
                                                                           const double at_b, const int depth) {
    constexpr int deepest = 24;
    const double c = 0.5 * (a + b), middle = G(c), bend = std::abs(middle - 0.5 * (at_a + at_b));
    if (depth < 2 || (depth < deepest && bend > enough * std::max({at_a, at_b, middle})))
    {
      add(a, at_a, c, middle, depth + 1);
      add(c, middle, b, at_b, depth + 1);
    }
    else
      points.emplace_back(b, at_b);
  };
  for (std::size_t i = 1; i < corners.size(); ++i)
    add(corners[i - 1], G(corners[i - 1]), corners[i], G(corners[i]), 0);
  return points;
}

double DesignSpectrum::rigid_acceleration(const double ratio) const
{
  const double x = by_period() ? abscissae.front() : abscissae.back();
  return in_acceleration(by_period() ? 1. / x : x, value(x, ratio));
}
}  // namespace symdyn
