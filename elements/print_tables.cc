#include "elements/print_tables.h"

#include <deal.II/base/mpi.h>
#include <deal.II/fe/fe_values.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include "elements/cell_stress.h"
#include "elements/integration_points.h"
#include "solver/energy.h"
#include "solver/error.h"
#include "solver/mode_tables.h"
#include "solver/names.h"
#include "solver/parameters.h"
#include "solver/together.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
const std::vector<std::string> of_nodes_known = {"U", "V", "RF"}, of_elements_known = {"S", "E", "ENER"};

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
  p.add("Points", points, "of nodes: points that stand in the table too");
  p.add("Numbers", numbers, "of these points in the table", {1, std::numeric_limits<int>::max()});
  axes.declare(p, dim);
  p.add("Axes of", axes_of, "of nodes: sets and numbers of those that have these Axes; default: all");
  p.add("Totals", totals, "of forces: no, the nodes alone; yes: and their sum; only: the sum", {"no", "yes", "only"});
  p.add("Every", every, "steps or increments; the last of a stage is always written", between(1, 1000000000));
  p.add("Times", times, "instead of Every: the first step at or after each of these times since the start of the stage [s], and the last", positive());
  p.add("Start", start, "the time that is written at the start of the stage [s]; default: t; of a static stage with a Period: 0");
  p.add("Period", period, "of a static stage: its length in the times that are written [s]; default: the time stands still", positive());
}

template <int dim>
bool PrintTables<dim>::Table::due(const PrintMoment &moment) const
{
  if (moment.last || times.empty())
    return ++count % every == 0 || moment.last;
  const double from = reached;
  reached = (in_time ? moment.since : moment.part * period) * (1. + 1e-9);
  return std::any_of(times.begin(), times.end(), [&](const double time) { return time > from && time <= reached; });
}

template <int dim>
void PrintTables<dim>::declare(const Parameters &given)
{
  Parameters p = given;
  add_entries(p);
  for (const std::string &name : p.named_sections())
  {
    Parameters section = p.section(name);
    Table table;
    table.declare(section);
    table.in_time = !section.given("Period");
    table.starts = section.given("Start");
    table.where = section.where();
    if (section.given("Times") && section.given("Every"))
      section.fail("Times", "the table has Every, too. Keep one of them");
    if (table.nodes.empty() == table.elements.empty())
      section.fail("Nodes", "give either Nodes or Elements");
    const auto &known = table.nodes.empty() ? of_elements_known : of_nodes_known;
    for (const std::string &quantity : table.quantities)
      if (!std::count(known.begin(), known.end(), quantity))
        section.fail("Quantities", fmt::format("'{}' is not known; there are: {}", quantity, join(nearest_first(quantity, known))));
    table.check(section);
    if (table.quantities.empty())
      section.fail("Quantities", "a table needs one of: " + join(known));
    tables.push_back(table);
  }
  if (file.empty() == (modes || !tables.empty()))
    p.fail("File", file.empty() ? "tables need the name of a file" : "there are no tables. Add a section with Nodes or Elements, or set Modes = yes");
}

template <int dim>
void PrintTables<dim>::add_entries(Parameters &p)
{
  p.add("File", file, "in the folder of the results: tables as CalculiX writes them");
  p.add("Modes", modes, "tables of all stages of type modes and harmonic as well: eigenvalues, participation factors, effective masses");
}

template <int dim>
void PrintTables<dim>::document(Parameters p)
{
  PrintTables().add_entries(p);
  Parameters section = p.section("<name>");
  Table().declare(section);
}

template <int dim>
void PrintTables<dim>::print(const FiniteElementSystem<dim> &given_system, const State &given_state, const bool given_statics, const PrintMoment &moment, const PointMotion &points)
{
  if (tables.empty() || given_state.n == last)
    return;
  last = given_state.n;
  of_points = &points;
  look_at(given_system, given_state, nullptr, given_statics);
  std::string text;
  for (const Table &table : tables)
    if ((table.stage.empty() || table.stage == moment.stage) && table.due(moment))
    {
      const double time = !table.in_time ? table.start + moment.part * table.period : table.starts ? table.start + moment.since : state->t;
      text += written(table, time);
    }
  append(text, moment, system->mesh().communicator);
}

template <int dim>
void PrintTables<dim>::print(const FiniteElementSystem<dim> &given_system, const State &given_about, const PrintedField &field, const PrintMoment &moment, const PointMotion &points)
{
  of_points = &points;
  State shown = given_about;
  shown.q = field.field;
  look_at(given_system, shown, &given_about.q, true);
  std::string text;
  for (const Table &table : tables)
    if (table.stage == moment.stage)
    {
      for (const std::string &quantity : table.quantities)
        if (quantity == "V" || (quantity != "U" && quantity != "RF" && !given_system.has(Feature::linear)))
          throw InputError(fmt::format("{}: {} of modes and of harmonic vibration is {}. Leave it out of the Quantities", table.where, quantity,
                                       quantity == "V" ? "not written" : "written for linear materials only"));
      text += written(table, std::isfinite(field.value) ? field.value : table.start + table.period);
    }
  if (!text.empty())
    append(field.heading + text, moment, system->mesh().communicator);
  look_at(given_system, given_about, nullptr, true);
}

template <int dim>
void PrintTables<dim>::look_at(const FiniteElementSystem<dim> &given_system, const State &given_state, const Vector *given_about, const bool given_statics)
{
  system = &given_system;
  state = &given_state;
  about = given_about;
  statics = given_statics;
  if (!names)
    names = std::make_unique<NamedNodes<dim>>(system->mesh());
  state->q.update_ghost_values();
}

template <int dim>
std::string PrintTables<dim>::written(const Table &table, const double time)
{
  std::string text;
  for (const std::string &quantity : table.quantities)
    try
    {
      text += table.nodes.empty() ? of_cells(table, quantity, time) : of_nodes(table, quantity, time);
    }
    catch (const InputError &error)
    {
      throw InputError(table.where + ": " + error.what());
    }
  return text;
}

template <int dim>
void PrintTables<dim>::append(const std::string &text, const PrintMoment &moment, const MPI_Comm communicator)
{
  std::string fault;
  if (MPI::this_mpi_process(communicator) == 0 && !text.empty())
  {
    const std::string name = moment.folder + "/" + file;
    std::ofstream stream(name, begun ? std::ios::app : std::ios::trunc);
    stream << text;
    stream.close();
    if (!stream)
      fault = name + ": could not be written (is the disk full?)";
    begun = true;
  }
  throw_together<ComputationError>(fault, communicator);
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
std::map<long, std::vector<double>> PrintTables<dim>::at_nodes(const std::string &set, const Vector &field) const
{
  std::map<long, std::vector<double>> rows;
  const auto &file = system->mesh().file_nodes;
  const bool bare = file && file->bare.count(set) > 0;
  if (bare)
    for (const long number : file->bare.at(set))
      rows[number].assign(3, 0.);
  if (bare && !file->sets.count(set))
    return rows;
  const auto nodes = names->find(set);
  const Rows values = gathered(nodes, field);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    rows[nodes[i].number] = values[i];
  return rows;
}

template <int dim>
std::string PrintTables<dim>::of_nodes(const Table &table, const std::string &quantity, const double time)
{
  auto rows = at_nodes(table.nodes, quantity == "U" ? state->q : quantity == "V" ? state->v : forces(statics));
  complete(table, quantity, rows);
  const std::string where = fmt::format(" for set {} and time {}", table.nodes, fortran(time)), title = quantity == "U"   ? "displacements (vx,vy,vz)"
                                                                                                        : quantity == "V" ? "velocities (vx,vy,vz)"
                                                                                                                          : "forces (fx,fy,fz)";
  std::string text;
  if (table.totals != "only" || quantity != "RF")
  {
    text += "\n " + title + where + "\n\n";
    for (const auto &[number, values] : rows)
      text += row(fmt::format("{:10d} ", number), values);
  }
  if (quantity == "RF" && table.totals != "no")
  {
    std::vector<double> sum(3, 0.);
    for (const auto &force : rows)
      for (int d = 0; d < 3; ++d)
        sum[d] += force.second[d];
    text += "\n total force (fx,fy,fz)" + where + "\n\n" + row("          ", sum);
  }
  return text;
}

template <int dim>
Vector PrintTables<dim>::forces(const bool at_rest) const
{
  Vector f = system->new_vector();
  if (about)
  {
    system->stiffness(*about, state->q, f);
    if (of_points->on_nodes.size() > 0)
      f += of_points->on_nodes;
    return f;
  }
  system->strain_force(state->q, f);
  const Forces all(*system, *state, at_rest, false);
  if (all.damping.size() > 0)
    f += all.damping;
  if (of_points->on_nodes.size() > 0)
    f += of_points->on_nodes;
  if (!at_rest)
  {
    Vector inertia = system->new_vector();
    system->mass(state->a, inertia);
    f += inertia;
  }
  return f;
}

template <int dim>
typename PrintTables<dim>::Cell PrintTables<dim>::locate(const FileCell<dim> &wanted) const
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
  const Cell found = locate(wanted);
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
  return CellStress<dim>(*system, places).at(F, X, u, system->material_per_volume(found.cell->material_id()));
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
      auto tensor = quantity == "S" ? points[q].stress : points[q].strain;
      if (table.axes.given())
        tensor = table.axes.components(tensor);
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
