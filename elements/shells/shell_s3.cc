#include <algorithm>
#include <cmath>

#include "elements/shells/shell_element.h"

namespace symdyn
{
namespace shells
{
namespace
{
constexpr int triangle = 3;
using Corner = std::array<double, triangle>;

constexpr Corner along_r{-1, 1, 0}, along_s{-1, 0, 1};
/// Tying points (1) (½, 0), (2) (0, ½), (3) (½, ½) as values of the three functions.
constexpr std::array<Corner, triangle> tying_places{{{0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}}};

/// Strains of the reference cell: membrane (rr, ss, 2·rs), bending, then gamma_r at (1), gamma_r at (3), gamma_s at (2), gamma_s at (3).
std::shared_ptr<const GramShape> s3_shape()
{
  static const std::shared_ptr<const GramShape> shared = [] {
    GramShape shape;
    shape.vectors = 2 * triangle;
    const int x_r = add_row(along_r.data(), triangle, false, shape), x_s = add_row(along_s.data(), triangle, false, shape);
    const int d_r = add_row(along_r.data(), triangle, true, shape), d_s = add_row(along_s.data(), triangle, true, shape);
    std::array<int, triangle> d;
    for (int k = 0; k < triangle; ++k)
      d[k] = add_row(tying_places[k].data(), triangle, true, shape);
    shape.strain = {
        {{x_r, x_r, 0.5}}, {{x_s, x_s, 0.5}}, {{x_r, x_s, 1.}},  {{x_r, d_r, 1.}}, {{x_s, d_s, 1.}}, {{x_r, d_s, 1.}, {x_s, d_r, 1.}},
        {{x_r, d[0], 1.}}, {{x_r, d[2], 1.}}, {{x_s, d[1], 1.}}, {{x_s, d[2], 1.}}};
    return std::make_shared<const GramShape>(shape);
  }();
  return shared;
}

}  // namespace

/// gamma_r = g_r(1) + c s, gamma_s = g_s(2) - c r, c = g_s(2) - g_r(1) - g_s(3) + g_r(3)
Cell s3_cell(const std::vector<GramVector> &rest, const GramVector &direction)
{
  constexpr double near = 1. / 6, far = 2. / 3, reference_weight = 1. / 6;
  constexpr std::array<std::array<double, 2>, triangle> places{{{near, near}, {far, near}, {near, far}}};
  const TangentPlane plane =
      tangent(combined(along_r.data(), rest.data(), triangle), combined(along_s.data(), rest.data(), triangle), direction);
  Cell cell{s3_shape(), {}, 3, 3};
  for (const auto &[r, s] : places)
  {
    Point point = point_of(plane, reference_weight);
    set_shear(plane, {1 - s, s, s, -s, r, -r, 1 - r, r}, point);
    for (int i = 0; i < 3; ++i)
      point.force[i * 3 + i] = 1;
    point.membrane = 0;
    point.bending = 3;
    cell.points.push_back(point);
  }
  return cell;
}
}  // namespace shells

GramModel s3_model(const ShellSection &section, const std::vector<GramVector> &rest, const GramVector &direction)
{
  using namespace shells;
  const Cell cell = s3_cell(rest, direction);
  double area = 0;
  for (const Point &point : cell.points)
    area += point.weight;
  std::vector<double> NN(triangle * triangle, area / 12);
  for (int a = 0; a < triangle; ++a)
    NN[a * triangle + a] = area / 6;
  return model_of(cell, section, NN);
}
}  // namespace symdyn
