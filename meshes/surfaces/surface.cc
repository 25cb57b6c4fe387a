#include "meshes/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "solver/base/names.h"
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
}  // namespace

const std::vector<std::array<unsigned int, 2>> &SurfaceMesh::boundary(const std::string &name) const
{
  return named_in(edges, name, "boundary");
}

const std::vector<unsigned int> &SurfaceMesh::set(const std::string &name) const { return named_in(sets, name, "set of nodes"); }

std::vector<std::size_t> SurfaceMesh::cells_of(const std::vector<std::string> &names) const
{
  for (const std::string &name : names)
    if (std::find(groups.begin(), groups.end(), name) == groups.end())
      throw InputError("the mesh has no group '" + name + "'; there are: " + join(nearest_first(name, groups)));
  const auto is_named = [&](const int group) { return std::find(names.begin(), names.end(), groups[group]) != names.end(); };
  std::vector<std::size_t> found;
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    if (names.empty() || std::any_of(cells[cell].groups.begin(), cells[cell].groups.end(), is_named))
      found.push_back(cell);
  if (found.empty())
    throw InputError("there is no triangle or quadrilateral in " + join(names) + ". Name groups of cells");
  return found;
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
    if (n.size() == 3)
      triangles.push_back(cell);
    else if (distance(n[1], n[3]) < same * distance(n[0], n[2]))
      triangles.insert(triangles.end(), {{{n[0], n[1], n[3]}, cell.groups, cell.name}, {{n[1], n[2], n[3]}, cell.groups, cell.name}});
    else
      triangles.insert(triangles.end(), {{{n[0], n[1], n[2]}, cell.groups, cell.name}, {{n[0], n[2], n[3]}, cell.groups, cell.name}});
  }
  cells = triangles;
}
}  // namespace symdyn
