#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Of systems whose V changes with the part s of a static stage: overlaps of bodies that come by and by. Between two increments it does the
/// work of the mean of dV/ds.
class ComesByStages
{
public:
  virtual ~ComesByStages() = default;
  /// dV/ds at a state, q held [J]. Collective.
  virtual double coming(const State &state) const = 0;
  /// s.
  virtual double come() const = 0;
};
}  // namespace symdyn
