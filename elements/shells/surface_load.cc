#include "elements/shells/surface_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
std::vector<const SurfaceMesh::Cell *> SurfaceInSystem::cells(const std::vector<std::string> &groups) const
{
  for (const std::string &group : groups)
    if (std::find(mesh.groups.begin(), mesh.groups.end(), group) == mesh.groups.end())
      throw InputError(fmt::format("the mesh has no group '{}'; there are: {}", group, join(nearest_first(group, mesh.groups))));
  std::vector<const SurfaceMesh::Cell *> found;
  for (const SurfaceMesh::Cell &cell : mesh.cells)
    if (groups.empty() || mesh.is_in(cell, groups))
      found.push_back(&cell);
  if (found.empty())
    throw InputError(fmt::format("there is no triangle or quadrilateral in {}. Name groups of cells", join(groups)));
  return found;
}

std::vector<std::array<unsigned int, 2>> SurfaceInSystem::edges(const std::vector<std::string> &boundaries) const
{
  std::set<std::array<unsigned int, 2>> found;  // an edge of two boundaries counts once
  for (const std::string &name : boundaries)
  {
    const auto boundary = mesh.edges.find(name);
    if (boundary == mesh.edges.end())
    {
      std::vector<std::string> names;
      for (const auto &entry : mesh.edges)
        names.push_back(entry.first);
      throw InputError(fmt::format("the surface has no boundary '{}'; there are: {}", name, join(nearest_first(name, names))));
    }
    for (const auto &[from, to] : boundary->second)
      found.insert({std::min(from, to), std::max(from, to)});
  }
  return {found.begin(), found.end()};
}

const std::vector<SurfacePoint> &surface_points(const std::size_t nodes)
{
  static const std::vector<SurfacePoint> triangle{{1. / 6., {0.5, 0.5, 0., 0.}, {-1., 1., 0., 0.}, {-1., 0., 1., 0.}},
                                                  {1. / 6., {0., 0.5, 0.5, 0.}, {-1., 1., 0., 0.}, {-1., 0., 1., 0.}},
                                                  {1. / 6., {0.5, 0., 0.5, 0.}, {-1., 1., 0., 0.}, {-1., 0., 1., 0.}}};
  static const std::vector<SurfacePoint> quadrilateral = [] {
    const double g = std::sqrt(1. / 3.);
    const std::array<double, 4> xi{-1., 1., 1., -1.}, eta{-1., -1., 1., 1.};
    std::vector<SurfacePoint> points(4, {1., {}, {}, {}});
    for (int q = 0; q < 4; ++q)
      for (int a = 0; a < 4; ++a)
      {
        const double in_xi = 1. + g * xi[q] * xi[a], in_eta = 1. + g * eta[q] * eta[a];
        points[q].N[a] = 0.25 * in_xi * in_eta;
        points[q].along_xi[a] = 0.25 * xi[a] * in_eta;
        points[q].along_eta[a] = 0.25 * eta[a] * in_xi;
      }
    return points;
  }();
  return nodes == 3 ? triangle : quadrilateral;
}
}  // namespace symdyn
