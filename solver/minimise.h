#pragma once
#include <functional>
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// A smooth function Psi(x), bounded from below, with its derivatives; they are zero on prescribed degrees of freedom.
struct MinimiseProblem
{
  std::function<double(const Vector &x)> objective;  ///< Psi [any unit]; infinite or NaN where x cannot be
  std::function<void(const Vector &x, Vector &g)> gradient;
  std::function<void(const Vector &x, const Vector &u, Vector &Hu)> hessian;  ///< may be indefinite
  std::function<void(const Vector &r, Vector &z)> precondition;               ///< symmetric, positive definite; none if empty
  double objective_rounding = 0;                                              ///< differences of Psi below this mean nothing
  std::function<double(const Vector &x)> rounding;                            ///< |g| below this is zero
  std::string name;                                                           ///< "step 412, t = 0.412 s"
};

struct MinimiseReport
{
  int iterations = 0, krylov = 0;
  std::vector<double> gradients;  ///< |g|, the first before any iteration
};

/// Newton's method in a trust region (PETSc TAO, `ntr` with Steihaug-Toint conjugate gradients; Conn, Gould and Toint 2000):
/// descends wherever the Hessian is indefinite too, and stops at a point that no descent from x leads beyond. Converged:
/// |g| <= tolerance |g_0|, or |g| at rounding level: given, or seen where |g| <= stall |g_0| no longer falls.
class Minimise
{
public:
  /// Errors: ComputationError with the history of |g|; x is undefined then.
  MinimiseReport solve(const MinimiseProblem &problem, Vector &x) const;

  double tolerance = 1e-13, stall = 1e-7;
  int max_iterations = 500;
};
}  // namespace symdyn
