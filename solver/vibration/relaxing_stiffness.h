#pragma once
#include <complex>
#include <deque>
#include <memory>
#include <vector>

#include "solver/history.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
/// The complex stiffness of laws that relax, about a state: K*(omega) = Re K* + i Im K* of Oscillation.
class RelaxingStiffness
{
public:
  /// All must outlive this. `separated`: parts() is asked for.
  RelaxingStiffness(const Remembering &laws, const State &state, bool separated = false);

  /// The system whose V'' is Re K* + loss Im K*. Valid until this has been asked for three others.
  const MechanicalSystem &at(double omega, double loss) const;

  /// Of K*(omega) = K*(0) + sum_k g_k(omega) A_k, A_k = Im K*(1/tau_k): tau_k of all laws [s], A_k by y = A_k x at q, and g at omega. A
  /// term of time tau has the part ix/(1 + ix) of its modulus, x = omega tau, and x/(1 + x²) of these is in A_k.
  const std::vector<double> &parts() const { return times; }
  void part(std::size_t k, const Vector &q, const Vector &x, Vector &y) const;
  std::vector<std::complex<double>> factors(double omega) const;

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
  std::vector<double> times;
  std::size_t kept = 4;
  mutable std::deque<One> made;  ///< the last ones: a frequency asks for some of them hundreds of times
};
}  // namespace symdyn
