#pragma once
#include <type_traits>

#include "materials/algebra/jet.h"
#include "materials/algebra/symmetric.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// A scalar T on which no derivative acts, with this value: a variable of the last accepted state among the T of a step.
template <class T>
T constant(const Wide &value)
{
  if constexpr (std::is_same_v<T, Wide>)
    return value;
  else
  {
    T r(0.);
    r.x = constant<decltype(r.x)>(value);
    return r;
  }
}

/// The value of a scalar without its derivatives.
inline const Wide &value_of(const Wide &a) { return a; }
template <template <class> class Curve, class T, class = IfCurve<Curve, T>>
SYMDYN_INLINE const Wide &value_of(const Curve<T> &a)
{
  return value_of(a.x);
}

inline bool any_lane(const Wide::Bits &mask)
{
  long long all = 0;
  for (int i = 0; i < lanes; ++i)
    all |= mask[i];
  return all != 0;
}

/// Lane i of a tensor of Wide, and back: for what can only be computed one point at a time.
inline Symmetric<double> lane(const Symmetric<Wide> &a, int i)
{
  Symmetric<double> r;
  for (int m = 0; m < 6; ++m)
    r[m] = a[m][i];
  return r;
}

inline Symmetric<Jet<double>> lane(const Symmetric<Jet<Wide>> &a, int i)
{
  Symmetric<Jet<double>> r;
  for (int m = 0; m < 6; ++m)
    r[m] = {a[m].x[i], a[m].d[i], a[m].dd[i]};
  return r;
}

inline Symmetric<Dual<double>> lane(const Symmetric<Dual<Wide>> &a, int i)
{
  Symmetric<Dual<double>> r;
  for (int m = 0; m < 6; ++m)
    r[m] = {a[m].x[i], a[m].d[i]};
  return r;
}

inline void set_lane(Symmetric<Wide> &a, int i, const Symmetric<double> &r)
{
  for (int m = 0; m < 6; ++m)
    a[m].set(i, r[m]);
}

inline void set_lane(Symmetric<Jet<Wide>> &a, int i, const Symmetric<Jet<double>> &r)
{
  for (int m = 0; m < 6; ++m)
  {
    a[m].x.set(i, r[m].x);
    a[m].d.set(i, r[m].d);
    a[m].dd.set(i, r[m].dd);
  }
}

inline void set_lane(Symmetric<Dual<Wide>> &a, int i, const Symmetric<Dual<double>> &r)
{
  for (int m = 0; m < 6; ++m)
  {
    a[m].x.set(i, r[m].x);
    a[m].d.set(i, r[m].d);
  }
}

inline void set_lane(Tangent<Wide> &a, int i, const Tangent<double> &r)
{
  for (int m = 0; m < 6; ++m)
    for (int n = 0; n < 6; ++n)
      a(m, n).set(i, r(m, n));
}
/// S and D = 2 dS/dC of a stress S(C) of dual numbers: six directions of C.
template <class Stress>
void tangent_by_directions(const Symmetric<Wide> &C, const Stress &stress, Symmetric<Wide> &S, Tangent<Wide> &D)
{
  for (int n = 0; n < 6; ++n)
  {
    Symmetric<Dual<Wide>> curve;
    for (int m = 0; m < 6; ++m)
      curve[m] = {C[m], Wide(m == n ? 1. : 0.)};
    const Symmetric<Dual<Wide>> along = stress(curve);
    for (int m = 0; m < 6; ++m)
    {
      S[m] = along[m].x;
      D(m, n) = Wide(n < 3 ? 2. : 1.) * along[m].d;  // C_12 stands for C_21 too
    }
  }
}
}  // namespace symdyn
