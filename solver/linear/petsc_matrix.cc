#include "solver/linear/petsc_matrix.h"

#include <fmt/format.h>

#include <stdexcept>

#include "solver/error.h"

namespace symdyn
{
namespace
{
bool options_are_given = false;
}

void petsc_options_are_given() { options_are_given = true; }

void petsc_check(const PetscErrorCode error, const char *what)
{
  if (error == 0)
    return;
  const char *text = nullptr;
  PetscErrorMessage(error, &text, nullptr);
  if (options_are_given)
    throw InputError(
        fmt::format("PETSc options after --: with them PETSc fails in {}: {} (code {}). They do not go with this \"Linear solver/Type\": "
                    "remove them, or choose another one",
                    what, text ? text : "unknown error", int(error)));
  throw std::runtime_error(fmt::format("PETSc, {}: {} (code {})", what, text ? text : "unknown error", int(error)));
}

void keep_petsc_quiet()
{
  static const bool once = PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr) == 0;
  (void)once;
}

BorrowedVec::BorrowedVec(const Vector &layout)
{
  petsc_check(VecCreateMPIWithArray(layout.get_mpi_communicator(), 1, layout.locally_owned_size(), layout.size(), nullptr, &vec),
              "VecCreateMPIWithArray");
}

BorrowedVec::~BorrowedVec() { VecDestroy(&vec); }

Vec BorrowedVec::of(const Vector &x)
{
  VecResetArray(vec);
  petsc_check(VecPlaceArray(vec, const_cast<double *>(x.begin())), "VecPlaceArray");
  return vec;
}

PetscMatrix::~PetscMatrix() { MatDestroy(&mat); }

namespace
{
struct CompressedRows
{
  std::vector<PetscInt> start{0}, column;
};

/// Of blocks (`repeat` = 1) or of scalars, with ascending global columns: ghosts of lower ranks, own, ghosts of higher ranks.
CompressedRows compressed_rows(const BlockPattern &pattern, const int repeat)
{
  const PetscInt first = pattern.nodes->local_range().first;
  CompressedRows rows;
  for (int row = 0; row < pattern.rows(); ++row)
  {
    std::vector<PetscInt> nodes;
    const auto ghosts = [&](const bool lower) {
      for (int p = pattern.ghost_start[row]; p < pattern.ghost_start[row + 1]; ++p)
        if (const PetscInt global = pattern.nodes->local_to_global(pattern.ghost_column[p]); (global < first) == lower)
          nodes.push_back(global);
    };
    ghosts(true);
    for (int p = pattern.own_start[row]; p < pattern.own_start[row + 1]; ++p)
      nodes.push_back(first + pattern.own_column[p]);
    ghosts(false);
    for (int i = 0; i < repeat; ++i)
    {
      for (const PetscInt node : nodes)
        for (int k = 0; k < repeat; ++k)
          rows.column.push_back(node * repeat + k);
      rows.start.push_back(rows.column.size());
    }
  }
  return rows;
}
}  // namespace

void PetscMatrix::allocate(const BlockPattern &pattern, const bool rowwise)
{
  keep_petsc_quiet();
  MatDestroy(&mat);
  values.pattern = &pattern;
  values.blocked = !rowwise;
  const int n = pattern.block;
  const auto [start, column] = compressed_rows(pattern, rowwise ? n : 1);
  const PetscInt local = n * pattern.rows();
  petsc_check(MatCreate(pattern.nodes->get_mpi_communicator(), &mat), "MatCreate");
  MatSetSizes(mat, local, local, PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetBlockSize(mat, n);
  petsc_check(MatSetType(mat, rowwise ? MATAIJ : MATBAIJ), "MatSetType");
  if (rowwise)
  {
    petsc_check(MatSeqAIJSetPreallocationCSR(mat, start.data(), column.data(), nullptr), "MatSeqAIJSetPreallocationCSR");
    petsc_check(MatMPIAIJSetPreallocationCSR(mat, start.data(), column.data(), nullptr), "MatMPIAIJSetPreallocationCSR");
  }
  else
  {
    petsc_check(MatSeqBAIJSetPreallocationCSR(mat, n, start.data(), column.data(), nullptr), "MatSeqBAIJSetPreallocationCSR");
    petsc_check(MatMPIBAIJSetPreallocationCSR(mat, n, start.data(), column.data(), nullptr), "MatMPIBAIJSetPreallocationCSR");
  }
  borrow_values(rowwise);
}

void PetscMatrix::borrow_values(const bool rowwise)
{
  Mat own = mat, ghost = nullptr;
  const PetscInt *map;
  PetscBool parallel;
  PetscObjectTypeCompareAny((PetscObject)mat, &parallel, MATMPIAIJ, MATMPIBAIJ, "");
  if (parallel)
    petsc_check(rowwise ? MatMPIAIJGetSeqAIJ(mat, &own, &ghost, &map) : MatMPIBAIJGetSeqBAIJ(mat, &own, &ghost, &map),
                "borrowing a matrix");
  const auto array_of = [&](Mat part) {
    double *array = nullptr;
    if (part)
    {
      petsc_check(rowwise ? MatSeqAIJGetArray(part, &array) : MatSeqBAIJGetArray(part, &array), "borrowing values");
      petsc_check(rowwise ? MatSeqAIJRestoreArray(part, &array) : MatSeqBAIJRestoreArray(part, &array), "borrowing values");
      array = nullptr;
      petsc_check(rowwise ? MatSeqAIJGetArray(part, &array) : MatSeqBAIJGetArray(part, &array), "borrowing values");
    }
    return array;
  };
  values.own = array_of(own);
  values.ghost = array_of(ghost);
}

void PetscMatrix::set_near_null_space(const std::vector<Vector> &modes)
{
  std::vector<Vec> near_null;
  for (const Vector &mode : modes)
  {
    if (mode.l2_norm() == 0.)
      continue;
    Vec vec;
    petsc_check(MatCreateVecs(mat, &vec, nullptr), "MatCreateVecs");
    double *entries;
    VecGetArray(vec, &entries);
    std::copy_n(mode.begin(), mode.locally_owned_size(), entries);
    VecRestoreArray(vec, &entries);
    near_null.push_back(vec);
  }
  MatNullSpace space;
  petsc_check(MatNullSpaceCreate(PetscObjectComm((PetscObject)mat), PETSC_FALSE, near_null.size(), near_null.data(), &space),
              "MatNullSpaceCreate");
  petsc_check(MatSetNearNullSpace(mat, space), "MatSetNearNullSpace");
  MatNullSpaceDestroy(&space);
  for (Vec &vec : near_null)
    VecDestroy(&vec);
}

void PetscMatrix::finish(const bool symmetric)
{
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  MatSetOption(mat, MAT_SYMMETRIC, symmetric ? PETSC_TRUE : PETSC_FALSE);  // an assembly forgets it
}
}  // namespace symdyn
