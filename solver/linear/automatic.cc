#include <deal.II/base/mpi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/log.h"
#include "solver/base/memory_usage.h"
#include "solver/error.h"
#include "solver/linear/eisenstat.h"
#include "solver/linear/factor_cost.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace MPI = dealii::Utilities::MPI;

namespace
{
/// What a linear system costs [ns of a core with OpenBLAS], estimated from counts, so that runs repeat; only ratios matter. Fitted to
/// single runs on bodies of 10^4 to 10^5 degrees of freedom (docs/solvers.md).
class Costs
{
public:
  Costs(const LinearOperator &op, const std::uint64_t size)
      : without_matrix(op.matrix_free() && op.degree() > 1), size(double(size)), nonzeros(entries(op.pattern()))
  {
    constexpr std::uint64_t most_factored = 300000;
    if (size <= most_factored)
      factorisation = factor_cost(op.pattern());
  }
  /// Of multigrid; 430 a degree of freedom of Q2, 950 of P2.
  double iteration() const { return without_matrix ? 600. * size : 6.2 * nonzeros; }
  /// Of a solve. A preconditioner serves several ones.
  double multigrid(const double iterations) const { return (iterations + (without_matrix ? 2. : 10.)) * iteration(); }

  double factorisation = std::numeric_limits<double>::infinity();

private:
  bool without_matrix;
  double size, nonzeros;
};

/// Chooses by size, degree, how much the mass dominates and what a factorisation costs, and says so in the log; looks at the iterations of
/// the last solves and takes a stronger method where they are more than was thought. Counts iterations, never seconds, so that runs repeat.
///
/// Measured (beams of 10^2 to 2 10^5 degrees of freedom, one and two ranks; docs/solvers.md): CG with blocks of a node needs
/// J = 2.6 sqrt(stiffness/mass on the diagonal) iterations for six decades at any size, symmetric Gauss–Seidel by Eisenstat's trick J/2.25,
/// each half as dear. Algebraic multigrid: 15 to 25, each ten times as dear, and a set-up; many more in thin or nearly incompressible
/// bodies. From degree 2 in 3-D a product without a matrix is the cheaper one. Sparse factors win where the mass counts for little in two
/// dimensions, in thin and in small bodies.
class Automatic : public LinearSolver
{
public:
  void declare(Parameters &) override {}

  void set_up(const LinearOperator &A) override
  {
    if (std::exchange(revision, A.revision()) != A.revision())
      costs = nullptr;
    if (!op || kind != A.kind())
    {
      seen = 0.;
      multigrid_solves = {};
    }
    op = &A;
    kind = A.kind();
    if (size == 0)
      size = A.new_vector().size();
    const double J = std::max(seen, 2.6 * std::sqrt(A.stiffness_over_mass()));
    if (breakdowns < patience)
      choose(best(J), std::isfinite(J) ? fmt::format("estimated {:.0f} iterations with Jacobi", J) : "no mass");
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
      const std::string what = error.what();
      choose("mumps", what.substr(0, what.find(". Use")));
      solver->set_up(*op);
      const int iterations = solver->solve(r, x, tolerance);
      // Of an indefinite tangent slow convergence says nothing about multigrid.
      if (dynamic_cast<const SlowConvergence *>(&error) && solver->negative_eigenvalues() <= 0)
        multigrid_solves.too_slow = true;
      else
        ++breakdowns;
      return iterations;
    }
  }

  void solve_all(const std::vector<Vector> &r, std::vector<Vector> &x, const double tolerance) override
  {
    solver->iterative() ? LinearSolver::solve_all(r, x, tolerance) : solver->solve_all(r, x, tolerance);
  }
  long negative_eigenvalues() const override { return solver ? solver->negative_eigenvalues() : -1; }
  bool iterative() const override { return !solver || solver->iterative(); }
  bool assembles() const override { return !solver || solver->assembles(); }
  std::string name() const override { return solver ? solver->name() : "automatic"; }
  std::unique_ptr<LinearSolver> fresh() const override
  {
    auto made = std::make_unique<Automatic>();
    made->said = said;
    return made;
  }

private:
  /// What is fastest where Jacobi needs J iterations.
  std::string best(const double J)
  {
    const bool plane = op->block() == 2 || op->thin(), without_matrix = op->matrix_free() && op->degree() > 1 && !plane;
    constexpr std::uint64_t plane_factored = 300000, factored_once = 100000, factored_each_time = 20000, factored_for_many_solves = 300000;
    if (solves_often && size <= factored_for_many_solves)
      return "mumps";
    constexpr double few = 50., many = 250.;
    const double very_many = op->symmetric() ? 700. : 150.;
    const bool by_costs = !plane && !std::isfinite(J);
    if ((J >= few && op->constant() && size <= factored_once) || (plane && J >= std::min(many, very_many) && size <= plane_factored) ||
        (!plane && !by_costs && J >= very_many && size <= factored_each_time) || (by_costs && factors_win()))
      return "mumps";
    if (without_matrix)
      return J < few ? "matrix-free jacobi" : "matrix-free multigrid";
    if (J >= very_many)
      return "gamg";
    return op->symmetric() ? "ssor" : "jacobi";
  }

  /// Against multigrid, by the iterations that it has taken or, before that, by those of a compact body.
  bool factors_win()
  {
    constexpr double of_a_compact_body = 12.;
    constexpr std::uint64_t small = 4000;
    if (size <= small)
      return true;
    if (!costs)
      costs = std::make_unique<Costs>(*op, size);
    const double iterations = multigrid_solves.number >= 2 ? multigrid_solves.iterations / multigrid_solves.number : of_a_compact_body;
    return multigrid_solves.too_slow || costs->factorisation < costs->multigrid(iterations);
  }

  /// What the last solve says about J, and about multigrid.
  void look_at(const int iterations, const double tolerance)
  {
    constexpr double decades = 6., of_ssor = 2.25, noise = 1.5;
    constexpr int enough = 10;
    const double rate = iterations * decades / std::max(1., -std::log10(tolerance));
    const bool is_jacobi = current == "jacobi" || current == "matrix-free jacobi";
    if (iterations >= enough && (is_jacobi || current == "ssor"))
      seen = std::max(seen, (is_jacobi ? rate : of_ssor * rate) / noise);
    if (solver->iterative())
      breakdowns = std::max(0., breakdowns - forgiven);
    if (current == "gamg" || current == "matrix-free multigrid")
    {
      ++multigrid_solves.number;
      multigrid_solves.iterations += iterations;
    }
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
    else
    {
      std::unique_ptr<PetscSolver> krylov;
      if (next.find(matrix_free) == 0)
        krylov = std::make_unique<MatrixFreeSolver>(next.substr(matrix_free.size()));
      else
        krylov = std::make_unique<AssembledSolver>("cg", next);
      krylov->most_iterations = worth(krylov->most_iterations);
      solver = std::move(krylov);
    }
    current = next;
    if (std::exchange(*said, solver->name()) != solver->name())
      log_line(fmt::format("linear solver: {} ({})", solver->name(), reason));
  }

  /// Iterations of multigrid after which a factorisation would have been much faster.
  int worth(const int most) const
  {
    constexpr double much = 2., least = 30.;
    return costs && std::isfinite(costs->factorisation)
               ? int(std::min<double>(most, std::max(least, much * costs->factorisation / costs->iteration())))
               : most;
  }

  struct Solves
  {
    double number = 0, iterations = 0;
    bool too_slow = false;
  };

  // An indefinite tangent may be a passing trial state: the iterative solver is tried again `patience` times. Each solve that succeeds
  // takes back a part of one failure: what fails in every increment of a stage, and converges in all others, keeps its solver.
  static constexpr double patience = 3, forgiven = 0.25;
  double breakdowns = 0;
  const LinearOperator *op = nullptr;
  std::uint64_t kind = 0, revision = 0, size = 0;
  double seen = 0;          ///< iterations of Jacobi, as the solves of this kind tell
  Solves multigrid_solves;  ///< of this kind
  std::unique_ptr<Costs> costs;
  std::string current;
  std::shared_ptr<std::string> said = std::make_shared<std::string>();  // what was reported last, of all copies
  std::unique_ptr<LinearSolver> solver;
};

SYMDYN_REGISTER(LinearSolver, Automatic, "automatic");
}  // namespace
}  // namespace symdyn
