#pragma once
#include <petscmat.h>

#include <vector>

#include "solver/block_matrix.h"
#include "solver/vector.h"

namespace symdyn
{
/// To be called where the user has given PETSc options: its errors are then taken for theirs.
void petsc_options_are_given();

/// Throws std::runtime_error with PETSc's words if `error` is not 0; InputError where the user has given options.
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

/// A matrix in PETSc's storage whose values are written in place.
class PetscMatrix
{
public:
  PetscMatrix() = default;
  ~PetscMatrix();
  PetscMatrix(const PetscMatrix &) = delete;
  PetscMatrix &operator=(const PetscMatrix &) = delete;

  /// Scalar rows (AIJ) or blocks (BAIJ), instead of what there was. `pattern` stays.
  void allocate(const BlockPattern &pattern, bool rowwise);
  void set_near_null_space(const std::vector<Vector> &modes);
  /// To be called after values were written: PETSc does not see it.
  void finish(bool symmetric);

  Mat mat = nullptr;
  BlockMatrix values;

private:
  void borrow_values(bool rowwise);
};

}  // namespace symdyn
