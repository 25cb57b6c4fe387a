#pragma once
#include <deal.II/base/symmetric_tensor.h>

#include "materials/material.h"

namespace symdyn
{
/// Of one point of a body: Cauchy's stress sigma = F S Fᵀ / det F [Pa], the strain (Green–Lagrange, of linear materials the linearised one) [-] and the
/// strain energy per reference volume [J/m³].
struct PointStress
{
  dealii::SymmetricTensor<2, 3> stress, strain;
  double energy = 0;
};

/// `gradient[i][J]` = du_i/dX_J. Plane problems: F_33 as the material has it.
template <int dim>
PointStress stress_at(const Material &material, const dealii::Tensor<2, dim> &gradient);
}  // namespace symdyn
