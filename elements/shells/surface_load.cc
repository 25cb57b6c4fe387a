#include "elements/shells/surface_load.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "elements/shells/shell_element.h"

namespace symdyn
{
std::vector<const SurfaceMesh::Cell *> SurfaceInSystem::cells(const std::vector<std::string> &groups) const
{
  std::vector<const SurfaceMesh::Cell *> found;
  for (const std::size_t cell : mesh.cells_of(groups))
    found.push_back(&mesh.cells[cell]);
  return found;
}

std::vector<SurfaceMesh::Edge> SurfaceInSystem::edges(const std::vector<std::string> &boundaries) const
{
  std::map<std::array<unsigned int, 2>, SurfaceMesh::Edge> found;  // an edge of two boundaries counts once
  for (const std::string &name : boundaries)
    for (const SurfaceMesh::Edge &edge : mesh.boundary(name))
      found.emplace(std::array{std::min(edge[0], edge[1]), std::max(edge[0], edge[1])}, edge);
  std::vector<SurfaceMesh::Edge> all;
  for (const auto &[ends, edge] : found)
    all.push_back(edge);
  return all;
}

const std::vector<SurfacePoint> &surface_points(const std::size_t nodes)
{
  static const std::vector<SurfacePoint> triangle{{1. / 6., {0.5, 0.5, 0.}, {-1., 1., 0.}, {-1., 0., 1.}},
                                                  {1. / 6., {0., 0.5, 0.5}, {-1., 1., 0.}, {-1., 0., 1.}},
                                                  {1. / 6., {0.5, 0., 0.5}, {-1., 1., 0.}, {-1., 0., 1.}}};
  static const std::vector<SurfacePoint> quadrilateral = [] {
    const double g = std::sqrt(1. / 3.);
    std::vector<SurfacePoint> points;
    for (const auto &[xi, eta] : {std::pair{-g, -g}, {g, -g}, {g, g}, {-g, g}})
      points.push_back(shells::functions_at(4, xi, eta));
    return points;
  }();
  return nodes == 3 ? triangle : nodes == 4 ? quadrilateral : shells::quadratic_points(int(nodes));
}

std::vector<EdgePoint> edge_points(const SurfaceMesh::Edge &edge, const SurfaceMesh &mesh)
{
  const double g = std::sqrt(1. / 3.), far = std::sqrt(0.6);
  const bool curved = edge.size() == 3;
  const std::vector<std::pair<double, double>> gauss =
      curved ? std::vector<std::pair<double, double>>{{-far, 5. / 9.}, {0., 8. / 9.}, {far, 5. / 9.}}
             : std::vector<std::pair<double, double>>{{-g, 1.}, {g, 1.}};
  std::vector<EdgePoint> points;
  for (const auto &[s, weight] : gauss)
  {
    EdgePoint point{0., {}, {0.5 * (1 - s), 0.5 * (1 + s), 0.}};
    std::array<double, 3> slope{-0.5, 0.5, 0.};
    if (curved)
    {
      point.N = {0.5 * s * (s - 1), 0.5 * s * (s + 1), 1 - s * s};
      slope = {s - 0.5, s + 0.5, -2 * s};
    }
    GramVector along{};
    for (std::size_t a = 0; a < edge.size(); ++a)
    {
      add(point.N[a], mesh.nodes[edge[a]], point.X);
      add(slope[a], mesh.nodes[edge[a]], along);
    }
    point.length = weight * norm(along);
    points.push_back(point);
  }
  return points;
}
}  // namespace symdyn
