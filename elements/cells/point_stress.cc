#include "elements/cells/point_stress.h"

#include <cmath>

namespace symdyn
{
PointStress stress_at(const Material &material, dealii::Tensor<2, 3> F, const bool plane)
{
  const bool small = material.small_strain();
  const dealii::SymmetricTensor<2, 3> one = dealii::unit_symmetric_tensor<3>();
  const dealii::SymmetricTensor<2, 3> CC = small ? 2. * symmetrize(F) - one : symmetrize(transpose(F) * F);
  Symmetric<Wide> C = identity<Wide>();
  for (int I = 0; I < 3; ++I)
    for (int J = I; J < 3; ++J)
      C(I, J) = CC[I][J];
  PointStress point;
  point.energy = material.psi(C)[0];
  const Symmetric<Wide> S = material.stress(C);
  dealii::SymmetricTensor<2, 3> second;
  for (int I = 0; I < 3; ++I)
    for (int J = I; J < 3; ++J)
    {
      second[I][J] = S(I, J)[0];
      point.strain[I][J] = 0.5 * (CC[I][J] - one[I][J]);
    }
  if (plane)
  {
    const double C33 = material.thickness_stretch_squared(C)[0];
    point.strain[2][2] = 0.5 * (C33 - 1.);
    F[2][2] = std::sqrt(C33);
  }
  point.stress = small ? second : symmetrize(F * dealii::Tensor<2, 3>(second) * transpose(F)) / determinant(F);
  return point;
}

double von_mises(const dealii::SymmetricTensor<2, 3> &sigma) { return std::sqrt(1.5) * deviator(sigma).norm(); }
}  // namespace symdyn
