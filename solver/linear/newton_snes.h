#pragma once
#include <petscsnes.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/error.h"
#include "solver/linear/callback.h"
#include "solver/newton.h"

namespace symdyn
{
/// Full steps lead away from a body that was stable: another line search is to begin at the start.
struct LedAstray : ComputationError
{
  using ComputationError::ComputationError;
};

/// SNES with callbacks into one NewtonProblem. Kept between steps: creating it costs more than a small solve.
struct Newton::Implementation : PetscCallback
{
  ~Implementation() { destroy(); }

  void destroy()
  {
    SNESDestroy(&snes);
    MatDestroy(&jacobian);
    VecDestroy(&solution);
    VecDestroy(&residual);
  }

  void create(const Newton &given, const Vector &x);
  void run(const NewtonProblem &given, Vector &x);
  /// |r_0|; that of x_0 until there is one.
  double first_residual() const { return reference > 0. ? reference : report.residuals.front(); }
  double linear_tolerance() const;
  bool keeps_tangent();
  void leave_if_astray();
  PetscErrorCode renew_rounding(Vec x);
  PetscErrorCode stagnates(Vec x, bool &answer);
  PetscErrorCode look_whether_lost(Vec x);
  std::string way_out(bool solved, const std::string &diagnosis) const;
  std::string why_not(const NewtonProblem &given, const Vector &x);
  bool is_rounding(double norm) const;
  void search_by(const std::string &line_search);
  /// Line searches in the order in which they are tried.
  std::vector<std::string> searches(const bool carried) const
  {
    std::vector<std::string> all{"basic", "cp", "bt"};
    if (led_astray)
      std::swap(all[0], all[1]);
    if (carried)
      all.insert(all.begin(), "basic");
    return all;
  }
  void attempt(const Newton &given, const std::string &search, const bool may_be_left, const NewtonProblem &of, Vector &x)
  {
    create(given, x);
    search_by(search);
    may_leave = may_be_left;
    run(of, x);
  }

  static void place(Vec from, Vector &to)
  {
    read(from, to);
    to.update_ghost_values();
  }
  static PetscErrorCode function(SNES, Vec x, Vec r, void *self);
  static PetscErrorCode linearise(SNES, Vec x, Mat, Mat, void *self);
  static PetscErrorCode multiply(Mat matrix, Vec x, Vec y);
  static PetscErrorCode solve(PC pc, Vec r, Vec x);
  static PetscErrorCode check_step(SNESLineSearch search, Vec x, Vec dx, Vec next, PetscBool *changed_dx, PetscBool *changed, void *self);
  static PetscErrorCode converged(SNES snes, PetscInt iteration, PetscReal xnorm, PetscReal step, PetscReal norm,
                                  SNESConvergedReason *reason, void *self);

  SNES snes = nullptr;
  Mat jacobian = nullptr;
  Vec solution = nullptr, residual = nullptr;
  const Newton *newton = nullptr;
  const NewtonProblem *problem = nullptr;
  std::shared_ptr<const LinearSolve> linear;
  std::vector<double> kind;  ///< of the problem that `linear` was made for
  bool settled = false;      ///< the last linearisation was on the way to a solution: its size tells what rounding is
  bool may_leave = false;    ///< another line search follows where this attempt leads astray
  bool led_astray = false;   ///< full steps were left, and a line search has served since: it comes first
  bool was_definite = true;  ///< the first tangent of this attempt, as far as anybody knows
  bool solving = false;      ///< the linear solver is at work, or has failed
  bool cut = false;          ///< the last step went as far as it may, and not as far as it should
  bool lost = false;         ///< |r| has grown a millionfold, and the iterate cannot be a state, and it is known why
  bool fresh = false;        ///< `linear` stands at the present iterate
  bool carries = false;      ///< tangents carry stresses on, which a step with a kept one spoils for the next
  double contraction = 0;    ///< of |r| by one iteration with a kept tangent, as last seen
  Vector in, out;
  NewtonReport report;
  double reference = 0;  ///< |r| of the first iterate that may be a state; 0: there was none
  ForceReport force;     ///< of the last residual
  Vector start;          ///< x before the first iteration
  double rounding = 0, rounding_at_start = 0;
  bool rounding_is_old = false;  ///< there is another tangent; asked for once its matrix is there
};
}  // namespace symdyn
