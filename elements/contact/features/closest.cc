#include "elements/contact/features/closest.h"

#include <utility>

#include "elements/contact/point_lanes.h"

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

/// Whether a triangle of two edges with these squares, whose product less that of e·f is D, has no area but for rounding.
bool is_line(const double D, const double ee, const double ff)
{
  constexpr double rounding = 1e-14;
  return !(D > rounding * ee * ff);
}

/// Inside, on an edge or at a corner: where x is of the regions that these have (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
Place of_triangle(const Place &x, const std::array<Place, 3> &at)
{
  const Place e = difference(at[1], at[0]), f = difference(at[2], at[0]), r = difference(x, at[0]);
  const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), er = dot(e, r), fr = dot(f, r), D = ee * ff - ef * ef;
  const double s = ff * er - ef * fr, t = ee * fr - ef * er;
  if (is_line(D, ee, ff))
    return of_nearest_edge(x, at);
  if (s > 0. && t > 0. && s + t < D)
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
  if (D > s + t)
    return of_nearest_edge(x, at);
  const Place on = of_line(x, at[1], at[2]);
  return {0., on[0], on[1]};
}

/// In lanes.
Wide dot_with(const Place &a, const std::array<Wide, 3> &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/// Takes the lanes of a mask that none before has taken.
struct Taken
{
  unsigned left;
  unsigned take(const Wide::Bits &mask)
  {
    const unsigned these = left & lanes_of(mask);
    left &= ~these;
    return these;
  }
};

/// As along_line().
void patterns_of_line(const Wide &along, const double square, const unsigned first, const unsigned second, Taken &taken,
                      CarryingPatterns &patterns)
{
  patterns[first] |= square > 0. ? taken.take(along.v <= Wide(0.).v) : std::exchange(taken.left, 0u);
  patterns[second] |= taken.take(along.v >= Wide(square).v);
  patterns[first | second] |= std::exchange(taken.left, 0u);
}

unsigned pattern_of(const Place &weight)
{
  return unsigned(weight[0] != 0.) | unsigned(weight[1] != 0.) << 1 | unsigned(weight[2] != 0.) << 2;
}

/// As of_triangle().
void patterns_of_triangle(const std::array<Wide, 3> &x, const std::array<Place, 3> &at, Taken taken, CarryingPatterns &patterns)
{
  const Place e = difference(at[1], at[0]), f = difference(at[2], at[0]);
  const std::array<Wide, 3> r{x[0] - at[0][0], x[1] - at[0][1], x[2] - at[0][2]};
  const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), D = ee * ff - ef * ef;
  if (is_line(D, ee, ff))
  {
    for (; taken.left != 0; taken.left &= taken.left - 1)
    {
      const int lane = __builtin_ctz(taken.left);
      patterns[pattern_of(of_triangle({x[0][lane], x[1][lane], x[2][lane]}, at))] |= 1u << lane;
    }
    return;
  }
  const Wide er = dot_with(e, r), fr = dot_with(f, r), s = ff * er - ef * fr, t = ee * fr - ef * er, zero(0.);
  patterns[7] |= taken.take((s.v > zero.v) & (t.v > zero.v) & ((s + t).v < Wide(D).v));
  patterns[1] |= taken.take((er.v <= zero.v) & (fr.v <= zero.v));
  patterns[2] |= taken.take((er.v >= Wide(ee).v) & ((fr - ef).v <= (er - ee).v));
  patterns[4] |= taken.take((fr.v >= Wide(ff).v) & ((er - ef).v <= (fr - ff).v));
  patterns[3] |= taken.take((t.v <= zero.v) & (er.v >= zero.v) & (er.v < Wide(ee).v));
  patterns[5] |= taken.take((s.v <= zero.v) & (fr.v >= zero.v) & (fr.v < Wide(ff).v));
  if (taken.left == 0)
    return;
  const Place g = difference(at[2], at[1]);
  patterns_of_line(dot_with(g, {x[0] - at[1][0], x[1] - at[1][1], x[2] - at[1][2]}), dot(g, g), 2, 4, taken, patterns);
}
}  // namespace

CarryingPatterns carrying_patterns(const std::array<Wide, 3> &x, const unsigned wanted, const double within, const int n,
                                   const std::array<Place, 3> &at)
{
  constexpr double rounding = 1. + 1e-9;  // squares of what is far are infinite
  const Wide most(rounding * within * within), zero(0.), one(1.);
  CarryingPatterns patterns{};
  if (n == 3)
  {
    Box box;
    for (const Place &corner : at)
      box.take(corner);
    if (const unsigned close = wanted & lanes_of(square_to(box, x).v <= most.v); close != 0)
      patterns_of_triangle(x, at, Taken{close}, patterns);
    return patterns;
  }
  std::array<Wide, 3> r{x[0] - at[0][0], x[1] - at[0][1], x[2] - at[0][2]};
  if (n == 1)
  {
    patterns[1] = wanted & lanes_of((r[0] * r[0] + r[1] * r[1] + r[2] * r[2]).v <= most.v);
    return patterns;
  }
  const Place e = difference(at[1], at[0]);
  const double ee = dot(e, e);
  const Wide along = dot_with(e, r), part = ee > 0. ? along / ee : zero,
             s = select(part.v > zero.v, select(part.v < one.v, part, one), zero);
  for (int d = 0; d < 3; ++d)
    r[d] -= s * e[d];
  if (const unsigned close = wanted & lanes_of((r[0] * r[0] + r[1] * r[1] + r[2] * r[2]).v <= most.v); close != 0)
  {
    Taken taken{close};
    patterns_of_line(along, ee, 1, 2, taken, patterns);
  }
  return patterns;
}

Closest closest_if_all_carry(const Place &x, const std::array<int, 3> &corners, const int n, const std::array<Place, 3> &at)
{
  const Place r = difference(x, at[0]);
  Closest found{corners, n, {1., 0., 0.}, r, 0.};
  if (n == 2)
  {
    const Place e = difference(at[1], at[0]);
    found.weight[1] = dot(e, r) / dot(e, e);
    for (int d = 0; d < 3; ++d)
      found.r[d] -= found.weight[1] * e[d];
  }
  else if (n == 3)
  {
    const Place e = difference(at[1], at[0]), f = difference(at[2], at[0]);
    const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), er = dot(e, r), fr = dot(f, r), D = ee * ff - ef * ef;
    found.weight[1] = (ff * er - ef * fr) / D;
    found.weight[2] = (ee * fr - ef * er) / D;
    for (int d = 0; d < 3; ++d)
      found.r[d] -= found.weight[1] * e[d] + found.weight[2] * f[d];
  }
  found.weight[0] = 1. - found.weight[1] - found.weight[2];
  found.distance = length(found.r);
  return found;
}

namespace
{
/// The weights of n corners in the place nearest to x: 0 where a corner does not carry it.
Place nearest_weights(const Place &x, const int n, const std::array<Place, 3> &at)
{
  return n == 1 ? Place{1., 0., 0.} : n == 2 ? of_line(x, at[0], at[1]) : of_triangle(x, at);
}

}  // namespace

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
