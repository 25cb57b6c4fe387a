#include "elements/space/row_factor.h"

#include <deal.II/lac/lapack_full_matrix.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
void RowFactor::add(std::vector<double> row)
{
  for (unsigned int i = 0; i < n; ++i)
  {
    if (row[i] == 0.)
      continue;
    double *const own = &R[std::size_t(n) * i];
    const double length = std::hypot(own[i], row[i]), c = own[i] / length, s = row[i] / length;
    for (unsigned int k = i; k < n; ++k)
    {
      const double kept = c * own[k] + s * row[k];
      row[k] = c * row[k] - s * own[k];
      own[k] = kept;
    }
    row[i] = 0.;
  }
}

void RowFactor::add_packed(const double *rows)
{
  for (unsigned int i = 0; i < n; ++i)
    add({rows + std::size_t(n) * i, rows + std::size_t(n) * (i + 1)});
}

std::vector<std::vector<double>> RowFactor::null_space(const double tolerance) const
{
  if (n == 0)
    return {};
  dealii::LAPACKFullMatrix<double> A(n, n);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int k = 0; k < n; ++k)
      A(i, k) = R[std::size_t(n) * i + k];
  A.compute_svd();
  std::vector<std::vector<double>> basis;
  const double limit = tolerance * std::max(1., A.singular_value(0));
  for (unsigned int i = 0; i < n; ++i)
    if (A.singular_value(i) <= limit)
    {
      basis.emplace_back(n);
      for (unsigned int k = 0; k < n; ++k)
        basis.back()[k] = A.get_svd_vt()(i, k);
    }
  return basis;
}

std::vector<std::vector<double>> echelon_form(std::vector<std::vector<double>> vectors, const double tolerance)
{
  std::size_t done = 0;
  for (std::size_t column = 0; !vectors.empty() && column < vectors.front().size() && done < vectors.size(); ++column)
  {
    const auto best = std::max_element(vectors.begin() + done, vectors.end(),
                                       [&](const auto &a, const auto &b) { return std::abs(a[column]) < std::abs(b[column]); });
    if (std::abs((*best)[column]) <= tolerance)
      continue;
    std::swap(vectors[done], *best);
    const std::vector<double> pivot = vectors[done];
    for (double &entry : vectors[done])
      entry /= pivot[column];
    for (std::size_t i = 0; i < vectors.size(); ++i)
      for (std::size_t k = 0; k < pivot.size() && i != done; ++k)
        if (k != column)
          vectors[i][k] -= vectors[i][column] * vectors[done][k];
    for (std::size_t i = 0; i < vectors.size(); ++i)
      vectors[i][column] = i == done ? 1. : 0.;
    ++done;
  }
  vectors.resize(done);
  return vectors;
}
}  // namespace symdyn
