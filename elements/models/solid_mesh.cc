#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/models/placed.h"
#include "elements/models/solid.h"
#include "elements/space/moved_surface.h"
#include "elements/space/round_nodes.h"
#include "elements/system/size_check.h"
#include "solver/error.h"

// The mesh of a solid: made or read, checked against what the deck asks of it, and against the memory there is.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
constexpr double simplices_of_a_cell(const int dim) { return dim == 2 ? 8. : 24.; }

/// Of cells of these shapes, by how many there are of each. A combination that does not exist is forecast as standard: it is refused where
/// elements are made.
template <int dim>
void forecast_cells(const std::vector<std::pair<double, dealii::ReferenceCell>> &shapes, const std::string &element, MeshForecast &forecast)
{
  std::vector<std::pair<double, CellForecast>> cells, linear;
  forecast.coarse_cells = 0.;
  for (const auto &[count, shape] : shapes)
  {
    const auto standard = any_formulation<dim>("standard", shape);
    const auto wanted = has_formulation<dim>(element, shape) ? any_formulation<dim>(element, shape) : standard;
    forecast.coarse_cells += count;
    cells.emplace_back(count, wanted->forecast(forecast.degree, forecast.refinements));
    linear.emplace_back(count, standard->forecast(1, forecast.refinements));
  }
  forecast.cell = mean_forecast(cells);
  forecast.linear_cell = mean_forecast(linear);
}

template <int dim>
std::vector<std::pair<double, dealii::ReferenceCell>> count_shapes(const dealii::Triangulation<dim> &mesh)
{
  std::vector<std::pair<double, dealii::ReferenceCell>> counts;
  for (const dealii::ReferenceCell &shape : mesh.get_reference_cells())
    counts.emplace_back(0., shape);
  for (const auto &cell : mesh.active_cell_iterators())
    for (auto &[count, shape] : counts)
      count += shape == cell->reference_cell();
  return counts;
}
}  // namespace

template <int dim>
CoarseMesh<dim> Solid<dim>::make_mesh()
{
  const MeshChoice &m = mesh_choice;
  const bool to_be_cut = m.cell_shape == "tetrahedra";
  const dealii::ReferenceCell simplex = dealii::ReferenceCells::get_simplex<dim>(), cube = dealii::ReferenceCells::get_hypercube<dim>();
  MeshForecast forecast;
  forecast.dim = dim;
  forecast.degree = m.degree;
  forecast.refinements = m.refinements;
  CoarseMesh<dim> mesh;
  if (m.generator)
  {
    const double count = placed(m.where, [&] { return m.generator->number_of_cells(m.cells); });
    forecast_cells<dim>({to_be_cut ? std::pair{count * simplices_of_a_cell(dim), simplex} : std::pair{count, cube}}, m.element, forecast);
    check_size_of(forecast);  // before the mesh is made
    placed(m.where, [&] { m.generator->make(m.cells, mesh); });
    forecast.curved = m.degree > 1 && has_arcs(mesh.cells);
    if (forecast.curved)
      check_size_of(forecast);
  }
  else
  {
    placed(m.where, [&] { read_mesh(m.file_path, mesh, surface.groups_of_solid()); });
    check_choice_for_shapes(mesh);
    take_order_of(mesh);
    forecast.degree = m.degree;
    forecast.curved = !mesh.nodes.empty();
    auto shapes = count_shapes(mesh.cells);
    if (to_be_cut && !mesh.cells.all_reference_cells_are_simplex())
      shapes = {{mesh.cells.n_active_cells() * simplices_of_a_cell(dim), simplex}};
    forecast_cells<dim>(shapes, m.element, forecast);
    check_size_of(forecast);
  }
  if (to_be_cut && !mesh.cells.all_reference_cells_are_simplex())
    placed(m.where, [&] { to_simplices(mesh); });
  return mesh;
}

template <int dim>
std::shared_ptr<Discretisation<dim>> Solid<dim>::discretise(CoarseMesh<dim> &&coarse)
{
  bool of_part = false;  // an error of a part has its own place
  const auto adjust = [&](Discretisation<dim> &made) {
    MovedSurface<dim> surface_of_mesh(made);
    of_part = true;
    structure_parts.adjust(surface_of_mesh);
    of_part = false;
  };
  const MeshChoice &m = mesh_choice;
  if (const auto shapes = coarse.cells.get_reference_cells(); shapes.size() == 1)
    placed(m.where_element, [&] { find_formulation<dim>(m.element, shapes.front(), m.degree); });
  try
  {
    auto mesh = std::make_shared<Discretisation<dim>>(std::move(coarse), m.degree, m.refinements, m.element, adjust);
    for (const auto &[id, use] : parts.materials)
      mesh->thickness[id] = use.thickness;
    return mesh;
  }
  catch (const InputError &error)
  {
    throw of_part ? error : InputError(m.where + ": " + error.what());
  }
}

template <int dim>
void Solid<dim>::check_choice_for_shapes(const CoarseMesh<dim> &mesh) const
{
  const MeshChoice &m = mesh_choice;
  const std::vector<dealii::ReferenceCell> shapes = mesh.cells.get_reference_cells();
  if (shapes.size() == 1 && (shapes.front().is_simplex() || shapes.front().is_hyper_cube()))
    return;
  const bool mixed = shapes.size() > 1;
  const std::string what = mixed ? "cells of several shapes" : any_formulation<dim>("standard", shapes.front())->cells();
  if (m.refinements > 0)
    throw InputError(
        fmt::format("{}: {} cannot be refined. Set Refinements = 0 and mesh finer", m.where_size, mixed ? what : "cells that are " + what));
  if (m.cell_shape == "tetrahedra")
    throw InputError(fmt::format("{}: {} cannot be cut into tetrahedra. Remove \"Cell shape\", or mesh with tetrahedra", m.where, what));
  if (m.degree > 2)
    throw InputError(fmt::format("{}: {} have Order = 1 or 2, not {}", m.where_element, what, m.degree));
  const auto exists = [&](const dealii::ReferenceCell &shape) { return has_formulation<dim>(m.element, shape); };
  if (std::none_of(shapes.begin(), shapes.end(), exists))
    throw InputError(fmt::format("{}: {} have Element = standard; {} is of hexahedra. Remove the entry, or mesh with hexahedra",
                                 m.where_element, what, m.element));
}

template <int dim>
void Solid<dim>::take_order_of(const CoarseMesh<dim> &mesh)
{
  MeshChoice &m = mesh_choice;
  if (mesh.nodes.empty())
    return;
  const bool simplices = mesh.cells.all_reference_cells_are_simplex(), middles_of_lines = mesh.nodes_of_cell == (dim == 2 ? 8 : 20);
  const std::string place = m.degree_given || m.element_given ? m.where_element : m.where;
  const std::string is = fmt::format("{}: the mesh is of second order, with {} nodes a cell", place, mesh.nodes_of_cell);
  if (m.degree_given && m.degree != 2)
    throw InputError(is + ": its elements have Order = 2. Remove the entry, or save the mesh with elements of first order");
  if (m.refinements > 0)
    throw InputError(is + ": it cannot be refined. Set Refinements = 0 and mesh finer");
  if (m.cell_shape == "tetrahedra" && !simplices)
    throw InputError(is + ": its cells cannot be cut into tetrahedra. Remove \"Cell shape\", or mesh with tetrahedra or triangles");
  const bool needed = !simplices && middles_of_lines;
  const std::vector<dealii::ReferenceCell> shapes = mesh.cells.get_reference_cells();
  const auto cube = std::find(shapes.begin(), shapes.end(), dealii::ReferenceCells::get_hypercube<dim>());
  const auto formulation = any_formulation<dim>(m.element, cube == shapes.end() ? shapes.front() : *cube);
  if (m.element_given && !(formulation && formulation->forecast(2, 0).nodes == mesh.nodes_of_cell))
    throw InputError(is + (needed ? ": that is Element = serendipity or serendipity-reduced" : ": that is Element = standard") + ", not " +
                     m.element);
  m.degree = 2;
  if (needed && !m.element_given)
    m.element = "serendipity";
}

template <int dim>
void Solid<dim>::check_size_of(const MeshForecast mesh) const
{
  constexpr double GiB = 1073741824.;
  const bool follows = std::any_of(parts.loads.begin(), parts.loads.end(), [](const auto &use) { return use.load->follows(); });
  const Workload work{this->needs_tangent, parts.mass_type == MassType::consistent, !follows, parts.linear_solver->name(), this->modes,
                      this->solves_complex};
  check_size(mesh, work, {mesh_choice.where_size, mesh_choice.memory_limit * GiB});
  memory = estimate_memory(mesh, work).total(MPI::n_mpi_processes(MPI_COMM_WORLD));
}

template std::shared_ptr<Discretisation<2>> Solid<2>::discretise(CoarseMesh<2> &&);
template std::shared_ptr<Discretisation<3>> Solid<3>::discretise(CoarseMesh<3> &&);
template CoarseMesh<2> Solid<2>::make_mesh();
template CoarseMesh<3> Solid<3>::make_mesh();
}  // namespace symdyn
