#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/linear_operator.h"
#include "solver/registry.h"
#include "solver/vector.h"

namespace symdyn
{
class Parameters;

/// Options given to PETSc (after -- on the command line) that nobody has asked for so far: misspelt, or of another solver.
std::vector<std::string> unused_petsc_options();

/// A linear solver with what it makes of an operator: a matrix, factors, a preconditioner. Registered by deck name in
/// Registry<LinearSolver>.
class LinearSolver
{
public:
  virtual ~LinearSolver() = default;
  virtual void declare(Parameters &p) = 0;
  /// Makes ready to solve with A as it is now; A lives until the next call. Always with operators on the same pattern,
  /// until their revision() changes. Collective.
  virtual void set_up(const LinearOperator &A) = 0;
  /// Errors: ComputationError. Returns Krylov iterations.
  virtual int solve(const Vector &r, Vector &x, double tolerance) = 0;
  /// The same of several ones: LinearSolve::solve_all().
  virtual void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, const double tolerance)
  {
    for (std::size_t k = 0; k < r.size(); ++k)
      solve(r[k], x[k], tolerance);
  }
  virtual bool iterative() const = 0;
  /// LinearSolve::negative_eigenvalues() of the last A.
  virtual long negative_eigenvalues() const { return -1; }
  /// Whether set_up() assembles a matrix.
  virtual bool assembles() const { return true; }
  /// Whether it works on several ranks.
  virtual bool parallel() const { return true; }
  /// "cg + gamg": what works at present.
  virtual std::string name() const = 0;
  /// Another one with the same entries, which has not seen an operator.
  virtual std::unique_ptr<LinearSolver> fresh() const = 0;

  bool solves_often = false;  ///< each A is solved with dozens of times, as in a search for modes: a factorisation pays

protected:
  /// ComputationError unless |r - A x| is what an iterative method says: on an indefinite matrix its recurrence may lie.
  void verify(const LinearOperator &A, const Vector &r, const Vector &x, double tolerance) const;
};

/// Puts a fresh one in its place, if there is one.
void renew(std::shared_ptr<LinearSolver> &solver);
}  // namespace symdyn
