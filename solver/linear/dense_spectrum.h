#pragma once
#include <deal.II/lac/lapack_full_matrix.h>

#include <utility>
#include <vector>

namespace symdyn
{
using Dense = dealii::LAPACKFullMatrix<double>;

/// All eigenvalues of a symmetric matrix, ascending, and the vectors.
inline std::pair<std::vector<double>, std::vector<dealii::Vector<double>>> spectrum_of(Dense A)
{
  const std::size_t n = A.m();
  Dense identity(n);
  for (std::size_t i = 0; i < n; ++i)
  {
    identity(i, i) = 1.;
    for (std::size_t j = 0; j < i; ++j)
      A(i, j) = A(j, i) = 0.5 * (A(i, j) + A(j, i));
  }
  std::vector<dealii::Vector<double>> vectors(n, dealii::Vector<double>(n));
  A.compute_generalized_eigenvalues_symmetric(identity, vectors);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(A.eigenvalue(i).real());
  return {values, vectors};
}
}  // namespace symdyn
