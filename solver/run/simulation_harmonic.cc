#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <regex>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/plain_units.h"
#include "solver/error.h"
#include "solver/run/simulation.h"
#include "solver/vibration/mode_tables.h"
#include "solver/vibration/modes_table.h"
#include "solver/vibration/unsolved_frequencies.h"

// Steady vibration about a state at rest.
namespace symdyn
{
namespace
{
std::string of_complex(const std::complex<double> &value)
{
  return fmt::format(",{:.17g},{:.17g}", std::abs(value), std::arg(value) * 180. / dealii::numbers::PI);
}

/// A force that is the same at other times too, as the amplitude of an oscillation must be.
bool is_constant(const MechanicalSystem &system, const std::size_t load, const double t, const Vector &q, const Vector &now)
{
  constexpr double rounding = 1e-12;
  for (const double later : {1.234567e-4, 0.0317, 0.71, 12.9})
  {
    Vector then = system.new_vector();
    system.load_force(load, t + later, q, then);
    then -= now;
    if (then.linfty_norm() > rounding * now.linfty_norm())
      return false;
  }
  return true;
}
}  // namespace

bool Simulation::is_motion(const std::string &column)
{
  static const std::regex of_probe(R"(.*\.([uva]_)?[xyz] .*)");
  return std::regex_match(column, of_probe) && column.rfind("base.", 0) != 0;
}

std::vector<std::size_t> Simulation::oscillating_loads(const Stage &stage, const std::vector<bool> &acting_before) const
{
  const MechanicalSystem &system = structure->system();
  const std::vector<std::string> names = system.load_names(), weights = system.weights();
  const bool all = stage.loads.empty() || stage.loads.front() == "all";
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    if (!(all ? !acting_before[i] : std::count(stage.loads.begin(), stage.loads.end(), names[i]) > 0))
      continue;
    if (acting_before[i])
      throw InputError(fmt::format(
          "{}: load '{}' acts already, at rest; it cannot also oscillate. Leave it out of Loads of the stage before, or make another load",
          stage.where, names[i]));
    if (std::count(weights.begin(), weights.end(), names[i]))
      throw InputError(fmt::format(
          "{}: load '{}' is a weight, which does not oscillate. Put it on in a static stage before this one, and name the loads that oscillate in Loads; a base "
          "that shakes is Base acceleration",
          stage.where, names[i]));
    chosen.push_back(i);
  }
  for (const std::string &name : stage.harmonic.quadrature)
    if (!std::count(names.begin(), names.end(), name))
      throw InputError(fmt::format("{}: Loads out of phase = {}: there is no load '{}'; there are: {}", stage.where,
                                   join(stage.harmonic.quadrature), name, join(nearest_first(name, names))));
    else if (!std::count_if(chosen.begin(), chosen.end(), [&](const std::size_t i) { return names[i] == name; }))
      throw InputError(fmt::format("{}: Loads out of phase = {}: load '{}' is none of those that oscillate. Name it in Loads too",
                                   stage.where, join(stage.harmonic.quadrature), name));
  if (chosen.empty() && !stage.harmonic.moves_base() && !supports_oscillate(stage))
    throw InputError(fmt::format(
        "{}: a harmonic stage needs a load that oscillates, and does not act before it, or a base that shakes (Base acceleration). Name the loads of the stages "
        "before in their Loads",
        stage.where));
  return chosen;
}

ComplexVector Simulation::harmonic_force(const Stage &stage) const
{
  const MechanicalSystem &system = structure->system();
  const std::vector<std::string> names = system.load_names(), &ahead = stage.harmonic.quadrature;
  ComplexVector force{system.new_vector(), system.new_vector()};
  Vector of_load = system.new_vector();
  const std::vector<std::size_t> loads = oscillating_loads(stage, acting);
  for (const std::size_t i : loads)
  {
    system.load_force(i, state.t, state.q, of_load);
    if (!is_constant(system, i, state.t, state.q, of_load))
      throw InputError(fmt::format(
          "{}: load '{}' changes with time; the amplitude of an oscillation does not. Give it a constant value, without Amplitude",
          stage.where, names[i]));
    (std::count(ahead.begin(), ahead.end(), names[i]) ? force.imaginary : force.real) += of_load;
  }
  tell_oscillation(stage, loads, force.real.l2_norm() == 0. && force.imaginary.l2_norm() == 0.);
  return force;
}

void Simulation::tell_oscillation(const Stage &stage, const std::vector<std::size_t> &loads, const bool zero) const
{
  stage.harmonic.damping.check_motion(stage.harmonic.moves_base() || supports_oscillate(stage));
  if (!loads.empty() && zero)
    throw InputError(fmt::format(
        "{}: the loads of this harmonic stage are zero. Look at their amplitudes: a harmonic load has the constant one that stands in the deck",
        stage.where));
  std::vector<std::string> said;
  for (const std::size_t i : loads)
    said.push_back(structure->system().load_names()[i]);
  if (stage.harmonic.moves_base())
    said.push_back("the base");
  if (structure->system().has(Feature::moving_supports) && !supports_oscillate(stage))
    log_warning(fmt::format(
        "stage {}: supports that move by themselves do not oscillate here. A base that shakes is Base acceleration or Base displacement",
        stage.name));
  if (supports_oscillate(stage))
    said.push_back("supports");
  log_line(fmt::format("stage {}: harmonic loads: {}", stage.name, join(said)));
}

std::string Simulation::harmonic_header() const
{
  std::string text = "frequency [" + hertz(units) + "]";
  for (const std::string &column : structure->report_columns(units))
    if (is_motion(column))
      text += fmt::format(",amplitude {},phase {}[deg]", with_plain_unit(column), column.substr(0, column.find('[')));
  for (const std::string &column : structure->support_columns())
    text += fmt::format(",amplitude {} [{}],phase {} [deg]", column, units.force, column);
  return text + "\n";
}

std::string Simulation::harmonic_row(const double frequency, const HarmonicResponse::Amplitude &amplitude) const
{
  const double omega = 2. * dealii::numbers::PI * frequency;
  // A part of u e^{i omega t}; v = i omega u has the other part.
  const auto seen = [&](const Vector &u, const Vector &other, const double rate) {
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
  const Vector nothing = structure->system().new_vector();
  const auto &[real, imaginary] = amplitude.u;
  const std::vector<double> at_rest = seen(nothing, nothing, 0.), in_phase = seen(real, imaginary, -omega),
                            across = seen(imaginary, real, omega);
  const std::vector<std::string> columns = structure->report_columns(units);
  std::string text = fmt::format("{:.17g}", frequency);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (is_motion(columns[i]))
      text += of_complex({in_phase[i] - at_rest[i], across[i] - at_rest[i]});
  const std::vector<double> R_real = structure->support_sums(amplitude.reactions.real),
                            R_imaginary = structure->support_sums(amplitude.reactions.imaginary);
  for (std::size_t i = 0; i < R_real.size(); ++i)
    text += of_complex({R_real[i], R_imaginary[i]});
  return text + "\n";
}

void Simulation::write_sweep(const std::string &stem) const
{
  results->file(stem + ".csv", sweep.rows);
  if (sweep.real.empty())
    return;
  if (sweep.imaginary.empty())  // of a waveform
    return results->collection_of(stem + "-period.pvd", sweep.real);
  results->collection_of(stem + "-real.pvd", sweep.real);
  results->collection_of(stem + "-imaginary.pvd", sweep.imaginary);
}

bool Simulation::run_harmonic(const Stage &stage)
{
  MechanicalSystem &system = structure->system();
  check_rest(stage);
  const bool periodic = stage.harmonic.periodic();
  const Waveform waveform = periodic ? waveform_of(stage) : Waveform();
  HarmonicResponse response(system, state.t, state.q,
                            periodic ? ComplexVector{system.new_vector(), system.new_vector()} : harmonic_force(stage),
                            periodic ? Vector() : harmonic_supports(stage), stage.harmonic);
  if (response.all_modes().size() > 0)
    tell_modes(stage, response.all_modes(), response.all_ratios());
  const std::string stem = Results::stem("harmonic", stage.name);
  if (!place.begun)
    sweep = {periodic ? waveform_header() : harmonic_header(), {}, {}};
  place.begun = true;
  const auto &grid = response.frequencies();
  long written = place.done;
  for (long k = place.done; k < long(grid.size()); ++k)
  {
    if (should_stop())
    {
      write_sweep(stem);
      log_line(fmt::format("stage {}: stopped after {} of {} frequencies; they are in {}/{}.csv", stage.name, k, grid.size(),
                           results->folder(), stem));
      return false;
    }
    try
    {
      periodic ? period_at(stage, grid[k], response, waveform, stem, k + 1) : sweep_at(stage, grid[k], response, stem, k + 1);
    }
    catch (const UnsolvedFrequency &error)
    {
      log_warning(fmt::format("stage {}: {}. This frequency is left out; the sweep continues", stage.name, error.what()));
      found[stage.name][unsolved_frequencies].push_back(grid[k]);
    }
    catch (const ComputationError &)
    {
      write_sweep(stem);
      throw;
    }
    place.done = k + 1;
    constexpr long part = 50;  // so that a long sweep is not written over and over again
    if (k + 1 - written > (k + 1) / part)
    {
      write_sweep(stem);
      written = k + 1;
    }
    show_progress(stage, double(k + 1) / grid.size(), k + 1 == long(grid.size()));
    if (checkpoint_every_seconds > 0. && checkpoint_is_due())
      write_checkpoint();
    if (stop_reason == 3)
      return false;
  }
  write_sweep(stem);
  place.done = 0;
  const std::size_t missed = found.value(stage.name, nlohmann::json::object()).value(unsolved_frequencies, nlohmann::json::array()).size();
  log_line(fmt::format("stage {}: {} frequencies in {}/{}.csv{}", stage.name, grid.size() - missed, results->folder(), stem,
                       missed > 0 ? fmt::format("; {} were not solved", missed) : ""));
  return true;
}

void Simulation::sweep_at(const Stage &stage, const double frequency, const HarmonicResponse &response, const std::string &stem,
                          const long number)
{
  const HarmonicResponse::Amplitude amplitude = response.at(frequency);
  krylov_total += amplitude.krylov;
  const OutputTime moment{stage.name};
  if (structure->prints_modes() && stage.harmonic.modal())
    print(calculix_shares(frequency, response.all_modes(), response.shares(2. * dealii::numbers::PI * frequency)));
  for (const Vector *part : {&amplitude.u.real, &amplitude.u.imaginary})
    print(structure->print(state, {*part, frequency}, moment));
  sweep.rows += harmonic_row(frequency, amplitude);
  if (write_every_text == "never")
    return;
  const std::string name = fmt::format("-{:05d}", number);
  sweep.real.emplace_back(frequency, structure->write_shape(amplitude.u.real, results->folder(), stem + "-real" + name));
  sweep.imaginary.emplace_back(frequency, structure->write_shape(amplitude.u.imaginary, results->folder(), stem + "-imaginary" + name));
}
}  // namespace symdyn
