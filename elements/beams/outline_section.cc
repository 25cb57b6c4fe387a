#include "elements/beams/outline_section.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>

#include "elements/beams/saint_venant.h"

namespace symdyn
{
namespace
{
using Polygon = BeamOutline::Polygon;

[[noreturn]] void refuse_outline(const std::string &sentences) { throw std::invalid_argument("Outline: " + sentences); }

std::string place(const BeamPoint &a)
{
  std::ostringstream out;
  out << "(" << a[0] << ", " << a[1] << ")";
  return out.str();
}

/// Twice the area of a triangle, > 0 counterclockwise.
double turn(const BeamPoint &a, const BeamPoint &b, const BeamPoint &c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

double area_of(const Polygon &p)
{
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    twice += turn({0., 0.}, p[i], p[(i + 1) % p.size()]);
  return 0.5 * twice;
}

/// Whether a point that is on the line of a and b lies between them.
bool between_ends(const BeamPoint &a, const BeamPoint &b, const BeamPoint &point)
{
  return (point[0] - a[0]) * (point[0] - b[0]) + (point[1] - a[1]) * (point[1] - b[1]) <= 0.;
}

/// Whether two segments have a point in common.
bool meet(const BeamPoint &a, const BeamPoint &b, const BeamPoint &c, const BeamPoint &d)
{
  const double abc = turn(a, b, c), abd = turn(a, b, d), cda = turn(c, d, a), cdb = turn(c, d, b);
  if (abc * abd < 0. && cda * cdb < 0.)
    return true;
  return (abc == 0. && between_ends(a, b, c)) || (abd == 0. && between_ends(a, b, d)) || (cda == 0. && between_ends(c, d, a)) ||
         (cdb == 0. && between_ends(c, d, b));
}

/// By the number of edges that a ray crosses.
bool is_inside(const BeamPoint &point, const Polygon &p)
{
  bool inside = false;
  for (std::size_t i = 0; i < p.size(); ++i)
  {
    const BeamPoint &a = p[i], &b = p[(i + 1) % p.size()];
    if ((a[1] > point[1]) != (b[1] > point[1]) && point[0] < a[0] + (point[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
      inside = !inside;
  }
  return inside;
}

/// An edge of the outline: corner i to i + 1 of a polygon.
struct OutlineEdge
{
  std::size_t polygon, i;
  BeamPoint from, to;
};

std::vector<OutlineEdge> edges_of(const std::vector<Polygon> &polygons)
{
  std::vector<OutlineEdge> edges;
  for (std::size_t k = 0; k < polygons.size(); ++k)
    for (std::size_t i = 0; i < polygons[k].size(); ++i)
      edges.push_back({k, i, polygons[k][i], polygons[k][(i + 1) % polygons[k].size()]});
  return edges;
}

void check_edges(const std::vector<Polygon> &polygons)
{
  const std::vector<OutlineEdge> edges = edges_of(polygons);
  for (std::size_t a = 0; a < edges.size(); ++a)
    for (std::size_t b = a + 1; b < edges.size(); ++b)
    {
      const OutlineEdge &one = edges[a], &other = edges[b];
      const std::size_t n = polygons[one.polygon].size();
      const bool next = one.polygon == other.polygon && (one.i + 1) % n == other.i,
                 last = one.polygon == other.polygon && (other.i + 1) % n == one.i;
      // Neighbours share a corner, and fold back where another one lies on them.
      const bool cross = next   ? turn(one.from, one.to, other.to) == 0. && !between_ends(one.from, other.to, one.to)
                         : last ? turn(other.from, other.to, one.to) == 0. && !between_ends(other.from, one.to, other.to)
                                : meet(one.from, one.to, other.from, other.to);
      if (cross)
        refuse_outline("the edges that start at " + place(one.from) + " and " + place(other.from) +
                       " meet. Give the corners in order, each once, and holes apart.");
    }
}

/// The outer polygon counterclockwise, then the holes clockwise. Errors: those of the outline.
std::vector<Polygon> checked(const BeamOutline &outline)
{
  std::vector<Polygon> polygons{outline.outer};
  polygons.insert(polygons.end(), outline.holes.begin(), outline.holes.end());
  for (const Polygon &polygon : polygons)
  {
    if (polygon.size() < 3)
      refuse_outline("a polygon has " + std::to_string(polygon.size()) + " corners. It needs three or more.");
    for (std::size_t i = 0; i < polygon.size(); ++i)
      if (polygon[i] == polygon[(i + 1) % polygon.size()])
        refuse_outline("the corner " + place(polygon[i]) + " comes twice. Give each corner once; the last one is joined to the first.");
  }
  check_edges(polygons);
  for (std::size_t k = 1; k < polygons.size(); ++k)
  {
    if (!is_inside(polygons[k].front(), polygons.front()))
      refuse_outline("the hole at " + place(polygons[k].front()) + " is not inside. Give holes that are.");
    for (std::size_t other = 1; other < polygons.size(); ++other)
      if (other != k && is_inside(polygons[k].front(), polygons[other]))
        refuse_outline("the hole at " + place(polygons[k].front()) + " is inside another one. Remove it.");
  }
  for (std::size_t k = 0; k < polygons.size(); ++k)
    if ((area_of(polygons[k]) > 0.) != (k == 0))
      std::reverse(polygons[k].begin(), polygons[k].end());
  return polygons;
}

/// A closed walk around the area, counterclockwise: indices of corners.
using Walk = std::vector<unsigned int>;

/// Whether the way from corner i of a walk to a point begins in the area, which is on the left of the walk: of a corner that the walk comes
/// to twice this tells which time.
bool begins_inside(const std::vector<BeamPoint> &corners, const Walk &walk, const std::size_t i, const BeamPoint &to)
{
  const std::size_t n = walk.size();
  const BeamPoint &last = corners[walk[(i + n - 1) % n]], &here = corners[walk[i]], &next = corners[walk[(i + 1) % n]];
  const double after_next = turn(here, next, to), before_last = turn(here, to, last);
  return turn(last, here, next) > 0. ? after_next > 0. && before_last > 0. : after_next > 0. || before_last > 0.;
}

/// Joins a hole to a walk by the shortest cut that meets no edge, and adds the cut to these.
void join_hole(const std::vector<BeamPoint> &corners, std::vector<OutlineEdge> &edges, const Walk &hole, Walk &walk)
{
  double shortest = 0;
  std::size_t from = 0, to = 0;
  bool found = false;
  for (std::size_t i = 0; i < walk.size(); ++i)
    for (std::size_t j = 0; j < hole.size(); ++j)
    {
      const BeamPoint &a = corners[walk[i]], &b = corners[hole[j]];
      const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
      if ((found && length >= shortest) || !begins_inside(corners, walk, i, b) || !begins_inside(corners, hole, j, a))
        continue;
      const bool blocked = std::any_of(edges.begin(), edges.end(), [&](const OutlineEdge &edge) {
        return edge.from != a && edge.to != a && edge.from != b && edge.to != b && meet(a, b, edge.from, edge.to);
      });
      if (blocked)
        continue;
      found = true;
      shortest = length;
      from = i;
      to = j;
    }
  if (!found)
    refuse_outline("other holes stand between the hole at " + place(corners[hole.front()]) +
                   " and the outline. Give the outer ones first.");
  edges.push_back({0, 0, corners[walk[from]], corners[hole[to]]});
  Walk cut(hole.begin() + to, hole.end());
  cut.insert(cut.end(), hole.begin(), hole.begin() + to + 1);
  cut.push_back(walk[from]);
  walk.insert(walk.begin() + from + 1, cut.begin(), cut.end());
}

/// The smallest height over the longest side of the triangle that corner i of a walk makes with its neighbours; 0: it is no ear.
double quality_of_ear(const std::vector<BeamPoint> &corners, const Walk &walk, const std::size_t i)
{
  const std::size_t n = walk.size();
  const std::array<unsigned int, 3> ear{walk[(i + n - 1) % n], walk[i], walk[(i + 1) % n]};
  const BeamPoint &a = corners[ear[0]], &b = corners[ear[1]], &c = corners[ear[2]];
  const double area = turn(a, b, c), side = std::max({std::hypot(b[0] - a[0], b[1] - a[1]), std::hypot(c[0] - b[0], c[1] - b[1]),
                                                      std::hypot(a[0] - c[0], a[1] - c[1])});
  constexpr double flat = 1e-12;
  if (!(area > flat * side * side))
    return 0.;
  for (const unsigned int k : walk)
    if (std::find(ear.begin(), ear.end(), k) == ear.end() && turn(a, b, corners[k]) >= 0. && turn(b, c, corners[k]) >= 0. &&
        turn(c, a, corners[k]) >= 0.)
      return 0.;
  return area / (side * side);
}
}  // namespace

OutlineTriangles triangles_of(const BeamOutline &outline)
{
  const std::vector<Polygon> polygons = checked(outline);
  std::vector<OutlineEdge> edges = edges_of(polygons);
  OutlineTriangles result;
  Walk walk;
  for (const Polygon &polygon : polygons)
  {
    Walk around(polygon.size());
    std::iota(around.begin(), around.end(), result.corners.size());
    result.corners.insert(result.corners.end(), polygon.begin(), polygon.end());
    walk.empty() ? walk.swap(around) : join_hole(result.corners, edges, around, walk);
  }
  while (walk.size() > 3)
  {
    std::size_t best = 0;
    double quality = 0;
    for (std::size_t i = 0; i < walk.size(); ++i)
      if (const double of_ear = quality_of_ear(result.corners, walk, i); of_ear > quality)
      {
        quality = of_ear;
        best = i;
      }
    if (quality == 0.)
      refuse_outline("it cannot be cut into triangles near " + place(result.corners[walk.front()]) +
                     ". Move corners that nearly touch apart.");
    const std::size_t n = walk.size();
    result.triangles.push_back({walk[(best + n - 1) % n], walk[best], walk[(best + 1) % n]});
    walk.erase(walk.begin() + best);
  }
  result.triangles.push_back({walk[0], walk[1], walk[2]});
  return result;
}

BeamSection outline_section(const BeamOutline &outline)
{
  OutlineTriangles triangles = triangles_of(outline);
  BeamSection s;
  BeamPoint first{};
  AreaMoments second{};
  const BeamPoint origin = outline.outer.front();  // near: less rounding
  for (const Polygon &polygon : checked(outline))
    for (std::size_t i = 0; i < polygon.size(); ++i)
    {
      const BeamPoint &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
      const double x = from[0] - origin[0], y = from[1] - origin[1], u = to[0] - origin[0], v = to[1] - origin[1];
      const double cross = x * v - u * y;
      s.area += cross / 2;
      first[0] += cross * (x + u) / 6;
      first[1] += cross * (y + v) / 6;
      second[0] += cross * (x * x + x * u + u * u) / 12;
      second[1] += cross * (y * y + y * v + v * v) / 12;
      second[2] += cross * (x * v + 2 * x * y + 2 * u * v + u * y) / 24;
    }
  const double c1 = first[0] / s.area, c2 = first[1] / s.area;
  s.centroid = {origin[0] + c1, origin[1] + c2};
  s.I1 = second[0] - s.area * c1 * c1;
  s.I2 = second[1] - s.area * c2 * c2;
  s.I12 = second[2] - s.area * c1 * c2;
  if (constexpr double rounding = 1e-12; std::abs(s.I12) < rounding * (s.I1 + s.I2))
    s.I12 = 0.;
  for (BeamPoint &corner : triangles.corners)
    corner = {corner[0] - s.centroid[0], corner[1] - s.centroid[1]};
  const SaintVenant found = saint_venant(triangles, {s.I1, s.I2, s.I12});
  s.J = found.J;
  s.shear_centre = found.shear_centre;
  const auto &[soft11, soft22, soft12] = found.soft;
  const double determinant = soft11 * soft22 - soft12 * soft12;
  s.k1 = soft22 / determinant / s.area;
  s.k2 = soft11 / determinant / s.area;
  s.k12 = -soft12 / determinant / s.area;
  return s;
}
}  // namespace symdyn
