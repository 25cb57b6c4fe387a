#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/output/calculix/print_tables.h"
#include "elements/system/cell_stress.h"
#include "solver/error.h"
#include "solver/vibration/mode_tables.h"

// Tables of cells: at the points where CalculiX has its points of integration.
namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// The region of cells of this shape, wherever they are.
template <int dim>
const CellRegion<dim> &region_like(const Discretisation<dim> &mesh, const FileCell<dim> &cell)
{
  return *std::find_if(mesh.regions.begin(), mesh.regions.end(),
                       [&](const CellRegion<dim> &region) { return region.shape().n_vertices() == cell.vertices; });
}

/// Of ENER, PEEQ, PE, CEEQ, SDV: where the numbers stand among what laws remember. A number is the sum of its places, of which each law has
/// one.
std::vector<std::vector<int>> places_of(const std::string &quantity, const std::vector<std::string> &remembered)
{
  std::vector<std::vector<int>> places;
  const auto add = [&](const std::vector<std::string> &names) {
    places.emplace_back();
    for (const std::string &name : names)
      if (const auto at = std::find(remembered.begin(), remembered.end(), name); at != remembered.end())
        places.back().push_back(int(at - remembered.begin()));
  };
  if (quantity == "ENER")
    add({"dissipation"});
  if (quantity == "PEEQ")
    add({"p"});
  if (quantity == "CEEQ")
    add({std::count(remembered.begin(), remembered.end(), "p_creep") > 0 ? "p_creep" : "p"});
  for (const std::string component : {"11", "22", "33", "12", "13", "23"})
    if (quantity == "PE")
      add({"plastic_strain_" + component, "creep_strain_" + component, "inelastic_strain_" + component});
  for (const std::string &name : remembered)
    if (quantity == "SDV" && name.rfind(quantity, 0) == 0)
      add({name});
  return places;
}

std::string title_of(const std::string &quantity)
{
  static const std::map<std::string, std::string> titles = {
      {"S", "stresses (elem, integ.pnt.,sxx,syy,szz,sxy,sxz,syz)"},         {"E", "strains (elem, integ.pnt.,exx,eyy,ezz,exy,exz,eyz)"},
      {"ENER", "internal energy density (elem, integ.pnt.,eneri)"},         {"PEEQ", "equivalent plastic strain (elem, integ.pnt.,pe)"},
      {"PE", "plastic strains (elem, integ.pnt.,pxx,pyy,pzz,pxy,pxz,pyz)"}, {"CEEQ", "equivalent creep strain (elem, integ.pnt.,ce)"},
      {"SDV", "internal state variables (elem, integ.pnt.,values)"}};
  return titles.at(quantity);
}

dealii::SymmetricTensor<2, 3> tensor_of(const std::vector<double> &all)
{
  dealii::SymmetricTensor<2, 3> tensor;
  tensor[0][0] = all[0];
  tensor[1][1] = all[1];
  tensor[2][2] = all[2];
  tensor[0][1] = all[3];
  tensor[0][2] = all[4];
  tensor[1][2] = all[5];
  return tensor;
}

/// The numbers of a quantity at a point. `places`: of those that laws remember.
std::vector<double> numbers_of(const PrintTable &table, const std::string &quantity, const PointStress &point,
                               const std::vector<std::vector<int>> &places)
{
  std::vector<double> numbers(places.size(), quantity == "ENER" ? point.energy : 0.);
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const int place : places[i])
      numbers[i] += point.remembered.at(place);
  if (quantity != "S" && quantity != "E" && quantity != "PE")
    return numbers;
  auto tensor = quantity == "S" ? point.stress : quantity == "E" ? point.strain : tensor_of(numbers);
  if (table.axes.given())
    tensor = table.axes.components(tensor);
  return {tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1], tensor[0][2], tensor[1][2]};
}
}  // namespace

template <int dim>
const typename PrintTables<dim>::Cell &PrintTables<dim>::locate(const FileCell<dim> &wanted) const
{
  const auto known = located.find(&wanted);
  return known != located.end() ? known->second : located.emplace(&wanted, search(wanted)).first->second;
}

template <int dim>
typename PrintTables<dim>::Cell PrintTables<dim>::search(const FileCell<dim> &wanted) const
{
  const Discretisation<dim> &mesh = system->mesh();
  const unsigned int n = wanted.vertices;
  const dealii::Point<dim> centre = centre_of(wanted);
  Cell found;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned() && cell->center().distance(centre) < 1e-3 * mesh.smallest_edge)
      found.cell = cell;
  if (found.cell.state() != dealii::IteratorState::valid)
    return found;
  const CellRegion<dim> &region = mesh.region_of(found.cell);
  const dealii::ReferenceCell reference = region.shape();
  // Each corner of the file is a vertex of the cell: the coordinates of one in the other are linear.
  std::vector<dealii::Point<dim>> vertex(n);
  for (unsigned int i = 0; i < n; ++i)
  {
    unsigned int nearest = 0;
    for (const unsigned int v : found.cell->vertex_indices())
      if (found.cell->vertex(v).distance(wanted.corners[i]) < found.cell->vertex(nearest).distance(wanted.corners[i]))
        nearest = v;
    vertex[i] = reference.template vertex<dim>(nearest);
  }
  for (const dealii::Point<dim> &unit : region.family.formulation->table_points(wanted.points))
  {
    found.points.emplace_back();
    for (unsigned int i = 0; i < n; ++i)
      found.points.back() += reference.d_linear_shape_function(unit, i) * vertex[i];
  }
  return found;
}

template <int dim>
std::vector<PointStress> PrintTables<dim>::at_points(const FileCell<dim> &wanted) const
{
  const Discretisation<dim> &mesh = system->mesh();
  const Cell &found = locate(wanted);
  if (found.points.empty())
    return {};
  const dealii::Quadrature<dim> places(found.points);
  const CellRegion<dim> &region = mesh.region_of(found.cell);
  dealii::FEValues<dim> fe(*region.mapping, *region.family.fe, places, dealii::update_gradients);
  fe.reinit(typename dealii::Triangulation<dim>::cell_iterator(found.cell));
  const auto nodes = mesh.cell_nodes(found.cell);
  std::vector<Matrix<3>> F(places.size());
  for (Matrix<3> &one : F)
    for (int i = 0; i < 3; ++i)
      one[i][i] = 1.;
  std::vector<Wide> X, u;
  for (const unsigned int v : found.cell->vertex_indices())
    for (int d = 0; d < dim; ++d)
      X.emplace_back(found.cell->vertex(v)[d]);
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int i = 0; i < dim; ++i)
    {
      u.emplace_back(state->q.local_element(dim * nodes[a] + i));
      for (const unsigned int q : fe.quadrature_point_indices())
        for (int J = 0; J < dim; ++J)
          F[q][i][J] += u.back() * Wide(fe.shape_grad(a, q)[J]);
    }
  return CellStress<dim>(*system, [&](const CellRegion<dim> &) { return places; }).at(found.cell, F, X, u, *state);
}

template <int dim>
std::string PrintTables<dim>::of_cells(const PrintTable &table, const std::string &quantity, const double time)
{
  const Discretisation<dim> &mesh = system->mesh();
  if (!mesh.file_nodes || !mesh.file_nodes->cell_sets.count(table.elements))
    throw InputError(fmt::format("the mesh's file has no *EL PRINT of a set of elements '{}'", table.elements));
  if (PrintTable::is_of_whole_elements(quantity))
    return of_whole_cells(table, quantity, time);
  const std::string where = fmt::format(" for set {} and time {}\n\n", table.elements, fortran(time));
  std::string text = "\n " + title_of(quantity) + where;
  const auto places = places_of(quantity, RememberedFields(system->all_parts().materials).names());
  const std::size_t components = quantity == "S" || quantity == "E" ? 6 : places.size();
  if (components == 0)
    throw InputError(fmt::format("{}: 'SDV' in Quantities: no material of a user stands in the body. Remove it", table.where));
  for (const FileCell<dim> &cell : mesh.file_nodes->cell_sets.at(table.elements))
  {
    const std::vector<PointStress> points = at_points(cell);
    const std::size_t in_plane = region_like(mesh, cell).family.formulation->table_points(cell.points).size();
    std::vector<double> values(in_plane * components, 0.);
    for (std::size_t q = 0; q < points.size(); ++q)
    {
      const std::vector<double> all = numbers_of(table, quantity, points[q], places);
      std::copy(all.begin(), all.end(), &values[q * components]);
    }
    MPI::sum(values, mesh.communicator, values);
    for (std::size_t q = 0; q < cell.points; ++q)  // layers of plane elements are alike
      text += table_row(fmt::format("{:10d} {:3d}", cell.number, q + 1),
                        {&values[q % in_plane * components], &values[q % in_plane * components] + components});
  }
  return text;
}

template std::string PrintTables<2>::of_cells(const PrintTable &, const std::string &, double);
template std::string PrintTables<3>::of_cells(const PrintTable &, const std::string &, double);
}  // namespace symdyn
