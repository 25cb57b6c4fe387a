#pragma once
#include <array>
#include <memory>
#include <string>

#include "solver/spinning.h"

namespace symdyn
{
class Parameters;

/// A frame that turns about an axis in space, the section `Rotation` of a deck.
class TurningFrame
{
public:
  static constexpr const char *name = load_of_frame;
  /// nullptr if the deck has no such section. Errors: InputError.
  static std::shared_ptr<const TurningFrame> read(Parameters root, int dimension);

  int dimension = 3;
  double speed = 0;                        ///< Omega [rad/s]
  std::array<double, 3> axis{0., 0., 1.};  ///< a, of length 1
  std::array<double, 3> point{};           ///< on the axis [m]
  std::string where;
  /// (1 - a aᵀ)_ij and (a x)_ij, S w = a x w.
  double across(const int i, const int j) const { return (i == j ? 1. : 0.) - axis[i] * axis[j]; }
  double turn(int i, int j) const;
  /// Across the axis, of length 1: from where angles count, x without its part along the axis, y where x is nearer to the axis than y; and
  /// a right angle ahead of it, a x e.
  std::array<std::array<double, 3>, 2> directions() const;
  std::shared_ptr<const TurningFrame> at_speed(double other) const;

private:
  void declare(Parameters &p, int of_structure);
};
}  // namespace symdyn
