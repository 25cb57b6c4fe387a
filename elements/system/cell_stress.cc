#include "elements/system/cell_stress.h"

#include <algorithm>
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
const InelasticMaterial *CellStress<dim>::with_memory(const Cell &cell) const
{
  return inelastic(system.material_per_volume(cell->material_id()));
}

template <int dim>
std::vector<StressLanes> CellStress<dim>::lanes_at(const Cell &cell, std::vector<Matrix<3>> F, const std::vector<Wide> &X,
                                                   const std::vector<Wide> &u, const State &state) const
{
  const auto &[points, table, nearest] = of_region[cell->active_fe_index()];
  if (const InelasticMaterial *law = with_memory(cell))
  {
    if (nearest.size() != F.size())
      throw std::logic_error("the places of a cell's stress are others than were said");
    return of_memory(cell, *law, u, state);
  }
  const Material &material = system.material_per_volume(cell->material_id());
  system.mesh().region_of(cell).kernels->assumed_deformation_gradient(X.data(), u.data(), material, table, points, F.data());
  std::vector<StressLanes> stress;
  for (const Matrix<3> &seen : F)
    stress.push_back(stress_at(material, seen, dim == 2));
  return stress;
}

template <int dim>
std::vector<PointStress> CellStress<dim>::at(const Cell &cell, const std::vector<Matrix<3>> &F, const std::vector<Wide> &X,
                                             const std::vector<Wide> &u, const State &state) const
{
  std::vector<PointStress> stress;
  for (const StressLanes &lanes : lanes_at(cell, F, X, u, state))
    stress.push_back(first_lane(lanes));
  const InelasticMaterial *law = with_memory(cell);
  const std::vector<Wide> history = law ? history_of(cell, state) : std::vector<Wide>();
  for (std::size_t point = 0; point < stress.size(); ++point)
    stress[point].remembered =
        fields.values(law, law ? history.data() + of_region[cell->active_fe_index()].nearest[point] * law->variables() : nullptr);
  return stress;
}

namespace
{
Matrix<3> identity_matrix()
{
  Matrix<3> F{};
  for (int i = 0; i < 3; ++i)
    F[i][i] = 1.;
  return F;
}

/// The coordinates of the vertices of a cell.
template <int dim>
std::vector<Wide> vertices_of(const Discretisation<dim> &mesh, const typename Discretisation<dim>::Cell &cell,
                              const std::vector<unsigned int> &nodes)
{
  std::vector<Wide> X;
  for (const unsigned int v : cell->vertex_indices())
    for (int d = 0; d < dim; ++d)
      X.emplace_back(mesh.position[nodes[v]][d]);
  return X;
}
}  // namespace

template <int dim>
std::vector<PointStress> CellStress<dim>::at(const Cell &cell, const unsigned int points, const Gradient &gradient,
                                             const State &state) const
{
  const std::vector<unsigned int> nodes = system.mesh().cell_nodes(cell);
  std::vector<Wide> u;
  for (const unsigned int node : nodes)
    for (int d = 0; d < dim; ++d)
      u.emplace_back(state.q.local_element(dim * node + d));
  return at(cell, gradients(u, points, gradient), vertices_of(system.mesh(), cell, nodes), u, state);
}

template <int dim>
std::vector<Matrix<3>> CellStress<dim>::gradients(const std::vector<Wide> &u, const unsigned int points, const Gradient &gradient)
{
  std::vector<Matrix<3>> F(points, identity_matrix());
  for (unsigned int point = 0; point < points; ++point)
    for (unsigned int a = 0; a < u.size() / dim; ++a)
    {
      const dealii::Tensor<1, dim> G = gradient(a, point);
      for (int d = 0; d < dim; ++d)
        for (int J = 0; J < dim; ++J)
          F[point][d][J] += u[dim * a + d] * Wide(G[J]);
    }
  return F;
}

template <int dim>
std::vector<Wide> CellStress<dim>::history_of(const Cell &cell, const State &state) const
{
  return system.cells()->layout().of_cell(cell->active_cell_index(), SolidHistory<dim>::of(state));
}

/// At a place where the law is not integrated, its memory and the strain there do not belong together: the stress would be one that the law
/// cannot have.
template <int dim>
std::vector<StressLanes> CellStress<dim>::of_memory(const Cell &cell, const InelasticMaterial &law, const std::vector<Wide> &u,
                                                    const State &state) const
{
  const CellRegion<dim> &region = system.mesh().region_of(cell);
  const ReferenceElement<dim> &table = region.family.stiffness;
  const std::vector<unsigned int> nodes = system.mesh().cell_nodes(cell);
  std::vector<Wide> X;
  for (int a = 0; a < table.vertices; ++a)
    for (int d = 0; d < dim; ++d)
      X.emplace_back(system.mesh().position[nodes[a]][d]);
  const std::vector<Wide> history = history_of(cell, state);
  std::vector<Matrix<3>> F(table.points, identity_matrix());
  for (int q = 0; q < table.points; ++q)
  {
    const Matrix<dim> G = gradient_at<dim>(table, q, X.data(), u.data());
    for (int i = 0; i < dim; ++i)
      for (int j = 0; j < dim; ++j)
        F[q][i][j] += G[i][j];
  }
  BoundLaw bound(law, table.points, 0., {}, region.kernels->by_points()->inner_unknowns());
  bound.bind(history.data(), nullptr);
  region.kernels->assumed_deformation_gradient(X.data(), u.data(), bound, table, region.family.stiffness_points, F.data());
  std::vector<StressLanes> stress;
  for (const int q : of_region[cell->active_fe_index()].nearest)
    stress.push_back(stress_at(PointLaw(law, history.data() + q * law.variables(), 0.), F[q], dim == 2));
  return stress;
}

template <int dim>
void CellStress<dim>::each_cell(const State &state, const bool with_ghosts, const EachCell &visit) const
{
  const Discretisation<dim> &mesh = system.mesh();
  state.q.update_ghost_values();
  CellValues<dim> of_cells(
      mesh, [&](const CellRegion<dim> &region) { return of_region[&region - mesh.regions.data()].points; },
      dealii::update_values | dealii::update_gradients | dealii::update_JxW_values | dealii::update_quadrature_points);
  for (const auto &cell : mesh.handler.active_cell_iterators())
    if (cell->is_locally_owned() || (with_ghosts && cell->is_ghost()))
    {
      const dealii::FEValues<dim> &values = of_cells.at(cell);
      visit(cell, values, [&](const unsigned int a, const unsigned int point) { return values.shape_grad(a, point); });
    }
}

template <int dim>
void CellStress<dim>::visit(const State &state, const bool with_ghosts, const Visit &visit) const
{
  each_cell(state, with_ghosts, [&](const Cell &cell, const dealii::FEValues<dim> &values, const Gradient &gradient) {
    visit(cell, system.mesh().cell_nodes(cell), values, at(cell, values.n_quadrature_points, gradient, state));
  });
}

template <int dim>
void CellStress<dim>::visit_slopes(const State &state, const std::vector<Vector> &motions, const VisitSlopes &visit) const
{
  constexpr std::size_t at_once = lanes / 2;  // a motion and its opposite
  for (const Vector &w : motions)
    w.update_ghost_values();
  each_cell(state, false, [&](const Cell &cell, const dealii::FEValues<dim> &values, const Gradient &gradient) {
    const std::vector<unsigned int> nodes = system.mesh().cell_nodes(cell);
    const std::vector<Wide> X = vertices_of(system.mesh(), cell, nodes);
    std::vector<Wide> u(dim * nodes.size());
    std::vector<dealii::SymmetricTensor<2, 3>> half;
    for (std::size_t from = 0; from < motions.size(); from += at_once)
    {
      const std::size_t here = std::min(at_once, motions.size() - from);
      for (std::size_t a = 0; a < nodes.size(); ++a)
        for (int d = 0; d < dim; ++d)
        {
          const unsigned int i = dim * nodes[a] + d;
          Wide &one = u[dim * a + d];
          one = state.q.local_element(i);
          for (std::size_t k = 0; k < here; ++k)
          {
            one.v[2 * k] += motions[from + k].local_element(i);
            one.v[2 * k + 1] -= motions[from + k].local_element(i);
          }
        }
      const std::vector<StressLanes> stress = lanes_at(cell, gradients(u, values.n_quadrature_points, gradient), X, u, state);
      half.resize(stress.size());
      for (std::size_t k = 0; k < here; ++k)
      {
        for (std::size_t point = 0; point < stress.size(); ++point)
          for (int i = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j)
              half[point][i][j] = 0.5 * (stress[point].stress(i, j)[2 * k] - stress[point].stress(i, j)[2 * k + 1]);
        visit(from + k, half);
      }
    }
  });
}

template class CellStress<2>;
template class CellStress<3>;
}  // namespace symdyn
