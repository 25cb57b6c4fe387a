#include "elements/contact/closest.h"

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

/// Inside, if the projection of x is there; else on the nearest of the edges.
Place of_triangle(const Place &x, const std::array<Place, 3> &at)
{
  const Place e = difference(at[1], at[0]), f = difference(at[2], at[0]), r = difference(x, at[0]);
  const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), D = ee * ff - ef * ef;
  const double s = (ff * dot(e, r) - ef * dot(f, r)) / D, t = (ee * dot(f, r) - ef * dot(e, r)) / D;
  if (D > 0. && s > 0. && t > 0. && s + t < 1.)
    return {1. - s - t, s, t};
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
}  // namespace

Closest closest(const Place &x, const std::array<int, 3> &corners, const int n, const std::array<Place, 3> &at)
{
  const Place weight = n == 1 ? Place{1., 0., 0.} : n == 2 ? of_line(x, at[0], at[1]) : of_triangle(x, at);
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
