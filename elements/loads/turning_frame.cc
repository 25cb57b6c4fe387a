#include "elements/loads/turning_frame.h"

#include <cmath>
#include <vector>

#include "solver/parameters.h"

namespace symdyn
{
double TurningFrame::turn(const int i, const int j) const
{
  if (i == j)
    return 0.;
  const int k = 3 - i - j;
  return ((i + 1) % 3 == j ? -1. : 1.) * axis[k];
}

std::array<std::array<double, 3>, 2> TurningFrame::directions() const
{
  const int near = std::abs(axis[0]) <= std::abs(axis[1]) || axis[0] * axis[0] < 0.5 ? 0 : 1;
  std::array<std::array<double, 3>, 2> e{};
  for (int i = 0; i < 3; ++i)
    e[0][i] = across(i, near) / std::sqrt(across(near, near));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      e[1][i] += turn(i, j) * e[0][j];
  return e;
}

std::shared_ptr<const TurningFrame> TurningFrame::at_speed(const double other) const
{
  auto frame = std::make_shared<TurningFrame>(*this);
  frame->speed = other;
  return frame;
}

void TurningFrame::declare(Parameters &p, const int of_structure)
{
  dimension = of_structure;
  std::vector<double> along{0., 0., 1.}, through(dimension, 0.);
  p.add("Speed", speed, "Omega of the frame, and of the body in it [rad/s]");
  p.add("Axis", along, "direction of the axis in space; its length does not count. In 2-D it is 0, 0, 1");
  p.add("Point", through, "a point of the axis [m]");
  where = p.where();
  if (!p.exists())
    return;
  if (speed == 0.)
    p.fail("Speed", "a frame of speed zero does not turn. Give the speed, or remove the section");
  if (dimension == 1)
    p.fail("", "a line does not turn. Let the structure have two or three dimensions, or remove the section");
  double length = 0.;
  for (const double one : along)
    length += one * one;
  length = std::sqrt(length);
  if (along.size() != 3 || length == 0.)
    p.fail("Axis", "needs three numbers, not all zero");
  if (dimension == 2 && (along[0] != 0. || along[1] != 0.))
    p.fail("Axis", "a plane structure turns about the axis 0, 0, 1");
  if (int(through.size()) != dimension)
    p.fail("Point", dimension == 2 ? "needs two numbers" : "needs three numbers");
  for (int d = 0; d < 3; ++d)
    axis[d] = along[d] / length;
  for (int d = 0; d < dimension; ++d)
    point[d] = through[d];
}

std::shared_ptr<const TurningFrame> TurningFrame::read(Parameters root, const int dimension)
{
  Parameters p = root.section("Rotation");
  auto frame = std::make_shared<TurningFrame>();
  frame->declare(p, dimension);
  if (p.exists() && root.section("Base motion").exists())
    p.fail("", "a frame that turns has no Base motion, whose directions are fixed in space. Remove one of both");
  return p.exists() ? frame : nullptr;
}
}  // namespace symdyn
