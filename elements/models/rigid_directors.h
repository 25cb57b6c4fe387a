#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "elements/lumped/parts.h"

// The matrices of rigid bodies, whose columns are points.
namespace symdyn
{
/// The largest entry of |RᵀR - 1| of the three directors from `first` on. q: of all points.
inline double rotation_error(const std::vector<LumpedPoint> &points, const std::size_t first, const std::vector<double> &q)
{
  double error = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
    {
      double G = i == j ? -1. : 0.;
      for (int d = 0; d < 3; ++d)
        G += (points[first + i].position[d] + q[3 * (first + i) + d]) * (points[first + j].position[d] + q[3 * (first + j) + d]);
      error = std::max(error, std::abs(G));
    }
  return error;
}

/// The first directors of rigid bodies.
inline std::vector<std::size_t> rigid_bodies(const std::vector<LumpedPoint> &points)
{
  std::vector<std::size_t> first;
  for (std::size_t k = 0; k + 2 < points.size(); ++k)
    if (points[k].director_of >= 0)
    {
      first.push_back(k);
      k += 2;
    }
  return first;
}
}  // namespace symdyn
