#pragma once
#include <deal.II/base/partitioner.h>

#include <memory>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// Sparsity of a matrix of block×block blocks, rows distributed as the vectors: block row r is the owned node r. Columns of
/// owned nodes and of other ranks' nodes are kept apart, each ascending in global number (what PETSc and Epetra use too).
struct BlockPattern
{
  int block = 1;
  std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes;
  std::vector<int> own_start, own_column;      ///< compressed rows; columns as owned node numbers
  std::vector<int> ghost_start, ghost_column;  ///< columns as local node numbers (owned nodes first)
  /// Tells patterns apart, also from one that stood at the same address before. Of copies the same.
  std::shared_ptr<const char> identity = std::make_shared<char>();

  int rows() const { return int(own_start.size()) - 1; }
  /// Of a matrix with blocks on the diagonal only.
  static BlockPattern diagonal(int block, std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes);
  /// `columns`: for each owned row the local numbers of its columns, in any order; duplicates are removed, the diagonal is added.
  static BlockPattern of_columns(int block, std::shared_ptr<const dealii::Utilities::MPI::Partitioner> nodes,
                                 std::vector<std::vector<int>> columns);
  /// Where block (row, local column) stands: p >= 0 in the owned part, ~p in the ghost part.
  int position(int row, int column) const;
};

/// The values, in memory that belongs to a linear solver, in the layout it wants: blocks contiguous and stored by columns,
/// or the scalar rows of a block row one after the other.
struct BlockMatrix
{
  const BlockPattern *pattern = nullptr;
  bool blocked = true;
  double *own = nullptr, *ghost = nullptr;

  struct Block
  {
    double *first;
    int row_stride, column_stride;
    double &operator()(int i, int k) const { return first[i * row_stride + k * column_stride]; }
  };
  Block at(int row, int position) const
  {
    const bool is_own = position >= 0;
    const int p = is_own ? position : ~position, n = pattern->block;
    double *values = is_own ? own : ghost;
    if (blocked)
      return {values + std::size_t(n) * n * p, 1, n};
    const std::vector<int> &start = is_own ? pattern->own_start : pattern->ghost_start;
    const int length = start[row + 1] - start[row];
    return {values + std::size_t(n) * n * start[row] + std::size_t(n) * (p - start[row]), n * length, 1};
  }
  /// Visits every block of a row: visit(local column, block).
  template <class Visit>
  void for_row(int row, const Visit &visit) const
  {
    for (int p = pattern->own_start[row]; p < pattern->own_start[row + 1]; ++p)
      visit(pattern->own_column[p], p, at(row, p));
    for (int p = pattern->ghost_start[row]; p < pattern->ghost_start[row + 1]; ++p)
      visit(pattern->ghost_column[p], ~p, at(row, ~p));
  }
};
/// Memory for the values where the solver has none of its own.
struct OwnedBlockMatrix : BlockMatrix
{
  /// Scalar rows, or blocks; one number more than they take, for those who read four at a time.
  void allocate(const BlockPattern &pattern, bool blocked = false);
  /// y = A x.
  void multiply(const Vector &x, Vector &y) const;

private:
  std::vector<double> own_values, ghost_values;
};
}  // namespace symdyn
