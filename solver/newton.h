#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/force_report.h"
#include "solver/linear_solve.h"
#include "solver/vector.h"

namespace symdyn
{
class Parameters;

/// r(x) = 0, with its linearisation. r is zero on prescribed degrees of freedom.
struct NewtonProblem
{
  std::function<ForceReport(const Vector &x, Vector &r)> residual;  ///< the report says whether x may be a solution
  std::function<std::shared_ptr<const LinearSolve>(const Vector &x)> linearise;
  /// |r|, of which this class speaks [N]. Empty: the Euclidean one.
  std::function<double(const Vector &r)> norm;
  /// |r| below this is zero; by what linearise() has made last.
  std::function<double(const LinearSolve &linear, const Vector &x)> rounding;
  std::function<std::string(const Vector &x)> diagnose;  ///< why r(x) is not finite; with a full stop: and what to do
  bool linear = false;                                   ///< one accurate solve is enough
  /// Before each attempt: whether its tangents are to carry stresses on from the last iterate (LinearTerm::before). Empty: they cannot.
  std::function<void(bool carried)> carry;
  /// Moves each new iterate onto a manifold that x is on. Empty: none. The residual may meet points beside it in a line search.
  std::function<void(Vector &x)> retract;
  /// The part of the way from x to x + dx, at most 1, on which x may be a state: an iterate goes no farther than 0.8 of it. 0: x
  /// may be none itself, and is left in any way. Empty: all.
  std::function<double(const Vector &x, const Vector &dx)> free_part;
  /// Problems of the same kind differ in their state only, so that a linearisation of one may serve another. Empty: never.
  std::vector<double> kind;
  bool may_be_divided = false;  ///< the caller takes a shorter way where steps end beyond what can be, and no other search is tried
  std::string name;             ///< "step 412, t = 0.412 s"
  std::string finer = "Halve \"Time step\"";  ///< the way out where no iterate converges; empty: the caller has one
};

/// What all solutions of a run have reached.
struct NewtonReached
{
  long solutions = 0;
  double residual = 0, relative = 0;  ///< largest |r| at a solution [N]; the same over |r_0|, of solutions that took an iteration
};

struct NewtonReport
{
  int iterations = 0, krylov = 0, linearisations = 0;
  std::vector<double> residuals;                                         ///< |r| [N], the first before any iteration
  int kept() const { return std::max(0, iterations - linearisations); }  ///< iterations with a tangent of before
};

/// Newton's method through PETSc SNES. A linearisation is kept, from step to step too, as long as it contracts the residual so well that
/// a new one would cost more than the iterations that it saves (modified Newton; `Tangent`). Converged: |r| <= tolerance |r_0|, r_0 of the
/// first iterate that may be a state (beyond a barrier |r| is huge, and says nothing), or |r| at the rounding level of x_0, or at that of x
/// and below |r_0|/1000, or (not in the first iteration) |dx| <= step tolerance |x - x_0|. Nothing else is ever accepted.
class Newton
{
public:
  Newton();
  ~Newton();
  void declare(Parameters &p);

  /// Solves from x. Errors: ComputationError with the history of the residual.
  NewtonReport solve(const NewtonProblem &problem, Vector &x) const;
  const NewtonReached &reached() const { return *so_far; }
  /// Of the run that goes on from a checkpoint.
  void continue_from(const NewtonReached &earlier) { *so_far = earlier; }
  /// Drops what is kept from one solution to the next: the tangent, and how well it did.
  void forget();

  double tolerance = 1e-10, step_tolerance = 1e-14;
  int max_iterations = 30;
  std::string method = "newtonls", line_search = "automatic", forcing = "eisenstat-walker", tangent = "automatic", stresses = "carried";
  double first_forcing = 1e-3;

  struct Implementation;

private:
  /// After each solution; `reference`: |r_0| [N].
  void note(const NewtonReport &report, double reference) const;

  std::unique_ptr<Implementation> petsc;
  std::unique_ptr<NewtonReached> so_far = std::make_unique<NewtonReached>();  ///< changes no result
};
}  // namespace symdyn
