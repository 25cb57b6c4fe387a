#pragma once
#include <cmath>
#include <limits>

#include "materials/inline.h"

namespace symdyn
{
/// A function of one parameter s, cut after the second derivative: value x, first derivative d, second derivative dd.
/// Arithmetic follows Leibniz and Faà di Bruno, so a formula evaluated with Jets gives its first and second directional
/// derivative exactly. `T` is double or Wide.
template <class T>
struct Jet
{
  T x, d, dd;

  Jet() = default;
  Jet(double value) : x(value), d(0.), dd(0.) {}
  Jet(const T &x, const T &d, const T &dd) : x(x), d(d), dd(dd) {}

  Jet &operator+=(const Jet &b) { return *this = *this + b; }
  Jet &operator-=(const Jet &b) { return *this = *this - b; }
  Jet &operator*=(const Jet &b) { return *this = *this * b; }
  Jet &operator/=(const Jet &b) { return *this = *this / b; }
  friend SYMDYN_INLINE Jet operator+(const Jet &a, const Jet &b) { return {a.x + b.x, a.d + b.d, a.dd + b.dd}; }
  friend SYMDYN_INLINE Jet operator-(const Jet &a, const Jet &b) { return {a.x - b.x, a.d - b.d, a.dd - b.dd}; }
  friend SYMDYN_INLINE Jet operator-(const Jet &a) { return {-a.x, -a.d, -a.dd}; }
  friend SYMDYN_INLINE Jet operator*(const Jet &a, const Jet &b)
  {
    return {a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + T(2.) * a.d * b.d + a.x * b.dd};
  }
  friend SYMDYN_INLINE Jet operator*(double a, const Jet &b) { return {a * b.x, a * b.d, a * b.dd}; }
  friend SYMDYN_INLINE Jet operator*(const Jet &a, double b) { return b * a; }
  friend SYMDYN_INLINE Jet operator/(const Jet &a, const Jet &b)
  {
    const T r = T(1.) / b.x;
    return a * b.chain(r, -r * r, T(2.) * r * r * r);
  }

  /// f(this), from f, f' and f'' at x.
  SYMDYN_INLINE Jet chain(const T &f, const T &f1, const T &f2) const { return {f, f1 * d, f2 * d * d + f1 * dd}; }
};

template <class T>
SYMDYN_INLINE Jet<T> log(const Jet<T> &a)
{
  using std::log;
  const T r = T(1.) / a.x;
  return a.chain(log(a.x), r, -r * r);
}
template <class T>
SYMDYN_INLINE Jet<T> exp(const Jet<T> &a)
{
  using std::exp;
  const T e = exp(a.x);
  return a.chain(e, e, e);
}
template <class T>
SYMDYN_INLINE Jet<T> pow(const Jet<T> &a, double p)
{
  using std::pow;
  const T f = pow(a.x, p), r = T(1.) / a.x;
  return a.chain(f, T(p) * f * r, T(p * (p - 1.)) * f * r * r);
}
template <class T>
SYMDYN_INLINE Jet<T> sqrt(const Jet<T> &a)
{
  using std::sqrt;
  const T f = sqrt(a.x), r = T(1.) / a.x;
  return a.chain(f, T(0.5) * f * r, T(-0.25) * f * r * r);
}
template <class T>
SYMDYN_INLINE Jet<T> cbrt(const Jet<T> &a)
{
  using std::cbrt;
  const T f = cbrt(a.x), r = T(1.) / a.x;
  return a.chain(f, T(1. / 3.) * f * r, T(-2. / 9.) * f * r * r);
}
/// a^(-1/3), NaN unless a > 0.
inline double rcbrt(double a)
{
  return a > 0. ? 1. / std::cbrt(a) : std::numeric_limits<double>::quiet_NaN();
}
template <class T>
SYMDYN_INLINE Jet<T> rcbrt(const Jet<T> &a)
{
  const T f = rcbrt(a.x), r = T(1.) / a.x;
  return a.chain(f, T(-1. / 3.) * f * r, T(4. / 9.) * f * r * r);
}
/// For all other scalars (forward differentiation).
template <class T>
SYMDYN_INLINE T rcbrt(const T &a)
{
  return 1. / cbrt(a);
}
}  // namespace symdyn
