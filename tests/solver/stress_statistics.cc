// Statistics of stresses, and the distribution of quadratic forms of Gaussian variables.
#include "solver/vibration/stress_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solver/vibration/quadratic_form.h"

namespace symdyn::tests::in_stress_statistics
{
namespace
{
using Stress = std::vector<double>;

double sum_of(const std::array<double, 5> &lambda)
{
  double sum = 0.;
  for (const double one : lambda)
    sum += one;
  return sum;
}

std::vector<double> as_list(const std::array<double, 5> &lambda) { return {lambda.begin(), lambda.end()}; }
}  // namespace

/// Two modes of unit variance in plane stress, uncorrelated and correlated: own numbers of an independent program.
TEST(StressStatistics, TwoModes)
{
  const std::vector<Stress> shares{{100, 0, 0, 30, 0, 0}, {-20, 50, 0, 40, 0, 0}};
  for (const auto &[rho, rms, largest, tail] :
       {std::tuple{0., 146.287388383, 113.5481, 0.00020678623}, {0.509705911, 143.11718751, 122.9202, 0.00060832387}})
  {
    const StressStatistics found(shares, {1., rho, rho, 1.});
    EXPECT_NEAR(found.mean[0], rms, 1e-9 * rms);
    EXPECT_NEAR(found.largest[0], largest, 1e-6 * largest);
    EXPECT_NEAR(exceedance(as_list(found.form[0]), 9. * rms * rms), tail, 1e-7 * tail);
    EXPECT_NEAR(sum_of(found.form[0]), rms * rms, 1e-9 * rms * rms);
  }
}

/// No stress of the ellipsoid is above `largest`, and one reaches it; von Mises' stress of the sizes is another number.
TEST(StressStatistics, LargestOverTheEllipsoid)
{
  constexpr int n = 4, points = 700;
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::vector<Stress> shares(n, Stress(6 * points));
  for (Stress &share : shares)
    for (double &one : share)
      one = normal(engine);
  std::array<std::array<double, n>, n> L{};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      L[i][j] = normal(engine);
  std::vector<double> C(n * n, 0.);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k)
        C[i * n + j] += L[i][k] * L[j][k];
  const StressStatistics found(shares, C);
  ASSERT_EQ(found.largest.size(), points);
  double nearest = 0.;
  for (const int point : {0, 1, 127, 128, 699})  // of several batches
  {
    double most = 0.;
    for (int k = 0; k < 20000; ++k)
    {
      std::array<double, n> z{};
      double length = 0.;
      for (double &one : z)
        length = std::hypot(length, one = normal(engine));
      Stress s(6, 0.);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j)
          for (int c = 0; c < 6; ++c)
            s[c] += shares[i][6 * point + c] * L[i][j] * z[j] / length;
      most = std::max(most, von_mises(s.data()));
    }
    EXPECT_LE(most, found.largest[point] * (1. + 1e-12));
    EXPECT_GE(most, 0.98 * found.largest[point]);
    EXPECT_GE(found.mean[point], found.largest[point]);
    nearest = std::max(nearest, std::abs(von_mises(found.size[point].data()) / found.largest[point] - 1.));
  }
  EXPECT_GT(nearest, 0.05);
}

TEST(QuadraticForm, ClosedForms)
{
  for (const double x : {0.01, 0.3, 1., 2.2, 5., 30., 120., 600.})
  {
    const double one = std::erfc(std::sqrt(0.5 * x)), two = std::exp(-0.5 * x),
                 five = one + std::sqrt(2. * x / std::acos(-1.)) * std::exp(-0.5 * x) * (1. + x / 3.);
    EXPECT_NEAR(exceedance({1.}, x), one, 1e-11 * one) << x;
    EXPECT_NEAR(exceedance({1., 1.}, x), two, 1e-11 * two) << x;
    EXPECT_NEAR(exceedance({3., 3., 3., 3., 3.}, 3. * x), five, 1e-11 * five) << x;
    EXPECT_NEAR(exceedance({1., 0., 1e-20}, x), one, 1e-11 * one) << x;
  }
  EXPECT_EQ(exceedance({1.}, 0.), 1.);
  EXPECT_NEAR(exceedance({1.}, 1350.), std::erfc(std::sqrt(675.)), 1e-11 * std::erfc(std::sqrt(675.)));
  for (const double far : {1500., 1e6, 1e18})
    EXPECT_EQ(exceedance({1., 0.5}, far), 0.) << far;
  EXPECT_EQ(exceedance({}, 1.), 0.);
  EXPECT_EQ(exceedance({0., 0.}, 1.), 0.);
}

/// Against samples, where no closed form is known.
TEST(QuadraticForm, AgainstSamples)
{
  const std::vector<double> lambda{5., 2., 0.7, 0.1, 0.01};
  std::mt19937 engine(11);
  std::normal_distribution<double> normal;
  constexpr int samples = 400000;
  const std::vector<double> levels{0.5, 3., 8., 20., 40.};
  std::vector<double> above(levels.size(), 0.);
  for (int k = 0; k < samples; ++k)
  {
    double Q = 0.;
    for (const double one : lambda)
      Q += one * std::pow(normal(engine), 2);
    for (std::size_t i = 0; i < levels.size(); ++i)
      above[i] += Q > levels[i];
  }
  for (std::size_t i = 0; i < levels.size(); ++i)
  {
    const double p = exceedance(lambda, levels[i]);
    EXPECT_NEAR(above[i] / samples, p, 5. * std::sqrt(p * (1. - p) / samples)) << levels[i];
  }
}
}  // namespace symdyn::tests::in_stress_statistics
