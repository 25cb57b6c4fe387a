#include "elements/system/cell_stress_blocks.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <cmath>

#include "elements/system/cell_stress.h"
#include "elements/system/stress_blocks.h"

namespace symdyn
{
namespace
{
using PointTensor = dealii::Tensor<2, 3>;

template <int dim>
PointTensor gradient_at_point(const dealii::FEValues<dim> &values, const std::vector<unsigned int> &nodes, const Vector &u,
                              const unsigned int point)
{
  PointTensor G;
  for (std::size_t a = 0; a < nodes.size(); ++a)
    for (int d = 0; d < dim; ++d)
      for (int J = 0; J < dim; ++J)
        G[d][J] += u.local_element(dim * nodes[a] + d) * values.shape_grad(a, point)[J];
  return G;
}

/// S at all points of all known cells, in the order of CellStress::visit. Of laws of small displacements S is sigma.
template <int dim>
std::vector<PointTensor> stresses_at(const CellStress<dim> &cells, const State &state, const bool small)
{
  std::vector<PointTensor> all;
  cells.visit(state, true, [&](const auto &, const auto &nodes, const dealii::FEValues<dim> &values, const auto &stress) {
    for (unsigned int point = 0; point < stress.size(); ++point)
    {
      const PointTensor sigma = stress[point].stress;
      const PointTensor F = gradient_at_point(values, nodes, state.q, point) + PointTensor(dealii::unit_symmetric_tensor<3>());
      const PointTensor inverse = dealii::invert(F);
      all.push_back(small ? sigma : determinant(F) * inverse * sigma * dealii::transpose(inverse));
    }
  });
  return all;
}

/// A displacement whose gradient is 1 at most, times this, is small.
template <int dim>
double small_part_of(const CellStress<dim> &cells, const State &about, const Vector &u)
{
  constexpr double small = 1e-5;
  double largest = 0;
  u.update_ghost_values();
  cells.visit(about, false, [&](const auto &, const auto &nodes, const dealii::FEValues<dim> &values, const auto &stress) {
    for (unsigned int point = 0; point < stress.size(); ++point)
      largest = std::max(largest, gradient_at_point(values, nodes, u, point).norm());
  });
  largest = dealii::Utilities::MPI::max(largest, u.get_mpi_communicator());
  return largest > 0. ? small / largest : 1.;
}

template <int dim>
StressBlocks::Element block_of_cell(const std::vector<unsigned int> &nodes, const dealii::FEValues<dim> &values, const PointTensor *S,
                                    const double thickness)
{
  StressBlocks::Element one{nodes, std::vector<double>(nodes.size() * nodes.size(), 0.)};
  for (unsigned int point = 0; point < values.n_quadrature_points; ++point)
    for (std::size_t a = 0; a < nodes.size(); ++a)
    {
      dealii::Tensor<1, dim> along;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          along[i] += thickness * values.JxW(point) * S[point][i][j] * values.shape_grad(a, point)[j];
      for (std::size_t b = 0; b < nodes.size(); ++b)
        one.k[a * nodes.size() + b] += along * values.shape_grad(b, point);
    }
  return one;
}
}  // namespace

template <int dim>
std::shared_ptr<Term> stress_of_cells(const SolidBody<dim> &body, const State &about, const Vector &u, const double factor)
{
  const CellStress<dim> cells(body, [](const CellRegion<dim> &region) { return region.family.stiffness_points; });
  const double part = small_part_of(cells, about, u);
  State ahead = about, behind = about;
  ahead.q.add(part, u);
  behind.q.add(-part, u);
  std::vector<PointTensor> S = stresses_at(cells, ahead, body.linear());
  const std::vector<PointTensor> before = stresses_at(cells, behind, body.linear());
  for (std::size_t i = 0; i < S.size(); ++i)
    S[i] = (S[i] - before[i]) / (2. * part);
  std::vector<StressBlocks::Element> owned, ghosts;
  std::size_t point = 0;
  cells.visit(about, true, [&](const auto &cell, const auto &nodes, const dealii::FEValues<dim> &values, const auto &stress) {
    const double thickness = body.all_parts().materials.at(cell->material_id()).thickness;
    (cell->is_locally_owned() ? owned : ghosts).push_back(block_of_cell(nodes, values, &S[point], thickness));
    point += stress.size();
  });
  const std::size_t counted = owned.size();
  std::move(ghosts.begin(), ghosts.end(), std::back_inserter(owned));
  return std::make_shared<StressBlocks>(std::move(owned), counted, dim, factor);
}

template std::shared_ptr<Term> stress_of_cells(const SolidBody<2> &, const State &, const Vector &, double);
template std::shared_ptr<Term> stress_of_cells(const SolidBody<3> &, const State &, const Vector &, double);
}  // namespace symdyn
