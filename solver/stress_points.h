#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// Values at the points of a frame, `width` a point: 1, 3, 6.
struct PointValues
{
  std::string name;
  unsigned int width;
  std::vector<double> values;
};

/// Cauchy's stress at the points of this rank at which Structure::write_shape() draws fields; of beams and shells on their surfaces, along
/// their own axes.
struct StressPoints
{
  static constexpr int components = 6;
  std::vector<double> places;                   ///< undeformed, x, y, z of each [m]
  std::vector<double> stress;                   ///< xx, yy, zz, xy, yz, zx of each [Pa]
  std::vector<std::vector<double>> along = {};  ///< of small motions w from the state, (stress(q + w) - stress(q - w))/2
  bool axial = false;                           ///< there are beams, of which it has the stress along the axis alone
};
}  // namespace symdyn
