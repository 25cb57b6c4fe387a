#pragma once
#include <algorithm>

namespace symdyn
{
/// Friction at a point as plasticity of its slip e [m] with the bound tau_0 = mu p of the start of the step [Pa]:
///     W_n(e) = k_t |e|²/2,   k_t |e| <= tau_0;   else tau_0 |e| - tau_0²/(2 k_t)      [J/m²]
/// e is the elastic slip up to the last accepted state and what the step adds. The tangential traction W_n' = tau e/|e| sticks with the
/// slope k_t up to the bound. A frozen one always sticks. (Incremental potential of Coulomb's friction with a given pressure: Pandolfi,
/// Kane, Marsden, Ortiz 2002.)
struct SlipLaw
{
  double slope = 0;  ///< k_t [Pa/m]

  /// Where a slip of this length slides.
  bool slides(const double e, const double bound, const bool frozen) const { return !frozen && slope * e > bound; }
  double energy(const double e, const double bound, const bool frozen) const
  {
    return slides(e, bound, frozen) ? bound * e - 0.5 * bound * bound / slope : 0.5 * slope * e * e;
  }
  /// The part of e that is elastic.
  double elastic(const double e, const double bound) const { return slides(e, bound, false) ? bound / (slope * e) : 1.; }
};
}  // namespace symdyn
