#include "solver/linear_petsc.h"

#include <fmt/format.h>

#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
void petsc_check(const PetscErrorCode error, const char *what)
{
  if (error == 0)
    return;
  const char *text = nullptr;
  PetscErrorMessage(error, &text, nullptr);
  throw std::runtime_error(fmt::format("PETSc, {}: {} (code {})", what, text ? text : "unknown error", int(error)));
}

void keep_petsc_quiet()
{
  static const bool once = PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr) == 0;
  (void)once;
}

std::vector<std::string> unused_petsc_options()
{
  PetscInt n = 0;
  char **names = nullptr, **values = nullptr;
  std::vector<std::string> unused;
  if (PetscOptionsLeftGet(nullptr, &n, &names, &values) != 0)
    return unused;
  for (PetscInt i = 0; i < n; ++i)
    unused.push_back(std::string("-") + names[i]);
  PetscOptionsLeftRestore(nullptr, &n, &names, &values);
  return unused;
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

PetscSolver::~PetscSolver()
{
  KSPDestroy(&ksp);
  MatDestroy(&A);
}

bool PetscSolver::rowwise() const
{
  // Measured: products with blocks are 1.6 times faster; but MUMPS' Cholesky, GAMG and BoomerAMG want scalar rows.
  return method == "mumps" || preconditioner == "gamg" || preconditioner == "hypre";
}

std::string PetscSolver::name() const { return method == "mumps" ? "mumps" : method + " + " + preconditioner; }

void PetscSolver::allocate(const BlockPattern &pattern, const std::vector<Vector> &modes)
{
  keep_petsc_quiet();
  create_matrix(pattern);
  borrow_values();
  left = std::make_unique<BorrowedVec>(modes.front());
  right = std::make_unique<BorrowedVec>(modes.front());

  std::vector<Vec> near_null;
  for (const Vector &mode : modes)
  {
    if (mode.l2_norm() == 0.)
      continue;
    Vec vec;
    petsc_check(MatCreateVecs(A, &vec, nullptr), "MatCreateVecs");
    double *values;
    VecGetArray(vec, &values);
    std::copy_n(mode.begin(), mode.locally_owned_size(), values);
    VecRestoreArray(vec, &values);
    near_null.push_back(vec);
  }
  MatNullSpace space;
  petsc_check(MatNullSpaceCreate(PetscObjectComm((PetscObject)A), PETSC_FALSE, near_null.size(), near_null.data(), &space),
              "MatNullSpaceCreate");
  petsc_check(MatSetNearNullSpace(A, space), "MatSetNearNullSpace");
  MatNullSpaceDestroy(&space);
  for (Vec &vec : near_null)
    VecDestroy(&vec);

  petsc_check(KSPCreate(PetscObjectComm((PetscObject)A), &ksp), "KSPCreate");
  petsc_check(KSPSetOperators(ksp, A, A), "KSPSetOperators");
  configure(true);
}

void PetscSolver::create_matrix(const BlockPattern &pattern)
{
  block_matrix.pattern = &pattern;
  block_matrix.blocked = !rowwise();
  const int n = pattern.block, repeat = rowwise() ? n : 1;
  // Compressed rows with ascending global columns: ghosts of lower ranks, own, ghosts of higher ranks.
  const PetscInt first = pattern.nodes->local_range().first;
  std::vector<PetscInt> start{0}, column;
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
          column.push_back(node * repeat + k);
      start.push_back(column.size());
    }
  }
  const PetscInt local = n * pattern.rows();
  petsc_check(MatCreate(pattern.nodes->get_mpi_communicator(), &A), "MatCreate");
  MatSetSizes(A, local, local, PETSC_DETERMINE, PETSC_DETERMINE);
  MatSetBlockSize(A, n);
  petsc_check(MatSetType(A, rowwise() ? MATAIJ : MATBAIJ), "MatSetType");
  if (rowwise())
  {
    petsc_check(MatSeqAIJSetPreallocationCSR(A, start.data(), column.data(), nullptr), "MatSeqAIJSetPreallocationCSR");
    petsc_check(MatMPIAIJSetPreallocationCSR(A, start.data(), column.data(), nullptr), "MatMPIAIJSetPreallocationCSR");
  }
  else
  {
    petsc_check(MatSeqBAIJSetPreallocationCSR(A, n, start.data(), column.data(), nullptr), "MatSeqBAIJSetPreallocationCSR");
    petsc_check(MatMPIBAIJSetPreallocationCSR(A, n, start.data(), column.data(), nullptr), "MatMPIBAIJSetPreallocationCSR");
  }
}

void PetscSolver::borrow_values()
{
  Mat own = A, ghost = nullptr;
  const PetscInt *map;
  PetscBool parallel;
  PetscObjectTypeCompareAny((PetscObject)A, &parallel, MATMPIAIJ, MATMPIBAIJ, "");
  if (parallel)
    petsc_check(rowwise() ? MatMPIAIJGetSeqAIJ(A, &own, &ghost, &map) : MatMPIBAIJGetSeqBAIJ(A, &own, &ghost, &map),
                "borrowing a matrix");
  const auto values = [this](Mat part) {
    double *array = nullptr;
    if (part)
    {
      petsc_check(rowwise() ? MatSeqAIJGetArray(part, &array) : MatSeqBAIJGetArray(part, &array), "borrowing values");
      petsc_check(rowwise() ? MatSeqAIJRestoreArray(part, &array) : MatSeqBAIJRestoreArray(part, &array), "borrowing values");
      array = nullptr;
      petsc_check(rowwise() ? MatSeqAIJGetArray(part, &array) : MatSeqBAIJGetArray(part, &array), "borrowing values");
    }
    return array;
  };
  block_matrix.own = values(own);
  block_matrix.ghost = values(ghost);
}

void PetscSolver::configure(const bool symmetric)
{
  configured_symmetric = symmetric;
  PC pc;
  KSPGetPC(ksp, &pc);
  if (method == "mumps")
  {
    // LDLᵀ, not Cholesky: a tangent may be indefinite and is solved all the same.
    KSPSetType(ksp, KSPPREONLY);
    PCSetType(pc, symmetric ? PCCHOLESKY : PCLU);
    petsc_check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS), "MUMPS");
    read_options();
    return;
  }
  KSPSetType(ksp, symmetric ? KSPCG : KSPGMRES);
  if (!symmetric)
    KSPSetPCSide(ksp, PC_RIGHT);
  KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED);
  if (preconditioner == "jacobi")
    PCSetType(pc, PCPBJACOBI);
  else if (preconditioner == "icc")
  {
    PCSetType(pc, PCBJACOBI);
    const bool empty = block_matrix.pattern->rows() == 0;  // PETSc crashes on an empty block; each rank has its own options
    petsc_check(PetscOptionsSetValue(nullptr, "-sub_pc_type", empty ? "none" : symmetric ? "icc" : "ilu"), "options");
  }
  else if (preconditioner == "hypre")
  {
    PCSetType(pc, PCHYPRE);
    petsc_check(PCHYPRESetType(pc, "boomeramg"), "BoomerAMG");
    for (const auto &[name, value] : {std::pair{"-pc_hypre_boomeramg_coarsen_type", "HMIS"},
                                      {"-pc_hypre_boomeramg_interp_type", "ext+i"},
                                      {"-pc_hypre_boomeramg_P_max", "4"}})
      PetscOptionsSetValue(nullptr, name, value);
  }
  else
  {
    PCSetType(pc, PCGAMG);
    PCGAMGSetReuseInterpolation(pc, PETSC_FALSE);  // measured: a reused one makes the preconditioner indefinite for Q2
  }
  read_options();
}

void PetscSolver::read_options()
{
  if (KSPSetFromOptions(ksp) != 0)
    throw InputError("PETSc options after --: PETSc refuses a -ksp or -pc option or its value. Look at their spelling");
}

void PetscSolver::factor(const MatrixProperties &properties)
{
  if (properties.symmetric != configured_symmetric)
    configure(properties.symmetric);
  // The values were written behind PETSc's back.
  MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY);
  MatSetOption(A, MAT_SYMMETRIC, properties.symmetric ? PETSC_TRUE : PETSC_FALSE);  // an assembly forgets it
  petsc_check(KSPSetOperators(ksp, A, A), "KSPSetOperators");
  petsc_check(KSPSetUp(ksp), "KSPSetUp");
}

int PetscSolver::solve(const Vector &r, Vector &x, const double tolerance)
{
  x = 0.;
  if (r.l2_norm() == 0.)
    return 0;
  KSPSetTolerances(ksp, tolerance, 1e-300, 1e8, 5000);
  petsc_check(KSPSolve(ksp, left->of(r), right->of(x)), "KSPSolve");
  KSPConvergedReason reason;
  PetscInt iterations = 0;
  KSPGetConvergedReason(ksp, &reason);
  KSPGetIterationNumber(ksp, &iterations);
  if (reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC)
    throw ComputationError(fmt::format("linear solver {}: the tangent is indefinite after {} iterations (buckling, or too "
                                       "large a step). Use --set \"Linear solver/Type=mumps\" or a smaller step",
                                       name(), int(iterations)));
  if (reason < 0)
  {
    PetscReal residual = 0;
    KSPGetResidualNorm(ksp, &residual);
    if (PC pc; reason == KSP_DIVERGED_PC_FAILED && KSPGetPC(ksp, &pc) == 0)
      PCReset(pc);  // MUMPS refuses every matrix after one that failed
    throw ComputationError(fmt::format("linear solver {}: {} after {} iterations, |r| = {:.3g} of {:.3g} (tolerance {:g}). Use "
                                       "--set \"Linear solver/Type=mumps\" or loosen \"Linear solver/Tolerance\"",
                                       name(), KSPConvergedReasons[reason], int(iterations), residual, r.l2_norm(), tolerance));
  }
  if (method == "mumps")
    return 0;
  verify(r, x, tolerance);
  return int(iterations);
}

void PetscSolver::multiply(const Vector &x, Vector &y)
{
  petsc_check(MatMult(A, left->of(x), right->of(y)), "MatMult");
}

namespace
{
/// Sparse LDLᵀ (symmetric) or LU by MUMPS.
class Mumps : public PetscSolver
{
public:
  Mumps() : PetscSolver("mumps", "") {}
};

/// Conjugate gradients (GMRES where the tangent is unsymmetric).
class ConjugateGradients : public PetscSolver
{
public:
  void declare(Parameters &p) override
  {
    p.add("Preconditioner", preconditioner,
          "jacobi: 3x3 blocks, best where mass dominates; icc: incomplete factors a rank; gamg: algebraic multigrid with "
          "rigid modes; hypre: BoomerAMG",
          {"jacobi", "icc", "gamg", "hypre"});
  }
};

SYMDYN_REGISTER(LinearSolver, Mumps, "mumps");
SYMDYN_REGISTER(LinearSolver, ConjugateGradients, "cg");
}  // namespace
}  // namespace symdyn
