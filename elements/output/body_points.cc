#include "elements/output/body_points.h"

#include "elements/space/cell_values.h"

namespace symdyn
{
template <int dim>
void for_points_of_body(const Discretisation<dim> &mesh,
                        const std::function<void(const dealii::FEValues<dim> &, unsigned int, const std::vector<unsigned int> &)> &add)
{
  CellValues<dim> of_cells(
      mesh, [&](const CellRegion<dim> &region) { return region.family.formulation->fine_points(mesh.degree() + 2); },
      dealii::update_values | dealii::update_gradients | dealii::update_JxW_values | dealii::update_quadrature_points);
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned())
      continue;
    const dealii::FEValues<dim> &values = of_cells.at(cell);
    const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
    for (const unsigned int point : values.quadrature_point_indices())
      add(values, point, nodes);
  }
}

template void for_points_of_body(const Discretisation<2> &,
                                 const std::function<void(const dealii::FEValues<2> &, unsigned int, const std::vector<unsigned int> &)> &);
template void for_points_of_body(const Discretisation<3> &,
                                 const std::function<void(const dealii::FEValues<3> &, unsigned int, const std::vector<unsigned int> &)> &);
}  // namespace symdyn
