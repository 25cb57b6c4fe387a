#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/linear_quantities.h"
#include "solver/stages/spectra/base_spectra.h"
#include "solver/stages/spectra/stress_sites.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/modal_combination.h"
#include "solver/vibration/static_correction.h"
#include "solver/vibration/stress_statistics.h"

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
    double size() const { return participation * acceleration; }
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
  void add_missing_mass(const StaticCorrection &correction, const std::vector<Vector> &r, const std::vector<Vector> &momenta,
                        Answer &answer) const;
  /// Quantities and stresses of a unit of Gamma S_a in each mode, and after these of the missing mass in each direction.
  struct Shares
  {
    std::vector<std::vector<double>> quantities, stresses;
  };
  Shares shares_of(const LinearQuantities &quantities, const StressSites &sites, const Answer &answer) const;
  /// [quantity][direction]
  std::vector<std::vector<DirectionalValue>> values_of(const Shares &shares, std::size_t quantities, const Answer &answer) const;
  void write_quantities(Analysis &analysis, const std::vector<Column> &columns,
                        const std::vector<std::vector<DirectionalValue>> &values) const;
  /// At sites: sizes of components, largest von Mises stress over the ellipsoid, and root of the trace.
  struct Stresses
  {
    std::vector<double> size, largest, root;
  };
  /// With rules of squares (cqc, srss), of the directions of this list together.
  Stresses stresses_by_covariance(const Shares &shares, const Answer &answer, const std::vector<std::size_t> &directions) const;
  /// With rules of sizes (abs, ten-percent).
  Stresses stresses_by_sizes(const Shares &shares, const Answer &answer, std::size_t direction) const;
  Stresses stresses_of(const Shares &shares, const Answer &answer) const;
  void write_modes(Analysis &analysis, const std::vector<double> &masses, const Answer &answer) const;
  void write_stresses(Analysis &analysis, const StressSites &sites, const Shares &shares, const Answer &answer) const;
  Vector largest_displacement(const Answer &answer) const;
  const std::string &over_fields() const { return combine_directions == "none" ? together : combine_directions; }
  std::vector<double> masses(const MechanicalSystem &system, const Vector &q) const;

  std::string combine_modes = "cqc", combine_directions = "srss";
  const std::string together = "srss";  ///< of fields where each direction stands alone
  bool missing_mass = true, stresses = true;
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
  p.add("Stresses", stresses,
        "yes: largest stresses of bodies, beams and shells at the points of frames; needs memory of six numbers a point and mode");
  declare_modes(p, "Spectra", false);
  if (p.given("Combine directions") && spectra.directions().size() == 1 && combine_directions != "none")
    p.fail("Combine directions", "has no effect, because one direction alone has a spectrum. Remove the entry");
}

ResponseSpectrumStage::Answer ResponseSpectrumStage::solve(Analysis &analysis, const MechanicalSystem &system) const
{
  const State &state = analysis.state;
  std::vector<Vector> rigid, momenta;
  for (const BaseSpectra::Direction &direction : spectra.directions())
  {
    rigid.push_back(spectra.rigid(system, state.q, direction));
    system.mass(rigid.back(), momenta.emplace_back(system.new_vector()));
  }
  Answer answer{find_held_modes(analysis, *this, system, request, damping, missing_mass ? momenta : std::vector<Vector>()), {}, {}, {}};
  const HeldModes &held = answer.held;
  for (std::size_t d = 0; d < momenta.size(); ++d)
  {
    const BaseSpectra::Direction &direction = spectra.directions()[d];
    const std::vector<double> participation = held.modes.project(momenta[d]);
    std::vector<ModalAnswer> &of = answer.of.emplace_back();
    for (std::size_t i = 0; i < held.modes.size(); ++i)
      of.push_back({participation[i], direction.factor * direction.spectrum.acceleration(held.modes.frequency(i), held.ratios[i])});
  }
  if (missing_mass)
    add_missing_mass(StaticCorrection(system, state.t, state.q, held.modes, momenta), rigid, momenta, answer);
  return answer;
}

void ResponseSpectrumStage::add_missing_mass(const StaticCorrection &correction, const std::vector<Vector> &r,
                                             const std::vector<Vector> &momenta, Answer &answer) const
{
  for (std::size_t d = 0; d < spectra.directions().size(); ++d)
  {
    const double acceleration =
        spectra.directions()[d].factor * spectra.directions()[d].spectrum.rigid_acceleration(answer.held.ratios.back());
    Vector u = correction.of(momenta[d]), a = r[d];
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
  const LinearQuantities quantities(analysis, *about);
  const StressSites sites(quantities, stresses);
  sites.warn_of_beams(name);
  const Shares shares = shares_of(quantities, sites, answer);
  write_quantities(analysis, quantities.columns(), values_of(shares, quantities.columns().size(), answer));
  write_stresses(analysis, sites, shares, answer);
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
    text += fmt::format("{},{},{}", i + 1, answer.held.modes.frequency(i), answer.held.ratios[i]);
    for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    {
      const ModalAnswer &one = answer.of[d][i];
      const double share = one.participation * one.participation / masses[d];
      shares[d] += share;
      text += fmt::format(",{},{},{}", one.participation, share, one.acceleration);
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

ResponseSpectrumStage::Shares ResponseSpectrumStage::shares_of(const LinearQuantities &quantities, const StressSites &sites,
                                                               const Answer &answer) const
{
  Shares shares;
  std::vector<Vector> motions = answer.held.modes.shapes;
  for (std::size_t i = 0; i < answer.held.modes.size(); ++i)
  {
    const Vector &a = answer.held.modes.shapes[i];
    motions[i].zero_out_ghost_values();
    motions[i] *= -1. / answer.held.modes.squares[i];
    motions[i].update_ghost_values();
    a.update_ghost_values();
    shares.quantities.push_back(quantities.of(motions[i], a, answer.held.omega[i]));
  }
  for (std::size_t d = 0; d < answer.missing_u.size(); ++d)
  {
    shares.quantities.push_back(quantities.of(answer.missing_u[d], answer.missing_a[d], 0.));
    motions.push_back(answer.missing_u[d]);
  }
  shares.stresses = sites.of(shares.quantities, motions);
  return shares;
}

std::vector<std::vector<ResponseSpectrumStage::DirectionalValue>> ResponseSpectrumStage::values_of(const Shares &shares,
                                                                                                   const std::size_t quantities,
                                                                                                   const Answer &answer) const
{
  const ModalCombination combination(combine_modes, answer.held.omega, answer.held.ratios);
  std::vector<std::vector<DirectionalValue>> values(quantities, std::vector<DirectionalValue>(spectra.directions().size()));
  std::vector<double> R(answer.held.modes.size());
  for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    for (std::size_t k = 0; k < quantities; ++k)
    {
      for (std::size_t i = 0; i < R.size(); ++i)
        R[i] = shares.quantities[i][k] * answer.of[d][i].size();
      values[k][d] = {combination.of(R), missing_mass ? std::abs(shares.quantities[R.size() + d][k]) : 0.};
    }
  return values;
}

/// One line a quantity: all together, each direction, and its parts.
void ResponseSpectrumStage::write_quantities(Analysis &analysis, const std::vector<Column> &columns,
                                             const std::vector<std::vector<DirectionalValue>> &values) const
{
  const bool has_sum = combine_directions != "none";
  std::string text = has_sum ? "quantity,unit,value" : "quantity,unit";
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
      parts += fmt::format(",{},{},{}", one.whole(), one.modes, one.missing);
    }
    text += columns[k].name + "," + columns[k].unit;
    if (has_sum)
    {
      const double value = over_directions(combine_directions, each);
      text += fmt::format(",{}", value);
      (*analysis.found)[name]["values"][columns[k].name] = value;
    }
    text += parts + "\n";
  }
  analysis.recorder.file(stem() + ".csv", text);
  log_line(fmt::format("stage {}: {} quantities in {}/{}.csv", name, columns.size(), analysis.recorder.folder(), stem()));
}

ResponseSpectrumStage::Stresses ResponseSpectrumStage::stresses_by_covariance(const Shares &shares, const Answer &answer,
                                                                              const std::vector<std::size_t> &directions) const
{
  const ModalCombination combination(combine_modes, answer.held.omega, answer.held.ratios);
  const std::size_t modes = answer.held.modes.size(), n = shares.stresses.size();
  std::vector<double> C(n * n, 0.);
  for (std::size_t k = 0; k < directions.size(); ++k)
  {
    const std::vector<ModalAnswer> &of = answer.of[directions[k]];
    for (std::size_t i = 0; i < modes; ++i)
      for (std::size_t j = 0; j < modes; ++j)
        C[i * n + j] += combination.correlation_of(i, j) * of[i].size() * of[j].size();
    if (missing_mass)
      C[(modes + directions[k]) * (n + 1)] = 1.;
  }
  const StressStatistics statistics(shares.stresses, C);
  Stresses stresses{{}, statistics.largest, statistics.mean};
  for (const auto &size : statistics.size)
    stresses.size.insert(stresses.size.end(), size.begin(), size.end());
  return stresses;
}

/// Von Mises' stress is a norm: those of sums are not larger than the sums of those.
ResponseSpectrumStage::Stresses ResponseSpectrumStage::stresses_by_sizes(const Shares &shares, const Answer &answer,
                                                                         const std::size_t direction) const
{
  const ModalCombination combination(combine_modes, answer.held.omega, answer.held.ratios);
  const std::size_t modes = answer.held.modes.size(), entries = shares.stresses.front().size();
  Stresses stresses{std::vector<double>(entries), std::vector<double>(entries / StressPoints::components), {}};
  std::vector<double> R(modes);
  for (std::size_t k = 0; k < entries; ++k)
  {
    for (std::size_t i = 0; i < modes; ++i)
      R[i] = shares.stresses[i][k] * answer.of[direction][i].size();
    stresses.size[k] = std::hypot(combination.of(R), missing_mass ? shares.stresses[modes + direction][k] : 0.);
  }
  for (std::size_t site = 0; site < stresses.largest.size(); ++site)
  {
    const std::size_t first = site * StressPoints::components;
    for (std::size_t i = 0; i < modes; ++i)
      R[i] = von_mises(&shares.stresses[i][first]) * answer.of[direction][i].size();
    stresses.largest[site] = std::hypot(combination.of(R), missing_mass ? von_mises(&shares.stresses[modes + direction][first]) : 0.);
  }
  return stresses;
}

ResponseSpectrumStage::Stresses ResponseSpectrumStage::stresses_of(const Shares &shares, const Answer &answer) const
{
  const bool squares = !ModalCombination::of_sizes(combine_modes);
  std::vector<std::size_t> all(spectra.directions().size());
  std::iota(all.begin(), all.end(), 0);
  if (squares && (all.size() == 1 || over_fields() == together))
    return stresses_by_covariance(shares, answer, all);
  std::vector<Stresses> each;
  for (const std::size_t d : all)
    each.push_back(squares ? stresses_by_covariance(shares, answer, {d}) : stresses_by_sizes(shares, answer, d));
  Stresses sum = each.front();
  std::vector<double> R(each.size());
  for (const auto part : {&Stresses::size, &Stresses::largest, &Stresses::root})
    for (std::size_t k = 0; k < (sum.*part).size(); ++k)
    {
      for (std::size_t d = 0; d < each.size(); ++d)
        R[d] = (each[d].*part)[k];
      (sum.*part)[k] = over_directions(over_fields(), R);
    }
  return sum;
}

void ResponseSpectrumStage::write_stresses(Analysis &analysis, const StressSites &sites, const Shares &shares, const Answer &answer) const
{
  std::vector<StressSites::Field> fields;
  if (sites.any())
  {
    const std::string &unit = analysis.units.stress;
    const Stresses stresses = stresses_of(shares, answer);
    fields.push_back({{"stress", StressPoints::components, stresses.size}, unit});
    fields.push_back({{"mises_max", 1, stresses.largest}, unit});
    if (!stresses.root.empty())
      fields.push_back({{"mises_srss", 1, stresses.root}, unit});
  }
  sites.write(analysis, name, stem(), fields, largest_displacement(answer));
}

/// The largest displacement along each axis, of all directions together: every component by itself, so without signs.
Vector ResponseSpectrumStage::largest_displacement(const Answer &answer) const
{
  const ModalCombination combination(combine_modes, answer.held.omega, answer.held.ratios);
  Vector largest = answer.held.modes.shapes[0];
  std::vector<double> R(answer.held.modes.size()), each(spectra.directions().size());
  for (unsigned int k = 0; k < largest.locally_owned_size(); ++k)
  {
    for (std::size_t d = 0; d < spectra.directions().size(); ++d)
    {
      for (std::size_t i = 0; i < R.size(); ++i)
        R[i] = answer.held.modes.shapes[i].local_element(k) * answer.of[d][i].size() / answer.held.modes.squares[i];
      each[d] = std::hypot(combination.of(R), missing_mass ? answer.missing_u[d].local_element(k) : 0.);
    }
    largest.local_element(k) = over_directions(over_fields(), each);
  }
  largest.update_ghost_values();
  return largest;
}
SYMDYN_REGISTER(Stage, ResponseSpectrumStage, "response spectrum");
}  // namespace symdyn
