#include "meshes/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
template <class Map>
const typename Map::mapped_type &named_in(const Map &all, const std::string &name, const std::string &what)
{
  if (const auto found = all.find(name); found != all.end())
    return found->second;
  std::vector<std::string> names;
  for (const auto &entry : all)
    names.push_back(entry.first);
  throw InputError("the surface has no " + what + " '" + name + "'" +
                   (names.empty() ? "" : "; there are: " + join(nearest_first(name, names))));
}

SurfaceMesh::Cell corners_of(const SurfaceMesh::Cell &cell, const std::array<int, 3> &corners)
{
  SurfaceMesh::Cell triangle{{}, cell.groups, cell.name};
  for (const int a : corners)
  {
    triangle.nodes.push_back(cell.nodes[a]);
    if (!cell.normals.empty())
      triangle.normals.push_back(cell.normals[a]);
  }
  return triangle;
}

/// Numbers of the cells, or lines, of groups; {}: all.
template <class Part>
std::vector<std::size_t> of_groups(const SurfaceMesh &mesh, const std::vector<Part> &parts, const std::vector<std::string> &names,
                                   const std::string &what)
{
  for (const std::string &name : names)
    if (std::find(mesh.groups.begin(), mesh.groups.end(), name) == mesh.groups.end())
      throw InputError("the mesh has no group '" + name + "'" +
                       (mesh.groups.empty() ? "" : "; there are: " + join(nearest_first(name, mesh.groups))));
  const auto is_named = [&](const int group) { return std::find(names.begin(), names.end(), mesh.groups[group]) != names.end(); };
  std::vector<std::size_t> found;
  for (std::size_t part = 0; part < parts.size(); ++part)
    if (names.empty() || std::any_of(parts[part].groups.begin(), parts[part].groups.end(), is_named))
      found.push_back(part);
  if (found.empty())
    throw InputError("there is no " + what + (names.empty() ? "" : " in " + join(names)) + ". Name groups that have some");
  return found;
}
}  // namespace

const std::vector<SurfaceMesh::Edge> &SurfaceMesh::boundary(const std::string &name) const
{
  if (edges.count(name) == 0 && sets.count(name) > 0)
    throw InputError("the surface has no boundary '" + name + "', which is a set of nodes: write Nodes = " + name);
  return named_in(edges, name, "boundary");
}

bool SurfaceMesh::set_is_known(const std::string &name) const
{
  if (const auto found = sets.find(name); found != sets.end())
    return !found->second.empty();
  const auto number = number_from<long>(name);
  return number && node_of_number.count(*number) > 0;
}

std::vector<unsigned int> SurfaceMesh::set(const std::string &name) const
{
  if (const auto number = sets.count(name) ? std::nullopt : number_from<long>(name); number && !node_of_number.empty())
  {
    const auto found = node_of_number.find(*number);
    if (found == node_of_number.end())
      throw InputError("no cell or beam of the mesh has a node " + name);
    return {found->second};
  }
  return named_in(sets, name, "set of nodes");
}

std::vector<std::size_t> SurfaceMesh::cells_of(const std::vector<std::string> &names) const
{
  return of_groups(*this, cells, names, "triangle or quadrilateral");
}

std::vector<std::size_t> SurfaceMesh::lines_of(const std::vector<std::string> &names) const
{
  return of_groups(*this, lines, names, "line");
}

double SurfaceMesh::size() const
{
  double square = 0;
  for (int d = 0; d < 3 && !nodes.empty(); ++d)
  {
    const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end(), [d](const Place &a, const Place &b) { return a[d] < b[d]; });
    square += std::pow((*high)[d] - (*low)[d], 2);
  }
  return std::sqrt(square);
}

std::vector<std::array<unsigned int, 2>> SurfaceMesh::coincident_nodes() const
{
  const double small = 1e-7 * size(), shift = 0.382;  // the shift keeps round numbers off the ends of its intervals
  std::map<std::array<std::int64_t, 3>, unsigned int> first;
  std::vector<std::array<unsigned int, 2>> pairs;
  for (unsigned int a = 0; a < nodes.size(); ++a)
  {
    std::array<std::int64_t, 3> rounded{};
    for (int d = 0; d < 3; ++d)
      rounded[d] = std::int64_t(std::floor(nodes[a][d] / small + shift));
    if (const auto [known, is_new] = first.emplace(rounded, a); !is_new)
      pairs.push_back({known->second, a});
  }
  return pairs;
}

void SurfaceMesh::cut_into_triangles()
{
  const auto distance = [this](const unsigned int a, const unsigned int b) {
    return std::hypot(nodes[a][0] - nodes[b][0], nodes[a][1] - nodes[b][1], nodes[a][2] - nodes[b][2]);
  };
  constexpr double same = 1. - 1e-9;  // of equal diagonals the first, whatever rounding says
  std::vector<Cell> triangles;
  for (const Cell &cell : cells)
  {
    const auto &n = cell.nodes;
    if (n.size() > 4)
      throw InputError(cell.name + " is of second order, and is not cut into triangles. Save a mesh of triangles");
    if (n.size() == 3)
      triangles.push_back(cell);
    else if (distance(n[1], n[3]) < same * distance(n[0], n[2]))
      triangles.insert(triangles.end(), {corners_of(cell, {0, 1, 3}), corners_of(cell, {1, 2, 3})});
    else
      triangles.insert(triangles.end(), {corners_of(cell, {0, 1, 2}), corners_of(cell, {0, 2, 3})});
  }
  cells = triangles;
}
}  // namespace symdyn
