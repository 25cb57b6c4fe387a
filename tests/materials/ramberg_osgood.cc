// `ramberg-osgood` against its uniaxial curve, and its two kinematics.
#include <gtest/gtest.h>

#include "tests/materials/increments.h"

namespace symdyn::tests::in_ramberg_osgood
{
namespace
{
constexpr double yield_stress = 2., offset = 0.4;
std::string steel(const double exponent, const std::string &kinematics = "small")
{
  return line("E", E) + line("nu", nu) + line("Yield stress", yield_stress) + line("Yield offset", offset) + line("Exponent", exponent) +
         "set Kinematics = " + kinematics + "\n";
}
double plastic_strain(const double sigma, const double exponent)
{
  return offset / E * std::pow(sigma / yield_stress, exponent - 1.) * sigma;
}
}  // namespace

/// E eps = sigma + alpha (|sigma|/sigma_0)^(n-1) sigma, sides -nu sigma/E - ½ eps_p; far beyond the knee too.
TEST(RambergOsgood, UniaxialCurve)
{
  for (const double exponent : {1.001, 3., 7.5, 50.})
    for (const double sigma : {1e-6, 1., 2., 3., -3., exponent < 10. ? 400. : 4.})
    {
      const double eps_p = plastic_strain(std::abs(sigma), exponent) * (sigma < 0. ? -1. : 1.), eps = sigma / E + eps_p,
                   side = -nu * sigma / E - 0.5 * eps_p;
      const Symmetric<Wide> S =
          make("ramberg-osgood", steel(exponent))->stress(Symmetric<Wide>{{1. + 2. * eps, 1. + 2. * side, 1. + 2. * side, 0., 0., 0.}});
      // as far as rounding of C lets the strain be known
      const double tolerance = 1e-11 * std::abs(sigma) + 1e-15 * E + 1e-15 * std::abs(eps) * E;
      EXPECT_NEAR(S[0][0], sigma, tolerance) << exponent;
      EXPECT_NEAR(S[1][0], 0., tolerance) << exponent;
    }
}

/// Of logarithmic strains the same curve gives the Kirchhoff stress; turned axes do not matter.
TEST(RambergOsgood, LogarithmicCurve)
{
  const auto law = make("ramberg-osgood", steel(5., "logarithmic"));
  const double sigma = 5., eps_p = plastic_strain(sigma, 5.), stretch = std::exp(sigma / E + eps_p),
               side = std::exp(-nu * sigma / E - 0.5 * eps_p);
  const auto Q = random_rotation();
  const Symmetric<double> C{{stretch * stretch, side * side, side * side, 0., 0., 0.}},
      S{{sigma / (stretch * stretch), 0., 0., 0., 0., 0.}}, turned = rotate(S, Q);
  EXPECT_GT(stretch, 1.05);
  const auto computed = law->stress(wide([&] { return rotate(C, Q); }));
  for (int m = 0; m < 6; ++m)
    EXPECT_NEAR(computed[m][0], turned[m], 1e-10 * sigma);
}

/// Example beampl of CalculiX 2.20, a bar of length 8 under 964 MPa of nominal stress, u = 0.08549874 and 0.0044114 sideways. CalculiX
/// relates Cauchy stress to Almansi's strain, which is within 2e-3 of logarithmic strain and Kirchhoff stress here.
TEST(RambergOsgood, BarOfCalculiX)
{
  constexpr double E = 190000., nu = 0.34, sigma_0 = 900., n = 12., alpha = 0.45, nominal = 964.;
  double tau = nominal, stretch = 1., side = 1.;
  for (int round = 0; round < 100; ++round)
  {
    const double eps_p = alpha / E * std::pow(tau / sigma_0, n - 1.) * tau;
    stretch = std::exp(tau / E + eps_p);
    side = std::exp(-nu * tau / E - 0.5 * eps_p);
    tau = nominal * stretch;
  }
  const auto law = make("ramberg-osgood",
                        line("E", E) + line("nu", nu) + line("Yield stress", sigma_0) + line("Yield offset", alpha) + line("Exponent", n));
  const auto S = law->stress(Symmetric<Wide>{{stretch * stretch, side * side, side * side, 0., 0., 0.}});
  EXPECT_NEAR(S[0][0] * stretch, nominal, 1e-9 * nominal);
  EXPECT_NEAR(S[1][0], 0., 1e-9 * nominal);
  EXPECT_NEAR(8. * (stretch - 1.), 0.08549874, 2e-3 * 0.08549874);
  EXPECT_NEAR(1. - side, 0.004411389, 2e-2 * 0.004411389);
}

TEST(RambergOsgood, DerivativesOfTheEnergy)
{
  for (const double exponent : {1.5, 3., 8.})
    for (const std::string kinematics : {"small", "logarithmic"})
    {
      SCOPED_TRACE(kinematics + " " + std::to_string(exponent));
      const auto law = make("ramberg-osgood", steel(exponent, kinematics)), oracle = law->differentiated();
      EXPECT_EQ(bool(oracle), kinematics == "small");
      for (int k = 0; k < 10 && oracle; ++k)
        expect_same(*law, *oracle, wide(random_C), 1e-10);
      expect_derivatives(*law, wide(random_C), false, 0.001);
    }
}

/// At rest, where powers have no derivative, it is elastic; both kinematics agree for small strains.
TEST(RambergOsgood, SmallStrainsAreElasticFirst)
{
  const auto law = make("ramberg-osgood", steel(3.)), finite = make("ramberg-osgood", steel(3., "logarithmic")),
             elastic = make("linear-elasticity", line("E", E) + line("nu", nu));
  expect_same(*law, *elastic, identity<Wide>(), 1e-12, E);
  const auto C = wide([] {
    Symmetric<double> C = random_symmetric(1e-6);
    for (int m = 0; m < 3; ++m)
      C[m] += 1.;
    return C;
  });
  const auto S = law->stress(C), large = finite->stress(C), linear = elastic->stress(C);
  for (int m = 0; m < 6; ++m)
  {
    EXPECT_NEAR(large[m][0], S[m][0], 1e-11 * E);
    EXPECT_NEAR(linear[m][0], S[m][0], 1e-10 * E);
  }
}

TEST(RambergOsgood, RandomStrainsStayFinite)
{
  for (const double exponent : {1.1, 5., 40.})
    for (const std::string kinematics : {"small", "logarithmic"})
    {
      const auto law = make("ramberg-osgood", steel(exponent, kinematics));
      for (int n = 0; n < 100000 / lanes / 6; ++n)
      {
        const double size = std::pow(10., random_number(6.) - 6.);
        const auto S = law->stress(wide([&] {
          Symmetric<double> C = random_C();
          for (int m = 0; m < 6; ++m)
            C[m] = (m < 3 ? 1. : 0.) + std::min(size, 1.) * (C[m] - (m < 3 ? 1. : 0.));
          return C;
        }));
        for (int m = 0; m < 6; ++m)
          for (int i = 0; i < lanes; ++i)
            ASSERT_TRUE(std::isfinite(S[m][i]));
      }
    }
}

TEST(RambergOsgood, BadInput)
{
  const std::string elastic = line("E", E) + line("nu", nu);
  const std::pair<std::string, std::string> cases[] = {
      {elastic, "the yield stress is 0"},
      {elastic + "set Yield stress = 1\n", "Yield offset alpha [-] is missing"},
      {elastic + "set Yield stress = 1\nset Yield offset = 0.4\n", "the exponent n must be > 1"},
      {elastic + "set Yield stress = 1\nset Yield offset = 0.4\nset Exponent = 1\n", "the exponent n must be > 1"},
      {elastic + "set Yield stress = 1\nset Yield offset = 0\nset Exponent = 2\n", "> 0"},
      {"set Yield stress = 1\nset Yield offset = 0.4\nset Exponent = 2\n", "no elastic constants"}};
  for (const auto &[text, expected] : cases)
    try
    {
      make("ramberg-osgood", text);
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}
}  // namespace symdyn::tests::in_ramberg_osgood
