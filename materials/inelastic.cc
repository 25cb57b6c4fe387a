#include "materials/inelastic.h"

namespace symdyn
{
std::vector<Wide> InelasticMaterial::virgin() const
{
  std::vector<double> m(variables());
  begin(m.data());
  return {m.begin(), m.end()};
}

void InelasticMaterial::stress(const Symmetric<Wide> *C, Symmetric<Wide> *S, const int points) const
{
  const std::vector<Wide> m = virgin();
  for (int q = 0; q < points; ++q)
    S[q] = incremental_stress(C[q], m.data(), 0., nullptr);
}

void InelasticMaterial::incremental_tangent(const Symmetric<Wide> &C, const Wide *from, const double dt, Symmetric<Wide> &S,
                                            Tangent<Wide> &D) const
{
  tangent_by_directions(
      C, [&](const Symmetric<Dual<Wide>> &curve) { return incremental_stress(curve, from, dt); }, S, D);
}
}  // namespace symdyn
