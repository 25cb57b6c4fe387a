#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "elements/output/calculix/print_tables.h"
#include "solver/error.h"
#include "solver/parameters.h"

// Rows of points beside the body, and rows along axes of their own.
namespace symdyn
{
template <int dim>
void PrintTables<dim>::add_points(const PrintTable &table, const std::string &quantity, PrintTable::Rows &rows) const
{
  for (std::size_t k = 0; k < table.points.size(); ++k)
  {
    const auto point = of_points->by_name.find(table.points[k]);
    if (point == of_points->by_name.end())
      throw InputError(fmt::format("there is no point '{}'", table.points[k]));
    std::vector<double> &row = rows[table.numbers[k]];
    row.assign(3, 0.);
    std::copy_n(point->second.begin() + (quantity == "U" ? 0 : quantity == "V" ? dim : 2 * dim), dim, row.begin());
  }
}

template <int dim>
PrintTable::Rows PrintTables<dim>::turned(const PrintTable &table, PrintTable::Rows rows) const
{
  if (!table.axes.given())
    return rows;
  std::set<long> with_axes;
  for (const std::string &name : table.axes_of)
    for (const auto &node : names->find(name))
      with_axes.insert(node.number);
  const FileNodes<dim> &file = *system->mesh().file_nodes;
  for (auto &[number, row] : rows)
    if (const auto node = file.with_number(number); node != file.nodes.end() && (table.axes_of.empty() || with_axes.count(number)))
    {
      const auto axes = table.axes.at(node->x);
      const std::vector<double> global = row;
      for (int k = 0; k < dim; ++k)
      {
        row[k] = 0.;
        for (int d = 0; d < dim; ++d)
          row[k] += axes[k][d] * global[d];
      }
    }
  return rows;
}

template void PrintTables<2>::add_points(const PrintTable &, const std::string &, PrintTable::Rows &) const;
template void PrintTables<3>::add_points(const PrintTable &, const std::string &, PrintTable::Rows &) const;
template PrintTable::Rows PrintTables<2>::turned(const PrintTable &, PrintTable::Rows) const;
template PrintTable::Rows PrintTables<3>::turned(const PrintTable &, PrintTable::Rows) const;
}  // namespace symdyn
