#pragma once

namespace symdyn
{
/// Small steady motions e^{i omega t} about a state: laws that relax have the stiffness
///     K*(omega) = K - sum_i K_i/(1 + i omega tau_i),   Re K* + loss Im K* = K - sum_i weight(tau_i) K_i
/// K: the frozen one about the state, K_i: the part that relaxes in the time tau_i (Ferry 1980, chapter 3).
struct Oscillation
{
  double omega = 0;  ///< [rad/s]; 0: all has relaxed
  double loss = 0;   ///< how often Im K* is in the stiffness

  double weight(const double tau) const
  {
    const double x = omega * tau;
    return (1. - loss * x) / (1. + x * x);
  }
};
}  // namespace symdyn
