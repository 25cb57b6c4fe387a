#pragma once
#include "materials/algebra/lanes.h"

namespace symdyn
{
/// G A G, both symmetric.
template <class T>
Symmetric<T> sandwiched(const Symmetric<Wide> &G, const Symmetric<T> &A)
{
  Symmetric<T> r{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
    {
      T sum = T(0.);
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          sum += constant<T>(G(i, a) * G(b, j)) * A(a, b);
      r(i, j) = sum;
    }
  return r;
}

/// factor A
template <class T>
Symmetric<T> times(const Wide &factor, Symmetric<T> A)
{
  for (int m = 0; m < 6; ++m)
    A[m] = constant<T>(factor) * A[m];
  return A;
}

/// J Q D Qᵀ, Q A = G A G.
inline Tangent<Wide> sandwiched(const Symmetric<Wide> &G, const Wide &J, const Tangent<Wide> &D)
{
  Tangent<Wide> half{}, r{};
  for (int n = 0; n < 6; ++n)
  {
    Symmetric<Wide> column;
    for (int m = 0; m < 6; ++m)
      column[m] = D(m, n);
    column = sandwiched(G, column);
    for (int m = 0; m < 6; ++m)
      half(m, n) = column[m];
  }
  for (int m = 0; m < 6; ++m)
  {
    Symmetric<Wide> row;
    for (int n = 0; n < 6; ++n)
      row[n] = half(m, n);
    row = sandwiched(G, row);
    for (int n = 0; n < 6; ++n)
      r(m, n) = J * row[n];
  }
  return r;
}
}  // namespace symdyn
