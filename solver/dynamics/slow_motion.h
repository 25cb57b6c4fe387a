#pragma once
#include <memory>
#include <nlohmann/json.hpp>

#include "solver/dynamics/slow_manifold.h"

namespace symdyn
{
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

  nlohmann::json saved() const { return {at_start, lack_said}; }
  void load(const nlohmann::json &saved)
  {
    at_start = saved.at(0);
    lack_said = saved.at(1);
  }

private:
  bool at_start = false, lack_said = false;
  int every = 0;
  SlowManifold manifold;
  std::shared_ptr<Parameters> section;  ///< if the deck has it
};
}  // namespace symdyn
