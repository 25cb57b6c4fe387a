#pragma once
#include <algorithm>
#include <array>
#include <cmath>

#include "elements/gram/gram_vector.h"

// The rotation of a node that has directors.
namespace symdyn
{
/// The third director of two: their cross product, of length 1.
inline GramVectors with_third(GramVectors d)
{
  if (d.size() != 2)
    return d;
  const GramVector n = cross(d[0], d[1]);
  d.push_back(scaled(1. / norm(n), n));
  return d;
}

/// The rotation vector of the smallest rotation that takes the direction of D to that of d [rad], at most pi long.
inline GramVector smallest_rotation(const GramVector &D, const GramVector &d)
{
  const GramVector axis = cross(D, d);
  const double sine = norm(axis), cosine = dot(D, d), angle = std::atan2(sine, cosine);
  if (sine > 0.)
    return scaled(angle / sine, axis);
  const GramVector across = std::abs(D[0]) < std::abs(D[1]) ? GramVector{0., -D[2], D[1]} : GramVector{-D[2], 0., D[0]};
  return cosine < 0. ? scaled(angle / norm(across), across) : GramVector{};
}

/// The rotation in the polar decomposition of F (by rows, det F > 0): R <- ½ (R + R^-T) from F on   (Higham 1986).
inline std::array<GramVector, 3> rotation_in(std::array<GramVector, 3> R)
{
  constexpr int most = 50;
  constexpr double rounding = 1e-15;
  double change = 1;
  for (int k = 0; k < most && change > rounding; ++k)
  {
    const std::array<GramVector, 3> cofactors{cross(R[1], R[2]), cross(R[2], R[0]), cross(R[0], R[1])};
    const double determinant = dot(R[0], cofactors[0]);
    change = 0;
    for (int i = 0; i < 3; ++i)
    {
      const GramVector next = combination(scaled(0.5, R[i]), 0.5 / determinant, cofactors[i]);
      change = std::max(change, norm(combination(next, -1., R[i])));
      R[i] = next;
    }
  }
  return R;
}

/// The rotation vector of R (by rows) [rad], at most pi long: of the unit quaternion (w, x), 2 atan2(|x|, w) x/|x|   (Shepperd 1978).
inline GramVector rotation_vector(const std::array<GramVector, 3> &R)
{
  const double trace = R[0][0] + R[1][1] + R[2][2];
  int largest = 3;  // of x_0, x_1, x_2, w
  for (int i = 0; i < 3; ++i)
    if (R[i][i] > (largest == 3 ? trace : R[largest][largest]))
      largest = i;
  const GramVector skew{R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]};  // 4 w x
  GramVector x = skew;
  double w = 1. + trace;
  if (largest < 3)
  {
    for (int i = 0; i < 3; ++i)
      x[i] = i == largest ? 1. + 2. * R[i][i] - trace : R[i][largest] + R[largest][i];
    w = skew[largest];
  }
  if (w < 0.)
    x = scaled(-1., x);
  const double length = norm(x);
  return length > 0. ? scaled(2. * std::atan2(length, std::abs(w)) / length, x) : GramVector{};
}

/// The rotation vector [rad], at most pi long, of a node whose directors are D, of length 1, at rest and d now. One: the smallest rotation.
/// Two or three: the rotation in the polar decomposition of sum_i d_i D_iᵀ, of two with their cross products.
inline GramVector rotation_of_directors(const GramVectors &D, const GramVectors &d)
{
  if (D.size() == 1)
    return smallest_rotation(D[0], d[0]);
  const GramVectors rest = with_third(D), now = with_third(d);
  std::array<GramVector, 3> F{};
  for (int i = 0; i < 3; ++i)
    for (int row = 0; row < 3; ++row)
      add(now[i][row], rest[i], F[row]);
  return rotation_vector(rotation_in(F));
}

/// The same of small rotations, linear in the displacements u = d - D: ½ sum_i D_i x u_i of three, D x u of one.
inline GramVector small_rotation_of_directors(const GramVectors &D, const GramVectors &u)
{
  if (D.size() == 1)
    return cross(D[0], u[0]);
  GramVectors moved = u;
  if (D.size() == 2)  // of the cross product, less what stretches it: its part along itself drops out
    moved.push_back(combination(cross(u[0], D[1]), 1., cross(D[0], u[1])));
  const GramVectors rest = with_third(D);
  GramVector rotation{};
  for (int i = 0; i < 3; ++i)
    add(0.5, cross(rest[i], moved[i]), rotation);
  return rotation;
}
}  // namespace symdyn
