#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "elements/surfaces/box.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// Places that are held against many boxes; the processor's lanes take several at a time.
class PointLanes
{
public:
  void take(const std::vector<Place> &places)
  {
    around = Box(places);
    groups.resize((places.size() + lanes - 1) / lanes);
    for (std::size_t i = 0; i < lanes * groups.size(); ++i)
      for (int d = 0; d < 3; ++d)
        groups[i / lanes][d].set(int(i % lanes), i < places.size() ? places[i][d] : Box::far);
  }
  /// Around the places.
  const Box &box() const { return around; }

  /// Calls visit(i) for the places within `distance` of a box, in turn.
  template <class Visit>
  void near(const Box &other, const double distance, const Visit &visit) const
  {
    if (!around.near(other, distance))
      return;
    constexpr double rounding = 1. + 1e-12;  // beyond the last place squares are infinite
    const double within = rounding * distance * distance;
    for (std::size_t group = 0; group < groups.size(); ++group)
    {
      Wide square(0.);
      for (int d = 0; d < 3; ++d)
      {
        const Wide &x = groups[group][d], below = other.lower[d] - x, above = x - other.upper[d];
        const Wide apart = select(positive(below), below, select(positive(above), above, Wide(0.)));
        square += apart * apart;
      }
      for (unsigned close = bits(square.v < Wide(within).v); close != 0; close &= close - 1)
        visit(group * lanes + std::size_t(__builtin_ctz(close)));
    }
  }

private:
  /// Bit i: of lane i.
  static unsigned bits(const Wide::Bits &mask)
  {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(__m512i(mask), __m512i(mask));
#else
    unsigned all = 0;
    for (int lane = 0; lane < lanes; ++lane)
      all |= mask[lane] != 0 ? 1u << lane : 0u;
    return all;
#endif
  }
  Box around;
  std::vector<std::array<Wide, 3>> groups;  ///< beyond the last place far away
};
}  // namespace symdyn
