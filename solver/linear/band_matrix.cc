#include "solver/linear/band_matrix.h"

#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/sparsity_tools.h>

#include <algorithm>
#include <cmath>
#include <limits>

extern "C"
{
  void dgbtrf_(const int *m, const int *n, const int *kl, const int *ku, double *ab, const int *ldab, int *ipiv, int *info);
  void dgbtrs_(const char *trans, const int *n, const int *kl, const int *ku, const int *nrhs, const double *ab, const int *ldab,
               const int *ipiv, double *b, const int *ldb, int *info);
}

namespace symdyn
{
void BandMatrix::resize(const int size, const int lower, const int upper)
{
  n = size;
  below = std::min(lower, std::max(0, n - 1));
  above = std::min(upper, std::max(0, n - 1));
  rows = 2 * below + above + 1;  // the factors fill in
  entries.assign(std::size_t(rows) * n, 0.);
  pivots.resize(n);
}

void BandMatrix::clear() { std::fill(entries.begin(), entries.end(), 0.); }

void BandMatrix::clear_row_and_column(const int i)
{
  for (int j = std::max(0, i - below); j <= std::min(n - 1, i + above); ++j)
    (*this)(i, j) = 0.;
  for (int j = std::max(0, i - above); j <= std::min(n - 1, i + below); ++j)
    (*this)(j, i) = 0.;
}

void BandMatrix::multiply(const double *x, double *y) const
{
  std::fill_n(y, n, 0.);
  for (int j = 0; j < n; ++j)
    for (int i = std::max(0, j - above); i <= std::min(n - 1, j + below); ++i)
      y[i] += entries[place(i, j)] * x[j];
}

int BandMatrix::factor()
{
  factors = entries;
  int info = 0;
  if (n > 0)
    dgbtrf_(&n, &n, &below, &above, factors.data(), &rows, pivots.data(), &info);
  return info - 1;
}

std::pair<int, double> BandMatrix::smallest_pivot() const
{
  std::pair<int, double> smallest{-1, std::numeric_limits<double>::infinity()};
  for (int i = 0; i < n; ++i)
    if (const double pivot = std::abs(factors[place(i, i)]); pivot < smallest.second)
      smallest = {i, pivot};
  return smallest;
}

void BandMatrix::solve(double *x) const
{
  const int one = 1;
  int info = 0;
  if (n > 0)
    dgbtrs_("N", &n, &below, &above, &one, factors.data(), &rows, pivots.data(), x, &n, &info);
}

std::vector<unsigned int> narrow_numbering(const std::vector<std::vector<int>> &neighbours)
{
  const std::size_t n = neighbours.size();
  dealii::DynamicSparsityPattern graph(n, n);
  for (std::size_t i = 0; i < n; ++i)
  {
    graph.add(i, i);
    for (const int j : neighbours[i])
    {
      graph.add(i, j);
      graph.add(j, i);
    }
  }
  std::vector<dealii::types::global_dof_index> numbers(n);
  if (n > 0)
    dealii::SparsityTools::reorder_Cuthill_McKee(graph, numbers);
  return {numbers.begin(), numbers.end()};
}
}  // namespace symdyn
