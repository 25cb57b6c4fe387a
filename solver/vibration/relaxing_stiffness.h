#pragma once
#include <deque>
#include <memory>

#include "solver/history.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// The complex stiffness of laws that relax, about a state: K*(omega) = Re K* + i Im K* of Oscillation.
class RelaxingStiffness
{
public:
  /// All must outlive this.
  RelaxingStiffness(const Remembering &laws, const State &state) : laws(laws), state(state) {}

  /// The system whose V'' is Re K* + loss Im K*. Valid until this has been asked for three others.
  const MechanicalSystem &at(double omega, double loss) const;

private:
  struct One
  {
    One(const Remembering &laws, const State &state, const Oscillation &of)
        : of(of), system(laws.oscillating(state.history, of)), about(*system, state.t, state.q)
    {
    }
    Oscillation of;
    std::unique_ptr<Increment> system;
    AtRest about;
  };

  const Remembering &laws;
  const State &state;
  mutable std::deque<One> made;  ///< the last ones: a frequency asks for some of them hundreds of times
};
}  // namespace symdyn
