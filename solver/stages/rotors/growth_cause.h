#pragma once
#include <functional>
#include <string>
#include <vector>

#include "solver/stages/rotors/turning_body.h"
#include "solver/vibration/rotors/rotor_mode.h"

namespace symdyn
{
/// What feeds a motion of a rotor that grows, and what takes from it. Of u*(lambda² M + lambda C + K) u = 0, lambda = sigma + i omega, the
/// imaginary part is a balance of works,
///     sigma J + omega Re u*Cu + Im u*Ku = 0,   J = 2 omega u*Mu + Im u*Cu
/// in which each bearing has omega Re u*C_b u, in a frame that turns Im u*(Omega C_b S) u as well, and Im u*K_b u; the rotor has what is
/// left. The sum has the sign of -J where sigma > 0: parts with this sign feed the motion, others take from it. C has Coriolis' forces: of
/// a wave, J has the sign of its frequency from the ground.
struct GrowthCause
{
  std::vector<std::string> feeding;  ///< the most first
  bool damped_by_bearings = false;
  std::string sentence() const;
};

/// `mode`: one that grows; `resting`: u*Ku of a shape u at Omega = 0, without centrifugal force; none: not known. Collective.
GrowthCause growth_cause(const TurningBody::At &there, const RotorMode &mode, bool at_rest,
                         const std::function<double(const ComplexVector &)> &resting);
}  // namespace symdyn
