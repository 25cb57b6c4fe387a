#pragma once
#include <array>
#include <cmath>
#include <utility>

#include "elements/lumped/element_memory.h"
#include "elements/lumped/laws.h"

namespace symdyn
{
/// One element in a step, of a law with a memory: m, the memory of the last accepted state; `to`, where the new one goes (nullptr: not
/// wanted); and whether the memory is frozen. The derived Law::InStep has functions of the elongation e = r - L,
///     at(e)             W_n, F, F', F''
///     secant(e0, e1)    (W_n(e1) - W_n(e0))/(e1 - e0) and its slope by e1
///     remember(e)       writes the memory
/// from which follow those of s = r² that CentralPairs calls.
template <class Law>
class ByElongation
{
public:
  ByElongation(const Law &law, const ElementStep &step, const std::size_t element)
      : law(law),
        m(step.from ? step.from + Law::variables * element : virgin.data()),
        to(step.to ? step.to + Law::variables * element : nullptr),
        frozen(step.dt == 0.)
  {
  }
  template <int order>
  PairSlopes<order> slopes(const double s) const
  {
    const double r = std::sqrt(s);
    return by_square<order>(r, step().at(r - length()));
  }
  std::pair<double, double> quotient(const double s0, const double s1) const
  {
    const double r0 = std::sqrt(s0), r1 = std::sqrt(s1), sum = r0 + r1;
    const auto [g, slope] = step().secant(r0 - length(), r1 - length());
    return {g / sum, (slope - g / sum) / (2. * r1 * sum)};
  }
  void remember_at(const double s) const { step().remember(std::sqrt(s) - length()); }
  /// L [m]
  double length() const { return law.length; }

protected:
  const Law &law;
  const double *m;
  double *to;
  bool frozen;

private:
  const typename Law::InStep &step() const { return static_cast<const typename Law::InStep &>(*this); }

  static constexpr std::array<double, Law::variables> virgin{};
};
}  // namespace symdyn
