#include "elements/cauchy_stress.h"

#include <cmath>

namespace symdyn
{
template <int dim>
PointStress cauchy_stress(const dealii::Tensor<1, dim> *gradient, const Material &material)
{
  PointStress stress;
  double F[3][3] = {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
  for (int i = 0; i < dim; ++i)
    for (int J = 0; J < dim; ++J)
      F[i][J] += gradient[i][J];
  Symmetric<Wide> C = identity<Wide>();
  for (int I = 0; I < dim; ++I)
    for (int J = I; J < dim; ++J)
    {
      double c = 0;
      for (int i = 0; i < dim; ++i)
        c += F[i][I] * F[i][J];
      C(I, J) = material.small_strain() ? F[I][J] + F[J][I] - (I == J ? 1. : 0.) : c;
    }
  const Symmetric<Wide> S = material.stress(C);
  F[2][2] = std::sqrt(material.thickness_stretch_squared(C)[0]);
  const double J = F[0][0] * (F[1][1] * F[2][2] - F[1][2] * F[2][1]) - F[0][1] * (F[1][0] * F[2][2] - F[1][2] * F[2][0]) +
                   F[0][2] * (F[1][0] * F[2][1] - F[1][1] * F[2][0]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
    {
      stress.sigma[i][j] = material.small_strain() ? S(i, j)[0] : 0.;
      for (int I = 0; I < 3 && !material.small_strain(); ++I)
        for (int K = 0; K < 3; ++K)
          stress.sigma[i][j] += F[i][I] * S(I, K)[0] * F[j][K] / J;
    }
  stress.energy_density = material.psi(C)[0];
  return stress;
}

double von_mises(const double (&sigma)[3][3])
{
  const double mean = (sigma[0][0] + sigma[1][1] + sigma[2][2]) / 3.;
  double deviator = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      deviator += std::pow(sigma[i][j] - (i == j ? mean : 0.), 2);
  return std::sqrt(1.5 * deviator);
}

template PointStress cauchy_stress<2>(const dealii::Tensor<1, 2> *, const Material &);
template PointStress cauchy_stress<3>(const dealii::Tensor<1, 3> *, const Material &);
}  // namespace symdyn
