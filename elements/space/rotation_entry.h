#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "solver/deck/formula/expression.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
constexpr const char *turns_about_normal =
    "turns a node about the normal of a shell, which has no such rotation where it has no fold. Set this component to 0 or free";

/// The entry Rotation of supports, couplings and nodes: about each of three axes `free`, or an expression of t [rad], 0 for a node that
/// does not turn.
struct RotationEntry
{
  std::vector<std::string> texts;  ///< {}: not given
  std::vector<Expression> theta;   ///< 0 where it is free

  bool any() const { return !texts.empty(); }
  bool holds(const int axis) const { return any() && texts[axis] != "free"; }
  int count() const { return int(holds(0)) + int(holds(1)) + int(holds(2)); }
  /// The axis that alone is held, or alone is free.
  int single(const bool held) const
  {
    int axis = 0;
    while (holds(axis) != held)
      ++axis;
    return axis;
  }
  bool moves() const
  {
    return std::any_of(theta.begin(), theta.end(), [](const Expression &component) { return !component.is_zero(); });
  }

  /// Whether it turns about n alone (t = 1/2, 1): a node whose only director is along n does not follow.
  bool turns_about(const std::array<double, 3> &n) const
  {
    constexpr double small = 1e-6;
    for (const double t : {0.5, 1.})
    {
      double along = 0, square = 0, of_n = 0;
      for (std::size_t d = 0; d < n.size() && moves(); ++d)
      {
        const double turn = theta[d].in_time(nullptr, 0, t).x;
        along += turn * n[d];
        square += turn * turn;
        of_n += n[d] * n[d];
      }
      if (square > 0. && along * along >= (1. - small) * square * of_n)
        return true;
    }
    return false;
  }

  /// Reads `texts`. Errors: InputError.
  void read(const Parameters &p)
  {
    constexpr int axes = 3;
    if (texts.size() != std::size_t(axes))
      p.fail("Rotation", "needs three items separated by commas, each 0, free, or an expression of t");
    theta.assign(axes, Expression(0.));
    for (int axis = 0; axis < axes; ++axis)
      if (holds(axis))
        try
        {
          theta[axis] = Expression(texts[axis]);
        }
        catch (const InputError &error)
        {
          p.fail("Rotation", error.what());
        }
    for (const Expression &component : theta)
      for (const char *variable : {"x", "y", "z"})
        if (component.uses(variable))
          p.fail("Rotation", "depends on t alone");
  }
  /// Errors: InputError for what small rotations alone define: two that are prescribed, and one of 90 degrees or more.
  void check_large(const Parameters &p) const
  {
    if (!moves() || count() == 3)
      return;
    if (count() == 2)
      p.fail("Rotation",
             "prescribes a rotation about two axes, which is defined in small rotations alone. Give all three components of the rotation "
             "vector, or set Geometry = linear");
    const Expression &angle = theta[single(true)];
    if (angle.uses("t"))
      return;
    const double origin[]{0., 0., 0.};
    if (const double value = angle.at(origin, 3, 0.); std::abs(value) >= M_PI / 2.)
      p.fail("Rotation",
             fmt::format("prescribes {:g} rad about one axis alone, which is defined below pi/2. Give all three components", value));
  }
  /// theta; of large rotations the sine of one that is held alone, d·(a x D) = sin(theta) |a x D|².
  std::vector<Expression> applied(const bool small) const
  {
    std::vector<Expression> all = theta;
    if (count() == 1 && !small && moves())
      all[single(true)] = Expression("sin(" + texts[single(true)] + ")");
    return all;
  }
};
}  // namespace symdyn
