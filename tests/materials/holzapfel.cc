// `holzapfel` against the formula of the paper, and its fibres.
#include <gtest/gtest.h>

#include "tests/materials/increments.h"

namespace symdyn::tests::in_holzapfel
{
namespace
{
const std::string artery = line("c10", 7640.) + line("k1", 996600.) + line("k2", 5.246) + line("kappa", 1e7);
const std::string angles = "set Angles = 39.87, -39.87\n";
const double F[3][3] = {{1.1, 0.1, 0.}, {0.05, 1.05, 0.02}, {0., 0., 0.9}};

Symmetric<Wide> squared(const double (&F)[3][3])
{
  Symmetric<Wide> C{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        C(i, j) += F[k][i] * F[k][j];
  return C;
}
}  // namespace

// Reference numbers: the formula of Gasser, Ogden, Holzapfel 2006, stresses by differences of psi; fibres at ±39.87 degrees in xy.
TEST(Holzapfel, EnergyAndStressAreTheFormula)
{
  const struct
  {
    double dispersion, psi, S[6];
  } cases[] = {{0., 64403.65714841, {505027.072, 330947.697, -81793.1725, 474025.13, -168.2204, 1850.4243}},
               {0.226, 13006.34667022, {326475.7659, 330627.2331, 374995.0174, 3220.5669, 526.7593, -5794.3518}}};
  for (const auto &[dispersion, psi, expected] : cases)
  {
    const auto law = make("holzapfel", artery + angles + line("Dispersion", dispersion));
    const auto C = squared(F), S = law->stress(C);
    EXPECT_NEAR(law->psi(C)[0], psi, 1e-9 * psi);
    for (int m = 0; m < 6; ++m)
      EXPECT_NEAR(S[m][0], expected[m], 1e-5 * expected[0]) << m;
  }
}

/// Cauchy stress of the incompressible body: stretch, lateral stretch in the plane of the fibres, stress along.
TEST(Holzapfel, UniaxialTension)
{
  const double parallel[][3] = {{1.1, 0.844488998, 17344.15203}, {1.2, 0.656634124, 83669.58157}},
               dispersed[][3] = {{1.1, 0.887342389, 26156.51477}, {1.2, 0.82795332, 117384.18779}};
  for (const auto *values : {parallel, dispersed})
    for (int k = 0; k < 2; ++k)
    {
      const auto law = make("holzapfel", artery + angles + line("Dispersion", values == parallel ? 0. : 0.226));
      const double along = values[k][0], lateral = values[k][1], other = 1. / (along * lateral);
      const Symmetric<Wide> S = law->stress(Symmetric<Wide>{{along * along, lateral * lateral, other * other, 0., 0., 0.}});
      const double free = S[2][0] * other * other;
      EXPECT_NEAR(S[0][0] * along * along - free, values[k][2], 1e-7 * values[k][2]);
      EXPECT_NEAR(S[1][0] * lateral * lateral - free, 0., 1e-7 * values[k][2]);
    }
}

TEST(Holzapfel, DerivativesOfTheEnergy)
{
  for (const double dispersion : {0., 0.2})
  {
    const auto law = make("holzapfel", line("c10", 0.5 * mu) + line("k1", mu) + line("k2", 0.7) + line("kappa", kappa) +
                                           line("Dispersion", dispersion) + "set Fibres = 1, 2, 0.5, -1, 1, 1\n");
    const auto oracle = law->differentiated();
    for (int k = 0; k < 20; ++k)
      expect_same(*law, *oracle, wide(random_C), 1e-11);
    expect_derivatives(*law, squared(F), false, 0.001);
  }
}

/// Angles count in the plane of Axes; Fibres name the same directions; D = 2/kappa.
TEST(Holzapfel, FibresInAnyWords)
{
  const std::string constants = line("c10", 1.) + line("k1", 5.) + line("k2", 1.);
  const auto by_angles = make("holzapfel", constants + "set kappa = 10\nset Axes = 0, 0, 2, 0, 3, 1\nset Angles = 30, 90\n"),
             by_fibres = make("holzapfel", constants + "set D = 0.2\n" + "set Fibres = 0, 1, 1.7320508075688772, 0, -4, 0\n");
  expect_same(*by_angles, *by_fibres, wide(random_C));
}

/// Compressed fibres carry nothing, and tension across the edge grows from zero.
TEST(Holzapfel, FibresBearTensionOnly)
{
  const auto law = make("holzapfel", line("c10", 1.) + line("k1", 500.) + line("k2", 1.) + line("kappa", 10.) + "set Fibres = 1, 0, 0\n"),
             matrix = make("neo-hooke-simo", line("mu", 2.) + line("kappa", 10.));
  const auto stretched = [](const double x) { return Symmetric<Wide>{{x * x, 1. / x, 1. / x, 0., 0., 0.}}; };
  const auto along = [&](const double x) { return law->stress(stretched(x))[0][0] - matrix->stress(stretched(x))[0][0]; };
  for (const double x : {0.3, 0.7, 0.99, 1.})
    expect_near({along(x)}, {0.}, 1e-13, 1.);
  EXPECT_NEAR(along(1.001) / along(1.0005), 2., 0.01);
}

TEST(Holzapfel, BadInput)
{
  const std::string k = line("c10", 1.) + line("k1", 5.) + line("k2", 1.), bulk = "set kappa = 10\n";
  const std::pair<std::string, std::string> cases[] = {{k + bulk, "either by Angles or by Fibres"},
                                                       {k + bulk + angles + "set Fibres = 1, 0, 0\n", "either by Angles or by Fibres"},
                                                       {k + bulk + "set Fibres = 1, 0\n", "every family has three components"},
                                                       {k + bulk + "set Fibres = 0, 0, 0\n", "a direction has the length 0"},
                                                       {k + bulk + "set Axes = 1, 0, 0, 0, 1, 0\nset Fibres = 1, 0, 0\n", "Remove Axes"},
                                                       {k + angles, "either by kappa [Pa] or by D"},
                                                       {k + bulk + "set D = 1\n" + angles, "either by kappa [Pa] or by D"},
                                                       {line("c10", 1.) + bulk + angles, "k1 is missing"},
                                                       {k + bulk + angles + "set Dispersion = 0.4\n", "0.4"}};
  for (const auto &[text, expected] : cases)
    try
    {
      make("holzapfel", text);
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}
}  // namespace symdyn::tests::in_holzapfel
