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
/// Chooses by size and by how much the mass dominates, and says so in the log. Measured: CG with point-block Jacobi needs
/// about 2.6 sqrt(stiffness/mass on the diagonal) iterations at any size, multigrid 15 to 25 but a costly set-up; sparse
/// factors win in two dimensions and for small bodies.
class Automatic : public LinearSolver
{
public:
  void declare(Parameters &) override {}

  void set_up(const LinearOperator &A) override
  {
    op = &A;
    block = A.block();
    if (size == 0)
      size = A.new_vector().size();
    if (small())
      choose("mumps", fmt::format("{} degrees of freedom in {}-D", size, block));
    else if (A.constant() && A.stiffness_over_mass() > 0. && size <= factor_once)
      choose("mumps", "a linear body: factored once");
    else if (breakdowns < patience)
    {
      const double jacobi_iterations = 2.6 * std::sqrt(A.stiffness_over_mass());
      choose(jacobi_iterations < 150. ? "jacobi" : size <= factor_each ? "mumps" : "gamg",
             fmt::format("stiffness/mass = {:.3g}: about {:.0f} iterations with Jacobi", A.stiffness_over_mass(), jacobi_iterations));
    }
    solver->set_up(A);
  }

  int solve(const Vector &r, Vector &x, const double tolerance) override
  {
    try
    {
      return solver->solve(r, x, tolerance);
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
  bool small() const { return size <= 3000 || (block == 2 && size <= 300000); }

  void choose(const std::string &next, const std::string &reason)
  {
    if (next == current)
      return;
    solver = next == "mumps" ? std::make_unique<AssembledSolver>("mumps", "") : std::make_unique<AssembledSolver>("cg", next);
    current = next;
    log_line(fmt::format("linear solver: {} ({})", solver->name(), reason));
  }

  // An indefinite tangent may be a passing trial state: so many times the iterative solver gets another chance.
  static constexpr int patience = 3;
  // Degrees of freedom in 3-D up to which a factorisation is faster than multigrid; measured on beams of degree 2 (7203: ten
  // times), for one that serves the whole run and for one an iteration.
  static constexpr std::uint64_t factor_once = 60000, factor_each = 20000;
  int breakdowns = 0;
  const LinearOperator *op = nullptr;
  int block = 0;
  std::uint64_t size = 0;
  std::string current;
  std::unique_ptr<LinearSolver> solver;
};

SYMDYN_REGISTER(LinearSolver, Automatic, "automatic");
}  // namespace
}  // namespace symdyn
