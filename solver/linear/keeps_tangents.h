#pragma once

namespace symdyn
{
/// A system that keeps tangents, factorisations and preconditioners, and what its solvers have learnt of them, from one call to the next.
class KeepsTangents
{
public:
  virtual ~KeepsTangents() = default;
  /// Drops all of it: what follows depends on what is asked from now on alone. Collective.
  virtual void forget() = 0;
};
}  // namespace symdyn
