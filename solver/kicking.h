#pragma once
#include "solver/mechanical_system.h"

namespace symdyn
{
/// Of systems with a part V_c of V whose second derivative has jumps: bodies that meet. A scheme that uses the third derivative takes
/// -M^-1 V_c' as a kick, and the rest of V as it is.
class Kicking
{
public:
  virtual ~Kicking() = default;
  /// Whether there is such a part.
  virtual bool kicks() const = 0;
  /// The same system without it, as supports and relations are now. Not to be kept over a step.
  virtual const MechanicalSystem &smooth() const = 0;
  /// f = dV_c/dq [N]. Collective.
  virtual ForceReport kick(const Vector &q, Vector &f) const = 0;
  /// 2/omega_max of the rest [s]. Collective.
  virtual double longest_step(double t, const Vector &q) const = 0;
};

/// nullptr: V has no such part.
inline const Kicking *kicking(const MechanicalSystem &system)
{
  const auto *found = dynamic_cast<const Kicking *>(&system);
  return found && found->kicks() ? found : nullptr;
}
}  // namespace symdyn
