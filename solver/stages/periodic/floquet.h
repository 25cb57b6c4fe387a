#pragma once
#include <complex>
#include <string>
#include <vector>

#include "solver/stages/periodic/monodromy.h"

namespace symdyn
{
/// Floquet multipliers of an orbit: eigenvalues of the monodromy, the product of the linearised steps of a period.
struct Floquet
{
  static constexpr double sharp = 1e-6;           ///< `residual` of a multiplier that is known
  std::vector<std::complex<double>> multipliers;  ///< largest |m| first; without the two at 1 of an orbit without a load
  double largest = 1;                             ///< |m|
  std::string kind = "stable";  ///< or what its largest multiplier passed: fold or branch, period doubling, torus; not known
  bool all = true;              ///< no: the largest found by the method of Arnoldi; there is no product, and the kind is never stable
  double residual = 0;          ///< of the largest ones: |P x - m x|/|x|, the most
  double rounding = 0;          ///< about that of the product
  double log_product = 0;       ///< ln |det| of the monodromy
  double expected = 0;          ///< -T tr(M⁻¹ C)
  bool stable() const { return kind == "stable"; }
  /// How far the product of all multipliers is from exp(expected): error of the linearised steps, and of damping at order h².
  double defect() const { return std::abs(std::expm1(log_product - expected)); }
  /// Whether the linearised steps do not belong to the steps.
  bool wrong() const;
  /// What defect() has by rounding alone, at most.
  double noise() const;
};

/// On all shapes all multipliers. On some the largest four that are found, or pairs: those of the space of these shapes, which grows by
/// what is left of the largest. Larger ones that have no part in this space are missed, so that no motion is known to be stable (method of
/// Arnoldi for blocks: Saad, Numerical Methods for Large Eigenvalue Problems, 2011, 6.4). Errors: ComputationError. Collective. Not by
/// Krylov–Schur of SLEPc's EPS, which takes products one at a time, and each needs a factorisation in every step of the period: here one
/// serves all directions. Nearly all multipliers have |m| = 1, and methods of Krylov that restart from one vector do not part them: of a
/// chain of 59 particles 3000 products (ARPACK) did not find four, where 40 shapes need 3 to 5 rounds.
Floquet floquet_multipliers(const OrbitProblem &problem, const Orbit &orbit, const Shapes &shapes);
}  // namespace symdyn
