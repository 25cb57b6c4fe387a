#pragma once
#include <deal.II/lac/lapack_support.h>

#include <cstddef>
#include <vector>

namespace symdyn
{
/// P A = L U of a dense matrix by LAPACK, with the sign and size of its determinant. Columns are stored one after the other.
class DenseFactors
{
public:
  /// Errors: ComputationError where A is singular.
  DenseFactors(std::size_t n, std::vector<double> columns);
  /// x = A⁻¹ x.
  void solve(std::vector<double> &x) const;
  int sign() const { return positive ? 1 : -1; }
  /// ln |det A|
  double log_determinant() const { return logarithm; }

private:
  dealii::types::blas_int n;
  std::vector<double> factors;
  std::vector<dealii::types::blas_int> pivots;
  bool positive = true;
  double logarithm = 0;
};
}  // namespace symdyn
