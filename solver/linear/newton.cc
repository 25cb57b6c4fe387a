#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/linear/newton_snes.h"
#include "solver/linear/petsc.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// With each new tangent a bad experience with a kept one counts for less, so that it is tried again some steps later. Not where stresses
/// are carried on: three iterations are the rule there, and a try costs many times that.
constexpr double forgetting = 0.8;
/// A line search that takes more iterations than this does not come first again.
constexpr int creeping = 15;

Newton::Implementation *self_of(void *p) { return static_cast<Newton::Implementation *>(p); }

void add_work_of_attempt(const NewtonReport &attempt, NewtonReport &sum)
{
  sum.iterations += attempt.iterations;
  sum.krylov += attempt.krylov;
  sum.linearisations += attempt.linearisations;
}

/// The levels of rounding at x, and |r| as the problem has it in place of the Euclidean one.
PetscErrorCode measure(Newton::Implementation &me, SNES snes, Vec x, double &norm)
{
  const PetscErrorCode error = me.rounding_is_old ? me.renew_rounding(x) : 0;
  if (error != 0 || !me.problem->norm || !std::isfinite(norm))
    return error;
  Vec r;
  SNESGetFunction(snes, &r, nullptr, nullptr);
  return me.guarded([&] {
    read(r, me.out);
    norm = me.problem->norm(me.out);
  });
}
}  // namespace

PetscErrorCode Newton::Implementation::function(SNES, Vec x, Vec r, void *self)
{
  auto &me = *self_of(self);
  return me.guarded([&] {
    place(x, me.in);
    me.force = me.problem->residual(me.in, me.out);
    write(me.out, r);
  });
}

PetscErrorCode Newton::Implementation::linearise(SNES, Vec x, Mat, Mat, void *self)
{
  auto &me = *self_of(self);
  return me.guarded([&] {
    if (me.keeps_tangent())
      return;
    place(x, me.in);
    me.linear = me.problem->linearise(me.in);
    me.kind = me.problem->kind;
    me.fresh = true;
    me.contraction *= me.carries ? 1. : forgetting;
    ++me.report.linearisations;
    me.rounding_is_old = true;
  });
}

PetscErrorCode Newton::Implementation::multiply(Mat matrix, Vec x, Vec y)
{
  void *self;
  MatShellGetContext(matrix, &self);
  auto &me = *self_of(self);
  return me.guarded([&] {
    place(x, me.in);
    me.linear->multiply(me.in, me.out);
    write(me.out, y);
  });
}

PetscErrorCode Newton::Implementation::solve(PC pc, Vec r, Vec x)
{
  void *self;
  PCShellGetContext(pc, &self);
  auto &me = *self_of(self);
  return me.guarded([&] {
    place(r, me.in);
    me.solving = true;
    me.report.krylov += me.linear->solve(me.in, me.out, me.linear_tolerance());
    me.solving = false;
    me.leave_if_astray();
    write(me.out, x);
  });
}

/// A body that is stable at the start and unstable at an iterate with a larger |r| is far from where the load leads, as a rule: full steps
/// would go on until cells are inverted. Counted by factors alone; conjugate gradients refuse such a tangent by themselves.
void Newton::Implementation::leave_if_astray()
{
  if (!may_leave)
    return;
  if (report.residuals.size() <= 1)
    was_definite = linear->negative_eigenvalues() == 0;
  else if (fresh && was_definite && linear->negative_eigenvalues() > 0 && report.residuals.back() > first_residual())
  {
    led_astray = true;
    throw LedAstray(fmt::format("newton: {}: |r| = {:.3e} N after {:.3e} N, and the tangent has become indefinite: full steps lead astray",
                                problem->name, report.residuals.back(), first_residual()));
  }
}

/// After each step of a line search.
PetscErrorCode Newton::Implementation::check_step(SNESLineSearch, Vec x, Vec, Vec next, PetscBool *, PetscBool *changed, void *self)
{
  auto &me = *self_of(self);
  me.cut = false;
  return me.guarded([&] {
    place(next, me.out);
    if (me.problem->free_part)
    {
      place(x, me.in);
      me.out -= me.in;
      me.out.update_ghost_values();
      const double part = me.problem->free_part(me.in, me.out);
      me.cut = part > 0. && part < 1.;  // 0: not even x may be a state
      me.out.sadd(me.cut ? 0.8 * part : 1., me.in);
    }
    if (me.problem->retract)
      me.problem->retract(me.out);
    if (!me.cut && !me.problem->retract)
      return;
    write(me.out, next);
    *changed = PETSC_TRUE;
  });
}

/// Decides before each iteration; r of the present iterate is the last residual.
bool Newton::Implementation::keeps_tangent()
{
  const auto &r = report.residuals;
  if (r.size() > 1 && !fresh)
    contraction = r.back() < r[r.size() - 2] ? r.back() / r[r.size() - 2] : 1.;
  fresh = false;
  if (newton->tangent == "new" || problem->linear || problem->kind.empty() || !linear || !linear->current() || kind != problem->kind)
    return false;
  // Iterations to the end with this tangent, against those with new ones (three, as a rule), each for an evaluation of the force.
  constexpr double with_new = 3.;
  const double worst = carries ? 0.1 : 0.5;
  const double decades = -std::log10(std::max(newton->tolerance * first_residual(), rounding) / r.back());
  const double more = contraction > 0. ? decades / -std::log10(std::min(contraction, worst)) - with_new : 0.;
  const bool ends_in_time = r.size() + more + with_new < newton->max_iterations;
  return contraction < worst && more < linear->cost() && ends_in_time;
}

double Newton::Implementation::linear_tolerance() const
{
  const double tightest = linear->tolerance();
  if (!linear->iterative() || newton->forcing == "constant")
    return tightest;
  if (problem->linear)
    return std::max(tightest, 0.3 * newton->tolerance);
  // Eisenstat and Walker (1996), choice 2 with exponent 2, but never tighter than the residual that is asked for.
  const auto &r = report.residuals;
  const double first = newton->first_forcing;
  double eta = r.size() < 2 ? first : std::min(first, 0.9 * std::pow(r.back() / r[r.size() - 2], 2));
  if (!fresh)  // no more exact than the tangent is
    eta = std::max(first, 0.3 * contraction);
  eta = std::max(eta, 0.3 * std::max(newton->tolerance * first_residual(), rounding) / r.back());
  return std::max(std::min(eta, 0.5), tightest);
}

PetscErrorCode Newton::Implementation::converged(SNES snes, PetscInt iteration, PetscReal xnorm, PetscReal step, PetscReal euclidean,
                                                 SNESConvergedReason *reason, void *self)
{
  auto &me = *self_of(self);
  Vec x;
  SNESGetSolution(snes, &x);
  double norm = euclidean;
  if (const PetscErrorCode error = measure(me, snes, x, norm); error != 0)
    return error;
  auto &residuals = me.report.residuals;
  residuals.push_back(norm);
  me.report.iterations = iteration;
  *reason = SNES_CONVERGED_ITERATING;
  if (me.reference == 0. && me.force.admissible())
    me.reference = norm;
  const bool is_rounding = me.is_rounding(norm);
  if (!std::isfinite(norm))
    *reason = SNES_DIVERGED_FNORM_NAN;
  else if (norm <= me.newton->tolerance * me.reference || is_rounding)
  {
    if (iteration > 0 || is_rounding)
      *reason = SNES_CONVERGED_FNORM_RELATIVE;
  }
  else if (iteration > 0 && step <= me.newton->step_tolerance * xnorm)
  {
    PetscReal lambda = 1.;
    SNESLineSearch search;
    if (me.newton->method == "newtonls" && SNESGetLineSearch(snes, &search) == 0)
      SNESLineSearchGetLambda(search, &lambda);
    if (lambda == 1. && !me.cut)  // a step cut short says nothing about the distance to the solution
      *reason = SNES_CONVERGED_SNORM_RELATIVE;
  }
  else
  {
    bool rests = false;
    if (PetscErrorCode error = me.stagnates(x, rests); error != 0 || (!rests && (error = me.look_whether_lost(x)) != 0))
      return error;
    if (rests || me.lost)
      *reason = rests ? SNES_CONVERGED_FNORM_RELATIVE : SNES_DIVERGED_DTOL;
  }
  return 0;
}

void Newton::Implementation::create(const Newton &given, const Vector &x)
{
  newton = &given;
  may_leave = false;
  if (snes && in.get_partitioner() == x.get_partitioner())
    return;
  destroy();
  linear.reset();
  keep_petsc_quiet();
  in.reinit(x);
  out.reinit(x);
  const MPI_Comm communicator = x.get_mpi_communicator();
  const PetscInt n = x.locally_owned_size();
  petsc_check(SNESCreate(communicator, &snes), "SNESCreate");
  petsc_check(VecCreateMPI(communicator, n, PETSC_DETERMINE, &solution), "VecCreateMPI");
  petsc_check(VecDuplicate(solution, &residual), "VecDuplicate");
  petsc_check(MatCreateShell(communicator, n, n, PETSC_DETERMINE, PETSC_DETERMINE, this, &jacobian), "MatCreateShell");
  MatShellSetOperation(jacobian, MATOP_MULT, reinterpret_cast<void (*)()>(&Implementation::multiply));
  SNESSetFunction(snes, residual, &Implementation::function, this);
  SNESSetJacobian(snes, jacobian, jacobian, &Implementation::linearise, this);
  SNESSetConvergenceTest(snes, &Implementation::converged, this, nullptr);
  petsc_check(SNESSetType(snes, given.method.c_str()), "SNESSetType");
  SNESSetTolerances(snes, 0., 0., 0., given.max_iterations, 1000000);
  KSP ksp;
  PC pc;
  SNESGetKSP(snes, &ksp);
  KSPSetType(ksp, KSPPREONLY);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCSHELL);
  PCShellSetContext(pc, this);
  PCShellSetApply(pc, &Implementation::solve);
  if (SNESSetFromOptions(snes) != 0)
    throw InputError("PETSc options after --: PETSc refuses a -snes option or its value. Look at their spelling");
}

void Newton::Implementation::search_by(const std::string &line_search)
{
  SNESLineSearch search;
  SNESGetLineSearch(snes, &search);
  petsc_check(SNESLineSearchSetType(search, line_search.c_str()), "SNESLineSearchSetType");
  SNESLineSearchSetPostCheck(search, &Implementation::check_step, this);
  // PETSc cuts steps longer than 1e8 by default; ours have units and may well be accelerations of 1e10 mm/s².
  // And cp calls an r·dx below 1e-15 converged by itself, whatever the test says.
  SNESLineSearchSetTolerances(search, PETSC_DEFAULT, 1e100, PETSC_DEFAULT, 0., PETSC_DEFAULT, PETSC_DEFAULT);
}

void Newton::Implementation::run(const NewtonProblem &given, Vector &x)
{
  problem = &given;
  report = {};
  reference = 0.;
  solving = rounding_is_old = cut = lost = false;
  was_definite = true;
  // A solve that failed may have linearised far away, where K is huge: then nothing is known until the first tangent of this one.
  rounding = rounding_at_start = settled && linear ? given.rounding(*linear, x) : 0.;
  start = x;
  settled = false;
  write(x, solution);
  const PetscErrorCode error = SNESSolve(snes, nullptr, solution);
  if (error != 0)
  {
    destroy();  // its state is undefined now
    linear.reset();
    rethrow();
    petsc_check(error, "SNESSolve");
  }
  SNESConvergedReason reason;
  SNESGetConvergedReason(snes, &reason);
  std::string history;
  for (const double r : report.residuals)
    history += fmt::format("{}{:.3e}", history.empty() ? "" : ", ", r);
  log_detail(fmt::format("newton: {}: |r| = {} N, {} linear iterations", given.name, history, report.krylov));
  if (const auto &r = report.residuals; r.size() > 8)  // for the message; the log has them all
    history =
        fmt::format("{:.3e}, {:.3e}, {:.3e}, ..., {:.3e}, {:.3e}, {:.3e}", r[0], r[1], r[2], r[r.size() - 3], r[r.size() - 2], r.back());
  place(solution, x);
  settled = reason > 0 && force.admissible();
  if (settled)
    return newton->note(report, reference);
  linear.reset();
  const std::string diagnosis = why_not(given, x);
  if (history.empty())
    history = "not finite from the start";
  throw ComputationError(fmt::format("newton: {}: |r| = {} N (tolerance {:g} of the first): {}{}{}", given.name, history, newton->tolerance,
                                     reason > 0 ? "a state that cannot be" : SNESConvergedReasons[reason],
                                     diagnosis.empty() ? "" : "; " + diagnosis, way_out(reason > 0, diagnosis)));
}

/// Why r(x) is not finite, or that of the last full step, if a line search went back from it. Leaves the caller's q at x.
std::string Newton::Implementation::why_not(const NewtonProblem &given, const Vector &x)
{
  Vector r, trial = x;
  r.reinit(x);
  given.residual(x, r);
  if (const std::string why = given.diagnose(x); !why.empty())
    return why;
  Vec step;
  if (report.residuals.size() < 2 || !std::isfinite(report.residuals.back()) || SNESGetSolutionUpdate(snes, &step) != 0 || !step)
    return "";
  place(step, out);
  trial -= out;
  trial.update_ghost_values();
  given.residual(trial, r);
  const std::string why = std::isfinite(r.l2_norm()) ? "" : given.diagnose(trial);
  given.residual(x, r);
  return why.empty() ? "" : "at the last full step " + why;
}

/// Where |r| is small already, shorter steps do not help. A diagnosis that ends with a full stop has its own way out.
std::string Newton::Implementation::way_out(const bool solved, const std::string &diagnosis) const
{
  constexpr double small = 1e-8;
  const auto &r = report.residuals;
  if (!diagnosis.empty() && diagnosis.back() == '.')
    return "";
  if (!solved && !r.empty() && r.back() <= small * first_residual())
    return fmt::format(". |r| does not fall below {:.1e} of the first: raise \"Newton/Tolerance\" above that", r.back() / first_residual());
  return problem->finer.empty() ? "" : ". " + problem->finer;
}

void Newton::note(const NewtonReport &report, const double reference) const
{
  ++so_far->solutions;
  if (report.residuals.empty())  // an option of PETSc took the test away
    return;
  so_far->residual = std::max(so_far->residual, report.residuals.back());
  if (report.iterations > 0 && reference > 0.)
    so_far->relative = std::max(so_far->relative, report.residuals.back() / reference);
}

Newton::Newton() : petsc(std::make_unique<Implementation>()) {}
Newton::~Newton() = default;

void Newton::forget() { petsc = std::make_unique<Implementation>(); }

NewtonReport Newton::solve(const NewtonProblem &problem, Vector &x) const
{
  petsc->create(*this, x);
  const bool carried = petsc->carries = problem.carry && stresses == "carried";
  if (problem.carry)
    problem.carry(carried);
  if (method != "newtonls" || line_search != "automatic")
  {
    if (method == "newtonls")
      petsc->search_by(line_search);
    petsc->run(problem, x);
    return petsc->report;
  }
  // Slender bodies: a full step may raise |r| a thousandfold (membrane forces) and be right; a search on |r| creeps there.
  const Vector start = x;
  NewtonReport earlier;
  std::vector<std::string> searches = petsc->searches(carried);
  for (std::size_t attempt = 0; attempt < searches.size(); ++attempt)
    try
    {
      if (carried)
        problem.carry(petsc->carries = attempt == 0);
      const bool may_be_left = searches[attempt] == "basic" && attempt + 1 < searches.size() && !(carried && attempt == 0);
      petsc->attempt(*this, searches[attempt], may_be_left, problem, x);
      petsc->led_astray = petsc->led_astray && searches[attempt] == "cp" && petsc->report.iterations <= creeping;
      add_work_of_attempt(earlier, petsc->report);
      break;
    }
    catch (const ComputationError &error)
    {
      if (dynamic_cast<const LedAstray *>(&error))
        searches.push_back("basic");  // to its end, if nothing else serves
      if (attempt + 1 == searches.size() || (petsc->lost && problem.may_be_divided) ||
          (petsc->solving && petsc->report.iterations == 0))  // another search begins with the same linear system
        throw;
      log_detail(fmt::format("{}\nnewton: again from the start with {}", error.what(),
                             carried && attempt == 0 ? "stresses of the present iterates" : "another line search"));
      add_work_of_attempt(petsc->report, earlier);
      x = start;
      x.update_ghost_values();
    }
  return petsc->report;
}
}  // namespace symdyn
