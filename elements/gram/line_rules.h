#pragma once
#include <vector>

#include "solver/parameters.h"

// Points through thicknesses and along sides of sections, -1/2 < place < 1/2, weights of sum 1.
namespace symdyn
{
struct LinePoint
{
  double place, weight;
};

/// Simpson's rule with an odd number of points, 3 at least: both faces and the middle are points. The moment of a line that flows all
/// over, ∫ |x| dx, is exact for 5, 9, 13, ... points; 3 points give 2/3 of it, 7 points 0.963, 11 points 0.987.
inline std::vector<LinePoint> simpson(const int points)
{
  std::vector<LinePoint> all;
  for (int i = 0; i < points; ++i)
  {
    const double factor = i == 0 || i == points - 1 ? 1. : i % 2 == 1 ? 4. : 2.;
    all.push_back({double(i) / (points - 1) - 0.5, factor / (3. * (points - 1))});
  }
  return all;
}

/// Three points across a thin wall: cubic polynomials and ∫ |x| dx are exact.
inline std::vector<LinePoint> across_wall() { return {{-1. / 3., 3. / 8.}, {0., 1. / 4.}, {1. / 3., 3. / 8.}}; }

/// Reads the entry Points of a section whose material yields; errors: InputError for an even number, and where nothing yields.
inline void declare_points(Parameters &p, int &points, const std::string &help)
{
  p.add("Points", points, help, between(3, 21));
  if (points % 2 == 0)
    p.fail("Points", "is even. Simpson's rule needs an odd number: 3, 5, 7, ... 21");
}
}  // namespace symdyn
