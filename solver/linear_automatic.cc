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

  void allocate(const BlockPattern &given, const std::vector<Vector> &rigid_modes) override
  {
    pattern = &given;
    modes = rigid_modes;
    size = modes.front().size();
    choose(small() ? "mumps" : "jacobi", small() ? fmt::format("{} degrees of freedom in {}-D", size, pattern->block) : "first guess");
  }

  BlockMatrix &matrix() override { return solver->matrix(); }

  void factor(const MatrixProperties &properties) override
  {
    const double jacobi_iterations = 2.6 * std::sqrt(properties.stiffness_over_mass);
    const std::string reason = fmt::format("stiffness/mass = {:.3g}: about {:.0f} iterations with Jacobi",
                                           properties.stiffness_over_mass, jacobi_iterations);
    if (properties.constant && properties.stiffness_over_mass > 0. && size <= factor_once)
      choose("mumps", "a linear body: factored once");
    else if (!small() && breakdowns < patience)
      choose(jacobi_iterations < 150. ? "jacobi" : size <= factor_each ? "mumps" : "gamg", reason);
    last = properties;
    solver->factor(properties);
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
      solver->factor(last);
      return solver->solve(r, x, tolerance);
    }
  }

  void multiply(const Vector &x, Vector &y) override { solver->multiply(x, y); }
  bool iterative() const override { return solver->iterative(); }
  std::string name() const override { return solver ? solver->name() : "automatic"; }

private:
  bool small() const { return size <= 3000 || (pattern->block == 2 && size <= 300000); }

  /// Changes to another solver; the values move along.
  void choose(const std::string &next, const std::string &reason)
  {
    if (next == current)
      return;
    auto chosen = next == "mumps" ? std::make_unique<PetscSolver>("mumps", "") : std::make_unique<PetscSolver>("cg", next);
    chosen->allocate(*pattern, modes);
    if (solver)
      for (int row = 0; row < pattern->rows(); ++row)
        solver->matrix().for_row(row, [&](int, const int position, const BlockMatrix::Block &from) {
          const auto to = chosen->matrix().at(row, position);
          for (int i = 0; i < pattern->block; ++i)
            for (int k = 0; k < pattern->block; ++k)
              to(i, k) = from(i, k);
        });
    solver = std::move(chosen);
    current = next;
    log_line(fmt::format("linear solver: {} ({})", solver->name(), reason));
  }

  // An indefinite tangent may be a passing trial state: so many times the iterative solver gets another chance.
  static constexpr int patience = 3;
  // Degrees of freedom in 3-D up to which a factorisation is faster than multigrid; measured on beams of degree 2 (7203: ten
  // times), for one that serves the whole run and for one an iteration.
  static constexpr std::uint64_t factor_once = 60000, factor_each = 20000;
  int breakdowns = 0;
  const BlockPattern *pattern = nullptr;
  std::vector<Vector> modes;
  std::uint64_t size = 0;
  std::string current;
  std::unique_ptr<PetscSolver> solver;
  MatrixProperties last;
};

SYMDYN_REGISTER(LinearSolver, Automatic, "automatic");
}  // namespace
}  // namespace symdyn
