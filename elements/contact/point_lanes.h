#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "elements/surfaces/box.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// The squares of the distances from a box.
inline Wide square_to(const Box &box, const std::array<Wide, 3> &x)
{
  Wide square(0.);
  for (int d = 0; d < 3; ++d)
  {
    const Wide below = box.lower[d] - x[d], above = x[d] - box.upper[d];
    const Wide apart = select(positive(below), below, select(positive(above), above, Wide(0.)));
    square += apart * apart;
  }
  return square;
}

/// Places, or arrows at them, in the processor's lanes, which take several at a time.
class PointLanes
{
public:
  /// Of this many places, whose values are left as they are.
  void resize(const std::size_t number)
  {
    places = number;
    groups.resize((number + lanes - 1) / lanes);
  }
  /// Of this many places, at 0.
  void clear(const std::size_t number)
  {
    resize(number);
    std::fill(groups.begin(), groups.end(), std::array<Wide, 3>{Wide(0.), Wide(0.), Wide(0.)});
  }
  std::size_t size() const { return places; }
  std::array<Wide, 3> &group(const std::size_t number) { return groups[number]; }
  const std::array<Wide, 3> &group(const std::size_t number) const { return groups[number]; }
  Place operator[](const std::size_t i) const
  {
    const std::array<Wide, 3> &x = groups[i / lanes];
    const int lane = int(i % lanes);
    return {x[0][lane], x[1][lane], x[2][lane]};
  }
  void add(const std::size_t i, const Place &a)
  {
    std::array<Wide, 3> &x = groups[i / lanes];
    for (int d = 0; d < 3; ++d)
      x[d].set(int(i % lanes), x[d][int(i % lanes)] + a[d]);
  }
  /// Around the places.
  Box box() const
  {
    Box around;
    for (std::size_t i = 0; i < places; ++i)
      around.take((*this)[i]);
    return around;
  }

  std::size_t number_of_groups() const { return groups.size(); }
  /// The lanes of a group that have places. Bit i: of lane i.
  unsigned used(const std::size_t group) const
  {
    const std::size_t left = places - group * lanes;
    return left < lanes ? (1u << left) - 1u : (1u << lanes) - 1u;
  }
  /// Calls visit(i) for the places within `distance` of a box, in turn.
  template <class Visit>
  void near(const Box &other, const double distance, const Visit &visit) const
  {
    constexpr double rounding = 1. + 1e-12;  // squares of what is far are infinite
    const Wide within(rounding * distance * distance);
    for (std::size_t group = 0; group < groups.size(); ++group)
      for (unsigned close = used(group) & lanes_of(square_to(other, groups[group]).v < within.v); close != 0; close &= close - 1)
        visit(group * lanes + std::size_t(__builtin_ctz(close)));
  }

private:
  std::size_t places = 0;
  std::vector<std::array<Wide, 3>> groups;  ///< what stands beyond the last place has no meaning
};
}  // namespace symdyn
