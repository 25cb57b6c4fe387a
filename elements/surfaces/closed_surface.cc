#include "elements/surfaces/closed_surface.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>

#include "elements/space/joined_sets.h"

namespace symdyn
{
namespace
{
/// Twice the area of the triangle p, a, b in the plane of two axes, with its sign.
double area(const Place &p, const Place &a, const Place &b, const int first, const int second)
{
  return (a[first] - p[first]) * (b[second] - p[second]) - (a[second] - p[second]) * (b[first] - p[first]);
}

/// +1 where the ray from x along an axis leaves through the triangle, -1 where it enters, else 0; as the corners turn.
int through_triangle(const Place &x, const int axis, const Place &a, const Place &b, const Place &c)
{
  const int first = (axis + 1) % 3, second = (axis + 2) % 3;
  const double A = area(x, b, c, first, second), B = area(x, c, a, first, second), C = area(x, a, b, first, second), sum = A + B + C;
  const bool turns_left = A > 0. && B > 0. && C > 0., turns_right = A < 0. && B < 0. && C < 0.;
  if (!turns_left && !turns_right)
    return 0;
  return (A * a[axis] + B * b[axis] + C * c[axis]) / sum > x[axis] ? (turns_left ? 1 : -1) : 0;
}

int through_line(const Place &x, const int axis, const Place &a, const Place &b, const Place &normal)
{
  const int across = 1 - axis;
  const double A = a[across] - x[across], B = b[across] - x[across];
  if ((A > 0.) == (B > 0.))
    return 0;
  const double where = a[axis] + (b[axis] - a[axis]) * A / (A - B);
  return where > x[axis] ? (normal[axis] > 0. ? 1 : -1) : 0;
}
}  // namespace

ClosedSurface::ClosedSurface(std::vector<Facet> given, const int dim) : facets(std::move(given)), dim(dim), boxes(boxes_of(facets))
{
  for (const Facet &facet : facets)
    for (const Place &x : facet.x)
      whole.take(x);
}

int ClosedSurface::crossings(const Place &x, const int axis) const
{
  Place end = x;
  end[axis] = std::max(x[axis], whole.upper[axis]);
  int sum = 0;
  for (const int number : boxes.near(Box{x, end}, 0.))
  {
    const Facet &facet = facets[number];
    const std::size_t n = facet.x.size();
    if (dim == 2)
      sum += through_line(x, axis, facet.x[0], facet.x[1], facet.normal);
    Place turn{};
    for (std::size_t i = 1; dim == 3 && i + 1 < n; ++i)
    {
      const Place one = cross(difference(facet.x[i], facet.x[0]), difference(facet.x[i + 1], facet.x[0]));
      for (int d = 0; d < 3; ++d)
        turn[d] += one[d];
    }
    const int outward = dot(turn, facet.normal) > 0. ? 1 : -1;
    for (std::size_t i = 0; dim == 3 && i < n; ++i)  // about the middle, so that neighbours share their edges
      sum += outward * through_triangle(x, axis, facet.middle, facet.x[i], facet.x[(i + 1) % n]);
  }
  return sum;
}

int ClosedSurface::bodies_around(const Place &x) const
{
  std::array<int, 3> found{crossings(x, 0), crossings(x, 1), 0};
  if (found[0] == found[1] || dim == 2)
    return std::min(found[0], found[1]);
  found[2] = crossings(x, 2);
  std::sort(found.begin(), found.end());
  return found[1];
}

namespace
{
/// Faces that shared nodes join.
class Parts
{
public:
  explicit Parts(const std::vector<SurfaceFace> &faces) : sets(0)
  {
    for (const SurfaceFace &face : faces)
      for (const std::int64_t node : face.nodes)
        number.emplace(node, int(number.size()));
    sets = JoinedSets(number.size());
    for (const SurfaceFace &face : faces)
      for (const std::int64_t node : face.nodes)
        sets.join(number.at(face.nodes.front()), number.at(node));
  }
  /// -1: no face has the node.
  int of(const std::int64_t node)
  {
    const auto found = number.find(node);
    return found == number.end() ? -1 : sets.find(found->second);
  }

private:
  std::map<std::int64_t, int> number;
  JoinedSets sets;
};
}  // namespace

double largest_part(const std::vector<SurfaceFace> &faces)
{
  Parts parts(faces);
  std::map<int, Box> boxes;
  for (const SurfaceFace &face : faces)
    for (const Place &X : face.X)
      boxes[parts.of(face.nodes.front())].take(X);
  double largest = 0;
  for (const auto &[part, box] : boxes)
    for (int d = 0; d < 3; ++d)
      largest = std::max(largest, box.upper[d] - box.lower[d]);
  return largest;
}

std::vector<SurfaceFace> parts_with(const std::vector<SurfaceFace> &faces, const std::vector<SurfaceFace> &named)
{
  Parts parts(faces);
  std::set<int> wanted;
  for (const SurfaceFace &face : named)
    wanted.insert(parts.of(face.nodes.front()));
  std::vector<SurfaceFace> found;
  std::copy_if(faces.begin(), faces.end(), std::back_inserter(found),
               [&](const SurfaceFace &face) { return wanted.count(parts.of(face.nodes.front())) > 0; });
  return found;
}

double shortest_edge(const Facet &facet)
{
  double shortest = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < facet.x.size(); ++i)
    shortest = std::min(shortest, length(difference(facet.x[i], facet.x[(i + 1) % facet.x.size()])));
  return shortest;
}

Place behind_piece(const Facet &facet, const double depth)
{
  constexpr double weights[] = {0.137, 0.091, 0.053, 0.029};
  Place x = facet.middle;
  for (int d = 0; d < 3; ++d)
  {
    for (std::size_t i = 0; i < std::min<std::size_t>(4, facet.x.size()); ++i)
      x[d] += weights[i] * (facet.x[i][d] - facet.middle[d]);
    x[d] -= depth * facet.normal[d];
  }
  return x;
}

bool look_at_each_other(const std::vector<Facet> &one, const std::vector<Facet> &other, const double behind)
{
  constexpr std::size_t most = 2000;  // of a list; of more every second, third, ...
  constexpr double inclined = 0.2;    // cosine of the normals: a right angle will do
  const std::size_t step = 1 + one.size() / most, other_step = 1 + other.size() / most;
  for (std::size_t i = 0; i < one.size(); i += step)
    for (std::size_t j = 0; j < other.size(); j += other_step)
    {
      const Place r = difference(other[j].middle, one[i].middle);
      if (dot(r, one[i].normal) > -behind && dot(r, other[j].normal) < behind && dot(one[i].normal, other[j].normal) < inclined)
        return true;
    }
  return false;
}
}  // namespace symdyn
