#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/base_spectra.h"
#include "solver/stages/linear_quantities.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/modal_combination.h"
#include "solver/vibration/static_correction.h"

namespace symdyn
{
/// The largest answers to motions of the base that spectra describe, mode by mode.
class ResponseSpectrumStage : public BaseSpectraStage
{
public:
  std::string meaning() const override { return "largest answers to spectra of the base motion (earthquakes), combined from modes"; }
  void declare(Parameters &p) override;
  Progress advance(Analysis &analysis) override;

private:
  /// What mode i answers to a base along direction d: u = -phi_i Gamma_id S_a/omega_i², a = u_tt + r a_g = -omega_i² u.
  struct ModalAnswer
  {
    double participation, acceleration;  ///< Gamma [sqrt(kg)], S_a [m/s²]
  };

  /// Of one direction: values of a quantity of each mode combined, and of the missing mass.
  struct DirectionalValue
  {
    double modes = 0, missing = 0;
    double whole() const { return std::hypot(modes, missing); }
  };
  struct Answer
  {
    HeldModes held;
    std::vector<std::vector<ModalAnswer>> of;  ///< [direction][mode]
    std::vector<Vector> missing_u, missing_a;  ///< [direction]; none
  };
  Answer solve(Analysis &analysis, const MechanicalSystem &system) const;
  void add_missing_mass(const MechanicalSystem &system, const State &state, const std::vector<Vector> &r, Answer &answer) const;
  /// [quantity][direction]
  std::vector<std::vector<DirectionalValue>> values_of(const LinearQuantities &quantities, const Answer &answer) const;
  void write_quantities(Analysis &analysis, const MechanicalSystem &system, const Answer &answer) const;
  void write_modes(Analysis &analysis, const std::vector<double> &masses, const Answer &answer) const;
  void write_displacement(Analysis &analysis, const Answer &answer) const;
  std::vector<double> masses(const MechanicalSystem &system, const Vector &q) const;

  std::string combine_modes = "cqc", combine_directions = "srss";
  bool missing_mass = true;
};

void ResponseSpectrumStage::declare(Parameters &p)
{
  spectra.declare(
      p, "Spectra",
      "of the base motion along x, y, z: names of sections of Spectra, with a factor (0.67 design), or none; the directions act "
      "together as Combine directions says");
  p.add(
      "Combine modes", combine_modes,
      "cqc: with the correlation of modes with close frequencies; srss: root of the sum of squares; abs: sum of sizes; ten-percent: srss, with "
      "sizes of modes whose frequencies are closer than a tenth",
      ModalCombination::rules());
  p.add("Combine directions", combine_directions,
        "srss; 100-30-30: the largest direction and 0.3 of the others; 100-40-40; abs; none: each direction alone",
        {"srss", "100-30-30", "100-40-40", "abs", "none"});
  p.add("Missing mass", missing_mass,
        "yes: the mass that the modes leave out answers as if rigid, with the acceleration at the highest frequency of the spectrum");
  declare_modes(p, "Spectra", false);
  if (p.given("Combine directions") && spectra.directions().size() == 1 && combine_directions != "none")
    p.fail("Combine directions", "has no effect, because one direction alone has a spectrum. Remove the entry");
}

ResponseSpectrumStage::Answer ResponseSpectrumStage::solve(Analysis &analysis, const MechanicalSystem &system) const
{
  const State &state = analysis.state;
  Answer answer{find_held_modes(analysis, *this, system, request, damping), {}, {}, {}};
  const HeldModes &held = answer.held;
  std::vector<Vector> rigid;
  for (const BaseSpectra::Direction &direction : spectra.directions())
  {
    Vector r = spectra.rigid(system, state.q, direction), Mr = system.new_vector();
    system.mass(r, Mr);
    const std::vector<double> participation = held.modes.project(Mr);
    std::vector<ModalAnswer> &of = answer.of.emplace_back();
    for (std::size_t i = 0; i < held.modes.size(); ++i)
      of.push_back({participation[i], direction.factor * direction.spectrum.acceleration(held.modes.frequency(i), held.ratios[i])});
    rigid.push_back(std::move(r));
  }
  if (missing_mass)
    add_missing_mass(system, state, rigid, answer);
  return answer;
}

void ResponseSpectrumStage::add_missing_mass(const MechanicalSystem &system, const State &state, const std::vector<Vector> &r,
                                             Answer &answer) const
{
  const StaticCorrection correction(system, state.t, state.q, answer.held.modes);
  for (std::size_t d = 0; d < spectra.directions().size(); ++d)
  {
    const double acceleration =
        spectra.directions()[d].factor * spectra.directions()[d].spectrum.rigid_acceleration(answer.held.ratios.back());
    Vector Mr = system.new_vector();
    system.mass(r[d], Mr);
    Vector u = correction.of(Mr), a = r[d];
    u *= -acceleration;
    for (std::size_t i = 0; i < answer.held.modes.size(); ++i)
      a.add(-answer.of[d][i].participation, answer.held.modes.shapes[i]);
    a *= acceleration;
    for (Vector *x : {&u, &a})
      x->update_ghost_values();
    answer.missing_u.push_back(std::move(u));
    answer.missing_a.push_back(std::move(a));
  }
}

std::vector<double> ResponseSpectrumStage::masses(const MechanicalSystem &system, const Vector &q) const
{
  std::vector<double> all;
  Vector Mr = system.new_vector();
  for (const BaseSpectra::Direction &direction : spectra.directions())
  {
    const Vector r = spectra.rigid(system, q, direction);
    system.mass(r, Mr);
    all.push_back(r * Mr);
  }
  return all;
}

Progress ResponseSpectrumStage::advance(Analysis &analysis)
{
  const AtRest about(analysis.system(), analysis.state.t, analysis.state.q);
  check_rest(analysis, *this);
  const Answer answer = solve(analysis, *about);
  write_modes(analysis, masses(*about, analysis.state.q), answer);
  write_quantities(analysis, *about, answer);
  write_displacement(analysis, answer);
  return Progress::ended;
}

/// One line a mode: participation, part of the mass, spectrum.
void ResponseSpectrumStage::write_modes(Analysis &analysis, const std::vector<double> &masses, const Answer &answer) const
{
  const Units &units = analysis.units;
  const std::string acceleration = units.length == "1" ? "" : fmt::format(" [{}/{}^2]", units.length, units.time);
  std::string text = fmt::format("mode,frequency [{}],damping ratio", hertz(units));
  for (const BaseSpectra::Direction &direction : spectra.directions())
    text += fmt::format(",participation {0} [sqrt({1})],mass share {0},acceleration {0}{2}", direction.name(), units.mass, acceleration);
  text += "\n";
  std::vector<double> shares(spectra.directions().size(), 0.);
  for (std::size_t i = 0; i < answer.held.modes.size(); ++i)
  {
    text += fmt::format("{},{:.17g},{:.17g}", i + 1, answer.held.modes.frequency(i), answer.held.ratios[i]);
    for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    {
      const ModalAnswer &one = answer.of[d][i];
      const double share = one.participation * one.participation / masses[d];
      shares[d] += share;
      text += fmt::format(",{:.17g},{:.17g},{:.17g}", one.participation, share, one.acceleration);
    }
    text += "\n";
  }
  analysis.recorder.file(stem() + "-modes.csv", text);
  std::vector<std::string> words;
  for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    words.push_back(fmt::format("{:.4g} % along {}", 100. * shares[d], spectra.directions()[d].name()));
  log_line(fmt::format("stage {}: the modes have {} of the mass{}", name, join(words),
                       missing_mass ? "; the rest answers as if rigid" : "; the rest is left out (Missing mass = no)"));
  constexpr double enough = 0.9;  // as codes ask for
  if (!missing_mass && *std::min_element(shares.begin(), shares.end()) < enough)
    log_warning(fmt::format("stage {}: the modes have less than 90 % of the mass. Ask for more Modes, or set Missing mass = yes", name));
  if (*std::min_element(answer.held.ratios.begin(), answer.held.ratios.end()) == 0.)
    log_warning(fmt::format(
        "stage {}: modes have no damping, so that none is correlated with another one. Give Damping ratios, those of the spectrum", name));
  for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    (*analysis.found)[name]["mass_share"][std::string(1, spectra.directions()[d].name())] = shares[d];
}

std::vector<std::vector<ResponseSpectrumStage::DirectionalValue>> ResponseSpectrumStage::values_of(const LinearQuantities &quantities,
                                                                                                   const Answer &answer) const
{
  const ModalCombination combination(combine_modes, answer.held.omega, answer.held.ratios);
  const std::size_t count = quantities.columns().size(), modes = answer.held.modes.size();
  std::vector<std::vector<double>> of_modes;  // of a unit of Gamma S_a
  for (std::size_t i = 0; i < modes; ++i)
  {
    Vector u = answer.held.modes.shapes[i], a = u;
    u *= -1. / answer.held.modes.squares[i];
    for (Vector *x : {&u, &a})
      x->update_ghost_values();
    of_modes.push_back(quantities.of(u, a, answer.held.omega[i]));
  }
  std::vector<std::vector<DirectionalValue>> values(count, std::vector<DirectionalValue>(spectra.directions().size()));
  std::vector<double> R(modes);
  for (std::size_t d = 0; d < spectra.directions().size(); ++d)
  {
    const std::vector<double> missing =
        missing_mass ? quantities.of(answer.missing_u[d], answer.missing_a[d], 0.) : std::vector<double>(count, 0.);
    for (std::size_t k = 0; k < count; ++k)
    {
      for (std::size_t i = 0; i < modes; ++i)
        R[i] = of_modes[i][k] * answer.of[d][i].participation * answer.of[d][i].acceleration;
      values[k][d] = {combination.of(R), std::abs(missing[k])};
    }
  }
  return values;
}

/// One line a quantity: all together, each direction, and its parts.
void ResponseSpectrumStage::write_quantities(Analysis &analysis, const MechanicalSystem &system, const Answer &answer) const
{
  const LinearQuantities quantities(analysis, system);
  const std::vector<Column> &columns = quantities.columns();
  const std::vector<std::vector<DirectionalValue>> values = values_of(quantities, answer);
  const bool together = combine_directions != "none";
  std::string text = together ? "quantity,unit,value" : "quantity,unit";
  for (const BaseSpectra::Direction &direction : spectra.directions())
    text += fmt::format(",{0},modes {0},missing mass {0}", direction.name());
  text += "\n";
  for (std::size_t k = 0; k < columns.size(); ++k)
  {
    std::vector<double> each;
    std::string parts;
    for (const DirectionalValue &one : values[k])
    {
      each.push_back(one.whole());
      parts += fmt::format(",{:.17g},{:.17g},{:.17g}", one.whole(), one.modes, one.missing);
    }
    text += columns[k].name + "," + columns[k].unit;
    if (together)
    {
      const double value = over_directions(combine_directions, each);
      text += fmt::format(",{:.17g}", value);
      (*analysis.found)[name]["values"][columns[k].name] = value;
    }
    text += parts + "\n";
  }
  analysis.recorder.file(stem() + ".csv", text);
  log_line(fmt::format("stage {}: {} quantities in {}/{}.csv", name, columns.size(), analysis.recorder.folder(), stem()));
}

/// The largest displacement along each axis, of all directions together: every component by itself, so without signs.
void ResponseSpectrumStage::write_displacement(Analysis &analysis, const Answer &answer) const
{
  if (!analysis.recorder.writes_fields())
    return;
  const ModalCombination combination(combine_modes, answer.held.omega, answer.held.ratios);
  Vector largest = answer.held.modes.shapes[0];
  std::vector<double> R(answer.held.modes.size()), each(spectra.directions().size());
  for (unsigned int k = 0; k < largest.locally_owned_size(); ++k)
  {
    for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    {
      for (std::size_t i = 0; i < R.size(); ++i)
        R[i] = answer.held.modes.shapes[i].local_element(k) * answer.of[d][i].participation * answer.of[d][i].acceleration /
               answer.held.modes.squares[i];
      each[d] = std::hypot(combination.of(R), missing_mass ? answer.missing_u[d].local_element(k) : 0.);
    }
    largest.local_element(k) = over_directions(combine_directions == "none" ? "srss" : combine_directions, each);
  }
  largest.update_ghost_values();
  Results::Collection frames;
  frames.emplace_back(0., analysis.recorder.shape(largest, stem()));
  analysis.recorder.collection(stem() + ".pvd", frames);
}
SYMDYN_REGISTER(Stage, ResponseSpectrumStage, "response spectrum");
}  // namespace symdyn
