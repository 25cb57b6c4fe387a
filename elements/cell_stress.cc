#include "elements/cell_stress.h"

namespace symdyn
{
template <int dim>
void CellStress<dim>::visit(const Vector &q, const bool with_ghosts, const Visit &visit) const
{
  const Discretisation<dim> &mesh = system.mesh();
  q.update_ghost_values();
  dealii::FEValues<dim> values(*mesh.mapping, *mesh.family.fe, points,
                               dealii::update_values | dealii::update_gradients | dealii::update_JxW_values | dealii::update_quadrature_points);
  std::vector<PointStress> stress(points.size());
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned() && !(with_ghosts && cell->is_ghost()))
      continue;
    values.reinit(cell);
    const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
    const Material &material = system.material(cell->material_id());
    for (unsigned int point = 0; point < points.size(); ++point)
    {
      dealii::Tensor<1, dim> gradient[dim];
      for (std::size_t a = 0; a < nodes.size(); ++a)
        for (int d = 0; d < dim; ++d)
          gradient[d] += q.local_element(dim * nodes[a] + d) * values.shape_grad(a, point);
      stress[point] = cauchy_stress<dim>(gradient, material);
    }
    visit(cell, nodes, values, stress);
  }
}

template class CellStress<2>;
template class CellStress<3>;
}  // namespace symdyn
