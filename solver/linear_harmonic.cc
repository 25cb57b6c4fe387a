#include "solver/linear_harmonic.h"

#include <fmt/format.h>
#include <petscksp.h>

#include "solver/error.h"
#include "solver/linear_callback.h"
#include "solver/linear_petsc_matrix.h"

namespace symdyn
{
namespace
{
/// A pair of vectors as one of PETSc: first the owned entries of one, then those of the other.
struct Pair : PetscCallback
{
  const ComplexSystem &system;
  Vector x, y, u, w, z;

  Pair(const ComplexSystem &system, const Vector &layout) : system(system), x(layout), y(layout), u(layout), w(layout), z(layout) {}
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

  /// (A x - B y, B x + A y)
  void multiply(Vec from, Vec to)
  {
    halves(from);
    system.A(x, u);
    system.B(y, w);
    u -= w;
    system.A(y, w);
    system.B(x, z);
    w += z;
    join(u, w, to);
  }

  /// (A + B) z = f + g, (A + B) y = g - B z, x = z - y: the inverse of the pair with A + 2B in the place of the second A.
  void precondition(Vec from, Vec to)
  {
    halves(from);
    x += y;
    system.solve_sum(x, z);
    system.B(z, w);
    y -= w;
    system.solve_sum(y, w);
    z -= w;
    join(z, w, to);
  }
};

PetscErrorCode multiply(Mat matrix, Vec from, Vec to)
{
  Pair *pair;
  MatShellGetContext(matrix, &pair);
  return pair->guarded([&] { pair->multiply(from, to); });
}

PetscErrorCode precondition(PC pc, Vec from, Vec to)
{
  Pair *pair;
  PCShellGetContext(pc, &pair);
  return pair->guarded([&] { pair->precondition(from, to); });
}
}  // namespace

int solve_complex(const ComplexSystem &system, const Vector &f, const Vector &g, const double tolerance, Vector &x, Vector &y)
{
  keep_petsc_quiet();
  constexpr int most = 400;
  Pair pair(system, f);
  const PetscInt n = 2 * f.locally_owned_size();
  const MPI_Comm communicator = f.get_mpi_communicator();
  Mat matrix;
  KSP ksp;
  PC pc;
  Vec right, solution;
  petsc_check(MatCreateShell(communicator, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &pair, &matrix), "MatCreateShell");
  MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply));
  petsc_check(MatCreateVecs(matrix, &solution, &right), "MatCreateVecs");
  petsc_check(KSPCreate(communicator, &ksp), "KSPCreate");
  KSPSetOperators(ksp, matrix, matrix);
  KSPSetType(ksp, KSPFGMRES);
  KSPGMRESSetRestart(ksp, most);
  KSPSetTolerances(ksp, tolerance, 1e-300, 1e8, most);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCSHELL);
  PCShellSetContext(pc, &pair);
  PCShellSetApply(pc, precondition);
  pair.join(f, g, right);
  const PetscErrorCode error = KSPSolve(ksp, right, solution);
  KSPConvergedReason reason;
  PetscInt iterations;
  KSPGetConvergedReason(ksp, &reason);
  KSPGetIterationNumber(ksp, &iterations);
  if (error == 0)
  {
    pair.halves(solution);
    x = pair.x;
    y = pair.y;
  }
  VecDestroy(&right);
  VecDestroy(&solution);
  KSPDestroy(&ksp);
  MatDestroy(&matrix);
  pair.rethrow();
  if (error != 0 || reason < 0)
    throw ComputationError(fmt::format("the complex system was not solved ({} after {} iterations)", KSPConvergedReasons[reason], int(iterations)));
  return int(iterations);
}
}  // namespace symdyn
