// `hyperfoam` against its formula in principal stretches.
#include <gtest/gtest.h>

#include "tests/materials/increments.h"

namespace symdyn::tests::in_hyperfoam
{
namespace
{
const std::string foam = "set mu = 18500, -9200\nset alpha = 4.5, -4.5\nset nu = 0.092, 0.092\n";
}  // namespace

// Reference numbers: the formula (Abaqus, CalculiX *HYPERFOAM) in stretches 0.8, 1.05, 1.1.
TEST(Hyperfoam, PrincipalStretches)
{
  const auto law = make("hyperfoam", foam);
  const double l[] = {0.8, 1.05, 1.1}, J = l[0] * l[1] * l[2], cauchy[] = {1825.09376575, 1122.31896768, 3032.15084502};
  const Symmetric<Wide> C{{l[0] * l[0], l[1] * l[1], l[2] * l[2], 0., 0., 0.}}, S = law->stress(C);
  EXPECT_NEAR(law->psi(C)[0], 173.7822525, 1e-9 * 173.8);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(S[i][0] * l[i] * l[i] / J, cauchy[i], 1e-9 * cauchy[2]);
}

/// Example beamhf of CalculiX 2.20: one term, no Poisson effect of its own; 0.01 of nominal stress.
TEST(Hyperfoam, BarOfCalculiX)
{
  const auto law = make("hyperfoam", "set mu = 0.164861, 2.302e-5\nset alpha = 8.88413, -4.81798\n");
  const double l = 1.027898237451;
  EXPECT_NEAR(law->stress(Symmetric<Wide>{{l * l, 1., 1., 0., 0., 0.}})[0][0] * l, 0.01, 1e-9);
}

TEST(Hyperfoam, DerivativesOfTheEnergy)
{
  for (const std::string text : {"set mu = 300, 100, -20\nset alpha = 3, 8, -2\nset nu = 0.3, 0.1, 0\n", "set mu = 400\nset alpha = 2\n"})
  {
    const auto law = make("hyperfoam", text);
    for (int k = 0; k < 5; ++k)
      expect_derivatives(*law, wide(random_C), false, 0.001);
    // where stretches coincide, the divided differences are derivatives
    expect_derivatives(*law, wide([] { return with_squared_stretches(1.2, 0.8, 0.8); }), false, 0.001);
  }
}

/// nu = 0 is the limit of small nu.
TEST(Hyperfoam, NoPoissonEffectIsALimit)
{
  const std::string text = "set mu = 400\nset alpha = 2.5\n";
  const auto limit = make("hyperfoam", text), near = make("hyperfoam", text + "set nu = 1e-9\n");
  for (int k = 0; k < 5; ++k)
  {
    const auto C = wide(random_C);
    EXPECT_NEAR(near->psi(C)[0], limit->psi(C)[0], 1e-5);
    expect_same(*near, *limit, C, 1e-7);
  }
}

TEST(Hyperfoam, BadInput)
{
  const std::pair<std::string, std::string> cases[] = {{"set mu = 1\n", "alpha is missing"},
                                                       {"set mu = 1, 1, 1, 1\nset alpha = 1, 1, 1, 1\n", "hyperfoam has 1 to 3"},
                                                       {"set mu = 1, 1\nset alpha = 1\n", "1 numbers for 2 factors"},
                                                       {"set mu = 1\nset alpha = 1\nset nu = 0.1, 0.1\n", "2 numbers for 1 factors"},
                                                       {"set mu = 1\nset alpha = 0\n", "not 0"},
                                                       {"set mu = 1\nset alpha = 2\nset nu = 0.5\n", "> -1 and < 0.5"},
                                                       {"set mu = -1\nset alpha = 2\n", "shear modulus"},
                                                       {"set mu = 3, -2.9\nset alpha = 2, -2\nset nu = -0.9, 0.49\n", "bulk modulus"}};
  for (const auto &[text, expected] : cases)
    try
    {
      make("hyperfoam", text);
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
}
}  // namespace symdyn::tests::in_hyperfoam
