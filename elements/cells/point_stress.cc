#include "elements/cells/point_stress.h"

#include <cmath>

namespace symdyn
{
StressLanes stress_at(const Material &material, Matrix<3> F, const bool plane)
{
  const bool small = material.small_strain();
  const auto delta = [](const int i, const int j) { return Wide(i == j ? 1. : 0.); };
  Symmetric<Wide> C;
  for (int I = 0; I < 3; ++I)
    for (int J = I; J < 3; ++J)
      C(I, J) = small ? F[I][J] + F[J][I] - delta(I, J) : F[0][I] * F[0][J] + F[1][I] * F[1][J] + F[2][I] * F[2][J];
  StressLanes point;
  point.energy = material.psi(C);
  const Symmetric<Wide> S = material.stress(C);
  for (int I = 0; I < 3; ++I)
    for (int J = I; J < 3; ++J)
      point.strain(I, J) = Wide(0.5) * (C(I, J) - delta(I, J));
  if (plane)
  {
    const Wide C33 = material.thickness_stretch_squared(C);
    point.strain(2, 2) = Wide(0.5) * (C33 - Wide(1.));
    F[2][2] = sqrt(C33);
  }
  if (small)
  {
    point.stress = S;
    return point;
  }
  const Wide per_volume = Wide(1.) / determinant<3>(F);
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
    {
      Wide sum = 0.;
      for (int I = 0; I < 3; ++I)
        for (int J = 0; J < 3; ++J)
          sum += F[i][I] * S(I, J) * F[j][J];
      point.stress(i, j) = sum * per_volume;
    }
  return point;
}

PointStress first_lane(const StressLanes &lanes)
{
  PointStress point;
  point.energy = lanes.energy[0];
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
    {
      point.stress[i][j] = lanes.stress(i, j)[0];
      point.strain[i][j] = lanes.strain(i, j)[0];
    }
  return point;
}

PointStress stress_at(const Material &material, const dealii::Tensor<2, 3> &F, const bool plane)
{
  Matrix<3> lanes;
  for (int i = 0; i < 3; ++i)
    for (int J = 0; J < 3; ++J)
      lanes[i][J] = F[i][J];
  return first_lane(stress_at(material, lanes, plane));
}

double von_mises(const dealii::SymmetricTensor<2, 3> &sigma) { return std::sqrt(1.5) * deviator(sigma).norm(); }
}  // namespace symdyn
