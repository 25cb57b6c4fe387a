#include "elements/contact/laws/contact_law.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
/// The quotient where both gaps are apart: then its error times (g1 - g0) is the rounding of Phi. Else Gauss' rule with four points, of
/// degree 7, for the integrals of Phi' and s Phi'' over the way.
MeanSlope::MeanSlope(const ContactLaw &law, const double g0, const double g1)
{
  constexpr double near = 1e-3;
  const double way = g1 - g0;
  if (std::abs(way) > near * law.scale(std::min(g0, g1)))
  {
    const auto from = law.at(g0), to = law.at(g1);
    value = (to[0] - from[0]) / way;
    change = (to[1] - value) / way;
    return;
  }
  constexpr std::array<double, 2> offset{0.3399810435848563, 0.8611363115940526}, weight{0.6521451548625461, 0.3478548451374538};
  value = change = 0.;
  for (int i = 0; i < 2; ++i)
    for (const double side : {-1., 1.})
    {
      const double s = 0.5 * (1. + side * offset[i]);
      const auto phi = law.at(g0 + s * way);
      value += 0.5 * weight[i] * phi[1];
      change += 0.5 * weight[i] * s * phi[2];
    }
}
}  // namespace symdyn
