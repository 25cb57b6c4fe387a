#pragma once
#include <array>

#include "materials/algebra/inline.h"

namespace symdyn
{
/// Symmetric 3×3 tensor of any scalar; components in the order 11, 22, 33, 12, 13, 23 (tensor values, shear not
/// doubled).
template <class T>
struct Symmetric
{
  std::array<T, 6> e;

  static constexpr int index(const int i, const int j) { return i == j ? i : i + j + 2; }
  T &operator()(int i, int j) { return e[index(i, j)]; }
  const T &operator()(int i, int j) const { return e[index(i, j)]; }
  T &operator[](int m) { return e[m]; }
  const T &operator[](int m) const { return e[m]; }
};

template <class T>
SYMDYN_INLINE Symmetric<T> identity()
{
  return {{T(1.), T(1.), T(1.), T(0.), T(0.), T(0.)}};
}

template <class T>
SYMDYN_INLINE T trace(const Symmetric<T> &a)
{
  return a[0] + a[1] + a[2];
}

/// a : b
template <class T>
SYMDYN_INLINE T contract(const Symmetric<T> &a, const Symmetric<T> &b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + T(2.) * (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// cof(a) = det(a) a⁻¹, finite also where a is singular.
template <class T>
SYMDYN_INLINE Symmetric<T> cofactor(const Symmetric<T> &a)
{
  return {{a[1] * a[2] - a[5] * a[5], a[0] * a[2] - a[4] * a[4], a[0] * a[1] - a[3] * a[3], a[4] * a[5] - a[3] * a[2],
           a[3] * a[5] - a[4] * a[1], a[3] * a[4] - a[0] * a[5]}};
}

template <class T>
SYMDYN_INLINE T determinant(const Symmetric<T> &a)
{
  return a[0] * (a[1] * a[2] - a[5] * a[5]) - a[3] * (a[3] * a[2] - a[5] * a[4]) + a[4] * (a[3] * a[5] - a[1] * a[4]);
}

/// D = 2 dS/dC = 4 d²psi/dC², [Pa]: dS_m = ½ Σ_n D_mn dC_n with n over all nine components; entry (m, n) for the pairs
/// of the order above, n_pairs = 6, stored as the full symmetric 6×6.
template <class T>
struct Tangent
{
  std::array<std::array<T, 6>, 6> e;
  T &operator()(int m, int n) { return e[m][n]; }
  const T &operator()(int m, int n) const { return e[m][n]; }
};
}  // namespace symdyn
