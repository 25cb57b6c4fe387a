#pragma once
#include <array>

#include "elements/place.h"

namespace symdyn
{
/// The place of a corner, a line or a triangle that is nearest to a point: of its 1 to 3 corners those that carry it.
struct Closest
{
  std::array<int, 3> corner{-1, -1, -1};  ///< as given, in their order; the carrying ones first
  int carrying = 0;
  Place weight{};       ///< of the carrying corners; their sum is 1
  Place r{};            ///< from there to the point [m]
  double distance = 0;  ///< |r| [m]
};

/// The weights of n corners in the place nearest to x: 0 where a corner does not carry it.
Place nearest_weights(const Place &x, int n, const std::array<Place, 3> &at);

/// Nearest to x. `corners`: numbers of n corners, at `at`. The distance has one continuous derivative in x and the corners; where
/// the carrying corners stay it has all.
Closest closest(const Place &x, const std::array<int, 3> &corners, int n, const std::array<Place, 3> &at);
}  // namespace symdyn
