#pragma once
#include <slepceps.h>

#include <functional>
#include <utility>

#include "solver/linear/callback.h"
#include "solver/linear/petsc.h"

// What SLEPc multiplies and solves with: functions of our vectors.
namespace symdyn
{
struct ShellOperator : PetscCallback
{
  ShellOperator(const std::function<void(const Vector &, Vector &)> &action, Vector x, Vector y)
      : action(action), x(std::move(x)), y(std::move(y))
  {
  }
  PetscErrorCode apply(Vec from, Vec to)
  {
    return guarded([&] {
      read(from, x);
      action(x, y);
      write(y, to);
    });
  }

  const std::function<void(const Vector &, Vector &)> &action;
  Vector x, y;
};

inline PetscErrorCode multiply_shell(Mat matrix, Vec from, Vec to)
{
  ShellOperator *op;
  MatShellGetContext(matrix, &op);
  return op->apply(from, to);
}

inline PetscErrorCode solve_shifted(PC pc, Vec from, Vec to)
{
  ShellOperator *op;
  PCShellGetContext(pc, &op);
  return op->apply(from, to);
}

inline Mat shell_matrix(ShellOperator &op)
{
  const PetscInt n = op.x.locally_owned_size();
  Mat matrix;
  petsc_check(MatCreateShell(op.x.get_mpi_communicator(), n, n, PETSC_DETERMINE, PETSC_DETERMINE, &op, &matrix), "MatCreateShell");
  MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&multiply_shell));
  return matrix;
}

inline Vec copy_of(const Vector &x, Mat matrix)
{
  Vec copy;
  petsc_check(MatCreateVecs(matrix, &copy, nullptr), "MatCreateVecs");
  write(x, copy);
  return copy;
}

/// The spectral transformation solves with `inverse`.
inline void set_inverse(ST st, ShellOperator &inverse, const STType type)
{
  KSP ksp;
  PC pc;
  STSetType(st, type);
  STSetMatMode(st, ST_MATMODE_SHELL);
  STGetKSP(st, &ksp);
  KSPSetType(ksp, KSPPREONLY);
  KSPGetPC(ksp, &pc);
  PCSetType(pc, PCSHELL);
  PCShellSetContext(pc, &inverse);
  PCShellSetApply(pc, solve_shifted);
}
}  // namespace symdyn
