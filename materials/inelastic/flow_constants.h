#pragma once
#include <array>
#include <vector>

#include "materials/algebra/jet.h"
#include "materials/inelastic/flow_curve.h"

namespace symdyn
{
/// c x of a constant c, on which no derivative acts.
inline Wide multiplied(const Wide &c, const Wide &x) { return c * x; }
inline Dual<Wide> multiplied(const Wide &c, const Dual<Wide> &x) { return {c * x.x, c * x.d}; }
inline Jet<Wide> multiplied(const Wide &c, const Jet<Wide> &x) { return {c * x.x, c * x.d, c * x.dd}; }

/// Constants of a law that flows, at a temperature [Pa].
struct FlowAt
{
  double temperature, mu, kappa;
  FlowCurve curve;
  std::vector<double> C, gamma;  ///< of backstresses [Pa], [-]
};

/// Constants of the points of an increment: those of one law, or of several that hold at temperatures, sum_k w_k(T) of each, w_k linear
/// between two temperatures and constant beyond them. As A and psi are linear in mu, kappa, sigma_y + R, the overstress and C_i, so is the
/// law.
class FlowConstants
{
public:
  FlowConstants(const double mu, const double kappa, const FlowCurve &curve) : mu(mu), kappa(kappa), one(&curve) {}
  /// `known`: two or more, which ascend in temperature, and outlive this.
  FlowConstants(const std::vector<FlowAt> &known, const Wide &T);

  /// The stress of flow has this factor from here on.
  void soften(const Wide &by)
  {
    factor = by;
    softened = true;
  }

  static constexpr int most_backstresses = 6;
  Wide mu, kappa;  ///< [Pa]
  /// Of backstresses, as many as the law has. Where constants depend on the temperature, those at T, and alpha_i = C_i a_i, of what is
  /// remembered.
  std::array<Wide, most_backstresses> C, gamma;
  std::array<Wide, 6 * most_backstresses> alpha;
  Wide yield_stress() const;
  /// R; without sigma_y.
  Rise hardening(const Wide &p) const { return one && !softened ? one->hardening(p) : hardening_of_all(p); }
  /// Of an increment of length dt; nothing where there is no rate, or dt = 0.
  Rise overstress(const Wide &p_n, const Wide &dp, const double dt) const
  {
    return dt > 0. && !(one && !one->has_rate()) ? overstress_of_rate(p_n, dp, dt) : Rise();
  }
  /// The stress under which dp > 0 flows in dt > 0, sigma_y + R + overstress; `crept`: the part of p_n that has crept, where creep is
  /// beside plastic flow, else nullptr.
  struct Resistance
  {
    Wide yield_stress;  ///< [Pa]; 0 beside creep, where `growth` is the whole
    Rise growth, overstress;
  };
  Resistance resistance(const Wide &p_n, const Wide *crept, const Wide &dp, double dt) const;
  /// Creep beside plastic flow, in an increment.
  const CreepBeside &creep_beside() const { return *(one ? one : parts[0].curve)->creep_beside(); }
  CreepBeside::From creeping_from(const Wide &p_n, const Wide &crept, const double dt) const { return {this, p_n - crept, crept, dt}; }
  /// Stress that `creep` > 0 needs after what has crept, and its energy [J/m³].
  Rise creep_stress(const Wide &crept, const Wide &creep, double dt) const;
  Wide creep_energy(const Wide &crept, const Wide &creep, double dt) const;
  /// ∫ overstress d(dp) [J/m³]
  Wide energy_of_rate(const Wide &p_n, const Wide &dp, double dt) const;

private:
  struct Part
  {
    const FlowCurve *curve;
    Wide share;
  };
  Wide yield_stress_of_all() const;
  Rise hardening_of_all(const Wide &p) const;
  Rise overstress_of_rate(const Wide &p_n, const Wide &dp, double dt) const;
  /// Of p, or of an increment.
  Rise with_factor(const Rise &rise) const
  {
    return softened ? Rise{factor * rise.energy, factor * rise.stress, factor * rise.slope, factor * rise.curvature} : rise;
  }
  template <class Of>
  Rise sum_of(const Of &rise) const;

  const FlowCurve *one = nullptr;  ///< the only curve, if there is one
  Wide factor = 1.;
  bool softened = false;
  int count = 0;                      ///< of parts
  std::array<Part, 2 * lanes> parts;  // a lane has two at most
};
}  // namespace symdyn
