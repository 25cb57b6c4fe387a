#include "solver/linear_solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/error.h"

namespace symdyn
{
void LinearSolver::verify(const LinearOperator &A, const Vector &r, const Vector &x, const double tolerance) const
{
  // Attainable accuracy: a recurrence may be ahead of the true residual by rounding, hardly more than this.
  constexpr double slack = 1e-6;
  Vector rest = r;
  A.multiply(x, rest);
  rest -= r;
  if (!(rest.l2_norm() <= std::max(10. * tolerance, slack) * r.l2_norm()))
    throw ComputationError(
        fmt::format("linear solver {}: its residual says converged, but |r - A x| = {:.3g} of {:.3g}: the tangent is indefinite or "
                    "nearly singular. Use a smaller step, or --set \"Linear solver/Type=mumps\"",
                    name(), rest.l2_norm(), r.l2_norm()));
}

void renew(std::shared_ptr<LinearSolver> &solver)
{
  if (!solver)
    return;
  const bool often = solver->solves_often;
  solver = solver->fresh();
  solver->solves_often = often;
}
}  // namespace symdyn
