#pragma once
#include <array>
#include <cmath>

namespace symdyn
{
/// A place, or an arrow, in a space of at most three dimensions [m].
using Place = std::array<double, 3>;

inline double dot(const Place &a, const Place &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Place cross(const Place &a, const Place &b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Place &a) { return std::sqrt(dot(a, a)); }
/// a - b
inline Place difference(const Place &a, const Place &b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
}  // namespace symdyn
