#include "solver/minimise.h"

#include <fmt/format.h>
#include <petsctao.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/linear/callback.h"
#include "solver/linear/petsc.h"

namespace symdyn
{
namespace
{
/// TAO with callbacks into one problem. The unknown and the objective are scaled to the length and the decrease of the first
/// gradient step, x = x_0 + length y, (Psi - Psi_0)/decrease: TAO's own small numbers (radii up to 1e10, differences below 1e-6
/// that count as agreement) have no units.
class Trust : PetscCallback
{
public:
  Trust(const Minimise &settings, const MinimiseProblem &problem, const Vector &x);
  ~Trust();
  MinimiseReport run(Vector &x);

private:
  void measure();
  void create();
  void finish(PetscErrorCode error, Vector &x);

  void place(Vec y, Vector &at) const
  {
    read(y, at);
    at.sadd(length, 1., start);
    at.update_ghost_values();
  }

  static Trust &self_of(void *p) { return *static_cast<Trust *>(p); }
  static PetscErrorCode objective(Tao, Vec y, PetscReal *value, void *self);
  static PetscErrorCode gradient(Tao, Vec y, Vec g, void *self);
  static PetscErrorCode hessian(Tao, Vec y, Mat, Mat, void *self);
  static PetscErrorCode multiply(Mat matrix, Vec u, Vec Hu);
  static PetscErrorCode precondition(PC pc, Vec r, Vec z);
  static PetscErrorCode converged(Tao tao, void *self);

  const Minimise &settings;
  const MinimiseProblem &problem;
  Vector start, point, in, out;
  Tao tao = nullptr;
  Mat matrix = nullptr;
  Vec solution = nullptr, gradient_vector = nullptr;
  double length = 1, decrease = 1, first_objective = 0, rounding = 0;
  bool done = false;
  MinimiseReport report;
};

Trust::Trust(const Minimise &settings, const MinimiseProblem &problem, const Vector &x)
    : settings(settings), problem(problem), start(x), point(x), in(x), out(x)
{
}

Trust::~Trust()
{
  TaoDestroy(&tao);
  MatDestroy(&matrix);
  VecDestroy(&solution);
  VecDestroy(&gradient_vector);
}

PetscErrorCode Trust::objective(Tao, Vec y, PetscReal *value, void *self)
{
  auto &me = self_of(self);
  return me.guarded([&] {
    me.place(y, me.in);
    *value = (me.problem.objective(me.in) - me.first_objective) / me.decrease;
  });
}

PetscErrorCode Trust::gradient(Tao, Vec y, Vec g, void *self)
{
  auto &me = self_of(self);
  return me.guarded([&] {
    me.place(y, me.in);
    me.problem.gradient(me.in, me.out);
    me.rounding = me.problem.rounding(me.in);
    write(me.out, g);
    VecScale(g, me.length / me.decrease);
  });
}

PetscErrorCode Trust::hessian(Tao, Vec y, Mat, Mat, void *self)
{
  auto &me = self_of(self);
  return me.guarded([&] { me.place(y, me.point); });
}

PetscErrorCode Trust::multiply(Mat matrix, Vec u, Vec Hu)
{
  void *self;
  MatShellGetContext(matrix, &self);
  auto &me = self_of(self);
  return me.guarded([&] {
    read(u, me.in);
    me.in.update_ghost_values();
    me.problem.hessian(me.point, me.in, me.out);
    write(me.out, Hu);
    VecScale(Hu, me.length * me.length / me.decrease);
  });
}

PetscErrorCode Trust::precondition(PC pc, Vec r, Vec z)
{
  void *self;
  PCShellGetContext(pc, &self);
  auto &me = self_of(self);
  return me.guarded([&] {
    read(r, me.in);
    me.in.update_ghost_values();
    me.problem.precondition(me.in, me.out);
    write(me.out, z);
    VecScale(z, me.decrease / (me.length * me.length));
  });
}

PetscErrorCode Trust::converged(Tao tao, void *self)
{
  auto &me = self_of(self);
  PetscInt iteration;
  PetscReal value, norm, constraint, radius;
  TaoGetSolutionStatus(tao, &iteration, &value, &norm, &constraint, &radius, nullptr);
  auto &norms = me.report.gradients;
  norm *= me.decrease / me.length;
  const bool moved = norms.empty() || int(iteration) > me.report.iterations;
  const double before = norms.empty() ? std::numeric_limits<double>::infinity() : norms.back();
  me.report.iterations = iteration;
  if (moved)
    norms.push_back(norm);
  const bool small = norm <= me.settings.stall * norms.front();
  TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
  if (!std::isfinite(norm))
    reason = TAO_DIVERGED_NAN;
  else if (norm <= std::max(me.settings.tolerance * norms.front(), me.rounding) || (small && moved && norm > 0.5 * before))
    reason = TAO_CONVERGED_GATOL;
  else if (radius < 1e-15)  // every shorter step is rounding
    reason = small ? TAO_CONVERGED_STEPTOL : TAO_DIVERGED_TR_REDUCTION;
  else if (iteration >= me.settings.max_iterations)
    reason = TAO_DIVERGED_MAXITS;
  TaoSetConvergedReason(tao, reason);
  return 0;
}

/// Length and decrease of the minimum along the gradient, or of a unit step where Psi curves down there.
void Trust::measure()
{
  problem.gradient(start, out);
  rounding = problem.rounding(start);
  const double norm = out.l2_norm();
  report.gradients.push_back(norm);
  first_objective = problem.objective(start);
  done = norm <= rounding;
  if (done || !std::isfinite(norm))
    return;
  Vector direction = out;
  if (problem.precondition)
    problem.precondition(out, direction);
  direction.update_ghost_values();
  const double slope = direction * out;
  problem.hessian(start, direction, out);
  const double curvature = std::abs(direction * out);
  const double t = curvature > 0. ? slope / curvature : 1.;
  length = t * direction.l2_norm();
  decrease = std::max(0.5 * t * slope, 1e8 * problem.objective_rounding);
  report.gradients.clear();
}

void Trust::create()
{
  keep_petsc_quiet();
  const MPI_Comm communicator = start.get_mpi_communicator();
  const PetscInt n = start.locally_owned_size();
  petsc_check(VecCreateMPI(communicator, n, PETSC_DETERMINE, &solution), "VecCreateMPI");
  petsc_check(VecDuplicate(solution, &gradient_vector), "VecDuplicate");
  petsc_check(MatCreateShell(communicator, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, &matrix), "MatCreateShell");
  MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&Trust::multiply));
  petsc_check(TaoCreate(communicator, &tao), "TaoCreate");
  petsc_check(TaoSetType(tao, TAONTR), "TaoSetType");
  VecSet(solution, 0.);
  TaoSetSolution(tao, solution);
  TaoSetObjective(tao, &Trust::objective, this);
  TaoSetGradient(tao, gradient_vector, &Trust::gradient, this);
  TaoSetHessian(tao, matrix, matrix, &Trust::hessian, this);
  TaoSetConvergenceTest(tao, &Trust::converged, this);
  TaoSetMaximumIterations(tao, settings.max_iterations);
  TaoSetMaximumFunctionEvaluations(tao, 100 * settings.max_iterations);
  KSP ksp;
  PC pc;
  TaoGetKSP(tao, &ksp);
  KSPSetType(ksp, KSPSTCG);
  const double linear_tolerance = 1e-8;
  KSPSetTolerances(ksp, linear_tolerance, 0., PETSC_DEFAULT, 10000);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, problem.precondition ? PCSHELL : PCNONE);
  if (problem.precondition)
  {
    PCShellSetContext(pc, this);
    PCShellSetApply(pc, &Trust::precondition);
  }
  petsc_check(TaoSetFromOptions(tao), "TaoSetFromOptions");
}

MinimiseReport Trust::run(Vector &x)
{
  measure();
  if (done)
    return report;
  create();
  const PetscErrorCode error = TaoSolve(tao);
  finish(error, x);
  return report;
}

void Trust::finish(const PetscErrorCode error, Vector &x)
{
  if (error != 0)
  {
    rethrow();
    petsc_check(error, "TaoSolve");
  }
  TaoConvergedReason reason;
  TaoGetConvergedReason(tao, &reason);
  PetscInt krylov;
  TaoGetLinearSolveIterations(tao, &krylov);
  report.krylov = krylov;
  std::string history;
  for (const double g : report.gradients)
    history += fmt::format("{}{:.3e}", history.empty() ? "" : ", ", g);
  log_detail(fmt::format("minimise: {}: |g| = {}, {} linear iterations", problem.name, history, report.krylov));
  if (reason <= 0)
    throw ComputationError(fmt::format("minimise: {}: |g| = {} (tolerance {:g} of the first): {}. Halve \"Time step\"", problem.name,
                                       history, settings.tolerance, TaoConvergedReasons[reason]));
  place(solution, x);
}
}  // namespace

MinimiseReport Minimise::solve(const MinimiseProblem &problem, Vector &x) const { return Trust(*this, problem, x).run(x); }
}  // namespace symdyn
