#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "materials/algebra/inline.h"

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
    const T r = T(1.) / b.x, quotient = a.x * r, d = (a.d - quotient * b.d) * r;
    return {quotient, d, (a.dd - T(2.) * d * b.d - quotient * b.dd) * r};
  }

  /// f(this), from f, f' and f'' at x.
  SYMDYN_INLINE Jet chain(const T &f, const T &f1, const T &f2) const { return {f, f1 * d, f2 * d * d + f1 * dd}; }
};

/// The same cut after the first derivative: half the arithmetic of a Jet where the second is not wanted.
template <class T>
struct Dual
{
  T x, d;

  Dual() = default;
  Dual(double value) : x(value), d(0.) {}
  Dual(const T &x, const T &d) : x(x), d(d) {}

  Dual &operator+=(const Dual &b) { return *this = *this + b; }
  Dual &operator-=(const Dual &b) { return *this = *this - b; }
  Dual &operator*=(const Dual &b) { return *this = *this * b; }
  Dual &operator/=(const Dual &b) { return *this = *this / b; }
  friend SYMDYN_INLINE Dual operator+(const Dual &a, const Dual &b) { return {a.x + b.x, a.d + b.d}; }
  friend SYMDYN_INLINE Dual operator-(const Dual &a, const Dual &b) { return {a.x - b.x, a.d - b.d}; }
  friend SYMDYN_INLINE Dual operator-(const Dual &a) { return {-a.x, -a.d}; }
  friend SYMDYN_INLINE Dual operator*(const Dual &a, const Dual &b) { return {a.x * b.x, a.d * b.x + a.x * b.d}; }
  friend SYMDYN_INLINE Dual operator*(double a, const Dual &b) { return {a * b.x, a * b.d}; }
  friend SYMDYN_INLINE Dual operator*(const Dual &a, double b) { return b * a; }
  friend SYMDYN_INLINE Dual operator/(const Dual &a, const Dual &b)
  {
    const T r = T(1.) / b.x, quotient = a.x * r;
    return {quotient, (a.d - quotient * b.d) * r};
  }

  /// f(this), from f and f' at x; the second derivative, for Jets, is not looked at.
  SYMDYN_INLINE Dual chain(const T &f, const T &f1, const T &) const { return {f, f1 * d}; }
};

/// Jet or Dual.
template <template <class> class Curve, class T>
using IfCurve = std::enable_if_t<std::is_same_v<Curve<T>, Jet<T>> || std::is_same_v<Curve<T>, Dual<T>>>;

/// Blending of lanes, as wide.h has it for T = Wide: whole curves, so that derivatives are those of the branch.
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE auto positive(const Curve<T> &a)
{
  return positive(a.x);
}
template <class Mask, class T>
SYMDYN_INLINE Jet<T> select(const Mask &mask, const Jet<T> &a, const Jet<T> &b)
{
  return {select(mask, a.x, b.x), select(mask, a.d, b.d), select(mask, a.dd, b.dd)};
}
template <class Mask, class T>
SYMDYN_INLINE Dual<T> select(const Mask &mask, const Dual<T> &a, const Dual<T> &b)
{
  return {select(mask, a.x, b.x), select(mask, a.d, b.d)};
}

template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE Curve<T> log(const Curve<T> &a)
{
  using std::log;
  const T r = T(1.) / a.x;
  return a.chain(log(a.x), r, -r * r);
}
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE Curve<T> exp(const Curve<T> &a)
{
  using std::exp;
  const T e = exp(a.x);
  return a.chain(e, e, e);
}
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE Curve<T> pow(const Curve<T> &a, double p)
{
  using std::pow;
  const T f = pow(a.x, p), r = T(1.) / a.x;
  return a.chain(f, T(p) * f * r, T(p * (p - 1.)) * f * r * r);
}
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE Curve<T> sqrt(const Curve<T> &a)
{
  using std::sqrt;
  const T f = sqrt(a.x), r = T(1.) / a.x;
  return a.chain(f, T(0.5) * f * r, T(-0.25) * f * r * r);
}
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE Curve<T> cbrt(const Curve<T> &a)
{
  using std::cbrt;
  const T f = cbrt(a.x), r = T(1.) / a.x;
  return a.chain(f, T(1. / 3.) * f * r, T(-2. / 9.) * f * r * r);
}
/// a^(-1/3), NaN unless a > 0.
inline double rcbrt(double a) { return a > 0. ? 1. / std::cbrt(a) : std::numeric_limits<double>::quiet_NaN(); }
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE Curve<T> rcbrt(const Curve<T> &a)
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
