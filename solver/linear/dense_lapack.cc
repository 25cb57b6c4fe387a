#include <deal.II/lac/lapack_support.h>
#include <deal.II/lac/lapack_templates.h>

#include <cmath>

#include "solver/error.h"
#include "solver/linear/dense_eigen.h"
#include "solver/linear/lu.h"

// Factors and eigenvalues of dense matrices by LAPACK.
namespace symdyn
{
DenseFactors::DenseFactors(const std::size_t size, std::vector<double> columns)
    : n(dealii::types::blas_int(size)), factors(std::move(columns)), pivots(size)
{
  dealii::types::blas_int info = 0;
  dealii::getrf(&n, &n, factors.data(), &n, pivots.data(), &info);
  if (info != 0)
    throw ComputationError("a dense matrix is singular");
  for (std::size_t i = 0; i < size; ++i)
  {
    const double pivot = factors[i * size + i];
    positive = positive == ((pivot > 0.) == (pivots[i] == dealii::types::blas_int(i + 1)));
    logarithm += std::log(std::abs(pivot));
  }
}

void DenseFactors::solve(std::vector<double> &x) const
{
  const dealii::types::blas_int one = 1;
  dealii::types::blas_int info = 0;
  dealii::getrs("N", &n, &one, factors.data(), &n, pivots.data(), x.data(), &n, &info);
}

DenseEigenpairs dense_eigenpairs(const std::size_t size, std::vector<double> columns, const bool with_vectors)
{
  using Integer = dealii::types::blas_int;
  DenseEigenpairs found;
  if (size == 0)
    return found;
  const auto n = Integer(size);
  const Integer one = 1, needed = -1;
  Integer info = 0;
  const char *right = with_vectors ? "V" : "N";
  std::vector<double> real(size), imaginary(size), x(with_vectors ? size * size : 1), work(1);
  const Integer of_x = with_vectors ? n : one;
  dealii::geev("N", right, &n, columns.data(), &n, real.data(), imaginary.data(), x.data(), &one, x.data(), &of_x, work.data(), &needed,
               &info);
  work.resize(std::size_t(work[0]));
  const auto length = Integer(work.size());
  dealii::geev("N", right, &n, columns.data(), &n, real.data(), imaginary.data(), x.data(), &one, x.data(), &of_x, work.data(), &length,
               &info);
  if (info != 0)
    throw ComputationError("eigenvalues of a dense matrix: the QR iteration of LAPACK does not converge");
  for (std::size_t k = 0; k < size; ++k)
    found.values.emplace_back(real[k], imaginary[k]);
  for (std::size_t k = 0; with_vectors && k < size; ++k)
  {
    // Of a pair LAPACK has the real part, and behind it the imaginary part of the one with Im > 0.
    const bool second = imaginary[k] < 0.;
    const double *re = x.data() + (second ? k - 1 : k) * size, *im = re + size, sign = imaginary[k] == 0. ? 0. : second ? -1. : 1.;
    found.vectors.emplace_back();
    for (std::size_t i = 0; i < size; ++i)
      found.vectors.back().emplace_back(re[i], sign == 0. ? 0. : sign * im[i]);
  }
  return found;
}
}  // namespace symdyn
