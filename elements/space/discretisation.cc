#include "elements/space/discretisation.h"

#include <deal.II/base/mpi.h>
#include <deal.II/distributed/fully_distributed_tria.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria_description.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "elements/mesh_faces.h"
#include "elements/space/cell_jacobians.h"
#include "elements/space/geometry_mapping.h"
#include "elements/space/round_nodes.h"
#include "elements/space/shared_nodes.h"
#include "meshes/grid/hinges.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/random.h"

namespace symdyn
{
using dealii::IndexSet;
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Of the shapes of a mesh, those for which it exists have the formulation. Errors: InputError if that is none of several.
template <int dim>
std::string formulation_for(const dealii::ReferenceCell &shape, const std::vector<dealii::ReferenceCell> &shapes, const std::string &name)
{
  const auto exists = [&](const dealii::ReferenceCell &cell) { return has_formulation<dim>(name, cell); };
  return exists(shape) || std::none_of(shapes.begin(), shapes.end(), exists) ? name : "standard";
}

template <int dim>
void make_regions(Discretisation<dim> &mesh, const std::vector<dealii::ReferenceCell> &shapes, const int degree,
                  const std::string &formulation, const bool curved)
{
  mesh.regions.clear();
  mesh.regions.reserve(shapes.size());
  for (const dealii::ReferenceCell &shape : shapes)
    mesh.regions.emplace_back(shape, degree, formulation_for<dim>(shape, shapes, formulation), curved, mesh.position);
}

template <int dim>
std::vector<dealii::ReferenceCell> mesh_shapes(const std::vector<CellRegion<dim>> &regions)
{
  std::vector<dealii::ReferenceCell> shapes;
  for (const CellRegion<dim> &region : regions)
    shapes.push_back(region.shape());
  return shapes;
}
}  // namespace

template <int dim>
Discretisation<dim>::Discretisation(CoarseMesh<dim> &&mesh, const int degree, const int refinements, const std::string &formulation,
                                    const AdjustMesh<dim> &adjust)
    : communicator(MPI_COMM_WORLD),
      materials(mesh.materials),
      boundaries(mesh.boundaries),
      file_nodes(mesh.file_nodes),
      of_cells(formulation),
      coarse_nodes(std::move(mesh.nodes))
{
  const std::vector<dealii::ReferenceCell> shapes = mesh.cells.get_reference_cells();
  const bool curved = !coarse_nodes.empty() || (degree > 1 && has_arcs(mesh.cells));
  make_regions(*this, shapes, degree, of_cells, curved);
  if (curved && coarse_nodes.empty())
    arcs = mesh.cells.get_manifold(mesh.cells.begin_active()->manifold_id()).clone();
  else if (curved && (refinements > 0 || (shapes.size() == 1 && int(mesh.nodes_of_cell) != regions.front().n_nodes())))
    throw InputError(fmt::format(
        "the mesh is of second order, with {} nodes a cell: elements have the same nodes ({} now), and Refinements must be 0. Mesh finer, or of "
        "first order",
        mesh.nodes_of_cell, regions.front().n_nodes()));
  std::size_t next = 0;
  for (const auto &cell : mesh.cells.active_cell_iterators())
    for (const CellRegion<dim> &region : regions)
      if (!coarse_nodes.empty() && region.shape() == cell->reference_cell())
      {
        first_node.push_back(next);
        next += region.n_nodes();
      }
  distribute(std::move(mesh), refinements);
  make_spaces(adjust);
}

template <int dim>
Discretisation<dim>::Discretisation(const Discretisation &other, const int degree)
    : communicator(other.communicator),
      triangulation(other.triangulation),
      materials(other.materials),
      boundaries(other.boundaries),
      file_nodes(other.file_nodes)
{
  has_all_file_nodes = degree >= other.degree();
  regions.reserve(other.regions.size());
  for (const CellRegion<dim> &region : other.regions)
    regions.emplace_back(region.shape(), degree, "standard", false, position);
  make_spaces();
}

template <int dim>
void Discretisation<dim>::make_spaces(const AdjustMesh<dim> &adjust)
{
  for (CellRegion<dim> &region : regions)
    region.mapping = straight_mapping<dim>(region.shape());
  number_nodes();
  place_nodes();
  measure_edges();
  if (adjust)
    adjust(*this);
  if (const bool moved = !position_in_file.empty(); moved && degree() > 1 && !regions.front().family.curved)
    make_regions(*this, mesh_shapes(regions), degree(), of_cells, true);
  for (CellRegion<dim> &region : regions)
    if (region.family.curved || !position_in_file.empty())
      region.mapping = make_node_mapping(*this, region);
  make_batches();
  check_jacobians(*this);
}

template <int dim>
void Discretisation<dim>::distribute(CoarseMesh<dim> &&mesh, const int refinements)
{
  const unsigned int ranks = MPI::n_mpi_processes(communicator);
  if (!mesh.cells.all_reference_cells_are_hyper_cube() || (ranks > 1 && has_hinges(mesh.cells)))
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
  if (regions.size() == 1)
    handler.distribute_dofs(*regions.front().family.fe);
  else
    distribute_shared_nodes(regions, handler);
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
  for (const auto &cell : handler.active_cell_iterators())
    if (!cell->is_artificial())
    {
      const auto nodes = cell_nodes(cell);
      const auto at = places(cell);
      for (unsigned int a = 0; a < nodes.size(); ++a)
        position[nodes[a]] = at[a];
    }
  coarse_nodes = {};
  first_node = {};
  arcs.reset();
}

template <int dim>
std::vector<dealii::Point<dim>> Discretisation<dim>::places(const Cell &cell) const
{
  const CellRegion<dim> &region = region_of(cell);
  if (arcs)
    return nodes_along_arcs<dim>(*cell, *region.family.fe, *arcs);
  std::vector<dealii::Point<dim>> at;
  if (!region.family.curved)
  {
    for (const dealii::Point<dim> &xi : region.family.fe->get_unit_support_points())
      at.push_back(region.mapping->transform_unit_to_real_cell(cell, xi));
    return at;
  }
  // The ids of p4est's cells are places along its curve; all its coarse cells are on every rank, under their own index.
  const bool by_p4est = dynamic_cast<const dealii::parallel::distributed::Triangulation<dim> *>(triangulation.get()) != nullptr;
  const std::size_t first = first_node[by_p4est ? cell->index() : cell->id().get_coarse_cell_id()];
  at.assign(coarse_nodes.begin() + first, coarse_nodes.begin() + first + region.n_nodes());
  return at;
}

template <int dim>
std::vector<unsigned int> Discretisation<dim>::cell_nodes(const Cell &cell) const
{
  std::vector<dealii::types::global_dof_index> global(region_of(cell).n_nodes());
  cell->get_dof_indices(global);
  std::vector<unsigned int> local(global.size());
  std::transform(global.begin(), global.end(), local.begin(),
                 [&](auto index) { return node_partitioner->global_to_local(site_of(index)); });
  return local;
}

template <int dim>
bool Discretisation<dim>::has_curved_edges(const Cell &cell) const
{
  const ElementFamily<dim> &family = region_of(cell).family;
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
  // (ghost, material, curved, region): cells
  std::map<std::tuple<bool, unsigned int, bool, unsigned int>, std::vector<Cell>> groups;
  for (const auto &cell : handler.active_cell_iterators())
    if (!cell->is_artificial())
      groups[{cell->is_ghost(), cell->material_id(), has_curved_edges(cell), cell->active_fe_index()}].push_back(cell);

  for (const auto &[key, cells] : groups)
    for (std::size_t first = 0; first < cells.size(); first += lanes)
    {
      typename CellRegion<dim>::Batch batch;
      batch.ghost = std::get<0>(key);
      batch.material = std::get<1>(key);
      const std::vector<Cell> some(cells.begin() + first, cells.begin() + std::min<std::size_t>(first + lanes, cells.size()));
      std::vector<std::vector<unsigned int>> nodes;
      for (const Cell &cell : some)
        nodes.push_back(cell_nodes(cell));
      regions[std::get<3>(key)].add_batch(batch, some, nodes);
    }
}

template <int dim>
void Discretisation<dim>::measure_edges()
{
  double smallest = std::numeric_limits<double>::max();
  for (const auto &cell : handler.active_cell_iterators())
    if (cell->is_locally_owned())
      for (const unsigned int line : cell->line_indices())
        smallest = std::min(smallest, cell->line(line)->diameter());
  smallest_edge = MPI::min(smallest, communicator);
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
  const bool every = name == whole_surface;
  const std::set<dealii::types::boundary_id> ids = every ? std::set<dealii::types::boundary_id>{} : boundary_ids(name);
  std::vector<BoundaryFace> faces;
  for (const auto &cell : handler.active_cell_iterators())
    if (cell->is_locally_owned() || (with_ghosts && cell->is_ghost()))
      for (const unsigned int face : cell->face_indices())
        if (cell->face(face)->at_boundary() && (every || ids.count(cell->face(face)->boundary_id())))
          faces.push_back({cell, face});
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
          const std::vector<unsigned int> nodes = cell_nodes(cell);
          for (const unsigned int a : region_of(cell).nodes_of_face(face))
            marked.local_element(nodes[a]) = 1.;
        }
  marked.compress(dealii::VectorOperation::add);
  marked.update_ghost_values();
  std::vector<unsigned int> nodes;
  for (int n = 0; n < n_local_nodes(); ++n)
    if (marked.local_element(n) > 0.)
      nodes.push_back(n);
  return nodes;
}

template <int dim>
std::vector<std::uint64_t> node_identities(const Discretisation<dim> &mesh)
{
  std::vector<std::uint64_t> identities(mesh.n_owned_nodes(), std::numeric_limits<std::uint64_t>::max());
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (!cell->is_artificial())
    {
      const auto nodes = mesh.cell_nodes(cell);
      const auto place = cell->id().template to_binary<dim>();
      for (std::uint32_t a = 0; a < nodes.size(); ++a)
        if (int(nodes[a]) < mesh.n_owned_nodes())
        {
          const PhiloxCounter bits = philox({place[0], place[1], place[2], place[3]}, {a, 0});
          identities[nodes[a]] = std::min(identities[nodes[a]], (std::uint64_t(bits[0]) << 32 | bits[1]) >> 2);
        }
    }
  return identities;
}

template <int dim>
std::vector<typename Discretisation<dim>::BoundaryFace> boundary_faces(const Discretisation<dim> &mesh,
                                                                       const std::vector<std::string> &names, const bool with_ghosts)
{
  std::vector<typename Discretisation<dim>::BoundaryFace> faces;
  std::set<std::pair<unsigned int, unsigned int>> known;
  for (const std::string &name : names)
    for (const auto &face : mesh.boundary_faces(name, with_ghosts))
      if (known.emplace(face.cell->active_cell_index(), face.face).second)
        faces.push_back(face);
  return faces;
}

template class Discretisation<2>;
template class Discretisation<3>;
template std::vector<std::uint64_t> node_identities(const Discretisation<2> &);
template std::vector<std::uint64_t> node_identities(const Discretisation<3> &);
template std::vector<Discretisation<2>::BoundaryFace> boundary_faces(const Discretisation<2> &, const std::vector<std::string> &, bool);
template std::vector<Discretisation<3>::BoundaryFace> boundary_faces(const Discretisation<3> &, const std::vector<std::string> &, bool);
}  // namespace symdyn
