#pragma once
#include "integrators/equations/balance.h"
#include "solver/dynamics/multipliers.h"

namespace symdyn
{
/// The equation of one step with multipliers, for x [m/s²] and lambda:
///     mass M x + sum_k weight_k F(t_k, q_k, v_k) - Dᵀ lambda = 0,   g(q_1) = 0
/// (beside nodal constraints N_rᵀ times its first line, as of NodalBalance)
/// of a Balance whose first point has q_1 as its q. D = G(from), or the discrete G between `from` and q_1. Newton's method on both, without
/// the change of the discrete G with q_1, the rows of g in units of force; a linear solve takes one solve of the unconstrained system for
/// each constraint (Schur complement: Benzi, Golub, Liesen 2005).
class ConstrainedBalance
{
public:
  Balance balance;
  const Vector *from = nullptr;
  bool discrete = false;

  /// From x and lambda. Errors: ComputationError with `name`.
  NewtonReport solve(const MechanicalSystem &system, const Newton &newton, const std::string &name, Vector &x, std::vector<double> &lambda);

private:
  class Joint;
  std::shared_ptr<const Joint> kept;  ///< the layout of the unknowns, for as long as that of x and the number of constraints stay
};
}  // namespace symdyn
