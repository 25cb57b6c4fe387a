#include "solver/linear/lu.h"

#include <deal.II/lac/lapack_templates.h>

#include <cmath>

#include "solver/error.h"

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
}  // namespace symdyn
