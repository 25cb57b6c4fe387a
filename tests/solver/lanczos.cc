// Lanczos' method on blocks, against matrices whose eigenvalues are known.
#include <gtest/gtest.h>

#include "solver/error.h"
#include "solver/linear/eigen.h"
#include "tests/bodies.h"
#include "tests/compare.h"

namespace symdyn::tests::in_lanczos
{
namespace
{
/// K x = lambda M x with K = Q diag(k) Q, M = Q diag(m) Q, Q a reflection, so that no vector of the start is an eigenvector.
struct Reflected
{
  std::vector<double> k, m;
  Vector w;
  int solves = 0;

  explicit Reflected(const unsigned int n) : k(n), m(n, 2.), w(dealii::complete_index_set(n), MPI_COMM_SELF)
  {
    for (unsigned int i = 0; i < n; ++i)
    {
      w(i) = std::sin(1. + 7. * i);
      k[i] = 2. * (1. + i);  // eigenvalues 1, 2, 3, ...
    }
    w *= 1. / w.l2_norm();
  }
  Vector reflected(const Vector &x) const
  {
    Vector y = x;
    y.add(-2. * (w * x), w);
    return y;
  }
  template <class Factor>
  Vector scaled(const Vector &x, const Factor &factor) const
  {
    Vector y = reflected(x);
    for (unsigned int i = 0; i < k.size(); ++i)
      y(i) *= factor(i);
    return reflected(y);
  }
  EigenProblem problem(const double shift)
  {
    EigenProblem problem;
    problem.start = w;
    problem.shift = shift;
    problem.M = [this](const Vector &x, Vector &y) { y = scaled(x, [&](const unsigned int i) { return m[i]; }); };
    problem.solve_all = [this, shift](const std::vector<Vector> &x, std::vector<Vector> &y) {
      solves += int(x.size());
      for (std::size_t j = 0; j < x.size(); ++j)
        y[j] = scaled(x[j], [&](const unsigned int i) { return 1. / (k[i] - shift * m[i]); });
    };
    return problem;
  }
  Vector start(const int number) const
  {
    Vector x = w;
    for (unsigned int i = 0; i < k.size(); ++i)
      x(i) = 1. + std::sin(1. + number + (12.9898 + number) * i);
    return x;
  }
  EigenPairs near(const EigenProblem &problem, const int block, const int number, const int least) const
  {
    return eigenvalues_near(
        problem, [this](const int j) { return start(j); }, block, number, least);
  }
  /// |K x - lambda M x| and |x_iᵀ M x_j - delta_ij|
  void expect_pairs(const EigenPairs &found) const
  {
    for (std::size_t i = 0; i < found.values.size(); ++i)
    {
      const Vector &x = found.vectors[i];
      Vector r = scaled(x, [&](const unsigned int j) { return k[j] - found.values[i] * m[j]; });
      EXPECT_LT(r.l2_norm(), 1e-8 * (1. + std::abs(found.values[i])) * x.l2_norm()) << i;
      const Vector Mx = scaled(x, [&](const unsigned int j) { return m[j]; });
      for (std::size_t j = 0; j < found.values.size(); ++j)
        EXPECT_NEAR(found.vectors[j] * Mx, i == j ? 1. : 0., 1e-9);
    }
  }
};
}  // namespace

TEST(Lanczos, NearestValuesOfAllBlocks)
{
  for (const int block : {1, 3, 8})
    for (const double shift : {-0.1, 60.3})
    {
      Reflected of(700);
      const EigenPairs found = of.near(of.problem(shift), block, 10, 10);
      ASSERT_EQ(found.values.size(), 10u);
      for (int i = 0; i < 10; ++i)
        EXPECT_NEAR(found.values[i], shift < 0. ? 1. + i : 56. + i, 1e-8) << block;
      of.expect_pairs(found);
      EXPECT_LT(of.solves, 700) << block;
    }
}

/// A block sees as many equal ones as it has vectors; one vector sees one of them, at first.
TEST(Lanczos, EqualValues)
{
  Reflected of(400);
  of.k[1] = of.k[2] = of.k[0];
  const EigenPairs found = of.near(of.problem(-0.1), 4, 4, 4);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(found.values[i], 1., 1e-8);
  EXPECT_NEAR(found.values[3], 4., 1e-8);
  of.expect_pairs(found);
}

TEST(Lanczos, StaysAwayFromWhatIsKnown)
{
  Reflected of(400);
  EigenProblem problem = of.problem(-0.1);
  problem.known = of.near(problem, 3, 3, 3).vectors;
  const EigenPairs others = of.near(problem, 3, 2, 2);
  EXPECT_NEAR(others.values[0], 4., 1e-8);
  EXPECT_NEAR(others.values[1], 5., 1e-8);
  for (const Vector &x : problem.known)
  {
    const Vector Mx = of.scaled(x, [&](const unsigned int j) { return of.m[j]; });
    EXPECT_NEAR(others.vectors[0] * Mx, 0., 1e-9);
  }
}

/// Half of the unknowns have no mass, and no finite eigenvalue.
TEST(Lanczos, UnknownsWithoutMass)
{
  Reflected of(400);
  for (unsigned int i = 1; i < 400; i += 2)
    of.m[i] = 0.;
  const EigenPairs found = of.near(of.problem(-0.1), 4, 6, 6);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(found.values[i], 1. + 2. * i, 1e-7);
  of.expect_pairs(found);
}

/// All of a small space, after which there is no further direction.
TEST(Lanczos, WholeSpace)
{
  Reflected of(12);
  const EigenPairs found = of.near(of.problem(-0.1), 5, 12, 12);  // the last block has two
  ASSERT_EQ(found.values.size(), 12u);
  for (int i = 0; i < 12; ++i)
    EXPECT_NEAR(found.values[i], 1. + i, 1e-8);
  of.expect_pairs(found);
}

/// More images than the space holds at once.
TEST(Lanczos, Restarts)
{
  Reflected of(3000);
  const EigenPairs found = of.near(of.problem(-40.), 2, 4, 4);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(found.values[i], 1. + i, 1e-7);
  of.expect_pairs(found);
  EXPECT_GT(of.solves, 2 + 24 + 2) << "the space has 24 places";
}

TEST(Lanczos, Errors)
{
  Reflected of(700);
  EigenProblem problem = of.problem(-0.1);
  problem.cycles = 1;
  problem.tolerance = 1e-18;  // rounding forbids
  EXPECT_THROW(of.near(problem, 1, 10, 10), ComputationError);
  problem = of.problem(-0.1);
  problem.stop = [] { return true; };
  EXPECT_THROW(of.near(problem, 2, 10, 10), Interrupted);
}

/// Where a factorisation is there, and where relations stand between it and the system.
TEST(LinearSolver, SeveralRightSides)
{
  const std::string block = subsection("Mesh", "set Type = box\nset Subdivisions = 2, 2, 3\n" + subsection("box", "set Size = 1, 1, 2")) +
                            made_of("st-venant-kirchhoff") + subsection("Supports", subsection("clamp", "set Boundary = z-")),
                    lid = subsection("Couplings", subsection("lid", "set Type = rigid\nset At = 0.5, 0.5, 2\nset Boundaries = z+"));
  for (const std::string solver : {"mumps", "cg", "automatic"})
    for (const std::string &more : {std::string(), lid})
    {
      SCOPED_TRACE(solver + more);
      const Body<3> body(block + more + subsection("Linear solver", "set Type = " + solver));
      const AssembledSystem &system = body.system();
      const Vector q = system.new_vector();
      std::vector<Vector> r, x(5, q);
      for (int k = 0; k < 5; ++k)
      {
        r.push_back(Random(1 + k).vector(q, 1.));
        system.project(r.back());
      }
      const auto A = system.factor(K, 0., q, q);
      A->solve_all(r, x, 1e-12);
      for (int k = 0; k < 5; ++k)
      {
        Vector Ax = q;
        A->multiply(x[k], Ax);
        EXPECT_GT(r[k].l2_norm(), 0.);
        EXPECT_LT(distance(Ax, r[k]), 1e-10 * r[k].l2_norm());
      }
    }
}
}  // namespace symdyn::tests::in_lanczos
