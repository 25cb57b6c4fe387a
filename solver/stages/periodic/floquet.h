#pragma once
#include <complex>
#include <string>
#include <vector>

#include "solver/stages/periodic/orbit.h"

namespace symdyn
{
/// Floquet multipliers of an orbit: eigenvalues of the monodromy, the product of the linearised steps of a period.
struct Floquet
{
  std::vector<std::complex<double>> multipliers;  ///< largest |m| first; without the two at 1 of an orbit without a load
  double largest = 1;                             ///< |m|
  std::string kind = "stable";                    ///< or what its largest multiplier passed: fold or branch, period doubling, torus
  double log_product = 0;                         ///< ln |det| of the monodromy
  double expected = 0;                            ///< -T tr(M⁻¹ C)
  bool stable() const { return kind == "stable"; }
  /// How far the product of all multipliers is from exp(expected): error of the linearised steps, and of damping at order h².
  double defect() const { return std::abs(std::expm1(log_product - expected)); }
  /// Whether the linearised steps do not belong to the steps. `rounding`: defect of the product at rest.
  bool wrong(double rounding) const;
};

/// `basis`: orthonormal, of the free motions. Errors: ComputationError. Collective.
Floquet floquet_multipliers(const OrbitProblem &problem, const Orbit &orbit, const std::vector<Vector> &basis);
}  // namespace symdyn
