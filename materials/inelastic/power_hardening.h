#pragma once
#include "materials/inelastic/hardening.h"

namespace symdyn
{
/// K ((p0 + p)^n - p0^n): a power of the plastic strain, 0 at p = 0, of a finite slope there.
inline Rise power_rise(const double K, const double p0, const double n, const Wide &p)
{
  const Wide x = p + p0, power = pow(x, n), r = 1. / x, stress = K * power;
  const double start = std::pow(p0, n);
  return {K * ((power * x - start * p0) * (1. / (n + 1.)) - start * p), stress - K * start, n * stress * r, n * (n - 1.) * stress * r * r};
}
}  // namespace symdyn
