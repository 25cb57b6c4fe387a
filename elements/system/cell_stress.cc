#include "elements/system/cell_stress.h"

#include <stdexcept>

#include "elements/cells/point_gradient.h"
#include "materials/bound_law.h"

namespace symdyn
{
template <int dim>
CellStress<dim>::CellStress(const SolidBody<dim> &system, const typename CellValues<dim>::Points &points)
    : system(system), fields(system.all_parts().materials)
{
  for (const CellRegion<dim> &region : system.mesh().regions)
  {
    const dealii::Quadrature<dim> of_cells = points(region);
    of_region.push_back({of_cells, ReferenceElement<dim>(*region.family.fe, of_cells), {}});
    const dealii::Quadrature<dim> &quadrature = region.family.stiffness_points;
    for (const auto &point : of_cells.get_points())
    {
      unsigned int best = 0;
      for (unsigned int q = 1; q < quadrature.size(); ++q)
        if (point.distance_square(quadrature.point(q)) < point.distance_square(quadrature.point(best)))
          best = q;
      of_region.back().nearest.push_back(int(best));
    }
  }
}

template <int dim>
std::vector<PointStress> CellStress<dim>::at(const Cell &cell, std::vector<dealii::Tensor<2, 3>> F, const std::vector<Wide> &X,
                                             const std::vector<Wide> &u, const State &state) const
{
  const Material &material = system.material_per_volume(cell->material_id());
  const auto &[points, table, nearest] = of_region[cell->active_fe_index()];
  if (const InelasticMaterial *law = inelastic(material))
  {
    if (nearest.size() != F.size())
      throw std::logic_error("the places of a cell's stress are others than were said");
    return of_memory(cell, *law, state);
  }
  std::vector<Matrix<3>> seen(F.size());
  for (std::size_t point = 0; point < F.size(); ++point)
    for (int i = 0; i < 3; ++i)
      for (int J = 0; J < 3; ++J)
        seen[point][i][J] = F[point][i][J];
  system.mesh().region_of(cell).kernels->assumed_deformation_gradient(X.data(), u.data(), material, table, points, seen.data());
  std::vector<PointStress> stress;
  for (std::size_t point = 0; point < F.size(); ++point)
  {
    for (int i = 0; i < 3; ++i)
      for (int J = 0; J < 3; ++J)
        F[point][i][J] = seen[point][i][J][0];
    stress.push_back(stress_at(material, F[point], dim == 2));
    stress.back().remembered = fields.values(nullptr, nullptr);
  }
  return stress;
}

template <int dim>
std::vector<PointStress> CellStress<dim>::at(const Cell &cell, const unsigned int points, const Gradient &gradient,
                                             const State &state) const
{
  const Discretisation<dim> &mesh = system.mesh();
  const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
  std::vector<dealii::Tensor<2, 3>> F(points, dealii::Tensor<2, 3>(dealii::unit_symmetric_tensor<3>()));
  std::vector<Wide> X, u;
  for (const unsigned int v : cell->vertex_indices())
    for (int d = 0; d < dim; ++d)
      X.emplace_back(mesh.position[nodes[v]][d]);
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int d = 0; d < dim; ++d)
    {
      const double component = state.q.local_element(dim * nodes[a] + d);
      u.emplace_back(component);
      for (unsigned int point = 0; point < points; ++point)
        for (int J = 0; J < dim; ++J)
          F[point][d][J] += component * gradient(a, point)[J];
    }
  return at(cell, F, X, u, state);
}

/// At a place where the law is not integrated, its memory and the strain there do not belong together: the stress would be one that the law
/// cannot have.
template <int dim>
std::vector<PointStress> CellStress<dim>::of_memory(const Cell &cell, const InelasticMaterial &law, const State &state) const
{
  const Discretisation<dim> &mesh = system.mesh();
  const CellRegion<dim> &region = mesh.region_of(cell);
  const ReferenceElement<dim> &table = region.family.stiffness;
  std::vector<Wide> X, u;
  const std::vector<unsigned int> nodes = mesh.cell_nodes(cell);
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int d = 0; d < dim; ++d)
    {
      u.emplace_back(state.q.local_element(dim * nodes[a] + d));
      if (int(a) < table.vertices)
        X.emplace_back(mesh.position[nodes[a]][d]);
    }
  const std::vector<Wide> history = system.cells()->layout().of_cell(cell->active_cell_index(), SolidHistory<dim>::of(state));
  std::vector<Matrix<3>> F(table.points);
  for (int q = 0; q < table.points; ++q)
  {
    const Matrix<dim> G = gradient_at<dim>(table, q, X.data(), u.data());
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        F[q][i][j] = Wide(i == j ? 1. : 0.) + (i < dim && j < dim ? G[i][j] : Wide(0.));
  }
  BoundLaw bound(law, table.points, 0., {}, region.kernels->by_points()->inner_unknowns());
  bound.bind(history.data(), nullptr);
  region.kernels->assumed_deformation_gradient(X.data(), u.data(), bound, table, region.family.stiffness_points, F.data());
  std::vector<PointStress> stress;
  for (const int q : of_region[cell->active_fe_index()].nearest)
  {
    dealii::Tensor<2, 3> seen;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        seen[i][j] = F[q][i][j][0];
    const Wide *m = history.data() + q * law.variables();
    stress.push_back(stress_at(PointLaw(law, m, 0.), seen, dim == 2));
    stress.back().remembered = fields.values(&law, m);
  }
  return stress;
}

template <int dim>
void CellStress<dim>::visit(const State &state, const bool with_ghosts, const Visit &visit) const
{
  const Discretisation<dim> &mesh = system.mesh();
  state.q.update_ghost_values();
  CellValues<dim> of_cells(
      mesh, [&](const CellRegion<dim> &region) { return of_region[&region - mesh.regions.data()].points; },
      dealii::update_values | dealii::update_gradients | dealii::update_JxW_values | dealii::update_quadrature_points);
  for (const auto &cell : mesh.handler.active_cell_iterators())
  {
    if (!cell->is_locally_owned() && !(with_ghosts && cell->is_ghost()))
      continue;
    const dealii::FEValues<dim> &values = of_cells.at(cell);
    const auto gradient = [&](const unsigned int a, const unsigned int point) { return values.shape_grad(a, point); };
    visit(cell, mesh.cell_nodes(cell), values, at(cell, values.n_quadrature_points, gradient, state));
  }
}

template class CellStress<2>;
template class CellStress<3>;
}  // namespace symdyn
