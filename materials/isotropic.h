#pragma once
#include <cmath>

#include "materials/algebra/symmetric.h"

namespace symdyn
{
/// B = C⁻¹, given III = det C.
template <class T>
SYMDYN_INLINE Symmetric<T> inverse(const Symmetric<T> &C, const T &III)
{
  Symmetric<T> B = cofactor(C);
  const T r = T(1.) / III;
  for (auto &component : B.e)
    component *= r;
  return B;
}

/// I2 = ½ (tr² C - C : C), second invariant, as the trace of the cofactor.
template <class T>
SYMDYN_INLINE T second_invariant(const Symmetric<T> &C)
{
  return trace(cofactor(C));
}

/// a I + b B
template <class T>
SYMDYN_INLINE Symmetric<T> combine(const T &a, const T &b, const Symmetric<T> &B)
{
  return {{a + b * B[0], a + b * B[1], a + b * B[2], b * B[3], b * B[4], b * B[5]}};
}

/// D = A⊗B + B⊗A + b B⊗B + c B⊙B with (B⊙B)_IJKL = ½ (B_IK B_JL + B_IL B_JK); every isotropic energy's tangent has such
/// a part, because dB/dC = -B⊙B for B = C⁻¹.
template <class T>
void isotropic_tangent(const Symmetric<T> &A, const Symmetric<T> &B, const T &b, const T &c, Tangent<T> &D)
{
  constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  Symmetric<T> X, Y;
  for (int m = 0; m < 6; ++m)
  {
    X[m] = A[m] + T(0.5) * b * B[m];
    Y[m] = T(0.5) * c * B[m];
  }
#pragma GCC unroll 6
  for (int m = 0; m < 6; ++m)
#pragma GCC unroll 6
    for (int n = m; n < 6; ++n)
    {
      const int i = row[m], j = column[m], k = row[n], l = column[n];
      D(m, n) = D(n, m) = X[m] * B[n] + B[m] * X[n] + Y(i, k) * B(j, l) + Y(i, l) * B(j, k);
    }
}

/// U(J) = kappa/2 (J - 1)² [Pa]. The volumetric energies give U, p J = J U' and J (J U')' from III = J².
struct QuadraticVolume
{
  template <class T>
  static T U(double kappa, const T &III)
  {
    using std::sqrt;
    const T growth = sqrt(III) - 1.;
    return (0.5 * kappa) * growth * growth;
  }
  template <class T>
  static T first(double kappa, const T &III)
  {
    using std::sqrt;
    return kappa * (III - sqrt(III));
  }
  template <class T>
  static T second(double kappa, const T &III)
  {
    using std::sqrt;
    return kappa * (2. * III - sqrt(III));
  }
};

/// U(J) = kappa/4 (J² - 1 - 2 ln J) [Pa] (Simo, Taylor 1991): infinite at J = 0 and at J = ∞.
struct SimoVolume
{
  template <class T>
  static T U(double kappa, const T &III)
  {
    using std::log;
    return (0.25 * kappa) * (III - 1. - log(III));
  }
  template <class T>
  static T first(double kappa, const T &III)
  {
    return (0.5 * kappa) * (III - 1.);
  }
  template <class T>
  static T second(double kappa, const T &III)
  {
    return kappa * III;
  }
};
}  // namespace symdyn
