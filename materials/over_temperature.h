#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "materials/inelastic.h"

namespace symdyn
{
class Parameters;

/// A law with constants that are those at a temperature.
struct ConstantsAt
{
  double temperature;
  std::shared_ptr<const Material> law;
};

/// Constants that are known at n temperatures at(0) < at(1) < ... hold at T with the weights w_k(T), linear between two of them and
/// constant beyond: calls visit(k, w_k) for those that any lane has.
template <class Temperature, class Visit>
void each_part(const std::size_t n, const Temperature &at, const Wide &T, const Visit &visit)
{
  for (std::size_t k = 0; k < n; ++k)
  {
    Wide part = 0.;
    bool any = false;
    for (int lane = 0; lane < lanes; ++lane)
    {
      const double here = at(k);
      double w = 1.;
      if (T[lane] < here && k > 0)
        w = 1. - (here - T[lane]) / (here - at(k - 1));
      if (T[lane] > here && k + 1 < n)
        w = 1. - (T[lane] - here) / (at(k + 1) - here);
      part.set(lane, std::max(w, 0.));
      any = any || w > 0.;
    }
    if (any)
      visit(k, part);
  }
}

/// A law with a memory whose constants may depend on the temperature.
class OverTemperature
{
public:
  virtual ~OverTemperature() = default;
  /// The law with constants that are linear in T between those of `known`, and constant beyond them: laws of its own type, two or more,
  /// which ascend in temperature. Its last variable is T of the point, which it does not change. `deck` is its section; errors: InputError
  /// for constants that cannot depend on T.
  virtual std::shared_ptr<const InelasticMaterial> over(const std::vector<ConstantsAt> &known, const Parameters &deck) const = 0;
};
}  // namespace symdyn
