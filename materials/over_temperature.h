#pragma once
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
