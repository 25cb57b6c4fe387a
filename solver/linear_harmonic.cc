#include "solver/linear_harmonic.h"

#include <fmt/format.h>
#include <petscksp.h>

#include <exception>

#include "solver/error.h"
#include "solver/linear_petsc_matrix.h"

namespace symdyn
{
namespace
{
/// A pair of vectors as one of PETSc: first the owned entries of one, then those of the other.
struct Pair
{
  const ComplexSystem &system;
  Vector x, y, u, w, z;
  std::exception_ptr thrown = nullptr;  // must not cross PETSc's C code

  Pair(const ComplexSystem &system, const Vector &layout) : system(system), x(layout), y(layout), u(layout), w(layout), z(layout) {}
  unsigned int n() const { return x.locally_owned_size(); }

  void read(Vec from)
  {
    const double *in;
    VecGetArrayRead(from, &in);
    std::copy_n(in, n(), x.begin());
    std::copy_n(in + n(), n(), y.begin());
    VecRestoreArrayRead(from, &in);
  }
  void write(const Vector &first, const Vector &second, Vec to) const
  {
    double *out;
    VecGetArray(to, &out);
    std::copy_n(first.begin(), n(), out);
    std::copy_n(second.begin(), n(), out + n());
    VecRestoreArray(to, &out);
  }

  /// (A x - B y, B x + A y)
  void multiply(Vec from, Vec to)
  {
    read(from);
    system.A(x, u);
    system.B(y, w);
    u -= w;
    system.A(y, w);
    system.B(x, z);
    w += z;
    write(u, w, to);
  }

  /// (A + B) z = f + g, (A + B) y = g - B z, x = z - y: the inverse of the pair with A + 2B in the place of the second A.
  void precondition(Vec from, Vec to)
  {
    read(from);
    x += y;
    system.solve_sum(x, z);
    system.B(z, w);
    y -= w;
    system.solve_sum(y, w);
    z -= w;
    write(z, w, to);
  }

  template <class Act>
  PetscErrorCode guarded(const Act &act)
  {
    try
    {
      act();
    }
    catch (...)
    {
      thrown = std::current_exception();
      return PETSC_ERR_USER;
    }
    return 0;
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
  pair.write(f, g, right);
  const PetscErrorCode error = KSPSolve(ksp, right, solution);
  KSPConvergedReason reason;
  PetscInt iterations;
  KSPGetConvergedReason(ksp, &reason);
  KSPGetIterationNumber(ksp, &iterations);
  if (error == 0)
  {
    pair.read(solution);
    x = pair.x;
    y = pair.y;
  }
  VecDestroy(&right);
  VecDestroy(&solution);
  KSPDestroy(&ksp);
  MatDestroy(&matrix);
  if (pair.thrown)
    std::rethrow_exception(pair.thrown);
  if (error != 0 || reason < 0)
    throw ComputationError(fmt::format("the complex system was not solved ({} after {} iterations)", KSPConvergedReasons[reason], int(iterations)));
  return int(iterations);
}
}  // namespace symdyn
