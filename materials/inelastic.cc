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
  for (int n = 0; n < 6; ++n)
  {
    Symmetric<Dual<Wide>> curve;
    for (int m = 0; m < 6; ++m)
      curve[m] = {C[m], Wide(m == n ? 1. : 0.)};
    const Symmetric<Dual<Wide>> along = incremental_stress(curve, from, dt);
    for (int m = 0; m < 6; ++m)
    {
      S[m] = along[m].x;
      D(m, n) = Wide(n < 3 ? 2. : 1.) * along[m].d;  // C_12 stands for C_21 too
    }
  }
}
}  // namespace symdyn
