#include <fmt/format.h>

#include <cmath>

#include "solver/error.h"
#include "solver/linear_petsc.h"
#include "solver/log.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
/// Chooses by size, degree and how much the mass dominates, and says so in the log; looks at the iterations of the last solves and
/// takes a stronger preconditioner where they are more than was thought. Counts iterations, never seconds, so that runs repeat.
///
/// Measured (beams of 10^4 to 2 10^5 degrees of freedom, two ranks): CG with blocks of a node needs J = 2.6 sqrt(stiffness/mass on the
/// diagonal) iterations for six decades at any size. Incomplete factors: J/4, each 1.5 (in the cache) to 3 times as dear. Multigrid: 15 to 25, each 8 to 10
/// times as dear, and a set-up. From degree 2 a product without a matrix is the cheaper one. Sparse factors win in two dimensions and for
/// small bodies.
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
    if (small())
      choose("mumps", fmt::format("{} degrees of freedom in {}-D", size, A.block()));
    else if (A.constant() && A.stiffness_over_mass() > 0. && size <= factor_once)
      choose("mumps", "a linear body: factored once");
    else if (breakdowns < patience)
    {
      const double J = std::max(seen, 2.6 * std::sqrt(A.stiffness_over_mass()));
      choose(krylov(J), fmt::format("stiffness/mass = {:.3g}: about {:.0f} iterations with Jacobi", A.stiffness_over_mass(), J));
    }
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
      if (current == "mumps")
        throw;
      ++breakdowns;
      const std::string what = error.what();
      choose("mumps", what.substr(0, what.find(". Use")));
      solver->set_up(*op);
      return solver->solve(r, x, tolerance);
    }
  }

  bool iterative() const override { return solver->iterative(); }
  bool assembles() const override { return !solver || solver->assembles(); }
  std::string name() const override { return solver ? solver->name() : "automatic"; }

private:
  bool small() const { return size <= 3000 || (op->block() == 2 && size <= 300000); }

  /// What is fastest where Jacobi needs J iterations.
  std::string krylov(const double J) const
  {
    constexpr double very_few = 20., few = 50., many = 300.;
    if (J >= many / 2. && size <= factor_each)
      return "mumps";
    if (op->matrix_free() && op->degree() > 1)
      return J < few ? "matrix-free jacobi" : "matrix-free multigrid";
    if (!op->symmetric())
      return J < many / 2. ? "jacobi" : "gamg";
    return J < very_few ? "jacobi" : J < many ? "icc" : "gamg";
  }

  /// What the last solve says about J.
  void look_at(const int iterations, const double tolerance)
  {
    constexpr double decades = 6., of_icc = 4., noise = 1.5;
    constexpr int enough = 10;
    const double rate = iterations * decades / std::max(1., -std::log10(tolerance));
    const bool is_jacobi = current == "jacobi" || current == "matrix-free jacobi";
    if (iterations >= enough && (is_jacobi || current == "icc"))
      seen = std::max(seen, (is_jacobi ? rate : of_icc * rate) / noise);
  }

  void choose(const std::string &next, const std::string &reason)
  {
    if (next == current)
      return;
    const std::string matrix_free = "matrix-free ";
    if (next == "mumps")
      solver = std::make_unique<AssembledSolver>("mumps", "");
    else if (next.find(matrix_free) == 0)
      solver = std::make_unique<MatrixFreeSolver>(next.substr(matrix_free.size()));
    else
      solver = std::make_unique<AssembledSolver>("cg", next);
    current = next;
    log_line(fmt::format("linear solver: {} ({})", solver->name(), reason));
  }

  // An indefinite tangent may be a passing trial state: so many times the iterative solver gets another chance.
  static constexpr int patience = 3;
  // Degrees of freedom in 3-D up to which a factorisation is faster: one that serves the whole run (a linear beam of 70000: a solve takes
  // a quarter of CG's), and one for each linearisation (beams of degree 2, against multigrid).
  static constexpr std::uint64_t factor_once = 100000, factor_each = 20000;
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
