#include "elements/surfaces/overlap.h"

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
using Point = std::array<double, 2>;  ///< in the plane, from the middle of the first facet [m]
using Polygon = std::vector<Point>;

Polygon in_plane(const Facet &plane, const Facet &facet)
{
  Polygon polygon;
  for (const Place &x : facet.x)
  {
    const Place r = difference(x, plane.middle);
    polygon.push_back({dot(r, plane.tangent[0]), dot(r, plane.tangent[1])});
  }
  return polygon;
}

double twice_area(const Point &a, const Point &b, const Point &c) { return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]); }

double twice_area(const Polygon &polygon)
{
  double sum = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    sum += twice_area(polygon[0], polygon[i - 1], polygon[i]);
  return sum;
}

/// What of a polygon lies left of the line from a to b.
Polygon cut(const Polygon &polygon, const Point &a, const Point &b)
{
  Polygon left;
  for (std::size_t i = 0; i < polygon.size(); ++i)
  {
    const Point &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
    const double f = twice_area(a, b, from), t = twice_area(a, b, to);
    if (f >= 0.)
      left.push_back(from);
    if ((f > 0. && t < 0.) || (f < 0. && t > 0.))
      left.push_back({from[0] + f / (f - t) * (to[0] - from[0]), from[1] + f / (f - t) * (to[1] - from[1])});
  }
  return left;
}

Place in_space(const Facet &plane, const Point &p)
{
  Place x = plane.middle;
  for (int d = 0; d < 3; ++d)
    x[d] += p[0] * plane.tangent[0][d] + p[1] * plane.tangent[1][d];
  return x;
}

}  // namespace

Overlap::Overlap(const int dim, const int points) : dim(dim), of_line(dealii::QGauss<1>(points)), of_triangle(dealii::QDuffy(points, 1.)) {}

std::vector<OverlapPoint> Overlap::on_line(const Facet &on, const Facet &over) const
{
  const Polygon a = in_plane(on, on), b = in_plane(on, over);
  const double from = std::max(std::min(a[0][0], a[1][0]), std::min(b[0][0], b[1][0]));
  const double to = std::min(std::max(a[0][0], a[1][0]), std::max(b[0][0], b[1][0]));
  std::vector<OverlapPoint> points;
  for (unsigned int q = 0; q < of_line.size() && to > from; ++q)
    points.push_back({in_space(on, {from + of_line.point(q)[0] * (to - from), 0.}), of_line.weight(q) * (to - from)});
  return points;
}

std::vector<OverlapPoint> Overlap::operator()(const Facet &on, const Facet &over) const
{
  constexpr double nothing = 1e-13;  // of the facet's area
  if (dim == 2)
    return on_line(on, over);
  Polygon left = in_plane(on, on), other = in_plane(on, over);
  const double area = twice_area(left);
  if (area < 0.)
    std::reverse(left.begin(), left.end());
  if (twice_area(other) < 0.)
    std::reverse(other.begin(), other.end());
  for (std::size_t i = 0; i < other.size() && !left.empty(); ++i)
    left = cut(left, other[i], other[(i + 1) % other.size()]);
  std::vector<OverlapPoint> points;
  for (std::size_t i = 2; i < left.size(); ++i)
    if (const double J = twice_area(left[0], left[i - 1], left[i]); J > nothing * std::abs(area))
      for (unsigned int q = 0; q < of_triangle.size(); ++q)
      {
        const auto xi = of_triangle.point(q);
        Point p;
        for (int d = 0; d < 2; ++d)
          p[d] = left[0][d] + xi[0] * (left[i - 1][d] - left[0][d]) + xi[1] * (left[i][d] - left[0][d]);
        points.push_back({in_space(on, p), of_triangle.weight(q) * J});
      }
  return points;
}
}  // namespace symdyn
