#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/mechanical_system.h"

namespace symdyn
{
/// Forces of exact constraints as accelerations, a = M^-1 G(q)ᵀ lambda.
struct Reaction
{
  std::vector<double> lambda;  ///< of constraints between nodes
  Vector a;                    ///< of nodal constraints, and then of all
};

/// What explicit schemes do with exact constraints, of nodes or between them (Ryckaert, Ciccotti, Berendsen 1977; Andersen 1983). Nothing
/// in it outlives a step but what is worth keeping: a numbering, a mass.
class StepConstraints
{
public:
  static std::unique_ptr<StepConstraints> of(const MechanicalSystem &system);
  virtual ~StepConstraints() = default;
  bool are_of(const MechanicalSystem &other) const { return &system == &other; }

  /// The reaction at `from` with g(end + factor a) = 0, from a guess of lambda or none. Returns iterations. Errors: ComputationError with
  /// `name`.
  virtual int meet(const Vector &from, const Vector &end, double factor, Reaction &reaction, const std::string &name) = 0;
  /// q <- q + h²/2 a, v <- v + h/2 a of the reaction at `from` with g(q) = 0, which is not kept. Returns iterations. Errors:
  /// ComputationError with `name`.
  virtual int lead(const Vector &from, double h, Vector &q, Vector &v, const std::string &name);
  /// v <- v - a of the reaction at (q, v) with G (v - a) = 0, which is returned where it is asked for.
  virtual void meet_rates(const Vector &q, Vector &v, Reaction *reaction = nullptr) = 0;
  /// x += factor a of the reaction that has been found last.
  virtual void add(double factor, const Reaction &reaction, Vector &x) const = 0;
  /// M^-1 sum lambda g'' u at q.
  virtual Vector bend(const Vector &q, const Reaction &reaction, const Vector &u) const = 0;
  /// What M^-1 G(from)ᵀ takes from x, so that G(q) x = 0 then; from: where meet() stood last.
  virtual Vector part_across(const Vector &from, const Vector &q, const Vector &x) = 0;

protected:
  explicit StepConstraints(const MechanicalSystem &system) : system(system) {}
  const MechanicalSystem &system;
};
}  // namespace symdyn
