#include "elements/space/named_cells.h"

#include <fmt/format.h>

#include <algorithm>

#include "elements/space/cell_order.h"
#include "elements/space/named_nodes.h"
#include "solver/base/names.h"
#include "solver/error.h"

namespace symdyn
{
namespace
{
template <int dim>
std::vector<std::pair<double, dealii::Point<dim>>> centres(const Discretisation<dim> &mesh, const std::vector<std::string> &names)
{
  std::vector<std::pair<double, dealii::Point<dim>>> found;
  for (const std::string &name : names)
  {
    if (!mesh.file_nodes || !mesh.file_nodes->cell_sets.count(name))
    {
      std::vector<std::string> known;
      if (mesh.file_nodes)
        for (const auto &set : mesh.file_nodes->cell_sets)
          known.push_back(set.first);
      throw InputError(fmt::format("the mesh's file has no *DLOAD or *EL PRINT of a set of elements '{}'; it has: {}", name,
                                   join(nearest_first(name, known))));
    }
    for (const FileCell<dim> &cell : mesh.file_nodes->cell_sets.at(name))
    {
      const dealii::Point<dim> centre = centre_of(cell);
      found.emplace_back(along(centre), centre);
    }
  }
  std::sort(found.begin(), found.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  return found;
}
}  // namespace

template <int dim>
std::vector<bool> cells_of(const Discretisation<dim> &mesh, const std::vector<std::string> &names)
{
  const auto wanted = centres(mesh, names);
  const double same_place = 1e-3 * mesh.smallest_edge;
  std::vector<bool> in(mesh.triangulation->n_active_cells(), false);
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (!cell->is_artificial())
    {
      const dealii::Point<dim> centre = centre_in_file<dim>(cell);
      const double s = along(centre);
      auto candidate = std::lower_bound(wanted.begin(), wanted.end(), s - same_place,
                                        [](const auto &entry, const double least) { return entry.first < least; });
      for (; candidate != wanted.end() && candidate->first <= s + same_place; ++candidate)
        if (candidate->second.distance(centre) < same_place)
          in[cell->active_cell_index()] = true;
    }
  return in;
}

template std::vector<bool> cells_of<2>(const Discretisation<2> &, const std::vector<std::string> &);
template std::vector<bool> cells_of<3>(const Discretisation<3> &, const std::vector<std::string> &);
}  // namespace symdyn
