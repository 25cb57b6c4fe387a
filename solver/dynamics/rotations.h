#pragma once
#include <array>

#include "solver/mechanical_system.h"

namespace symdyn
{
using Triple = std::array<double, 3>;
using Columns = std::array<Triple, 3>;  ///< of a matrix

inline double product(const Triple &a, const Triple &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Triple cross(const Triple &a, const Triple &b)
{
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
/// a + s b
inline Triple sum(const Triple &a, const double s, const Triple &b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }
/// A + s B
Columns sum(Columns A, double s, const Columns &B);
Triple times(const Columns &A, const Triple &x);
Triple transposed_times(const Columns &A, const Triple &x);
/// w of skew(Aᵀ B) = w^
Triple axial(const Columns &A, const Columns &B);
/// A w^
Columns times_hat(const Columns &A, const Triple &w);

/// The nine entries of x that belong to the body.
Columns columns(const Rotation &body, const Vector &x);
void write(const Rotation &body, const Columns &c, Vector &x);
/// R at q.
Columns matrix(const Rotation &body, const Vector &q);
void write_matrix(const Rotation &body, const Columns &R, Vector &q);

/// Of the nine coordinates of each rigid body that neither penalties nor constraints keep rigid: R <- the rotation by Gram and Schmidt, v
/// <- R skew(Rᵀ v).
void project_on_rotations(const MechanicalSystem &system, State &state);
/// What of a tangent at rotations R and v = R W^ leads to such states: dq = R w^, dv = dq W^ + R w'^.
void project_tangent_on_rotations(const MechanicalSystem &system, const State &state, Vector &dq, Vector &dv);
}  // namespace symdyn
