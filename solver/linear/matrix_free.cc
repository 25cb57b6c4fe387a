#include <limits>

#include "solver/error.h"
#include "solver/linear/callback.h"
#include "solver/linear/factor_cost.h"
#include "solver/linear/petsc.h"
#include "solver/parameters.h"

namespace symdyn
{
/// Products with A and with the transfer to its coarser operator. PETSc's vectors are copied: the kernels want ghost entries.
struct MatrixFreeSolver::Shell : PetscCallback
{
  ~Shell()
  {
    MatDestroy(&matrix);
    MatDestroy(&transfer);
  }

  /// PETSc's y = action(x).
  template <class Action>
  static PetscErrorCode apply(Mat mat, Vec x, Vec y, Vector Shell::*from, Vector Shell::*to, const Action &action)
  {
    void *self;
    MatShellGetContext(mat, &self);
    Shell &me = *static_cast<Shell *>(self);
    return me.guarded([&] {
      (me.*from).zero_out_ghost_values();
      read(x, me.*from);
      action(me);
      write(me.*to, y);
    });
  }
  static PetscErrorCode multiply(Mat mat, Vec x, Vec y)
  {
    return apply(mat, x, y, &Shell::in, &Shell::out, [](Shell &me) { me.op->multiply(me.in, me.out); });
  }
  static PetscErrorCode prolong(Mat mat, Vec x, Vec y)
  {
    return apply(mat, x, y, &Shell::coarse, &Shell::out, [](Shell &me) { me.op->prolong(me.coarse, me.out); });
  }
  static PetscErrorCode restrict(Mat mat, Vec x, Vec y)
  {
    return apply(mat, x, y, &Shell::in, &Shell::coarse, [](Shell &me) { me.op->restrict(me.in, me.coarse); });
  }

  void create(Mat &mat, const Vector &rows, const Vector &columns)
  {
    petsc_check(MatCreateShell(rows.get_mpi_communicator(), rows.locally_owned_size(), columns.locally_owned_size(), PETSC_DETERMINE,
                               PETSC_DETERMINE, this, &mat),
                "MatCreateShell");
  }

  const LinearOperator *op = nullptr;
  Mat matrix = nullptr, transfer = nullptr;
  Vector in, out, coarse;
};

namespace
{
/// Of factors of the coarser operator, in iterations. They halve the iterations, so that some twenty are worth it.
double price_of_factors(const LinearOperator &coarser, const LinearOperator &A)
{
  constexpr double iteration = 300.;  // ns a degree of freedom
  constexpr unsigned int most_counted = 1000000;
  return coarser.new_vector().size() <= most_counted ? factor_cost(coarser.pattern()) / (iteration * A.new_vector().size())
                                                     : std::numeric_limits<double>::infinity();
}
constexpr double worth_it = 20.;
}  // namespace

MatrixFreeSolver::MatrixFreeSolver(std::string preconditioner) : PetscSolver("cg", std::move(preconditioner)) {}
MatrixFreeSolver::~MatrixFreeSolver() = default;

void MatrixFreeSolver::declare(Parameters &p)
{
  p.add("Preconditioner", preconditioner,
        "jacobi: 3x3 blocks, best where mass dominates; multigrid: Chebyshev smoothing of the elements' own degree, below it elements "
        "of degree 1: their factors where they are cheap, else algebraic multigrid",
        {"jacobi", "multigrid"});
}

void MatrixFreeSolver::allocate(const LinearOperator &A)
{
  create(A);
  shell = std::make_unique<Shell>();
  shell->in = shell->out = A.new_vector();
  shell->create(shell->matrix, shell->in, shell->in);
  MatShellSetOperation(shell->matrix, MATOP_MULT, reinterpret_cast<void (*)()>(&Shell::multiply));
  diagonal_pattern = BlockPattern::diagonal(A.block(), A.nodes());
  diagonal = std::make_unique<PetscMatrix>();
  diagonal->allocate(diagonal_pattern, false);
  coarse.reset();
  lag = {};
  if (preconditioner == "multigrid")
    set_multigrid(A);
  else
  {
    PC pc;
    KSPGetPC(ksp, &pc);
    PCSetType(pc, PCPBJACOBI);
    lag.price = 4;
  }
  set_krylov(symmetric);
}

/// Two levels: Chebyshev's polynomial of the operator with its diagonal blocks, then factors of the coarser one or, where they would cost
/// too much, a cycle of PETSc's algebraic multigrid; that alone where there is no coarser one.
void MatrixFreeSolver::set_multigrid(const LinearOperator &A)
{
  const LinearOperator *coarser = A.coarser();
  two_levels = coarser;
  const LinearOperator &lowest = coarser ? *coarser : A;
  coarse = std::make_unique<PetscMatrix>();
  coarse->allocate(lowest.pattern(), true);
  coarse->set_near_null_space(lowest.rigid_modes());
  lag.price = 10;
  PC pc, inner;
  KSPGetPC(ksp, &pc);
  if (!coarser)
  {
    PCSetType(pc, PCGAMG);
    return;
  }
  shell->coarse = coarser->new_vector();
  shell->create(shell->transfer, shell->in, shell->coarse);
  MatShellSetOperation(shell->transfer, MATOP_MULT, reinterpret_cast<void (*)()>(&Shell::prolong));
  MatShellSetOperation(shell->transfer, MATOP_MULT_TRANSPOSE, reinterpret_cast<void (*)()>(&Shell::restrict));

  PCSetType(pc, PCMG);
  petsc_check(PCMGSetLevels(pc, 2, nullptr), "PCMGSetLevels");
  petsc_check(PCMGSetInterpolation(pc, 1, shell->transfer), "PCMGSetInterpolation");
  constexpr int smoothing = 3;  // products before and after
  KSP smoother;
  PCMGGetSmoother(pc, 1, &smoother);
  KSPSetType(smoother, KSPCHEBYSHEV);
  KSPSetNormType(smoother, KSP_NORM_NONE);
  KSPSetTolerances(smoother, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, smoothing);
  KSPSetOperators(smoother, shell->matrix, diagonal->mat);
  KSPGetPC(smoother, &inner);
  PCSetType(inner, PCPBJACOBI);
  set_bottom(*coarser, A);
}

/// Factors, or a cycle of algebraic multigrid.
void MatrixFreeSolver::set_bottom(const LinearOperator &coarser, const LinearOperator &A)
{
  PC pc, inner;
  KSP bottom;
  KSPGetPC(ksp, &pc);
  PCMGGetCoarseSolve(pc, &bottom);
  KSPSetOperators(bottom, coarse->mat, coarse->mat);
  KSPGetPC(bottom, &inner);
  if (const double price = price_of_factors(coarser, A); price <= worth_it)
  {
    lag.price += price;
    return set_factorisation(bottom, inner, symmetric);
  }
  KSPSetType(bottom, KSPPREONLY);
  PCSetType(inner, PCGAMG);
}

void MatrixFreeSolver::set_up(const LinearOperator &A)
{
  const LinearOperator *coarser = preconditioner == "multigrid" ? A.coarser() : nullptr;
  if (is_new(A) || A.symmetric() != symmetric || (coarse && two_levels != (coarser != nullptr)))
  {
    symmetric = A.symmetric();
    allocate(A);
  }
  shell->op = &A;
  const bool reuse = keeps(A), one_level = coarse && !coarser;
  if (!reuse && !one_level)
  {
    A.diagonal(diagonal->values);
    diagonal->finish(symmetric);
  }
  if (one_level || (!reuse && coarse))
  {
    (coarser ? *coarser : A).assemble(coarse->values);
    coarse->finish(symmetric);
  }
  petsc_check(KSPSetReusePreconditioner(ksp, reuse ? PETSC_TRUE : PETSC_FALSE), "KSPSetReusePreconditioner");
  // PETSc's algebraic multigrid wants the matrix itself on its first level.
  petsc_check(one_level ? KSPSetOperators(ksp, coarse->mat, coarse->mat) : KSPSetOperators(ksp, shell->matrix, diagonal->mat),
              "KSPSetOperators");
  petsc_check(KSPSetUp(ksp), "KSPSetUp");
}

int MatrixFreeSolver::solve(const Vector &r, Vector &x, const double tolerance)
{
  try
  {
    return PetscSolver::solve(r, x, tolerance);
  }
  catch (const std::runtime_error &)
  {
    shell->rethrow();
    throw;
  }
}

SYMDYN_REGISTER(LinearSolver, MatrixFreeSolver, "matrix-free");
}  // namespace symdyn
