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
#include "solver/stages/base_spectra.h"
#include "solver/stages/linear_quantities.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/random_response.h"
#include "solver/vibration/static_correction.h"

namespace symdyn
{
/// Stationary random vibration of a base with given power spectral densities, uncorrelated along x, y, z.
class RandomStage : public BaseSpectraStage
{
public:
  std::string meaning() const override
  {
    return "root mean squares under random motion of the base (power spectral densities), from modes";
  }
  void declare(Parameters &p) override;
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
  };
  Shares shares_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system) const;
  Residual residual_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system, const State &state,
                       const Vector &r, const std::vector<double> &participation) const;
  /// [quantity] of one direction.
  std::vector<Moments> moments_of(const RandomMoments &moments, const Shares &shares, const Residual &residual,
                                  const std::vector<double> &participation, std::size_t quantities) const;
  void write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<std::vector<Moments>> &values) const;

  std::vector<double> range;
  bool correct = true;
};

void RandomStage::declare(Parameters &p)
{
  spectra.declare(
      p, "Base spectrum",
      "of the acceleration of the base along x, y, z: names of sections of Spectra of Type = psd, with a factor of the acceleration "
      "(0.5 road), or none; the directions are uncorrelated");
  p.add("Range", range, "lowest and highest frequency [Hz] (default: those of the tables)", positive());
  p.add("Static correction", correct, "yes: what the modes leave out answers as if at rest");
  declare_modes(p, "Base spectrum", true);
  if (!range.empty() && (range.size() != 2 || !(range[1] > range[0])))
    p.fail("Range", "must be two numbers, the lowest and the highest frequency [Hz]");
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
  Residual residual{std::vector<double>(n, 0.), std::vector<double>(n, 0.)};
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
  return residual;
}

std::vector<RandomStage::Moments> RandomStage::moments_of(const RandomMoments &moments, const Shares &shares, const Residual &residual,
                                                          const std::vector<double> &participation, const std::size_t quantities) const
{
  std::vector<Moments> all(quantities, Moments{});
  const std::size_t modes = participation.size();
  std::vector<double> A(modes);
  for (std::size_t k = 0; k < quantities; ++k)
    for (const auto &[kind, of_modes, B] : {std::tuple{RandomMoments::displacement, &shares.y, residual.displacement[k]},
                                            {RandomMoments::velocity, &shares.rate, 0.},
                                            {RandomMoments::acceleration, &shares.acceleration, residual.acceleration[k]}})
    {
      for (std::size_t i = 0; i < modes; ++i)
        A[i] = (kind == RandomMoments::acceleration ? 1. : -1.) * participation[i] * (*of_modes)[i][k];
      const Moments part = moments.of(kind, A, B);
      for (int order = 0; order < 2; ++order)
        all[k][order] += part[order];
    }
  return all;
}

Progress RandomStage::advance(Analysis &analysis)
{
  const State &state = analysis.state;
  const AtRest about(analysis.system(), state.t, state.q);
  const MechanicalSystem &system = *about;
  check_rest(analysis, *this);
  const HeldModes held = find_held_modes(analysis, *this, system, request, damping);
  for (std::size_t i = 0; i < held.modes.size(); ++i)
    if (!(held.ratios[i] > 0. && held.ratios[i] < 1.))
      throw InputError(fmt::format(
          "{}: mode {} ({:.6g} Hz) has {}. Give Damping ratios between 0 and 1, e.g. 0.02", where, i + 1, held.modes.frequency(i),
          held.ratios[i] > 0. ? fmt::format("the damping ratio {:.4g}, with which it does not vibrate", held.ratios[i])
                              : "no damping, and its random vibration grows without bound"));
  const LinearQuantities quantities(analysis, system);
  const Shares shares = shares_of(held, quantities, system);
  std::vector<std::vector<Moments>> values;
  double highest = 0;
  for (const BaseSpectra::Direction &direction : spectra.directions())
  {
    const auto [lowest, last] = direction.spectrum.ends();
    std::vector<DensityPoint> density;
    for (const auto &[f, G] : direction.spectrum.density(range.empty() ? std::vector<double>{lowest, last} : range))
      density.push_back({2. * dealii::numbers::PI * f, direction.factor * direction.factor * G});
    highest = std::max(highest, density.back().omega / (2. * dealii::numbers::PI));
    const Vector r = spectra.rigid(system, state.q, direction);
    Vector Mr = system.new_vector();
    system.mass(r, Mr);
    const std::vector<double> participation = held.modes.project(Mr);
    values.push_back(moments_of(RandomMoments(held.omega, held.ratios, density), shares,
                                residual_of(held, quantities, system, state, r, participation), participation,
                                quantities.columns().size()));
  }
  constexpr double enough = 1.5;
  if (const double last = held.modes.frequency(held.modes.size() - 1);
      last < enough * highest && held.modes.size() != held.modes.free_motions)
    log_warning(
        fmt::format("stage {}: the highest of {} modes has {:.6g} Hz, less than 1.5 times the highest frequency of the base, {:g} Hz: "
                    "what is left out may matter. Ask for more Modes",
                    name, held.modes.size(), last, highest));
  write(analysis, quantities.columns(), values);
  return Progress::ended;
}

void RandomStage::write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<std::vector<Moments>> &values) const
{
  const std::string hz = hertz(analysis.units);
  std::string text = fmt::format("quantity,unit,rms,upward crossings of zero [{}]", hz);
  for (const BaseSpectra::Direction &direction : spectra.directions())
    text += fmt::format(",rms {0},crossings {0} [{1}]", direction.name(), hz);
  text += "\n";
  for (std::size_t k = 0; k < columns.size(); ++k)
  {
    Moments sum{};
    std::string parts;
    for (const std::vector<Moments> &of_direction : values)
    {
      const Moments &m = of_direction[k];
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
SYMDYN_REGISTER(Stage, RandomStage, "random");
}  // namespace symdyn
