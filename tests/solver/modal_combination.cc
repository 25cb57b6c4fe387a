// Rules that combine modal answers. Numbers of an independent program.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "solver/vibration/modal_combination.h"
#include "solver/vibration/random_response.h"

namespace symdyn::tests
{
TEST(ModalCombination, CorrelationOfModes)
{
  for (const auto &[r, rho] : {std::pair{0.9, 0.473027683}, {0.8, 0.165634665}, {0.5, 0.018486452}})
    EXPECT_NEAR(ModalCombination::correlation(1., 0.05, r, 0.05), rho, 1e-9) << r;
  EXPECT_NEAR(ModalCombination::correlation(1., 0.02, 0.9, 0.05), 0.269937707, 1e-9);
  EXPECT_NEAR(ModalCombination::correlation(1., 0.05, 0.9, 0.02), 0.28239637, 1e-9);
  EXPECT_EQ(ModalCombination::correlation(1., 0.05, 1., 0.05), 1.);
  EXPECT_NEAR(ModalCombination::correlation(3., 0.02, 2., 0.05), ModalCombination::correlation(2., 0.05, 3., 0.02), 1e-15);
}

/// Two masses, K = (100, 5; 5, 100), the first excited with S_a = 1.
TEST(ModalCombination, CloseModes)
{
  const std::vector<double> omega{std::sqrt(95.), std::sqrt(105.)}, zeta{0.05, 0.05};
  const std::vector<double> first{0.5 / 95., 0.5 / 105.}, second{-0.5 / 95., 0.5 / 105.};
  const ModalCombination cqc("cqc", omega, zeta), srss("srss", omega, zeta), abs("abs", omega, zeta), ten("ten-percent", omega, zeta);
  EXPECT_NEAR(ModalCombination::correlation(omega[0], 0.05, omega[1], 0.05), 0.79944923, 1e-8);
  EXPECT_NEAR(srss.of(first), 0.00709765, 1e-8);
  EXPECT_NEAR(cqc.of(first), 0.00951048, 1e-8);
  EXPECT_NEAR(cqc.of(second), 0.00320997, 1e-8);
  EXPECT_NEAR(abs.of(second), first[0] + first[1], 1e-15);
  EXPECT_NEAR(ten.of(second), first[0] + first[1], 1e-15) << "closer than a tenth";
  EXPECT_NEAR(ModalCombination("ten-percent", {1., 1.2}, zeta).of({3., 4.}), 5., 1e-15);
}

TEST(ModalCombination, Directions)
{
  EXPECT_NEAR(over_directions("100-30-30", {10., 6., 4.}), 13., 1e-14);
  EXPECT_NEAR(over_directions("100-30-30", {4., 10., 6.}), 13., 1e-14);
  EXPECT_NEAR(over_directions("100-40-40", {10., 6., 4.}), 14., 1e-14);
  EXPECT_NEAR(over_directions("srss", {10., 6., 4.}), 12.328828, 1e-6);
  EXPECT_NEAR(over_directions("abs", {10., 6., 4.}), 20., 1e-14);
}

/// Moments in closed form against a sum over a fine grid, for modes that are apart and close, and all kinds; the correlation of two modes
/// under white noise.
TEST(RandomMoments, AreTheIntegrals)
{
  using Complex = std::complex<double>;
  const double pi = std::acos(-1.);
  const std::vector<double> omega{3., 3.2, 11.}, zeta{0.02, 0.05, 0.1}, A{0.7, -0.4, 1.1};
  const std::vector<DensityPoint> density{{1., 0.5}, {4., 2.}, {20., 0.25}};
  const RandomMoments moments(omega, zeta, density);
  const auto integrand = [&](const int kind, const double w, const double B) {
    Complex sum = B * (kind == RandomMoments::relative_acceleration ? -w * w : 1.);
    for (int i = 0; i < 3; ++i)
    {
      const Complex answer = 1. / Complex(omega[i] * omega[i] - w * w, 2. * zeta[i] * omega[i] * w);
      sum += A[i] * answer *
             (kind == 0   ? Complex(1.)
              : kind == 1 ? Complex(0., w)
              : kind == 3 ? Complex(-w * w)
                          : Complex(omega[i] * omega[i], 2. * zeta[i] * omega[i] * w));
    }
    const double G = w < 4. ? 0.5 + (w - 1.) * 0.5 : 2. - (w - 4.) * 1.75 / 16.;
    return std::norm(sum) * G / (2. * pi);
  };
  for (const auto &[kind, B] : {std::pair{RandomMoments::displacement, 0.3},
                                {RandomMoments::velocity, 0.},
                                {RandomMoments::acceleration, -0.2},
                                {RandomMoments::relative_acceleration, 0.1}})
  {
    double m[2] = {0., 0.};
    for (const auto &[a, b] : {std::pair{1., 4.}, {4., 20.}})
    {
      constexpr int n = 200000;  // Simpson's rule
      const double h = (b - a) / n;
      for (int k = 0; k <= n; ++k)
      {
        const double w = a + k * h, weight = h / 3. * (k == 0 || k == n ? 1. : k % 2 == 1 ? 4. : 2.);
        const double at = k == n && b == 4. ? integrand(kind, 4. - 1e-15, B) : integrand(kind, w, B);
        m[0] += weight * at;
        m[1] += weight * w * w * at;
      }
    }
    const auto found = moments.of(kind, A, B);
    EXPECT_NEAR(found[0], m[0], 1e-9 * m[0]) << kind;
    EXPECT_NEAR(found[1], m[1], 1e-9 * m[1]) << kind;
  }
  const RandomMoments close({2. * pi * 50., 2. * pi * 52.}, {0.02, 0.02}, {{1e-3, 1.}, {1e6, 1.}});
  const double first = close.of(RandomMoments::displacement, {1., 0.}, 0.)[0],
               second = close.of(RandomMoments::displacement, {0., 1.}, 0.)[0],
               both = close.of(RandomMoments::displacement, {1., 1.}, 0.)[0];
  EXPECT_NEAR(0.5 * (both - first - second) / std::sqrt(first * second), 0.509705911, 1e-6);
  const double f = 2. * pi, W = 0.04;
  const RandomMoments flat({f * 50.}, {0.05}, {{f * 20., W}, {f * 2000., W}});
  EXPECT_NEAR(std::sqrt(flat.of(RandomMoments::acceleration, {1.}, 0.)[0]), 5.552464544, 1e-8) << "in space, 20 to 2000 Hz";
  EXPECT_NEAR(first, 1. / (8. * 0.02 * std::pow(2. * pi * 50., 3)), 1e-4 * first) << "white noise: W/(8 zeta omega³)";
}
}  // namespace symdyn::tests
