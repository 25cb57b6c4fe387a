#include "meshes/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace symdyn
{
bool SurfaceMesh::is_in(const Cell &cell, const std::vector<std::string> &names) const
{
  return std::any_of(cell.groups.begin(), cell.groups.end(),
                     [&](const int group) { return std::find(names.begin(), names.end(), groups[group]) != names.end(); });
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
