#pragma once
#include "integrators/equations/balance.h"

namespace symdyn
{
/// The equation of one step with nodal constraints, for x [m/s²]:
///     N_rᵀ (mass M x + weight F(t, q_1, v_1)) = 0,   q_1 = Q + a x,   g(q_1) = 0
/// of a Balance with one point of weight 1. Forces across the constraints act as they do at `from`, N_r = N(from), or, `discrete`, at the
/// middle of `from` and q_1, where G of g quadratic is the discrete G. Newton's method in motions along the constraints, x from which q_1
/// is moved onto them: 5 or 6 unknowns of a node of a shell or a beam, no multipliers:
/// the null space method of Betsch, Leyendecker, Int. J. Numer. Methods Eng. 67, 2006.
class NodalBalance
{
public:
  Balance balance;
  const Vector *from = nullptr;
  bool discrete = false;

  /// From x; where stresses are carried on, from q_1 = `from` if |r| is smaller there. Errors: ComputationError with `name`.
  NewtonReport solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x) const;
  /// M^-1 Gᵀ lambda of the solution x: what forces across the constraints make of it.
  Vector reaction(const MechanicalSystem &system, const Vector &x) const;

  // The parts of this equation, for those with multipliers beside it.
  /// x <- the nearest with g(q_1) = 0, about. Errors: ComputationError with `name`.
  void move_onto(const MechanicalSystem &system, Vector &x, const std::string &name) const;
  /// r <- N_r N_rᵀ r at q_1.
  void keep_along(const MechanicalSystem &system, const Vector &q1, Vector &r) const;
  /// The linearised equation at a point where the whole balance is `force`, which must outlive the term.
  LinearTerm term(const Balance::Point &at, const Vector &force) const;
};
}  // namespace symdyn
