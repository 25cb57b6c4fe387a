#pragma once
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
/// A linearised system, ready to be solved: A x = r on the free degrees of freedom; x is zero on the prescribed ones.
class LinearSolve
{
public:
  virtual ~LinearSolve() = default;
  /// Solves to |r - A x| <= tolerance |r| (direct solvers: as well as they can) and returns the Krylov iterations (0 for
  /// direct). Errors: ComputationError if it does not converge or A is not positive definite where the method needs that.
  virtual int solve(const Vector &r, Vector &x, double tolerance) const = 0;
  /// The same of several ones, which a factorisation solves with together: eight cost it about as much as two one after the other.
  virtual void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, const double tolerance) const
  {
    for (std::size_t k = 0; k < r.size(); ++k)
      solve(r[k], x[k], tolerance);
  }
  /// y = A x, for x that is zero on the prescribed degrees of freedom.
  virtual void multiply(const Vector &x, Vector &y) const = 0;
  /// The tightest tolerance the deck asks for.
  virtual double tolerance() const = 0;
  /// A bound of the rounding error in |residual| of the linearised terms at q [N]; 0 where nothing is known.
  virtual double rounding(const Vector & /*q*/) const { return 0.; }
  /// False once the system has been linearised again: then this is of no use.
  virtual bool current() const { return false; }
  /// What it cost to make this ready to be solved, in evaluations of the force; about, as counted operations.
  virtual double cost() const { return 0.; }
  /// How many eigenvalues of A are negative, where a factorisation tells; -1: nobody knows.
  virtual long negative_eigenvalues() const { return -1; }
  /// Whether tighter tolerances cost more, so that an inexact Newton method pays.
  virtual bool iterative() const = 0;
};
}  // namespace symdyn
