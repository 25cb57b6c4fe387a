#pragma once
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "elements/loads/turning_frame.h"
#include "elements/space.h"

namespace symdyn
{
/// Waves around the axis of a frame that turns, u e^(i omega t) with u_r, u_theta, u_a ~ e^(-i k theta). They are seen at nodes on the
/// axis, where u_1 + i u_2 belongs to k = 1, u_1 - i u_2 to k = -1 and u_a to k = 0, and at rings of N equally spaced nodes, by a discrete
/// Fourier transform, |k| < N/2. Other nodes do not count.
class TurningWaves
{
public:
  /// `space` must outlive it. Collective.
  TurningWaves(const Space &space, std::shared_ptr<const TurningFrame> frame);
  /// k of a motion of which one wave has 99 parts in 100 at least; no value: it is none. Collective.
  std::optional<int> number(const Vector &real, const Vector &imaginary) const;

private:
  struct Node
  {
    double radius, along, angle;
  };
  Node node_at(const Space::Place &X) const;
  void find_rings(const std::vector<Node> &nodes, double size);

  const Space &space;
  std::shared_ptr<const TurningFrame> frame;
  std::array<std::array<double, 3>, 2> e;
  std::vector<std::size_t> on_axis;                                ///< numbers of nodes over all ranks
  std::vector<std::vector<std::pair<double, std::size_t>>> rings;  ///< angle, number; ascending
  bool only_these = true;                                          ///< no other nodes
};
}  // namespace symdyn
