#include "elements/contact/obstacles/obstacle.h"

#include <cmath>

namespace symdyn
{
/// N = n + c w with w = x1 - x0, n the normal of the middle and c = (g1 - g0 - n·w)/|w|². Where the way is short c is rounding over |w|:
/// there N = n, whose error in g1 - g0 is of third order in |w|.
Place Obstacle::mean_normal(const Place &x0, const Place &x1, PlaceMatrix *change) const
{
  Place middle, w, N, n1;
  for (int d = 0; d < 3; ++d)
  {
    middle[d] = 0.5 * (x0[d] + x1[d]);
    w[d] = x1[d] - x0[d];
  }
  gap(middle, N);
  const double square = along(w, w), g0 = gap(x0), g1 = gap(x1, n1);
  const PlaceMatrix H = change ? curvature(middle) : PlaceMatrix{};
  if (change)
    for (int i = 0; i < 9; ++i)
      (*change)[i] = 0.5 * H[i];
  constexpr double few = 1e-7;  // of the places themselves: below, rounding of the quotient is larger than what it corrects
  if (square <= few * few * (along(x0, x0) + along(x1, x1)))
    return N;
  const double c = (g1 - g0 - along(N, w)) / square;
  if (change)
  {
    const Place bent = times(H, w);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        (*change)[3 * i + j] += w[i] * ((n1[j] - N[j] - 0.5 * bent[j]) / square - 2. * c * w[j] / square) + (i == j ? c : 0.);
  }
  for (int d = 0; d < 3; ++d)
    N[d] += c * w[d];
  return N;
}
}  // namespace symdyn
