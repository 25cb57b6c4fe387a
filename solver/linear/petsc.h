#pragma once
#include <petscksp.h>

#include <memory>
#include <string>

#include "solver/error.h"
#include "solver/linear/joined_factors.h"
#include "solver/linear/lag.h"
#include "solver/linear/petsc_matrix.h"
#include "solver/linear_solver.h"

namespace symdyn
{
/// A solve took PetscSolver::most_iterations and has not converged.
class SlowConvergence : public ComputationError
{
public:
  using ComputationError::ComputationError;
};

/// LDLᵀ by MUMPS, not Cholesky: a tangent may be indefinite and is solved all the same. LU of unsymmetric matrices.
void set_factorisation(KSP ksp, PC pc, bool symmetric);

/// A Krylov method with preconditioner of PETSc (or a factorisation), on whatever matrix the heirs make.
class PetscSolver : public LinearSolver
{
public:
  ~PetscSolver() override;
  void declare(Parameters &) override {}
  /// Errors: SlowConvergence too.
  int solve(const Vector &r, Vector &x, double tolerance) override;

  int most_iterations = 5000;

protected:
  PetscSolver(std::string method, std::string preconditioner) : method(std::move(method)), preconditioner(std::move(preconditioner)) {}
  void create(const LinearOperator &A);
  /// Conjugate gradients, or GMRES where A is not symmetric, which the log says once; then what the user's options say.
  void set_krylov(bool symmetric);
  /// For an indefinite symmetric A (Paige and Saunders 1975); until the next A.
  void set_minimal_residuals();
  void read_options();
  /// "cg", "gmres", "minres": what works at present.
  std::string krylov_name() const;
  /// Solves with what the KSP has, from x = 0. Returns iterations.
  int krylov(const Vector &r, Vector &x, double tolerance);
  [[noreturn]] void throw_indefinite(int iterations) const;
  /// Whether nothing has been made yet for the couplings of A; from then on it has.
  bool is_new(const LinearOperator &A);
  /// Decides whether the preconditioner that there is will do for A, and notes A.
  bool keeps(const LinearOperator &A);

  /// Looser solves are those of Newton's method, whose next residual shows whether one went astray.
  static constexpr double seen_by_newton = 1e-5;

  std::string method, preconditioner;
  const LinearOperator *op = nullptr;
  KSP ksp = nullptr;
  Lag lag;

private:
  std::shared_ptr<bool> said_unsymmetric = std::make_shared<bool>(false);  ///< of all copies
  std::unique_ptr<BorrowedVec> left, right;
  std::uint64_t kind = 0, revision = 0;
  bool indefinite = false;  ///< the present A
  bool kept = false;        ///< the preconditioner is that of an earlier A
};

/// On an assembled matrix.
class AssembledSolver : public PetscSolver
{
public:
  AssembledSolver() : AssembledSolver("cg", "gamg") {}
  AssembledSolver(std::string method, std::string preconditioner) : PetscSolver(std::move(method), std::move(preconditioner)) {}
  void set_up(const LinearOperator &A) override;
  int solve(const Vector &r, Vector &x, double tolerance) override;
  void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, double tolerance) override;
  bool iterative() const override { return method != "mumps"; }
  std::string name() const override { return method == "mumps" ? "mumps" : krylov_name() + " + " + preconditioner; }
  long negative_eigenvalues() const override;
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<AssembledSolver>(method, preconditioner); }

private:
  bool rowwise() const;  ///< scalar rows (AIJ), not blocks (BAIJ)
  void configure(bool symmetric);
  /// Whether A is of copies that are factored as one, and is so now.
  bool is_joined(const LinearOperator &A);

  PetscMatrix matrix;
  std::unique_ptr<JoinedFactors> joined;
  bool configured_symmetric = true;
};

/// On products alone: no matrix but that of the coarser operator, where the preconditioner is multigrid.
class MatrixFreeSolver : public PetscSolver
{
public:
  explicit MatrixFreeSolver(std::string preconditioner = "jacobi");
  ~MatrixFreeSolver() override;
  void declare(Parameters &p) override;
  void set_up(const LinearOperator &A) override;
  int solve(const Vector &r, Vector &x, double tolerance) override;
  bool iterative() const override { return true; }
  bool assembles() const override { return false; }
  std::unique_ptr<LinearSolver> fresh() const override { return std::make_unique<MatrixFreeSolver>(preconditioner); }
  std::string name() const override { return "matrix-free " + krylov_name() + " + " + preconditioner; }

private:
  struct Shell;  ///< the operator as PETSc sees it

  void allocate(const LinearOperator &A);
  void set_multigrid(const LinearOperator &A);
  void set_bottom(const LinearOperator &coarser, const LinearOperator &A);

  std::unique_ptr<Shell> shell;
  BlockPattern diagonal_pattern;
  std::unique_ptr<PetscMatrix> diagonal, coarse;
  bool symmetric = true, two_levels = false;
};
}  // namespace symdyn
