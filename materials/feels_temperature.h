#pragma once
#include "materials/algebra/wide.h"

namespace symdyn
{
/// A law with a memory that uses the temperature of its point: its last variable is T, which it does not change. Where nothing is heated, T
/// is 0.
class FeelsTemperature
{
public:
  virtual ~FeelsTemperature() = default;
  /// m of points that are at T_0 from the start.
  virtual void start_at(const Wide &T_0, Wide *m) const = 0;
};
}  // namespace symdyn
