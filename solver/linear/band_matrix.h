#pragma once
#include <utility>
#include <vector>

#include "solver/block_matrix.h"

namespace symdyn
{
/// A square matrix with a band, and its LU decomposition with partial pivoting (LAPACK dgbtrf, dgbtrs). With lower = upper = n - 1 a dense
/// one. For systems whose numbering keeps the band narrow: n (lower + upper)² operations a factorisation.
class BandMatrix
{
public:
  void resize(int size, int lower, int upper);
  int size() const { return n; }
  int lower() const { return below; }
  void clear();
  void clear_row_and_column(int i);
  /// Entry with -upper <= i - j <= lower.
  double &operator()(const int i, const int j) { return entries[place(i, j)]; }
  double operator()(const int i, const int j) const { return entries[place(i, j)]; }
  /// y = A x; not of the factors.
  void multiply(const double *x, double *y) const;
  /// Factors a copy; -1, or the number of the row at which it is singular.
  int factor();
  /// Row and size of the smallest pivot of the factors.
  std::pair<int, double> smallest_pivot() const;
  /// x = A^-1 x, after factor().
  void solve(double *x) const;

private:
  int place(const int i, const int j) const { return (below + above + i - j) + j * rows; }

  int n = 0, below = 0, above = 0, rows = 0;
  std::vector<double> entries, factors;
  std::vector<int> pivots;
};

/// A numbering (new number of each old one) by Cuthill and McKee (1969) that keeps the band of a symmetric graph narrow; unconnected parts
/// follow one another. `neighbours` of each node, itself not needed.
std::vector<unsigned int> narrow_numbering(const std::vector<std::vector<int>> &neighbours);
/// Whether factors of a matrix with this pattern in a band cost less than an iterative solution; no on several ranks.
bool is_narrow(const BlockPattern &pattern);
}  // namespace symdyn
