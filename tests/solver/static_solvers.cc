// What `Linear solver = automatic` takes in statics: by the estimated cost of a factorisation against that of multigrid, and by what
// multigrid has cost.
#include <gtest/gtest.h>

#include <deal.II/base/partitioner.h>

#include "solver/linear/factor_cost.h"
#include "solver/linear_solver.h"
#include "tests/bodies.h"

namespace symdyn::tests::in_static_solvers
{
namespace
{
/// `couples(row, column)` says which nodes a pattern couples.
BlockPattern pattern_of(const int nodes, const int block, const std::function<bool(int, int)> &couples)
{
  BlockPattern pattern;
  pattern.block = block;
  pattern.nodes = std::make_shared<dealii::Utilities::MPI::Partitioner>(nodes);
  pattern.own_start = {0};
  pattern.ghost_start.assign(nodes + 1, 0);
  for (int row = 0; row < nodes; ++row)
  {
    for (int column = 0; column < nodes; ++column)
      if (couples(row, column))
        pattern.own_column.push_back(column);
    pattern.own_start.push_back(pattern.own_column.size());
  }
  return pattern;
}

std::string block(const std::string &size, const std::string &cells, const std::string &nu, const std::string &element = "standard")
{
  return subsection("Mesh", "set Type = box\nset Subdivisions = " + cells + "\nset Element = " + element + "\n" +
                                subsection("box", "set Size = " + size)) +
         subsection("Materials", subsection("body", "set Type = neo-hooke-quadratic\nset Density = 1000\nset E = 1e7\nset nu = " + nu)) +
         subsection("Supports", subsection("clamp", "set Boundary = x-"));
}

/// K x = r of the body at rest, so many times to the tolerance of a Newton iteration; checks the last residual. Returns the name of the
/// solver.
std::string solved_by(const std::string &deck, const int times)
{
  constexpr double tolerance = 1e-3;
  Body<3> body(deck);
  const MechanicalSystem &system = body.system();
  const Vector q = system.new_vector();
  Vector r = body.nodal([](const dealii::Point<3> &) { return dealii::Tensor<1, 3>({0., 1., 0.}); }), x = q, Kx = q;
  system.project(r);
  for (int k = 0; k < times; ++k)
    system.factor(K, 0., q, q)->solve(r, x, tolerance);
  system.stiffness(q, x, Kx);
  system.project(Kx);
  Kx -= r;
  EXPECT_LT(Kx.l2_norm(), 1.1 * tolerance * r.l2_norm());
  return body.fem().linear_solver().name();
}
}  // namespace

/// Known by hand: of a chain, of a full matrix.
TEST(StaticSolvers, CountTheOperationsOfAFactorisation)
{
  EXPECT_EQ(factor_operations(pattern_of(50, 1, [](const int i, const int j) { return std::abs(i - j) <= 1; })), 49.);
  EXPECT_EQ(factor_operations(pattern_of(50, 2, [](const int i, const int j) { return std::abs(i - j) <= 1; })), 8. * 49.);
  const int n = 30;
  EXPECT_EQ(factor_operations(pattern_of(n, 1, [](int, int) { return true; })), n * (n * n - 1) / 6.);
  EXPECT_EQ(entries(pattern_of(n, 3, [](int, int) { return true; })), 9. * n * n);
}

TEST(StaticSolvers, MultigridForABeamOfTenThousandUnknowns) { EXPECT_EQ(solved_by(block("10, 1, 1", "40, 8, 8", "0.3"), 3), "cg + gamg"); }

TEST(StaticSolvers, FactorsForAThinPlateAndForSmallBodies)
{
  EXPECT_EQ(solved_by(block("10, 10, 0.25", "40, 40, 1", "0.3"), 1), "mumps");
  EXPECT_EQ(solved_by(block("1, 1, 1", "8, 8, 8", "0.3"), 1), "mumps");
}

/// Multigrid stalls; a factorisation takes over, and stays.
TEST(StaticSolvers, FactorsWhereMultigridIsSlow)
{
  EXPECT_EQ(solved_by(block("1, 1, 1", "13, 13, 13", "0.49999"), 1), "mumps");
  EXPECT_EQ(solved_by(block("1, 1, 1", "13, 13, 13", "0.3"), 3), "cg + gamg");
}
}  // namespace symdyn::tests::in_static_solvers
