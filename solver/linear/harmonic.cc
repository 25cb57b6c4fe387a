#include "solver/linear/harmonic.h"

#include <deal.II/base/numbers.h>
#include <fmt/format.h>
#include <petscksp.h>

#include <array>
#include <cmath>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/linear/callback.h"
#include "solver/linear/petsc_matrix.h"

namespace symdyn
{
namespace
{
constexpr int most_iterations = 400;

/// A preconditioner, and whether to end the iteration when the residual hardly falls.
struct Attempt
{
  double degrees;  ///< phi
  bool ends_at_stall;
};
/// The first S is singular for a mode with psi = 135 degrees, the second for 45, the third for 157.5. Where many modes
/// resonate at once every S is nearly singular for one of them, and GMRES needs its time.
constexpr std::array<Attempt, 4> attempts{{{45., true}, {135., true}, {67.5, true}, {45., false}}};

/// A pair of vectors as one of PETSc: first the owned entries of one, then those of the other.
struct ComplexPair : PetscCallback
{
  const ComplexSystem &system;
  ComplexSystem::Product solve;
  double turn = 0;  ///< theta = pi/4 - phi: the preconditioner is that of e^{i theta} (A + i B)
  Vector x, y, u, w, z;
  // Of the present run.
  double target = 0;
  bool ends_at_stall = true;
  std::vector<double> residuals;

  ComplexPair(const ComplexSystem &system, const Vector &layout) : system(system), x(layout), y(layout), u(layout), w(layout), z(layout) {}
  unsigned int n() const { return x.locally_owned_size(); }

  void halves(Vec from)
  {
    read(from, x);
    read(from, y, n());
  }
  void join(const Vector &first, const Vector &second, Vec to) const
  {
    write(first, to);
    write(second, to, n());
  }

  /// (u, w) = (A x - B y, B x + A y)
  void apply()
  {
    system.A(x, u);
    system.B(y, w);
    u -= w;
    system.A(y, w);
    system.B(x, z);
    w += z;
  }
  void multiply(Vec from, Vec to)
  {
    halves(from);
    apply();
    join(u, w, to);
  }
  /// |f + i g - (A + i B)(x + i y)|
  double residual(const Vector &f, const Vector &g, const Vector &real, const Vector &imaginary)
  {
    x = real;
    y = imaginary;
    apply();
    u -= f;
    w -= g;
    return std::hypot(u.l2_norm(), w.l2_norm());
  }

  void choose(const Attempt &attempt)
  {
    const double phi = attempt.degrees * dealii::numbers::PI / 180.;
    turn = 0.25 * dealii::numbers::PI - phi;
    ends_at_stall = attempt.ends_at_stall;
    solve = system.factor(std::cos(phi), std::sin(phi));
  }

  /// A' + i B' = e^{i theta} (A + i B), f' + i g' = e^{i theta} (x + i y), A' + B' = sqrt(2) S:
  /// sqrt(2) S z = f' + g', sqrt(2) S y = g' - B' z, x = z - y: the inverse of the pair with A' + 2B' in the place of
  /// the second A'.
  void precondition(Vec from, Vec to)
  {
    const double c = std::cos(turn), s = std::sin(turn), scale = std::sqrt(0.5);
    halves(from);
    u = y;
    u.sadd(c, s, x);  // g'
    x.sadd(c, -s, y);
    x.add(1., u);
    x *= scale;
    solve(x, z);
    system.B(z, w);
    u.add(-c, w);
    if (turn != 0.)
    {
      system.A(z, w);
      u.add(-s, w);
    }
    u *= scale;
    solve(u, w);
    z -= w;
    join(z, w, to);
  }

  KSPConvergedReason judge(const double norm)
  {
    constexpr std::size_t window = 40;  // of iterations: as long as a few dozen modes near the singular one may hold GMRES up
    constexpr double stall = 0.5;
    residuals.push_back(norm);
    if (!std::isfinite(norm))
      return KSP_DIVERGED_NANORINF;
    if (norm <= target)
      return KSP_CONVERGED_RTOL;
    if (ends_at_stall && residuals.size() > window && norm > stall * residuals[residuals.size() - 1 - window])
      return KSP_DIVERGED_BREAKDOWN;
    return KSP_CONVERGED_ITERATING;
  }
};

PetscErrorCode multiply_pair(Mat matrix, Vec from, Vec to)
{
  ComplexPair *pair;
  MatShellGetContext(matrix, &pair);
  return pair->guarded([&] { pair->multiply(from, to); });
}

PetscErrorCode precondition(PC pc, Vec from, Vec to)
{
  ComplexPair *pair;
  PCShellGetContext(pc, &pair);
  return pair->guarded([&] { pair->precondition(from, to); });
}

PetscErrorCode judge(KSP, PetscInt, PetscReal norm, KSPConvergedReason *reason, void *pair)
{
  *reason = static_cast<ComplexPair *>(pair)->judge(norm);
  return 0;
}

/// One run from x, y, which it replaces unless it ends by an exception.
class SweepRun
{
public:
  SweepRun(ComplexPair &pair, const MPI_Comm communicator) : pair(pair)
  {
    const PetscInt n = 2 * pair.n();
    PC pc;
    petsc_check(MatCreateShell(communicator, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &pair, &matrix), "MatCreateShell");
    MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply_pair));
    petsc_check(MatCreateVecs(matrix, &solution, &right), "MatCreateVecs");
    petsc_check(KSPCreate(communicator, &ksp), "KSPCreate");
    KSPSetOperators(ksp, matrix, matrix);
    KSPSetType(ksp, KSPFGMRES);
    KSPGMRESSetRestart(ksp, most_iterations);
    KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, most_iterations);
    KSPSetConvergenceTest(ksp, judge, &pair, nullptr);
    KSPSetInitialGuessNonzero(ksp, PETSC_TRUE);
    KSPGetPC(ksp, &pc);
    PCSetType(pc, PCSHELL);
    PCShellSetContext(pc, &pair);
    PCShellSetApply(pc, precondition);
  }
  ~SweepRun()
  {
    VecDestroy(&right);
    VecDestroy(&solution);
    KSPDestroy(&ksp);
    MatDestroy(&matrix);
  }
  SweepRun(const SweepRun &) = delete;
  SweepRun &operator=(const SweepRun &) = delete;

  /// Returns the iterations.
  int from(const Vector &f, const Vector &g, Vector &x, Vector &y)
  {
    PetscInt iterations = 0;
    pair.residuals.clear();
    pair.join(f, g, right);
    pair.join(x, y, solution);
    const PetscErrorCode error = KSPSolve(ksp, right, solution);
    pair.rethrow();
    petsc_check(error, "KSPSolve");
    KSPGetConvergedReason(ksp, &reason);
    KSPGetIterationNumber(ksp, &iterations);
    pair.halves(solution);
    x = pair.x;
    y = pair.y;
    return int(iterations);
  }

  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;

private:
  ComplexPair &pair;
  Mat matrix = nullptr;
  KSP ksp = nullptr;
  Vec right = nullptr, solution = nullptr;
};

/// The iterate with the smallest residual so far; the next attempt begins there.
struct Best
{
  Vector x, y;
  double residual;

  void offer(Vector &new_x, Vector &new_y, const double new_residual)
  {
    if (new_residual < residual)
    {
      x = new_x;
      y = new_y;
      residual = new_residual;
    }
    restore(new_x, new_y);
  }
  void restore(Vector &to_x, Vector &to_y) const
  {
    to_x = x;
    to_y = y;
  }
};
}  // namespace

int solve_complex(const ComplexSystem &system, const Vector &f, const Vector &g, const double tolerance, Vector &x, Vector &y)
{
  // Attainable accuracy: the recurrence of GMRES may be ahead of the true residual by rounding, hardly more than this.
  constexpr double slack = 1e-6;
  keep_petsc_quiet();
  ComplexPair pair(system, f);
  const double size = std::hypot(f.l2_norm(), g.l2_norm());
  pair.target = tolerance * size;
  x = 0.;
  y = 0.;
  Best best{x, y, size};
  int iterations = 0;
  std::string why;
  for (const Attempt &attempt : attempts)
  {
    try
    {
      pair.choose(attempt);
      SweepRun run(pair, f.get_mpi_communicator());
      iterations += run.from(f, g, x, y);
      const double residual = pair.residual(f, g, x, y);
      if (run.reason > 0 && residual <= std::max(10. * tolerance, slack) * size)
        return iterations;
      why = fmt::format("GMRES stalls at |r| = {:.3g}", residual);
      best.offer(x, y, residual);
    }
    catch (const ComputationError &error)
    {
      why = error.what();
      best.restore(x, y);
    }
    log_detail(fmt::format("complex system, |F| = {:.3g}, preconditioner of {:g} degrees, {} iterations: {}", size, attempt.degrees,
                           iterations, why));
  }
  throw ComputationError(
      fmt::format("the complex system was not solved: |r| = {:.3g} of |F| = {:.3g} (tolerance {:g}) after {} "
                  "iterations with {} preconditioners; {}",
                  best.residual, size, tolerance, iterations, attempts.size(), why));
}
}  // namespace symdyn
