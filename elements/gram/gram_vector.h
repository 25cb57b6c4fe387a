#pragma once
#include <array>
#include <cmath>
#include <vector>

namespace symdyn
{
/// A vector in space of any scalar.
template <class T>
using Triple = std::array<T, 3>;
/// A place or a director [m], [-].
using GramVector = Triple<double>;
using GramVectors = std::vector<GramVector>;

template <class T>
T dot(const Triple<T> &a, const Triple<T> &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double norm(const GramVector &a) { return std::sqrt(dot(a, a)); }
template <class T>
Triple<T> cross(const Triple<T> &a, const Triple<T> &b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline GramVector scaled(const double s, const GramVector &a) { return {s * a[0], s * a[1], s * a[2]}; }
/// a + s b
template <class T, class Scalar>
Triple<T> combination(const Triple<T> &a, const Scalar &s, const Triple<T> &b)
{
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
/// sum += s a
inline void add(const double s, const GramVector &a, GramVector &sum)
{
  for (int d = 0; d < 3; ++d)
    sum[d] += s * a[d];
}
}  // namespace symdyn
