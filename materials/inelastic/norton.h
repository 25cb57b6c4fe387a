#pragma once
#include <cmath>

#include "materials/inelastic/hardening.h"

namespace symdyn
{
/// D (dp/dt)^(1/n), and its integral over dp.
inline Rise power_of_rate(const Wide &D, const double n, const Wide &dp, const double dt)
{
  const double m = 1. / n;
  const Wide stress = D * pow(Wide((1. / dt) * dp), m), r = 1. / dp;
  return {stress * dp * (1. / (m + 1.)), stress, m * stress * r, m * (m - 1.) * stress * r * r};
}
}  // namespace symdyn
