#include "meshes/cells.h"

#include <deal.II/base/tensor.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_wedge_p.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>

namespace symdyn
{
namespace
{
/// A cell is flat if its Jacobian is less than this times (its longest edge)^dim.
constexpr double flat = 1e-12;

void check_plane(const MeshFile &file, const std::vector<FileElement> &cells)
{
  double extent = 0;
  for (const auto &x : file.nodes)
    extent = std::max({extent, std::abs(x[0]), std::abs(x[1])});
  for (const auto &cell : cells)
    for (unsigned int i = 0; i < node_count(cell.shape); ++i)
      if (const double z = file.nodes[cell.nodes[i]][2]; std::abs(z) > 1e-9 * extent)
        file.fail(cell.line, described(cell),
                  fmt::format("has a node with z = {:g}; a mesh without volume cells is a 2-D one and must lie in z = 0.", z));
}

constexpr unsigned int top_of_pyramid = 4;  ///< of pyramids

/// The corner at the other end of the d-th edge of corner i: of wedges around the triangle, then across to the other one.
unsigned int neighbour(const Shape shape, const unsigned int i, const unsigned int d)
{
  constexpr unsigned int triangle = 3;
  if (shape == Shape::wedge)
    return d == 2 ? (i + triangle) % (2 * triangle) : i / triangle * triangle + (i + d + 1) % triangle;
  if (shape == Shape::pyramid && d == 2)
    return top_of_pyramid;
  return is_simplex(shape) ? d + 1 : i ^ (1u << d);
}

/// Determinant of the edges that leave corner i, along increasing coordinates of the reference cell.
template <int dim>
double jacobian(const MeshFile &file, const FileElement &cell, const unsigned int i, double &longest)
{
  dealii::Tensor<2, dim> edges;
  for (unsigned int d = 0; d < dim; ++d)
  {
    const unsigned int j = neighbour(cell.shape, i, d);
    for (unsigned int e = 0; e < dim; ++e)
      edges[d][e] = file.nodes[cell.nodes[j]][e] - file.nodes[cell.nodes[i]][e];
    longest = std::max(longest, edges[d].norm());
    const bool around_triangle = cell.shape == Shape::wedge && d < 2;
    if (j < i && !around_triangle)
      edges[d] = -edges[d];
  }
  return dealii::determinant(edges);
}

struct Jacobian
{
  double smallest;  ///< of the determinants at the corners
  double size;      ///< to compare it with
};

template <int dim>
Jacobian smallest_jacobian(const MeshFile &file, const FileElement &cell)
{
  double smallest = std::numeric_limits<double>::infinity(), longest = 0;
  const unsigned int corners = is_simplex(cell.shape) ? 1 : cell.shape == Shape::pyramid ? top_of_pyramid : node_count(cell.shape);
  for (unsigned int i = 0; i < corners; ++i)
    smallest = std::min(smallest, jacobian<dim>(file, cell, i, longest));
  return {smallest, std::pow(longest, dim)};
}

/// Whether the Jacobian is positive at Gauss's points, two along each direction and one in a triangle, which are those of elements of
/// degree 1.
template <int dim>
bool is_positive_inside(const MeshFile &file, const FileElement &cell)
{
  if (is_simplex(cell.shape) || cell.shape == Shape::pyramid)
    return false;  // it is the same everywhere; pyramids are not used where it is negative at a corner
  std::unique_ptr<dealii::FiniteElement<dim>> element = std::make_unique<dealii::FE_Q<dim>>(1);
  if constexpr (dim == 3)
    if (cell.shape == Shape::wedge)
      element = std::make_unique<dealii::FE_WedgeP<dim>>(1);
  const double half = 0.5 / std::sqrt(3.);
  for (unsigned int point = 0; point < 1u << dim; ++point)
  {
    dealii::Point<dim> xi;
    for (int d = 0; d < dim; ++d)
      xi[d] = cell.shape == Shape::wedge && d < 2 ? 1. / 3. : 0.5 + (point >> d & 1 ? half : -half);
    dealii::Tensor<2, dim> J;
    for (unsigned int v = 0; v < node_count(cell.shape); ++v)
    {
      const dealii::Tensor<1, dim> gradient = element->shape_grad(v, xi);
      for (int i = 0; i < dim; ++i)
        for (int d = 0; d < dim; ++d)
          J[i][d] += file.nodes[cell.nodes[v]][i] * gradient[d];
    }
    if (!(dealii::determinant(J) > 0.))
      return false;
  }
  return true;
}

template <int dim>
void mirror(FileElement &cell)
{
  const auto middle = cell.nodes.begin() + (cell.shape == Shape::wedge ? 3 : 1 << (dim - 1));
  if (is_simplex(cell.shape))
    std::swap(cell.nodes[dim - 1], cell.nodes[dim]);
  else if (cell.shape == Shape::pyramid)
    std::swap(cell.nodes[1], cell.nodes[2]);
  else
    std::swap_ranges(cell.nodes.begin(), middle, middle);
}

/// Groups that do not tell materials apart: see material_ids.
bool is_redundant(const int group, const std::set<int> &among, const std::set<std::set<int>> &combinations)
{
  for (const int other : among)
    if (other != group)
    {
      bool always = true, alike = true;
      for (const auto &combination : combinations)
      {
        always = always && combination.count(group);
        alike = alike && combination.count(group) == combination.count(other);
      }
      if (alike ? group < other : always)
        return true;
    }
  return false;
}

std::set<int> groups_of(const FileElement &cell) { return {cell.groups.begin(), cell.groups.end()}; }
}  // namespace

namespace
{
/// Shape by shape.
template <int dim>
void turn_mirrored(const MeshFile &file, std::vector<FileElement> &cells)
{
  std::set<Shape> right;
  for (const FileElement &cell : cells)
    if (!(smallest_jacobian<dim>(file, cell).smallest < 0))
      right.insert(cell.shape);
  for (FileElement &cell : cells)
    if (right.count(cell.shape) == 0)
      mirror<dim>(cell);
}
}  // namespace

template <int dim>
void check_cells(const MeshFile &file, std::vector<FileElement> &cells)
{
  if (dim == 2)
    check_plane(file, cells);
  if (file.either_hand)
    turn_mirrored<dim>(file, cells);
  for (const auto &cell : cells)
  {
    const auto [smallest, size] = smallest_jacobian<dim>(file, cell);
    const std::string value = described(cell) + fmt::format(", smallest Jacobian determinant {:g}", smallest);
    if (std::abs(smallest) <= flat * size)
      file.fail(cell.line, value, "the cell is flat at a corner (a degenerate cell, or a node given twice). Mesh it again.");
    if (smallest < 0 && !is_positive_inside<dim>(file, cell))  // else the system warns of it
      file.fail(cell.line, value,
                "it must be positive everywhere. The cell is turned inside out or its nodes are numbered as in a mirror: "
                "in 2-D they go counter-clockwise; in 3-D the last node (the top) is where the normal of the first face "
                "points to by the right-hand rule. Renumber its nodes.");
  }
}

std::vector<dealii::types::material_id> material_ids(const MeshFile &file, const std::vector<FileElement> &cells,
                                                     std::map<dealii::types::material_id, std::string> &names)
{
  std::set<std::set<int>> combinations;
  for (const auto &cell : cells)
    combinations.insert(groups_of(cell));
  std::map<std::set<int>, std::set<int>> reduced;
  for (const auto &combination : combinations)
    for (const int group : combination)
      if (!is_redundant(group, combination, combinations))
        reduced[combination].insert(group);
  std::map<std::string, dealii::types::material_id> id_of_name;
  std::vector<dealii::types::material_id> ids;
  for (const auto &cell : cells)
  {
    const auto &groups = reduced[groups_of(cell)];
    if (groups.size() > 1)
      file.fail(cell.line, described(cell),
                "is in the groups " + file.groups[*groups.begin()] + " and " + file.groups[*groups.rbegin()] +
                    ", but can be of one material only. Put each cell into one group (Abaqus: or name the sets that are "
                    "materials by *SOLID SECTION).");
    const std::string name = groups.empty() ? "body" : file.groups[*groups.begin()];
    ids.push_back(id_of_name.emplace(name, id_of_name.size()).first->second);
  }
  names.clear();
  for (const auto &[name, id] : id_of_name)
    names[id] = name;
  return ids;
}

template void check_cells<2>(const MeshFile &, std::vector<FileElement> &);
template void check_cells<3>(const MeshFile &, std::vector<FileElement> &);
}  // namespace symdyn
