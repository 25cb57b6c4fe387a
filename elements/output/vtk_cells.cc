#include "elements/output/vtk_cells.h"

#include <array>

#include "elements/output/wedge_files.h"

namespace symdyn
{
namespace
{
using Indices = std::array<unsigned int, 3>;

/// Where point (i, j) of the p + 1 by p + 1 of a Lagrange quadrilateral stands: corners, edges, inside
/// (vtkHigherOrderQuadrilateral::PointIndexFromIJK).
unsigned int place_in_quadrilateral(const Indices &at, const unsigned int p)
{
  const auto [i, j, k] = at;
  const bool i_end = i == 0 || i == p, j_end = j == 0 || j == p;
  if (i_end && j_end)
    return i ? (j ? 2 : 1) : (j ? 3 : 0);
  constexpr unsigned int corners = 4;
  const unsigned int n = p - 1;
  if (j_end)
    return corners + (i - 1) + (j ? 2 * n : 0);
  if (i_end)
    return corners + (j - 1) + (i ? n : 3 * n);
  return corners + 4 * n + (i - 1) + n * (j - 1);
}

/// The same of a Lagrange hexahedron: corners, edges, faces, inside, in the order of files before version 2.1
/// (vtkHigherOrderHexahedron::PointIndexFromIJK; VTK's reader turns the vertical edges round).
unsigned int place_in_hexahedron(const Indices &at, const unsigned int p)
{
  const auto [i, j, k] = at;
  const bool i_end = i == 0 || i == p, j_end = j == 0 || j == p, k_end = k == 0 || k == p;
  const unsigned int n = p - 1;
  if (i_end && j_end && k_end)
    return (i ? (j ? 2 : 1) : (j ? 3 : 0)) + (k ? 4 : 0);
  constexpr unsigned int corners = 8;
  if (j_end && k_end)
    return corners + (i - 1) + (j ? 2 * n : 0) + (k ? 4 * n : 0);
  if (i_end && k_end)
    return corners + (j - 1) + (i ? n : 3 * n) + (k ? 4 * n : 0);
  if (i_end && j_end)
    return corners + 8 * n + (k - 1) + n * (i ? (j ? 3 : 1) : (j ? 2 : 0));
  const unsigned int faces = corners + 12 * n, face = n * n;
  if (i_end)
    return faces + (j - 1) + n * (k - 1) + (i ? face : 0);
  if (j_end)
    return faces + 2 * face + (i - 1) + n * (k - 1) + (j ? face : 0);
  if (k_end)
    return faces + 4 * face + (i - 1) + n * (j - 1) + (k ? face : 0);
  return faces + 6 * face + (i - 1) + n * ((j - 1) + n * (k - 1));
}

template <int dim>
std::vector<dealii::Point<dim>> lattice(const unsigned int p)
{
  std::vector<dealii::Point<dim>> points(dim == 2 ? (p + 1) * (p + 1) : (p + 1) * (p + 1) * (p + 1));
  for (unsigned int k = 0; k <= (dim == 2 ? 0 : p); ++k)
    for (unsigned int j = 0; j <= p; ++j)
      for (unsigned int i = 0; i <= p; ++i)
      {
        const Indices at{i, j, k};
        dealii::Point<dim> &point = points[dim == 2 ? place_in_quadrilateral(at, p) : place_in_hexahedron(at, p)];
        for (int d = 0; d < dim; ++d)
          point[d] = double(at[d]) / p;
      }
  return points;
}

/// Corners, and in degree 2 the middles of the edges 01, 12, 20 (, 03, 13, 23).
template <int dim>
std::vector<dealii::Point<dim>> simplex(const unsigned int p)
{
  std::vector<dealii::Point<dim>> points(dim + 1);
  for (int d = 0; d < dim; ++d)
    points[d + 1][d] = 1.;
  const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  for (std::size_t e = 0; p == 2 && e < (dim == 2 ? 3 : edges.size()); ++e)
    points.push_back(points[edges[e][0]] + (points[edges[e][1]] - points[edges[e][0]]) / 2.);
  return points;
}
}  // namespace

template <int dim>
VtkCell<dim> vtk_cell(const Discretisation<dim> &mesh)
{
  // By dimension: of degree 1, and above.
  constexpr std::array<std::array<std::uint8_t, 2>, 2> simplices{{{5, 22}, {10, 24}}}, tensors{{{9, 70}, {12, 72}}};
  const unsigned int p = mesh.family.fe->degree;
  if (mesh.family.simplex)
    return {simplices[dim - 2][p > 1], simplex<dim>(p)};
  if (mesh.family.tensor)
    return {tensors[dim - 2][p > 1], lattice<dim>(p)};
  const auto &nodes = mesh.family.fe->get_unit_support_points();
  const WedgeOrder wedge = wedge_order(nodes.size());
  VtkCell<dim> cell{wedge.type, {}};
  for (const unsigned int node : wedge.nodes)
    cell.points.push_back(nodes[node]);
  return cell;
}

template VtkCell<2> vtk_cell(const Discretisation<2> &);
template VtkCell<3> vtk_cell(const Discretisation<3> &);
}  // namespace symdyn
