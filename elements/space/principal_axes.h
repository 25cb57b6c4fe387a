#pragma once
#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <array>
#include <utility>

#include "materials/algebra/spectral.h"

namespace symdyn
{
/// Eigenvalues, falling, and orthonormal eigenvectors. dealii::eigenvectors has other names for clang than the library has for g++.
inline std::array<std::pair<double, dealii::Tensor<1, 3>>, 3> principal_axes(const dealii::SymmetricTensor<2, 3> &A)
{
  Symmetric<double> a;
  for (int m = 0; m < 6; ++m)
    a[m] = A.access_raw_entry(m);
  const Spectrum found = spectrum(a);
  std::array<std::pair<double, dealii::Tensor<1, 3>>, 3> axes;
  for (int k = 0; k < 3; ++k)
    axes[k] = {found.x[k], dealii::Tensor<1, 3>({found.n[k][0], found.n[k][1], found.n[k][2]})};
  std::sort(axes.begin(), axes.end(), [](const auto &one, const auto &other) { return one.first > other.first; });
  return axes;
}
}  // namespace symdyn
