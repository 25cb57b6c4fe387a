#pragma once
#include "solver/mechanical_system.h"
#include "solver/nodal_constraints.h"

namespace symdyn
{
/// What nodal constraints do with a mass M: their forces accelerate by M^-1 Gᵀ lambda. With a mass that joins
/// sites of a node alone (Feature::nodal_mass) each node is solved by itself.
class NodalProjection
{
public:
  /// Of the system's nodal constraints. It must outlive this.
  explicit NodalProjection(const MechanicalSystem &system);
  /// x <- x + M^-1 G(q)ᵀ lambda with G(q) x + c = 0 (NodalConstraints::Bending).
  void meet_rates(const Vector &q, Vector &x, const NodalConstraints::Bending *bending = nullptr) const;
  /// x <- x + M^-1 G(from)ᵀ lambda with G(q) x = 0. M must be nodal.
  void meet_rates_from(const Vector &from, const Vector &q, Vector &x) const;
  /// change <- M^-1 G(from)ᵀ lambda with g(end + change) = 0. M must be nodal. Errors: ComputationError, naming a node.
  void meet(const Vector &from, const Vector &end, Vector &change) const;
  /// The same, as a step takes it: q <- q + change, v <- v + per change.
  void lead(const Vector &from, double per, Vector &q, Vector &v) const;
  /// M^-1 sum lambda g'' u, of x = M^-1 G(q)ᵀ lambda.
  Vector bend(const Vector &q, const Vector &x, const Vector &u) const;

private:
  void require_nodal() const;
  NodalConstraints::Impulses impulses(const Vector &from) const;
  /// x += M^-1 force
  void accelerate(const Vector &force, Vector &x) const;
  /// What of r, forces, supports and constraints at q leave.
  void keep_along(const Vector &q, Vector &r) const;
  /// y along the constraints with M y = momentum there, but for a rest. Errors: ComputationError.
  Vector solve_along(const Vector &q, const Vector &momentum, double rest) const;

  const MechanicalSystem &system;
  const NodalConstraints &nodal;
  bool diagonal, of_nodes;  ///< M: has Feature::diagonal_mass, nodal_mass
  Vector inverse_mass;      ///< of rows
  Vector inverse_metric;    ///< the same of a diagonal M; else 1
};
}  // namespace symdyn
