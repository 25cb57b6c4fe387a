#pragma once
#include <initializer_list>
#include <string>

#include "materials/algebra/wide.h"

namespace symdyn
{
class Parameters;
class FlowCurve;

/// A stress that grows with the accumulated plastic strain, at many points [Pa].
struct Rise
{
  Wide energy = 0.;     ///< ∫ stress dp [J/m³]
  Wide stress = 0.;     ///< [Pa]
  Wide slope = 0.;      ///< d stress / dp [Pa]
  Wide curvature = 0.;  ///< d² stress / dp² [Pa]

  Rise &operator+=(const Rise &other)
  {
    energy += other.energy;
    stress += other.stress;
    slope += other.slope;
    curvature += other.curvature;
    return *this;
  }
};

/// A part of isotropic hardening: what the yield stress has gained at p. Parts add. One file each; entries stand in the law's section.
class Hardening
{
public:
  virtual ~Hardening() = default;
  virtual void declare(Parameters &p) = 0;
  /// Whether the deck gives it.
  virtual bool given() const = 0;
  /// The virgin yield stress, where the part knows it; 0: the deck's `Yield stress` does [Pa].
  virtual double yield_stress() const { return 0.; }
  /// At p >= 0, 0 at p = 0.
  virtual Rise at(const Wide &p) const = 0;
};

/// The stress above the yield stress that a rate of flow needs. One file each; `Rate` names it, its entries stand in a section of its name.
class RateLaw
{
public:
  virtual ~RateLaw() = default;
  virtual void declare(Parameters &p) = 0;
  /// In an increment from p_n of dp > 0 in the time dt > 0, as a function of dp; without its energy.
  virtual Rise overstress(const FlowCurve &curve, const Wide &p_n, const Wide &dp, double dt) const = 0;
  /// ∫ overstress d(dp) [J/m³]
  virtual Wide energy(const FlowCurve &curve, const Wide &p_n, const Wide &dp, double dt) const = 0;

protected:
  /// InputError unless a section that the deck writes gives these entries; `law` is what they are for.
  static void require_given(const Parameters &p, std::initializer_list<const char *> entries, const std::string &law);
};

/// Gauss's rule of eight points over 0 < s < 1, for energies that have no closed form.
constexpr int gauss_points = 8;
constexpr double gauss_abscissa[gauss_points] = {0.019855071751231884, 0.10166676129318664, 0.2372337950418355, 0.4082826787521751,
                                                 0.5917173212478249,   0.7627662049581645,  0.8983332387068134, 0.9801449282487681};
constexpr double gauss_weight_of[gauss_points] = {0.05061426814518813, 0.11119051722668724, 0.15685332293894363, 0.18134189168918100,
                                                  0.18134189168918100, 0.15685332293894363, 0.11119051722668724, 0.05061426814518813};
}  // namespace symdyn
