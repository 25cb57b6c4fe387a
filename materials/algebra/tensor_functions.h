#pragma once
#include <array>
#include <limits>

#include "materials/algebra/inline.h"
#include "materials/algebra/lanes.h"
#include "materials/algebra/symmetric.h"

// Functions of symmetric 3×3 tensors as polynomials in the tensor: without eigenvalues, so that they run in lanes and differentiate by Dual
// and Jet also where eigenvalues coincide. Scalars T: Wide, Dual<T>, Jet<T>.
namespace symdyn
{
template <class T>
SYMDYN_INLINE Symmetric<T> select(const Wide::Bits &mask, const Symmetric<T> &a, const Symmetric<T> &b)
{
  Symmetric<T> r;
  for (int m = 0; m < 6; ++m)
    r[m] = select(mask, a[m], b[m]);
  return r;
}

/// a + s I
template <class T>
SYMDYN_INLINE Symmetric<T> shifted(const Symmetric<T> &a, const T &s)
{
  return {{a[0] + s, a[1] + s, a[2] + s, a[3], a[4], a[5]}};
}

template <class T>
SYMDYN_INLINE Symmetric<T> scaled_by(const T &s, const Symmetric<T> &a)
{
  return {{a[0] * s, a[1] * s, a[2] * s, a[3] * s, a[4] * s, a[5] * s}};
}

template <class T>
SYMDYN_INLINE Symmetric<T> sum(const Symmetric<T> &a, const Symmetric<T> &b)
{
  return {{a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]}};
}

/// a - tr a / 3 I
template <class T>
SYMDYN_INLINE Symmetric<T> deviator(const Symmetric<T> &a)
{
  return shifted(a, T((-1. / 3.) * trace(a)));
}

/// a b of tensors that commute, which is symmetric.
template <class T>
SYMDYN_INLINE Symmetric<T> commuting_product(const Symmetric<T> &a, const Symmetric<T> &b)
{
  return {{a[0] * b[0] + a[3] * b[3] + a[4] * b[4], a[3] * b[3] + a[1] * b[1] + a[5] * b[5], a[4] * b[4] + a[5] * b[5] + a[2] * b[2],
           a[0] * b[3] + a[3] * b[1] + a[4] * b[5], a[0] * b[4] + a[3] * b[5] + a[4] * b[2], a[3] * b[4] + a[1] * b[5] + a[5] * b[2]}};
}

/// a⁻¹; det a is not looked at.
template <class T>
SYMDYN_INLINE Symmetric<T> inverse_of(const Symmetric<T> &a)
{
  const Symmetric<T> b = cofactor(a);
  const T det = a[0] * b[0] + a[3] * b[3] + a[4] * b[4];
  return scaled_by(T(T(1.) / det), b);
}

/// c0 I + c1 a + c2 a² of a tensor a, its powers reduced by Cayley and Hamilton: a³ = I1 a² - I2 a + I3 I.
template <class T>
class InPowers
{
public:
  explicit InPowers(const Symmetric<T> &a) : a(a), I1(trace(a)), I2(trace(cofactor(a))), I3(determinant(a)), c{T(0.), T(0.), T(0.)} {}

  void add(const double constant) { c[0] += T(constant); }
  /// times a
  void raise()
  {
    const std::array<T, 3> before = c;
    c = {before[2] * I3, before[0] - before[2] * I2, before[1] + before[2] * I1};
  }
  Symmetric<T> sum() const
  {
    const Symmetric<T> square = commuting_product(a, a);
    Symmetric<T> r;
    for (int m = 0; m < 6; ++m)
      r[m] = c[1] * a[m] + c[2] * square[m] + (m < 3 ? c[0] : T(0.));
    return r;
  }

private:
  const Symmetric<T> &a;
  const T I1, I2, I3;
  std::array<T, 3> c;
};

/// a^(1/2) of a positive definite tensor, whose eigenvalues are between 1e-6 and 1e6, by Y <- (Y + Z⁻¹)/2, Z <- (Z + Y⁻¹)/2 from a and I
/// (Denman, Beavers 1976).
template <class T>
Symmetric<T> square_root(const Symmetric<T> &a)
{
  constexpr int rounds = 15;  // ten halve an eigenvalue of 1e6 to below 2, five double the digits; derivatives follow a round later
  Symmetric<T> Y = a, Z = identity<T>();
  for (int k = 0; k < rounds; ++k)
  {
    const Symmetric<T> next = scaled_by(T(0.5), sum(Y, inverse_of(Z)));
    Z = scaled_by(T(0.5), sum(Z, inverse_of(Y)));
    Y = next;
  }
  return Y;
}

/// ln a of a positive definite tensor: with z = (a - I)(a + I)⁻¹, |z| < 0.15,
///     ln a = 2 z (1 + w/3 + w²/5 + ... + w⁸/17),   w = z²,
/// to rounding; NaN beyond eigenvalues of exp(±70). Where |z| is larger roots are taken first, ln a = 2 ln a^(1/2), lane by lane.
template <class T>
Symmetric<T> logarithm(const Symmetric<T> &a)
{
  constexpr double largest = 0.15 * 0.15;
  constexpr int most_roots = 8, last = 17;
  Symmetric<T> root, z;
  Wide factor = 2.;
  for (int k = 0;; ++k)
  {
    const Symmetric<T> &now = k == 0 ? a : root, x = shifted(now, T(-1.));
    z = commuting_product(x, inverse_of(shifted(x, T(2.))));
    Symmetric<Wide> size;
    for (int m = 0; m < 6; ++m)
      size[m] = value_of(z[m]);
    const Wide::Bits far = positive(Wide(contract(size, size) - largest));
    if (k == most_roots)
      factor = select(far, Wide(std::numeric_limits<double>::quiet_NaN()), factor);
    if (k == most_roots || !any_lane(far))
      break;
    root = select(far, square_root(now), now);
    factor = select(far, Wide(2. * factor), factor);
  }
  const Symmetric<T> w = commuting_product(z, z);
  InPowers<T> polynomial(w);
  for (int n = last; n > 1; n -= 2)
  {
    polynomial.add(1. / n);
    polynomial.raise();
  }
  polynomial.add(1.);
  return scaled_by(constant<T>(factor), commuting_product(z, polynomial.sum()));
}

/// exp a: its series to a¹²/12! where |a| < 0.3; else of a/2^k, squared k times, lane by lane.
template <class T>
Symmetric<T> exponential(const Symmetric<T> &a)
{
  constexpr double largest = 0.3 * 0.3;
  constexpr int most_squares = 12, last = 12;
  Symmetric<Wide> size;
  for (int m = 0; m < 6; ++m)
    size[m] = value_of(a[m]);
  const Wide square = contract(size, size);
  Wide part = 1.;
  int squares = 0;
  for (; squares < most_squares; ++squares)
  {
    const Wide::Bits far = positive(Wide(part * part * square - largest));
    if (!any_lane(far))
      break;
    part = select(far, Wide(0.5 * part), part);
  }
  const Symmetric<T> small = scaled_by(constant<T>(part), a);
  InPowers<T> polynomial(small);
  double factorial = 1.;
  for (int n = 2; n <= last; ++n)
    factorial *= n;
  for (int n = last; n > 0; factorial /= n--)
  {
    polynomial.add(1. / factorial);
    polynomial.raise();
  }
  polynomial.add(1.);
  Symmetric<T> e = polynomial.sum();
  for (int k = squares; k > 0; --k)
  {
    const Wide::Bits again = positive(Wide(0.75 - part));  // of lanes that were halved k times or more
    e = select(again, commuting_product(e, e), e);
    part = select(again, Wide(2. * part), part);
  }
  return e;
}

/// U of C = Uᵀ U, upper triangular (Cholesky): the deformation gradient of C in a frame of its own, as good as any other for isotropic
/// functions. NaN unless C is positive definite.
template <class T>
class TriangularStretch
{
public:
  TriangularStretch() = default;
  explicit TriangularStretch(const Symmetric<T> &C) { take(C); }
  void take(const Symmetric<T> &C)
  {
    u11 = sqrt(C[0]);
    r1 = T(1.) / u11;
    u12 = C[3] * r1;
    u13 = C[4] * r1;
    u22 = sqrt(T(C[1] - u12 * u12));
    r2 = T(1.) / u22;
    u23 = (C[5] - u12 * u13) * r2;
    u33 = sqrt(T(C[2] - u13 * u13 - u23 * u23));
    r3 = T(1.) / u33;
  }
  /// U G Uᵀ
  Symmetric<T> push(const Symmetric<T> &G) const { return congruence(u11, u12, u13, u22, u23, u33, G); }
  /// U⁻¹ b U⁻ᵀ
  Symmetric<T> pull(const Symmetric<T> &b) const
  {
    const T r12 = -u12 * r1 * r2, r23 = -u23 * r2 * r3;
    return congruence(r1, r12, T(-(u13 * r3 + u12 * r23) * r1), r2, r23, r3, b);
  }

private:
  /// A G Aᵀ of an upper triangular A.
  static Symmetric<T> congruence(const T &a11, const T &a12, const T &a13, const T &a22, const T &a23, const T &a33, const Symmetric<T> &G)
  {
    const T h11 = a11 * G[0] + a12 * G[3] + a13 * G[4], h12 = a11 * G[3] + a12 * G[1] + a13 * G[5],
            h13 = a11 * G[4] + a12 * G[5] + a13 * G[2], h22 = a22 * G[1] + a23 * G[5], h23 = a22 * G[5] + a23 * G[2], h33 = a33 * G[2];
    return {{h11 * a11 + h12 * a12 + h13 * a13, h22 * a22 + h23 * a23, h33 * a33, h12 * a22 + h13 * a23, h13 * a33, h23 * a33}};
  }

  T u11, u12, u13, u22, u23, u33;
  T r1, r2, r3;  ///< 1/u11, 1/u22, 1/u33
};
}  // namespace symdyn
