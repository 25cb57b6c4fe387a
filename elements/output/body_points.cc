#include "elements/output/body_points.h"

#include <deal.II/base/quadrature_lib.h>

namespace symdyn
{
namespace
{
template <int dim>
dealii::Quadrature<dim> rule(const Discretisation<dim> &mesh)
{
  const unsigned int points = mesh.family.fe->degree + 2;
  if (mesh.family.simplex)
    return dealii::QWitherdenVincentSimplex<dim>(points);
  if constexpr (dim == 3)
    if (!mesh.family.tensor)
    {
      const dealii::QWitherdenVincentSimplex<2> triangle(points);
      const dealii::QGauss<1> line(points);
      std::vector<dealii::Point<dim>> places;
      std::vector<double> weights;
      for (unsigned int i = 0; i < triangle.size(); ++i)
        for (unsigned int j = 0; j < line.size(); ++j)
        {
          places.emplace_back(triangle.point(i)[0], triangle.point(i)[1], line.point(j)[0]);
          weights.push_back(triangle.weight(i) * line.weight(j));
        }
      return dealii::Quadrature<dim>(places, weights);
    }
  return dealii::QGauss<dim>(points);
}
}  // namespace

template <int dim>
void for_points_of_body(const Discretisation<dim> &mesh,
                        const std::function<void(const dealii::FEValues<dim> &, unsigned int, const std::vector<unsigned int> &)> &add)
{
  dealii::FEValues<dim> values(
      *mesh.mapping, *mesh.family.fe, rule(mesh),
      dealii::update_values | dealii::update_gradients | dealii::update_JxW_values | dealii::update_quadrature_points);
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned())
      continue;
    values.reinit(cell);
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
