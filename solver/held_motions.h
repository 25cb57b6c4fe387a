#pragma once
#include <string>

#include "solver/base/units.h"
#include "solver/vector.h"

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
  /// From now on springs are without force at q.
  virtual void rest(const Vector &q) = 0;
  /// A spring with more force than `most` [N], in words: "12 N along y at (0, 1, 0) m"; "": there is none. Collective.
  virtual std::string pushed(const Vector &q, double most, const Units &units) const = 0;
};
}  // namespace symdyn
