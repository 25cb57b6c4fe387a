// Newton's method on equations of its own: which tangents it keeps.
#include "solver/newton.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "solver/error.h"

namespace symdyn::tests::in_newton
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
      return ForceReport();
    };
    problem.linearise = [&](const Vector &x) {
      ++tangents;
      return std::make_shared<Diagonal>(x, s, cost);
    };
    problem.rounding = [](const LinearSolve &, const Vector &) { return 1e-15; };
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
/// Two springs, one of them soft, whose forces round by up to this: |r| cannot be less.
NewtonReport solve_noisy(const double noise)
{
  const Vector layout(2);
  NewtonProblem problem;
  problem.name = "a test";
  const double k[] = {1000., 0.01};
  problem.residual = [&](const Vector &x, Vector &r) {
    for (unsigned int i = 0; i < 2; ++i)
    {
      const double bits = x.local_element(i) * 1e15, part = bits - std::floor(bits);
      r.local_element(i) = k[i] * x.local_element(i) * (1. + 0.1 * x.local_element(i) * x.local_element(i)) - 0.3 * k[i] +
                           noise * (part < 0.5 ? -1. - part : 2. - part);
    }
    return ForceReport();
  };
  struct Slope : LinearSolve
  {
    double d[2];
    int solve(const Vector &r, Vector &x, double) const override
    {
      for (unsigned int i = 0; i < 2; ++i)
        x.local_element(i) = r.local_element(i) / d[i];
      return 0;
    }
    void multiply(const Vector &x, Vector &y) const override
    {
      for (unsigned int i = 0; i < 2; ++i)
        y.local_element(i) = d[i] * x.local_element(i);
    }
    double tolerance() const override { return 1e-14; }
    bool iterative() const override { return false; }
  };
  problem.linearise = [&](const Vector &x) {
    auto slope = std::make_shared<Slope>();
    for (unsigned int i = 0; i < 2; ++i)
      slope->d[i] = k[i] * (1. + 0.3 * x.local_element(i) * x.local_element(i));
    return slope;
  };
  problem.rounding = [](const LinearSolve &, const Vector &) { return 1e-16; };
  problem.diagnose = [](const Vector &) { return std::string(); };
  Newton newton;
  newton.tolerance = 1e-15;
  Vector x(layout);
  const NewtonReport report = newton.solve(problem, x);
  EXPECT_NEAR(x.local_element(0), 0.2975, 0.01);
  return report;
}
}  // namespace

TEST(Newton, StagnationAtRoundingIsConvergence)
{
  // eps times the force of 300 is 7e-14.
  const NewtonReport report = solve_noisy(5e-13);
  EXPECT_GT(report.residuals.back(), 1e-15 * report.residuals.front()) << "the tolerance is out of reach";
  EXPECT_LE(report.residuals.back(), 3e-12);
  EXPECT_LE(report.iterations, 10);
}

TEST(Newton, StagnationAboveRoundingIsAnError)
{
  try
  {
    solve_noisy(1e-9);
    FAIL() << "converged";
  }
  catch (const ComputationError &error)
  {
    EXPECT_NE(std::string(error.what()).find("\"Newton/Tolerance\""), std::string::npos) << error.what();
  }
}

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

namespace
{
/// r = (x0 - 1, -load): nothing resists x1. The rounding level grows with |x|, as that of stiffness forces does.
NewtonReport solve_singular(const double load, const double level)
{
  struct Huge : LinearSolve
  {
    int solve(const Vector &r, Vector &x, double) const override
    {
      x.local_element(0) = r.local_element(0);
      x.local_element(1) = 1e16 * r.local_element(1);
      return 0;
    }
    void multiply(const Vector &x, Vector &y) const override
    {
      y.local_element(0) = x.local_element(0);
      y.local_element(1) = 1e-16 * x.local_element(1);
    }
    double tolerance() const override { return 1e-14; }
    bool iterative() const override { return false; }
  };
  NewtonProblem problem;
  problem.linear = true;
  problem.residual = [=](const Vector &x, Vector &r) {
    r.local_element(0) = x.local_element(0) - 1.;
    r.local_element(1) = -load;
    return ForceReport();
  };
  problem.linearise = [](const Vector &) { return std::make_shared<Huge>(); };
  problem.rounding = [=](const LinearSolve &, const Vector &x) { return level * (1e-9 + x.linfty_norm()); };
  problem.diagnose = [](const Vector &) { return std::string(); };
  Vector x(2);
  return Newton().solve(problem, x);
}
}  // namespace

TEST(Newton, ALargeSolutionDoesNotMakeALoadRounding)
{
  EXPECT_THROW(solve_singular(1., 1e-15), ComputationError);
  EXPECT_THROW(solve_singular(1e-2, 1e-15), ComputationError);
  EXPECT_EQ(solve_singular(0., 1e-15).iterations, 1);
}

TEST(Newton, WhatIsSmallBesideTheFirstResidualMayBeRounding)
{
  // A slender body: forces of 1e7 in balance with a load of 1 leave 1e-9 of it, more than the tolerance.
  const NewtonReport report = solve_singular(1e-9, 1e-8);
  EXPECT_LE(report.iterations, 2);
  EXPECT_GT(report.residuals.back(), 1e-10 * report.residuals.front());
}

namespace
{
/// Iterations for x/(1 + x²) = 0 from 0.7, of all attempts: a full step leads to -1.35, where the slope is negative and |r| larger, and
/// further ones to infinity. `negative`: the negative eigenvalues that the tangent at x reports.
int iterations_of_bump(const std::function<long(double x)> &negative, const Newton &newton = {})
{
  struct Slope : LinearSolve
  {
    double x = 0, slope = 1;
    long negatives = 0;
    int solve(const Vector &r, Vector &dx, double) const override
    {
      dx = r;
      dx *= 1. / slope;
      return 0;
    }
    void multiply(const Vector &in, Vector &out) const override
    {
      out = in;
      out *= slope;
    }
    double tolerance() const override { return 1e-14; }
    long negative_eigenvalues() const override { return negatives; }
    bool iterative() const override { return false; }
  };
  NewtonProblem problem;
  problem.name = "a test";
  problem.residual = [](const Vector &x, Vector &r) {
    r.local_element(0) = x.local_element(0) / (1. + x.local_element(0) * x.local_element(0));
    return ForceReport();
  };
  problem.linearise = [&negative](const Vector &at) {
    auto made = std::make_shared<Slope>();
    const double x = at.local_element(0), square = 1. + x * x;
    made->slope = (1. - x * x) / (square * square);
    made->negatives = negative(x);
    return made;
  };
  problem.rounding = [](const LinearSolve &, const Vector &) { return 1e-15; };
  problem.diagnose = [](const Vector &) { return std::string(); };
  Vector x(1);
  x.local_element(0) = 0.7;
  const NewtonReport report = newton.solve(problem, x);
  EXPECT_NEAR(x.local_element(0), 0., 1e-9);
  return report.iterations;
}
}  // namespace

/// Plastic bodies whose supports move far: full steps lead to inverted cells, with half of the work of the increment.
TEST(Newton, LeavesFullStepsThatMakeAStableBodyUnstable)
{
  const auto counted = [](const double x) { return long(std::abs(x) > 1.); };
  const Newton newton;
  const int first = iterations_of_bump(counted, newton), next = iterations_of_bump(counted, newton);
  EXPECT_LE(first, 10);
  EXPECT_LT(next, first) << "the line search comes first";
  Newton other;
  iterations_of_bump(counted, other);
  other.forget();
  EXPECT_EQ(iterations_of_bump(counted, other), first);
  // Where no factorisation counts eigenvalues, where all tangents are positive definite, and where the first one is not, full steps go to
  // their end.
  for (const long same_everywhere : {-1L, 0L, 1L})
    EXPECT_GT(iterations_of_bump([=](double) { return same_everywhere; }), Newton().max_iterations) << same_everywhere;
}
}  // namespace symdyn::tests::in_newton
