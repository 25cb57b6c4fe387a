#include "solver/dynamics/rotations.h"

#include <algorithm>
#include <cmath>

namespace symdyn
{
namespace
{
Triple unit(const Triple &a)
{
  const double length = std::sqrt(product(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

/// Those that only the scheme keeps rigid.
std::vector<Rotation> free_bodies(const MechanicalSystem &system)
{
  std::vector<Rotation> bodies = system.rotations();
  bodies.erase(std::remove_if(bodies.begin(), bodies.end(), [](const Rotation &body) { return body.held; }), bodies.end());
  return bodies;
}

Columns columns_of(const Rotation &body)
{
  Columns axes;
  for (int j = 0; j < 3; ++j)
    axes[j] = {body.axes[3 * j], body.axes[3 * j + 1], body.axes[3 * j + 2]};
  return axes;
}
}  // namespace

Columns sum(Columns A, const double s, const Columns &B)
{
  for (int j = 0; j < 3; ++j)
    A[j] = sum(A[j], s, B[j]);
  return A;
}

Triple times(const Columns &A, const Triple &x)
{
  return sum(sum({x[0] * A[0][0], x[0] * A[0][1], x[0] * A[0][2]}, x[1], A[1]), x[2], A[2]);
}
Triple transposed_times(const Columns &A, const Triple &x) { return {product(A[0], x), product(A[1], x), product(A[2], x)}; }

Triple axial(const Columns &A, const Columns &B)
{
  return {0.5 * (product(A[2], B[1]) - product(A[1], B[2])), 0.5 * (product(A[0], B[2]) - product(A[2], B[0])),
          0.5 * (product(A[1], B[0]) - product(A[0], B[1]))};
}

Columns times_hat(const Columns &A, const Triple &w)
{
  return {times(A, {0., w[2], -w[1]}), times(A, {-w[2], 0., w[0]}), times(A, {w[1], -w[0], 0.})};
}

Columns columns(const Rotation &body, const Vector &x)
{
  Columns c;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      c[j][i] = x.local_element(body.first + 3 * j + i);
  return c;
}

void write(const Rotation &body, const Columns &c, Vector &x)
{
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      x.local_element(body.first + 3 * j + i) = c[j][i];
}

Columns matrix(const Rotation &body, const Vector &q) { return sum(columns(body, q), 1., columns_of(body)); }
void write_matrix(const Rotation &body, const Columns &R, Vector &q) { write(body, sum(R, -1., columns_of(body)), q); }

void project_on_rotations(const MechanicalSystem &system, State &state)
{
  for (const Rotation &body : free_bodies(system))
  {
    Columns R = matrix(body, state.q);
    R[0] = unit(R[0]);
    R[2] = unit(cross(R[0], R[1]));
    R[1] = cross(R[2], R[0]);
    write_matrix(body, R, state.q);
    write(body, times_hat(R, axial(R, columns(body, state.v))), state.v);
  }
}

void project_tangent_on_rotations(const MechanicalSystem &system, const State &state, Vector &dq, Vector &dv)
{
  for (const Rotation &body : free_bodies(system))
  {
    const Columns R = matrix(body, state.q), dR = times_hat(R, axial(R, columns(body, dq))),
                  along = times_hat(dR, axial(R, columns(body, state.v)));
    write(body, dR, dq);
    write(body, sum(along, 1., times_hat(R, axial(R, sum(columns(body, dv), -1., along)))), dv);
  }
}
}  // namespace symdyn
