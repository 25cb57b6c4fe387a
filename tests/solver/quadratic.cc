// Pairs of quadratic eigenvalue problems with unsymmetric matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "solver/linear/quadratic.h"

namespace symdyn::tests::in_quadratic
{
namespace
{
using Complex = std::complex<double>;
/// M = 1, C and K with three diagonals that are not symmetric; Q(s) is solved by Gauss's elimination of three diagonals.
struct Bands
{
  int n = 60;
  double c[3] = {0.03, 0.2, -0.01}, k[3] = {-1., 2.5, -1.2};
  double m[3] = {0., 1., 0.};
  Vector layout{dealii::IndexSet::size_type(60)};

  static void multiply(const double *band, const Vector &x, Vector &y)
  {
    const int n = int(x.size());
    for (int i = 0; i < n; ++i)
      y.local_element(i) = band[1] * (1. + 0.01 * i) * x.local_element(i) + (i > 0 ? band[0] * x.local_element(i - 1) : 0.) +
                           (i + 1 < n ? band[2] * x.local_element(i + 1) : 0.);
  }
  QuadraticProblem problem(const double shift)
  {
    QuadraticProblem problem;
    problem.M = [this](const Vector &x, Vector &y) { multiply(m, x, y); };
    problem.C = [this](const Vector &x, Vector &y) { multiply(c, x, y); };
    problem.K = [this](const Vector &x, Vector &y) { multiply(k, x, y); };
    problem.shift = shift;
    problem.scale = 0.5;
    problem.start = layout;
    for (int i = 0; i < n; ++i)
      problem.start.local_element(i) = 1. + std::sin(1. + 12.9898 * i);
    problem.solve = [this, shift](const Vector &x, Vector &y) {
      std::vector<double> above(n), right(n);
      const auto band = [&](const int d) { return shift * shift * m[d] + shift * c[d] + k[d]; };
      for (int i = 0; i < n; ++i)
      {
        const double left = i > 0 ? band(0) : 0., pivot = band(1) * (1. + 0.01 * i) - (i > 0 ? left * above[i - 1] : 0.);
        above[i] = band(2) / pivot;
        right[i] = (x.local_element(i) - (i > 0 ? left * right[i - 1] : 0.)) / pivot;
      }
      for (int i = n; i-- > 0;)
        y.local_element(i) = right[i] - (i + 1 < n ? above[i] * y.local_element(i + 1) : 0.);
    };
    return problem;
  }
  /// |(lambda² M + lambda C + K) u|/|u|
  double residual(const Complex lambda, const ComplexVector &u) const
  {
    double sum = 0., size = 0.;
    std::vector<Vector> parts(6, layout);
    int j = 0;
    for (const double *band : {m, c, k})
      for (const Vector *x : {&u.real, &u.imaginary})
        multiply(band, *x, parts[j++]);
    for (int i = 0; i < n; ++i)
    {
      const auto at = [&](const int of) { return Complex(parts[2 * of].local_element(i), parts[2 * of + 1].local_element(i)); };
      sum += std::norm(lambda * lambda * at(0) + lambda * at(1) + at(2));
      size += std::pow(u.real.local_element(i), 2) + std::pow(u.imaginary.local_element(i), 2);
    }
    return std::sqrt(sum / size);
  }
  std::vector<Vector> basis() const
  {
    std::vector<Vector> all(n, layout);
    for (int i = 0; i < n; ++i)
      all[i].local_element(i) = 1.;
    return all;
  }
};
}  // namespace

/// All 2 n values come, each in its pair; a value that is off by 1e-4 shows in the residual.
TEST(Quadratic, AllOfASmallProblem)
{
  for (const double shift : {0., 0.7})
  {
    Bands bands;
    const QuadraticPairs found = quadratic_all(bands.problem(shift), bands.basis());
    std::size_t values = 0;
    for (std::size_t i = 0; i < found.values.size(); ++i)
    {
      values += found.values[i].imag() > 0. ? 2 : 1;
      EXPECT_LT(bands.residual(found.values[i], found.vectors[i]), 1e-11) << found.values[i];
      EXPECT_GT(bands.residual(found.values[i] + 1e-4, found.vectors[i]), 1e-5);
    }
    EXPECT_EQ(values, 2u * bands.n);
  }
}

TEST(Quadratic, ThoseNearestToAShift)
{
  for (const double shift : {0., 0.7})
  {
    Bands bands;
    QuadraticPairs all = quadratic_all(bands.problem(shift), bands.basis());
    std::sort(all.values.begin(), all.values.end(),
              [shift](const Complex &a, const Complex &b) { return std::abs(a - shift) < std::abs(b - shift); });
    QuadraticPairs near = quadratic_near(bands.problem(shift), 4);
    ASSERT_GE(near.values.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
    {
      EXPECT_LT(bands.residual(near.values[i], near.vectors[i]), 1e-10);
      double nearest = 1.;
      for (const Complex &value : near.values)
        nearest = std::min(nearest, std::abs(value - all.values[i]));
      EXPECT_LT(nearest, 1e-9) << all.values[i];
    }
  }
}
}  // namespace symdyn::tests::in_quadratic
