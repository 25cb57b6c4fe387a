#pragma once
#include <vector>

namespace symdyn
{
/// The triangular factor of a matrix that is given row by row (QR by Givens rotations). It has the singular values and the null space of
/// the matrix, and keeps their digits: RᵀR would lose half of them. Rows are dimensionless, of a size of about 1.
class RowFactor
{
public:
  explicit RowFactor(unsigned int columns) : n(columns), R(std::size_t(columns) * columns, 0.) {}

  unsigned int columns() const { return n; }
  /// `row`: `columns` numbers.
  void add(std::vector<double> row);
  /// The rows of R, one after the other, for another rank; and these added to those of this rank.
  const std::vector<double> &packed() const { return R; }
  void add_packed(const double *rows);
  /// Orthonormal vectors x with |A x| <= tolerance max(1, the largest singular value).
  std::vector<std::vector<double>> null_space(double tolerance) const;

private:
  unsigned int n;
  std::vector<double> R;  ///< by rows
};

/// Reduced echelon form of the space of these vectors of equal length: pivots are taken column by column, so that a vector has as few
/// entries as there can be. Vectors shorter than `tolerance` beside a pivot of 1 are dropped.
std::vector<std::vector<double>> echelon_form(std::vector<std::vector<double>> vectors, double tolerance);
}  // namespace symdyn
