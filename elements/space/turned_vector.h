#pragma once
#include <array>
#include <cmath>

#include "materials/algebra/jet.h"

namespace symdyn
{
/// exp(theta) D: the vector D turned about theta by |theta| [rad],
///     D + a theta x D + b theta x (theta x D),   a = sin(s)/s, b = (1 - cos s)/s², s² = |theta|²     (Rodrigues 1840)
/// a and b are functions of u = s²: a' = (cos s - a)/2u, a'' = -(a + 6 a')/4u, b' = (a/2 - b)/u, b'' = (a'/2 - 2 b')/u; near 0 they are
/// their series. `small`: D + theta x D, of small rotations.
inline std::array<Jet<double>, 3> turned_by(const std::array<Jet<double>, 3> &theta, const std::array<double, 3> &at_rest,
                                            const bool small = false)
{
  using Scalar = Jet<double>;
  using Vector3 = std::array<Scalar, 3>;
  constexpr double near = 1e-2;  // the next terms of the series are 1e-14 there
  const auto cross = [](const Vector3 &x, const Vector3 &y) {
    return Vector3{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
  };
  const Vector3 D{at_rest[0], at_rest[1], at_rest[2]}, once = cross(theta, D);
  if (small)
    return {D[0] + once[0], D[1] + once[1], D[2] + once[2]};
  const Scalar u = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
  Scalar a = Scalar(1.) - u / Scalar(6.) * (Scalar(1.) - u / Scalar(20.) * (Scalar(1.) - u / Scalar(42.) * (Scalar(1.) - u / Scalar(72.)))),
         b = 0.5 * (Scalar(1.) -
                    u / Scalar(12.) * (Scalar(1.) - u / Scalar(30.) * (Scalar(1.) - u / Scalar(56.) * (Scalar(1.) - u / Scalar(90.)))));
  if (u.x > near)
  {
    const double s = std::sqrt(u.x), a0 = std::sin(s) / s, a1 = (std::cos(s) - a0) / (2. * u.x), b0 = (1. - std::cos(s)) / u.x,
                 b1 = (0.5 * a0 - b0) / u.x;
    a = u.chain(a0, a1, -(a0 + 6. * a1) / (4. * u.x));
    b = u.chain(b0, b1, (0.5 * a1 - 2. * b1) / u.x);
  }
  const Vector3 twice = cross(theta, once);
  Vector3 d;
  for (int i = 0; i < 3; ++i)
    d[i] = D[i] + a * once[i] + b * twice[i];
  return d;
}
}  // namespace symdyn
