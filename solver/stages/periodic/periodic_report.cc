#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/plain_units.h"
#include "solver/stages/analysis.h"
#include "solver/stages/periodic/periodic.h"

// What a periodic stage reports.
namespace symdyn
{
namespace
{
/// The largest value of a periodic function, by a parabola through the largest sample and its neighbours; of half a period that is mirrored
/// at both ends, or of a whole one whose last sample is the first.
double highest_of(const std::vector<double> &u, const bool half)
{
  const std::size_t k = std::max_element(u.begin(), u.end()) - u.begin(), last = u.size() - 1;
  const double before = u[k > 0  ? k - 1
                          : half ? 1
                                 : last - 1],
               after = u[k < last ? k + 1
                         : half   ? last - 1
                                  : 1],
               curvature = before - 2. * u[k] + after;
  return curvature < 0. ? u[k] - 0.125 * (before - after) * (before - after) / curvature : u[k];
}
}  // namespace

PeriodicStage::Row PeriodicStage::row(const OrbitProblem &problem, const FoundOrbit &found) const
{
  Row row{found, 0., 0., 0., std::nullopt};
  if (place)
  {
    const OrbitMotion motion = shoot(problem, found.orbit);
    std::vector<double> u;
    for (const State &state : motion.states())
      u.push_back(place->displacement(state.q, problem.rest));
    row.highest = highest_of(u, problem.half());
    for (double &value : u)
      value = -value;
    row.lowest = -highest_of(u, problem.half());
  }
  if (!driven())
    row.energy = energy(problem, found.orbit);
  if (wants_multipliers)
    row.floquet = floquet_multipliers(problem, found.orbit, shapes);
  return row;
}

/// Of the orbit, corrected, to the mode.
double PeriodicStage::frequency_ratio(const Orbit &orbit) const
{
  return corrects / (orbit.period * modes.frequency(std::size_t(mode - 1)));
}

std::string PeriodicStage::table(const Analysis &analysis, const std::vector<Row> &rows) const
{
  const Units &units = analysis.units;
  using Value = std::function<double(const Row &)>;
  std::vector<std::pair<std::string, Value>> columns{
      {"frequency [" + hertz(units) + "]", [](const Row &r) { return 1. / r.found.orbit.period; }}};
  if (!driven())
  {
    columns.emplace_back("frequency_corrected [" + hertz(units) + "]", [this](const Row &r) { return corrects / r.found.orbit.period; });
    columns.emplace_back("frequency_ratio [-]", [this](const Row &r) { return frequency_ratio(r.found.orbit); });
    columns.emplace_back("energy [" + units.energy + "]", [](const Row &r) { return r.energy; });
  }
  else
    columns.emplace_back("load_factor [-]", [](const Row &r) { return r.found.orbit.factor; });
  if (place)
  {
    columns.emplace_back("amplitude [" + units.length + "]", [](const Row &r) { return r.amplitude(); });
    columns.emplace_back("highest [" + units.length + "]", [](const Row &r) { return r.highest; });
    columns.emplace_back("lowest [" + units.length + "]", [](const Row &r) { return r.lowest; });
  }
  if (rows.front().floquet)
  {
    columns.emplace_back("multiplier [-]", [](const Row &r) { return r.floquet->largest; });
    columns.emplace_back(shapes.all ? "product_defect [-]" : "multiplier_residual [-]",
                         [this](const Row &r) { return shapes.all ? r.floquet->defect() : r.floquet->residual; });
  }
  columns.emplace_back("asked [-]", [](const Row &r) { return double(r.found.asked); });
  columns.emplace_back("turned [-]", [](const Row &r) { return double(r.found.turned); });
  columns.emplace_back("branched [-]", [](const Row &r) { return double(r.found.branched); });
  columns.emplace_back("newton [-]", [](const Row &r) { return double(r.found.newton); });
  columns.emplace_back("residual [-]", [](const Row &r) { return r.found.residual; });
  std::string text;
  for (const auto &[title, value] : columns)
    text += with_plain_unit(title) + ",";
  text += "kind\n";
  for (const Row &row : rows)
  {
    for (const auto &[title, value] : columns)
      text += fmt::format("{},", value(row));
    text += (row.floquet ? row.floquet->kind : "not known") + "\n";
  }
  return text;
}

std::string PeriodicStage::multipliers_table(const std::vector<Row> &rows) const
{
  std::string text = "orbit [-],real [-],imaginary [-],modulus [-]\n";
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const std::complex<double> &m : rows[k].floquet->multipliers)
      text += fmt::format("{},{},{},{}\n", k + 1, m.real(), m.imag(), std::abs(m));
  return text;
}

void PeriodicStage::warn(const std::vector<Row> &rows) const
{
  constexpr double much = 1e-2;
  double noise = 0.;
  const Floquet *worst = nullptr;
  for (const Row &row : rows)
    if (row.floquet)
      noise = std::max(noise, row.floquet->noise());
  if (noise > much)
    log_warning(
        fmt::format("stage {}: rounding may leave {:.2g} in the multipliers: the body has motions much stiffer than this one, and "
                    "wrong multipliers are not noticed below. Raise \"Steps a period\", or take a coarser mesh",
                    name, noise));
  for (const Row &row : rows)
    if (row.floquet && row.floquet->wrong() && (!worst || row.floquet->defect() > worst->defect()))
      worst = &*row.floquet;
  if (worst)
    log_warning(fmt::format("stage {}: the product of the multipliers is wrong by {:.2g}: {}", name, worst->defect(),
                            worst->expected < 0. ? "the steps are long for this damping. Raise \"Steps a period\""
                                                 : "the linearised step of this scheme is not exact. Take another Scheme, and report it"));
}

std::string PeriodicStage::line(const Analysis &analysis, const Row &row) const
{
  const Units &units = analysis.units;
  const Orbit &orbit = row.found.orbit;
  std::string text = fmt::format("\n  {:.8g} {}", 1. / orbit.period, hertz(units));
  if (!driven())
    text += fmt::format(", corrected {:.8g} ({:.7g} of the mode), energy {:.6g}{}", corrects / orbit.period, frequency_ratio(orbit),
                        row.energy, Units::after(units.energy));
  if (by == "load")
    text += fmt::format(", load factor {:.6g}", orbit.factor);
  if (place)
    text += fmt::format(", {} {:.6g}{}", probe, row.amplitude(), Units::after(units.length));
  if (row.floquet)
    text += fmt::format(", |m| {:.8g} {}, {} {:.1e}", row.floquet->largest, row.floquet->kind, shapes.all ? "product" : "residual",
                        shapes.all ? row.floquet->defect() : row.floquet->residual);
  return text + (row.found.turned ? ", after a fold" : "") + (row.found.branched ? ", after a branch point" : "");
}

nlohmann::json PeriodicStage::summary(const Row &row) const
{
  const Orbit &orbit = row.found.orbit;
  nlohmann::json one{{"frequency", 1. / orbit.period}, {"asked for", row.found.asked}, {"residual", row.found.residual}};
  if (driven())
    one["load factor"] = orbit.factor;
  else
  {
    one["frequency, corrected"] = corrects / orbit.period;
    one["frequency over that of the mode"] = frequency_ratio(orbit);
    one["energy"] = row.energy;
  }
  if (place)
    one["amplitude"] = row.amplitude();
  if (place && !driven())
    one["backbone coefficient"] = (std::pow(frequency_ratio(orbit), 2) - 1.) / (row.amplitude() * row.amplitude());
  if (row.floquet)
  {
    one["largest multiplier"] = row.floquet->largest;
    one["kind"] = row.floquet->kind;
    if (shapes.all)
      one["product of multipliers"] = {{"logarithm", row.floquet->log_product}, {"expected", row.floquet->expected}};
    else
      one["residual of multipliers"] = row.floquet->residual;
  }
  return one;
}

void PeriodicStage::report(Analysis &analysis, const std::vector<Row> &rows, const bool complete) const
{
  std::string text = fmt::format("stage {}: {} periodic motions, {} steps a period", name, rows.size(), steps);
  nlohmann::json all = nlohmann::json::array();
  for (const Row &row : rows)
  {
    text += line(analysis, row);
    all.push_back(summary(row));
  }
  log_line(text);
  if (!shapes.all)
    log_line(fmt::format("stage {}: above {} unknowns there are no branch points{}", name, dense_unknowns,
                         wants_multipliers ? ", multipliers are the largest found, and their product is not checked" : ""));
  warn(rows);
  (*analysis.found)[name] = {
      {"orbits", all},  {"complete", complete},        {"dispersion", corrects},
      {"probe", probe}, {"mode", driven() ? 0 : mode}, {"frequency of the mode", driven() ? 0. : modes.frequency(std::size_t(mode - 1))}};
  const std::string stem = Results::stem("periodic", name);
  analysis.recorder.file(stem + "-orbits.csv", table(analysis, rows));
  if (rows.front().floquet)
    analysis.recorder.file(stem + "-multipliers.csv", multipliers_table(rows));
}

/// Displacements from the state at rest, over a period.
void PeriodicStage::write_motion(Analysis &analysis, const OrbitProblem &problem, const Orbit &orbit) const
{
  Recorder &recorder = analysis.recorder;
  const std::string stem = Results::stem("periodic", name);
  Results::Collection frames;
  if (recorder.writes_fields())
  {
    const OrbitMotion motion(problem, orbit, steps);
    for (std::size_t k = 0; k < motion.states().size(); ++k)
    {
      Vector u = motion.states()[k].q;
      u -= problem.rest;
      u.update_ghost_values();
      frames.emplace_back(k * orbit.period / steps, recorder.shape(u, fmt::format("{}-{:05d}", stem, k)));
    }
  }
  recorder.collection(stem + ".pvd", frames);
}
}  // namespace symdyn
