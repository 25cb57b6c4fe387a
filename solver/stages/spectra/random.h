#pragma once
#include <array>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "solver/stages/linear_quantities.h"
#include "solver/stages/spectra/base_spectra.h"
#include "solver/stages/spectra/coherence.h"
#include "solver/stages/spectra/load_spectra.h"
#include "solver/stages/spectra/stress_sites.h"
#include "solver/vibration/random_response.h"
#include "solver/vibration/static_correction.h"

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
  using Moments = std::array<double, 3>;  ///< m_0, m_2, m_4; not a number: not known
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
    Vector vector, force;  ///< r, M r of a base; 0, f
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
  /// Two drives that have something in common.
  struct Together
  {
    std::size_t a, b;
    double coherence;
    RandomMoments moments;  ///< of sqrt(G_a G_b)
  };
  /// A quantity under a drive: what it has of each y_i, y_i' and acceleration, and of what the modes leave out.
  struct Mix
  {
    bool of_base;
    std::vector<double> y, rate, acceleration;
    double displacement, at_rest;
    Mix plus(double factor, const Mix &other) const;
  };
  Mix mix_of(const Solved &drive, const Shares &shares, std::size_t k) const;
  Moments moments_of(const RandomMoments &moments, const Mix &mix) const;
  /// <k l> and the same of their derivatives, under all drives.
  Moments together(const std::vector<Solved> &drives, const std::vector<Together> &pairs, const Shares &shares, std::size_t k,
                   std::size_t l) const;
  std::vector<Together> pairs_of(const HeldModes &held, const std::vector<Solved> &drives) const;
  static std::size_t number_of(const std::vector<Column> &columns, const std::string &quantity);
  void read_levels(const Parameters &p);
  void write_correlations(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives,
                          const std::vector<Together> &pairs, const Shares &shares) const;
  void write_levels(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives,
                    const std::vector<Together> &pairs, const Shares &shares) const;
  void warn_of_few_modes(const HeldModes &held, const std::vector<Column> &columns, const std::vector<Solved> &drives, const Shares &shares,
                         double highest) const;
  /// Errors: InputError for modes without damping, or with so much that they do not vibrate.
  void check_damping(const HeldModes &held) const;
  Shares shares_of(const HeldModes &held, const LinearQuantities &quantities, const MechanicalSystem &system) const;
  /// `u`: what the modes leave out of the answer at rest; 0 without a correction.
  Residual residual_of(const HeldModes &held, const LinearQuantities &quantities, const Vector &r, Vector u,
                       const std::vector<double> &participation) const;
  Residual residual_of_load(const LinearQuantities &quantities, const Shares &shares, const Vector &f, Vector u,
                            const std::vector<double> &participation) const;
  Solved solved(const Drive &drive, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                const StaticCorrection &correction) const;
  std::vector<Drive> drives(const Analysis &analysis, const MechanicalSystem &system) const;
  std::vector<DensityPoint> density_of(const Drive &drive) const;
  bool may_rest() const override { return loads_at_random.given(); }
  void write(Analysis &analysis, const std::vector<Column> &columns, const std::vector<Solved> &drives, const std::vector<Together> &pairs,
             const Shares &shares) const;
  /// Of the coordinates of all modes, and of a_g of each direction behind them, all drives together: those of displacements, or of
  /// their rates.
  std::vector<double> covariance(const std::vector<Solved> &drives, const std::vector<Together> &pairs, int order) const;
  void write_stresses(Analysis &analysis, const HeldModes &held, const LinearQuantities &quantities, const Shares &shares,
                      const std::vector<Solved> &drives, const std::vector<Together> &pairs) const;
  /// Warns of stresses that are not in them. Errors: InputError for a Yield stress without effect.
  void check_stresses(const Analysis &analysis, const LinearQuantities &quantities, const StressSites &sites) const;
  /// Power spectral densities of the quantities that the deck names, over frequencies that are closer around modes.
  void write_densities(Analysis &analysis, const HeldModes &held, const std::vector<Column> &columns, const Shares &shares,
                       const std::vector<Solved> &drives, const std::vector<Together> &pairs) const;
  std::vector<double> grid_of(const HeldModes &held, const std::vector<Solved> &drives) const;
  /// Answers of a quantity to one at omega, as displacement, velocity, acceleration.
  std::array<std::complex<double>, 3> answer_at(double omega, std::size_t quantity, const HeldModes &held, const Shares &shares,
                                                const Solved &drive) const;
  double density_at(double omega, std::size_t quantity, const HeldModes &held, const Shares &shares, const std::vector<Solved> &drives,
                    const std::vector<Together> &pairs) const;
  Vector rms_displacement(const HeldModes &held, const std::vector<Solved> &drives, const std::vector<double> &C) const;

  LoadSpectra loads_at_random;
  Coherence coherence;
  std::vector<std::string> densities, correlated, given_levels;
  std::vector<std::pair<std::string, double>> levels;
  std::vector<double> range;
  double yield_stress = 0;
  bool correct = true, stresses = true;
};
}  // namespace symdyn
