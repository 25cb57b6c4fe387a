#pragma once
#include <cmath>
#include <string>

namespace symdyn
{
/// "1 cell", "3 cells".
template <class Count>
std::string counted(const Count n, const std::string &thing)
{
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

/// 0 for what is rounding beside `size`: a coordinate of -5.7e-18 of a body of 1 m.
inline double without_rounding(const double value, const double size)
{
  constexpr double rounding = 1e-12;
  return std::abs(value) <= rounding * size ? 0. : value;
}
}  // namespace symdyn
