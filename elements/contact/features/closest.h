#pragma once
#include <array>

#include "elements/place.h"
#include "materials/algebra/wide.h"

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

/// Which corners carry the places of n corners that are nearest to the places x. Bit i of pattern p: those of the bits of p carry that of
/// lane i. A place is in one pattern, if its lane is `wanted`; those that are farther than `within` may be in none.
using CarryingPatterns = std::array<unsigned, 8>;
CarryingPatterns carrying_patterns(const std::array<Wide, 3> &x, unsigned wanted, double within, int n, const std::array<Place, 3> &at);

/// Nearest to x of n corners that all carry it: on a line or a plane through them.
Closest closest_if_all_carry(const Place &x, const std::array<int, 3> &corners, int n, const std::array<Place, 3> &at);

/// Nearest to x. `corners`: numbers of n corners, at `at`. The distance has one continuous derivative in x and the corners; where
/// the carrying corners stay it has all.
Closest closest(const Place &x, const std::array<int, 3> &corners, int n, const std::array<Place, 3> &at);
}  // namespace symdyn
