#include "solver/linear/petsc.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
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

namespace
{
/// What is the default here, if the user has not given this option.
void set_default(const std::string &option, const std::string &value)
{
  static std::set<std::string> ours;
  PetscBool is_given = PETSC_FALSE;
  PetscOptionsHasName(nullptr, nullptr, option.c_str(), &is_given);
  if (is_given && !ours.count(option))
    return;
  ours.insert(option);
  petsc_check(PetscOptionsSetValue(nullptr, option.c_str(), value.c_str()), "options");
}

/// Which PETSc's interface reads.
bool has_options_of_mumps()
{
  char *all = nullptr;
  petsc_check(PetscOptionsGetAll(nullptr, &all), "PetscOptionsGetAll");
  const bool found = std::string(all).find("-mat_mumps") != std::string::npos;
  PetscFree(all);
  return found;
}

void set_boomeramg(PC pc)
{
  PCSetType(pc, PCHYPRE);
  petsc_check(PCHYPRESetType(pc, "boomeramg"), "BoomerAMG");
  for (const auto &[name, value] : {std::pair{"-pc_hypre_boomeramg_coarsen_type", "HMIS"},
                                    {"-pc_hypre_boomeramg_interp_type", "ext+i"},
                                    {"-pc_hypre_boomeramg_P_max", "4"}})
    set_default(name, value);
}
}  // namespace

void set_factorisation(KSP ksp, PC pc, const bool symmetric)
{
  KSPSetType(ksp, KSPPREONLY);
  PCSetType(pc, symmetric ? PCCHOLESKY : PCLU);
  petsc_check(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS), "MUMPS");
}

PetscSolver::~PetscSolver() { KSPDestroy(&ksp); }

void PetscSolver::create(const LinearOperator &A)
{
  keep_petsc_quiet();
  KSPDestroy(&ksp);
  const Vector layout = A.new_vector();
  left = std::make_unique<BorrowedVec>(layout);
  right = std::make_unique<BorrowedVec>(layout);
  petsc_check(KSPCreate(layout.get_mpi_communicator(), &ksp), "KSPCreate");
}

void PetscSolver::set_krylov(const bool symmetric)
{
  KSPSetType(ksp, symmetric ? KSPCG : KSPGMRES);
  KSPSetPCSide(ksp, symmetric ? PC_LEFT : PC_RIGHT);
  KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED);
  read_options();
  if (!symmetric && !std::exchange(*said_unsymmetric, true))
    log_line(fmt::format("linear solver {}: the tangent is unsymmetric: GMRES instead of conjugate gradients", name()));
}

std::string PetscSolver::krylov_name() const
{
  KSPType type = nullptr;
  if (ksp)
    KSPGetType(ksp, &type);
  return type ? type : "cg";
}

void PetscSolver::read_options()
{
  if (KSPSetFromOptions(ksp) != 0)
    throw InputError("PETSc options after --: PETSc refuses a -ksp or -pc option or its value. Look at their spelling");
}

void PetscSolver::set_minimal_residuals()
{
  KSPSetType(ksp, KSPMINRES);
  KSPSetNormType(ksp, KSP_NORM_PRECONDITIONED);
  indefinite = true;
  log_detail(fmt::format("linear solver {}: the tangent is indefinite: minimal residuals instead of conjugate gradients", name()));
}

bool PetscSolver::is_new(const LinearOperator &A) { return std::exchange(revision, A.revision()) != revision || !ksp; }

bool PetscSolver::keeps(const LinearOperator &A)
{
  op = &A;
  if (indefinite)
    set_krylov(A.symmetric());
  indefinite = false;
  kept = !lag.due() && kind == A.kind();
  kind = A.kind();
  if (!kept)
    lag.made();
  return kept;
}

int PetscSolver::krylov(const Vector &r, Vector &x, const double tolerance)
{
  KSPSetTolerances(ksp, tolerance, 1e-300, 1e8, most_iterations);
  KSPConvergedReason reason;
  PetscInt iterations = 0;
  const auto run = [&] {
    PetscInt these = 0;
    petsc_check(KSPSolve(ksp, left->of(r), right->of(x)), "KSPSolve");
    KSPGetConvergedReason(ksp, &reason);
    KSPGetIterationNumber(ksp, &these);
    iterations += these;
  };
  run();
  if (reason == KSP_DIVERGED_INDEFINITE_MAT)
  {
    set_minimal_residuals();
    run();
  }
  if (reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC)
    throw_indefinite(iterations);
  if (reason < 0)
  {
    PetscReal residual = 0;
    KSPGetResidualNorm(ksp, &residual);
    const std::string text = fmt::format(
        "linear solver {}: {} after {} iterations, |r| = {:.3g} of {:.3g} (tolerance {:g}). Use "
        "--set \"Linear solver/Type=mumps\" or loosen \"Linear solver/Tolerance\"",
        name(), KSPConvergedReasons[reason], int(iterations), residual, r.l2_norm(), tolerance);
    if (reason == KSP_DIVERGED_PC_FAILED)
      KSPDestroy(&ksp);  // MUMPS refuses every matrix after one that failed
    if (reason == KSP_DIVERGED_ITS)
      throw SlowConvergence(text);
    throw ComputationError(text);
  }
  return int(iterations);
}

void PetscSolver::throw_indefinite(const int iterations) const
{
  throw ComputationError(
      fmt::format("linear solver {}: the tangent is indefinite after {} iterations (buckling, or too "
                  "large a step). Use a smaller step, or --set \"Linear solver/Type=mumps\"",
                  name(), iterations));
}

int PetscSolver::solve(const Vector &r, Vector &x, const double tolerance)
{
  x = 0.;
  if (r.l2_norm() == 0.)
    return 0;
  int iterations = 0;
  try
  {
    iterations = krylov(r, x, tolerance);
  }
  catch (const ComputationError &)
  {
    lag.forget();
    if (!kept)
      throw;
    set_up(*op);  // with a preconditioner of its own
    iterations = krylov(r, x, tolerance);
  }
  if (!iterative())
    return 0;
  lag.used(iterations, tolerance);
  if (tolerance < seen_by_newton)
    verify(*op, r, x, tolerance);
  return iterations;
}

bool AssembledSolver::rowwise() const
{
  // Measured: products with blocks are 1.6 times faster; but MUMPS' Cholesky, GAMG and BoomerAMG want scalar rows.
  return method == "mumps" || preconditioner == "gamg" || preconditioner == "hypre";
}

bool AssembledSolver::is_joined(const LinearOperator &A)
{
  const auto *copies = dynamic_cast<const JoinedOperator *>(&A);
  if (method != "mumps" || !copies || !A.symmetric() || has_options_of_mumps() || !(joined || JoinedFactors::pay(*copies)))
    return false;
  if (!joined)
    joined = std::make_unique<JoinedFactors>(*copies);
  joined->factor(*copies);
  return true;
}

void AssembledSolver::set_up(const LinearOperator &A)
{
  if (is_joined(A))
    return;
  joined = nullptr;
  if (is_new(A))
  {
    create(A);
    matrix.allocate(A.pattern(), rowwise());
    if (rowwise())
      matrix.set_near_null_space(A.rigid_modes());
    petsc_check(KSPSetOperators(ksp, matrix.mat, matrix.mat), "KSPSetOperators");
    configure(A.symmetric());
  }
  else if (A.symmetric() != configured_symmetric)
    configure(A.symmetric());
  A.assemble(matrix.values);
  matrix.finish(A.symmetric());
  petsc_check(KSPSetReusePreconditioner(ksp, keeps(A) ? PETSC_TRUE : PETSC_FALSE), "KSPSetReusePreconditioner");
  petsc_check(KSPSetOperators(ksp, matrix.mat, matrix.mat), "KSPSetOperators");
  petsc_check(KSPSetUp(ksp), "KSPSetUp");
}

int AssembledSolver::solve(const Vector &r, Vector &x, const double tolerance)
{
  if (!joined)
    return PetscSolver::solve(r, x, tolerance);
  std::vector<Vector> found{x};
  joined->solve_all({r}, found);
  x = found[0];
  return 0;
}

void AssembledSolver::solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, const double tolerance)
{
  if (joined)
    return joined->solve_all(r, x);
  PC pc = nullptr;
  PCFailedReason failed = PC_NOERROR;
  petsc_check(KSPGetPC(ksp, &pc), "KSPGetPC");
  petsc_check(PCGetFailedReason(pc, &failed), "PCGetFailedReason");
  if (iterative() || failed != PC_NOERROR || r.size() < 2)
    return PetscSolver::solve_all(r, x, tolerance);  // says why
  const PetscInt rows = r[0].locally_owned_size(), n = PetscInt(r.size());
  Mat factors, right, left;
  petsc_check(PCFactorGetMatrix(pc, &factors), "PCFactorGetMatrix");
  for (Mat *dense : {&right, &left})
    petsc_check(MatCreateDense(r[0].get_mpi_communicator(), rows, PETSC_DECIDE, PETSC_DETERMINE, n, nullptr, dense), "MatCreateDense");
  double *values;
  MatDenseGetArrayWrite(right, &values);
  for (PetscInt k = 0; k < n; ++k)
    std::copy_n(r[k].begin(), rows, values + k * rows);
  MatDenseRestoreArrayWrite(right, &values);
  const PetscErrorCode error = MatMatSolve(factors, right, left);
  const double *found = nullptr;
  MatDenseGetArrayRead(left, &found);
  for (PetscInt k = 0; k < n && error == 0; ++k)
    std::copy_n(found + k * rows, rows, x[k].begin());
  MatDenseRestoreArrayRead(left, &found);
  for (Mat *dense : {&right, &left})
    MatDestroy(dense);
  petsc_check(error, "MatMatSolve");
}

long AssembledSolver::negative_eigenvalues() const
{
  if (joined)
    return joined->negative_eigenvalues();
  if (method != "mumps" || !configured_symmetric)
    return -1;
  constexpr PetscInt negative_pivots = 12;  // of MUMPS' INFOG, with a symmetric matrix
  PC pc;
  Mat factors;
  PetscInt count = 0;
  KSPGetPC(ksp, &pc);
  petsc_check(PCFactorGetMatrix(pc, &factors), "PCFactorGetMatrix");
  petsc_check(MatMumpsGetInfog(factors, negative_pivots, &count), "MatMumpsGetInfog");
  return count;
}

void AssembledSolver::configure(const bool symmetric)
{
  configured_symmetric = symmetric;
  lag = {};
  PC pc;
  KSPGetPC(ksp, &pc);
  if (method == "mumps")
  {
    set_factorisation(ksp, pc, symmetric);
    read_options();
    return;
  }
  set_krylov(symmetric);
  // Prices in iterations are estimates: of set-up over iteration in single runs of the beam of the benchmarks.
  if (preconditioner == "jacobi")
    PCSetType(pc, PCPBJACOBI);
  else if (preconditioner == "icc")
  {
    lag.price = 5;
    PCSetType(pc, PCBJACOBI);
    const bool empty = matrix.values.pattern->rows() == 0;  // PETSc crashes on an empty block; each rank has its own options
    set_default("-sub_pc_type", empty ? "none" : symmetric ? "icc" : "ilu");
  }
  else if (preconditioner == "hypre")
  {
    lag.price = 10;
    set_boomeramg(pc);
  }
  else
  {
    lag.price = 15;
    PCSetType(pc, PCGAMG);
    PCGAMGSetReuseInterpolation(pc, PETSC_FALSE);  // measured: a reused one makes the preconditioner indefinite for Q2
  }
  read_options();
}

namespace
{
/// Sparse LDLᵀ (symmetric) or LU by MUMPS.
class Mumps : public AssembledSolver
{
public:
  Mumps() : AssembledSolver("mumps", "") {}
};

/// Conjugate gradients (GMRES where the tangent is unsymmetric).
class ConjugateGradients : public AssembledSolver
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
