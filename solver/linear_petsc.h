#pragma once
#include <petscksp.h>

#include "solver/linear_solver.h"

namespace symdyn
{
/// Throws std::runtime_error with PETSc's words if `error` is not 0.
void petsc_check(PetscErrorCode error, const char *what);

/// PETSc's errors become exceptions of ours: its own report would fill the terminal.
void keep_petsc_quiet();

/// A PETSc vector that borrows the owned entries of ours.
class BorrowedVec
{
public:
  explicit BorrowedVec(const Vector &layout);
  ~BorrowedVec();
  BorrowedVec(const BorrowedVec &) = delete;
  BorrowedVec &operator=(const BorrowedVec &) = delete;
  Vec of(const Vector &x);

private:
  Vec vec = nullptr;
};

/// A matrix in PETSc's storage and a Krylov method with preconditioner on it (or a factorisation).
class PetscSolver : public LinearSolver
{
public:
  PetscSolver() = default;
  PetscSolver(std::string method, std::string preconditioner)
      : method(std::move(method)), preconditioner(std::move(preconditioner))
  {
  }
  ~PetscSolver() override;
  void declare(Parameters &) override {}
  void allocate(const BlockPattern &pattern, const std::vector<Vector> &modes) override;
  BlockMatrix &matrix() override { return block_matrix; }
  void factor(const MatrixProperties &properties) override;
  int solve(const Vector &r, Vector &x, double tolerance) override;
  void multiply(const Vector &x, Vector &y) override;
  bool iterative() const override { return method != "mumps"; }
  std::string name() const override;

protected:
  std::string method = "cg", preconditioner = "gamg";

private:
  bool rowwise() const;  ///< scalar rows (AIJ), not blocks (BAIJ)
  void create_matrix(const BlockPattern &pattern);
  void borrow_values();
  void configure(bool symmetric);
  void read_options();

  Mat A = nullptr;
  KSP ksp = nullptr;
  BlockMatrix block_matrix;
  std::unique_ptr<BorrowedVec> left, right;
  bool configured_symmetric = true;
};
}  // namespace symdyn
