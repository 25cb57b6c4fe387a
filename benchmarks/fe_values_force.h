#pragma once
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/fe/fe_values.h>

#include "elements/space/discretisation.h"

namespace symdyn::benchmarks
{
/// What the fast kernels are compared with: the internal force as a program with deal.II's FEValues computes it when its author takes care.
/// A scalar element whose gradients serve all components, no allocation in the loop, one point after the other:
///     f_a = sum_q P grad N_a dX,  P = mu F + (lambda ln J - mu) F^-T       (material neo-hooke-log, three dimensions)
class FEValuesForce
{
  static constexpr int dim = 3;

public:
  FEValuesForce(const Discretisation<dim> &mesh, const double E, const double nu)
      : mesh(mesh),
        lambda(E * nu / ((1. + nu) * (1. - 2. * nu))),
        mu(0.5 * E / (1. + nu)),
        values(*mesh.regions.front().mapping, *mesh.regions.front().family.fe, mesh.regions.front().family.stiffness_points,
               dealii::update_gradients | dealii::update_JxW_values),
        nodes(mesh.regions.front().n_nodes()),
        u(nodes.size()),
        cell_force(nodes.size())
  {
  }

  void operator()(const Vector &q, Vector &f)
  {
    q.update_ghost_values();
    f.zero_out_ghost_values();
    f = 0.;
    for (const auto &cell : mesh.handler.active_cell_iterators())
      if (cell->is_locally_owned())
      {
        values.reinit(cell);
        cell->get_dof_indices(nodes);
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            u[a][d] = q.local_element(dim * local(a) + d);
        integrate();
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (int d = 0; d < dim; ++d)
            f.local_element(dim * local(a) + d) += cell_force[a][d];
      }
    f.compress(dealii::VectorOperation::add);
  }

private:
  unsigned int local(const std::size_t a) const { return mesh.node_partitioner->global_to_local(nodes[a]); }

  void integrate()
  {
    std::fill(cell_force.begin(), cell_force.end(), dealii::Tensor<1, dim>());
    for (unsigned int point = 0; point < values.n_quadrature_points; ++point)
    {
      dealii::Tensor<2, dim> F = dealii::unit_symmetric_tensor<dim>();
      for (std::size_t a = 0; a < nodes.size(); ++a)
        F += dealii::outer_product(u[a], values.shape_grad(a, point));
      const double J = dealii::determinant(F);
      const dealii::Tensor<2, dim> P = (mu * F + (lambda * std::log(J) - mu) * dealii::transpose(dealii::invert(F))) * values.JxW(point);
      for (std::size_t a = 0; a < nodes.size(); ++a)
        cell_force[a] += P * values.shape_grad(a, point);
    }
  }

  const Discretisation<dim> &mesh;
  const double lambda, mu;
  dealii::FEValues<dim> values;
  std::vector<dealii::types::global_dof_index> nodes;
  std::vector<dealii::Tensor<1, dim>> u, cell_force;
};
}  // namespace symdyn::benchmarks
