// Laws at temperatures: derivatives, free expansion, constants over the temperature, memories that are heated and cooled.
#include <gtest/gtest.h>

#include <cmath>

#include "materials/section/heated.h"
#include "materials/section/material_section.h"
#include "solver/error.h"
#include "tests/materials.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_heated
{
namespace
{
/// A law of a section of Materials, heated, and points of it.
class HeatedPoint
{
public:
  HeatedPoint(const std::string &text, const double T0) : law(heated_material(text)), m(heated_law().variables())
  {
    heated_law().begin(Wide(T0), m.data());
  }

  const HeatedMaterial &heated_law() const { return *heated(*law); }
  void heat(const double T) { heated_law().heat(Wide(T), 1., m.data()); }
  PointLaw increment(const double dt) const { return {heated_law(), m.data(), dt}; }
  Symmetric<Wide> accept(const Symmetric<Wide> &C, const double dt)
  {
    std::vector<Wide> next(m.size(), Wide(std::nan("")));
    const Symmetric<Wide> S = heated_law().incremental_stress(C, m.data(), dt, next.data());
    m = next;
    return S;
  }
  double dissipated() const { return heated_law().dissipated(m.data())[0]; }

  std::shared_ptr<const Material> law;
  std::vector<Wide> m;
};

const std::string elastic = "set E = 1000\nset nu = 0.3\n", expands = "set Expansion = 1e-3\n",
                  along_axes = "set Expansion = 1e-3, 2e-3, -0.5e-3\nset Axes = 1, 1, 0, 0, 1, 1\n";

/// C of a free point whose expansions along the axes are these.
Symmetric<Wide> free_strain(const bool small, const std::array<double, 3> &eps, const std::array<std::array<double, 3>, 3> &axes)
{
  Symmetric<Wide> C{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      for (int d = 0; d < 3; ++d)
        C(i, j) += Wide((small ? 1. + 2. * eps[d] : (1. + eps[d]) * (1. + eps[d])) * axes[d][i] * axes[d][j]);
  return C;
}
}  // namespace

TEST(Heated, DerivativesHaveSlopeTwo)
{
  for (const std::string law : {"set Type = neo-hooke-log\n", "set Type = st-venant-kirchhoff\n",
                                "set Type = plastic\nset Yield stress = 20\nset Hardening modulus = 200\n",
                                "set Type = plastic\nset Kinematics = logarithmic\nset Yield stress = 20\nset Backstress moduli = 100\n"})
    for (const std::string &expansion : {expands, along_axes})
    {
      SCOPED_TRACE(law + expansion);
      HeatedPoint point(law + elastic + expansion, 20.);
      point.heat(80.);
      const bool polynomial = law.find("st-venant") != std::string::npos;
      expect_derivatives(point.increment(0.5), wide(random_C), polynomial);
      point.accept(wide(random_C), 0.5);
      expect_derivatives(point.increment(0.), wide(random_C), polynomial);
    }
}

/// A free point takes its thermal strain without stress, and nothing else is without stress.
TEST(Heated, FreePointsHaveNoStress)
{
  for (const std::string law : {"linear-elasticity", "neo-hooke-log", "st-venant-kirchhoff", "plastic"})
    for (const std::string &expansion : {expands, along_axes})
    {
      SCOPED_TRACE(law + ", " + expansion);
      HeatedPoint point("set Type = " + law + "\n" + elastic + (law == "plastic" ? "set Yield stress = 4\n" : "") + expansion, 20.);
      point.heat(120.);
      Expansion only;
      Deck deck = Deck::from_text(expansion, "test.prm");
      Parameters p = deck.root();
      only.declare(p);
      std::array<double, 3> eps = only.strain(120.);
      const bool small = point.law->small_strain();
      const Symmetric<Wide> S = point.increment(1.).stress(free_strain(small, eps, only.axes()));
      for (int m = 0; m < 6; ++m)
        EXPECT_NEAR(S[m][0], 0., 1e-12 * E);
      eps[0] *= 1.01;
      EXPECT_GT(std::abs(point.increment(1.).stress(free_strain(small, eps, only.axes()))[0][0]), 1e-4 * E * std::abs(eps[0]));
    }
}

/// alpha is a secant from the reference temperature: the strain from T_0 to T is alpha(T) (T - T_ref) - alpha(T_0) (T_0 - T_ref).
TEST(Heated, ExpansionOfATableIsASecant)
{
  HeatedPoint point(
      "set Type = linear-elasticity\n" + elastic + "set Expansion table = 0 1e-5, 100 2e-5, 300 3e-5\nset Reference temperature = 10\n",
      50.);
  point.heat(200.);
  const double eps = 2.5e-5 * 190. - 1.5e-5 * 40., kappa = 1000. / (3. * 0.4);
  EXPECT_NEAR(point.increment(1.).stress(identity<Wide>())[0][0], -3. * kappa * eps, 1e-12 * E);
  EXPECT_THROW(point.heat(301.), InputError);
  EXPECT_THROW(point.heat(-1.), InputError);
}

/// Constants at two temperatures: psi is linear between them, and each of the laws at its own.
TEST(Heated, ConstantsOverTheTemperature)
{
  const std::string other = "subsection At temperatures\nsubsection 100\nset E = 400\nset nu = 0.3\nend\nend\n";
  HeatedPoint point("set Type = st-venant-kirchhoff\nset Temperature = 0\n" + elastic + other, 0.);
  const Symmetric<Wide> C = wide(random_C);
  const double cold = point.increment(1.).stress(C)[0][0];
  const auto expect_modulus = [&](const double T, const double part) {
    point.heat(T);
    EXPECT_NEAR(point.increment(1.).stress(C)[0][0], part * cold, 1e-12 * E);
    EXPECT_NEAR(point.increment(1.).psi(C)[0], part * HeatedPoint("set Type = st-venant-kirchhoff\n" + elastic, 0.).increment(1.).psi(C)[0],
                1e-12 * E);
  };
  expect_modulus(100., 0.4);
  expect_modulus(25., 0.85);
  point.heat(25.);
  expect_derivatives(point.increment(1.), C, true);
  EXPECT_THROW(point.heat(100.1), InputError);
}

/// What is dissipated per undeformed volume never falls, though the body shrinks again: each increment counts at its own volume.
TEST(Heated, CoolingGivesNoDissipationBack)
{
  HeatedPoint point("set Type = plastic\nset Yield stress = 20\n" + elastic + "set Expansion = 5e-3\n", 20.);
  point.heat(60.);
  Symmetric<Wide> C = identity<Wide>();
  C[0] = 1.6;
  point.accept(C, 1.);
  const double hot = point.dissipated();
  EXPECT_GT(hot, 0.);
  point.heat(20.);
  C = identity<Wide>();
  C[0] = 1.45;  // elastic
  point.accept(C, 1.);
  EXPECT_GE(point.dissipated(), hot);
}

TEST(Heated, BadEntriesAreNamed)
{
  const auto refused = [](const std::string &text, const std::string &what) {
    try
    {
      HeatedPoint point(text, 20.);
      ADD_FAILURE() << text << " passed";
    }
    catch (const InputError &error)
    {
      EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << error.what();
    }
  };
  const std::string linear = "set Type = linear-elasticity\n" + elastic;
  refused(linear + "set Expansion = 1e-5, 2e-5\n", "has 2 numbers. Give 1, or 3");
  refused(linear + "set Expansion = 1e-5\nset Expansion table = 0 1e-5\n", "is given by another entry");
  refused(linear + "set Expansion table = 0 1e-5, 0 2e-5\n", "point 2: \"0 2e-5\": T does not grow");
  refused(linear + "set Expansion table = 0 1e-5 x\n", "is not two numbers T alpha");
  refused(linear + "set Temperature = 20\n", "has no effect without constants at other temperatures");
  refused(linear + "subsection At temperatures\nsubsection hot\nset E = 1\nset nu = 0\nend\nend\nset Temperature = 1\n",
          "the name of the section is the temperature");
  refused(linear + "subsection At temperatures\nsubsection 20\nset E = 1\nset nu = 0\nend\nend\nset Temperature = 20\n",
          "two sections have the constants of one temperature");
}
}  // namespace symdyn::tests::in_heated
