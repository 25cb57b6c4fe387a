#include "elements/space/named_nodes.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
NamedNodes<dim>::NamedNodes(const Discretisation<dim> &discretisation)
    : mesh(discretisation),
      place_in_file(mesh.position_in_file.empty() ? mesh.position : mesh.position_in_file),
      same_place(1e-3 * mesh.smallest_edge)
{
  for (int node = 0; node < mesh.n_local_nodes(); ++node)
    by_place.emplace_back(along(place_in_file[node]), node);
  std::sort(by_place.begin(), by_place.end());
  if (mesh.file_nodes)
    find_twins();
}

template <int dim>
void NamedNodes<dim>::find_twins()
{
  const std::vector<FileNode<dim>> &nodes = mesh.file_nodes->nodes;
  twin.resize(nodes.size());
  std::vector<std::pair<double, unsigned int>> order;
  for (unsigned int i = 0; i < nodes.size(); ++i)
    order.emplace_back(along(nodes[i].x), i);
  std::sort(order.begin(), order.end());
  std::set<unsigned int> local;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size() && order[j].first <= order[i].first + same_place; ++j)
      if (const auto &x = nodes[order[i].second].x; x.distance(nodes[order[j].second].x) < same_place)
      {
        twin[order[i].second] = twin[order[j].second] = true;
        const auto found = near(x);
        local.insert(found.begin(), found.end());
      }
  if (local.empty())
    return;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int node : mesh.cell_nodes(cell))
        if (local.count(node) > 0)
          beside[node].push_back(centre_in_file<dim>(cell));
}

template <int dim>
double NamedNodes<dim>::along(const dealii::Point<dim> &x)
{
  constexpr double direction[] = {0.8011784, 0.4872391, 0.3475123};  // of length 1, along no edge of a usual mesh
  double s = 0;
  for (int d = 0; d < dim; ++d)
    s += direction[d] * x[d];
  return s;
}

template <int dim>
std::vector<unsigned int> NamedNodes<dim>::members(const std::string &name) const
{
  if (!mesh.file_nodes)
    throw InputError(fmt::format(
        "'{}': this mesh has no numbers and sets of nodes; a mesh from an Abaqus or CalculiX .inp file has. Use Boundary", name));
  const FileNodes<dim> &file = *mesh.file_nodes;
  // A number is a node's, even if a set has this name.
  if (const auto number = number_from<long>(name))
  {
    const auto found = file.with_number(*number);
    if (found != file.nodes.end())
      return {unsigned(found - file.nodes.begin())};
    throw InputError(fmt::format("no cell of the mesh has a node {}", name));
  }
  if (const auto found = file.sets.find(name); found != file.sets.end())
    return found->second;
  std::vector<std::string> names;
  for (const auto &set : file.sets)
    names.push_back(set.first);
  throw InputError(fmt::format("the mesh's file has no set of nodes '{}'; it has: {}. A node is named by its number, too", name,
                               join(nearest_first(name, names))));
}

template <int dim>
std::vector<unsigned int> NamedNodes<dim>::near(const dealii::Point<dim> &x) const
{
  const double s = along(x);
  std::vector<unsigned int> found;
  for (auto node = std::lower_bound(by_place.begin(), by_place.end(), std::pair{s - same_place, 0u});
       node != by_place.end() && node->first <= s + same_place; ++node)
    if (place_in_file[node->second].distance(x) < same_place)
      found.push_back(node->second);
  return found;
}

template <int dim>
unsigned int NamedNodes<dim>::at(const unsigned int member) const
{
  const FileNode<dim> &wanted = mesh.file_nodes->nodes[member];
  const std::vector<unsigned int> found = near(wanted.x);
  if (!twin[member])
    return found.size() == 1 ? found[0] : nowhere;
  for (const unsigned int node : found)
    if (const auto centres = beside.find(node); centres != beside.end())
      for (const dealii::Point<dim> &centre : centres->second)
        if (centre.distance(wanted.beside) < same_place)
          return node;
  return nowhere;
}

template <int dim>
void NamedNodes<dim>::share_twins(const std::vector<unsigned int> &members, std::vector<Node> &nodes) const
{
  if (std::none_of(members.begin(), members.end(), [&](const unsigned int member) { return twin[member]; }))
    return;
  const auto &numbering = *mesh.node_partitioner;
  std::vector<std::uint64_t> beyond(nodes.size());  // number among the nodes of all ranks, plus 1
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (twin[members[i]] && nodes[i].local != nowhere)
      beyond[i] = std::uint64_t(numbering.local_to_global(nodes[i].local)) + 1;
  MPI::max(beyond, mesh.communicator, beyond);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (twin[members[i]] && beyond[i] > 0)
    {
      const auto global = dealii::types::global_dof_index(beyond[i] - 1);
      nodes[i].local = numbering.in_local_range(global) || numbering.is_ghost_entry(global) ? numbering.global_to_local(global) : nowhere;
    }
}

template <int dim>
std::vector<typename NamedNodes<dim>::Node> NamedNodes<dim>::find(const std::string &name) const
{
  const std::vector<unsigned int> wanted = members(name);
  std::vector<Node> nodes;
  for (const unsigned int i : wanted)
    nodes.push_back({mesh.file_nodes->nodes[i].number, at(i)});
  share_twins(wanted, nodes);
  std::vector<int> known(nodes.size());
  std::transform(nodes.begin(), nodes.end(), known.begin(), [](const Node &node) { return int(node.local != nowhere); });
  MPI::max(known, mesh.communicator, known);
  if (!mesh.has_all_file_nodes)
  {
    std::vector<Node> of_mesh;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (known[i] > 0)
        of_mesh.push_back(nodes[i]);
    return of_mesh;
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (known[i] == 0)
      throw InputError(
          fmt::format("'{}': the mesh has no node at the place of node {} of its file. Elements of second order need Order = 2", name,
                      nodes[i].number));
  return nodes;
}

template <int dim>
std::vector<unsigned int> NamedNodes<dim>::local(const std::vector<std::string> &names) const
{
  std::vector<unsigned int> all;
  for (const std::string &name : names)
    for (const Node &node : find(name))
      if (node.local != nowhere)
        all.push_back(node.local);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template class NamedNodes<2>;
template class NamedNodes<3>;
}  // namespace symdyn
