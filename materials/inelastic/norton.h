#pragma once
#include <cmath>

#include "materials/inelastic/hardening.h"

namespace symdyn
{
/// D (dp/dt)^(1/n)
inline Rise power_of_rate(const double D, const double n, const Wide &dp, const double dt)
{
  const double m = 1. / n;
  const Wide stress = D * pow(Wide((1. / dt) * dp), m), r = 1. / dp;
  return {0., stress, m * stress * r, m * (m - 1.) * stress * r * r};
}
/// Its integral over dp.
inline Wide energy_of_power(const double D, const double n, const Wide &dp, const double dt)
{
  return D * pow(Wide((1. / dt) * dp), 1. / n) * dp * (n / (n + 1.));
}
}  // namespace symdyn
