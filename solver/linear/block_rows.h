#pragma once
#include <vector>

#include "solver/block_matrix.h"

namespace symdyn
{
/// Sparse rows of n×n blocks, n <= 3, in single precision: half the memory traffic, which is what their products cost. Sums are double.
class BlockRows
{
public:
  /// The pattern, row by row.
  void clear(int block);
  void add(int column) { columns.push_back(column); }
  void end_row();

  /// The values of the blocks, each by columns, in the order in which they were added.
  void rewind() { at = 0; }
  float *next() { return &values[std::size_t(n) * n * at++]; }

  /// y += B x
  void add_product(const double *x, double *y) const;
  /// (I + B) y = b with y = b before, B below the diagonal.
  void solve_forward(double *y) const;
  /// The same with B above the diagonal.
  void solve_backward(double *y) const;

private:
  template <int n>
  struct Row;
  template <class Action>
  void with_block(const Action &action) const;

  int n = 1;
  std::size_t at = 0;
  std::vector<int> starts{0}, columns;
  std::vector<float> values;
};
}  // namespace symdyn
