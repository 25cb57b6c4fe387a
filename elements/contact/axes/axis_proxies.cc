#include "elements/contact/axes/axis_proxies.h"

#include <deal.II/base/quadrature_lib.h>

#include <algorithm>
#include <map>
#include <utility>

#include "elements/contact/cell_places.h"
#include "elements/contact/features/edge_pairs.h"

namespace symdyn
{
namespace
{
/// A place of an axis, and dX/ds there.
struct OnAxis
{
  BodyPlace at;
  Place along{};
};

OnAxis on_axis(const BoundaryCell &cell, const double s, const ProxyChoice &choice)
{
  std::vector<double> N(cell.nodes.size());
  std::vector<Place> dN(N.size());
  cell.shape->evaluate(reference_place(cell, {s, 0.}), N.data(), dN.data());
  OnAxis here;
  for (std::size_t a = 0; a < N.size(); ++a)
  {
    if (N[a] != 0.)
      here.at.sites.emplace_back(choice.local(cell.nodes[a]), N[a]);
    for (int d = 0; d < 3; ++d)
    {
      here.at.X[d] += N[a] * cell.X[a][d];
      here.along[d] += dot(dN[a], cell.axis[0]) * cell.X[a][d];
    }
  }
  return here;
}

std::vector<ProxySurface::Point> points_on(const BoundaryCell &cell, const ProxyChoice &choice)
{
  const bool middle = cell.degree == 2 && choice.points % 2 == 0;  // middle nodes are points, too: crossings fade there
  std::vector<ProxySurface::Point> points;
  const dealii::QGaussLobatto<1> rule(choice.points + middle);
  for (unsigned int q = 0; q < rule.size(); ++q)
  {
    OnAxis here = on_axis(cell, rule.point(q)[0], choice);
    const Place X = here.at.X;
    points.push_back({std::move(here.at), rule.weight(q) * length(here.along) * cell.thickness, X});
  }
  return points;
}
}  // namespace

void add_axes(const std::vector<BoundaryCell> &cells, const int side, const ProxyChoice &choice, ProxySurface &surface)
{
  std::map<std::pair<std::int64_t, Place>, int> known;  // an offset may stand elsewhere in the next beam
  for (const BoundaryCell &cell : cells)
  {
    ProxySurface::Face face;
    face.side = side;
    face.width = cell.thickness;
    face.owned = choice.owned(cell.nodes.front());
    std::vector<int> vertices;
    for (int i = 0; i <= cell.degree; ++i)
    {
      const double s = double(i) / cell.degree;
      const BodyPlace place = on_axis(cell, s, choice).at;
      const std::int64_t node = CellPlaces(cell, choice.dim).node_at({s, 0.});
      const auto [at, is_new] = known.emplace(std::pair{node, place.X}, int(surface.vertices.size()));
      if (is_new)
        surface.vertices.push_back(place);
      vertices.push_back(at->second);
      face.corners.push_back(node);
    }
    std::sort(face.corners.begin(), face.corners.end());
    for (int i = 0; i < cell.degree; ++i)
      face.pieces.push_back({vertices[i], vertices[i + 1], -1});
    face.points = points_on(cell, choice);
    surface.faces.push_back(std::move(face));
  }
}

void take_vertices_as_points(ProxySurface &surface, const double across)
{
  std::vector<double> weights = weights_of_vertices(surface, across);
  for (ProxySurface::Face &face : surface.faces)
  {
    face.points.clear();
    for (const std::array<int, 3> &piece : face.pieces)
      for (const int vertex : piece)
        if (const double weight = std::exchange(weights[vertex], 0.); weight > 0.)
          face.points.push_back({surface.vertices[vertex], weight, surface.vertices[vertex].X});
  }
}
}  // namespace symdyn
