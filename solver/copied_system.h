#pragma once
#include <memory>

#include "solver/history.h"

namespace symdyn
{
/// A copy of a system, about a state, in which something is added that does not change.
struct CopiedSystem
{
  std::unique_ptr<MechanicalSystem> whole;
  std::unique_ptr<const State> state;  ///< with its history
  std::unique_ptr<Increment> frozen;   ///< of laws with a memory: about the state
  const MechanicalSystem &operator*() const { return frozen ? *frozen : *whole; }
};
}  // namespace symdyn
