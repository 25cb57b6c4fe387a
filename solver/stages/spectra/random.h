#pragma once
#include <array>
#include <string>
#include <vector>

#include "solver/stages/spectra/base_spectra.h"
#include "solver/stages/linear_quantities.h"
#include "solver/stages/spectra/load_spectra.h"
#include "solver/stages/spectra/stress_sites.h"
#include "solver/vibration/random_response.h"

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
    std::vector<std::vector<double>> inertia;                ///< M phi_i, of reactions
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
    std::vector<DensityPoint> density;
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
  Residual residual_of_load(const HeldModes &held, const LinearQuantities &quantities, const Shares &shares, const MechanicalSystem &system,
                            const State &state, const Vector &f, const std::vector<double> &participation) const;
  std::vector<Drive> drives(const Analysis &analysis, const MechanicalSystem &system) const;
  std::vector<DensityPoint> density_of(const Drive &drive) const;
  /// [quantity]
  std::vector<Moments> moments_of(const Solved &drive, const Shares &shares, std::size_t quantities) const;
  bool may_rest() const override { return loads_at_random.given(); }
  void write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives) const;
  /// Of the coordinates of all modes, and of a_g of each direction behind them, all drives together: those of displacements, or of
  /// their rates.
  std::vector<double> covariance(const std::vector<Solved> &drives, int order) const;
  void write_stresses(Analysis &analysis, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                      const std::vector<Solved> &drives) const;
  /// Warns of stresses that are not in them. Errors: InputError for a Yield stress without effect.
  void check_stresses(const Analysis &analysis, const LinearQuantities &quantities, const StressSites &sites) const;
  /// Power spectral densities of the quantities that the deck names, over frequencies that are closer around modes.
  void write_densities(Analysis &analysis, const HeldModes &held, const std::vector<Column> &columns, const Shares &shares,
                       const std::vector<Solved> &drives) const;
  std::vector<double> grid_of(const HeldModes &held, const std::vector<Solved> &drives) const;
  /// Of a quantity at omega, of one drive.
  double density_at(double omega, std::size_t quantity, const HeldModes &held, const Shares &shares, const Solved &drive) const;
  Vector rms_displacement(const HeldModes &held, const std::vector<Solved> &drives, const std::vector<double> &C) const;

  LoadSpectra loads_at_random;
  std::vector<std::string> densities;
  std::vector<double> range;
  double yield_stress = 0;
  bool correct = true, stresses = true;
};
}  // namespace symdyn
