#include "elements/system/cell_stress.h"

namespace symdyn
{
template <int dim>
std::vector<PointStress> CellStress<dim>::at(std::vector<dealii::Tensor<2, 3>> F, const std::vector<Wide> &X, const std::vector<Wide> &u,
                                             const Material &material) const
{
  std::vector<Matrix<3>> seen(F.size());
  for (std::size_t point = 0; point < F.size(); ++point)
    for (int i = 0; i < 3; ++i)
      for (int J = 0; J < 3; ++J)
        seen[point][i][J] = F[point][i][J];
  system.mesh().kernels->assumed_deformation_gradient(X.data(), u.data(), material, table, points, seen.data());
  std::vector<PointStress> stress;
  for (std::size_t point = 0; point < F.size(); ++point)
  {
    for (int i = 0; i < 3; ++i)
      for (int J = 0; J < 3; ++J)
        F[point][i][J] = seen[point][i][J][0];
    stress.push_back(stress_at(material, F[point], dim == 2));
  }
  return stress;
}

template <int dim>
void CellStress<dim>::visit(const Vector &q, const bool with_ghosts, const Visit &visit) const
{
  const Discretisation<dim> &mesh = system.mesh();
  q.update_ghost_values();
  dealii::FEValues<dim> values(
      *mesh.mapping, *mesh.family.fe, points,
      dealii::update_values | dealii::update_gradients | dealii::update_JxW_values | dealii::update_quadrature_points);
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned() && !(with_ghosts && cell->is_ghost()))
      continue;
    values.reinit(cell);
    const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
    std::vector<dealii::Tensor<2, 3>> F(points.size(), dealii::Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()));
    std::vector<Wide> X, u;
    for (const unsigned int v : cell->vertex_indices())
      for (int d = 0; d < dim; ++d)
        X.emplace_back(cell->vertex(v)[d]);
    for (std::size_t a = 0; a < nodes.size(); ++a)
      for (int d = 0; d < dim; ++d)
      {
        const double component = q.local_element(dim * nodes[a] + d);
        u.emplace_back(component);
        for (unsigned int point = 0; point < points.size(); ++point)
          for (int J = 0; J < dim; ++J)
            F[point][d][J] += component * values.shape_grad(a, point)[J];
      }
    visit(cell, nodes, values, at(F, X, u, system.material_per_volume(cell->material_id())));
  }
}

template class CellStress<2>;
template class CellStress<3>;
}  // namespace symdyn
