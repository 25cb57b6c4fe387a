#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/spectra/base_spectra.h"
#include "solver/stages/spectra/linear_quantities.h"
#include "solver/stages/spectra/load_spectra.h"
#include "solver/stages/spectra/stress_sites.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/quadratic_form.h"
#include "solver/vibration/random_response.h"
#include "solver/vibration/static_correction.h"
#include "solver/vibration/stress_statistics.h"

namespace symdyn
{
/// Stationary random vibration under motion of the base and under loads, whose power spectral densities are given, all uncorrelated.
class RandomStage : public BaseSpectraStage
{
public:
  std::string meaning() const override
  {
    return "root mean squares under random motion of the base and random loads (power spectral densities), from modes";
  }
  void declare(Parameters &p) override;
  StageTraits traits() const override;
  void check(Analysis &analysis) override;
  Progress advance(Analysis &analysis) override;

private:
  using Moments = std::array<double, 2>;
  /// Of a unit of each modal coordinate, by quantity: what depends on y, y' and the acceleration in space.
  struct Shares
  {
    std::vector<std::vector<double>> y, rate, acceleration;  ///< [mode][quantity]
  };
  struct Residual
  {
    std::vector<double> displacement, acceleration;  ///< of a_g = 1, by quantity; none: zero
    Vector u;                                        ///< [s²] of each unknown
  };
  /// What moves the structure: the base along one direction, or a load.
  struct Drive
  {
    std::string name;
    bool of_base;
    double factor;
    const DesignSpectrum *spectrum;
    Vector vector;  ///< r, f
  };
  /// A drive, solved. y_i = participation_i h_i times what is random.
  struct Solved
  {
    std::string name;
    bool of_base;
    RandomMoments moments;
    std::vector<double> participation;
    Residual residual;
    std::vector<Moments> values;  ///< by quantity
  };
  /// Errors: InputError for modes without damping, or with so much that they do not vibrate.
  void check_damping(const HeldModes &held) const;
  Shares shares_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system) const;
  Residual residual_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system, const State &state,
                       const Vector &r, const std::vector<double> &participation) const;
  Residual residual_of_load(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system, const State &state,
                            const Vector &f) const;
  std::vector<Drive> drives(const Analysis &analysis, const MechanicalSystem &system) const;
  std::vector<DensityPoint> density_of(const Drive &drive) const;
  /// [quantity]
  std::vector<Moments> moments_of(const Solved &drive, const Shares &shares, std::size_t quantities) const;
  bool may_rest() const override { return loads_at_random.given(); }
  void write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &directions) const;
  /// Of the coordinates of all modes, and of a_g of each direction behind them, all directions together: those of displacements, or of
  /// their rates.
  std::vector<double> covariance(const std::vector<Solved> &directions, int order) const;
  void write_stresses(Analysis &analysis, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                      const std::vector<Solved> &directions) const;
  Vector rms_displacement(const HeldModes &held, const std::vector<Solved> &directions, const std::vector<double> &C) const;

  LoadSpectra loads_at_random;
  std::vector<double> range;
  double yield_stress = 0;
  bool correct = true, stresses = true;
};

void RandomStage::declare(Parameters &p)
{
  spectra.declare(
      p, "Base spectrum",
      "of the acceleration of the base along x, y, z: names of sections of Spectra of Type = psd, with a factor of the acceleration "
      "(0.5 road), or none; the directions are uncorrelated");
  loads_at_random.declare(p);
  p.add("Range", range, "lowest and highest frequency [Hz] (default: those of the tables)", positive());
  p.add("Static correction", correct, "yes: what the modes leave out answers as if at rest");
  p.add("Stresses", stresses, "yes: root mean squares of stresses of bodies, beams and shells at the points of frames");
  p.add("Yield stress", yield_stress, "[Pa]: asks for the part of the time in which von Mises' stress is above it; 0: none",
        not_negative());
  declare_modes(p, "Base spectrum", true);
  loads_at_random.read(p);
  if (!range.empty() && (range.size() != 2 || !(range[1] > range[0])))
    p.fail("Range", "must be two numbers, the lowest and the highest frequency [Hz]");
}

StageTraits RandomStage::traits() const
{
  StageTraits traits = BaseSpectraStage::traits();
  for (const std::string &section : loads_at_random.sections())
    traits.spectra.push_back(section);
  return traits;
}

void RandomStage::check(Analysis &analysis)
{
  BaseSpectraStage::check(analysis);
  loads_at_random.check(analysis);
}

RandomStage::Shares RandomStage::shares_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system) const
{
  Shares shares;
  const Vector nothing = system.new_vector();
  for (std::size_t i = 0; i < held.modes.size(); ++i)
  {
    const Vector &shape = held.modes.shapes[i];
    shape.update_ghost_values();
    std::vector<double> y = quantities.of(shape, nothing, 0.), rate = quantities.of(shape, nothing, 1.),
                        acceleration = quantities.of(nothing, shape, 0.);
    for (std::size_t k = 0; k < y.size(); ++k)
    {
      rate[k] -= y[k];
      if (quantities.columns()[k].kind == Kind::motion)
        continue;
      y[k] -= held.modes.squares[i] * acceleration[k];  // elastic forces, and those of inertia that balance them
      acceleration[k] = 0.;
    }
    shares.y.push_back(std::move(y));
    shares.rate.push_back(std::move(rate));
    shares.acceleration.push_back(std::move(acceleration));
  }
  return shares;
}

RandomStage::Residual RandomStage::residual_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system,
                                               const State &state, const Vector &r, const std::vector<double> &participation) const
{
  const std::size_t n = quantities.columns().size();
  Residual residual{std::vector<double>(n, 0.), std::vector<double>(n, 0.), {}};
  Vector left = r, Mr = system.new_vector(), u = Mr;
  const Vector nothing = Mr;
  for (std::size_t i = 0; i < held.modes.size(); ++i)
    left.add(-participation[i], held.modes.shapes[i]);
  left.update_ghost_values();
  if (correct)
  {
    system.mass(r, Mr);
    u = StaticCorrection(system, state.t, state.q, held.modes).of(Mr);
    u *= -1.;
    u.update_ghost_values();
  }
  residual.displacement = quantities.of(u, nothing, 0.);
  residual.acceleration = quantities.of(nothing, left, 0.);
  for (std::size_t k = 0; k < n; ++k)
    if (quantities.columns()[k].kind != Kind::motion)
    {
      residual.displacement[k] += correct ? residual.acceleration[k] : 0.;
      residual.acceleration[k] = 0.;
    }
  residual.u = std::move(u);
  return residual;
}

RandomStage::Residual RandomStage::residual_of_load(const HeldModes &held, const LinearQuantities &quantities,
                                                    const MechanicalSystem &system, const State &state, const Vector &f) const
{
  const std::size_t n = quantities.columns().size();
  Vector u = system.new_vector();
  const Vector nothing = u;
  if (correct)
    u = StaticCorrection(system, state.t, state.q, held.modes).of(f);
  u.update_ghost_values();
  Residual residual{quantities.of(u, nothing, 0.), quantities.of(nothing, u, 0.), {}};
  for (std::size_t k = 0; k < n; ++k)
    if (quantities.columns()[k].kind != Kind::motion)
      residual.acceleration[k] = 0.;
  residual.u = std::move(u);
  return residual;
}

std::vector<RandomStage::Moments> RandomStage::moments_of(const Solved &drive, const Shares &shares, const std::size_t quantities) const
{
  std::vector<Moments> all(quantities, Moments{});
  const std::size_t modes = drive.participation.size();
  const auto of_accelerations = drive.of_base ? RandomMoments::acceleration : RandomMoments::relative_acceleration;
  std::vector<double> A(modes);
  for (std::size_t k = 0; k < quantities; ++k)
    for (const auto &[kind, of_modes, B] : {std::tuple{RandomMoments::displacement, &shares.y, drive.residual.displacement[k]},
                                            {RandomMoments::velocity, &shares.rate, 0.},
                                            {of_accelerations, &shares.acceleration, drive.residual.acceleration[k]}})
    {
      for (std::size_t i = 0; i < modes; ++i)
        A[i] = (kind == RandomMoments::acceleration ? -1. : 1.) * drive.participation[i] * (*of_modes)[i][k];
      const Moments part = drive.moments.of(kind, A, B);
      for (int order = 0; order < 2; ++order)
        all[k][order] += part[order];
    }
  return all;
}

std::vector<RandomStage::Drive> RandomStage::drives(const Analysis &analysis, const MechanicalSystem &system) const
{
  std::vector<Drive> all;
  for (const BaseSpectra::Direction &direction : spectra.directions())
    all.push_back({std::string(1, direction.name()), true, direction.factor, &direction.spectrum,
                   spectra.rigid(system, analysis.state.q, direction)});
  for (const LoadSpectra::Load &load : loads_at_random.loads())
  {
    Vector f = loads_at_random.force(analysis, load);
    system.project(f);
    all.push_back({load.name, false, load.factor, &load.spectrum, std::move(f)});
  }
  return all;
}

std::vector<DensityPoint> RandomStage::density_of(const Drive &drive) const
{
  const auto [lowest, last] = drive.spectrum->ends();
  std::vector<DensityPoint> density;
  for (const auto &[f, G] : drive.spectrum->density(range.empty() ? std::vector<double>{lowest, last} : range))
    density.push_back({2. * dealii::numbers::PI * f, drive.factor * drive.factor * G});
  return density;
}

void RandomStage::check_damping(const HeldModes &held) const
{
  for (std::size_t i = 0; i < held.modes.size(); ++i)
    if (!(held.ratios[i] > 0. && held.ratios[i] < 1.))
      throw InputError(fmt::format(
          "{}: mode {} ({:.6g} Hz) has {}. Give Damping ratios between 0 and 1, e.g. 0.02", where, i + 1, held.modes.frequency(i),
          held.ratios[i] > 0. ? fmt::format("the damping ratio {:.4g}, with which it does not vibrate", held.ratios[i])
                              : "no damping, and its random vibration grows without bound"));
}

Progress RandomStage::advance(Analysis &analysis)
{
  const State &state = analysis.state;
  const AtRest about(analysis.system(), state.t, state.q);
  const MechanicalSystem &system = *about;
  check_rest(analysis, *this);
  const HeldModes held = find_held_modes(analysis, *this, system, request, damping);
  check_damping(held);
  const LinearQuantities quantities(analysis, system);
  const Shares shares = shares_of(held, quantities, system);
  std::vector<Solved> solved;
  double highest = 0;
  for (const Drive &drive : drives(analysis, system))
  {
    const std::vector<DensityPoint> density = density_of(drive);
    highest = std::max(highest, density.back().omega / (2. * dealii::numbers::PI));
    Vector momentum = drive.vector;
    if (drive.of_base)
      system.mass(drive.vector, momentum);
    std::vector<double> participation = held.modes.project(momentum);
    Residual residual = drive.of_base ? residual_of(held, quantities, system, state, drive.vector, participation)
                                      : residual_of_load(held, quantities, system, state, drive.vector);
    for (double &one : participation)
      one *= drive.of_base ? -1. : 1.;
    solved.push_back({drive.name, drive.of_base, RandomMoments(held.omega, held.ratios, density), participation, std::move(residual), {}});
    solved.back().values = moments_of(solved.back(), shares, quantities.columns().size());
  }
  constexpr double enough = 1.5;
  if (const double last = held.modes.frequency(held.modes.size() - 1);
      last < enough * highest && held.modes.size() != held.modes.free_motions)
    log_warning(
        fmt::format("stage {}: the highest of {} modes has {:.6g} Hz, less than 1.5 times the highest frequency of what drives, {:g} Hz: "
                    "what is left out may matter. Ask for more Modes",
                    name, held.modes.size(), last, highest));
  write(analysis, quantities.columns(), solved);
  write_stresses(analysis, held, quantities, shares, solved);
  return Progress::ended;
}

void RandomStage::write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &directions) const
{
  const std::string hz = hertz(analysis.units);
  std::string text = fmt::format("quantity,unit,rms,upward crossings of zero [{}]", hz);
  for (const Solved &drive : directions)
    text += fmt::format(",rms {0},crossings {0} [{1}]", drive.name, hz);
  text += "\n";
  for (std::size_t k = 0; k < columns.size(); ++k)
  {
    Moments sum{};
    std::string parts;
    for (const Solved &direction : directions)
    {
      const Moments &m = direction.values[k];
      sum = {sum[0] + m[0], sum[1] + m[1]};
      parts += fmt::format(",{:.17g},{:.17g}", std::sqrt(std::max(0., m[0])), crossings(m));
    }
    const double rms = std::sqrt(std::max(0., sum[0]));
    text += fmt::format("{},{},{:.17g},{:.17g}{}\n", columns[k].name, columns[k].unit, rms, crossings(sum), parts);
    (*analysis.found)[name]["rms"][columns[k].name] = rms;
  }
  analysis.recorder.file(stem() + ".csv", text);
  log_line(fmt::format("stage {}: {} quantities in {}/{}.csv", name, columns.size(), analysis.recorder.folder(), stem()));
}
std::vector<double> RandomStage::covariance(const std::vector<Solved> &directions, const int order) const
{
  const std::size_t modes = directions.front().participation.size(), n = modes + directions.size();
  std::vector<double> C(n * n, 0.);
  for (std::size_t d = 0; d < directions.size(); ++d)
  {
    const Solved &of = directions[d];
    const auto at = [&](const std::size_t i, const std::size_t j) {
      return of.moments.covariance(RandomMoments::displacement, order, i, j);
    };
    for (std::size_t i = 0; i < modes; ++i)
    {
      for (std::size_t j = 0; j < modes; ++j)
        C[i * n + j] += of.participation[i] * of.participation[j] * at(i, j);
      C[i * n + modes + d] = C[(modes + d) * n + i] = of.participation[i] * at(i, modes);
    }
    C[(modes + d) * n + modes + d] = at(modes, modes);
  }
  return C;
}

Vector RandomStage::rms_displacement(const HeldModes &held, const std::vector<Solved> &directions, const std::vector<double> &C) const
{
  const std::size_t modes = held.modes.size(), n = modes + directions.size();
  Vector rms = held.modes.shapes[0];
  std::vector<double> shares(n);
  for (unsigned int k = 0; k < rms.locally_owned_size(); ++k)
  {
    for (std::size_t i = 0; i < n; ++i)
      shares[i] = (i < modes ? held.modes.shapes[i] : directions[i - modes].residual.u).local_element(k);
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        sum += shares[i] * shares[j] * C[i * n + j];
    rms.local_element(k) = std::sqrt(std::max(0., sum));
  }
  rms.update_ghost_values();
  return rms;
}

void RandomStage::write_stresses(Analysis &analysis, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                                 const std::vector<Solved> &directions) const
{
  const StressSites sites(quantities, stresses && analysis.recorder.writes_fields());
  const std::vector<double> C = covariance(directions, 0);
  std::vector<StressSites::Field> fields;
  if (sites.any())
  {
    std::vector<std::vector<double>> of_all;
    for (std::size_t i = 0; i < held.modes.size(); ++i)
      of_all.push_back(sites.of(shares.y[i], held.modes.shapes[i]));
    for (const Solved &direction : directions)
      of_all.push_back(sites.of(direction.residual.displacement, direction.residual.u));
    const StressStatistics statistics(of_all, C), rates(of_all, covariance(directions, 1));
    StressSites::Field rms{{"rms_stress", StressPoints::components, {}}, analysis.units.stress},
        mises{{"rms_mises", 1, statistics.mean}, analysis.units.stress}, rate{{"mises_rate", 1, {}}, hertz(analysis.units)},
        above{{"exceedance", 1, {}}, ""};
    for (std::size_t site = 0; site < statistics.mean.size(); ++site)
    {
      rms.values.insert(rms.values.end(), statistics.size[site].begin(), statistics.size[site].end());
      rate.values.push_back(crossings({std::pow(statistics.mean[site], 2), std::pow(rates.mean[site], 2)}));
      if (yield_stress > 0.)
        above.values.push_back(exceedance({statistics.form[site].begin(), statistics.form[site].end()}, yield_stress * yield_stress));
    }
    fields = {rms, mises, rate};
    if (yield_stress > 0.)
      fields.push_back(above);
  }
  sites.write(analysis, name, stem(), fields, rms_displacement(held, directions, C));
}
SYMDYN_REGISTER(Stage, RandomStage, "random");
}  // namespace symdyn
