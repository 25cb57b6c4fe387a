#include "solver/stages/spectra/random.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/registry.h"
#include "solver/stages/analysis.h"
#include "solver/stages/state_at_rest.h"

namespace symdyn
{
void RandomStage::declare(Parameters &p)
{
  spectra.declare(
      p, "Base spectrum",
      "of the acceleration of the base along x, y, z: names of sections of Spectra of Type = psd, with a factor of the acceleration "
      "(0.5 road), or none");
  loads_at_random.declare(p);
  p.add("Range", range, "lowest and highest frequency [Hz] (default: those of the tables)", positive());
  p.add("Static correction", correct, "yes: what the modes leave out answers as if at rest");
  p.add("Stresses", stresses, "yes: root mean squares of stresses of bodies, beams and shells at the points of frames");
  p.add("Yield stress", yield_stress, "[Pa]: asks for the part of the time in which von Mises' stress is above it; 0: none",
        not_negative());
  p.add("Densities", densities, "quantities whose power spectral densities are written: names of columns, as tip.u_y; default: none");
  p.add("Correlations", correlated, "quantities whose correlation coefficients are written, a table of all pairs; default: none");
  p.add("Levels", given_levels, "QUANTITY: LEVEL, e.g. tip.u_y: 0.001: how often the level is crossed upwards; default: none");
  coherence.declare(p);
  declare_modes(p, "Base spectrum", true);
  loads_at_random.read(p);
  read_levels(p);
  std::vector<std::string> base, of_loads;
  for (const BaseSpectra::Direction &direction : spectra.directions())
    base.emplace_back(1, direction.name());
  for (const LoadSpectra::Load &load : loads_at_random.loads())
    of_loads.push_back(load.name);
  coherence.read(p, base, of_loads);
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
  std::vector<std::string> names = analysis.structure->supports().columns();
  for (const Column &column : analysis.structure->report_columns(analysis.units))
    if (LinearQuantities::is_linear(column) && std::count(names.begin(), names.end(), column.name) == 0)
      names.push_back(column.name);
  std::vector<std::string> of_levels;
  for (const auto &level : levels)
    of_levels.push_back(level.first);
  for (const auto &[entry, wanted] : {std::pair{"Densities", &densities}, {"Correlations", &correlated}, {"Levels", &of_levels}})
    for (const std::string &one : *wanted)
      if (std::count(names.begin(), names.end(), one) == 0)
        throw InputError(fmt::format(
            "{}: there is no quantity '{}' that is linear in the motion. Near to it: {}{}", at(entry), one, join(nearest_first(one, names)),
            one.find(".a_") == std::string::npos ? "" : ". Accelerations of Points: set Points/Report accelerations = yes"));
}

void RandomStage::read_levels(const Parameters &p)
{
  for (const std::string &one : given_levels)
  {
    const std::size_t colon = one.find(':');
    const auto level = colon == std::string::npos ? std::nullopt : number_from<double>(trim(one.substr(colon + 1)));
    if (!level || !(*level > 0.))
      p.fail("Levels", fmt::format("'{}' is not a quantity and a number > 0. Write QUANTITY: LEVEL, as tip.u_y: 0.001", one));
    levels.emplace_back(trim(one.substr(0, colon)), *level);
  }
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
                        acceleration = quantities.of(nothing, shape, 0.), inertia(y.size(), 0.);
    for (std::size_t k = 0; k < y.size(); ++k)
    {
      rate[k] -= y[k];
      if (quantities.columns()[k].kind == Kind::motion)
        continue;
      y[k] -= held.modes.squares[i] * acceleration[k];  // elastic forces, and those of inertia that balance them
      std::swap(inertia[k], acceleration[k]);
    }
    shares.y.push_back(std::move(y));
    shares.rate.push_back(std::move(rate));
    shares.acceleration.push_back(std::move(acceleration));
    shares.inertia.push_back(std::move(inertia));
  }
  return shares;
}

RandomStage::Residual RandomStage::residual_of(const HeldModes &held, const LinearQuantities &quantities, const Vector &r, Vector u,
                                               const std::vector<double> &participation) const
{
  const std::size_t n = quantities.columns().size();
  Residual residual{std::vector<double>(n, 0.), std::vector<double>(n, 0.), {}};
  Vector left = r, nothing;
  nothing.reinit(r);
  for (std::size_t i = 0; i < held.modes.size(); ++i)
    left.add(-participation[i], held.modes.shapes[i]);
  left.update_ghost_values();
  u.zero_out_ghost_values();
  u *= -1.;
  u.update_ghost_values();
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

/// Reactions R = K u + M a - f, elastic: the inertia of mode i, M phi_i (p_i - omega_i² y_i), has a part at rest.
RandomStage::Residual RandomStage::residual_of_load(const LinearQuantities &quantities, const Shares &shares, const Vector &f, Vector u,
                                                    const std::vector<double> &participation) const
{
  Vector nothing;
  nothing.reinit(u);
  u.update_ghost_values();
  Residual residual{quantities.of(u, nothing, 0.), quantities.of(nothing, u, 0.), {}};
  const std::vector<double> of_load = quantities.of_load(f);
  for (std::size_t k = 0; k < of_load.size(); ++k)
  {
    if (quantities.columns()[k].kind == Kind::motion)
      continue;
    residual.acceleration[k] = 0.;
    residual.displacement[k] += of_load[k];
    for (std::size_t i = 0; i < participation.size(); ++i)
      residual.displacement[k] += participation[i] * shares.inertia[i][k];
  }
  residual.u = std::move(u);
  return residual;
}

std::vector<RandomStage::Drive> RandomStage::drives(const Analysis &analysis, const MechanicalSystem &system) const
{
  std::vector<Drive> all;
  for (const BaseSpectra::Direction &direction : spectra.directions())
  {
    Vector r = spectra.rigid(system, analysis.state.q, direction), momentum = system.new_vector();
    system.mass(r, momentum);
    all.push_back({std::string(1, direction.name()), true, direction.factor, &direction.spectrum, std::move(r), std::move(momentum)});
  }
  for (const LoadSpectra::Load &load : loads_at_random.loads())
    all.push_back({load.name, false, load.factor, &load.spectrum, {}, loads_at_random.force(analysis, load)});
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

RandomStage::Solved RandomStage::solved(const Drive &drive, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                                        const StaticCorrection &correction) const
{
  const std::vector<DensityPoint> density = density_of(drive);
  std::vector<double> participation = held.modes.project(drive.force);
  Vector u;
  if (correct)
    u = correction.of(drive.force);
  else
    u.reinit(drive.force);
  Residual residual = drive.of_base ? residual_of(held, quantities, drive.vector, std::move(u), participation)
                                    : residual_of_load(quantities, shares, drive.force, std::move(u), participation);
  for (double &one : participation)
    one *= drive.of_base ? -1. : 1.;
  Solved one{drive.name, drive.of_base, density, RandomMoments(held.omega, held.ratios, density), participation, std::move(residual), {}};
  for (std::size_t k = 0; k < quantities.columns().size(); ++k)
    one.values.push_back(moments_of(one.moments, mix_of(one, shares, k)));
  return one;
}

Progress RandomStage::advance(Analysis &analysis)
{
  const State &state = analysis.state;
  const AtRest about(analysis.system(), state.t, state.q);
  const MechanicalSystem &system = *about;
  check_rest(analysis, *this);
  const std::vector<Drive> driven = drives(analysis, system);
  std::vector<Vector> forces;
  for (const Drive &drive : driven)
    forces.push_back(drive.force);
  const HeldModes held = find_held_modes(analysis, *this, system, request, damping, correct ? forces : std::vector<Vector>());
  check_damping(held);
  const LinearQuantities quantities(analysis, system);
  const Shares shares = shares_of(held, quantities, system);
  const StaticCorrection correction(system, state.t, state.q, held.modes, forces);
  std::vector<Solved> under;
  double highest = 0;
  for (const Drive &drive : driven)
  {
    under.push_back(solved(drive, held, quantities, shares, correction));
    highest = std::max(highest, under.back().density.back().omega / (2. * dealii::numbers::PI));
  }
  warn_of_few_modes(held, quantities.columns(), under, shares, highest);
  const std::vector<Together> pairs = pairs_of(held, under);
  write(analysis, quantities.columns(), under, pairs, shares);
  write_stresses(analysis, held, quantities, shares, under, pairs);
  if (!densities.empty())
    write_densities(analysis, held, quantities.columns(), shares, under, pairs);
  if (!correlated.empty())
    write_correlations(analysis, quantities.columns(), under, pairs, shares);
  if (!levels.empty())
    write_levels(analysis, quantities.columns(), under, pairs, shares);
  return Progress::ended;
}

SYMDYN_REGISTER(Stage, RandomStage, "random");
}  // namespace symdyn
