#pragma once
#include <deal.II/base/tensor.h>

#include "materials/material.h"

namespace symdyn
{
/// Stress at a point, by rows; of plane problems with its out-of-plane part.
struct PointStress
{
  double sigma[3][3];        ///< Cauchy stress [Pa]
  double energy_density = 0;  ///< psi [J/m³ of the undeformed body]
};

/// sigma = F S Fᵀ / det F, F = I + grad u; with a geometrically linear material the stress of the small strain. gradient[i] = grad u_i, i < dim.
template <int dim>
PointStress cauchy_stress(const dealii::Tensor<1, dim> *gradient, const Material &material);

/// sqrt(3/2 s:s), s the deviator (von Mises 1913) [Pa].
double von_mises(const double (&sigma)[3][3]);
}  // namespace symdyn
