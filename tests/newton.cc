// Newton's method on equations of its own: which tangents it keeps.
#include "solver/newton.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/error.h"

namespace symdyn::tests
{
namespace
{
/// x + s x³ = b in each component.
struct Cubic
{
  double s = 0.01;
  std::vector<double> kind{1.};
  double cost = 10.;  ///< of a tangent, in evaluations of r
  int residuals = 0, tangents = 0;
  Vector layout{2};

  class Diagonal : public LinearSolve
  {
  public:
    Diagonal(const Vector &x, const double s, const double cost) : d(x), price(cost)
    {
      for (double &entry : d)
        entry = 1. + 3. * s * entry * entry;
    }
    int solve(const Vector &r, Vector &x, double) const override
    {
      for (unsigned int i = 0; i < r.locally_owned_size(); ++i)
        x.local_element(i) = r.local_element(i) / d.local_element(i);
      return 0;
    }
    void multiply(const Vector &x, Vector &y) const override
    {
      y = x;
      y.scale(d);
    }
    double tolerance() const override { return 1e-14; }
    bool current() const override { return true; }
    double cost() const override { return price; }
    bool iterative() const override { return false; }

  private:
    Vector d;
    double price;
  };

  /// Solves for this b from 0; |x + s x³ - b| is checked.
  NewtonReport solve(const Newton &newton, const double b)
  {
    NewtonProblem problem;
    problem.name = "a test";
    problem.kind = kind;
    problem.residual = [&](const Vector &x, Vector &r) {
      ++residuals;
      for (unsigned int i = 0; i < x.locally_owned_size(); ++i)
        r.local_element(i) = x.local_element(i) * (1. + s * x.local_element(i) * x.local_element(i)) - b * (i + 1.);
    };
    problem.linearise = [&](const Vector &x) {
      ++tangents;
      return std::make_shared<Diagonal>(x, s, cost);
    };
    problem.rounding = [](const Vector &) { return 1e-15; };
    problem.admissible = [] { return true; };
    problem.diagnose = [](const Vector &) { return std::string(); };
    Vector x(layout), r(layout);
    const NewtonReport report = newton.solve(problem, x);
    problem.residual(x, r);
    EXPECT_LE(r.l2_norm(), 1e-10 * b * std::sqrt(5.) * 1.01);
    EXPECT_GT(x.l2_norm(), 0.1);
    return report;
  }
};

int tangents_in_ten_steps(Cubic cubic, const std::string &tangent)
{
  Newton newton;
  newton.tangent = tangent;
  int linearisations = 0;
  for (int k = 0; k < 10; ++k)
    linearisations += cubic.solve(newton, 0.3 + 0.01 * k).linearisations;
  EXPECT_EQ(linearisations, cubic.tangents);
  return linearisations;
}
}  // namespace

TEST(Newton, KeepsATangentThatServes)
{
  EXPECT_EQ(tangents_in_ten_steps({}, "automatic"), 1);
  EXPECT_GE(tangents_in_ten_steps({}, "new"), 20);
}

TEST(Newton, KeepsNoneWhereANewOneCostsNothing)
{
  Cubic free;
  free.cost = 0.;
  free.s = 1.;
  EXPECT_GE(tangents_in_ten_steps(free, "automatic"), 10);
}

TEST(Newton, ReplacesATangentThatServesBadly)
{
  Cubic stiff;
  stiff.s = 30.;  // 1 + 3 s x² grows from 1 to about 10
  const int made = tangents_in_ten_steps(stiff, "automatic");
  EXPECT_GT(made, 10);
  EXPECT_LT(made, tangents_in_ten_steps(stiff, "new") + 1);
}

TEST(Newton, ATangentOfAnotherKindDoesNotServe)
{
  Cubic cubic;
  const Newton newton;
  EXPECT_EQ(cubic.solve(newton, 0.3).linearisations, 1);
  EXPECT_EQ(cubic.solve(newton, 0.3).linearisations, 0);
  cubic.kind = {2.};
  EXPECT_EQ(cubic.solve(newton, 0.3).linearisations, 1);
  cubic.kind = {};  // no kind: never
  EXPECT_GE(cubic.solve(newton, 0.3).linearisations, 2);
}
}  // namespace symdyn::tests
