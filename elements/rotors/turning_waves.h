#pragma once
#include <array>
#include <vector>

#include "elements/rotors/node_rings.h"
#include "solver/spinning.h"

namespace symdyn
{
/// Waves around the axis of a frame that turns, u e^(i omega t) with u_r, u_theta, u_a ~ e^(-i k theta). They are seen at nodes on the
/// axis, where u_1 + i u_2 belongs to k = 1, u_1 - i u_2 to k = -1 and u_a to k = 0, and at rings of N equally spaced nodes, by a discrete
/// Fourier transform, |k| < N/2. Other nodes do not count.
class TurningWaves
{
public:
  /// `space` must outlive it. Collective.
  TurningWaves(const Space &space, const TurningFrame &frame);
  /// Collective.
  Waves of(const Vector &real, const Vector &imaginary) const;

private:
  const Space &space;
  std::array<std::array<double, 3>, 3> e;  ///< two directions across, and along the axis
  std::vector<std::size_t> on_axis;        ///< numbers of nodes over all ranks
  std::vector<NodeRings::Ring> rings;
  bool only_these = true;  ///< no other nodes
};
}  // namespace symdyn
