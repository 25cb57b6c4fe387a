#include "elements/print_tables.h"

#include <deal.II/base/mpi.h>
#include <deal.II/fe/fe_values.h>
#include <fmt/format.h>

#include <algorithm>

#include "elements/cell_stress.h"
#include "elements/integration_points.h"
#include "solver/error.h"
#include "solver/names.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
const std::vector<std::string> of_nodes_known = {"U", "V", "RF"}, of_elements_known = {"S", "E", "ENER"};

const char *const file_help = "in the folder of the results, a name that ends in .dat: tables as CalculiX writes them";

/// Fortran's e14.7: 0.1234567E+01.
std::string fortran(const double value)
{
  std::string text = fmt::format("{:.6e}", value);
  const auto e = text.find('e');
  std::string digits;
  for (const char c : text.substr(0, e))
    if (std::isdigit(static_cast<unsigned char>(c)))
      digits += c;
  const int exponent = std::stoi(text.substr(e + 1)) + (value == 0. ? 0 : 1);
  return fmt::format("{}0.{}E{}{:02d}", std::signbit(value) ? "-" : " ", digits, exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string row(const std::string &start, const std::vector<double> &values)
{
  std::string text = start;
  for (const double value : values)
    text += fmt::format(" {:>13}", fmt::format("{:.6E}", value));
  return text + "\n";
}
}  // namespace

template <int dim>
void PrintTables<dim>::Table::declare(Parameters &p)
{
  p.add("Stage", stage, "name of the stage in which the table is written");
  p.add("Nodes", nodes, "set of nodes of the mesh's .inp file");
  p.add("Elements", elements, "or: set of elements of which the mesh's .inp file has an *EL PRINT");
  p.add("Quantities", quantities, "of nodes: " + join(of_nodes_known) + " (displacement, velocity, force); of elements: " + join(of_elements_known) + " (stress, strain, strain energy per volume)");
  p.add("Totals", totals, "of forces: no, the nodes alone; yes: and their sum; only: the sum", {"no", "yes", "only"});
  p.add("Every", every, "steps or increments; the last of a stage is always written", between(1, 1000000000));
  p.add("Start", start, "of a static stage: the time that is written at its start [s]");
  p.add("Period", period, "of a static stage: its length in the times that are written [s]; default: the time stands still", positive());
}

template <int dim>
void PrintTables<dim>::declare(const Parameters &given)
{
  Parameters p = given;
  p.add("File", file, file_help);
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    Table table;
    table.declare(section);
    table.in_time = !section.given("Period");
    table.where = section.where();
    if (table.nodes.empty() == table.elements.empty())
      section.fail("Nodes", "give either Nodes or Elements");
    const auto &known = table.nodes.empty() ? of_elements_known : of_nodes_known;
    for (const std::string &quantity : table.quantities)
      if (!std::count(known.begin(), known.end(), quantity))
        section.fail("Quantities", fmt::format("'{}' is not known; there are: {}", quantity, join(nearest_first(quantity, known))));
    if (table.quantities.empty())
      section.fail("Quantities", "a table needs one of: " + join(known));
    tables.push_back(table);
  }
  if (file.empty() == !tables.empty())
    p.fail("File", tables.empty() ? "there are no tables. Add a section with Nodes or Elements" : "tables need the name of a file");
  const std::string ending = ".dat";
  if (!file.empty() && (file.find('/') != std::string::npos || file.size() <= ending.size() || file.compare(file.size() - ending.size(), ending.size(), ending) != 0))
    p.fail("File", "must be a name without folders that ends in .dat: the file goes to the folder of the results");
}

template <int dim>
void PrintTables<dim>::document(Parameters p)
{
  std::string name;
  p.add("File", name, file_help);
  Parameters section = p.section("<name>");
  Table().declare(section);
}

template <int dim>
bool PrintTables<dim>::are_due(const std::uint64_t n, const PrintMoment &moment)
{
  if (tables.empty() || n == last)  // a stage begins where another has ended
    return false;
  last = n;
  bool any = false;
  for (Table &table : tables)
  {
    const bool in_stage = table.stage.empty() || table.stage == moment.stage;
    table.count += in_stage;
    table.due = in_stage && (table.count % table.every == 0 || moment.last);
    any = any || table.due;
  }
  return any;
}

template <int dim>
std::string PrintTables<dim>::print(const FiniteElementSystem<dim> &given_system, const State &given_state, const PrintMoment &moment)
{
  system = &given_system;
  state = &given_state;
  if (!names)
    names = std::make_unique<NamedNodes<dim>>(system->mesh());
  state->q.update_ghost_values();
  std::string text;
  for (const Table &table : tables)
  {
    const double time = table.in_time ? state->t : table.start + moment.part * table.period;
    for (const std::string &quantity : table.quantities)
      try
      {
        if (table.due)
          text += table.nodes.empty() ? of_cells(table, quantity, time) : of_nodes(table, quantity, time);
      }
      catch (const InputError &error)
      {
        throw InputError(table.where + ": " + error.what());
      }
  }
  return text;
}

template <int dim>
std::vector<std::uint64_t> PrintTables<dim>::saved() const
{
  std::vector<std::uint64_t> counts{last};
  for (const Table &table : tables)
    counts.push_back(table.count);
  return counts;
}

template <int dim>
void PrintTables<dim>::load(const std::vector<std::uint64_t> &saved)
{
  last = saved.at(0);
  for (std::size_t i = 0; i < tables.size(); ++i)
    tables[i].count = saved.at(i + 1);
}

template <int dim>
typename PrintTables<dim>::Rows PrintTables<dim>::gathered(const std::vector<typename NamedNodes<dim>::Node> &nodes, const Vector &field) const
{
  std::vector<double> values(nodes.size() * dim, 0.);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].local < unsigned(system->mesh().n_owned_nodes()))
      for (int d = 0; d < dim; ++d)
        values[i * dim + d] = field.local_element(dim * nodes[i].local + d);
  MPI::sum(values, system->mesh().communicator, values);
  Rows rows;
  for (std::size_t i = 0; i < nodes.size(); ++i)
  {
    rows.emplace_back(3, 0.);
    std::copy_n(&values[i * dim], dim, rows.back().begin());
  }
  return rows;
}

template <int dim>
std::string PrintTables<dim>::of_nodes(const Table &table, const std::string &quantity, const double time)
{
  auto nodes = names->find(table.nodes);
  std::sort(nodes.begin(), nodes.end(), [](const auto &a, const auto &b) { return a.number < b.number; });
  const Rows rows = gathered(nodes, quantity == "U" ? state->q : quantity == "V" ? state->v : forces());
  const std::string where = fmt::format(" for set {} and time {}", table.nodes, fortran(time)), title = quantity == "U"   ? "displacements (vx,vy,vz)"
                                                                                                        : quantity == "V" ? "velocities (vx,vy,vz)"
                                                                                                                          : "forces (fx,fy,fz)";
  std::string text;
  if (table.totals != "only" || quantity != "RF")
  {
    text += "\n " + title + where + "\n\n";
    for (std::size_t i = 0; i < nodes.size(); ++i)
      text += row(fmt::format("{:10d} ", nodes[i].number), rows[i]);
  }
  if (quantity == "RF" && table.totals != "no")
  {
    std::vector<double> sum(3, 0.);
    for (const auto &force : rows)
      for (int d = 0; d < 3; ++d)
        sum[d] += force[d];
    text += "\n total force (fx,fy,fz)" + where + "\n\n" + row("          ", sum);
  }
  return text;
}

template <int dim>
Vector PrintTables<dim>::forces() const
{
  Vector f = system->new_vector();
  system->strain_force(state->q, f);
  return f;
}

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
  const unsigned int n = mesh.family.simplex ? dim + 1 : 1 << dim;
  dealii::Point<dim> centre;
  for (unsigned int i = 0; i < n; ++i)
    centre += wanted.corners[i] / double(n);
  Cell found;
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned() && cell->center().distance(centre) < 1e-3 * mesh.smallest_edge)
      found.cell = cell;
  if (found.cell.state() != dealii::IteratorState::valid)
    return found;
  // Each corner of the file is a vertex of the cell: the coordinates of one in the other are linear.
  const dealii::ReferenceCell reference = mesh.family.simplex ? dealii::ReferenceCells::get_simplex<dim>() : dealii::ReferenceCells::get_hypercube<dim>();
  std::vector<dealii::Point<dim>> vertex(n);
  for (unsigned int i = 0; i < n; ++i)
  {
    unsigned int nearest = 0;
    for (const unsigned int v : found.cell->vertex_indices())
      if (found.cell->vertex(v).distance(wanted.corners[i]) < found.cell->vertex(nearest).distance(wanted.corners[i]))
        nearest = v;
    vertex[i] = reference.template vertex<dim>(nearest);
  }
  for (const dealii::Point<dim> &unit : points_of_tables<dim>(mesh.family.simplex, wanted.points))
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
  dealii::FEValues<dim> fe(*mesh.mapping, *mesh.family.fe, places, dealii::update_gradients);
  fe.reinit(found.cell);
  const auto nodes = mesh.cell_nodes(found.cell);
  std::vector<dealii::Tensor<2, 3>> F(places.size(), dealii::Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()));
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
          F[q][i][J] += u.back()[0] * fe.shape_grad(a, q)[J];
    }
  return CellStress<dim>(*system, places).at(F, X, u, system->material(found.cell->material_id()));
}

template <int dim>
std::string PrintTables<dim>::of_cells(const Table &table, const std::string &quantity, const double time)
{
  const Discretisation<dim> &mesh = system->mesh();
  if (!mesh.file_nodes || !mesh.file_nodes->cell_sets.count(table.elements))
    throw InputError(fmt::format("the mesh's file has no *EL PRINT of a set of elements '{}'", table.elements));
  const std::string where = fmt::format(" for set {} and time {}\n\n", table.elements, fortran(time));
  std::string text = "\n " + std::string(quantity == "S"   ? "stresses (elem, integ.pnt.,sxx,syy,szz,sxy,sxz,syz)"
                                         : quantity == "E" ? "strains (elem, integ.pnt.,exx,eyy,ezz,exy,exz,eyz)"
                                                           : "internal energy density (elem, integ.pnt.,eneri)") + where;
  const std::size_t components = quantity == "ENER" ? 1 : 6;
  for (const FileCell<dim> &cell : mesh.file_nodes->cell_sets.at(table.elements))
  {
    const std::vector<PointStress> points = at_points(cell);
    const std::size_t in_plane = points_of_tables<dim>(mesh.family.simplex, cell.points).size();
    std::vector<double> values(in_plane * components, 0.);
    for (std::size_t q = 0; q < points.size(); ++q)
    {
      const auto &tensor = quantity == "S" ? points[q].stress : points[q].strain;
      const double all[] = {tensor[0][0], tensor[1][1], tensor[2][2], tensor[0][1], tensor[0][2], tensor[1][2]};
      quantity == "ENER" ? void(values[q] = points[q].energy) : void(std::copy_n(all, 6, &values[q * 6]));
    }
    MPI::sum(values, mesh.communicator, values);
    for (std::size_t q = 0; q < cell.points; ++q)  // layers of plane elements are alike
      text += row(fmt::format("{:10d} {:3d}", cell.number, q + 1), {&values[q % in_plane * components], &values[q % in_plane * components] + components});
  }
  return text;
}

template class PrintTables<2>;
template class PrintTables<3>;
}  // namespace symdyn
