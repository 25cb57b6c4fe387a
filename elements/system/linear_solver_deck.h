#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/linear_solver.h"

namespace symdyn
{
class Term;

/// The section "Linear solver" of a deck.
struct LinearSolverChoice
{
  std::string type = "automatic";
  double tolerance = 1e-10;
  std::shared_ptr<LinearSolver> solver;
  void declare(Parameters section);
  /// Errors: InputError for Type = cg where a run solves with matrices that a law of these terms makes unsymmetric: one without an
  /// incremental potential (Backstress recovery; umat with Symmetric = no).
  void check(const std::vector<std::shared_ptr<Term>> &terms, bool solves) const;

private:
  std::string where;  ///< of the Type
};
}  // namespace symdyn
