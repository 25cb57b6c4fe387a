#pragma once
#include <complex>
#include <cstddef>
#include <vector>

namespace symdyn
{
/// A x = m x of a dense real matrix that need not be symmetric, by LAPACK (geev). Right vectors have the length 1.
struct DenseEigenpairs
{
  std::vector<std::complex<double>> values;
  std::vector<std::vector<std::complex<double>>> vectors;  ///< empty where they are not asked for
};

/// Columns of A are stored one after the other. Errors: ComputationError if the iteration does not converge.
DenseEigenpairs dense_eigenpairs(std::size_t n, std::vector<double> columns, bool with_vectors);
}  // namespace symdyn
