#pragma once

namespace symdyn
{
/// A law whose temperature may be its own, which no field prescribes.
class OwnHeat
{
public:
  virtual ~OwnHeat() = default;
  virtual bool heats_itself() const = 0;
};
}  // namespace symdyn
