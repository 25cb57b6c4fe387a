#pragma once
#include <cstdint>
#include <vector>

#include "solver/copied_system.h"

namespace symdyn
{
/// A system of which more degrees of freedom can be held, for substructures.
class HoldsMore
{
public:
  virtual ~HoldsMore() = default;
  /// The system, which must outlive it, about a state, with these degrees of freedom of all ranks held where they are. Laws are frozen.
  /// Collective.
  virtual CopiedSystem holding(const State &about, const std::vector<std::uint64_t> &dofs) const = 0;
  /// u <- T u: what relations between degrees of freedom make follow the others. Collective.
  virtual void follow(Vector &u) const = 0;
};
}  // namespace symdyn
