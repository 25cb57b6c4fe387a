#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "solver/linear_eisenstat.h"
#include "solver/log.h"
#include "solver/machine_memory.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// Chooses by size, degree and how much the mass dominates, and says so in the log; looks at the iterations of the last solves and
/// takes a stronger preconditioner where they are more than was thought. Counts iterations, never seconds, so that runs repeat.
///
/// Measured (beams of 10^2 to 2 10^5 degrees of freedom, one and two ranks; docs/solvers.md): CG with blocks of a node needs
/// J = 2.6 sqrt(stiffness/mass on the diagonal) iterations for six decades at any size, symmetric Gauss–Seidel by Eisenstat's trick J/2.25, each half
/// as dear. Algebraic multigrid: 15 to 25, each ten times as dear, and a set-up. From degree 2 in 3-D a product without a matrix is the cheaper
/// one. Sparse factors win where the mass counts for little, in two dimensions and for small bodies.
class Automatic : public LinearSolver
{
public:
  void declare(Parameters &) override {}

  void set_up(const LinearOperator &A) override
  {
    if (!op || kind != A.kind())
      seen = 0.;
    op = &A;
    kind = A.kind();
    if (size == 0)
      size = A.new_vector().size();
    const double J = std::max(seen, 2.6 * std::sqrt(A.stiffness_over_mass()));
    if (breakdowns < patience)
      choose(best(J), std::isfinite(J) ? fmt::format("stiffness/mass = {:.3g}: about {:.0f} iterations with Jacobi", A.stiffness_over_mass(), J) : "no mass");
    solver->set_up(A);
  }

  int solve(const Vector &r, Vector &x, const double tolerance) override
  {
    try
    {
      const int iterations = solver->solve(r, x, tolerance);
      look_at(iterations, tolerance);
      return iterations;
    }
    catch (const ComputationError &error)
    {
      if (current == "mumps" || memory_of_factors(op->block(), size) > MPI::min(available_memory(), r.get_mpi_communicator()))
        throw;
      ++breakdowns;
      const std::string what = error.what();
      choose("mumps", what.substr(0, what.find(". Use")));
      solver->set_up(*op);
      return solver->solve(r, x, tolerance);
    }
  }

  long negative_eigenvalues() const override { return solver ? solver->negative_eigenvalues() : -1; }
  bool iterative() const override { return !solver || solver->iterative(); }
  bool assembles() const override { return !solver || solver->assembles(); }
  std::string name() const override { return solver ? solver->name() : "automatic"; }

private:
  /// What is fastest where Jacobi needs J iterations.
  std::string best(const double J) const
  {
    const bool plane = op->block() == 2, without_matrix = op->matrix_free() && op->degree() > 1 && !plane;
    const std::uint64_t factored_each_time = plane ? 300000 : 20000;
    constexpr std::uint64_t factored_once = 100000;
    constexpr std::uint64_t factored_for_many_solves = 300000;
    if (solves_often && size <= factored_for_many_solves)
      return "mumps";
    constexpr double few = 50., many = 250.;
    const double very_many = op->symmetric() ? 700. : 150.;
    if ((J >= few && op->constant() && size <= factored_once) || (J >= (plane ? many : very_many) && size <= factored_each_time))
      return "mumps";
    if (without_matrix)
      return J < few ? "matrix-free jacobi" : "matrix-free multigrid";
    if (J >= very_many)
      return "gamg";
    return op->symmetric() ? "ssor" : "jacobi";
  }

  /// What the last solve says about J.
  void look_at(const int iterations, const double tolerance)
  {
    constexpr double decades = 6., of_ssor = 2.25, noise = 1.5;
    constexpr int enough = 10;
    const double rate = iterations * decades / std::max(1., -std::log10(tolerance));
    const bool is_jacobi = current == "jacobi" || current == "matrix-free jacobi";
    if (iterations >= enough && (is_jacobi || current == "ssor"))
      seen = std::max(seen, (is_jacobi ? rate : of_ssor * rate) / noise);
  }

  void choose(const std::string &next, const std::string &reason)
  {
    if (next == current)
      return;
    const std::string matrix_free = "matrix-free ";
    if (next == "mumps")
      solver = std::make_unique<AssembledSolver>("mumps", "");
    else if (next == "ssor")
      solver = std::make_unique<EisenstatSolver>();
    else if (next.find(matrix_free) == 0)
      solver = std::make_unique<MatrixFreeSolver>(next.substr(matrix_free.size()));
    else
      solver = std::make_unique<AssembledSolver>("cg", next);
    current = next;
    log_line(fmt::format("linear solver: {} ({})", solver->name(), reason));
  }

  // An indefinite tangent may be a passing trial state: so many times the iterative solver gets another chance.
  static constexpr int patience = 3;
  int breakdowns = 0;
  const LinearOperator *op = nullptr;
  std::uint64_t kind = 0, size = 0;
  double seen = 0;  ///< iterations of Jacobi, as the solves of this kind tell
  std::string current;
  std::unique_ptr<LinearSolver> solver;
};

SYMDYN_REGISTER(LinearSolver, Automatic, "automatic");
}  // namespace
}  // namespace symdyn
