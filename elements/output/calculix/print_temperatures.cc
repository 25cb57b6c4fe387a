#include <cmath>

#include "elements/output/calculix/print_tables.h"
#include "solver/error.h"

// Temperatures of nodes.
namespace symdyn
{
template <int dim>
PrintTable::Rows PrintTables<dim>::temperatures_of_cells(const PrintTable &table) const
{
  const SolidHistory<dim> &layout = system->cells()->layout();
  const double *history = SolidHistory<dim>::of(*state);
  const std::vector<double> T = layout.nodal_temperatures(history ? history : layout.virgin(), state->t);
  Vector field = system->new_vector();
  for (unsigned int node = 0; node < unsigned(system->mesh().n_owned_nodes()); ++node)
    field.local_element(dim * node) = T[node];
  PrintTable::Rows rows = at_nodes(table.nodes, field);
  if (const auto &file = system->mesh().file_nodes; file && file->bare.count(table.nodes) > 0)
    for (const long number : file->bare.at(table.nodes))
      rows.erase(number);
  for (auto row = rows.begin(); row != rows.end();)
  {
    row->second.resize(1);
    row = std::isnan(row->second.front()) ? rows.erase(row) : std::next(row);
  }
  return rows;
}

template <int dim>
std::string PrintTables<dim>::of_temperatures(const PrintTable &table, const double time) const
{
  const bool of_cells = system->cells()->layout().temperatures() != nullptr;
  if (!of_cells && of_points->temperatures.empty())
    throw InputError("NT: no material is heated. Give a section Temperature and an Expansion, or leave NT out of the Quantities");
  PrintTable::Rows rows = of_cells ? temperatures_of_cells(table) : PrintTable::Rows();
  for (std::size_t k = 0; k < table.points.size(); ++k)
    if (const auto point = of_points->temperatures.find(table.points[k]); point != of_points->temperatures.end())
      rows[table.numbers[k]] = {point->second};
  return table.of_rows("NT", rows, rows, time);
}

template std::string PrintTables<2>::of_temperatures(const PrintTable &, double) const;
template std::string PrintTables<3>::of_temperatures(const PrintTable &, double) const;
}  // namespace symdyn
