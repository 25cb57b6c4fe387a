#pragma once
#include "solver/mechanical_system.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
/// What nodal constraints do with a mass M: their forces accelerate by M^-1 Gᵀ lambda. With a diagonal mass each node is a matter of its
/// own.
class NodalProjection
{
public:
  /// Of the system's nodal constraints. It must outlive this.
  explicit NodalProjection(const MechanicalSystem &system);
  /// x <- x + M^-1 G(q)ᵀ lambda with G(q) x + c = 0 (NodalConstraints::Bending). At t.
  void meet_rates(double t, const Vector &q, Vector &x, const NodalConstraints::Bending *bending = nullptr) const;
  /// x <- x + M^-1 G(from)ᵀ lambda with G(q) x = 0. M must be diagonal.
  void meet_rates_from(const Vector &from, const Vector &q, Vector &x) const { nodal.meet_rates(inverse_mass, from, q, x); }
  /// q <- q + M^-1 G(from)ᵀ lambda with g(q) = 0. M must be diagonal. Errors: ComputationError, naming a node.
  void meet(const Vector &from, Vector &q) const { nodal.meet(inverse_mass, from, q); }
  /// M^-1 sum lambda g'' u, of x = M^-1 G(q)ᵀ lambda.
  Vector bend(const Vector &q, const Vector &x, const Vector &u) const;

private:
  const MechanicalSystem &system;
  const NodalConstraints &nodal;
  bool diagonal;
  Vector inverse_mass;  ///< of rows; 1 where M is not diagonal
};
}  // namespace symdyn
