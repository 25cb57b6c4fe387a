#include "elements/contact/proxy_surface.h"

#include <deal.II/base/quadrature_lib.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "elements/contact/cell_places.h"
#include "elements/contact/least_squares.h"

namespace symdyn
{
namespace
{
/// What faces may share: nodes at corners (twice, 0), fractions of edges from their lower node.
using Identity = std::tuple<std::int64_t, std::int64_t, int>;
/// Where a place of a face lies on an edge of it; at a corner both nodes are one.
struct OnEdge
{
  std::int64_t low, high;
  double part;  ///< of the way from the lower node
  Identity identity(const int parts) const { return {low, high, int(std::lround(part * parts))}; }
};

class Builder
{
public:
  Builder(const std::vector<std::vector<BoundaryCell>> &sides, const ProxyChoice &choice) : choice(choice)
  {
    surface.dim = choice.dim;
    for (std::size_t side = 0; side < sides.size(); ++side)
      for (const BoundaryCell &cell : sides[side])
        add(cell, int(side));
  }
  ProxySurface build()
  {
    for (Part &part : parts)
      measure(part);
    for (std::size_t v = 0; v < sums.size(); ++v)
      directors.push_back(least_squares(sums[v].A, sums[v].b, small));
    surface.vertices.resize(sums.size());
    for (std::size_t v = 0; v < sums.size(); ++v)
      surface.vertices[v] = sunk(parts[sums[v].part].cell, sums[v].s, directors[v]);
    for (std::size_t i = 0; i < parts.size(); ++i)
      finish(parts[i], surface.faces[i]);
    if (choice.one_point_a_place && are_apart())
      join_points();
    return std::move(surface);
  }

private:
  static constexpr double small = 1e-6;  ///< facets that are flat to a thousandth have one normal
  struct Part
  {
    const BoundaryCell &cell;
    Lattice lattice;
    std::vector<int> vertex;    ///< of the places of the lattice
    std::vector<Place> normal;  ///< of the facets, of length 1
    std::vector<OnFace> points;
  };
  /// Of a vertex: N with N·n = 1 for the normals n of all facets there.
  struct Normals
  {
    dealii::SymmetricTensor<2, 3> A;
    Place b{};
    std::size_t part;
    OnFace s;
    Place X;  ///< of the vertex on its face
  };

  void add(const BoundaryCell &cell, int side);
  std::optional<OnEdge> edge_at(const Part &part, const OnFace &s) const;
  int vertex(const Part &part, const OnFace &s);
  void measure(Part &part);
  BodyPlace sunk(const BoundaryCell &cell, const OnFace &s, const Place &director) const;
  void finish(Part &part, ProxySurface::Face &face);
  Place director(const Part &part, const OnFace &s) const;
  void add_points(Part &part, ProxySurface::Face &face) const;
  /// Whether two places are one, to the rounding of a part's size.
  static bool is_at(const Place &x, const Place &y, const Part &part);
  bool are_apart() const;
  void join_points();

  const ProxyChoice &choice;
  ProxySurface surface;
  std::vector<Part> parts;
  std::map<Identity, std::vector<int>> known;  ///< at folds of shells and steps of their thickness several
  std::vector<Normals> sums;
  std::vector<Place> directors;
};

void Builder::add(const BoundaryCell &cell, const int side)
{
  parts.push_back({cell, Lattice(cell), {}, {}, {}});
  for (const OnFace &s : parts.back().lattice.places)
    parts.back().vertex.push_back(vertex(parts.back(), s));
  CellPlaces places(cell, choice.dim);
  ProxySurface::Face face;
  face.side = side;
  face.layer = cell.layer;
  for (const OnFace &s : corners_of(cell))
    face.corners.push_back(places.node_at(s));
  std::sort(face.corners.begin(), face.corners.end());
  face.owned = choice.owned(face.corners.front());
  surface.faces.push_back(face);
}

std::optional<OnEdge> Builder::edge_at(const Part &part, const OnFace &s) const
{
  constexpr double small = 1e-9;
  CellPlaces places(part.cell, choice.dim);
  const std::vector<OnFace> corners = corners_of(part.cell);
  const int n = int(corners.size());
  for (int i = 0; i < (n == 2 ? 1 : n); ++i)
  {
    const OnFace &a = corners[i], &b = corners[(i + 1) % n];
    const double f = std::abs(b[0] - a[0]) > 0. ? (s[0] - a[0]) / (b[0] - a[0]) : (s[1] - a[1]) / (b[1] - a[1]);
    if (std::hypot(a[0] + f * (b[0] - a[0]) - s[0], a[1] + f * (b[1] - a[1]) - s[1]) > small || f < -small || f > 1. + small)
      continue;
    const std::int64_t one = places.node_at(a), other = places.node_at(b);
    if (f < small || f > 1. - small)
      return OnEdge{f < small ? one : other, f < small ? one : other, 0.};
    return one < other ? OnEdge{one, other, f} : OnEdge{other, one, 1. - f};
  }
  return {};
}

bool Builder::is_at(const Place &x, const Place &y, const Part &part)
{
  constexpr double rounding = 1e-9;
  double size = 0;
  for (const Place &node : part.cell.X)
    size = std::max({size, length(node), length(difference(node, part.cell.X[0]))});
  return length(difference(x, y)) <= rounding * size;
}

/// The vertex at s, which neighbours may have, too.
int Builder::vertex(const Part &part, const OnFace &s)
{
  const std::optional<OnEdge> edge = edge_at(part, s);
  const Identity inside{-1, std::int64_t(parts.size()), int(sums.size())};
  CellPlaces places(part.cell, choice.dim);
  places.go_to(s);
  std::vector<int> &there = known[edge ? edge->identity(part.cell.degree) : inside];
  for (const int one : there)
    if (is_at(places.X, sums[one].X, part))
      return one;
  there.push_back(int(sums.size()));
  sums.push_back({{}, {}, parts.size() - 1, s, places.X});
  return there.back();
}

void Builder::measure(Part &part)
{
  CellPlaces places(part.cell, choice.dim);
  for (const std::vector<int> &facet : part.lattice.facets)
  {
    OnFace middle{};
    for (const int i : facet)
      for (int d = 0; d < 2; ++d)
        middle[d] += part.lattice.places[i][d] / double(facet.size());
    Place n = places.normal(middle);
    const double area = length(n);
    for (double &component : n)
      component /= area;
    part.normal.push_back(n);
    for (const int i : facet)
    {
      Normals &sum = sums[part.vertex[i]];
      for (int d = 0; d < 3; ++d)
      {
        sum.b[d] += n[d];
        for (int e = d; e < 3; ++e)
          sum.A[d][e] += n[d] * n[e];
      }
    }
  }
}

BodyPlace Builder::sunk(const BoundaryCell &cell, const OnFace &s, const Place &director) const
{
  constexpr double none = 1e-13;
  CellPlaces places(cell, choice.dim);
  places.go_to(s);
  if (choice.depth != 0.)
  {
    Place target = places.X;
    for (int d = 0; d < 3; ++d)
      target[d] -= choice.depth * director[d];
    places.find(target, s);
  }
  BodyPlace place;
  place.X = places.X;
  for (std::size_t a = 0; a < places.N.size(); ++a)
    if (std::abs(places.N[a]) > none)
      place.sites.emplace_back(choice.local(cell.nodes[a]), places.N[a]);
  return place;
}

/// Weights of the four places of a square at (x, y) in it: (0, 0), (1, 0), (0, 1), (1, 1); of its two triangles.
std::array<double, 4> weights_in_square(const int corners, const double x, const double y)
{
  if (corners == 2)
    return {1. - x, x, 0., 0.};
  if (corners == 4)
    return {(1. - x) * (1. - y), x * (1. - y), (1. - x) * y, x * y};
  if (x + y <= 1.)
    return {1. - x - y, x, y, 0.};
  return {0., 1. - y, 1. - x, x + y - 1.};
}

/// Between those of the vertices around, so that points of flat faces lie in their pieces.
Place Builder::director(const Part &part, const OnFace &s) const
{
  const int k = part.cell.degree;
  const auto cut = [&](const double x) { return std::min(int(x * k), k - 1); };
  const int i = cut(s[0]), j = part.cell.corners == 2 ? 0 : cut(s[1]);
  const std::array<double, 4> weight = weights_in_square(part.cell.corners, s[0] * k - i, s[1] * k - j);
  Place sum{};
  for (int at = 0; at < 4; ++at)
    if (weight[at] != 0.)
    {
      const OnFace place{double(i + at % 2) / k, double(j + at / 2) / k};
      const auto &all = part.lattice.places;
      const auto there = std::find_if(
          all.begin(), all.end(), [&](const OnFace &one) { return std::abs(one[0] - place[0]) + std::abs(one[1] - place[1]) < 0.5 / k; });
      for (int d = 0; d < 3; ++d)
        sum[d] += weight[at] * directors[part.vertex[there - all.begin()]][d];
    }
  return sum;
}

/// Rules with the corners and points of the edges, which touch first.
void Builder::add_points(Part &part, ProxySurface::Face &face) const
{
  std::vector<std::pair<OnFace, double>> rule;
  if (part.cell.corners == 3)  // of degree 3
    rule = {{{0., 0.}, 0.025},      {{1., 0.}, 0.025},     {{0., 1.}, 0.025},          {{0.5, 0.}, 1. / 15.},
            {{0.5, 0.5}, 1. / 15.}, {{0., 0.5}, 1. / 15.}, {{1. / 3., 1. / 3.}, 0.225}};
  else
  {
    const bool middle = part.cell.degree == 2 && choice.points % 2 == 0;  // middle nodes are points, too: crossing edges fade there
    const dealii::QGaussLobatto<1> line(choice.points + middle);
    for (unsigned int i = 0; i < line.size(); ++i)
      if (part.cell.corners == 2)
        rule.push_back({{line.point(i)[0], 0.}, line.weight(i)});
      else
        for (unsigned int j = 0; j < line.size(); ++j)
          rule.push_back({{line.point(i)[0], line.point(j)[0]}, line.weight(i) * line.weight(j)});
  }
  CellPlaces places(part.cell, choice.dim);
  for (const auto &[s, weight] : rule)
  {
    const double area = length(places.normal(s));
    ProxySurface::Point point;
    point.on_face = places.X;
    point.dA = area * weight * part.cell.thickness;
    point.at = sunk(part.cell, s, director(part, s));
    face.points.push_back(point);
    part.points.push_back(s);
  }
}

/// Whether no face of one side has a node of the other: then all points of a side see the same faces.
bool Builder::are_apart() const
{
  std::map<std::int64_t, int> side_of;
  for (const ProxySurface::Face &face : surface.faces)
    for (const std::int64_t node : face.corners)
      if (side_of.emplace(node, face.side).first->second != face.side)
        return false;
  return true;
}

/// Points of neighbours at one place become one, of the first face.
void Builder::join_points()
{
  constexpr int parts_of_edge = 1 << 20;
  std::map<std::pair<int, Identity>, std::vector<ProxySurface::Point *>> first;
  for (std::size_t i = 0; i < parts.size(); ++i)
  {
    ProxySurface::Face &face = surface.faces[i];
    std::vector<ProxySurface::Point> own;
    own.reserve(face.points.size());
    std::vector<std::pair<std::pair<int, Identity>, std::size_t>> shared;
    for (std::size_t point = 0; point < face.points.size(); ++point)
    {
      const std::optional<OnEdge> edge = edge_at(parts[i], parts[i].points[point]);
      const ProxySurface::Point &here = face.points[point];
      if (edge)
      {
        std::vector<ProxySurface::Point *> &there = first[{face.side, edge->identity(parts_of_edge)}];
        const auto same = std::find_if(there.begin(), there.end(), [&](const ProxySurface::Point *one) {
          return is_at(one->on_face, here.on_face, parts[i]) && is_at(one->at.X, here.at.X, parts[i]);
        });
        if (same != there.end())
        {
          (*same)->dA += here.dA;
          continue;
        }
      }
      own.push_back(here);
      if (edge)
        shared.push_back({{face.side, edge->identity(parts_of_edge)}, own.size() - 1});
    }
    face.points = std::move(own);
    for (const auto &[place, point] : shared)
      first[place].push_back(&face.points[point]);
  }
}

void Builder::finish(Part &part, ProxySurface::Face &face)
{
  face.normal = part.normal[part.normal.size() / 2];
  for (const std::vector<int> &facet : part.lattice.facets)
  {
    std::vector<int> v;
    for (const int i : facet)
      v.push_back(part.vertex[i]);
    if (v.size() < 4)
    {
      face.pieces.push_back({v[0], v[1], v.size() == 3 ? v[2] : -1});
      continue;
    }
    BodyPlace mean;
    std::map<int, double> sites;
    for (const int i : v)
    {
      for (const auto &[site, weight] : surface.vertices[i].sites)
        sites[site] += 0.25 * weight;
      for (int d = 0; d < 3; ++d)
        mean.X[d] += 0.25 * surface.vertices[i].X[d];
    }
    mean.sites.assign(sites.begin(), sites.end());
    const int middle = int(surface.vertices.size());
    surface.vertices.push_back(mean);
    for (int i = 0; i < 4; ++i)
      face.pieces.push_back({v[i], v[(i + 1) % 4], middle});
  }
  add_points(part, face);
}
}  // namespace

ProxySurface make_proxies(const std::vector<std::vector<BoundaryCell>> &cells, const ProxyChoice &choice)
{
  return Builder(cells, choice).build();
}
}  // namespace symdyn
