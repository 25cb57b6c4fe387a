#pragma once
#include <cmath>
#include <utility>

#include "elements/lumped/laws.h"

namespace symdyn
{
/// What CentralPairs asks of a law with a memory, by s = r², of one that has functions of the elongation e = r - L in a step:
///     at(e)             W_n, F, F', F''
///     secant(e0, e1)    (W_n(e1) - W_n(e0))/(e1 - e0) and its slope by e1
///     remember(e)       writes the memory
///     length()          L [m]
template <class InStep>
class ByElongation
{
public:
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double r = std::sqrt(s);
    return by_square<order>(r, step().at(r - step().length()));
  }
  std::pair<double, double> quotient(const double s0, const double s1) const
  {
    const double r0 = std::sqrt(s0), r1 = std::sqrt(s1), sum = r0 + r1;
    const auto [g, slope] = step().secant(r0 - step().length(), r1 - step().length());
    return {g / sum, (slope - g / sum) / (2. * r1 * sum)};
  }
  void remember_at(const double s) const { step().remember(std::sqrt(s) - step().length()); }

private:
  const InStep &step() const { return static_cast<const InStep &>(*this); }
};
}  // namespace symdyn
