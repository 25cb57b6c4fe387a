#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <regex>

#include "solver/error.h"
#include "solver/log.h"
#include "solver/mode_tables.h"
#include "solver/simulation.h"

// Stages about a state at rest: its modes, and steady vibration.
namespace symdyn
{
namespace
{
std::string hertz(const Units &units) { return units.time == "s" ? "Hz" : "1/" + units.time; }

/// "mode 3  f = 1.234 Hz ..." as lines of a table, and the same with all digits for a file.
struct ModesTable
{
  ModesTable(const MechanicalSystem &system, const Vector &q, const Modes &modes, const Units &units)
      : modes(modes), participation(system, q, modes), ratios(damping_ratios(system, q, modes)), units(units)
  {
  }

  std::string csv() const
  {
    const std::string root_mass = units.mass == "1" ? "1" : "sqrt(" + units.mass + ")";
    std::string text = fmt::format("mode,kind,frequency [{1}],omega [rad/{0}],omega^2 [1/{0}^2],damping ratio [-]", units.time, hertz(units));
    for (const std::string &motion : participation.motions)
      text += fmt::format(",participation {} [{}{}]", motion, root_mass, turns(motion) ? " " + units.length : "");
    for (const std::string &motion : participation.motions)
      text += fmt::format(",effective mass {} [{}{}]", motion, units.mass, turns(motion) ? " " + units.length + "^2" : "");
    text += "\n";
    for (std::size_t i = 0; i < modes.size(); ++i)
    {
      text += fmt::format("{},{},{:.17g},{:.17g},{:.17g},{:.17g}", i + 1, in_words(modes.kinds[i]), modes.frequency(i), modes.omega(i), modes.squares[i], ratios[i]);
      for (const double factor : participation.factors[i])
        text += fmt::format(",{:.17g}", factor);
      for (const double factor : participation.factors[i])
        text += fmt::format(",{:.17g}", factor * factor);
      text += "\n";
    }
    return text;
  }

  std::string lines(const std::string &stage) const
  {
    std::string text = fmt::format("stage {}: {} modes\n  mode  {:>16}  zeta [-]    effective mass, part of the whole:", stage, modes.size(), "frequency [" + hertz(units) + "]");
    for (const std::string &motion : participation.motions)
      text += fmt::format(" {:>7}", motion);
    std::vector<double> sums(participation.motions.size(), 0.);
    for (std::size_t i = 0; i < modes.size(); ++i)
    {
      text += fmt::format("\n  {:>4}  {:>16.8g}  {:<8.3g}  {:<33}", i + 1, modes.frequency(i), ratios[i], modes.kinds[i] == Modes::vibration ? "" : in_words(modes.kinds[i]));
      for (std::size_t j = 0; j < sums.size(); ++j)
      {
        const double part = participation.factors[i][j] * participation.factors[i][j] / participation.total[j];
        sums[j] += part;
        text += fmt::format(" {:>7.4f}", part);
      }
    }
    text += fmt::format("\n  {:<64}", "sum");
    for (const double sum : sums)
      text += fmt::format(" {:>7.4f}", sum);
    if (modes.complete)
      text += "\n  none is missing: the number of modes below the last was counted by a factorisation, or all were computed";
    return text;
  }

private:
  static bool turns(const std::string &motion) { return motion[0] == 'r'; }

  const Modes &modes;
  Participation participation;
  std::vector<double> ratios;
  const Units &units;
};

/// Columns of u, v and a of probes, and of points: those that vibrate linearly with the structure.
bool is_motion(const std::string &column)
{
  static const std::regex of_probe(R"(.*\.([uva]_)?[xyz] .*)");
  return std::regex_match(column, of_probe);
}
}  // namespace

void Simulation::run_modes(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  Modes modes;
  try
  {
    modes = find_modes(system, state.t, state.q, stage.modes);
  }
  catch (const InputError &error)
  {
    throw InputError(stage.where + ": " + error.what());
  }
  const ModesTable table(system, state.q, modes, units);
  log_line(table.lines(stage.name));
  if (std::count(modes.kinds.begin(), modes.kinds.end(), Modes::unstable))
    log_warning(fmt::format("stage {}: the state is unstable: omega² < 0 (modes marked `unstable` grow). It is beyond buckling", stage.name));
  const std::string stem = Results::stem("modes", stage.name);
  results->file(stem + ".csv", table.csv());
  const PrintMoment moment{stage.name, options.output, 1., true, 0.};
  if (structure->prints_modes())
    structure->print(calculix_modes(system, modes), moment);
  for (std::size_t i = 0; i < modes.size(); ++i)
    structure->print(state, {modes.shapes[i], std::numeric_limits<double>::quiet_NaN(), calculix_mode_title(i + 1)}, moment);
  Results::Collection frames;
  for (std::size_t i = 0; i < modes.size() && write_every_text != "never"; ++i)
    frames.emplace_back(i + 1, structure->write_shape(modes.shapes[i], results->folder(), fmt::format("{}-{:05d}", stem, i + 1)));
  if (!frames.empty())
    results->collection_of(stem + ".pvd", frames);
}

bool Simulation::run_harmonic(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  const auto placed = [&](const auto &make) {
    try
    {
      return make();
    }
    catch (const InputError &error)
    {
      throw InputError(stage.where + ": " + error.what());
    }
  };
  const ComplexForce force = harmonic_force(stage);
  const Vector prescribed = harmonic_supports(stage);
  const HarmonicResponse response = placed([&] { return HarmonicResponse(system, state.t, state.q, force, prescribed, stage.harmonic); });
  const std::string stem = Results::stem("harmonic", stage.name);
  const std::vector<std::string> columns = structure->report_columns(units);
  std::string text = "frequency [" + hertz(units) + "]";
  for (const std::string &column : columns)
    if (is_motion(column))
      text += fmt::format(",amplitude {},phase {}[deg]", column, column.substr(0, column.find('[')));
  text += "\n";
  Results::Collection real, imaginary;
  // A part of u e^{i omega t}; v = i omega u has the other part.
  const auto seen = [&](const Vector &u, const Vector &other, const double rate, const double omega) {
    State shown = state;
    shown.q = u;
    shown.v = other;
    shown.v *= rate;
    shown.a = u;
    shown.a *= -omega * omega;
    for (Vector *x : {&shown.q, &shown.v, &shown.a})
      x->update_ghost_values();
    return structure->report(shown, false);
  };
  const Vector nothing = system.new_vector();
  const std::vector<double> at_rest = seen(nothing, nothing, 0., 0.);
  const auto &grid = response.frequencies();
  for (std::size_t k = 0; k < grid.size(); ++k)
  {
    if (should_stop())
      return false;
    const double omega = 2. * dealii::numbers::PI * grid[k];
    HarmonicResponse::Amplitude u = response.at(grid[k]);
    krylov_total += u.krylov;
    if (structure->prints_modes() && stage.harmonic.modal())
      structure->print(calculix_shares(grid[k], response.all_modes(), response.shares(omega)), {stage.name, options.output});
    for (const Vector *part : {&u.real, &u.imaginary})
      structure->print(state, {*part, grid[k]}, {stage.name, options.output});
    const std::vector<double> in_phase = seen(u.real, u.imaginary, -omega, omega), across = seen(u.imaginary, u.real, omega, omega);
    text += fmt::format("{:.17g}", grid[k]);
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (is_motion(columns[i]))
      {
        const std::complex<double> value(in_phase[i] - at_rest[i], across[i] - at_rest[i]);
        text += fmt::format(",{:.17g},{:.17g}", std::abs(value), std::arg(value) * 180. / dealii::numbers::PI);
      }
    text += "\n";
    const std::string number = fmt::format("-{:05d}", k + 1);
    if (write_every_text != "never")
    {
      real.emplace_back(grid[k], structure->write_shape(u.real, results->folder(), stem + "-real" + number));
      imaginary.emplace_back(grid[k], structure->write_shape(u.imaginary, results->folder(), stem + "-imaginary" + number));
    }
    show_progress(stage, double(k + 1) / grid.size(), k + 1 == grid.size());
  }
  results->file(stem + ".csv", text);
  if (!real.empty())
  {
    results->collection_of(stem + "-real.pvd", real);
    results->collection_of(stem + "-imaginary.pvd", imaginary);
  }
  log_line(fmt::format("stage {}: {} frequencies in {}/{}.csv", stage.name, grid.size(), results->folder(), stem));
  return true;
}
}  // namespace symdyn
