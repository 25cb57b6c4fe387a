#pragma once
#include <deal.II/base/symmetric_tensor.h>

#include <vector>

#include "elements/cells/cell_algebra.h"
#include "materials/material.h"

namespace symdyn
{
/// Of one point of a body: Cauchy's stress sigma = F S Fᵀ / det F [Pa], the strain (Green–Lagrange, of linear materials the linearised one)
/// [-] and the strain energy per reference volume [J/m³].
struct PointStress
{
  dealii::SymmetricTensor<2, 3> stress, strain;
  double energy = 0;
  std::vector<double> remembered = {};  ///< by laws with a memory (elements/system/remembered_fields.h)
};

/// `F`: what the law sees. In a plane problem F_33 follows from the material, where it has a rule.
PointStress stress_at(const Material &material, const dealii::Tensor<2, 3> &F, bool plane);

/// The same of as many points as there are lanes.
struct StressLanes
{
  Symmetric<Wide> stress, strain;
  Wide energy;
};
StressLanes stress_at(const Material &material, Matrix<3> F, bool plane);
PointStress first_lane(const StressLanes &lanes);

/// sqrt(3/2 s:s), s the deviator (von Mises 1913) [Pa].
double von_mises(const dealii::SymmetricTensor<2, 3> &sigma);
}  // namespace symdyn
