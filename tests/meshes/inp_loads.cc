// Which loads of an .inp file act in which step: as CalculiX has it.
#include "solver/deck/deck.h"
#include "tests/input.h"

namespace symdyn::in_inp_loads
{
namespace
{
const std::string model =
    "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n"
    "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=high\n5, 6, 7, 8\n*NSET, NSET=edge\n7, 8\n"
    "*MATERIAL, NAME=Steel\n*ELASTIC\n210000., .3\n*DENSITY\n2.\n*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3\n"
    "*AMPLITUDE, NAME=a\n0., 0., 1., 1.\n*AMPLITUDE, NAME=total, TIME=TOTAL TIME\n0., 0., 1., 1.\n";

class InpLoads : public ::testing::Test
{
protected:
  std::string prm(const std::string &steps) const { return Deck::read(folder.file("model.inp", model + steps)).as_prm(); }
  void expect_lines(const std::string &steps, const std::vector<std::string> &lines) const
  {
    const std::string deck = prm(steps);
    for (const std::string &line : lines)
      EXPECT_NE(deck.find(line), std::string::npos) << line << " is not in:\n" << deck;
  }
  void expect_refused(const std::string &steps, const std::vector<std::string> &parts) const
  {
    const std::string said = message([&] { prm(steps); });
    for (const std::string &part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
  }
  DeckFolder folder;
};

std::string statics(const std::string &loads) { return "*STEP\n*STATIC\n" + loads + "*END STEP\n"; }
std::string dynamics(const std::string &loads) { return "*STEP\n*DYNAMIC, DIRECT\n0.1, 1.\n" + loads + "*END STEP\n"; }
std::string stage(const int number, const std::string &loads)
{
  return "subsection step-" + std::to_string(number) + "\n    set Type = static\n    set Free motions = held\n    set Loads = " + loads +
         "\n";
}
}  // namespace

TEST_F(InpLoads, ZeroEndsALoad)
{
  expect_lines(statics("*CLOAD\nhigh, 3, -1.\n*DLOAD\nCUBE, P2, 1.\nCUBE, GRAV, 9.81, 0., 0., -1.\n") +
                   statics("*CLOAD\nhigh, 3, 0.\n*DLOAD\nCUBE, P2, 0.\nCUBE, GRAV, 0., 0., 0., -1.\n"),
               {stage(1, "high, CUBE.GRAV, CUBE.P2"), stage(2, "none")});
  expect_lines(statics("*CLOAD\nhigh, 3, -1.\n") + statics(""), {stage(1, "high"), stage(2, "high")});
}

TEST_F(InpLoads, LoadsOfOneStepAddUp)
{
  const std::string twice =
      "*DLOAD\nCUBE, P2, 1.\nCUBE, P2, 2.\nCUBE, GRAV, 1., 1., 0., 0.\nCUBE, GRAV, 2., 0., 1., 0.\n*CLOAD\nhigh, 1, 1.\n*CLOAD\nhigh, 1, 2.\n";
  expect_lines(statics(twice) + statics(""), {stage(1, "high, high (2), CUBE.GRAV (2), CUBE.GRAV, CUBE.P2, CUBE.P2 (2)"), "Pressure = 1\n",
                                              "Pressure = 2\n", "Force = 1, 0, 0", "Force = 2, 0, 0"});
  expect_lines(statics(twice), {"subsection high (2)", "subsection CUBE.P2 (2)", "subsection CUBE.GRAV (2)"});
}

TEST_F(InpLoads, ALaterStepReplacesWhatItNames)
{
  // Components that are not named again stay.
  expect_lines(statics("*CLOAD\nhigh, 1, 1.\nhigh, 3, -1.\n") + statics("*CLOAD\nHIGH, 3, -2.\n"),
               {stage(2, "high (2)"), "Force = 1, 0, -2"});
  // The same places under another name.
  expect_lines(statics("*CLOAD\nedge, 3, -1.\n*DLOAD\n1, P2, 1.\n") + statics("*CLOAD\nhigh, 3, -2.\n*DLOAD\nCUBE, P2, 3.\n"),
               {stage(1, "edge, 1.P2"), stage(2, "high, CUBE.P2")});
  expect_lines(statics("*CLOAD\nedge, 1, -1.\n") + statics("*CLOAD\nhigh, 3, -2.\n"), {stage(2, "edge, high")});
  expect_lines(statics("*DLOAD\nCUBE, GRAV, 9., 0., 0., -1.\n") + statics("*DLOAD\n1, GRAV, 5., 0., 0., -2.\n"), {stage(2, "1.GRAV")});
  expect_refused(statics("*CLOAD\nhigh, 3, -1.\n") + statics("*CLOAD\nedge, 3, -2.\n"),
                 {"model.inp:38: edge: acts where a part of the load on high", "model.inp:33"});
  expect_lines(statics("*CLOAD\nhigh, 3, -1.\n") + statics("*CLOAD, OP=NEW\nedge, 3, -2.\n"), {stage(2, "edge")});
  expect_refused(statics("*CLOAD, OP=SOME\nhigh, 3, -1.\n"), {"OP=SOME"});
}

TEST_F(InpLoads, AmplitudesThatWouldBeginAnew)
{
  const std::string load = "*CLOAD, AMPLITUDE=A\nhigh, 3, -1.\n", again = "would restart";
  expect_refused(dynamics(load) + dynamics(""), {"model.inp:33: AMPLITUDE=A: this load stays active in step-2", again});
  expect_refused(statics(load) + dynamics(""), {again});
  expect_lines(dynamics(load) + dynamics(load), {"Amplitude points = 0, 0, 1, 1\n", "Amplitude points = 1, 0, 2, 1\n"});
  expect_lines(dynamics(load) + dynamics("*CLOAD, OP=NEW\n7, 1, 1.\n"), {"set Loads = node 7"});
  expect_lines(dynamics("*CLOAD, AMPLITUDE=TOTAL\nhigh, 3, -1.\n") + dynamics(""), {"set Loads = high"});
  expect_refused("*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS\n1., 2.\n" + load + "*END STEP\n",
                 {"AMPLITUDE=A", "function of frequency"});
  expect_refused(dynamics(load) + dynamics("*CLOAD\nhigh, 1, 2.\n"), {"Give all of its components again"});
}

TEST_F(InpLoads, ModalStepsReplaceAndEndThemToo)
{
  const auto loads_of = [&](const std::string &again) {
    const std::string deck = prm(statics("*CLOAD\nhigh, 3, -1.\n") + "*STEP\n*FREQUENCY\n2\n*END STEP\n*STEP\n*MODAL DYNAMIC\n0.1, 1.\n" +
                                 again + "*END STEP\n");
    const auto at = deck.find("set Loads = ", deck.find("subsection step-3")) + 12;
    return deck.substr(at, deck.find('\n', at) - at) + (deck.find("Force = 5, 0, -1") == std::string::npos ? "" : ", both components");
  };
  EXPECT_EQ(loads_of(""), "high");
  EXPECT_EQ(loads_of("*CLOAD\nhigh, 3, 0.\n"), "none");
  EXPECT_EQ(loads_of("*CLOAD\nhigh, 3, -2.\n"), "high (2)");
  EXPECT_EQ(loads_of("*CLOAD\nhigh, 1, 5.\n"), "high (2), both components");
  EXPECT_EQ(loads_of("*CLOAD, OP=NEW\n7, 1, 1.\n"), "node 7");
  EXPECT_EQ(loads_of("*DLOAD\nCUBE, P2, 1.\n"), "high, CUBE.P2");
}

TEST_F(InpLoads, SupportsWhoseAmplitudeWouldBeginAnew)
{
  const std::string motion = "*BOUNDARY, AMPLITUDE=A\nhigh, 1, 1, 0.5\n";
  expect_refused(dynamics(motion) + dynamics(""), {"model.inp:33: AMPLITUDE=A: this motion stays active in step-2", "(*BOUNDARY, FIXED)"});
  expect_lines(dynamics(motion) + dynamics("*BOUNDARY, FIXED\nhigh, 1, 1\n"), {"set Displacement = hold, free, free"});
}

TEST_F(InpLoads, WhatHasNoEffectIsSaid)
{
  const auto expect_warned = [&](const std::string &steps, const std::string &words) {
    const auto warnings = Deck::read(folder.file("model.inp", model + steps)).warnings();
    ASSERT_EQ(warnings.size(), words.empty() ? 0u : 1u) << (warnings.empty() ? steps : warnings[0]);
    if (!words.empty())
    {
      EXPECT_NE(warnings[0].find(words), std::string::npos) << warnings[0];
    }
  };
  const std::string pull = "*CLOAD\nhigh, 3, -1.\n";
  expect_warned(statics(pull + "*DSLOAD\n"), "model.inp:34: *DSLOAD: has no lines of data");
  expect_warned(statics(pull + "*BOUNDARY\n"), "model.inp:34: *BOUNDARY: has no lines of data");
  expect_warned(statics(pull) + statics("*CLOAD, OP=NEW\n"), "");
  expect_warned(statics(pull + "*DLOAD\nCUBE, P2, 0.\n"), "model.inp:35: CUBE.P2: zero load ignored");
  expect_warned(statics(pull) + statics("*CLOAD\nhigh, 3, 0.\n"), "");
  expect_warned(statics(pull) + statics("*CLOAD\nedge, 1, 0.\n"), "model.inp:38: edge: zero load ignored");
  expect_refused("*NODE\n99, 5., 5., 5.\n" + statics(pull + "99, 3, 1.\n"),
                 {"model.inp:36: 99: no element has this node", "acts on nothing"});
}

TEST_F(InpLoads, ManyNodesAndElementsOfOneLoad)
{
  expect_lines(statics("*CLOAD\n5, 3, 1.\n6, 3, 1.\n7, 3, 2.\n*DLOAD\n1, P2, 3.\n1, P1, 3.\n1, P1, 3.\n"),
               {"subsection 2 nodes\n    set Type = nodal-force\n    set Nodes = 5, 6\n    set Force = 0, 0, 1", "subsection node 7",
                "set Boundary = 1.P2, 1.P1", "subsection 1.P1\n"});
}

TEST_F(InpLoads, NamesThatMeanSomethingElse)
{
  expect_lines("*NSET, NSET=all\n7\n*NSET, NSET=none\n8\n" + statics("*CLOAD\nall, 3, 1.\nnone, 3, 1.\n") + statics(""),
               {"set Loads = ALL, none_", "subsection none_"});
  // A number is a node, also where a set is called so.
  expect_lines("*NSET, NSET=5\n7\n" + statics("*CLOAD\n5, 3, 1.\n"), {"subsection node 5\n"});
}
}  // namespace symdyn::in_inp_loads
