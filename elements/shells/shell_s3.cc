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
constexpr double degree = 3.14159265358979323846 / 180;
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

double shell_warp(const std::vector<GramVector> &rest)
{
  const int n = int(rest.size()) / 2;
  std::vector<GramVector> normals;
  for (int a = 0; a < n; ++a)
  {
    const GramVector area = cross(combination(rest[(a + 1) % n], -1., rest[a]), combination(rest[(a + n - 1) % n], -1., rest[a]));
    normals.push_back(scaled(1. / norm(area), area));
  }
  double least = 1;
  for (const GramVector &one : normals)
    for (const GramVector &other : normals)
      least = std::min(least, dot(one, other));
  return std::acos(std::max(-1., least));
}

std::string shell_quality(const std::vector<GramVector> &rest)
{
  using namespace shells;
  constexpr double smallest = 0.05, most_warped = 30 * degree;
  const int n = int(rest.size()) / 2;
  const auto axes = [&rest](const int a, const int next, const int last) {
    return tangent(combination(rest[next], -1., rest[a]), combination(rest[last], -1., rest[a]), GramVector{});
  };
  const TangentPlane middle =
      n == 4 ? tangent(combination(rest[2], -1., rest[0]), combination(rest[3], -1., rest[1]), GramVector{}) : axes(0, 1, 2);
  double mean = 0;
  std::vector<double> J(n);
  std::vector<GramVector> normal(n);
  for (int a = 0; a < n; ++a)
  {
    const TangentPlane corner = axes(a, (a + 1) % n, (a + n - 1) % n);
    normal[a] = corner.normal;
    J[a] = corner.area * dot(corner.normal, middle.normal);
    mean += J[a] / n;
  }
  for (int a = 0; a < n; ++a)
  {
    const std::string corner = "Corner " + std::to_string(a + 1) + " of the shell cell ";
    if (!(J[a] > smallest * mean))
      return corner + "is flat or turned inside out: its area ratio J is at most 0.05 of the mean. Move the node, or use triangles.";
    if (!(dot(normal[a], middle.normal) >= std::cos(most_warped)))
      return corner + "leaves the plane of the cell by more than 30 degrees. Use smaller cells, or triangles.";
    if (!(dot(rest[n + a], middle.normal) > 0))
      return corner + "has a director on the other side of the cell. Order the nodes of neighbours in the same sense.";
  }
  return {};
}
}  // namespace symdyn
