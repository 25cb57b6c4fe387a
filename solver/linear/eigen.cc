#include "solver/linear/eigen.h"

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numeric>

#include "solver/error.h"
#include "solver/linear/shell_operator.h"

namespace symdyn
{
namespace
{
/// The converged pairs of a solver, ascending.
EigenPairs pairs_of(EPS eps, const PetscInt converged, const Vector &layout, Mat matrix)
{
  EigenPairs found;
  Vec x;
  petsc_check(MatCreateVecs(matrix, &x, nullptr), "MatCreateVecs");
  for (PetscInt i = 0; i < converged; ++i)
  {
    double value;
    petsc_check(EPSGetEigenpair(eps, i, &value, nullptr, x, nullptr), "EPSGetEigenpair");
    found.values.push_back(value);
    found.vectors.push_back(layout);
    read(x, found.vectors.back());
    found.vectors.back().update_ghost_values();
  }
  VecDestroy(&x);
  return found;
}

PetscErrorCode stop_where_told(EPS eps, PetscInt iterations, PetscInt most, PetscInt converged, PetscInt wanted, EPSConvergedReason *reason,
                               void *problem)
{
  EPSStoppingBasic(eps, iterations, most, converged, wanted, reason, nullptr);
  const EigenProblem &of = *static_cast<const EigenProblem *>(problem);
  if (of.progress && converged < wanted)
    of.progress(converged, wanted);
  if (*reason == EPS_CONVERGED_ITERATING && of.stop && of.stop())
    *reason = EPS_CONVERGED_USER;
  return 0;
}

/// EPSSolve; what the operators threw, or Interrupted. Returns the number of pairs.
PetscInt solve_eigenproblem(EPS eps, const EigenProblem &problem, const std::initializer_list<ShellOperator *> operators,
                            PetscErrorCode &error)
{
  if (problem.stop && problem.stop())  // it may be done in one cycle
    throw Interrupted("the search for modes was stopped before it began");
  EPSSetStoppingTestFunction(eps, stop_where_told, const_cast<EigenProblem *>(&problem), nullptr);
  error = EPSSolve(eps);
  PetscInt converged = 0;
  EPSConvergedReason reason = EPS_CONVERGED_ITERATING;
  if (error == 0)
  {
    EPSGetConverged(eps, &converged);
    EPSGetConvergedReason(eps, &reason);
  }
  for (ShellOperator *op : operators)
    op->rethrow();
  if (reason == EPS_CONVERGED_USER)
    throw Interrupted(fmt::format("the search for modes was stopped; {} were found", int(converged)));
  return converged;
}

/// PETSc's objects go, whatever is thrown.
struct Objects
{
  EPS eps = nullptr;
  std::vector<Mat> matrices;
  std::vector<Vec> vectors;
  ~Objects()
  {
    EPSDestroy(&eps);
    for (Vec &x : vectors)
      VecDestroy(&x);
    for (Mat &matrix : matrices)
      MatDestroy(&matrix);
  }
};

EigenPairs ascending(EigenPairs pairs)
{
  std::vector<std::size_t> order(pairs.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](const std::size_t i, const std::size_t j) { return pairs.values[i] < pairs.values[j]; });
  EigenPairs sorted;
  for (const std::size_t i : order)
  {
    sorted.values.push_back(pairs.values[i]);
    sorted.vectors.push_back(std::move(pairs.vectors[i]));
  }
  return sorted;
}
}  // namespace

EigenPairs outer_eigenvalues(const EigenProblem &problem, const End end, const int number, const int least)
{
  constexpr int beyond = 20;  // that the first cycle as a rule is enough for: with the 15 of SLEPc a second one follows
  keep_petsc_quiet();
  const Vector &start = problem.start;
  ShellOperator K{problem.K, start, start}, M{problem.M, start, start}, inverse{problem.solve, start, start};
  Objects objects;
  objects.matrices = {shell_matrix(K), shell_matrix(M)};
  objects.vectors = {copy_of(start, objects.matrices[0])};
  EPS &eps = objects.eps;
  petsc_check(EPSCreate(start.get_mpi_communicator(), &eps), "EPSCreate");
  EPSSetOperators(eps, objects.matrices[0], objects.matrices[1]);
  EPSSetProblemType(eps, EPS_GHEP);
  EPSSetType(eps, EPSKRYLOVSCHUR);
  EPSSetWhichEigenpairs(eps, end == End::lowest ? EPS_SMALLEST_REAL : end == End::highest ? EPS_LARGEST_REAL : EPS_LARGEST_MAGNITUDE);
  EPSSetDimensions(eps, number, std::max(2 * number, number + beyond), PETSC_DEFAULT);
  EPSSetTolerances(eps, problem.tolerance, problem.cycles);
  ST st;
  EPSGetST(eps, &st);
  set_inverse(st, inverse, STSHIFT);
  EPSSetInitialSpace(eps, 1, objects.vectors.data());
  for (const Vector &x : problem.known)
    objects.vectors.push_back(copy_of(x, objects.matrices[0]));
  if (!problem.known.empty())
    EPSSetDeflationSpace(eps, problem.known.size(), objects.vectors.data() + 1);
  PetscErrorCode error;
  const PetscInt converged = solve_eigenproblem(eps, problem, {&K, &M, &inverse}, error);
  if (error != 0 || converged < least)
    throw ComputationError(fmt::format(
        "{} of {} modes were found (the Krylov-Schur method did not converge). Ask for fewer, or tighten \"Linear solver/Tolerance\"",
        int(converged), number));
  return ascending(converged > 0 ? pairs_of(eps, converged, start, objects.matrices[0]) : EigenPairs());
}

EigenPairs all_eigenvalues(const EigenProblem &problem, const std::vector<Vector> &basis, const std::size_t most)
{
  const std::size_t n = basis.size();
  dealii::LAPACKFullMatrix<double> K(n), M(n);
  Vector y = problem.start;
  for (std::size_t j = 0; j < n; ++j)
    for (const auto &[product, matrix] : {std::pair{&problem.K, &K}, {&problem.M, &M}})
    {
      (*product)(basis[j], y);
      for (std::size_t i = 0; i <= j; ++i)  // symmetric to the last digit
        (*matrix)(i, j) = (*matrix)(j, i) = basis[i] * y;
    }
  std::vector<dealii::Vector<double>> shapes(n, dealii::Vector<double>(n));
  K.compute_generalized_eigenvalues_symmetric(M, shapes);
  EigenPairs found;
  for (std::size_t k = 0; k < std::min(n, most); ++k)
  {
    Vector x = problem.start;
    x = 0.;
    for (std::size_t i = 0; i < n; ++i)
      x.add(shapes[k](i), basis[i]);
    problem.M(x, y);
    x *= 1. / std::sqrt(x * y);
    x.update_ghost_values();
    found.values.push_back(K.eigenvalue(k).real());
    found.vectors.push_back(std::move(x));
  }
  return ascending(std::move(found));
}

double largest_eigenvalue(const std::function<void(const Vector &x, Vector &y)> &A, const Vector &start, const bool symmetric,
                          Vector *const at)
{
  keep_petsc_quiet();
  ShellOperator op{A, start, start};
  EPS eps;
  Mat matrix = shell_matrix(op);
  petsc_check(EPSCreate(start.get_mpi_communicator(), &eps), "EPSCreate");
  EPSSetOperators(eps, matrix, nullptr);
  EPSSetProblemType(eps, symmetric ? EPS_HEP : EPS_NHEP);
  EPSSetWhichEigenpairs(eps, EPS_LARGEST_REAL);
  constexpr unsigned int many = 20000;
  constexpr int products = 14;
  const bool bounds = symmetric && start.size() > many;
  EPSSetDimensions(eps, 1, bounds ? products : PETSC_DEFAULT, PETSC_DEFAULT);
  // Of the residual: of a symmetric problem the eigenvalue errs by its square (measured on beams: 1e-5).
  EPSSetTolerances(eps, bounds ? 0.05 : symmetric ? 1e-3 : 1e-4, 1000);
  Vec initial = copy_of(start, matrix);
  EPSSetInitialSpace(eps, 1, &initial);
  const PetscErrorCode error = EPSSolve(eps);
  PetscInt converged = 0;
  PetscScalar value = 0.;
  PetscReal residual = 0.;
  if (error == 0)
    EPSGetConverged(eps, &converged);
  if (converged > 0)
  {
    EPSGetEigenvalue(eps, 0, &value, nullptr);
    EPSGetErrorEstimate(eps, 0, &residual);  // relative
    if (at)
      *at = pairs_of(eps, 1, start, matrix).vectors.front();
  }
  VecDestroy(&initial);
  EPSDestroy(&eps);
  MatDestroy(&matrix);
  op.rethrow();
  if (bounds)
    value *= 1. + residual;
  if (error != 0 || converged == 0)
    throw ComputationError("the highest frequency was not found (the Lanczos method did not converge)");
  return value;
}
}  // namespace symdyn
