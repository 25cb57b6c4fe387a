#pragma once
#include <string>

#include "solver/base/units.h"
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Motions of bodies that nothing resists, which a static stage may hold itself (Actions::holds_motions): each in one direction at one
/// place, by a spring. Loads that do no work along these motions leave the springs without force.
class HeldMotions
{
public:
  virtual ~HeldMotions() = default;
  /// Chooses places and directions for the free motions about q. In words: "along y at (0, 1, 0) m"; "": it cannot. Collective.
  virtual std::string find(const Vector &q, const Units &units) = 0;
  /// From now on springs are without force where the state is; its memory has them, for a restart.
  virtual void rest(State &state) = 0;
  /// Those that the memory of a state has.
  virtual void recall(const State &state) = 0;
  /// A spring with more force than `most` [N] and than rounding of stiffness times displacement, in words: "12 N along y at (0, 1, 0) m";
  /// "": there is none. Collective.
  virtual std::string pushed(const Vector &q, double most, const Units &units) const = 0;
  /// What rest() has left in a state.
  static void forget(State &state)
  {
    state.memory.erase(stiffness);
    state.memory.erase(place);
  }

protected:
  static constexpr const char *stiffness = "stiffness of held motions", *place = "rest of held motions";
};
}  // namespace symdyn
