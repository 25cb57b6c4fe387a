// Laws of bodies with a state at the start: their stress there, free strains, derivatives, dissipation.
#include <gtest/gtest.h>

#include <cmath>

#include "materials/algebra/tensor_functions.h"
#include "materials/section/material_section.h"
#include "solver/error.h"
#include "tests/materials/increments.h"

namespace symdyn::tests::in_prestrained
{
namespace
{
/// A point of a section of Materials that starts with a stress or a plastic strain.
class StartedPoint
{
public:
  StartedPoint(const std::string &text, const InitialPoint &start)
  {
    Deck deck = Deck::from_text("set Density = 1\n" + text, "test.prm");
    Parameters p = deck.root();
    section.declare_entries(p);
    section.make_law(p);
    section.initial = [start](unsigned int, const double *) { return start; };
    law = section.in_body(1.);
    const PrestrainedMaterial &of_start = *prestrained(*law);
    m = of_start.virgin();
    const std::array<unsigned int, lanes> cells{};
    const std::array<std::array<double, 3>, lanes> X{};
    of_start.begin(cells.data(), X.data(), m.data());
  }
  PointLaw increment(const double dt) const { return {*inelastic(*law), m.data(), dt}; }
  void accept(const Symmetric<Wide> &C, const double dt)
  {
    std::vector<Wide> next(m.size(), Wide(std::nan("")));
    inelastic(*law)->incremental_stress(C, m.data(), dt, next.data());
    m = next;
  }

  MaterialSection section;
  std::shared_ptr<const Material> law;
  std::vector<Wide> m;
};

const std::string elastic = "set E = 1000\nset nu = 0.3\n", yields = "set Yield stress = 60\nset Hardening modulus = 200\n",
                  small = "set Kinematics = small\n", additive = "set Kinematics = logarithmic\nset Backstress moduli = 100\n";
const std::vector<std::string> laws = {
    "set Type = linear-elasticity\n" + elastic,
    "set Type = neo-hooke-log\n" + elastic,
    "set Type = st-venant-kirchhoff\n" + elastic,
    "set Type = plastic\n" + elastic + yields,
    "set Type = plastic\n" + small + elastic + yields,
    "set Type = plastic\n" + additive + elastic + yields,
    "set Type = viscoelastic\nset Elastic = neo-hooke-log\nset Shear ratios = 0.3\nset Times = 1\n" + elastic};
const InitialPoint stressed{InitialPoint::stress, {20., -10., 5., 8., -3., 12.}},
    strained{InitialPoint::plastic_strain, {0.02, -0.01, -0.015, 0.008, 0.004, -0.006}};
}  // namespace

/// The undeformed body has Cauchy's stress of the deck; without the state it has none.
TEST(Prestrained, StartsWithItsStress)
{
  for (const std::string &text : laws)
  {
    SCOPED_TRACE(text);
    const StartedPoint point(text, stressed), virgin(text, {});
    const Symmetric<Wide> S = point.increment(0.).stress(identity<Wide>()), none = virgin.increment(0.).stress(identity<Wide>());
    for (int c = 0; c < 6; ++c)
    {
      EXPECT_NEAR(S[c][0], stressed.value[c], 1e-9 * E);
      EXPECT_NEAR(S[c][lanes - 1], stressed.value[c], 1e-9 * E);
      EXPECT_NEAR(none[c][0], 0., 1e-12 * E);
    }
    EXPECT_GT(point.increment(0.).psi(identity<Wide>())[0], 0.1) << "the strain of the start is stored";
  }
}

/// In plane stress, too: Cauchy's stress over J = sqrt(C_11 C_22 - C_12²) sqrt(C_33), and nothing is thicker at the start.
TEST(Prestrained, PlaneStressStartsWithItsStress)
{
  for (const std::string law : {"linear-elasticity", "st-venant-kirchhoff"})
  {
    const StartedPoint point("set Type = " + law + "\nset Plane = stress\n" + elastic,
                             {InitialPoint::stress, {60., -30., 0., 25., 0., 0.}});
    const Symmetric<Wide> I = identity<Wide>();
    EXPECT_NEAR(inelastic(*point.law)->thickness_stretch_squared(I, point.m.data(), 0.)[0], 1., 1e-13) << law;
    const Symmetric<Wide> S = point.increment(0.).stress(I);
    EXPECT_NEAR(S[0][0], 60., 1e-9 * E) << law;
    EXPECT_NEAR(S[1][0], -30., 1e-9 * E) << law;
    EXPECT_NEAR(S[3][0], 25., 1e-9 * E) << law;
  }
}

/// A free point takes its plastic strain without stress, and has stress without it.
TEST(Prestrained, FreePointsTakeTheirPlasticStrain)
{
  for (const std::string &text : laws)
  {
    SCOPED_TRACE(text);
    const StartedPoint point(text, strained);
    Symmetric<Wide> twice;
    for (int c = 0; c < 6; ++c)
      twice[c] = 2. * strained.value[c];
    const Symmetric<Wide> C = point.law->small_strain() ? shifted(twice, Wide(1.)) : exponential(twice);
    const Symmetric<Wide> S = point.increment(1.).stress(C);
    for (int c = 0; c < 6; ++c)
      EXPECT_NEAR(S[c][0], 0., 1e-11 * E);
    EXPECT_LT(point.increment(0.).stress(identity<Wide>())[0][0], -5.);
  }
}

TEST(Prestrained, DerivativesHaveSlopeTwo)
{
  for (std::string text : laws)
  {
    if (const std::size_t yields_at = text.find("stress = 60"); yields_at != std::string::npos)
      text.replace(yields_at, 11, "stress = 5");  // far from where it begins to flow
    SCOPED_TRACE(text);
    StartedPoint point(text, stressed);
    const bool polynomial = text.find("linear-el") != std::string::npos || text.find("st-venant") != std::string::npos;
    expect_derivatives(point.increment(0.5), wide(random_C), polynomial);
    point.accept(wide(random_C), 0.5);
    expect_derivatives(point.increment(0.), wide(random_C), polynomial || text.find("small") != std::string::npos);
  }
}

/// The stress of the start counts where the body yields.
TEST(Prestrained, YieldsByTheWholeStress)
{
  const auto flow = [](const double sigma, const double gamma) {
    StartedPoint point(laws[4], {InitialPoint::stress, {0., 0., 0., sigma, 0., 0.}});
    Symmetric<Wide> C = identity<Wide>();
    C[3] = gamma;
    point.accept(C, 1.);
    EXPECT_GE(inelastic(*point.law)->dissipated(point.m.data())[0], 0.);
    return inelastic(*point.law)->flow(point.m.data())[0];
  };
  const double mu = 1000. / 2.6, tau_y = 60. / std::sqrt(3.), gamma = 0.95 * tau_y / mu;
  EXPECT_EQ(flow(0., gamma), 0.);
  EXPECT_EQ(flow(-20., gamma), 0.);
  EXPECT_NEAR(flow(20., gamma), std::sqrt(3.) * (20. - 0.05 * tau_y) / (3. * mu + 200.), 1e-12);
}

TEST(Prestrained, WhatCannotBeIsRefused)
{
  const InitialPoint beyond{InitialPoint::stress, {-1e9, 1e9, 0., 0., 0., 0.}};
  EXPECT_THROW(StartedPoint("set Type = st-venant-kirchhoff\n" + elastic, beyond), InputError);
}
}  // namespace symdyn::tests::in_prestrained
