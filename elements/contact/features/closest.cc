#include "elements/contact/features/closest.h"

namespace symdyn
{
namespace
{
/// From the origin to the point.
Place combined(const Place &weight, const std::array<Place, 3> &at, const int n)
{
  Place x{};
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d)
      x[d] += weight[i] * at[i][d];
  return x;
}

/// Of the nearest place of a line: the weight of its second end, cut to it.
double along_line(const Place &x, const Place &a, const Place &b)
{
  const Place e = difference(b, a);
  const double square = dot(e, e), s = square > 0. ? dot(difference(x, a), e) / square : 0.;
  return s <= 0. ? 0. : s >= 1. ? 1. : s;
}

Place of_line(const Place &x, const Place &a, const Place &b)
{
  const double s = along_line(x, a, b);
  return {1. - s, s, 0.};
}

/// Of triangles without an area.
Place of_nearest_edge(const Place &x, const std::array<Place, 3> &at)
{
  Place best{};
  double least = -1.;
  for (int i = 0; i < 3; ++i)
  {
    const int j = (i + 1) % 3;
    const Place on = of_line(x, at[i], at[j]);
    Place weight{};
    weight[i] = on[0];
    weight[j] = on[1];
    const Place way = difference(x, combined(weight, at, 3));
    if (const double square = dot(way, way); least < 0. || square < least)
    {
      least = square;
      best = weight;
    }
  }
  return best;
}

/// Inside, on an edge or at a corner: where x is of the regions that these have (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
Place of_triangle(const Place &x, const std::array<Place, 3> &at)
{
  const Place e = difference(at[1], at[0]), f = difference(at[2], at[0]), r = difference(x, at[0]);
  const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), er = dot(e, r), fr = dot(f, r), D = ee * ff - ef * ef;
  const double s = ff * er - ef * fr, t = ee * fr - ef * er;
  if (D > 0. && s > 0. && t > 0. && s + t < D)
    return {1. - s / D - t / D, s / D, t / D};
  if (er <= 0. && fr <= 0.)
    return {1., 0., 0.};
  if (er >= ee && fr - ef <= er - ee)
    return {0., 1., 0.};
  if (fr >= ff && er - ef <= fr - ff)
    return {0., 0., 1.};
  if (t <= 0. && er >= 0. && er < ee)
    return {1. - er / ee, er / ee, 0.};
  if (s <= 0. && fr >= 0. && fr < ff)
    return {1. - fr / ff, 0., fr / ff};
  if (D > s + t || !(D > 0.))
    return of_nearest_edge(x, at);
  const Place on = of_line(x, at[1], at[2]);
  return {0., on[0], on[1]};
}
}  // namespace

Place nearest_weights(const Place &x, const int n, const std::array<Place, 3> &at)
{
  return n == 1 ? Place{1., 0., 0.} : n == 2 ? of_line(x, at[0], at[1]) : of_triangle(x, at);
}

Closest closest(const Place &x, const std::array<int, 3> &corners, const int n, const std::array<Place, 3> &at)
{
  const Place weight = nearest_weights(x, n, at);
  Closest found;
  found.r = difference(x, combined(weight, at, n));
  found.distance = length(found.r);
  for (int i = 0; i < n; ++i)
    if (weight[i] != 0.)
    {
      found.corner[found.carrying] = corners[i];
      found.weight[found.carrying++] = weight[i];
    }
  return found;
}
}  // namespace symdyn
