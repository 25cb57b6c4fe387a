#include "solver/linear/gmres.h"

#include <deal.II/base/mpi.h>
#include <fmt/format.h>
#include <petscksp.h>

#include "solver/error.h"
#include "solver/linear/callback.h"
#include "solver/linear/petsc_matrix.h"

namespace symdyn
{
namespace
{
namespace of_ranks = dealii::Utilities::MPI;

/// The number stands behind the field on the last rank.
class BorderedOperator : public PetscCallback
{
public:
  BorderedOperator(const BorderedProblem &problem, const Bordered &layout)
      : problem(problem),
        from(layout),
        to(layout),
        communicator(layout.x.get_mpi_communicator()),
        has_number(of_ranks::this_mpi_process(communicator) + 1 == of_ranks::n_mpi_processes(communicator))
  {
  }
  PetscInt size() const { return PetscInt(from.x.locally_owned_size()) + (has_number ? 1 : 0); }
  MPI_Comm ranks() const { return communicator; }
  void unpack(Vec packed, Bordered &y) const
  {
    read(packed, y.x);
    double number = 0;
    if (has_number)
    {
      const double *values;
      VecGetArrayRead(packed, &values);
      number = values[y.x.locally_owned_size()];
      VecRestoreArrayRead(packed, &values);
    }
    y.p = of_ranks::sum(number, communicator);
  }
  void pack(const Bordered &y, Vec packed) const
  {
    write(y.x, packed);
    if (!has_number)
      return;
    double *values;
    VecGetArray(packed, &values);
    values[y.x.locally_owned_size()] = y.p;
    VecRestoreArray(packed, &values);
  }
  PetscErrorCode apply(const std::function<void(const Bordered &, Bordered &)> &action, Vec x, Vec y)
  {
    return guarded([&] {
      unpack(x, from);
      from.x.update_ghost_values();
      action(from, to);
      pack(to, y);
      from.x.zero_out_ghost_values();
    });
  }

  const BorderedProblem &problem;

private:
  Bordered from, to;
  MPI_Comm communicator;
  bool has_number;
};

PetscErrorCode multiply_bordered(Mat matrix, Vec x, Vec y)
{
  BorderedOperator *op;
  MatShellGetContext(matrix, &op);
  return op->apply(op->problem.multiply, x, y);
}

PetscErrorCode precondition_bordered(PC pc, Vec x, Vec y)
{
  BorderedOperator *op;
  PCShellGetContext(pc, &op);
  return op->apply(op->problem.precondition, x, y);
}

struct BorderedObjects
{
  Mat matrix = nullptr;
  KSP ksp = nullptr;
  Vec right = nullptr, solution = nullptr;
  ~BorderedObjects()
  {
    VecDestroy(&right);
    VecDestroy(&solution);
    KSPDestroy(&ksp);
    MatDestroy(&matrix);
  }
};
}  // namespace

std::pair<Bordered, int> solve_bordered(const BorderedProblem &problem, const Bordered &b)
{
  keep_petsc_quiet();
  BorderedOperator op(problem, b);
  BorderedObjects made;
  petsc_check(MatCreateShell(op.ranks(), op.size(), op.size(), PETSC_DETERMINE, PETSC_DETERMINE, &op, &made.matrix), "MatCreateShell");
  MatShellSetOperation(made.matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply_bordered));
  petsc_check(MatCreateVecs(made.matrix, &made.solution, &made.right), "MatCreateVecs");
  petsc_check(KSPCreate(op.ranks(), &made.ksp), "KSPCreate");
  PC pc;
  KSPSetOperators(made.ksp, made.matrix, made.matrix);
  KSPSetType(made.ksp, KSPGMRES);
  KSPGMRESSetRestart(made.ksp, problem.most_iterations);
  KSPSetPCSide(made.ksp, PC_RIGHT);
  KSPSetTolerances(made.ksp, problem.tolerance, 0., PETSC_DEFAULT, problem.most_iterations);
  KSPGetPC(made.ksp, &pc);
  PCSetType(pc, PCSHELL);
  PCShellSetContext(pc, &op);
  PCShellSetApply(pc, precondition_bordered);
  op.pack(b, made.right);
  const PetscErrorCode error = KSPSolve(made.ksp, made.right, made.solution);
  op.rethrow();
  petsc_check(error, "KSPSolve");
  KSPConvergedReason reason;
  PetscInt iterations = 0;
  double residual = 0;
  KSPGetConvergedReason(made.ksp, &reason);
  KSPGetIterationNumber(made.ksp, &iterations);
  KSPGetResidualNorm(made.ksp, &residual);
  if (reason < 0)
    throw ComputationError(fmt::format("GMRES has not converged in {} iterations (|r| = {:.3g})", iterations, residual));
  Bordered x = b;
  op.unpack(made.solution, x);
  return {std::move(x), int(iterations)};
}
}  // namespace symdyn
