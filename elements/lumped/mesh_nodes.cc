#include "elements/lumped/mesh_nodes.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "elements/lumped/body_faces.h"
#include "elements/space/named_nodes.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
MeshNodes<dim>::MeshNodes(const Discretisation<dim> &mesh) : mesh(mesh)
{
  for (int d = 0; d < dim; ++d)
  {
    double lower = std::numeric_limits<double>::max(), upper = -lower;
    for (const auto &X : mesh.position)
    {
      lower = std::min(lower, X[d]);
      upper = std::max(upper, X[d]);
    }
    diagonal = std::hypot(diagonal, MPI::max(upper, mesh.communicator) - MPI::min(lower, mesh.communicator));
  }
}

template <int dim>
MeshPoints::Node MeshNodes<dim>::node(const int local) const
{
  Node node;
  node.number = mesh.node_partitioner->local_to_global(local);
  for (int d = 0; d < dim; ++d)
    node.position[d] = mesh.position[local][d];
  return node;
}

template <int dim>
MeshPoints::Node MeshNodes<dim>::nearest(const Place &place) const
{
  dealii::Point<dim> X;
  for (int d = 0; d < dim; ++d)
    X[d] = place[d];
  double least = std::numeric_limits<double>::max();
  Node mine;
  for (int local = 0; local < mesh.n_owned_nodes(); ++local)
    if (const double distance = X.distance_square(mesh.position[local]); distance < least)
    {
      least = distance;
      mine = node(local);
    }
  // Of nodes that are equally near the one with the smallest coordinates: no matter whose it is.
  std::vector<std::tuple<double, Place, std::int64_t>> found;
  for (const auto &candidate : MPI::all_gather(mesh.communicator, std::make_tuple(least, mine.position, mine.number)))
    found.push_back(candidate);
  const auto [distance, position, number] = *std::min_element(found.begin(), found.end());
  return {number, position};
}

template <int dim>
std::vector<MeshPoints::Node> MeshNodes<dim>::on_boundary(const std::string &name) const
{
  using Sortable = std::tuple<std::array<std::int64_t, 3>, Place, std::int64_t>;
  // Places of one layer differ by rounding: whole multiples of a small length do not. The shift keeps round numbers off the ends of its
  // intervals.
  const double small = 1e-7 * diagonal, shift = 0.382;
  std::vector<std::pair<Place, std::int64_t>> mine;
  for (const unsigned int local : mesh.boundary_nodes(name))
    if (int(local) < mesh.n_owned_nodes())
      mine.emplace_back(node(local).position, node(local).number);
  std::vector<Sortable> all;
  for (const auto &of_rank : MPI::all_gather(mesh.communicator, mine))
    for (const auto &[position, number] : of_rank)
    {
      std::array<std::int64_t, 3> rounded{};
      for (int d = 0; d < dim; ++d)
        rounded[d] = std::int64_t(std::floor(position[d] / small + shift));
      all.emplace_back(rounded, position, number);
    }
  std::sort(all.begin(), all.end());
  std::vector<Node> nodes;
  for (const auto &[rounded, position, number] : all)
    nodes.push_back({number, position});
  return nodes;
}

template <int dim>
std::vector<MeshPoints::Node> MeshNodes<dim>::named(const std::string &name) const
{
  return named(std::vector<std::string>{name});
}

template <int dim>
std::vector<MeshPoints::Node> MeshNodes<dim>::named(const std::vector<std::string> &names) const
{
  std::vector<Node> nodes;
  std::vector<std::int64_t> numbers;
  std::vector<double> places;
  const NamedNodes<dim> all(mesh);
  for (const std::string &name : names)
    for (const auto &node : all.find(name))
    {
      numbers.push_back(node.local < unsigned(mesh.n_owned_nodes()) ? std::int64_t(mesh.node_partitioner->local_to_global(node.local))
                                                                    : -1);
      nodes.emplace_back();
      for (int d = 0; d < 3; ++d)
        places.push_back(numbers.back() < 0 ? -std::numeric_limits<double>::max() : d < dim ? mesh.position[node.local][d] : 0.);
    }
  MPI::max(numbers, mesh.communicator, numbers);
  MPI::max(places, mesh.communicator, places);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    nodes[i] = {numbers[i], {places[3 * i], places[3 * i + 1], places[3 * i + 2]}};
  return nodes;
}

template <int dim>
std::vector<MeshFace> MeshNodes<dim>::faces(const std::vector<std::string> &boundaries, const int points, const PlannedSites &) const
{
  return faces_of_body(mesh, boundaries, points);
}

template <int dim>
std::vector<BoundaryCell> MeshNodes<dim>::boundary_cells(const std::vector<std::string> &boundaries) const
{
  return boundary_cells_of(mesh, boundaries);
}

template class MeshNodes<2>;
template class MeshNodes<3>;
}  // namespace symdyn
