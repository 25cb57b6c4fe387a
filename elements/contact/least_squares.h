#pragma once
#include "elements/place.h"
#include "elements/space/principal_axes.h"

namespace symdyn
{
/// The smallest x that makes A x = b as good as it can be, A symmetric and not negative. Directions whose eigenvalue is below `small` times
/// the largest are left out.
inline Place least_squares(const dealii::SymmetricTensor<2, 3> &A, const Place &b, const double small)
{
  const auto modes = principal_axes(A);
  Place x{};
  for (const auto &[value, direction] : modes)
    if (value > small * modes[0].first)
    {
      const double part = (direction[0] * b[0] + direction[1] * b[1] + direction[2] * b[2]) / value;
      for (int d = 0; d < 3; ++d)
        x[d] += part * direction[d];
    }
  return x;
}
}  // namespace symdyn
