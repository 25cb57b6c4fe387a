// *SURFACE and *CONTACT PAIR of beams in .inp files.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "tests/inp_column.h"

namespace symdyn::tests::in_touching_inp
{
using namespace of_column;
namespace
{
constexpr double radius = 0.01, span = 1., E = 210e9, nu = 0.3, gap = 2e-4, pull = 100.;

/// Two rods on supports that cross in their middles; the upper one is pulled down there.
std::string crossing(const std::string &surfaces = "*SURFACE, NAME=above\nupper\n*SURFACE, NAME=below\nlower,\n",
                     const std::string &pair = "*CONTACT PAIR, INTERACTION=si, TYPE=SURFACE TO SURFACE\nabove, below\n",
                     const std::string &behaviour = "LINEAR\n1e12\n", const double apart = gap)
{
  constexpr int elements = 8;
  std::string nodes = "*NODE, NSET=all\n", lines;
  for (int rod = 0; rod < 2; ++rod)
  {
    lines += rod == 0 ? "*ELEMENT, TYPE=B32, ELSET=upper\n" : "*ELEMENT, TYPE=B32, ELSET=lower\n";
    for (int i = 0; i <= 2 * elements; ++i)
    {
      const double s = span * (i / (2. * elements) - 0.5);
      nodes += rod == 0 ? fmt::format("{}, {}, 0, {}\n", 1 + i, s, 2. * radius + apart) : fmt::format("{}, 0, {}, 0\n", 101 + i, s);
    }
    for (int e = 0; e < elements; ++e)
      lines += fmt::format("{}, {}, {}, {}\n", 100 * rod + e + 1, 100 * rod + 2 * e + 1, 100 * rod + 2 * e + 2, 100 * rod + 2 * e + 3);
  }
  return nodes + lines + "*NSET, NSET=upper_nodes, GENERATE\n1, 17\n*MATERIAL, NAME=steel\n*ELASTIC\n" + fmt::format("{}, {}\n", E, nu) +
         fmt::format(
             "*BEAM SECTION, ELSET=upper, MATERIAL=steel, SECTION=CIRC\n{0}\n0, 0, 1\n"
             "*BEAM SECTION, ELSET=lower, MATERIAL=steel, SECTION=CIRC\n{0}\n0, 0, 1\n",
             2. * radius) +
         surfaces + pair + "*SURFACE INTERACTION, NAME=si\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=" + behaviour +
         "*BOUNDARY\n1, 1, 4\n17, 2, 3\n101, 1, 3\n101, 5, 5\n117, 1, 1\n117, 3, 3\n" +
         fmt::format("*STEP\n*STATIC\n0.25, 1.\n*CLOAD\n9, 3, {}\n*NODE PRINT, NSET=all\nU\n*END STEP\n", -pull);
}

/// What replaces the first place of a text in a file of crossing rods.
std::string changed(std::string text, const std::string &from, const std::string &to)
{
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
}  // namespace

/// Stiffness of a rod at its middle: 1/k = L³/48EI + L/4kGA. Both take what closes the gap: 2 F = P - k (gap + depth).
TEST(InpBeamContact, RodsThatCrossShareTheLoad)
{
  const double I = M_PI * std::pow(radius, 4) / 4., A = M_PI * radius * radius, kG = 6. * (1. + nu) / (7. + 6. * nu) * E / (2. * (1. + nu)),
               k = 1. / (span * span * span / (48. * E * I) + span / (4. * kG * A));
  const Folder folder;
  for (const char *type : {"SURFACE TO SURFACE", "NODE TO SURFACE"})
  {
    const Outcome run = run_column(folder, changed(crossing(), "SURFACE TO SURFACE", type));
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    EXPECT_NE(has(run.terminal, "patch test"), "") << "which is of faces";
    const double force = 0.5 * (pull - k * (gap - run.history.last("above.gap")));
    EXPECT_NEAR(run.history.last("above.force_z"), force, 2e-3 * force) << type;
    EXPECT_GT(force, 0.3 * pull);
  }
  const Outcome light = run_column(folder, changed(crossing(), "9, 3, -100", "9, 3, -10"));
  ASSERT_EQ(light.exit_code, 0) << light.terminal;
  EXPECT_EQ(light.history.last("above.points"), 0.) << "the control: 10 N do not close the gap";
}

/// A rod that lies on another one is held by it, one that is above it is not.
TEST(InpBeamContact, WhatTouchesIsClosed)
{
  const std::string surfaces = "*SURFACE, NAME=above\nupper\n*SURFACE, NAME=below\nlower,\n",
                    pair = "*CONTACT PAIR, INTERACTION=si, TYPE=SURFACE TO SURFACE\nabove, below\n";
  const auto guided = [&](const double apart) {
    return changed(crossing(surfaces, pair, "LINEAR\n1e12\n", apart), "1, 1, 4\n17, 2, 3\n", "1, 1, 2\n1, 4, 6\n17, 2, 2\n");
  };
  const Folder folder;
  const Outcome run = run_column(folder, guided(0.));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NEAR(run.history.last("above.force_z"), pull, 1e-6 * pull);
  expect_column_refused(guided(gap), "the stiffness is singular");
  expect_column_refused(guided(gap), "Open contacts resist nothing: above, open by 0.0002. Lower Clearance by the gap");
}

/// The ends of a rod are pressed down beside a cube that it lies on: the cube bears what they do.
TEST(InpBeamContact, ARodPressesACube)
{
  const std::string
      cube =
          "*NODE\n201, -0.3, -0.3, -0.61\n202, 0.3, -0.3, -0.61\n203, 0.3, 0.3, -0.61\n204, -0.3, 0.3, -0.61\n"
          "205, -0.3, -0.3, -0.01\n206, 0.3, -0.3, -0.01\n207, 0.3, 0.3, -0.01\n208, -0.3, 0.3, -0.01\n"
          "*ELEMENT, TYPE=C3D8, ELSET=cube\n201, 201, 202, 203, 204, 205, 206, 207, 208\n"
          "*MATERIAL, NAME=soft\n*ELASTIC\n1e7, 0.\n*SOLID SECTION, ELSET=cube, MATERIAL=soft\n",
      held = "*BOUNDARY\n1, 1, 5\n9, 1, 3\n17, 2, 3\n101, 1, 2\n101, 5, 5\n117, 1, 1\n201, 1, 3\n202, 1, 3\n203, 1, 3\n204, 1, 3\n";
  std::string deck =
      changed(crossing("*SURFACE, NAME=above\ncube, S2\n*SURFACE, NAME=below\nlower,\n"), "*NSET, NSET=upper", cube + "*NSET, NSET=upper");
  deck = changed(deck, deck.substr(deck.find("*BOUNDARY"), deck.find("*STEP") - deck.find("*BOUNDARY")), held);
  deck = changed(changed(deck, "*CLOAD\n9, 3, -100\n", "*BOUNDARY\n101, 3, 3, -1e-3\n117, 3, 3, -1e-3\n"), "1e12", "1e10");
  const Folder folder;
  const Outcome run = run_column(folder, deck);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  double ends = 0., foot = 0.;
  for (const int node : {101, 117})
    ends += run.history.last(fmt::format("node {}.R_z", node));
  for (const int node : {201, 202, 203, 204})
    foot += run.history.last(fmt::format("node {}.R_z", node));
  EXPECT_LT(ends, -10.);
  EXPECT_NEAR(foot, -ends, 1e-6 * std::abs(ends));
  EXPECT_NEAR(run.history.last("above.force_z"), ends, 1e-6 * std::abs(ends)) << "on the first surface, the cube";
}

TEST(InpBeamContact, RefusesWhatItCannot)
{
  const auto refused = [](const std::string &text, const std::string &words) { expect_column_refused(text, words); };
  const std::string below = "*SURFACE, NAME=below\nlower,\n", above = "*SURFACE, NAME=above\nupper\n";
  refused(crossing("*SURFACE, NAME=above\nupper, S3\n" + below), "beams touch all around their axis and have no faces. Remove 'S3'");
  refused(crossing("*SURFACE, NAME=above, TYPE=NODE\nupper_nodes\n" + below),
          "'above' has nodes of beams, which have neither area nor radius. Write *SURFACE, TYPE=ELEMENT with the beams");
  refused(crossing(above + below + "*ELSET, ELSET=above\n1, 2\n"),
          "there is an *ELSET of this name with other elements. Give the surface another name");
  refused(crossing(above + below, "*TIE\nabove, below\n"), "'above' is a surface of beams, which have no faces that *TIE needs");
  refused(crossing(above + below, "*CONTACT PAIR, INTERACTION=si, TYPE=NODE TO SURFACE, ADJUST=0.1\nabove, below\n"),
          "adjust needs faces, and 'above' is a beam");
  refused(
      crossing(above + below, "*CONTACT PAIR, INTERACTION=si, TYPE=NODE TO SURFACE\nabove, below\n", "HARD\n"),
      "(*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD) [Contact/above] Law = hard: hard needs faces, and 'above' is a beam, which has none. Set "
      "Law = barrier, linear, exponential or table. Set entries without a card by --set \"Contact/above/NAME=VALUE\"");
  refused(changed(crossing(), "*END STEP", "*CONTACT PRINT\nCSTR\n*END STEP"),
          "are of solids, and this structure has none. Remove the entry, or *CONTACT PRINT of the .inp file");
  refused(changed(crossing(), "SECTION=CIRC\n0.02\n", "SECTION=RECT\n0.01, 0.02\n"),
          "the section of beam 'upper' is rectangle, which has no radius: its axis touches. Set Clearance = -t");
  const std::string plate = "*NODE\n301, 5, 5, 5\n302, 6, 5, 5\n303, 5, 6, 5\n*ELEMENT, TYPE=S3, ELSET=plate\n301, 301, 302, 303\n";
  refused(crossing(plate + "*SURFACE, NAME=above\nupper\nplate, SPOS\n" + below), "above: has beams and faces. Give each a *SURFACE");
}
}  // namespace symdyn::tests::in_touching_inp
