#pragma once
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "elements/place.h"

namespace symdyn
{
/// A box with edges along the axes, around places; of no place it is empty.
struct Box
{
  static constexpr double far = std::numeric_limits<double>::max();
  Place lower{far, far, far}, upper{-far, -far, -far};

  Box() = default;
  Box(std::initializer_list<Place> places)
  {
    for (const Place &x : places)
      take(x);
  }
  Box(const std::vector<Place> &places)
  {
    for (const Place &x : places)
      take(x);
  }
  void take(const Place &x)
  {
    for (int d = 0; d < 3; ++d)
    {
      lower[d] = std::min(lower[d], x[d]);
      upper[d] = std::max(upper[d], x[d]);
    }
  }
  void take(const Box &other)
  {
    take(other.lower);
    take(other.upper);
  }
  /// Between the boxes [m].
  double distance(const Box &other) const
  {
    double square = 0;
    for (int d = 0; d < 3; ++d)
    {
      const double apart = std::max({0., lower[d] - other.upper[d], other.lower[d] - upper[d]});
      square += apart * apart;
    }
    return std::sqrt(square);
  }
  /// Whether they come within `distance` along each axis.
  bool near(const Box &other, const double distance) const
  {
    bool is = true;
    for (int d = 0; d < 3; ++d)
      is = is && lower[d] <= other.upper[d] + distance && upper[d] >= other.lower[d] - distance;
    return is;
  }
};
}  // namespace symdyn
