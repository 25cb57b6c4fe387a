#pragma once
#include <array>
#include <vector>

#include "solver/linear/dense_spectrum.h"

namespace symdyn
{
/// Of stresses sigma = sum_i T_i y_i (xx, yy, zz, xy, yz, zx) whose coordinates have the covariance C, <y_i y_j> = C_ij: Sigma = T C Tᵀ,
/// and with von Mises' sigma_v² = sigmaᵀ A sigma
///     size_c = sqrt(Sigma_cc)           of each component
///     largest = sqrt(lambda_max(A Sigma))   of sigma_v over the ellipsoid of all stresses that belong together, sigmaᵀ Sigma⁻¹ sigma = 1
///     mean = sqrt(tr(A Sigma))          the root mean square of sigma_v (Segalman, Fulcher, Reese, Field 2000), never below `largest`
/// Von Mises' stress of the sizes of the components is none of these: they have no signs.
class StressStatistics
{
public:
  std::vector<std::array<double, 6>> size;  ///< of each point
  std::vector<std::array<double, 5>> form;  ///< eigenvalues of A Sigma that need not vanish, ascending
  std::vector<double> largest, mean;

  /// `shares`: T_i by i, six components a point; C: n x n. Without `ellipsoid` neither `form` nor `largest`.
  StressStatistics(const std::vector<std::vector<double>> &shares, const std::vector<double> &C, bool ellipsoid = true);

private:
  /// Some points: T and T C, rows of one component of all of them after the other.
  void add(const Dense &T, const Dense &TC, bool ellipsoid);
};

/// sigma_v of six components.
double von_mises(const double *sigma);
}  // namespace symdyn
