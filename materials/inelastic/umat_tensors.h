#pragma once
#include "materials/algebra/lanes.h"
#include "materials/algebra/spectral.h"
#include "materials/algebra/tensor_functions.h"

// What laws of users need of tensors: at one point, and of stresses along curves.
namespace symdyn
{
/// Components i and j of the six.
constexpr int first_of[6] = {0, 1, 2, 0, 0, 1}, second_of[6] = {0, 1, 2, 1, 2, 2};

/// f of the eigenvalues.
template <class F>
Symmetric<double> of_eigenvalues(const Spectrum &C, const F &f)
{
  Symmetric<double> r{};
  for (int m = 0; m < 6; ++m)
    for (int a = 0; a < 3; ++a)
      r[m] += f(C.x[a]) * C.n[a][first_of[m]] * C.n[a][second_of[m]];
  return r;
}

/// A s Aᵀ of a symmetric A.
inline Symmetric<double> pushed(const Symmetric<double> &A, const Symmetric<double> &s)
{
  Symmetric<double> r{};
  for (int m = 0; m < 6; ++m)
    for (int k = 0; k < 3; ++k)
      for (int l = 0; l < 3; ++l)
        r[m] += A(first_of[m], k) * s(k, l) * A(l, second_of[m]);
  return r;
}

/// a s + s a
inline Symmetric<double> twice_symmetric_product(const Symmetric<double> &a, const Symmetric<double> &s)
{
  Symmetric<double> r{};
  for (int m = 0; m < 6; ++m)
    for (int k = 0; k < 3; ++k)
      r[m] += a(first_of[m], k) * s(k, second_of[m]) + s(first_of[m], k) * a(k, second_of[m]);
  return r;
}

/// value + moduli : (x - its value), with first derivatives alone. `of_direct`: 1 of moduli by x, ½ of D = 2 dS/dC.
template <class T>
Symmetric<T> linear(const Symmetric<Wide> &value, const Tangent<Wide> &moduli, const Symmetric<T> &x, const Wide &of_direct)
{
  Symmetric<T> r;
  for (int m = 0; m < 6; ++m)
  {
    r[m] = constant<T>(value[m]);
    for (int n = 0; n < 6; ++n)
      r[m] = r[m] + constant<T>(moduli(m, n) * of_direct * Wide(n < 3 ? 1. : 2.)) * (x[n] - constant<T>(value_of(x[n])));
  }
  return r;
}

inline Symmetric<Wide> values_of(const Symmetric<Wide> &C) { return C; }
template <class T>
Symmetric<Wide> values_of(const Symmetric<T> &C)
{
  Symmetric<Wide> r;
  for (int m = 0; m < 6; ++m)
    r[m] = value_of(C[m]);
  return r;
}

/// S of T = tau conjugate to ½ ln C: 2 (d½ ln C/dC) : T is the derivative of ln C along T, since that map is symmetric.
template <class T>
Symmetric<T> from_logarithmic(const Symmetric<T> &C, const Symmetric<T> &tau)
{
  Symmetric<Dual<T>> along;
  for (int m = 0; m < 6; ++m)
    along[m] = {C[m], tau[m]};
  along = logarithm(along);
  Symmetric<T> S;
  for (int m = 0; m < 6; ++m)
    S[m] = along[m].d;
  return S;
}

/// In all lanes.
inline bool equal(const Symmetric<Wide> &a, const Symmetric<Wide> &b)
{
  for (int m = 0; m < 6; ++m)
    for (int i = 0; i < lanes; ++i)
      if (a[m][i] != b[m][i])
        return false;
  return true;
}
}  // namespace symdyn
