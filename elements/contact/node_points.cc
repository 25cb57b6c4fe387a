#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "elements/contact/segments.h"
#include "elements/surfaces/box_search.h"
#include "elements/surfaces/facet.h"

// Nodes of one boundary against faces of another one.
namespace symdyn
{
namespace
{
/// A rule on the reference face, whose weights have the sum of its area.
std::vector<std::pair<FacePlace, double>> rule_of(const int corners)
{
  constexpr unsigned int points = 3;
  std::vector<std::pair<FacePlace, double>> rule;
  if (corners == 2)
  {
    const dealii::QGauss<1> line(points);
    for (unsigned int q = 0; q < line.size(); ++q)
      rule.push_back({{line.point(q)[0], 0.}, line.weight(q)});
    return rule;
  }
  const dealii::Quadrature<2> gauss =
      corners == 3 ? dealii::Quadrature<2>(dealii::QGaussSimplex<2>(points)) : dealii::Quadrature<2>(dealii::QGauss<2>(points));
  for (unsigned int q = 0; q < gauss.size(); ++q)
    rule.push_back({{gauss.point(q)[0], gauss.point(q)[1]}, gauss.weight(q)});
  return rule;
}

/// The area of a face that each of its nodes has [m²]; in 2-D its length [m].
std::vector<double> tributary_areas(const SurfaceFace &face, const int dim)
{
  constexpr double at_vertex = 0.01, rounding = 1e-9;
  std::vector<double> N(face.nodes.size()), share(N.size(), 0.);
  double area = 0., whole = 0.;
  for (const auto &[s, weight] : rule_of(dim == 2 ? 2 : face.shape->corners))
  {
    std::array<Place, 2> along;
    place_on(face, s, &along);
    area += weight * (dim == 2 ? length(along[0]) : length(cross(along[0], along[1])));
    whole += weight;
    face.shape->evaluate(s, N.data(), nullptr);
    for (std::size_t a = 0; a < N.size(); ++a)
      share[a] += weight * N[a];
  }
  const auto vanishes = [&](const double one) { return one < rounding * whole; };
  if (const auto vertices = std::count_if(share.begin(), share.end(), vanishes); vertices > 0)
  {
    const double at_middle = (1. - at_vertex * double(vertices)) / double(long(share.size()) - vertices);
    for (double &one : share)
      one = whole * (vanishes(one) ? at_vertex : at_middle);
  }
  for (double &one : share)
    one *= area / whole;
  return share;
}

/// The place of a face that is nearest to a node.
struct Foot
{
  int face = 0;
  FacePlace s{};
  double distance = 0, size = 0;  ///< of the node, and of the face [m]
  double beyond = 0;              ///< how far the perpendicular misses the face, in parts of it

  /// Feet on a common edge of faces differ by rounding: there the face before which the node stands counts, then the first one.
  bool is_better_than(const Foot &other) const
  {
    constexpr double same_place = 1e-9, same_part = 1e-6;
    if (std::abs(distance - other.distance) > same_place * size)
      return distance < other.distance;
    return beyond < other.beyond - same_part;
  }
};

class NodeFinder
{
public:
  NodeFinder(const SegmentSurface &first, const SegmentSurface &second, const Vector &u, const SegmentSearch &search)
      : search(search),
        undeformed(first),
        a(first.moved(u, search.dim)),
        b(second.moved(u, search.dim)),
        facets(facets_of(b, search.dim)),
        boxes(boxes_of(facets))
  {
  }
  std::vector<SegmentPoint> run()
  {
    std::vector<Place> normals(a.size());
    for (const Facet &piece : facets_of(a, search.dim))
      for (int d = 0; d < 3; ++d)
        normals[piece.face][d] += piece.normal[d];
    for (std::size_t face = 0; face < a.size(); ++face)
      add(int(face), normals[face]);
    std::stable_sort(found.begin(), found.end(), [](const SegmentPoint &one, const SegmentPoint &two) {
      return std::tie(one.face, one.other) < std::tie(two.face, two.other);
    });
    return std::move(found);
  }

private:
  void add(const int face, const Place &normal)
  {
    std::vector<double> areas;
    for (std::size_t node = 0; node < a[face].nodes.size(); ++node)
    {
      if (!search.alone.empty() && search.alone.count(int(a[face].nodes[node])) == 0)
        continue;
      const std::optional<Foot> foot = nearest(a[face].X[node], normal);
      if (!foot || !search.wanted(face, foot->face))
        continue;
      if (areas.empty())
        areas = tributary_areas(undeformed.faces[face], search.dim);
      SegmentPoint point;
      point.face = face;
      point.other = foot->face;
      point.N.assign(a[face].nodes.size(), 0.);
      point.N[node] = 1.;
      point.M.resize(b[foot->face].nodes.size());
      point.dM.resize(point.M.size());
      b[foot->face].shape->evaluate(foot->s, point.M.data(), point.dM.data());
      point.dA = areas[node] * undeformed.thickness[face];
      found.push_back(std::move(point));
    }
  }

  std::optional<Foot> nearest(const Place &x, const Place &normal) const
  {
    std::optional<Foot> best;
    for (const int near : boxes.near({x}, std::max(search.apart, search.deep)))
      if (const std::optional<Foot> foot = before(facets[near], x, normal); foot && (!best || foot->is_better_than(*best)))
        best = foot;
    return best;
  }

  /// On the face of a facet: the foot of the perpendicular, or the edge where it misses the face by little.
  std::optional<Foot> before(const Facet &facet, const Place &x, const Place &normal) const
  {
    constexpr int turns = 8;
    const SurfaceFace &face = b[facet.face];
    Foot foot{facet.face, facet.s.front(), 0.};
    std::array<Place, 2> across = facet.tangent;
    for (int i = 0; i < turns; ++i)
    {
      if (!project_along(face, search.dim, across, x, foot.s))
        return {};
      place_on(face, foot.s, &across);
    }
    const FacePlace perpendicular = foot.s;
    foot.s = within(face, perpendicular);
    foot.beyond = std::max(std::abs(perpendicular[0] - foot.s[0]), search.dim == 2 ? 0. : std::abs(perpendicular[1] - foot.s[1]));
    if (!(foot.beyond < beside))
      return {};
    place_on(face, foot.s, &across);
    Place n = cross(across[0], search.dim == 2 ? Place{0., 0., 1.} : across[1]);
    if (dot(n, facet.normal) < 0.)
      n = {-n[0], -n[1], -n[2]};
    const Place r = difference(x, place_on(face, foot.s));
    const double gap = dot(r, n) / length(n);
    const bool looks = !search.alone.empty() || dot(n, normal) < 0.;
    if (!(looks && gap < search.apart && gap > -search.deep))
      return {};
    foot.distance = length(r);
    foot.size = length(across[0]);
    return foot;
  }

  /// So far the perpendicular may miss a face, so that no node falls between faces of a convex surface.
  static constexpr double beside = 0.02;

  /// The nearest place on the reference face.
  FacePlace within(const SurfaceFace &face, FacePlace s) const
  {
    s[0] = std::clamp(s[0], 0., 1.);
    if (search.dim == 2)
      return s;
    s[1] = std::clamp(s[1], 0., 1.);
    if (const double more = s[0] + s[1] - 1.; face.shape->corners == 3 && more > 0.)
    {
      s[0] = std::clamp(s[0] - 0.5 * more, 0., 1.);
      s[1] = 1. - s[0];
    }
    return s;
  }

  const SegmentSearch &search;
  const SegmentSurface &undeformed;
  std::vector<SurfaceFace> a, b;
  std::vector<Facet> facets;
  BoxSearch boxes;
  std::vector<SegmentPoint> found;
};
}  // namespace

std::vector<SegmentPoint> find_nodes(const SegmentSurface &first, const SegmentSurface &second, const Vector &u,
                                     const SegmentSearch &search)
{
  return NodeFinder(first, second, u, search).run();
}
}  // namespace symdyn
