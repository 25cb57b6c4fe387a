#pragma once
#include <string>
#include <vector>

#include "solver/stages/rotors/turning_body.h"
#include "solver/vibration/rotors/rotor_mode.h"

namespace symdyn
{
/// What feeds a motion of a rotor that grows, and what takes from it. Of u*(lambda² M + lambda C + K) u = 0, lambda = sigma + i omega, the
/// imaginary part is a balance of works, seen from the ground,
///     sigma (2 omega u*Mu + Im u*Cu) + omega Re u*Cu + Im u*Ku = 0
/// in which each bearing has omega Re u*C_b u, in a frame that turns Im u*(Omega C_b S) u as well, and Im u*K_b u; the rotor has what is
/// left. Parts with the sign of the frequency from the ground take from the motion, others feed it.
struct GrowthCause
{
  std::vector<std::string> feeding;  ///< the most first
  bool damped_by_bearings = false;
  std::string sentence() const;
};

/// `mode`: one that grows at this speed. Collective.
GrowthCause growth_cause(const TurningBody::At &there, const RotorMode &mode, double speed, bool at_rest);
}  // namespace symdyn
