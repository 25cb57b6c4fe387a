#include "elements/lumped/mesh_parts.h"

#include <deal.II/base/mpi.h>
#include <deal.II/grid/grid_tools.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "elements/space/joined_sets.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
Place MeshParts<dim>::Part::centre() const
{
  Place X;
  for (int d = 0; d < 3; ++d)
    X[d] = 0.5 * (lower[d] + upper[d]);
  return X;
}

template <int dim>
double MeshParts<dim>::Part::size() const
{
  return 0.5 * std::hypot(upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]);
}

template <int dim>
MeshParts<dim>::MeshParts(const Discretisation<dim> &mesh)
{
  std::vector<int> label = find_labels(mesh);
  measure(mesh, label);
  find_shared(mesh, label);
}

/// Of each active cell that this rank knows: a number of its part, the same on all ranks.
template <int dim>
std::vector<int> MeshParts<dim>::find_labels(const Discretisation<dim> &mesh) const
{
  const auto &cells = *mesh.triangulation;
  JoinedSets local(cells.n_active_cells());
  for (const auto &cell : cells.active_cell_iterators())
    for (const unsigned int face : cell->face_indices())
      if (!cell->is_artificial() && !cell->at_boundary(face))
        if (const auto neighbour = cell->neighbor(face); neighbour->is_active() && !neighbour->is_artificial())
          local.join(cell->active_cell_index(), neighbour->active_cell_index());
  // Local sets get numbers of their own on each rank. What a rank sees as a ghost tells which of them are one.
  std::vector<int> number_of(cells.n_active_cells(), -1), label = number_of;
  int known = 0;
  for (const auto &cell : cells.active_cell_iterators())
    if (!cell->is_artificial())
    {
      int &number = number_of[local.find(cell->active_cell_index())];
      number = number < 0 ? known++ : number;
      label[cell->active_cell_index()] = number;
    }
  const std::vector<int> sets = MPI::all_gather(mesh.communicator, known);
  const int first = std::accumulate(sets.begin(), sets.begin() + MPI::this_mpi_process(mesh.communicator), 0);
  std::set<std::pair<int, int>> pairs;
  using Cells = dealii::parallel::TriangulationBase<dim>;
  using Cell = typename Cells::active_cell_iterator;
  dealii::GridTools::exchange_cell_data_to_ghosts<int, dealii::Triangulation<dim>>(
      cells, [&](const Cell &cell) { return std::optional<int>(first + label[cell->active_cell_index()]); },
      [&](const Cell &cell, const int of_owner) { pairs.emplace(first + label[cell->active_cell_index()], of_owner); });
  JoinedSets all(std::accumulate(sets.begin(), sets.end(), 0));
  for (const auto &of_rank : MPI::all_gather(mesh.communicator, std::vector<std::pair<int, int>>(pairs.begin(), pairs.end())))
    for (const auto &[mine, other] : of_rank)
      all.join(mine, other);
  const std::vector<int> number = all.numbers();
  for (int &one : label)
    one = one < 0 ? -1 : number[first + one];
  return label;
}

/// Counts and boxes; and new labels in the order of the boxes, which does not depend on ranks.
template <int dim>
void MeshParts<dim>::measure(const Discretisation<dim> &mesh, std::vector<int> &label)
{
  const int n = MPI::max(*std::max_element(label.begin(), label.end()), mesh.communicator) + 1;
  constexpr double far = std::numeric_limits<double>::max();
  std::vector<std::uint64_t> cells(n, 0);
  std::vector<double> lower(3 * n, far), upper(3 * n, -far);
  for (const auto &cell : mesh.triangulation->active_cell_iterators())
    if (cell->is_locally_owned())
    {
      const int k = label[cell->active_cell_index()];
      ++cells[k];
      for (const unsigned int vertex : cell->vertex_indices())
        for (int d = 0; d < 3; ++d)
        {
          const double x = d < dim ? cell->vertex(vertex)[d] : 0.;
          lower[3 * k + d] = std::min(lower[3 * k + d], x);
          upper[3 * k + d] = std::max(upper[3 * k + d], x);
        }
    }
  MPI::sum(cells, mesh.communicator, cells);
  MPI::min(lower, mesh.communicator, lower);
  MPI::max(upper, mesh.communicator, upper);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](const int a, const int b) {
    return std::lexicographical_compare(&lower[3 * a], &lower[3 * a] + 3, &lower[3 * b], &lower[3 * b] + 3);
  });
  std::vector<int> place(n, -1);
  for (const int k : order)
  {
    place[k] = parts.size();
    parts.push_back({cells[k], {lower[3 * k], lower[3 * k + 1], lower[3 * k + 2]}, {upper[3 * k], upper[3 * k + 1], upper[3 * k + 2]}});
  }
  for (int &one : label)
    one = one < 0 ? -1 : place[one];
}

template <int dim>
void MeshParts<dim>::find_shared(const Discretisation<dim> &mesh, const std::vector<int> &label)
{
  part_of_node.assign(mesh.n_local_nodes(), -1);
  std::set<std::tuple<unsigned int, int, int>> touching;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (!cell->is_artificial())
      for (const unsigned int node : mesh.cell_nodes(cell))
      {
        const int part = label[cell->active_cell_index()];
        if (part_of_node[node] < 0)
          part_of_node[node] = part;
        else if (part_of_node[node] != part && int(node) < mesh.n_owned_nodes())
          touching.emplace(node, part_of_node[node], part);
      }
  std::vector<std::array<double, 5>> mine;
  for (const auto &[node, first, second] : touching)
  {
    std::array<double, 5> one{double(first), double(second)};
    for (int d = 0; d < dim; ++d)
      one[2 + d] = mesh.position[node][d];
    mine.push_back(one);
  }
  for (const auto &of_rank : MPI::all_gather(mesh.communicator, mine))
    for (const auto &one : of_rank)
      shared_nodes.push_back({int(one[0]), int(one[1]), {one[2], one[3], one[4]}});
}

template class MeshParts<2>;
template class MeshParts<3>;
}  // namespace symdyn
