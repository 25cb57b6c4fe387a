#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace symdyn
{
/// Entries that are not zero, ascending in column.
using SparseRow = std::vector<std::pair<int, double>>;

/// A matrix by compressed rows.
struct SparseRows
{
  std::vector<std::size_t> start{0};
  std::vector<int> column;
  std::vector<double> value;

  std::size_t rows() const { return start.size() - 1; }
  void append(const SparseRow &row);
  /// Row i times x.
  template <class Values>
  double times(const std::size_t i, const Values &x) const
  {
    double sum = 0;
    for (std::size_t p = start[i]; p < start[i + 1]; ++p)
      sum += value[p] * x[column[p]];
    return sum;
  }
};

/// Homogeneous linear relations between columns.
struct RelationRows
{
  std::vector<SparseRow> rows;
  std::vector<double> size;    ///< of each row: entries of 1e-10 of it are rounding
  std::vector<int> preferred;  ///< of each row: the pivot among equal candidates
  std::vector<int> required;   ///< columns that become pivots first, whatever their factor
  int columns = 0;
};

/// Independent rows R = combination * rows, upper triangular in their order: row e has 1 in column pivot[e], and no later row has that
/// column. 0 = left_over * rows are the redundancies. Each combination is a sparse row of weights.
struct EliminatedRelations
{
  std::vector<int> pivot;
  std::vector<SparseRow> rows, combination, left_over;
  std::vector<int> unmoved;  ///< required columns that no row is left for, in the order of `required`

  /// W of u_pivot = W u: only columns that are no pivots are left. `columns`: as in RelationRows.
  SparseRows resolved(int columns) const;
};

/// Gaussian elimination that keeps rows short. Columns of a single row are pivots first: rows of ties need no arithmetic at all, in
/// whatever order they come. What is left takes pivots by Markowitz (1957): the shortest row, and in it a large factor that few other rows
/// have.
EliminatedRelations eliminate(RelationRows relations);
}  // namespace symdyn
