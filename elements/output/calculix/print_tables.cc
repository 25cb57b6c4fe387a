#include "elements/output/calculix/print_tables.h"

#include <deal.II/base/mpi.h>
#include <deal.II/fe/fe_values.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/error.h"
#include "solver/parameters.h"
#include "solver/vibration/mode_tables.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

template <int dim>
void PrintTables<dim>::declare(const Parameters &given)
{
  declare_tables(given, dim);
  for (const PrintTable &table : tables)
    if (std::count(table.quantities.begin(), table.quantities.end(), "SF") > 0)
      given.section(table.name)
          .fail("Quantities", "SF is of beams and shells (Structure = discrete). A solid has Section forces of a plane. Remove it");
  for (const PrintTable &table : tables)
    if (const Parameters section = given.section(table.name); table.points.size() != table.numbers.size())
      section.fail("Numbers", fmt::format("are {} for {} points. Give one a point", table.numbers.size(), table.points.size()));
}

template <int dim>
std::string PrintTables<dim>::print(const SolidBody<dim> &given_system, const State &given_state, const OutputTime &moment,
                                    const PointMotion &points)
{
  of_points = &points;
  look_at(given_system, given_state, nullptr);
  std::string text;
  for (const PrintTable &table : tables)
    if (table.now)
      text += written(table, table.time(moment, state->t));
  return text;
}

template <int dim>
std::string PrintTables<dim>::print(const SolidBody<dim> &given_system, const State &given_about, const PrintedField &field,
                                    const OutputTime &moment, const PointMotion &points)
{
  of_points = &points;
  State shown = given_about;
  shown.q = field.field;
  look_at(given_system, shown, &given_about);
  std::string text;
  for (const PrintTable &table : tables)
    if (table.stage == moment.stage)
    {
      for (const std::string &quantity : table.quantities)
        if (const bool never = quantity == "V" || quantity == "NT" || quantity == "ELSE" || quantity == "ELKE" || !table.surface.empty() ||
                               !table.contacts.empty();
            never || (quantity != "U" && quantity != "RF" && quantity != "EVOL" && !given_system.linear()))
          throw InputError(fmt::format("{}: {} of modes and of harmonic vibration is {}. Leave it out of the Quantities", table.where,
                                       quantity, never ? "not written" : "written for linear materials only"));
      text += written(table, table.time(field));
    }
  state = nullptr;
  return text.empty() ? text : field.heading + text;
}

template <int dim>
void PrintTables<dim>::look_at(const SolidBody<dim> &given_system, const State &given_state, const State *given_about)
{
  system = &given_system;
  state = &given_state;
  about = given_about;
  of_contact.clear();
  if (!names)
    names = std::make_unique<NamedNodes<dim>>(system->mesh());
  state->q.update_ghost_values();
}

template <int dim>
std::string PrintTables<dim>::written(const PrintTable &table, const double time)
{
  try
  {
    if (!table.surface.empty())
      return of_surface(table, time);
    std::string text;
    for (const std::string &quantity : table.quantities)
      text += !table.contacts.empty() ? of_contacts(table, quantity, time)
              : table.nodes.empty()   ? of_cells(table, quantity, time)
                                      : of_nodes(table, quantity, time);
    return text;
  }
  catch (const InputError &error)
  {
    throw InputError(table.where + ": " + error.what());
  }
}

template <int dim>
typename PrintTables<dim>::Rows PrintTables<dim>::gathered(const std::vector<typename NamedNodes<dim>::Node> &nodes,
                                                           const Vector &field) const
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
  std::vector<typename NamedNodes<dim>::Node> nodes;
  if (number_from<long>(set))  // of a set that is called as a number; elsewhere such a name is that of a node
    for (const unsigned int member : file->sets.at(set))
      nodes.push_back(names->find(std::to_string(file->nodes[member].number)).front());
  else
    nodes = names->find(set);
  const Rows values = gathered(nodes, field);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    rows[nodes[i].number] = values[i];
  return rows;
}

template <int dim>
std::string PrintTables<dim>::of_nodes(const PrintTable &table, const std::string &quantity, const double time)
{
  if (quantity == "NT")
    return of_temperatures(table, time);
  auto rows = at_nodes(table.nodes, quantity == "U" ? state->q : quantity == "V" ? state->v : forces());
  add_points(table, quantity, rows);
  table.add_rotations(quantity, of_points->rotations, rows);
  return table.of_rows(quantity, turned(table, rows), rows, time);
}

template <int dim>
Vector PrintTables<dim>::forces() const
{
  Vector f = system->new_vector();
  if (about)
  {
    system->strain_stiffness(*about, state->q, f);
    if (of_points->on_nodes.size() > 0)
      f += of_points->on_nodes;
    return f;
  }
  system->strain_force(*state, f);
  if (of_points->on_nodes.size() > 0)
    f += of_points->on_nodes;
  return f;
}

template class PrintTables<2>;
template class PrintTables<3>;
}  // namespace symdyn
