#include "elements/contact/segments.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "elements/contact/cell_places.h"
#include "elements/surfaces/box_search.h"
#include "elements/surfaces/overlap.h"

namespace symdyn
{
namespace
{
constexpr double opposite = 0.;  ///< cosine between normals of faces that look at each other: below

/// Positions in the cell of the nodes on its face: those of the shape functions that are not zero there.
std::vector<int> positions_on(const BoundaryCell &cell)
{
  constexpr FacePlace anywhere[] = {{0.237, 0.419}, {0.113, 0.271}};  // a zero of one is none of the other
  constexpr double rounding = 1e-12;
  std::vector<double> N(cell.nodes.size());
  std::vector<int> on;
  std::vector<char> is_on(N.size(), 0);
  for (const FacePlace &s : anywhere)
  {
    cell.shape->evaluate(reference_place(cell, s), N.data(), nullptr);
    for (std::size_t a = 0; a < N.size(); ++a)
      is_on[a] = is_on[a] || std::abs(N[a]) > rounding;
  }
  for (std::size_t a = 0; a < N.size(); ++a)
    if (is_on[a])
      on.push_back(int(a));
  return on;
}

class ShapeOfFace : public FaceShape
{
public:
  explicit ShapeOfFace(const BoundaryCell &of) : cell(of), on(positions_on(of))
  {
    degree = cell.degree;
    corners = cell.corners;
    const int places = int(cell.nodes.size()) - cell.directors;
    directors = int(std::count_if(on.begin(), on.end(), [&](const int a) { return a >= places; }));
  }
  void evaluate(const FacePlace &s, double *N, FacePlace *dN) const override
  {
    std::vector<double> all(cell.nodes.size());
    std::vector<Place> slopes(all.size());
    cell.shape->evaluate(reference_place(cell, s), all.data(), dN ? slopes.data() : nullptr);
    for (std::size_t k = 0; k < on.size(); ++k)
    {
      N[k] = all[on[k]];
      for (int i = 0; dN && i < 2; ++i)
        dN[k][i] = dot(slopes[on[k]], cell.axis[i]);
    }
  }

private:
  BoundaryCell cell;
  std::vector<int> on;
};

double area_of(const std::array<Place, 2> &along, const int dim) { return dim == 2 ? length(along[0]) : length(cross(along[0], along[1])); }
}  // namespace

std::vector<std::int64_t> nodes_on(const BoundaryCell &cell)
{
  std::vector<std::int64_t> nodes;
  for (const int a : positions_on(cell))
    nodes.push_back(cell.nodes[a]);
  return nodes;
}

SegmentSurface::SegmentSurface(const std::vector<BoundaryCell> &cells, const std::function<int(std::int64_t)> &local,
                               const std::function<bool(std::int64_t)> &of_rank)
{
  std::map<std::tuple<const CellShape *, Place, std::array<Place, 2>>, std::shared_ptr<const FaceShape>> known;
  for (const BoundaryCell &cell : cells)
  {
    std::shared_ptr<const FaceShape> &shape = known[{cell.shape.get(), cell.origin, cell.axis}];
    if (!shape)
    {
      shape = std::make_shared<ShapeOfFace>(cell);
      shapes.push_back(shape);
    }
    SurfaceFace face;
    face.shape = shape.get();
    face.outward = cell.outward;
    for (const int a : positions_on(cell))
    {
      face.nodes.push_back(local(cell.nodes[a]));
      face.X.push_back(cell.X[a]);
    }
    const std::vector<std::int64_t> nodes = nodes_on(cell);
    owned.push_back(of_rank(*std::min_element(nodes.begin(), nodes.end())));
    thickness.push_back(cell.thickness);
    layer.push_back(cell.layer);
    faces.push_back(std::move(face));
  }
}

std::vector<SurfaceFace> SegmentSurface::moved(const Vector &u, const int dim) const
{
  std::vector<SurfaceFace> there = faces;
  for (SurfaceFace &face : there)
    for (std::size_t a = 0; a < face.nodes.size(); ++a)
      for (int d = 0; d < dim; ++d)
        face.X[a][d] += u.local_element(dim * face.nodes[a] + d);
  return there;
}

namespace
{
class Finder
{
public:
  Finder(const SegmentSurface &first, const SegmentSurface &second, const Vector &u, const SegmentSearch &search)
      : search(search), undeformed(first), a(first.moved(u, search.dim)), b(second.moved(u, search.dim)), overlap(search.dim, search.points)
  {
  }
  std::vector<SegmentPoint> run()
  {
    const std::vector<Facet> facets = facets_of(b, search.dim);
    const BoxSearch boxes(boxes_of(facets));
    for (const Facet &piece : facets_of(a, search.dim))
      for (const int near : boxes.near(piece.x, std::max(search.apart, search.deep)))
        if (const Facet &other = facets[near]; dot(piece.normal, other.normal) < opposite && search.wanted(piece.face, other.face))
          for (const OverlapPoint &point : overlap(piece, other))
            add(piece, other, point);
    std::stable_sort(found.begin(), found.end(), [](const SegmentPoint &one, const SegmentPoint &two) {
      return std::tie(one.face, one.other) < std::tie(two.face, two.other);
    });
    return std::move(found);
  }

private:
  void add(const Facet &piece, const Facet &other, const OverlapPoint &at)
  {
    const SurfaceFace &face = a[piece.face], &opposite_face = b[other.face];
    FacePlace s = piece.s.front(), z = other.s.front();
    if (!project_along(face, search.dim, piece.tangent, at.x, s) || !project_along(opposite_face, search.dim, piece.tangent, at.x, z))
      return;
    const double gap = dot(difference(place_on(opposite_face, z, nullptr, at.x), place_on(face, s, nullptr, at.x)), piece.normal);
    if (!(gap < search.apart && gap > -search.deep))
      return;
    std::array<Place, 2> along, along_X;
    place_on(face, s, &along);
    place_on(undeformed.faces[piece.face], s, &along_X);
    const double in_plane =
        search.dim == 2 ? std::abs(dot(along[0], piece.tangent[0])) : std::abs(dot(cross(along[0], along[1]), piece.normal));
    SegmentPoint point;
    point.face = piece.face;
    point.other = other.face;
    point.dA = at.weight * area_of(along_X, search.dim) / in_plane * undeformed.thickness[piece.face];
    point.N.resize(face.nodes.size());
    point.M.resize(opposite_face.nodes.size());
    point.dM.resize(point.M.size());
    face.shape->evaluate(s, point.N.data(), nullptr);
    opposite_face.shape->evaluate(z, point.M.data(), point.dM.data());
    found.push_back(std::move(point));
  }

  const SegmentSearch &search;
  const SegmentSurface &undeformed;
  std::vector<SurfaceFace> a, b;
  Overlap overlap;
  std::vector<SegmentPoint> found;
};
}  // namespace

std::vector<SegmentPoint> find_segments(const SegmentSurface &first, const SegmentSurface &second, const Vector &u,
                                        const SegmentSearch &search)
{
  return Finder(first, second, u, search).run();
}
}  // namespace symdyn
