#include "solver/eigen.h"

#include <slepceps.h>

#include <exception>

#include "solver/error.h"
#include "solver/linear_petsc.h"

namespace symdyn
{
namespace
{
struct Operator
{
  const std::function<void(const Vector &, Vector &)> &apply;
  Vector x, y;
  std::exception_ptr thrown = nullptr;  // must not cross PETSc's C code
};

PetscErrorCode multiply(Mat matrix, Vec from, Vec to)
{
  Operator *op;
  MatShellGetContext(matrix, &op);
  const double *in;
  VecGetArrayRead(from, &in);
  std::copy_n(in, op->x.locally_owned_size(), op->x.begin());
  VecRestoreArrayRead(from, &in);
  try
  {
    op->apply(op->x, op->y);
  }
  catch (...)
  {
    op->thrown = std::current_exception();
    return PETSC_ERR_USER;
  }
  double *out;
  VecGetArray(to, &out);
  std::copy_n(op->y.begin(), op->y.locally_owned_size(), out);
  VecRestoreArray(to, &out);
  return 0;
}
}  // namespace

double largest_eigenvalue(const std::function<void(const Vector &x, Vector &y)> &A, const Vector &start,
                          const bool symmetric)
{
  keep_petsc_quiet();
  Operator op{A, start, start};
  const PetscInt n = start.locally_owned_size();
  const MPI_Comm communicator = start.get_mpi_communicator();
  Mat matrix;
  EPS eps;
  petsc_check(MatCreateShell(communicator, n, n, PETSC_DETERMINE, PETSC_DETERMINE, &op, &matrix), "MatCreateShell");
  MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply));
  petsc_check(EPSCreate(communicator, &eps), "EPSCreate");
  EPSSetOperators(eps, matrix, nullptr);
  EPSSetProblemType(eps, symmetric ? EPS_HEP : EPS_NHEP);
  EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL);
  EPSSetDimensions(eps, 1, PETSC_DEFAULT, PETSC_DEFAULT);
  // Of the residual: of a symmetric problem the eigenvalue errs by its square (measured on beams: 1e-5).
  EPSSetTolerances(eps, symmetric ? 1e-3 : 1e-4, 1000);
  Vec initial;
  petsc_check(MatCreateVecs(matrix, &initial, nullptr), "MatCreateVecs");
  double *values;
  VecGetArray(initial, &values);
  std::copy_n(start.begin(), n, values);
  VecRestoreArray(initial, &values);
  EPSSetInitialSpace(eps, 1, &initial);
  const PetscErrorCode error = EPSSolve(eps);
  PetscInt converged = 0;
  PetscScalar value = 0.;
  if (error == 0)
    EPSGetConverged(eps, &converged);
  if (converged > 0)
    EPSGetEigenvalue(eps, 0, &value, nullptr);
  VecDestroy(&initial);
  EPSDestroy(&eps);
  MatDestroy(&matrix);
  if (op.thrown)
    std::rethrow_exception(op.thrown);
  if (error != 0 || converged == 0)
    throw ComputationError("the highest frequency was not found (the Lanczos method did not converge)");
  return value;
}
}  // namespace symdyn
