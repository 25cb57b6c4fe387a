#include "elements/shells/surface_load.h"

#include <algorithm>
#include <cmath>
#include <set>

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

std::vector<std::array<unsigned int, 2>> SurfaceInSystem::edges(const std::vector<std::string> &boundaries) const
{
  std::set<std::array<unsigned int, 2>> found;  // an edge of two boundaries counts once
  for (const std::string &name : boundaries)
    for (const auto &[from, to] : mesh.boundary(name))
      found.insert({std::min(from, to), std::max(from, to)});
  return {found.begin(), found.end()};
}

const std::vector<SurfacePoint> &surface_points(const std::size_t nodes)
{
  static const std::vector<SurfacePoint> triangle{{1. / 6., {0.5, 0.5, 0., 0.}, {-1., 1., 0., 0.}, {-1., 0., 1., 0.}},
                                                  {1. / 6., {0., 0.5, 0.5, 0.}, {-1., 1., 0., 0.}, {-1., 0., 1., 0.}},
                                                  {1. / 6., {0.5, 0., 0.5, 0.}, {-1., 1., 0., 0.}, {-1., 0., 1., 0.}}};
  static const std::vector<SurfacePoint> quadrilateral = [] {
    const double g = std::sqrt(1. / 3.);
    std::vector<SurfacePoint> points;
    for (const auto &[xi, eta] : {std::pair{-g, -g}, {g, -g}, {g, g}, {-g, g}})
      points.push_back({1., shells::values(xi, eta), shells::along_xi(eta), shells::along_eta(xi)});
    return points;
  }();
  return nodes == 3 ? triangle : quadrilateral;
}
}  // namespace symdyn
