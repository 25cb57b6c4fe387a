// Constants of elasticity, isotropic and not: pairs that are the same, axes that turn, numbers that are refused.
#include <gtest/gtest.h>

#include "tests/materials.h"

namespace symdyn::tests::in_elastic_constants
{
namespace
{
std::string axes_of(const std::array<std::array<double, 3>, 3> &Q)  // columns of Q: the first two axes
{
  char text[256];
  std::snprintf(text, sizeof text, "set Axes = %.17g, %.17g, %.17g, %.17g, %.17g, %.17g\n", Q[0][0], Q[1][0], Q[2][0], Q[0][1], Q[1][1],
                Q[2][1]);
  return text;
}

const std::string timber = "set E = 11e3, 0.9e3, 0.5e3\nset nu = 0.4, 0.42, 0.5\nset G = 0.7e3, 0.6e3, 0.05e3\n";
const std::string triclinic = "set Stiffness = 100, 30, 80, 20, 25, 90, 5, -4, 3, 40, 6, 2, -3, 1, 35, -2, 4, 1, 3, -2, 30\n";
}  // namespace

/// A material and its axes turned together see the turned strain as before; with the axes alone they do not.
TEST(Anisotropic, TurnsWithItsAxes)
{
  for (const std::string name : {"linear-elasticity-anisotropic", "st-venant-kirchhoff-anisotropic"})
    for (const std::string &moduli : {timber, triclinic})
    {
      const auto fixed = make(name, moduli);
      const Symmetric<double> C = random_C();
      const auto Q = random_rotation();
      const auto turned = make(name, moduli + axes_of(Q));
      const double psi = fixed->psi(wide([&] { return C; }))[0];
      EXPECT_NEAR(turned->psi(wide([&] { return rotate(C, Q); }))[0], psi, 1e-12 * psi);
      EXPECT_GT(std::abs(turned->psi(wide([&] { return C; }))[0] - psi), 1e-4 * psi) << "negative control";
      expect_same(*turned, *turned->differentiated(), wide(random_C));
    }
}

/// The orders of the moduli, and a bar of timber under tension: eps22 = -nu12 sigma/E1.
TEST(Anisotropic, ConstantsAreTheNamedOnes)
{
  Symmetric<Wide> S;
  Tangent<Wide> D;
  make("linear-elasticity-anisotropic", triclinic)->tangent(identity<Wide>(), S, D);
  EXPECT_EQ(D(0, 0)[0], 100.);
  EXPECT_EQ(D(1, 2)[0], 25.);
  EXPECT_EQ(D(2, 3)[0], 3.) << "D3312";
  EXPECT_EQ(D(3, 4)[0], 1.) << "D1213";
  EXPECT_EQ(D(5, 5)[0], 30.);
  make("linear-elasticity-anisotropic", "set Stiffness = 100, 30, 80, 20, 25, 90, 40, 35, 30\n")->tangent(identity<Wide>(), S, D);
  EXPECT_EQ(D(4, 4)[0], 35.) << "D1313";
  EXPECT_EQ(D(2, 3)[0], 0.);
  const auto wood = make("linear-elasticity-anisotropic", timber);
  const double sigma = 7., eps = sigma / 11e3;
  Symmetric<Wide> C = identity<Wide>();
  C[0] += 2. * eps;
  C[1] -= 2. * 0.4 * eps;
  C[2] -= 2. * 0.42 * eps;
  const Symmetric<Wide> stress = wood->stress(C);
  EXPECT_NEAR(stress[0][0], sigma, 1e-10);
  for (int m = 1; m < 6; ++m)
    EXPECT_NEAR(stress[m][0], 0., 1e-10);
}

TEST(Anisotropic, BadModuliAreRefused)
{
  const auto refused = [](const std::string &constants, const std::string &part) {
    try
    {
      make("linear-elasticity-anisotropic", constants);
      ADD_FAILURE() << constants;
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused("set Stiffness = 100, 130, 80, 20, 25, 90, 40, 35, 30\n", "positive definite");
  refused("set Stiffness = 100, 30, 80, 20, 25, 90, 40, 0, 30\n", "positive definite");
  refused("set Stiffness = 100, 30\n", "9 (orthotropic) or 21");
  refused("set E = 11e3, 0.9e3, 0.5e3\nset nu = 4, 0.42, 0.5\nset G = 700, 600, 50\n", "positive definite");
  refused("set E = 11e3, 0.9e3\nset nu = 0.4, 0.42, 0.5\nset G = 700, 600, 50\n", "three numbers");
  refused("set E = 11e3, -0.9e3, 1e3\nset nu = 0.4, 0.42, 0.5\nset G = 700, 600, 50\n", "must be > 0");
  refused(timber + "set Axes = 1, 0, 0, 2, 0, 0\n", "parallel");
  refused(timber + "set Axes = 1, 0, 0\n", "six numbers");
  refused(timber + "set Stiffness = 100, 30, 80, 20, 25, 90, 40, 35, 30\n", "either");
  refused("", "either");
}

TEST(ElasticConstants, PairsAreTheSame)
{
  const auto a = make("neo-hooke-log", line("E", E) + line("nu", nu));
  const Symmetric<Wide> C = wide(random_C);
  expect_same(*a, *make("neo-hooke-log", line("lambda", lambda) + line("mu", mu)), C);
  expect_same(*a, *make("neo-hooke-log", line("kappa", kappa) + line("mu", mu)), C);
}

TEST(ElasticConstants, BadOnesAreRefused)
{
  const std::vector<std::array<std::string, 3>> bad = {
      {"set E = 1000\nset nu = 0.5\n", "test.prm:2", "Use e.g. nu = 0.499"},
      {"set E = 1000\nset nu = 0.7\n", "test.prm:2", "is 0.7 but must be < 0.5"},
      {"set E = 1000\nset nu = -1\n", "test.prm:2", "is -1 but must be > -1"},
      {"set E = -3\nset nu = 0.3\n", "test.prm:1", "is -3 Pa but must be > 0"},
      {"set kappa = 10\nset mu = 0\n", "test.prm:2", "is 0 Pa but must be > 0"},
      {"set kappa = -10\nset mu = 1\n", "test.prm:1", "is -10 Pa but must be > 0"},
      {"set lambda = -1\nset mu = 1\n", "test.prm:1", "Give lambda > -2/3 mu"},
      {"set E = 1000\n", "test.prm:1", "constants given are E,"},
      {"set E = 1000\nset mu = 300\n", "test.prm", "constants given are E, mu,"},
      {"set E = 1000\nset nu = 0.3\nset lambda = 1\nset mu = 1\n", "test.prm", "Remove all but one pair"},
      {"", "test.prm", "no elastic constants are given"}};
  for (const auto &[text, place, rule] : bad)
    try
    {
      make("neo-hooke-simo", text);
      ADD_FAILURE() << "accepted: " << text;
    }
    catch (const InputError &error)
    {
      const std::string message = error.what();
      EXPECT_NE(message.find(place), std::string::npos) << message;
      EXPECT_NE(message.find(rule), std::string::npos) << message;
    }
}

TEST(ElasticConstants, MooneyRivlinAndOgdenRefuse)
{
  EXPECT_THROW(make("mooney-rivlin", "set c10 = 1\nset kappa = 1\n"), InputError);
  EXPECT_THROW(make("mooney-rivlin", "set c10 = 1\nset c01 = -2\nset kappa = 1\n"), InputError);
  EXPECT_THROW(make("mooney-rivlin", "set c10 = 1\nset c01 = 2\nset kappa = 0\n"), InputError);
  EXPECT_THROW(make("ogden", ogden("1, 2", "2")), InputError);
  EXPECT_THROW(make("ogden", ogden("1, 2", "2, 0")), InputError);
  EXPECT_THROW(make("ogden", ogden("-1", "2")), InputError);
  EXPECT_THROW(make("ogden", "set mu = 1\nset alpha = 2\n"), InputError);
}
}  // namespace symdyn::tests::in_elastic_constants
