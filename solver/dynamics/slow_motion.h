#pragma once
#include <memory>

#include "solver/dynamics/slow_manifold.h"

namespace symdyn
{
class Archive;

/// Deck section "Slow manifold": projections in a run, before its first dynamic stage and every so many steps.
class SlowMotion
{
public:
  void declare(Parameters p);
  /// Errors: InputError, for a section without effect, too, in a run whose motion takes `duration` [s], at most `steps` in a stage; 0: it
  /// has static stages only.
  void check(const MechanicalSystem &system, const State &state, double duration, long steps) const;
  /// At the beginning of each dynamic stage: projects at the first one, if the deck says so.
  void begin(const MechanicalSystem &system, State &state);
  /// Whether the state is projected after step k of `steps` of a stage; never at its end.
  bool due(long k, long steps) const { return every > 0 && k % every == 0 && k < steps; }
  /// Projects, forgets what a scheme remembers, and logs; a first one that has not converged is a warning. Errors: ComputationError.
  void project(const MechanicalSystem &system, State &state);

  void save(Archive archive) const;
  void load(const Archive &archive);

private:
  bool at_start = false, lack_said = false;
  int every = 0;
  SlowManifold manifold;
  std::shared_ptr<Parameters> section;  ///< if the deck has it
};
}  // namespace symdyn
