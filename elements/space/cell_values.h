#pragma once
#include <deal.II/fe/fe_values.h>

#include <functional>
#include <memory>
#include <vector>

#include "elements/space/discretisation.h"

namespace symdyn
{
/// deal.II's values of the elements of a mesh at points of the reference cells, region by region.
template <int dim>
class CellValues
{
public:
  using Points = std::function<dealii::Quadrature<dim>(const CellRegion<dim> &)>;

  CellValues(const Discretisation<dim> &mesh, const Points &points, const dealii::UpdateFlags flags)
  {
    for (const CellRegion<dim> &region : mesh.regions)
      of_region.push_back(std::make_unique<dealii::FEValues<dim>>(*region.mapping, *region.family.fe, points(region), flags));
  }
  /// Of a cell, until another one is asked for.
  const dealii::FEValues<dim> &at(const typename Discretisation<dim>::Cell &cell)
  {
    dealii::FEValues<dim> &values = *of_region[cell->active_fe_index()];
    values.reinit(typename dealii::Triangulation<dim>::cell_iterator(cell));  // its nodes are our own business (shared_nodes.h)
    return values;
  }

private:
  std::vector<std::unique_ptr<dealii::FEValues<dim>>> of_region;
};
}  // namespace symdyn
