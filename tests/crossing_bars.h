#pragma once
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "tests/blocks.h"
#include "tests/run.h"

namespace symdyn::tests
{
/// Two bars, 1 m long, of square section, 0.4 m wide, of one cell each along x and along y, that look at each other edge on edge, 1 dm
/// above each other. No point of integration is nearer to the crossing than 0.224 m.
struct CrossingBars
{
  static constexpr double apart = 0.1, width = 0.4;
  static void write_mesh(const std::string &file)
  {
    const double half = std::sqrt(0.5), diagonal = half * width;
    const Blocks::Map turn = [=](const int block, const std::array<double, 3> &x) {
      const double along = x[0] - 0.5, across = half * (x[1] - x[2]), up = half * (x[1] + x[2] - width);
      return block == 0 ? std::array<double, 3>{along, across, up} : std::array<double, 3>{-across, along, up + 2. * diagonal + apart};
    };
    Blocks({{{0., 0., 0.}, {1., width, width}, {1, 2, 2}}, {{0., 0., 0.}, {1., width, width}, {1, 2, 2}}}, 0., turn).write(file);
  }
};
}  // namespace symdyn::tests
