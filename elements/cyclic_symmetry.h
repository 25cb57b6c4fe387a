#pragma once
#include <cmath>
#include <string>

#include "elements/place.h"

namespace symdyn
{
/// N sectors that make the whole when each is the one before it, turned by alpha = 2 pi/N about an axis.
struct CyclicSymmetry
{
  int sectors = 2;                  ///< N
  int shown = 2;                    ///< in pictures
  int sense = 1;                    ///< Low turns onto High: 1 in the sense of the axis, -1 against it
  Place axis{0., 0., 1.}, point{};  ///< of length 1; a place on it [m]
  std::string where;                ///< of the deck

  double angle() const { return 2. * std::acos(-1.) / sectors; }
  Place along(const Place &v) const { return scaled(dot(axis, v), axis); }
  Place across(const Place &v) const { return difference(v, along(v)); }
  /// A vector turned by an angle, cos v_across + sin a x v + v_along.
  Place turned(const Place &v, const double by) const
  {
    const Place out = scaled(std::cos(by), across(v)), round = scaled(std::sin(by), cross(axis, v)), in = along(v);
    return {out[0] + round[0] + in[0], out[1] + round[1] + in[1], out[2] + round[2] + in[2]};
  }
  Place turned_place(const Place &X, const double by) const { return difference(turned(difference(X, point), by), scaled(-1., point)); }

private:
  static Place scaled(const double factor, const Place &v) { return {factor * v[0], factor * v[1], factor * v[2]}; }
};
}  // namespace symdyn
