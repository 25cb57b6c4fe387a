#pragma once
#include "elements/cells/cell_algebra.h"
#include "elements/cells/reference_element.h"

namespace symdyn
{
/// dX/dxi of `lanes` cells at point q of a table; X[v*dim+d]: vertices, or all nodes of a curved geometry [m].
template <int dim>
Matrix<dim> jacobian_at(const ReferenceElement<dim> &table, const int q, const Wide *X)
{
  Matrix<dim> J{};
  for (int v = 0; v < table.vertices; ++v)
    for (int i = 0; i < dim; ++i)
      for (int d = 0; d < dim; ++d)
        J[i][d] += X[v * dim + i] * Wide(table.vertex_gradient[(q * table.vertices + v) * dim + d]);
  return J;
}

/// grad u there, u[a*dim+i] of the nodes.
template <int dim>
Matrix<dim> gradient_at(const ReferenceElement<dim> &table, const int q, const Wide *X, const Wide *u)
{
  const Matrix<dim> J = jacobian_at<dim>(table, q, X);
  Matrix<dim> G{};
  for (int a = 0; a < table.nodes; ++a)
    for (int i = 0; i < dim; ++i)
      for (int d = 0; d < dim; ++d)
        G[i][d] += u[a * dim + i] * Wide(table.gradient[(q * table.nodes + a) * dim + d]);
  return G * inverse<dim>(J, determinant<dim>(J));
}
}  // namespace symdyn
