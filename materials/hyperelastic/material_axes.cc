#include "materials/hyperelastic/material_axes.h"

#include <cmath>

#include "solver/parameters.h"

namespace symdyn
{
MaterialAxes declare_material_axes(Parameters &p)
{
  std::vector<double> given;
  p.add("Axes", given,
        "a1, a2, a3, b1, b2, b3: first axis of the material along a, second in the plane of a and b; default: the coordinates");
  MaterialAxes e{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
  if (given.empty())
    return e;
  if (given.size() != 6)
    p.fail(
        "Axes",
        "six numbers are needed: the vector a along the first axis and a vector b in the plane of the first two, a1, a2, a3, b1, b2, b3");
  const auto cross = [](const std::array<double, 3> &a, const std::array<double, 3> &b) {
    return std::array<double, 3>{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  const auto norm = [](const std::array<double, 3> &a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); };
  const std::array<double, 3> a{given[0], given[1], given[2]}, b{given[3], given[4], given[5]}, normal = cross(a, b);
  constexpr double parallel = 1e-10;
  if (!(norm(normal) > parallel * norm(a) * norm(b)))
    p.fail("Axes", "the vectors a and b are parallel, or one is zero: they span no plane. Give two that differ in direction");
  for (int i = 0; i < 3; ++i)
  {
    e[0][i] = a[i] / norm(a);
    e[2][i] = normal[i] / norm(normal);
  }
  e[1] = cross(e[2], e[0]);
  return e;
}
}  // namespace symdyn
