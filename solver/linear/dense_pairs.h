#pragma once
#include <complex>
#include <vector>

namespace symdyn
{
/// S y = theta y of a small real matrix that need not be symmetric.
struct DensePairs
{
  std::vector<std::complex<double>> values;
  std::vector<std::vector<double>> real, imaginary;  ///< of y, of length 1
};
/// All with Im theta <= 0, by LAPACK, the largest |theta| first. S: by columns.
DensePairs dense_pairs(std::vector<double> S);
}  // namespace symdyn
