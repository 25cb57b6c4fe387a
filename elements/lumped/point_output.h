#pragma once
#include <memory>
#include <string>
#include <vector>

#include "elements/lumped/parts.h"

namespace symdyn
{
/// Of all points, `dimension` numbers each.
struct PointMotion
{
  double t;                                                ///< [s]
  std::vector<double> u, v, a;                             ///< [m], [m/s], [m/s²]
  std::vector<std::shared_ptr<const DiscreteTerm>> terms;  ///< those of the parts, with the memory of the state
};

/// A VTU file: a vertex for each point, a line for each bar, spring and rigid link; displacement [m], velocity [m/s], acceleration [m/s²],
/// mass [kg]; of lines their tension, dV/dr [N], 0 of rigid links. On one rank. Errors: ComputationError if it
/// cannot be written.
void write_points(const LumpedParts &parts, const PointMotion &motion, const std::string &file);
}  // namespace symdyn
