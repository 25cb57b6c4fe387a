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
  /// Whether it does, by what the deck gives.
  virtual bool feels() const { return true; }
  /// Whether its constants are the same at all temperatures. If not, At temperatures may have others, and T matters without an expansion.
  virtual bool has_one_set() const { return true; }
};

/// The law if it uses the temperature, else nullptr.
template <class Law>
const FeelsTemperature *feels_temperature(const Law *law)
{
  const auto *feels = dynamic_cast<const FeelsTemperature *>(law);
  return feels && feels->feels() ? feels : nullptr;
}
}  // namespace symdyn
