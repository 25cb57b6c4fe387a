#include "solver/linear/block_rows.h"

#include <stdexcept>
#include <type_traits>

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace symdyn
{
void BlockRows::clear(const int block)
{
  n = block;
  starts = {0};
  columns.clear();
  values.clear();
}

void BlockRows::end_row()
{
  starts.push_back(columns.size());
  values.resize(std::size_t(n) * n * columns.size() + 1);  // one beyond the last block, see BlockColumn
}

namespace
{
/// A column of a block in double precision, in a vector of processor size: one lane more than entries if there are three.
template <int n>
struct BlockColumn
{
  typedef double Lanes __attribute__((vector_size(8 * 2)));
  static Lanes read(const float *x) { return Lanes{x[0], n == 1 ? 0. : x[1]}; }
};
template <>
struct BlockColumn<3>
{
  typedef double Lanes __attribute__((vector_size(8 * 4)));
#ifdef __AVX__
  static Lanes read(const float *x) { return _mm256_cvtps_pd(_mm_loadu_ps(x)); }
#else
  static Lanes read(const float *x) { return Lanes{x[0], x[1], x[2], 0.}; }
#endif
};
}  // namespace

/// Sum of B_row,j x_j. Nearest columns last: a substitution has just computed their x and must not wait for it before it does the others.
template <int width>
struct BlockRows::Row
{
  typename BlockColumn<width>::Lanes sum;

  Row(const BlockRows &B, const int row, const double *x, const bool backward = false)
  {
    const int first = B.starts[row], last = B.starts[row + 1] - 1;
    typename BlockColumn<width>::Lanes sums[width] = {};  // one for each column: they do not wait for each other
    for (int k = first; k <= last; ++k)
    {
      const int p = backward ? first + last - k : k;
      const float *block = &B.values[std::size_t(width * width) * p];
      const double *x_j = x + width * B.columns[p];
      for (int k = 0; k < width; ++k)
        sums[k] += BlockColumn<width>::read(block + width * k) * x_j[k];
    }
    sum = sums[0];
    for (int k = 1; k < width; ++k)
      sum += sums[k];
  }
};

template <class Action>
void BlockRows::with_block(const Action &action) const
{
  const int rows = int(starts.size()) - 1;
  if (n == 3)
    action(std::integral_constant<int, 3>(), rows);
  else if (n == 2)
    action(std::integral_constant<int, 2>(), rows);
  else if (n == 1)
    action(std::integral_constant<int, 1>(), rows);
  else
    throw std::logic_error("BlockRows: blocks of more than 3x3");
}

void BlockRows::add_product(const double *x, double *y) const
{
  with_block([&](const auto width, const int rows) {
    for (int row = 0; row < rows; ++row)
    {
      if (starts[row] == starts[row + 1])
        continue;
      const Row<width> product(*this, row, x);
      for (int i = 0; i < width; ++i)
        y[width * row + i] += product.sum[i];
    }
  });
}

void BlockRows::solve_forward(double *y) const
{
  with_block([&](const auto width, const int rows) {
    for (int row = 0; row < rows; ++row)
    {
      const Row<width> product(*this, row, y);
      for (int i = 0; i < width; ++i)
        y[width * row + i] -= product.sum[i];
    }
  });
}

void BlockRows::solve_backward(double *y) const
{
  with_block([&](const auto width, const int rows) {
    for (int row = rows - 1; row >= 0; --row)
    {
      const Row<width> product(*this, row, y, true);
      for (int i = 0; i < width; ++i)
        y[width * row + i] -= product.sum[i];
    }
  });
}
}  // namespace symdyn
