#include "meshes/surface.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
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
      triangles.insert(triangles.end(), {{{n[0], n[1], n[3]}, cell.group, cell.name}, {{n[1], n[2], n[3]}, cell.group, cell.name}});
    else
      triangles.insert(triangles.end(), {{{n[0], n[1], n[2]}, cell.group, cell.name}, {{n[0], n[2], n[3]}, cell.group, cell.name}});
  }
  cells = triangles;
}
}  // namespace symdyn
