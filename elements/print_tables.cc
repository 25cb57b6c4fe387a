#include "elements/print_tables.h"

#include <deal.II/base/mpi.h>
#include <deal.II/fe/fe_values.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "solver/error.h"
#include "solver/mode_tables.h"
#include "solver/names.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
const std::vector<std::string> of_nodes_known = {"U", "V", "RF"}, of_elements_known = {"S", "E", "ENER"};

const char *const file_help = "in the folder of the results, a name that ends in .dat: tables as CalculiX writes them";
}  // namespace

std::string table_row(const std::string &start, const std::vector<double> &values)
{
  std::string text = start;
  for (const double value : values)
    text += fmt::format(" {:>13}", fmt::format("{:.6E}", value));
  return text + "\n";
}

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
bool PrintTables<dim>::Table::due(const PrintMoment &moment)
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
  const std::string ending = ".dat";
  if (!file.empty() && (file.find('/') != std::string::npos || file.size() <= ending.size() || file.compare(file.size() - ending.size(), ending.size(), ending) != 0))
    p.fail("File", "must be a name without folders that ends in .dat: the file goes to the folder of the results");
}

template <int dim>
void PrintTables<dim>::add_entries(Parameters &p)
{
  p.add("File", file, file_help);
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
bool PrintTables<dim>::are_due(const std::uint64_t n, const PrintMoment &moment)
{
  if (tables.empty() || n == last)  // a stage begins where another has ended
    return false;
  last = n;
  bool any = false;
  for (Table &table : tables)
  {
    table.now = (table.stage.empty() || table.stage == moment.stage) && table.due(moment);
    any = any || table.now;
  }
  return any;
}

template <int dim>
std::string PrintTables<dim>::print(const FiniteElementSystem<dim> &given_system, const State &given_state, const PrintMoment &moment, const PointMotion &points)
{
  of_points = &points;
  look_at(given_system, given_state, nullptr);
  std::string text;
  for (const Table &table : tables)
    if (table.now)
      text += written(table, !table.in_time ? table.start + moment.part * table.period : table.starts ? table.start + moment.since : state->t);
  return text;
}

template <int dim>
std::string PrintTables<dim>::print(const FiniteElementSystem<dim> &given_system, const State &given_about, const PrintedField &field, const PrintMoment &moment,
                                    const PointMotion &points)
{
  of_points = &points;
  State shown = given_about;
  shown.q = field.field;
  look_at(given_system, shown, &given_about.q);
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
  state = nullptr;
  return text.empty() ? text : field.heading + text;
}

template <int dim>
std::vector<double> PrintTables<dim>::saved() const
{
  std::vector<double> counts{double(last)};
  for (const Table &table : tables)
    counts.insert(counts.end(), {double(table.count), table.reached});
  return counts;
}

template <int dim>
void PrintTables<dim>::load(const std::vector<double> &saved)
{
  last = std::uint64_t(saved.at(0));
  for (std::size_t i = 0; i < tables.size(); ++i)
  {
    tables[i].count = long(saved.at(2 * i + 1));
    tables[i].reached = saved.at(2 * i + 2);
  }
}

template <int dim>
void PrintTables<dim>::look_at(const FiniteElementSystem<dim> &given_system, const State &given_state, const Vector *given_about)
{
  system = &given_system;
  state = &given_state;
  about = given_about;
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
  auto rows = at_nodes(table.nodes, quantity == "U" ? state->q : quantity == "V" ? state->v : forces());
  complete(table, quantity, rows);
  const std::string where = fmt::format(" for set {} and time {}", table.nodes, fortran(time)), title = quantity == "U"   ? "displacements (vx,vy,vz)"
                                                                                                        : quantity == "V" ? "velocities (vx,vy,vz)"
                                                                                                                          : "forces (fx,fy,fz)";
  std::string text;
  if (table.totals != "only" || quantity != "RF")
  {
    text += "\n " + title + where + "\n\n";
    for (const auto &[number, values] : rows)
      text += table_row(fmt::format("{:10d} ", number), values);
  }
  if (quantity == "RF" && table.totals != "no")
  {
    std::vector<double> sum(3, 0.);
    for (const auto &force : rows)
      for (int d = 0; d < 3; ++d)
        sum[d] += force.second[d];
    text += "\n total force (fx,fy,fz)" + where + "\n\n" + table_row("          ", sum);
  }
  return text;
}

template <int dim>
Vector PrintTables<dim>::forces() const
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
  if (of_points->on_nodes.size() > 0)
    f += of_points->on_nodes;
  return f;
}

template class PrintTables<2>;
template class PrintTables<3>;
}  // namespace symdyn
