#include "elements/space/discretisation.h"

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/fully_distributed_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_wedge_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/fe/mapping_fe_field.h>
#include <deal.II/fe/mapping_q1.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria_description.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "elements/cells/curved_kernels.h"
#include "elements/cells/lane_transfer.h"
#include "elements/space/cell_jacobians.h"
#include "elements/space/round_nodes.h"
#include "meshes/grid/hinges.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/random.h"

namespace symdyn
{
using dealii::IndexSet;
namespace MPI = dealii::Utilities::MPI;

template <int dim>
Discretisation<dim>::Discretisation(CoarseMesh<dim> &&mesh, const int degree, const int refinements, const Formulation formulation)
    : communicator(MPI_COMM_WORLD),
      family(mesh.cells.get_reference_cells().front(), degree, formulation, !mesh.nodes.empty() || (degree > 1 && has_arcs(mesh.cells))),
      materials(mesh.materials),
      boundaries(mesh.boundaries),
      file_nodes(mesh.file_nodes),
      coarse_nodes(std::move(mesh.nodes))
{
  if (family.curved && coarse_nodes.empty())
    arcs = mesh.cells.get_manifold(mesh.cells.begin_active()->manifold_id()).clone();
  else if (family.curved && (refinements > 0 || int(mesh.nodes_of_cell) != family.stiffness.nodes))
    throw InputError(fmt::format(
        "the mesh is of second order, with {} nodes a cell: elements have the same nodes ({} now), and Refinements must be 0. Mesh finer, or of "
        "first order",
        mesh.nodes_of_cell, family.stiffness.nodes));
  distribute(std::move(mesh), refinements);
  make_spaces();
}

template <int dim>
Discretisation<dim>::Discretisation(const Discretisation &other, const int degree)
    : communicator(other.communicator),
      family(other.triangulation->get_reference_cells().front(), degree),
      triangulation(other.triangulation),
      materials(other.materials),
      boundaries(other.boundaries),
      file_nodes(other.file_nodes)
{
  has_all_file_nodes = degree >= int(other.family.fe->degree);
  make_spaces();
}

template <int dim>
void Discretisation<dim>::make_spaces()
{
  if (family.simplex)
    mapping = std::make_unique<dealii::MappingFE<dim>>(dealii::FE_SimplexP<dim>(1));
  else if (family.tensor)
    mapping = std::make_unique<dealii::MappingQ1<dim>>();
  else
    mapping = std::make_unique<dealii::MappingFE<dim>>(dealii::FE_WedgeP<dim>(1));
  kernels = make_kernels_of(family);
  number_nodes();
  place_nodes();
  if (family.curved)
    make_mapping();
  make_batches();
  check_geometry();
}

template <int dim>
void Discretisation<dim>::distribute(CoarseMesh<dim> &&mesh, const int refinements)
{
  const unsigned int ranks = MPI::n_mpi_processes(communicator);
  if (!family.tensor || (ranks > 1 && has_hinges(mesh.cells)))
  {
    // Fully distributed triangulations cannot be refined: refine the serial one.
    mesh.cells.refine_global(refinements);
    if (ranks > 1)
      dealii::GridTools::partition_triangulation(ranks, mesh.cells, dealii::SparsityTools::Partitioner::metis);
    auto distributed = std::make_unique<dealii::parallel::fullydistributed::Triangulation<dim>>(communicator);
    distributed->create_triangulation(
        dealii::TriangulationDescription::Utilities::create_description_from_triangulation(mesh.cells, communicator));
    triangulation = std::move(distributed);
  }
  else
  {
    auto distributed = std::make_unique<dealii::parallel::distributed::Triangulation<dim>>(communicator);
    distributed->copy_triangulation(mesh.cells);
    distributed->refine_global(refinements);
    triangulation = std::move(distributed);
  }
}

template <int dim>
void Discretisation<dim>::number_nodes()
{
  handler.reinit(*triangulation);
  handler.distribute_dofs(*family.fe);
  const IndexSet owned = handler.locally_owned_dofs();
  IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(handler, relevant);
  n_owned = owned.n_elements();
  node_partitioner = std::make_shared<MPI::Partitioner>(owned, relevant, communicator);

  const auto expanded = [](const IndexSet &nodes) {
    IndexSet dofs(nodes.size() * dim);
    for (auto range = nodes.begin_intervals(); range != nodes.end_intervals(); ++range)
      dofs.add_range(*range->begin() * dim, (range->last() + 1) * dim);
    dofs.compress();
    return dofs;
  };
  partitioner = std::make_shared<MPI::Partitioner>(expanded(owned), expanded(relevant), communicator);
}

template <int dim>
void Discretisation<dim>::place_nodes()
{
  position.resize(n_owned + node_partitioner->n_ghost_indices());
  const auto &support = family.fe->get_unit_support_points();
  for (const auto &cell : handler.active_cell_iterators())
    if (!cell->is_artificial())
    {
      const auto nodes = cell_nodes(cell);
      // The ids of p4est's cells are places along its curve; all its coarse cells are on every rank, under their own index.
      const std::size_t coarse = !family.tensor ? cell->id().get_coarse_cell_id() : cell->index(), first = coarse * nodes.size();
      const std::vector<dealii::Point<dim>> along_arcs =
          arcs ? nodes_along_arcs<dim>(*cell, *family.fe, *arcs) : std::vector<dealii::Point<dim>>();
      for (unsigned int a = 0; a < nodes.size(); ++a)
        position[nodes[a]] = arcs            ? along_arcs[a]
                             : family.curved ? coarse_nodes[first + a]
                                             : mapping->transform_unit_to_real_cell(cell, support[a]);
    }
  coarse_nodes = {};
  arcs.reset();
}

template <int dim>
void Discretisation<dim>::make_mapping()
{
  geometry = std::make_unique<Geometry>();
  geometry->fe = std::make_unique<dealii::FESystem<dim>>(*family.fe, dim);
  geometry->handler.reinit(*triangulation);
  geometry->handler.distribute_dofs(*geometry->fe);
  IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(geometry->handler, relevant);
  geometry->places.reinit(geometry->handler.locally_owned_dofs(), relevant, communicator);
  std::vector<dealii::types::global_dof_index> dofs(geometry->fe->n_dofs_per_cell());
  auto node_cell = handler.begin_active();
  for (const auto &cell : geometry->handler.active_cell_iterators())
  {
    if (!cell->is_artificial())
    {
      cell->get_dof_indices(dofs);
      const auto nodes = cell_nodes(node_cell);
      for (unsigned int i = 0; i < dofs.size(); ++i)
      {
        const auto [component, a] = geometry->fe->system_to_component_index(i);
        geometry->places(dofs[i]) = position[nodes[a]][component];
      }
    }
    ++node_cell;
  }
  geometry->places.update_ghost_values();
  mapping = std::make_unique<dealii::MappingFEField<dim, dim, Vector>>(geometry->handler, geometry->places);
}

template <int dim>
std::vector<unsigned int> Discretisation<dim>::cell_nodes(const Cell &cell) const
{
  std::vector<dealii::types::global_dof_index> global(family.stiffness.nodes);
  cell->get_dof_indices(global);
  std::vector<unsigned int> local(global.size());
  std::transform(global.begin(), global.end(), local.begin(), [&](auto index) { return node_partitioner->global_to_local(site_of(index)); });
  return local;
}

template <int dim>
bool Discretisation<dim>::is_curved(const Cell &cell) const
{
  if (!family.curved)
    return false;
  constexpr double rounding = 1e-12;
  const auto nodes = cell_nodes(cell);
  const auto &support = family.fe->get_unit_support_points();
  const dealii::ReferenceCell shape = family.fe->reference_cell();
  for (unsigned int a = 0; a < nodes.size(); ++a)
  {
    dealii::Point<dim> straight;
    for (const unsigned int v : cell->vertex_indices())
      straight += shape.d_linear_shape_function(support[a], v) * cell->vertex(v);
    if (straight.distance(position[nodes[a]]) > rounding * cell->diameter())
      return true;
  }
  return false;
}

template <int dim>
void Discretisation<dim>::make_batches()
{
  std::map<std::tuple<bool, unsigned int, bool>, std::vector<Cell>> groups;  // (ghost, material, curved): cells
  for (const auto &cell : handler.active_cell_iterators())
    if (!cell->is_artificial())
      groups[{cell->is_ghost(), cell->material_id(), is_curved(cell)}].push_back(cell);

  const int nodes = family.stiffness.nodes;
  for (const auto &[key, cells] : groups)
    for (std::size_t first = 0; first < cells.size(); first += lanes)
    {
      Batch batch;
      batch.ghost = std::get<0>(key);
      batch.material = std::get<1>(key);
      batch.filled = std::min<std::size_t>(lanes, cells.size() - first);
      const std::size_t node_offset = node.size();
      node.resize(node_offset + nodes * lanes);
      for (int lane = 0; lane < lanes; ++lane)
      {
        const Cell &cell = cells[first + (lane < batch.filled ? lane : 0)];
        batch.cell[lane] = cell->active_cell_index();
        const auto local = cell_nodes(cell);
        for (int a = 0; a < nodes; ++a)
          node[node_offset + a * lanes + lane] = local[a];
      }
      batches.push_back(batch);
      batches.back().map = prepared.size();
      batches.back().affine = kernels->prepare(batch_vertices(batches.size() - 1), prepared);
      n_owned_batches += !batch.ghost;
    }
  double smallest = std::numeric_limits<double>::max();
  for (const auto &cell : handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int line : cell->line_indices())
        smallest = std::min(smallest, cell->line(line)->diameter());
  smallest_edge = MPI::min(smallest, communicator);
}

template <int dim>
typename Discretisation<dim>::Vertices Discretisation<dim>::batch_vertices(const std::size_t batch) const
{
  Vertices vertices;
  for (int v = 0; v < family.stiffness.vertices; ++v)
    for (int lane = 0; lane < lanes; ++lane)
      for (int d = 0; d < dim; ++d)
        vertices.X[v * dim + d].set(lane, position[batch_nodes(batch)[v * lanes + lane]][d]);
  return vertices;
}

template <int dim>
void Discretisation<dim>::check_geometry() const
{
  check_jacobians(*this);
}

template <int dim>
void Discretisation<dim>::gather(const std::size_t batch, const Vector &x, Wide *u) const
{
  const double *values = x.begin();
  const unsigned int *nodes = batch_nodes(batch);
  for (int a = 0; a < family.stiffness.nodes; ++a)
    load_node<dim>(values, nodes + a * lanes, u + a * dim);
}

template <int dim>
void Discretisation<dim>::scatter_add(const std::size_t batch, const Wide *f, Vector &x) const
{
  double *values = x.begin();
  const unsigned int *nodes = batch_nodes(batch);
  for (int a = 0; a < family.stiffness.nodes; ++a)
    add_to_node<dim>(f + a * dim, nodes + a * lanes, batches[batch].filled, values);
}

template <int dim>
std::vector<std::uint64_t> Discretisation<dim>::node_identities() const
{
  std::vector<std::uint64_t> identities(n_owned, std::numeric_limits<std::uint64_t>::max());
  for (const auto &cell : handler.active_cell_iterators())
    if (!cell->is_artificial())
    {
      const auto nodes = cell_nodes(cell);
      const auto place = cell->id().template to_binary<dim>();
      for (std::uint32_t a = 0; a < nodes.size(); ++a)
        if (int(nodes[a]) < n_owned)
        {
          const PhiloxCounter bits = philox({place[0], place[1], place[2], place[3]}, {a, 0});
          identities[nodes[a]] = std::min(identities[nodes[a]], (std::uint64_t(bits[0]) << 32 | bits[1]) >> 2);
        }
    }
  return identities;
}

template <int dim>
const std::set<dealii::types::boundary_id> &Discretisation<dim>::boundary_ids(const std::string &name) const
{
  const auto found = boundaries.find(name);
  if (found == boundaries.end())
    throw InputError(fmt::format("boundary '{}' does not exist; the mesh has: {}", name, join(nearest_first(name, boundary_names()))));
  return found->second;
}

template <int dim>
std::vector<std::string> Discretisation<dim>::boundary_names() const
{
  std::vector<std::string> names;
  for (const auto &entry : boundaries)
    names.push_back(entry.first);
  return names;
}

template <int dim>
std::vector<typename Discretisation<dim>::BoundaryFace> Discretisation<dim>::boundary_faces(const std::string &name,
                                                                                            const bool with_ghosts) const
{
  const auto &ids = boundary_ids(name);
  std::vector<BoundaryFace> faces;
  for (const auto &cell : handler.active_cell_iterators())
    if (cell->is_locally_owned() || (with_ghosts && cell->is_ghost()))
      for (const unsigned int face : cell->face_indices())
        if (cell->face(face)->at_boundary() && ids.count(cell->face(face)->boundary_id()))
          faces.push_back({cell, face});
  return faces;
}

template <int dim>
std::vector<typename Discretisation<dim>::BoundaryFace> Discretisation<dim>::boundary_faces(const std::vector<std::string> &names,
                                                                                            const bool with_ghosts) const
{
  std::vector<BoundaryFace> faces;
  std::set<std::pair<unsigned int, unsigned int>> known;
  for (const std::string &name : names)
    for (const BoundaryFace &face : boundary_faces(name, with_ghosts))
      if (known.emplace(face.cell->active_cell_index(), face.face).second)
        faces.push_back(face);
  return faces;
}

template <int dim>
std::vector<unsigned int> Discretisation<dim>::boundary_nodes(const std::string &name) const
{
  const auto &ids = boundary_ids(name);
  // A rank may own a node on a boundary of which it sees no face: faces of ghost cells count, and owners are told.
  Vector marked(node_partitioner);
  for (const auto &cell : handler.active_cell_iterators())
    if (!cell->is_artificial())
      for (const unsigned int face : cell->face_indices())
        if (cell->face(face)->at_boundary() && ids.count(cell->face(face)->boundary_id()))
        {
          // Not has_support_on_face: that of FE_SimplexP says yes to every node of the cell.
          std::vector<dealii::types::global_dof_index> nodes(family.fe->n_dofs_per_face(face));
          cell->face(face)->get_dof_indices(nodes);
          for (const auto node : nodes)
            marked.local_element(node_partitioner->global_to_local(site_of(node))) = 1.;
        }
  marked.compress(dealii::VectorOperation::add);
  marked.update_ghost_values();
  std::vector<unsigned int> nodes;
  for (int n = 0; n < n_local_nodes(); ++n)
    if (marked.local_element(n) > 0.)
      nodes.push_back(n);
  return nodes;
}

template class Discretisation<2>;
template class Discretisation<3>;
}  // namespace symdyn
