#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/dynamics/multipliers.h"
#include "solver/dynamics/nodal_projection.h"

namespace symdyn
{
/// Forces of exact constraints as accelerations, a = M^-1 G(q)ᵀ lambda.
struct Reaction
{
  std::vector<double> lambda;  ///< of constraints between nodes
  Vector a;                    ///< of nodal constraints
};

/// What explicit schemes do with exact constraints, of nodes or between them. Nothing in it outlives a step but what is worth keeping: a
/// numbering, a mass.
class StepConstraints
{
public:
  explicit StepConstraints(const MechanicalSystem &system);
  bool are_of(const MechanicalSystem &other) const { return &system == &other; }

  /// The reaction at `from` with g(end + factor a) = 0, from a guess of lambda or none. Returns iterations. Errors: ComputationError with
  /// `name`.
  int meet(const Vector &from, const Vector &end, double factor, Reaction &reaction, const std::string &name);
  /// That at (q, v) with G (v - a) = 0.
  Reaction across_rates(const State &state);
  /// x += factor a of the reaction that has been found last.
  void add(double factor, const Reaction &reaction, Vector &x) const;
  /// M^-1 sum lambda g'' u at q.
  Vector bend(const Vector &q, const Reaction &reaction, const Vector &u) const;
  /// What M^-1 G(from)ᵀ takes from x, so that G(q) x = 0 then; from: where meet() stood last.
  Vector part_across(const Vector &from, const Vector &q, const Vector &x);

private:
  const MechanicalSystem &system;
  std::unique_ptr<Multipliers> multipliers;
  std::unique_ptr<NodalProjection> nodal;
};
}  // namespace symdyn
