#pragma once
#include <memory>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// What supports carry along when they move so slowly that nothing vibrates,
///     K_ff u_f = - K_fs u_s          (Clough and Penzien, Dynamics of Structures, 26: quasi-static displacements)
/// with the tangent K about q. Motions that are sums of those before are not solved for again: one support that follows a table takes one
/// solution.
class SupportResponse
{
public:
  SupportResponse(const MechanicalSystem &system, double t, const Vector &q);
  /// u of displacements (or velocities, ...) of what is held, 0 on all other degrees of freedom. Collective. Errors: ComputationError.
  Vector of(const Vector &prescribed) const;

private:
  struct Known
  {
    Vector prescribed, response;  ///< prescribed are orthonormal
  };
  Vector solved(const Vector &prescribed) const;

  const MechanicalSystem &system;
  double t;
  const Vector &q;
  Vector rest;
  mutable std::vector<Known> known;
  mutable std::shared_ptr<const LinearSolve> solve;
};
}  // namespace symdyn
