// What decks of Abaqus and CalculiX may write in more than one way, and what of it is refused: as CalculiX 2.20 reads it.
#include <cmath>
#include <set>
#include <sstream>

#include "meshes/abaqus/translator.h"
#include "solver/deck/deck.h"
#include "tests/input.h"

namespace symdyn::in_inp_syntax
{
namespace
{
const std::string
    nodes =
        "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n9, 9., 9., 9.\n",
    cell = "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n", sets = "*NSET, NSET=high\n5, 6, 7, 8\n*NSET, NSET=edge\n7, 8\n",
    elastic = "*ELASTIC\n1000., 0.\n", density = "*DENSITY\n2.\n", section = "*SOLID SECTION, ELSET=CUBE, MATERIAL=M\n",
    held = "*BOUNDARY\n1, 1, 3\n2, 1, 3\n3, 1, 3\n4, 1, 3\n", head = nodes + cell + sets,
    model = head + "*MATERIAL, NAME=M\n" + elastic + density + section + held;

std::string statics(const std::string &inside) { return "*STEP\n*STATIC\n" + inside + "*END STEP\n"; }
std::string dynamics(const std::string &inside) { return "*STEP\n*DYNAMIC, DIRECT\n0.1, 1.\n" + inside + "*END STEP\n"; }
const std::string push = statics("*CLOAD\nhigh, 3, 1.\n"), modes = "*STEP\n*FREQUENCY\n3\n*END STEP\n";

class InpSyntax : public ::testing::Test
{
protected:
  Deck read(const std::string &text) const { return Deck::read(folder.file("model.inp", text)); }
  std::string prm(const std::string &text) const { return read(text).as_prm(); }
  void expect_lines(const std::string &text, const std::vector<std::string> &lines) const
  {
    const std::string deck = prm(text);
    for (const std::string &line : lines)
      EXPECT_NE(deck.find(line), std::string::npos) << line << " is not in:\n" << deck;
  }
  void expect_refused(const std::string &text, const std::vector<std::string> &parts) const
  {
    const std::string said = message([&] { prm(text); });
    for (const std::string &part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
  }
  void expect_warned(const std::string &text, const std::vector<std::string> &parts) const
  {
    const auto warnings = read(text).warnings();
    ASSERT_EQ(warnings.size(), parts.size()) << (warnings.empty() ? text : warnings[0]);
    for (std::size_t i = 0; i < parts.size(); ++i)
      EXPECT_NE(warnings[i].find(parts[i]), std::string::npos) << parts[i] << " is not in: " << warnings[i];
  }
  static std::string with(std::string text, const std::string &found, const std::string &instead)
  {
    return text.replace(text.find(found), found.size(), instead);
  }
  DeckFolder folder;
};
}  // namespace

TEST_F(InpSyntax, NodesBehindTheLastOneOfAnElementAreLeftOut)
{
  const std::string more = with(model, "5, 6, 7, 8\n", "5, 6, 7, 8, 1, 2\n") + push;
  EXPECT_EQ(prm(more), prm(model + push));
  expect_warned(more, {"model.inp:12: TYPE=C3D8: of element 1 the first 8 nodes count, as in CalculiX; there are 10 (so of 1 elements)"});
  expect_warned(with(model, "4, 5, 6, 7, 8\n", "4,\n5, 6, 7, 8, 1, 2\n") + push, {"model.inp:12: TYPE=C3D8"});
  expect_refused(with(model, "5, 6, 7, 8\n", "5, 6, 7, 8, x\n") + push, {"model.inp:12: x: the number of an element or of its node"});
  expect_refused(with(model, "5, 6, 7, 8\n", "5, 6, 7, 8, , 2\n") + push, {"model.inp:12: (nothing)"});
  expect_refused(with(model, "5, 6, 7, 8\n", "5, 6, 7\n") + push, {"element 1", "has 8 nodes, here are only 7"});
  expect_refused(with(model, "5, 6, 7, 8\n", "5, 6, 7, 99, 1\n") + push, {"99: there is no node"});
}

/// Each keyword refuses options that it does not know: by its rule, or as it is read.
TEST_F(InpSyntax, UnknownOptionsAreRefused)
{
  // Read by several translators, or with options that depend on the card.
  const std::set<std::string> by_themselves = {
      "NODE",        "ELEMENT",    "NSET", "ELSET",  "SURFACE", "AMPLITUDE",          "SOLID SECTION",
      "BASE MOTION", "NODE PRINT", "MASS", "SPRING", "DASHPOT", "INITIAL CONDITIONS", "EL PRINT",
      "TIE"};
  const abaqus::Translators translators;
  for (const std::string &keyword : translators.keywords())
    for (const auto &reader : translators.readers(keyword))
      EXPECT_TRUE(reader.rule.options || reader.rule.where == abaqus::Where::mesh || by_themselves.count(keyword)) << keyword;
  const std::string all = "*HEADING\ntext\n" + model +
                          "*AMPLITUDE, NAME=A\n0., 1., 1., 1.\n*INITIAL CONDITIONS, TYPE=VELOCITY\nALL, 1, 1.\n" +
                          with(push, "*END STEP", "*NODE PRINT, NSET=high\nU\n*NODE FILE\nU\n*EL FILE\nS\n*RESTART, WRITE\n*END STEP");
  EXPECT_NE(prm(all), "");
  for (const std::string card :
       {"NODE", "ELEMENT", "NSET", "MATERIAL", "ELASTIC", "SOLID SECTION", "BOUNDARY", "AMPLITUDE", "INITIAL CONDITIONS", "HEADING", "STEP",
        "STATIC", "CLOAD", "NODE PRINT", "NODE FILE", "EL FILE", "RESTART", "END STEP"})
  {
    ASSERT_NE(all.find("*" + card), std::string::npos) << card;
    expect_refused(with(all, "*" + card, "*" + card + ", BOGUS=1"), {"BOGUS"});
  }
}

TEST_F(InpSyntax, LoneStarsAndWhatStandsBeforeTheFirstKeyword)
{
  EXPECT_EQ(prm(">**\n" + model + push), prm(model + push));
  expect_warned(">** structure: a cube\n" + model + "*\n" + push,
                {"model.inp:1: >** structure: a cube: this line is left out", "model.inp:29: *: this line is left out"});
  EXPECT_EQ(prm(with(model, "*MATERIAL", "*\n** a comment\n*MATERIAL") + push), prm(model + push));
  expect_refused(with(model, "4, 1, 3\n", "*\n4, 1, 3\n") + push, {"model.inp:28: 4, 1, 3: stands behind a line with * alone"});
  expect_refused(with(model + push, "high, 3, 1.\n", ">** a comment\nhigh, 3, 1.\n"), {"model.inp:31: >** a comment"});
  expect_refused("> ** no\n" + model + push, {"model.inp:1: > ** no: an Abaqus file starts with a keyword"});
  expect_refused("*\n1, 2\n" + model + push, {"model.inp:2: 1, 2: stands behind a line with * alone"});
  expect_refused(model + "*,\n" + push, {"model.inp:28: "});
}

TEST_F(InpSyntax, ASecondLineOfAnOrientationTurnsItsAxes)
{
  const std::string constants = "*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1000., 500., 250., .1, .15, .2, 300., 200.,\n100.\n";
  const auto deck = [&](const std::string &turn) {
    return head + "*ORIENTATION, NAME=OR\n0., 2., 0., -1., 0., 0.\n" + turn + "*MATERIAL, NAME=M\n" + constants +
           with(section, "MATERIAL=M", "MATERIAL=M, ORIENTATION=OR") + held + push;
  };
  expect_lines(deck(""), {"set Axes = 0, 2, 0, -1, 0, 0\n"});
  const auto axes = [&](const std::string &turn) {
    const std::string text = prm(deck(turn));
    std::vector<double> numbers;
    std::istringstream in(text.substr(text.find("set Axes = ") + 11));
    for (std::string word; numbers.size() < 6 && std::getline(in, word, ',');)
      numbers.push_back(std::stod(word));
    return numbers;
  };
  // The axes are y, -x and z.
  const double s = std::sqrt(0.5);
  const auto expect_axes = [&](const std::string &turn, const std::vector<double> &expected) {
    const std::vector<double> found = axes(turn);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-15) << turn << i;
  };
  expect_axes("3, 45.\n", {-s, s, 0., -s, -s, 0.});
  expect_axes("1, 90.\n", {0., 1., 0., 0., 0., 1.});
  expect_axes("2, 90.\n", {0., 0., -1., -1., 0., 0.});
  expect_axes("3\n", {0., 1., 0., -1., 0., 0.});
  expect_refused(deck("4, 45.\n"), {"model.inp:19: 4: the axes turn about axis 1, 2 or 3"});
  expect_refused(deck("0, 45.\n"), {"model.inp:19: 0: "});
  expect_refused(deck("-1, 45.\n"), {"model.inp:19: -1: "});
  expect_refused(deck("z, 45.\n"), {"model.inp:19: z: the axis about which"});
  expect_refused(deck("3, 45 degrees\n"), {"model.inp:19: 45 degrees: the angle in degrees"});
  expect_refused(deck("3, 45., 1.\n"), {"model.inp:19: 3, 45., 1.: 1. is unexpected trailing data of *ORIENTATION"});
  expect_refused(deck("3, 45.\n3, 45.\n"), {"model.inp:17: *ORIENTATION: needs a line", "it has 3 lines"});
  expect_refused(with(deck("3, 45.\n"), "0., 2., 0., -1., 0., 0.\n", "0., 2., 0., 0., -1., 0.\n"), {"model.inp:18: ", "span no plane"});
  expect_refused(with(deck(""), "0., 2., 0., -1., 0., 0.\n", ""), {"model.inp:17: *ORIENTATION: needs a line"});
}

TEST_F(InpSyntax, StructuralDampingIsOfHarmonicSteps)
{
  const std::string damped = with(model, density, density + "*DAMPING, STRUCTURAL=0.1\n"),
                    sweep = "*STEP\n*STEADY STATE DYNAMICS\n1., 10., 3\n*CLOAD\nhigh, 1, 1.\n";
  expect_lines(damped + modes + sweep + "*END STEP\n", {"set Structural damping = 0.1\n"});
  expect_warned(damped + modes + sweep + "*END STEP\n", {});
  expect_warned(damped + modes + sweep + "*MODAL DAMPING\n1, 3, 0.02\n*END STEP\n", {"STRUCTURAL: acts beside *MODAL DAMPING"});
  EXPECT_EQ(prm(damped + modes + "*STEP\n*MODAL DYNAMIC\n0.1, 1.\n*END STEP\n").find("Structural"), std::string::npos);
  expect_warned(damped + dynamics(""), {"model.inp:22: *DAMPING: STRUCTURAL damps *STEADY STATE DYNAMICS only"});
  expect_warned(with(damped, "STRUCTURAL=0.1", "ALPHA=1.") + modes + sweep + "*END STEP\n",
                {"model.inp:22: *DAMPING: ALPHA and BETA damp *DYNAMIC steps only"});
  expect_refused(with(damped, "0.1", "-0.1") + push, {"model.inp:22: STRUCTURAL=-0.1: a loss factor is >= 0"});
  expect_refused(with(damped, "0.1", "some") + push, {"model.inp:22: some: STRUCTURAL is expected"});
  expect_refused(with(damped, "=0.1", "") + push, {"model.inp:22: (nothing): STRUCTURAL is expected"});
  expect_refused(with(damped, "STRUCTURAL", "COMPOSITE") + push, {"model.inp:22: *DAMPING, COMPOSITE: this option is not known"});
}

TEST_F(InpSyntax, ForcesOfAStepAddUpAndTakeThePlaceOfEarlierOnes)
{
  const std::string first = statics("*CLOAD\nhigh, 1, 5.\nhigh, 3, -1.\n");
  // 1 + 4 along 3 in place of -1; the force along 1 stays.
  expect_lines(model + first + statics("*CLOAD\nhigh, 3, 1.\n*CLOAD\nhigh, 3, 4.\n"),
               {"set Loads = high (2), high (3)\n",
                "subsection high (2)\n    set Type = nodal-force\n    set Nodes = high\n    set Force = 5, 0, 1\n",
                "subsection high (3)\n    set Type = nodal-force\n    set Nodes = high\n    set Force = 0, 0, 4\n"});
  // Each of two cards takes the place of a component.
  expect_lines(model + first + statics("*CLOAD\nhigh, 3, 1.\n*CLOAD\nhigh, 1, 4.\n"), {"set Force = 0, 0, 1\n", "set Force = 4, 0, 0\n"});
  // And of the sum in a third step.
  expect_lines(model + first + statics("*CLOAD\nhigh, 3, 1.\n*CLOAD\nhigh, 3, 4.\n") + statics("*CLOAD\nhigh, 2, 7.\n"),
               {"set Force = 5, 7, 5\n"});
  // A set that has the component, too, ends it; one that has it of a part of the nodes is refused.
  const std::string edge = statics("*CLOAD\nedge, 1, 5.\n");
  expect_lines(model + edge + statics("*CLOAD\nedge, 3, 2.\nhigh, 1, 3.\n"),
               {"set Nodes = edge\n    set Force = 0, 0, 2\n", "set Nodes = high\n    set Force = 3, 0, 0\n"});
  expect_refused(model + first + statics("*CLOAD\nhigh, 3, 2.\nedge, 1, 3.\n"),
                 {"model.inp:37: high: had a force along component 1 in an earlier step", "a part of its nodes"});
  expect_refused(model + first + statics("*CLOAD\nnone, 3, 2.\n"), {"none: there is no set of nodes"});
  expect_refused(model + first + statics("*CLOAD\nhigh, 7, 2.\n"), {"7: the component of a force is 1 to 3"});
}

TEST_F(InpSyntax, AForceThatStaysKeepsItsOwnAmplitude)
{
  const std::string table = "*AMPLITUDE, NAME=a\n0., 0., 1., 1.\n";
  const std::string deck = prm(model + table + dynamics("*CLOAD\nhigh, 1, 5.\n") + dynamics("*CLOAD, AMPLITUDE=A\nhigh, 3, 2.\n"));
  for (
      const std::string load :
      {"subsection high (2)\n    set Type = nodal-force\n    set Nodes = high\n    set Force = 0, 0, 2\n    set Amplitude points = 1, 0, 2, 1\n  end",
       "subsection high (3)\n    set Type = nodal-force\n    set Nodes = high\n    set Force = 5, 0, 0\n  end",
       "set Loads = high (2), high (3)\n"})
    EXPECT_NE(deck.find(load), std::string::npos) << load << deck;
}

TEST_F(InpSyntax, ForcesPerMassNeedADensityOfTheirElementsAlone)
{
  const std::string two = nodes + "10, 0., 0., 2.\n11, 1., 0., 2.\n12, 1., 1., 2.\n13, 0., 1., 2.\n" + cell +
                          "*ELEMENT, TYPE=C3D8, ELSET=UPPER\n2, 5, 6, 7, 8, 10, 11, 12, 13\n" + sets + "*MATERIAL, NAME=M\n" + elastic +
                          density + section + "*MATERIAL, NAME=LIGHT\n" + elastic + "*SOLID SECTION, ELSET=UPPER, MATERIAL=LIGHT\n" + held;
  const std::string weight = "*DLOAD\nCUBE, GRAV, 9.81, 0., 0., -1.\n";
  expect_lines(two + statics(weight), {"set Type = gravity\n", "set Elements = CUBE\n"});
  expect_refused(two + "*ELSET, ELSET=ALL\nCUBE, UPPER\n" + statics(with(weight, "CUBE", "ALL")),
                 {"GRAV: is a force per mass, and the material LIGHT of element 2 has no *DENSITY. Add it."});
  expect_refused(two + statics("*DLOAD\n2, CENTRIF, 4., 0., 0., 0., 0., 0., 1.\n"),
                 {"CENTRIF: is a force per mass, and the material LIGHT"});
  expect_refused(with(model, density, "") + statics(weight),
                 {"model.inp:29: GRAV: is a force per mass, and the material M of element 1 has no *DENSITY"});
  expect_refused(two + modes, {"NAME=LIGHT: has no *DENSITY, which motion needs"});
}

TEST_F(InpSyntax, PressureAtANode)
{
  const auto deck = [&](const std::string &boundary, const std::string &load) { return model + statics("*DLOAD\n" + load + boundary); };
  const std::string pressure = "*BOUNDARY\n9, 2, 2, -1.\n";
  expect_lines(deck(pressure, "CUBE, P2NP, 9\n"), {"set Type = dead-pressure\n    set Boundary = CUBE.P2\n    set Pressure = -1\n"});
  expect_lines(deck(pressure, "1, p6np, 9\n"), {"set Boundary = 1.P6\n    set Pressure = -1\n"});
  expect_refused(deck("", "CUBE, P2NP, 9\n"),
                 {"model.inp:31: 9: the pressure at this node is its component 2, which no *BOUNDARY prescribes"});
  expect_refused(deck("*BOUNDARY\n9, 1, 1, -1.\n", "CUBE, P2NP, 9\n"), {"which no *BOUNDARY prescribes"});
  expect_refused(deck(pressure, "CUBE, P2NP, 5\n"), {"model.inp:31: 5: P2NP is the pressure at a node of no element"});
  expect_refused(deck(pressure, "CUBE, P2NP, 99\n"), {"99: there is no node"});
  expect_refused(deck(pressure, "CUBE, P2NP, 1.5\n"), {"1.5: the number of the node with the pressure"});
  expect_refused(deck(pressure, "CUBE, P2NP\n"), {"(nothing): the number of the node"});
  expect_refused(deck(pressure, "CUBE, P2NP, 9, 1.\n"), {"1. is unexpected trailing data of *DLOAD"});
  expect_refused(deck(pressure, "CUBE, P7NP, 9\n"), {"P7NP: only P1 to P6"});
  expect_refused(deck(pressure, "CUBE, P2NU, 9\n"), {"P2NU: only P1 to P6"});
  expect_refused(deck(pressure, "CUBE, PNP, 9\n"), {"PNP: only P1 to P6"});
  expect_refused(deck(pressure, "CUBE, P2NP, 9\n") + statics("*BOUNDARY\n9, 2, 2, -3.\n"),
                 {"model.inp:38: 9: the pressure at this node changes in step-2"});
  expect_refused(model + "*AMPLITUDE, NAME=a\n0., 0., 1., 1.\n" + statics("*DLOAD, AMPLITUDE=a\nCUBE, P2NP, 9\n" + pressure),
                 {"AMPLITUDE=a: P2NP is the pressure at a node"});
}

TEST_F(InpSyntax, WhatOnlyTemperaturesUseIsSaidOnce)
{
  const std::string library = "*EXPANSION, ZERO=20.\n1.2e-5, 20.\n*CONDUCTIVITY\n50.\n*SPECIFIC HEAT\n4.3e8\n",
                    two = with(model, density, density + library) + "*MATERIAL, NAME=Spare\n*ELASTIC\n1., 0.\n*EXPANSION\n1e-5\n";
  EXPECT_EQ(prm(with(model, density, density + library) + push), prm(model + push));
  expect_warned("*PHYSICAL CONSTANTS, ABSOLUTE ZERO=-273.15\n" + two + push,
                {"model.inp:1: *PHYSICAL CONSTANTS: has no effect",
                 "model.inp:25: *CONDUCTIVITY: has no effect: heat is not conducted here", "model.inp:27: *SPECIFIC HEAT: has no effect",
                 "model.inp:23: *EXPANSION: has no effect: no step of this file changes temperatures"});
  expect_refused(two + statics("*TEMPERATURE\nALL, 100., 200.\n"), {"a gradient through beams and shells is not read"});
  expect_refused(two + statics("*HEAT TRANSFER\n"), {"*HEAT TRANSFER: heat, fluids"});
  expect_warned(model + "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n" + push,
                {"model.inp:28: *INITIAL CONDITIONS, TYPE=TEMPERATURE: has no effect"});
  expect_refused(model + "*INITIAL CONDITIONS, TYPE=PLASTIC STRAIN\nALL, 20.\n" + push, {"model.inp:29: ALL: the line has 2 values"});
  expect_refused(model + "*INITIAL CONDITIONS, TYPE=PLASTIC STRAIN\nALL, 20., 0., 0., 0., 0., 0.\n" + push,
                 {"model.inp:29: ALL: there is no set of elements of this name"});
  expect_refused(model + "*AMPLITUDE, NAME=a, USER\n" + push, {"model.inp:28: *AMPLITUDE, USER: subroutines of a user"});
  expect_refused(model + "*INITIAL CONDITIONS, TYPE=STRESS, USER\n" + push,
                 {"model.inp:28: *INITIAL CONDITIONS, TYPE=STRESS, USER: a subroutine cannot be read"});
  expect_refused("*RESTART, READ, STEP=1\n" + push, {"model.inp:1: *RESTART, READ: a run goes on from a checkpoint of symdyn"});
  expect_refused(two + statics("*EXPANSION\n1e-5\n"), {"*EXPANSION"});
  expect_refused(model + statics("*DLOAD\nCUBE, NEWTON\n"), {"NEWTON: the attraction between elements cannot be computed"});
}

TEST_F(InpSyntax, FrequenciesInAnInterval)
{
  const auto deck = [&](const std::string &line) { return model + "*STEP\n*FREQUENCY\n" + line + "*END STEP\n"; };
  expect_lines(deck("10, 0.01, 1000000.\n"),
               {"set Modes = 10\n    set Lowest frequency = 0.01\n    set Highest frequency = 1000000\n    set Complete interval = no\n"});
  expect_warned(deck("10, 0.01, 1000000.\n"), {});
  EXPECT_EQ(prm(deck("10, 0.01\n")).find("Complete"), std::string::npos);
  const std::string answer = "*STEP\n*MODAL DYNAMIC\n0.1, 1.\n*MODAL DAMPING\n1, 10, 0.02\n*END STEP\n";
  expect_lines(deck("10, 0.01, 100.\n") + answer, {"set Damping ratios = 0.02\n"});  // of as many as there will be
  expect_lines(deck("3\n") + answer, {"set Damping ratios = 0.02, 0.02, 0.02\n"});
  expect_refused(deck(""), {"model.inp:29: *FREQUENCY: needs one line of data: the number of frequencies"});
  expect_refused(deck("\n\n"), {"model.inp:29: *FREQUENCY: needs one line of data"});
  expect_refused(with(deck(""), "*FREQUENCY", "*FREQUENCY, SOLVER=MATRIXSTORAGE"),
                 {"model.inp:29: SOLVER=MATRIXSTORAGE: stores matrices and computes no modes"});
  expect_refused(with(deck(""), "*FREQUENCY", "*FREQUENCY, SOLVER=MUMPS"), {"model.inp:29: SOLVER=MUMPS: is SPOOLES, PARDISO, PASTIX"});
  expect_lines(with(deck("10\n"), "*FREQUENCY", "*FREQUENCY, SOLVER=Iterative Scaling"), {"set Modes = 10\n"});
  expect_lines(with(deck("10\n"), "*FREQUENCY", "*FREQUENCY, SOLVER=ARPACK"), {"set Modes = 10\n"});
  expect_refused(deck("0\n"), {"0: 1 to 10000 frequencies"});
  expect_refused(deck(", 0.01\n"), {"(nothing): the number of frequencies"});
  expect_refused(deck("10, 5., 3.\n"), {"from the lowest to the highest"});
  expect_refused(deck("10, -1.\n"), {"limits of frequencies are >= 0"});
  expect_refused(deck("10\n10\n"), {"it has 2"});
  expect_refused(deck("10, low\n"), {"low: the lowest frequency"});
}

TEST_F(InpSyntax, LinesBehindACommaAndSurfacesCalledAsTheirSets)
{
  EXPECT_EQ(prm(with(model, "*BOUNDARY\n", "*BOUNDARY,\n") + push), prm(model + push));
  EXPECT_EQ(prm(with(model, "*ELEMENT, TYPE", "*ELEMENT,\nTYPE") + push), prm(model + push));
  expect_lines(model + "*SURFACE, NAME=high, TYPE=NODE\nhigh\n" + push, {"set Nodes = high\n"});
  expect_refused(model + "*NSET, NSET=other\nother\n" + push, {"other: this set contains itself"});
  expect_refused(model + "*SURFACE, NAME=other, TYPE=NODE\nother\n" + push, {"other: there is no set of nodes"});
}

TEST_F(InpSyntax, RefusalsNameTheFeature)
{
  for (const std::string keyword : {"SENSITIVITY", "CHANGE MATERIAL", "MEMBRANE", "PRE-TENSION SECTION", "CFD"})
    expect_refused(model + "*" + keyword + "\n" + push, {"model.inp:28: *" + keyword, "docs/inp.md says what is read"});
  expect_refused(model + "*SENSITIVETY\n" + push, {"model.inp:28: *SENSITIVETY: this keyword is not known here"});
}

TEST_F(InpSyntax, EquationsOfSets)
{
  const auto deck = [&](const std::string &equation) { return model + "*NSET, NSET=two\n5, 6\n*EQUATION\n" + equation + push; };
  EXPECT_EQ(prm(deck("2\ntwo, 3, 1., 7, 3, -1.\n")), prm(deck("2\n5, 3, 1., 7, 3, -1.\n2\n6, 3, 1., 7, 3, -1.\n")));
  EXPECT_EQ(prm(deck("2\ntwo, 3, 1., edge, 3, -1.\n")), prm(deck("2\n5, 3, 1., 7, 3, -1.\n2\n6, 3, 1., 8, 3, -1.\n")));
  expect_refused(deck("2\ntwo, 3, 1., high, 3, -1.\n"), {"model.inp:32: high: this set has 4 nodes, and the first term has 2"});
  expect_refused(deck("2\n7, 3, 1., two, 3, -1.\n"), {"model.inp:32: two: this set has 2 nodes, and the first term has 1"});
  expect_refused(deck("2\nnone, 3, 1., 7, 3, -1.\n"), {"model.inp:32: none: there is no set of nodes"});
  expect_refused(deck("2\ntwo, 4, 1., 7, 3, -1.\n"), {"model.inp:32: 4: the component is 1 to 3"});
  expect_refused(deck("3\ntwo, 3, 1., 7, 3, -1.\n"), {"model.inp:31: 3: the equation has 3 terms, here are only 2"});
  const std::string remove =
      deck("2\n5, 1, 1., 7, 1, -1.\n2\n5, 2, 1., 7, 2, -1.\n") + "*STEP\n*STATIC\n*EQUATION, REMOVE\n5, 1, 2\n*END STEP\n";
  expect_lines(
      remove,
      {"subsection step-2\n    set Type = static\n    set Free motions = held\n    set Loads = high\n    set Supports = node 1, node 2, node 3, node 4\n"});
}

TEST_F(InpSyntax, SetsThatAreCalledAsNumbers)
{
  // Options name sets; in lines of data a number is a node or an element.
  const std::string numbered = with(with(with(model, "ELSET=CUBE", "ELSET=100"), "ELSET=CUBE", "ELSET=100"), "NSET=high", "NSET=5");
  expect_lines(numbered + statics("*CLOAD\n5, 3, 1.\n*NODE PRINT, NSET=5\nU\n"),
               {"set Groups = 100\n", "subsection node 5\n", "set Nodes = 5\n"});
  expect_lines(numbered + "*TRANSFORM, NSET=5, TYPE=R\n0., 1., 0., -1., 0., 0.\n" + statics("*CLOAD\n8, 3, 1.\n"),
               {"set Axes = rectangular\n"});
  expect_refused(numbered + statics("*DLOAD\n100, P1, 1.\n"), {"100: there is no element of this number"});
  expect_refused(numbered + statics("*CLOAD\n55, 3, 1.\n"), {"55: there is no node"});
  expect_refused(with(numbered, "SECTION, ELSET=100", "SECTION, ELSET=101") + push, {"101"});
  expect_lines(with(model, "NSET=high", "NSET=3D") + statics("*CLOAD\n3D, 3, 1.\n"), {"set Nodes = 3D\n"});
}

TEST_F(InpSyntax, FramesOnlyWhereTheFileAsksForThem)
{
  const std::string never = "set Write every = never\n";
  const auto frames = [&](const std::string &cards) {
    return prm(model + statics("*CLOAD\nhigh, 3, 1.\n" + cards)).find(never) == std::string::npos;
  };
  EXPECT_FALSE(frames(""));
  EXPECT_FALSE(frames("*NODE PRINT, NSET=ALL\nU\n"));
  EXPECT_TRUE(frames("*NODE FILE\nU\n"));
  EXPECT_TRUE(frames("*EL FILE\nS\n"));
  EXPECT_TRUE(frames("*NODE OUTPUT\nU\n"));
  EXPECT_TRUE(frames("*OUTPUT, FIELD\n*ELEMENT OUTPUT\nS\n"));
  EXPECT_TRUE(frames("*OUTPUT, FIELD, VARIABLE=PRESELECT\n"));
  EXPECT_FALSE(frames("*OUTPUT, HISTORY\n*NODE OUTPUT, NSET=ALL\nU\n"));
  EXPECT_FALSE(frames("*NODE FILE, FREQUENCY=0\nU\n"));
  EXPECT_EQ(prm(model + push + statics("*NODE FILE\nU\n")).find(never), std::string::npos) << "one step is enough";
}

TEST_F(InpSyntax, TablesOfWholeElements)
{
  const auto deck = [&](const std::string &words) {
    return model + statics("*CLOAD\nhigh, 3, 1.\n*EL PRINT, ELSET=CUBE, TOTALS=YES\n" + words + "\n");
  };
  expect_lines(deck("ELSE, EVOL"), {"set Quantities = ELSE, EVOL\n", "set Totals = yes\n"});
  expect_warned(deck("ELSE, ELKE"), {"*EL PRINT ELKE: is left out of step-1: *STATIC has no kinetic energy"});
  expect_warned(deck("ELSEE"), {"ELSEE: this quantity is not written; there are S, E, ENER, PEEQ, PE, CEEQ, SDV, ELSE, ELKE, EVOL"});
  expect_warned(with(model, "", "") + "*STEP\n*FREQUENCY\n2\n*EL PRINT, ELSET=CUBE\nELSE, ELKE, EVOL\n*END STEP\n",
                {"ELSE: is left out of step-1: *FREQUENCY has no energies", "ELKE: is left out"});
}
}  // namespace symdyn::in_inp_syntax
