#pragma once
#include <array>
#include <cmath>

#include "solver/deck/formula/expression_series.h"

namespace symdyn
{
/// A Place of numbers that carry derivatives (Series), or of plain ones.
template <class T>
using Arrow = std::array<T, 3>;

inline double compose(const double, const std::array<double, 4> &f) { return f[0]; }
inline double value_of(const double a) { return a; }

template <class T>
T product(const Arrow<T> &a, const Arrow<T> &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
Arrow<T> minus(const Arrow<T> &a, const Arrow<T> &b)
{
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class T>
Arrow<T> times(const T &factor, const Arrow<T> &a)
{
  return {factor * a[0], factor * a[1], factor * a[2]};
}
template <class T>
Arrow<T> vector_product(const Arrow<T> &a, const Arrow<T> &b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// x + s way, for derivatives along a line.
template <int order>
Arrow<Series<order, 1>> on_line(const Arrow<double> &x, const Arrow<double> &way)
{
  Arrow<Series<order, 1>> line;
  for (int d = 0; d < 3; ++d)
  {
    line[d] = Series<order, 1>(x[d]);
    line[d].c[1] = way[d];
  }
  return line;
}
/// Places with the slopes 3 i + d by component d of place i, for second derivatives.
template <std::size_t places>
std::array<Arrow<Series<0, 3 * places>>, places> with_slopes(const std::array<Arrow<double>, places> &x)
{
  std::array<Arrow<Series<0, 3 * places>>, places> all;
  for (std::size_t i = 0; i < places; ++i)
    for (int d = 0; d < 3; ++d)
    {
      all[i][d] = Series<0, 3 * places>(x[i][d]);
      all[i][d].e[0][3 * i + d] = 1.;
    }
  return all;
}
/// |a|
template <class T>
T size_of(const Arrow<T> &a)
{
  const T square = product(a, a);
  const double s = value_of(square), d = std::sqrt(s);
  return compose(square, {d, 0.5 / d, -0.25 / (d * s), 0.375 / (d * s * s)});
}
}  // namespace symdyn
