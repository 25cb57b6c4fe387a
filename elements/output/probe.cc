#include "elements/output/probe.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "elements/lumped/mesh_nodes.h"
#include "elements/output/cell_place.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
struct ProbeEntries
{
  std::vector<double> point, nearest;
  int node = 0;
  std::string set, contact;
  bool stress = false;

  void add(Parameters &p)
  {
    p.add("Point", point, "coordinates in the undeformed body [m]: interpolated in its cell");
    p.add("Nearest node", nearest, "coordinates in the undeformed body [m]: the node nearest to them");
    p.add("Node", node, "number of a node in the mesh file (Type = file)", between(0, 2147483647));
    p.add(
        "Stress", stress,
        "yes: history.csv has Cauchy's stress there, NAME.S_xx and the like, and von Mises' stress NAME.S_mises: the mean of the cells that meet at the place");
    p.add(
        "Contact", contact,
        "name of a contact on whose surface the place is: history.csv has its fields there, as frames have them: NAME.contact_gap (at most a face; with the clearance), NAME.contact_pressure, NAME.contact_slip_x and the like (tangential displacement of the first boundary against the second, 0 where they are apart)");
    p.add("Set", set, "a boundary, or a cell group: the mean of its nodes");
  }
};
}  // namespace

template <int dim>
void Probe<dim>::declare(const std::string &name, Parameters &p)
{
  own_name = name;
  ProbeEntries entries;
  entries.add(p);
  std::string given;
  for (const char *entry : {"Point", "Nearest node", "Node", "Set"})
    if (p.given(entry))
    {
      if (!given.empty())
        p.fail(entry, fmt::format("stands beside {}: a probe is one of both. Remove one, or make two probes", given));
      given = entry;
    }
  if (given.empty())
    p.fail("Point", fmt::format("needs {} coordinates; or give Nearest node, Node or Set", dim));
  where = p.where(given);
  kind = given == "Point" ? Kind::point : given == "Node" ? Kind::node : given == "Set" ? Kind::set : Kind::nearest;
  number = entries.node;
  set = entries.set;
  stress = entries.stress;
  of_contact = entries.contact;
  where_contact = p.where("Contact");
  if (!of_contact.empty() && kind == Kind::set)
    p.fail("Contact", "has the fields of one place, and Set is the mean of many nodes. Remove the entry, or give Point or Nearest node");
  if (stress && kind == Kind::set)
    p.fail("Stress", "is the stress of one place, and Set is the mean of many nodes. Remove the entry, or give Point or Nearest node");
  if (kind == Kind::node || kind == Kind::set)
    return;
  const std::vector<double> &coordinates = kind == Kind::point ? entries.point : entries.nearest;
  if (coordinates.size() != dim)
    p.fail(given, fmt::format("needs {} coordinates", dim));
  for (int d = 0; d < dim; ++d)
    point[d] = coordinates[d];
}

template <int dim>
void Probe<dim>::document(Parameters p)
{
  ProbeEntries().add(p);
}

template <int dim>
void Probe<dim>::prepare(const Discretisation<dim> &mesh, const std::string &mesh_file)
{
  communicator = mesh.communicator;
  if (kind == Kind::point)
    return prepare_point(mesh);
  if (kind == Kind::set)
    return prepare_set(mesh);
  if (kind == Kind::nearest)
    return prepare_node(mesh, std::numeric_limits<double>::max(), "");
  if (mesh_file.empty())
    throw InputError(where + ": numbers of nodes are those of a mesh file, and this mesh is generated. Use \"Nearest node\"");
  try
  {
    const std::array<double, 3> X = place_of_node(mesh_file, number);
    for (int d = 0; d < dim; ++d)
      point[d] = X[d];
  }
  catch (const InputError &error)
  {
    throw InputError(where + ": " + error.what());
  }
  constexpr double same_place = 1e-6;  // of the shortest edge
  prepare_node(mesh, same_place * mesh.smallest_edge, fmt::format("{}: no cell has the node {} of {}", where, number, mesh_file));
}

template <int dim>
void Probe<dim>::prepare_node(const Discretisation<dim> &mesh, const double farthest, const std::string &fault)
{
  Place place{};
  for (int d = 0; d < dim; ++d)
    place[d] = point[d];
  const MeshPoints::Node found = MeshNodes<dim>(mesh).nearest(place);
  double distance = 0;
  for (int d = 0; d < dim; ++d)
    distance = std::hypot(distance, found.position[d] - point[d]);
  if (distance > farthest)
    throw InputError(fault);
  if (mesh.node_partitioner->in_local_range(found.number))
  {
    nodes = {mesh.node_partitioner->global_to_local(found.number)};
    weight = {1.};
  }
}

template <int dim>
void Probe<dim>::prepare_set(const Discretisation<dim> &mesh)
{
  Vector marked(mesh.node_partitioner);
  if (mesh.boundaries.count(set))
    for (const unsigned int node : mesh.boundary_nodes(set))
      marked.local_element(node) = 1.;
  else
  {
    std::vector<std::string> known = mesh.boundary_names();
    for (const auto &group : mesh.materials)
      known.push_back(group.second);
    if (!std::count(known.begin(), known.end(), set))
      throw InputError(
          fmt::format("{}: there is no boundary and no cell group '{}'; the mesh has: {}", where, set, join(nearest_first(set, known))));
    for (const auto &cell : mesh.handler.active_cell_iterators())
      if (!cell->is_artificial() && mesh.materials.at(cell->material_id()) == set)
        for (const unsigned int node : mesh.cell_nodes(cell))
          marked.local_element(node) = 1.;
  }
  for (int node = 0; node < mesh.n_owned_nodes(); ++node)  // the cells around an owned node are all known
    if (marked.local_element(node) > 0.)
      nodes.push_back(node);
  const auto count = dealii::Utilities::MPI::sum(std::uint64_t(nodes.size()), communicator);
  weight.assign(nodes.size(), 1. / double(count));
}

template <int dim>
void Probe<dim>::prepare_point(const Discretisation<dim> &mesh)
{
  const unsigned int me = dealii::Utilities::MPI::this_mpi_process(communicator);
  unsigned int holder = std::numeric_limits<unsigned int>::max();
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned())
    {
      const std::optional<dealii::Point<dim>> xi = place_in_cell(mesh, cell, point);
      if (!xi)
        continue;
      nodes = mesh.cell_nodes(cell);
      weight.resize(nodes.size());
      for (std::size_t a = 0; a < nodes.size(); ++a)
        weight[a] = mesh.region_of(cell).family.fe->shape_value(a, *xi);
      holder = me;
      break;
    }
  const unsigned int first = dealii::Utilities::MPI::min(holder, communicator);
  if (first == std::numeric_limits<unsigned int>::max())
    throw InputError(where + ": the point lies outside the body. Move it into a cell (symdyn check prints the extent)");
  if (first != me)
    nodes.clear();
}

template <int dim>
dealii::Tensor<1, dim> Probe<dim>::at(const Vector &x) const
{
  x.update_ghost_values();
  dealii::Tensor<1, dim> value;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int d = 0; d < dim; ++d)
      value[d] += weight[a] * x.local_element(dim * nodes[a] + d);
  return dealii::Utilities::MPI::sum(value, communicator);
}

template <int dim>
std::vector<std::pair<unsigned int, double>> Probe<dim>::shares() const
{
  std::vector<std::pair<unsigned int, double>> all;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    all.emplace_back(dim * nodes[a], weight[a]);
  return all;
}

template <int dim>
dealii::Point<dim> Probe<dim>::place(const Discretisation<dim> &mesh) const
{
  dealii::Tensor<1, dim> sum;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    sum += weight[a] * mesh.position[nodes[a]];
  return dealii::Point<dim>(dealii::Utilities::MPI::sum(sum, communicator));
}

template class Probe<2>;
template class Probe<3>;
}  // namespace symdyn
