#include "solver/linear/quadratic.h"

#include <deal.II/lac/lapack_full_matrix.h>
#include <fmt/format.h>
#include <slepcpep.h>

#include <algorithm>
#include <cmath>

#include "solver/error.h"
#include "solver/linear/many_products.h"
#include "solver/linear/shell_operator.h"

namespace symdyn
{
namespace
{
using Dense = dealii::LAPACKFullMatrix<double>;

/// PETSc's objects go, whatever is thrown.
struct QuadraticObjects
{
  PEP pep = nullptr;
  EPS eps = nullptr;
  std::vector<Mat> matrices;
  std::vector<Vec> vectors;
  ~QuadraticObjects()
  {
    PEPDestroy(&pep);
    EPSDestroy(&eps);
    for (Vec &x : vectors)
      VecDestroy(&x);
    for (Mat &matrix : matrices)
      MatDestroy(&matrix);
  }
};

PetscErrorCode stop_quadratic(PEP pep, PetscInt iterations, PetscInt most, PetscInt converged, PetscInt wanted, PEPConvergedReason *reason,
                              void *problem)
{
  PEPStoppingBasic(pep, iterations, most, converged, wanted, reason, nullptr);
  const QuadraticProblem &of = *static_cast<const QuadraticProblem *>(problem);
  if (of.progress && converged < wanted)
    of.progress(converged / 2, wanted / 2);
  if (*reason == PEP_CONVERGED_ITERATING && of.stop && of.stop())
    *reason = PEP_CONVERGED_USER;
  return 0;
}

/// The converged ones with Im lambda >= 0.
QuadraticPairs upper_half(PEP pep, const PetscInt converged, const QuadraticProblem &problem)
{
  QuadraticPairs found;
  Vec x = nullptr, y = nullptr;
  Mat M;
  petsc_check(PEPGetOperators(pep, 2, &M), "PEPGetOperators");
  petsc_check(MatCreateVecs(M, &x, &y), "MatCreateVecs");
  for (PetscInt i = 0; i < converged; ++i)
  {
    double real, imaginary;
    petsc_check(PEPGetEigenpair(pep, i, &real, &imaginary, x, y), "PEPGetEigenpair");
    if (imaginary < 0.)
      continue;
    found.values.emplace_back(problem.scale * real, problem.scale * imaginary);
    found.vectors.push_back({problem.start, problem.start});
    read(x, found.vectors.back().real);
    read(y, found.vectors.back().imaginary);
    if (imaginary == 0.)
      found.vectors.back().imaginary = 0.;
  }
  VecDestroy(&x);
  VecDestroy(&y);
  return found;
}

void configure(PEP pep, const QuadraticProblem &problem, const int number)
{
  constexpr int beyond = 20;
  PEPSetProblemType(pep, PEP_GENERAL);
  PEPSetType(pep, PEPTOAR);
  PEPSetTarget(pep, problem.shift / problem.scale);
  PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE);
  PEPSetDimensions(pep, 2 * number, std::max(4 * number, 2 * number + beyond), PETSC_DEFAULT);
  PEPSetTolerances(pep, problem.tolerance, problem.cycles);
  PEPSetStoppingTestFunction(pep, stop_quadratic, const_cast<QuadraticProblem *>(&problem), nullptr);
}

QuadraticProblem::Product times(const double factor, const QuadraticProblem::Product &product)
{
  return [factor, &product](const Vector &x, Vector &y) {
    product(x, y);
    y *= factor;
  };
}

/// b_iᵀ A b_j
Dense projected(const QuadraticProblem::Product &product, const std::vector<Vector> &basis)
{
  const std::size_t n = basis.size();
  Dense A(n);
  Vector y(basis.front());
  for (std::size_t j = 0; j < n; ++j)
  {
    product(basis[j], y);
    const std::vector<double> column = products(basis, y);
    for (std::size_t i = 0; i < n; ++i)
      A(i, j) = column[i];
  }
  return A;
}

/// S of the pair of first order, its velocities in multiples of `scale`; by columns.
std::vector<double> inverted_pair(const QuadraticProblem &problem, const std::vector<Vector> &basis)
{
  const std::size_t n = basis.size();
  const double s = problem.shift, scale = problem.scale;
  Dense Q = projected(problem.K, basis), right = projected(problem.C, basis), M = projected(problem.M, basis);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
    {
      Q(i, j) += s * (right(i, j) + s * M(i, j));
      right(i, j) += s * M(i, j);
    }
  try
  {
    Q.compute_lu_factorization();
    Q.solve(right);
    Q.solve(M);
  }
  catch (const std::exception &)
  {
    throw ComputationError(fmt::format("complex modes: s² M + s C + K is singular at s = {:g}. Set Near to another value", s));
  }
  std::vector<double> S(4 * n * n);
  const auto at = [&](const std::size_t i, const std::size_t j) -> double & { return S[i + 2 * n * j]; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
    {
      at(i, j) = -right(i, j);
      at(i, n + j) = -scale * M(i, j);
      at(n + i, j) = ((i == j ? 1. : 0.) - s * right(i, j)) / scale;
      at(n + i, n + j) = -s * M(i, j);
    }
  return S;
}

void combine(const std::vector<Vector> &basis, Vec parts, Vector &sum)
{
  const double *values;
  VecGetArrayRead(parts, &values);
  sum = 0.;
  for (std::size_t i = 0; i < basis.size(); ++i)
    sum.add(values[i], basis[i]);
  VecRestoreArrayRead(parts, &values);
}
}  // namespace

QuadraticPairs quadratic_near(const QuadraticProblem &problem, const int number)
{
  keep_petsc_quiet();
  if (problem.stop && problem.stop())
    throw Interrupted("the search for complex modes was stopped before it began");
  const Vector &start = problem.start;
  const QuadraticProblem::Product scaled_C = times(problem.scale, problem.C), scaled_M = times(problem.scale * problem.scale, problem.M);
  ShellOperator K{problem.K, start, start}, C{scaled_C, start, start}, M{scaled_M, start, start}, inverse{problem.solve, start, start};
  QuadraticObjects objects;
  objects.matrices = {shell_matrix(K), shell_matrix(C), shell_matrix(M)};
  objects.vectors = {copy_of(start, objects.matrices[0])};
  PEP &pep = objects.pep;
  petsc_check(PEPCreate(start.get_mpi_communicator(), &pep), "PEPCreate");
  petsc_check(PEPSetOperators(pep, 3, objects.matrices.data()), "PEPSetOperators");
  configure(pep, problem, number);
  ST st;
  PEPGetST(pep, &st);
  set_inverse(st, inverse, STSINVERT);
  PEPSetInitialSpace(pep, 1, objects.vectors.data());
  const PetscErrorCode error = PEPSolve(pep);
  PetscInt converged = 0;
  PEPConvergedReason reason = PEP_CONVERGED_ITERATING;
  if (error == 0)
  {
    PEPGetConverged(pep, &converged);
    PEPGetConvergedReason(pep, &reason);
  }
  for (ShellOperator *op : {&K, &C, &M, &inverse})
    op->rethrow();
  if (reason == PEP_CONVERGED_USER)
    throw Interrupted(fmt::format("the search for complex modes was stopped; {} were found", int(converged) / 2));
  if (error != 0 || converged < 2 * number)
    throw ComputationError(fmt::format(
        "{} of {} pairs of complex modes were found (the Arnoldi method did not converge). Ask for fewer Modes, or set Near to about the |lambda| that you look for",
        int(converged) / 2, number));
  return upper_half(pep, converged, problem);
}

QuadraticPairs quadratic_all(const QuadraticProblem &problem, const std::vector<Vector> &basis)
{
  keep_petsc_quiet();
  QuadraticPairs found;
  if (basis.empty())
    return found;
  const PetscInt n = PetscInt(2 * basis.size());
  std::vector<double> S = inverted_pair(problem, basis);
  QuadraticObjects objects;
  objects.matrices.resize(1);
  petsc_check(MatCreateSeqDense(PETSC_COMM_SELF, n, n, S.data(), &objects.matrices[0]), "MatCreateSeqDense");
  EPS &eps = objects.eps;
  petsc_check(EPSCreate(PETSC_COMM_SELF, &eps), "EPSCreate");
  EPSSetOperators(eps, objects.matrices[0], nullptr);
  EPSSetProblemType(eps, EPS_NHEP);
  EPSSetType(eps, EPSLAPACK);
  EPSSetWhichEigenpairs(eps, EPS_LARGEST_MAGNITUDE);
  EPSSetDimensions(eps, n, PETSC_DEFAULT, PETSC_DEFAULT);
  petsc_check(EPSSolve(eps), "EPSSolve");
  objects.vectors.resize(2);
  petsc_check(MatCreateVecs(objects.matrices[0], &objects.vectors[0], &objects.vectors[1]), "MatCreateVecs");
  for (PetscInt i = 0; i < n; ++i)
  {
    double real, imaginary;
    petsc_check(EPSGetEigenpair(eps, i, &real, &imaginary, objects.vectors[0], objects.vectors[1]), "EPSGetEigenpair");
    const std::complex<double> theta(real, imaginary);
    if (theta == 0. || imaginary > 0.)  // lambda is infinite, or the other one of its pair
      continue;
    const std::complex<double> lambda = problem.shift + 1. / theta;
    found.values.emplace_back(lambda.real(), std::abs(lambda.imag()));  // no negative zero
    found.vectors.push_back({problem.start, problem.start});
    combine(basis, objects.vectors[0], found.vectors.back().real);
    if (imaginary != 0.)
      combine(basis, objects.vectors[1], found.vectors.back().imaginary);
    else
      found.vectors.back().imaginary = 0.;
  }
  return found;
}
}  // namespace symdyn
