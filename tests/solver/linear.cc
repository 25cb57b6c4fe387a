// Every registered linear solver gives the same solution, or says why not.
#include <gtest/gtest.h>

#include "solver/linear/lag.h"
#include "solver/linear_solver.h"
#include "tests/bodies.h"
#include "tests/input.h"

namespace symdyn::tests::in_linear
{
namespace
{
std::string box(const std::string &cells, const std::string &more = "")
{
  return subsection("Mesh",
                    "set Type = box\nset Subdivisions = " + cells + "\n" + subsection("box", "set Size = 1, 1, 2\nset Distortion = 0.15")) +
         made_of("st-venant-kirchhoff") + subsection("Supports", subsection("clamp", "set Boundary = z-")) + more;
}

struct Choice
{
  std::string name, deck;
};

/// Every registered solver, with every preconditioner that it knows: as its declarations say.
std::vector<Choice> all_solvers()
{
  std::vector<Choice> all;
  for (const std::string &name : Registry<LinearSolver>::instance().names())
  {
    Deck deck;
    Parameters p = deck.root();
    Registry<LinearSolver>::instance().make(name)->declare(p);
    std::vector<std::string> preconditioners;
    for (const Declaration &declared : deck.declarations())
      if (declared.name == "Preconditioner")
        preconditioners = split(declared.rule.substr(std::string("one of ").size()));
    if (preconditioners.empty())
      all.push_back({name, subsection("Linear solver", "set Type = " + name)});
    for (const std::string &preconditioner : preconditioners)
      all.push_back(
          {name + " + " + preconditioner,
           subsection("Linear solver", "set Type = " + name + "\n" + subsection(name, "set Preconditioner = " + preconditioner))});
  }
  return all;
}

Vector stretched(const Body<3> &body, const double strain)
{
  return body.nodal([strain](const dealii::Point<3> &X) { return dealii::Tensor<1, 3>({-0.3 * strain * X[0], 0., strain * X[2]}); });
}

/// A right-hand side on the free degrees of freedom.
Vector load_of(Body<3> &body)
{
  Vector r = Random(1).vector(body.system().new_vector(), 1.);
  body.system().project(r);
  return r;
}

/// x of (K + m M) x = r by this solver; checks the residual, and that prescribed components are zero.
Vector solve(Body<3> &body, const Weights &w, const Vector &q, const Vector &r)
{
  Vector x = body.system().new_vector(), Ax = x;
  const auto A = body.system().factor(w, 0., q, q);
  const int iterations = A->solve(r, x, 1e-12);
  EXPECT_EQ(iterations > 0, A->iterative());
  A->multiply(x, Ax);
  EXPECT_LT(distance(Ax, r), 1e-10 * r.l2_norm());
  Vector held(x);
  body.system().project_prescribed(held);
  EXPECT_LE(held.l2_norm(), 1e-15 * x.l2_norm());
  return x;
}

void expect_all_agree(const std::string &deck, const Weights &w)
{
  Vector reference;
  for (const auto &[name, choice] : all_solvers())
  {
    SCOPED_TRACE(name);
    Body<3> body(deck + choice);
    const Vector q = stretched(body, 0.1), r = load_of(body), x = solve(body, w, q, r);
    if (reference.size() == 0)
      reference = x;
    EXPECT_LT(moved(x, -1., reference).linfty_norm(), 1e-8 * reference.linfty_norm());
    // Once more with other values in the same matrix, and with r = 0.
    const Vector again = solve(body, w, stretched(body, 0.2), r);
    EXPECT_GT(distance(again, x), 1e-3 * x.l2_norm());
    EXPECT_LT(distance(solve(body, w, q, r), x), 1e-8 * x.l2_norm());
    Vector zero = body.system().new_vector(), y = r;
    EXPECT_EQ(body.system().factor(w, 0., q, q)->solve(zero, y, 1e-12), 0);
    EXPECT_EQ(y.l2_norm(), 0.);
  }
}
}  // namespace

TEST(LinearSolver, AllSolveTheSamePositiveDefiniteSystem)
{
  EXPECT_GE(all_solvers().size(), 9u);
  expect_all_agree(box("3, 3, 6"), K);
  expect_all_agree(box("3, 3, 6"), 100. * M + K);
  // Inclined: blocks are no longer identity rows.
  expect_all_agree(
      box("3, 3, 6", subsection("Supports", subsection("slope", "set Boundary = x+\nset Type = roller\nset Normal = 1, 2, 0"))), K);
}

TEST(LinearSolver, AllSolveAnUnsymmetricSystem)
{
  const std::string wind = subsection("Loads", subsection("wind", "set Type = pressure\nset Boundary = x+, z+\nset Pressure = 30*(1 + z)"));
  Body<3> body(box("3, 3, 6", wind));
  // It is not symmetric.
  const auto A = body.system().factor(K, 0., stretched(body, 0.1), body.system().new_vector());
  Vector x = load_of(body), y = Random(2).vector(x, 1.), Ax = x, Ay = x;
  body.system().project(y);
  A->multiply(x, Ax);
  A->multiply(y, Ay);
  EXPECT_GT(std::abs(Ax * y - Ay * x), 1e-4 * Ax.l2_norm() * y.l2_norm());
  expect_all_agree(box("3, 3, 6", wind), K);
}

TEST(LinearSolver, AllChangeBetweenSymmetricAndUnsymmetricTangents)
{
  for (const auto &[name, choice] : all_solvers())
  {
    SCOPED_TRACE(name);
    Body<3> body(box("3, 3, 6", choice));
    const Vector q = stretched(body, 0.1), from = stretched(body, -0.1), r = load_of(body);
    const auto solve_with = [&](const Vector *start) {
      Vector x = r, Ax = r;
      const auto A = body.system().factor({{K, 0., &q, &q, start}});
      A->solve(r, x, 1e-10);
      A->multiply(x, Ax);
      EXPECT_LT(distance(Ax, r), 1e-8 * r.l2_norm());
      return x;
    };
    const Vector symmetric = solve_with(nullptr);
    EXPECT_GT(distance(solve_with(&from), symmetric), 1e-3 * symmetric.l2_norm());  // the tangent of a discrete gradient is not symmetric
    EXPECT_LT(distance(solve_with(nullptr), symmetric), 1e-7 * symmetric.l2_norm());
  }
}

/// St. Venant-Kirchhoff loses its stiffness under a stretch of 1/sqrt(3). Conjugate gradients then either see it and refuse, or
/// happen to get through (a negative direction need not show): what they return solves the system in any case.
TEST(LinearSolver, ConjugateGradientsRefuseAnIndefiniteTangentOrSolveIt)
{
  int refused = 0;
  for (const auto &[name, choice] : all_solvers())
    if (name.find("cg") == 0 || name.find("matrix-free") == 0 || name == "eisenstat")
    {
      SCOPED_TRACE(name);
      Body<3> body(box("3, 3, 6", choice));
      const Vector q = stretched(body, -0.5), r = load_of(body);
      Vector x = body.system().new_vector();
      try
      {
        const auto tangent = body.system().factor(K, 0., q, q);
        tangent->solve(r, x, 1e-10);
        Vector rest = r;
        tangent->multiply(x, rest);
        rest -= r;
        EXPECT_LT(rest.l2_norm(), 1e-8 * r.l2_norm());
      }
      catch (const ComputationError &error)
      {
        EXPECT_NE(std::string(error.what()).find("Linear solver/Type=mumps"), std::string::npos) << error.what();
        ++refused;
      }
      // What it has learnt of this tangent does not spoil the next one.
      solve(body, K, stretched(body, 0.1), r);
    }
  EXPECT_GT(refused, 0);
}

TEST(LinearSolver, DirectOnesSolveAnIndefiniteTangent)
{
  for (const std::string name : {"mumps", "dense", "trilinos-direct"})
  {
    SCOPED_TRACE(name);
    Body<3> body(box("3, 3, 6", subsection("Linear solver", "set Type = " + name)));
    const Vector q = stretched(body, -0.5), r = load_of(body), x = solve(body, K, q, r);
    // r·x has both signs on a set of random vectors.
    int negative = 0;
    for (int k = 2; k < 10; ++k)
    {
      Vector s = Random(k).vector(r, 1.), y = r;
      body.system().project(s);
      body.system().factor(K, 0., q, q)->solve(s, y, 1e-12);
      negative += s * y < 0.;
    }
    EXPECT_GT(negative, 0) << "the tangent is definite: this test tests nothing";
  }
}

/// Minimal residuals take over where conjugate gradients meet a negative direction.
TEST(LinearSolver, EisenstatSolvesAnIndefiniteTangent)
{
  Body<3> body(box("3, 3, 6", subsection("Linear solver", "set Type = eisenstat")));
  const Vector good = stretched(body, 0.01), bad = stretched(body, -0.2), r = load_of(body);  // beyond its buckling load
  int negative = 0;
  for (int k = 1; k < 8; ++k)
  {
    Vector s = Random(k).vector(r, 1.);
    body.system().project(s);
    negative += s * solve(body, K, bad, s) < 0.;
  }
  EXPECT_GT(negative, 0) << "the tangent is definite: this test tests nothing";
  solve(body, K, good, r);
}

/// Half the iterations of the blocks on the diagonal, and the tolerance is that of the true residual.
TEST(LinearSolver, EisenstatNeedsHalfTheIterationsOfJacobi)
{
  std::vector<int> iterations;
  for (const std::string choice : {"set Type = eisenstat", "set Type = cg\nsubsection cg\nset Preconditioner = jacobi\nend"})
  {
    Body<3> body(box("8, 8, 16", subsection("Linear solver", choice)));
    const Vector q = stretched(body, 0.1), r = load_of(body);
    Vector x = q, Ax = q;
    const auto A = body.system().factor(K, 0., q, q);
    iterations.push_back(A->solve(r, x, 1e-5));
    A->solve(r, x, 1e-7);
    A->multiply(x, Ax);
    EXPECT_LE(distance(Ax, r), 1e-7 * r.l2_norm());
  }
  EXPECT_LT(iterations[0], 0.6 * iterations[1]);
}

TEST(LinearSolver, AutomaticFallsBackToAFactorisation)
{
  Body<3> body(box("17, 17, 24"));  // too large for mumps at first
  const Vector good = stretched(body, 0.01), bad = stretched(body, -0.5), r = load_of(body);
  Vector x = body.system().new_vector(), Ax = x;
  auto A = body.system().factor(K, 0., good, good);
  EXPECT_GT(A->solve(r, x, 1e-8), 0);
  EXPECT_TRUE(A->iterative());
  A = body.system().factor(K, 0., bad, bad);
  A->solve(r, x, 1e-8);
  EXPECT_EQ(body.fem().linear_solver().name(), "mumps");
  EXPECT_FALSE(A->iterative());
  body.system().stiffness(bad, x, Ax);
  body.system().project(Ax);
  EXPECT_LT(distance(Ax, r), 1e-8 * r.l2_norm());
}

/// Indefinite tangents between definite ones, as iterates of a line search meet them, change the solver of no stage; four in a row do.
TEST(LinearSolver, AutomaticForgivesMultigridPassingStates)
{
  for (const bool passing : {true, false})
  {
    Body<3> body(box("13, 13, 13"));
    const Vector good = stretched(body, 0.01), bad = stretched(body, -0.5), r = load_of(body);
    Vector x = body.system().new_vector();
    const auto solve_at = [&](const Vector &q) { body.system().factor(K, 0., q, q)->solve(r, x, 1e-3); };
    for (int k = 0; k < 4; ++k)
    {
      solve_at(bad);
      EXPECT_EQ(body.fem().linear_solver().name(), "mumps");
      for (int n = 0; n < 4 && passing; ++n)
        solve_at(good);
    }
    solve_at(good);
    EXPECT_EQ(body.fem().linear_solver().name(), passing ? "cg + gamg" : "mumps");
  }
}

TEST(LinearSolver, AutomaticChoosesByTheWeightOfTheMass)
{
  Body<3> body(box("17, 17, 24"));
  const Vector q = body.system().new_vector(), r = load_of(body);
  Vector x = body.system().new_vector();
  body.system().factor(1e5 * M + K, 0., q, q)->solve(r, x, 1e-8);
  EXPECT_EQ(body.fem().linear_solver().name(), "eisenstat (cg + ssor)");
  body.system().factor(K, 0., q, q)->solve(r, x, 1e-8);
  EXPECT_EQ(body.fem().linear_solver().name(), "cg + gamg");

  // Where a factorisation is faster: a small body, and one whose tangent never changes.
  Body<3> small(box("8, 8, 12"));
  Vector u = small.system().new_vector();
  EXPECT_FALSE(small.system().factor(K, 0., u, u)->iterative());
  EXPECT_EQ(small.fem().linear_solver().name(), "mumps");
}

/// Iterations to 1e-6 with K of degree 2, on a mesh and on one twice as fine.
std::pair<int, int> iterations_with(const std::string &preconditioner)
{
  std::vector<int> all;
  for (const std::string cells : {"3, 3, 6", "6, 6, 12"})
  {
    Body<3> body(box(cells, subsection("Linear solver",
                                       "set Type = matrix-free\n" + subsection("matrix-free", "set Preconditioner = " + preconditioner))) +
                 subsection("Mesh", "set Order = 2"));
    Vector x = body.system().new_vector();
    all.push_back(body.system().factor(K, 0., stretched(body, 0.1), x)->solve(load_of(body), x, 1e-6));
  }
  return {all[0], all[1]};
}

TEST(LinearSolver, MultigridNeedsFewIterationsAtAnySize)
{
  const auto [coarse, fine] = iterations_with("multigrid");
  EXPECT_LE(fine, 25);
  EXPECT_LE(fine, 1.3 * coarse);
  // Blocks of a node alone know nothing of the body.
  const auto [few, many] = iterations_with("jacobi");
  EXPECT_GT(many, 1.5 * few);
  EXPECT_GT(many, 5 * fine);
}

/// With factors of the coarser level, half as many as with a cycle of algebraic multigrid.
TEST(LinearSolver, MultigridOfQuadraticTetrahedraNeedsTwelve)
{
  std::vector<int> iterations;
  for (const std::string cells : {"3, 3, 6", "6, 6, 12"})
  {
    Body<3> body(
        box(cells, subsection("Linear solver", "set Type = matrix-free\n" + subsection("matrix-free", "set Preconditioner = multigrid"))) +
        subsection("Mesh", "set Order = 2\nset Cell shape = tetrahedra"));
    Vector x = body.system().new_vector();
    iterations.push_back(body.system().factor(K, 0., stretched(body, 0.1), x)->solve(load_of(body), x, 1e-6));
  }
  EXPECT_LE(iterations[0], 12);
  EXPECT_LE(iterations[1], 12);
}

/// Of one negative eigenvalue that the coarser level does not have; multigrid of a level that has it is indefinite, too, and of no use.
TEST(LinearSolver, MultigridSolvesIndefiniteTangents)
{
  Body<3> body(box("3, 3, 6",
                   subsection("Linear solver", "set Type = matrix-free\n" + subsection("matrix-free", "set Preconditioner = multigrid"))) +
               subsection("Mesh", "set Order = 2"));
  const Vector q = body.system().new_vector(), r = load_of(body);
  constexpr double above_the_first = 0.05;  // omega²
  Vector x = q, Ax = q;
  const auto residual = [&](const Weights &weights, const double tolerance) {
    const auto A = body.system().factor(weights, 0., q, q);
    const int iterations = A->solve(r, x, tolerance);
    A->multiply(x, Ax);
    Ax -= r;
    EXPECT_LT(Ax.l2_norm(), 10. * tolerance * r.l2_norm());
    return iterations;
  };
  const int definite = residual(K, 1e-6);
  residual(K + (-above_the_first) * M, 1e-6);
  EXPECT_EQ(body.fem().linear_solver().name(), "matrix-free minres + multigrid");
  EXPECT_EQ(residual(K, 1e-6), definite);
}

TEST(LinearSolver, AutomaticTakesNoMatrixAtDegreeTwo)
{
  Body<3> body(box("8, 8, 13") + subsection("Mesh", "set Order = 2"));
  const Vector q = body.system().new_vector(), r = load_of(body);
  Vector x = q;
  body.system().factor(1e5 * M + K, 0., q, q)->solve(r, x, 1e-8);
  EXPECT_EQ(body.fem().linear_solver().name(), "matrix-free cg + jacobi");
  body.system().factor(K, 0., q, q)->solve(r, x, 1e-8);
  EXPECT_EQ(body.fem().linear_solver().name(), "matrix-free cg + multigrid");
}

TEST(LinearSolver, KnowsWhetherItIsStillTheOneOfTheSystem)
{
  Body<3> body(box("2, 2, 2"));
  const Vector q = body.system().new_vector();
  const auto first = body.system().factor(M + K, 0., q, q);
  EXPECT_TRUE(first->current());
  const auto second = body.system().factor(M + 2. * K, 0., q, q);
  EXPECT_FALSE(first->current());
  EXPECT_TRUE(second->current());
}

TEST(Lag, MakesAPreconditionerAnewWhenKeepingItHasCostAsMuch)
{
  Lag lag;
  lag.price = 10.;
  EXPECT_TRUE(lag.due());
  lag.made();
  EXPECT_FALSE(lag.due());
  lag.used(12, 1e-3);  // 4 a decade: what a fresh one takes
  lag.used(8, 1e-2);
  EXPECT_FALSE(lag.due());
  lag.used(18, 1e-3);  // 6 more
  EXPECT_FALSE(lag.due());
  lag.used(12, 1e-2);  // and 4 more
  EXPECT_TRUE(lag.due());
}

TEST(LinearSolver, DenseRefusesTooManyDegreesOfFreedom)
{
  Body<3> body(box("12, 12, 12", subsection("Linear solver", "set Type = dense")));
  const Vector q = body.system().new_vector();
  const std::string text = message([&] { body.system().factor(K, 0., q, q)->iterative(); });
  EXPECT_NE(text.find("6591 degrees of freedom are too many for a dense matrix (limit 6000)"), std::string::npos) << text;
  EXPECT_NE(text.find("--set \"Linear solver/Type=automatic\""), std::string::npos) << text;
}
}  // namespace symdyn::tests::in_linear
