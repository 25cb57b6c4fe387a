#pragma once
#include <cmath>

#include "materials/algebra/jet.h"
#include "materials/algebra/symmetric.h"
#include "materials/algebra/wide.h"

namespace symdyn
{
/// Isochoric part of C and its volume: Cbar = J^(-2/3) C, r = J^(-2/3), theta = J, G = 2 dJ/dC = J C⁻¹. Of small strains, C = I + 2 eps:
/// Cbar = I + 2 dev eps, r = 1, theta = tr eps, G = 2 dtheta/dC = I. A function f(Cbar) has 2 df/dC = r DEV[2 df/dCbar], with
/// DEV[X] = X - 1/3 (X : C) C⁻¹, small: dev X.
template <class T>
struct VolumeSplit
{
  VolumeSplit(const Symmetric<T> &C, const bool small) : C(small ? identity<T>() : C)
  {
    using std::sqrt;
    const T III = small ? T(1.) : determinant(C);
    r = small ? T(1.) : rcbrt(III);
    B = small ? identity<T>() : inverse(C, III);
    const T J = sqrt(III), growth = (1. / 3.) * (trace(C) - 3.);
    theta = small ? T(1.5 * growth) : J;
    volume = small ? T(1. + growth) : T(T(1.) / r);
    for (int m = 0; m < 6; ++m)
    {
      isochoric[m] = small ? C[m] - (m < 3 ? growth : T(0.)) : r * C[m];
      gradient[m] = J * B[m];
    }
    factor = small ? T(1. / 3.) : T((1. / 3.) / (r * J));
  }

  Symmetric<T> deviator(Symmetric<T> X) const
  {
    const T mean = (1. / 3.) * contract(X, C);
    for (int m = 0; m < 6; ++m)
      X[m] -= mean * B[m];
    return X;
  }
  Symmetric<T> volumetric() const { return {{volume, volume, volume, T(0.), T(0.), T(0.)}}; }  ///< J^(2/3) I
  /// dpsi(J^(2/3) I)/dtheta, from S(J^(2/3) I).
  T pressure(const Symmetric<T> &S) const { return factor * trace(S); }

  Symmetric<T> isochoric, gradient;
  T r, theta;

private:
  Symmetric<T> C, B;
  T volume, factor;
};
}  // namespace symdyn
