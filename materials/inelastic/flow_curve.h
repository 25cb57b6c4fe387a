#pragma once
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "materials/inelastic/creep_beside.h"

namespace symdyn
{
/// The stress under which a metal flows: sigma_y + R(p), R the sum of the Hardening parts that the deck gives, and the overstress of a
/// rate.
class FlowCurve
{
public:
  /// Errors: InputError without a yield stress, for one that is not positive, for softening faster than -3 mu, which no strain path can
  /// follow. Softening beside that is warned of.
  void declare(Parameters &p, double mu);
  /// A law that creeps under any stress, at the rate of `law`, and flows above a yield stress, if the deck gives one. `exponent`: as
  /// CreepBeside has it. Errors: those of declare().
  void declare_creep(Parameters &p, double mu, std::shared_ptr<const RateLaw> law, double exponent);

  bool has_rate() const { return rate || beside; }
  /// Creep, if the law flows above a yield stress, too; else nullptr.
  const CreepBeside *creep_beside() const { return beside.get(); }
  double yield_stress() const { return virgin; }
  /// R; without sigma_y.
  Rise hardening(const Wide &p) const;
  /// Where R falls most for p < 2.
  struct Fall
  {
    double slope, at;  ///< dR/dp, at most 0 [Pa]; p [-]
  };
  Fall steepest() const;
  /// Of an increment of length dt; nothing where there is no rate, or dt = 0, or dt is infinite.
  Rise overstress(const Wide &p_n, const Wide &dp, double dt) const;
  /// ∫ overstress d(dp) [J/m³]
  Wide energy_of_rate(const Wide &p_n, const Wide &dp, double dt) const;

private:
  /// Entries of the yield stress and its growth; whether the deck gives any.
  bool declare_hardening(Parameters &p);
  void require_yield_stress(const Parameters &p, double mu) const;
  void check_slope(const Parameters &p, double mu) const;
  bool rate_acts(const double dt) const { return rate && dt > 0. && std::isfinite(dt); }

  double virgin = 0.;
  std::vector<std::shared_ptr<const Hardening>> parts;
  std::shared_ptr<const RateLaw> rate;
  std::shared_ptr<const CreepBeside> beside;
  std::string rate_name;
};
}  // namespace symdyn
