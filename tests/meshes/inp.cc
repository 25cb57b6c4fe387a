// Decks of Abaqus and CalculiX: what they become, and what of them is refused.
#include <algorithm>

#include "solver/deck/deck.h"
#include "tests/input.h"

namespace symdyn::in_inp
{
namespace
{
const std::string
    nodes =
        "*HEADING\na cube\n*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n",
    cell = "*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4,\n5, 6, 7, 8\n",
    sets = "*NSET, NSET=Low, GENERATE\n1, 4\n*NSET, NSET=high\n5, 6, 7, 8\n",
    material = "*MATERIAL, NAME=Steel\n*ELASTIC\n210000., .3\n*DENSITY\n2.\n*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL\n",
    held = "*BOUNDARY\nlow, 1, 3\n", model = nodes + cell + sets + material + held;

std::string static_step(const std::string &inside, const std::string &options = "")
{
  return "*STEP" + options + "\n*STATIC\n" + inside + "*END STEP\n";
}

class Inp : public ::testing::Test
{
protected:
  Deck read(const std::string &text) const { return Deck::read(folder.file("model.inp", text)); }
  std::string prm(const std::string &text) const { return read(text).as_prm(); }
  /// Without the folder.
  std::string refusal(const std::string &text) const
  {
    std::string said = message([&] { read(text); });
    const std::string start = folder.path.string() + "/";
    for (auto at = said.find(start); at != std::string::npos; at = said.find(start))
      said.erase(at, start.size());
    return said;
  }
  void expect_refused(const std::string &text, const std::vector<std::string> &parts) const
  {
    const std::string said = refusal(text);
    for (const std::string &part : parts)
      EXPECT_NE(said.find(part), std::string::npos) << part << " is not in: " << said;
  }
  void expect_lines(const std::string &text, const std::vector<std::string> &lines) const
  {
    const std::string deck = prm(text);
    for (const std::string &line : lines)
      EXPECT_NE(deck.find(line), std::string::npos) << line << " is not in:\n" << deck;
  }
  DeckFolder folder;
};
}  // namespace

TEST_F(Inp, BecomesADeckOfTheSameWords)
{
  EXPECT_EQ(
      prm(model + static_step("*CLOAD\nHIGH, 3, -1.5\n")),
      "subsection Units\n  set System = none\nend\nsubsection Mesh\n  set Dimension = 3\n  set Type = file\n  set File = model.inp\nend\n"
      "subsection Materials\n  subsection Steel\n    set Type = linear-elasticity\n    set E = 210000\n    set nu = 0.3\n    set Density = 2\n    set Groups = CUBE\n  end\nend\n"
      "subsection Stages\n  subsection step-1\n    set Type = static\n    set Free motions = held\n  end\nend\n"
      "subsection Supports\n  subsection Low\n    set Nodes = Low\n  end\nend\n"
      "subsection Loads\n  subsection high\n    set Type = nodal-force\n    set Nodes = high\n    set Force = 0, 0, -1.5\n  end\nend\n"
      "subsection Output\n  set Write every = never\nend\n");
}

TEST_F(Inp, LettersBlanksTabsAndLineEndsDoNotMatter)
{
  const std::string plain = model + static_step("*CLOAD\nHIGH, 3, -1.5\n");
  std::string other = "\xEF\xBB\xBF" + plain;
  for (std::size_t at = 0; (at = other.find('\n', at)) != std::string::npos; at += 2)
    other.replace(at, 1, "\r\n");
  for (std::size_t at = 0; (at = other.find(", ", at)) != std::string::npos; at += 2)
    other.replace(at, 2, ",\t");
  for (const std::string word : {"*SOLID SECTION", "*BOUNDARY", "*END STEP"})
  {
    std::string odd;
    for (const char c : word)
      if (c != ' ')
        odd += std::tolower(c);
    other.replace(other.find(word), word.size(), odd);
  }
  EXPECT_EQ(prm(other), prm(plain));
  EXPECT_EQ(prm("** a comment\n" + plain + "** another\n"), prm(plain));
}

TEST_F(Inp, IncludedFilesStandInTheirPlace)
{
  folder.file("nodes.inc", nodes.substr(nodes.find("*NODE")));
  const std::string rest = cell + sets + material + held + static_step("*CLOAD\nHIGH, 3, -1.5\n");
  EXPECT_EQ(prm("*INCLUDE, INPUT=nodes.inc\n" + rest), prm(model + static_step("*CLOAD\nHIGH, 3, -1.5\n")));
  folder.file("bad.inc", "*NODE\n1, 0., 0., 0.\n1, 1., 0., 0.\n");
  expect_refused("*HEADING\n*INCLUDE, INPUT=bad.inc\n", {"bad.inc:3: 1: this node was given before"});
  expect_refused("*HEADING\n*INCLUDE, INPUT=nodes.inc\n*NSET, NSET=a\n99\n", {"model.inp:4: 99"});
  folder.file("a.inc", "*INCLUDE, INPUT=b.inc\n");
  folder.file("b.inc", "** nothing\n*INCLUDE, INPUT=a.inc\n");
  expect_refused("*INCLUDE, INPUT=a.inc\n", {"b.inc:2: ", "includes itself"});
  expect_refused("*HEADING\n*INCLUDE, INPUT=none.inc\n", {"model.inp:2: ", "none.inc: cannot be read"});
  expect_refused("*HEADING\n*INCLUDE\n", {"model.inp:2: *INCLUDE: needs the name of a file"});
}

TEST_F(Inp, Materials)
{
  const auto with = [](const std::string &law) {
    return nodes + cell + sets + "*MATERIAL, NAME=m\n" + law + "*SOLID SECTION, ELSET=CUBE, MATERIAL=M\n" + held +
           static_step("*CLOAD\nhigh, 1, 1.\n", ", NLGEOM");
  };
  expect_lines(with("*ELASTIC\n1e3, 0.25\n"), {"set Type = st-venant-kirchhoff", "set Density = 1\n"});
  expect_lines(with("*HYPERELASTIC, NEO HOOKE\n2., 0.5\n"), {"set Type = neo-hooke-quadratic", "set mu = 4\n", "set kappa = 4\n"});
  expect_lines(with("*HYPERELASTIC, MOONEY-RIVLIN\n2., 1., 0.5\n"),
               {"set Type = mooney-rivlin", "set c10 = 2\n", "set c01 = 1\n", "set kappa = 4\n"});
  expect_lines(with("*HYPERELASTIC, POLYNOMIAL\n2., 1., 0.5\n"), {"set Type = mooney-rivlin"});
  expect_lines(with("*HYPERELASTIC, OGDEN\n3., 2., 0.5\n"), {"set Type = ogden", "set mu = 3\n", "set alpha = 2\n"});
  const std::string three = "*HYPERELASTIC, OGDEN, N=3\n3., 2., 1., 3., 2., 4., 0.5, 0.,\n0.";
  expect_lines(with(three + ",\n"), {"set mu = 3, 0.6666666666666666, 1\n"});
  expect_refused(with(three + ", 20.\n"), {"model.inp:22: 20.: stands behind the last constant"});
  const std::string section = "*ELASTIC\n1e3, 0.25\n*SOLID SECTION, ELSET=CUBE, MATERIAL=M\n";
  for (const std::string nothing : {",\n", "1.,\n"})
    expect_lines(with(section + nothing), {"set E = 1000\n"});
  expect_refused(with(section + "0.1\n"), {"model.inp:23: 0.1: a *SOLID SECTION of cells in space has no thickness"});
  expect_refused(with(section + ",\n0.1\n"), {"model.inp:24: 0.1: "});
  EXPECT_EQ(read(with("*HYPERELASTIC, NEO HOOKE\n2.\n")).warnings().size(), 1u) << "no D1";
  expect_refused(with("*HYPERELASTIC, YEOH\n2., 1., 0.5\n"), {"model.inp:20: *HYPERELASTIC, YEOH"});
  expect_refused(with("*HYPERELASTIC, POLYNOMIAL, N=2\n2., 1., 0.5\n"), {"model.inp:20: *HYPERELASTIC"});
  expect_refused(with("*ELASTIC, TYPE=ENGINEERING CONSTANTS\n2., 1., 0.5\n"), {"model.inp:20: *ELASTIC, TYPE=ENGINEERING CONSTANTS"});
  expect_refused(with("*ELASTIC\n1e3\n"), {"model.inp:21: (nothing): Poisson's ratio"});
  expect_refused(with("*DENSITY\n1.\n"), {"model.inp:19: *MATERIAL, NAME=m: needs one *ELASTIC"});
  expect_refused(with("*ELASTIC\n1e3, 0.25\n*DENSITY\n-1.\n"), {"model.inp:23: -1.: a density is > 0"});
  expect_refused(with("*MOHR COULOMB\n30., 0.\n"), {"model.inp:20: *MOHR COULOMB: this law cannot be read from a file"});
  expect_refused(nodes + cell + "*SOLID SECTION, ELSET=CUBE, MATERIAL=none\n" + static_step(""),
                 {"model.inp:15: MATERIAL=none: the file has no *MATERIAL"});
  expect_refused(with("*ELASTIC\n1e3, 0.25\n*SOLID SECTION, ELSET=CUBE, MATERIAL=mm\n"),
                 {"model.inp:22: MATERIAL=mm: there is no *MATERIAL of this name; there are: m."});
  expect_lines(with("*ELASTIC\n1e3, 0.25\n*DENSITY\n1.\n*DAMPING, BETA=1e-3\n") + "*STEP, NLGEOM\n*DYNAMIC\n.1, 1.\n*END STEP\n",
               {"set Stiffness proportional = 0.001\n  set Stiffness = current\n"});
}

TEST_F(Inp, WhatIsReadByNothingIsRefused)
{
  const auto with = [](std::string text, const std::string &found, const std::string &instead) {
    return text.replace(text.find(found), found.size(), instead);
  };
  const std::string step = static_step("*CLOAD\nhigh, 3, -20.\n"), text = model + step;
  expect_refused(with(text, "210000., .3", "210000,0, 0,3"),
                 {"model.inp:21: 210000, 0, 0, 3: 0 is unexpected trailing data of *ELASTIC", "decimal comma"});
  expect_refused(with(text, "DENSITY\n2.", "DENSITY\n7,85E-9"), {"model.inp:23: 7, 85E-9: 85E-9 is unexpected trailing data of *DENSITY"});
  expect_refused(with(text, "-20.", "-20,5"), {"model.inp:30: high, 3, -20, 5: 5 is unexpected trailing data of *CLOAD"});
  expect_refused(with(text, "low, 1, 3", "low, 1, 3, 0, 5"), {"5 is unexpected trailing data of *BOUNDARY"});
  expect_refused(with(text, "low, 1, 3", "low, ENCASTRE, 3"), {"3 is unexpected trailing data of *BOUNDARY"});
  expect_refused(with(text, "*STATIC\n", "*STATIC\n0.5, 1., 0, 1., 0., 7\n"), {"7 is unexpected trailing data of *STATIC"});
  expect_refused(with(text, "*STATIC\n", "*STATIC\n0.5, 1.\n0.5, 1.\n"), {"model.inp:30: 0.5, 1.: *STATIC has one line of data here"});
  expect_refused(with(text, "NAME=Steel\n", "NAME=Steel\n1.\n"), {"model.inp:20: 1.: *MATERIAL has no lines of data"});
  expect_refused(nodes + cell + sets + "*SURFACE, NAME=Top\nCUBE, S2\n" + material + held + static_step("*DSLOAD\nTop, P, 0,3\n"),
                 {"3 is unexpected trailing data of *DSLOAD"});
  expect_refused(nodes + cell + sets + "*SURFACE, NAME=Top\nCUBE, S2, 1.\n" + material + held + static_step("*DSLOAD\nTop, P, 3\n"),
                 {"1. is unexpected trailing data of *SURFACE"});
  expect_refused(text + "*BOUNDARY\nhigh, 1\n", {"model.inp:32: *BOUNDARY: is outside of the steps"});
  expect_refused(text + "high, 1\n", {"model.inp:32: high, 1: *END STEP has no lines of data"});
  EXPECT_EQ(prm(with(text, "-20.", "-20., , ")), prm(text));
  EXPECT_EQ(prm(with(text, "*STATIC\n", "*STATIC\n1., 1., 1e-5, 1.\n")), prm(text));
}

TEST_F(Inp, KeywordsThatCannotBeComputedSayWhatToDo)
{
  for (const std::string keyword : {"PRE-TENSION SECTION", "CHANGE CONTACT TYPE", "ChangeContactType"})
    expect_refused(model + "*" + keyword + ", NAME=A\n" + static_step(""), {"model.inp:27: *", "whose nodes fit", "docs/inp.md"});
  expect_refused(model + "*MEMBRANE SECTION\n" + static_step(""), {"membranes and fluid elements"});
  expect_refused(model + static_step("*FILM\nBODY, F1, 20., 1.\n"), {"*FILM: heat, fluids"});
}

TEST_F(Inp, UnknownSetsAndNamesGivenTwice)
{
  expect_refused(model + static_step("*CLOAD\nhihg, 1, 1.\n"), {"hihg: there is no set of nodes of this name; there are: high, ALL, Low"});
  expect_refused(model + static_step("*NODE PRINT, NSET=hihg\nU\n"), {"there is no set hihg; there are: high, ALL, Low"});
  expect_refused(model + static_step("*DLOAD\nCUBS, P1, 1.\n"), {"CUBS: there is no set of elements of this name; there are: CUBE."});
  expect_refused(model + static_step("*DSLOAD\nTop, P, 1.\n"),
                 {"there is no *SURFACE of element faces with this name; the file has none."});
  expect_refused(model + "*MATERIAL, NAME=STEEL\n*ELASTIC\n1., 0.\n" + static_step(""),
                 {"model.inp:27: *MATERIAL, NAME=STEEL: there is one of this name already, model.inp:19"});
}

TEST_F(Inp, LastStepsWithoutAnEnd)
{
  const std::string step = static_step("*CLOAD\nHIGH, 3, -1.5\n");
  EXPECT_EQ(prm(model + step + "*STEP\n"), prm(model + step));
  const auto warnings = read(model + step + "*STEP\n").warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("model.inp:32: *STEP: the last step is empty"), std::string::npos) << warnings[0];
  expect_refused(model + step + "*STEP\n*STATIC\n", {"model.inp:32: *STEP: has no *END STEP"});
  expect_refused(model + "*STEP\n", {"model.inp:27: *STEP: has no *END STEP"});
}

TEST_F(Inp, SupportsOfNodesThatOverlap)
{
  // What comes later stands: node 1 moves, the others of the set are fixed.
  const std::string deck = model + static_step("*BOUNDARY\n1, 3, 3, 0.5\n");
  expect_lines(deck,
               {"set Nodes = 2, 3, 4\n", "set Displacement = 0, 0, free\n", "set Nodes = 1\n", "set Displacement = free, free, 0.5\n"});
  expect_lines(
      nodes + cell + sets + material + "*BOUNDARY\nlow, 1\nlow, 2\n*BOUNDARY\nlow, 3\n" + static_step("*BOUNDARY\nhigh, 2, , 0.1\n"),
      {"subsection Low\n    set Nodes = Low\n  end", "set Displacement = free, 0.1, free"});
  expect_refused(nodes + cell + sets + material + "*BOUNDARY\n9, 1\n" + static_step(""), {"model.inp:26: 9: there is no node"});
}

TEST_F(Inp, LoadsAndAmplitudes)
{
  const std::string amplitude = "*AMPLITUDE, NAME=ramp\n0., 0., 0.5, 1.,\n1., 0.25\n";
  const auto dynamic = [&](const std::string &inside) {
    return model + amplitude + "*STEP\n*DYNAMIC, DIRECT\n0.1, 1.\n" + inside + "*END STEP\n";
  };
  expect_lines(dynamic("*CLOAD, AMPLITUDE=RAMP\nhigh, 1, 2.\n"), {"set Amplitude points = 0, 0, 0.5, 1, 1, 0.25\n", "set Time step = 0.1",
                                                                  "set End time = 1\n", "set Scheme = hht-alpha", "set alpha = -0.05"});
  expect_lines(model + amplitude + static_step("*CLOAD, AMPLITUDE=RAMP\nhigh, 1, 2.\n"),
               {"set Force = 0.5, 0, 0"});  // of the end of the step
  expect_lines(dynamic("*DLOAD\nCUBE, P2, 3.\n"), {"set Type = dead-pressure", "set Boundary = CUBE.P2", "set Pressure = 3"});
  expect_lines(model + static_step("*DLOAD\n1, P2, 3.\n", ", NLGEOM"), {"set Type = pressure", "set Boundary = 1.P2"});
  expect_lines(dynamic("*DLOAD\nCUBE, GRAV, 9.81, 0., 0., -2.\n"), {"set Type = gravity", "set Acceleration = 0, 0, -9.81"});
  expect_lines(dynamic("*DLOAD\nCUBE, CENTRIF, 4., 0.5, 0., 0., 0., 0., 1.\n"),
               {"set Acceleration = 0 + (4)*(x - (0.5)), 0 + (4)*(y - (0)), 0"});
  // After NLGEOM statics the frame turns, where all steps can be computed in it.
  const std::string centrifugal = "*DLOAD\nCUBE, CENTRIF, 4., 0.5, 0., 0., 0., 0., 2.\n",
                    complex_step = "*STEP\n*COMPLEX FREQUENCY, CORIOLIS\n3\n" + centrifugal + "*END STEP\n";
  expect_lines(model + static_step(centrifugal, ", NLGEOM") + complex_step,
               {"subsection Rotation", "set Speed = 2", "set Axis = 0, 0, 1", "set Point = 0.5, 0, 0", "set Loads = rotation",
                "set Type = complex modes", "set Modes = 3"});
  expect_lines(model + static_step(centrifugal), {"set Type = body-force"});
  expect_refused(model + static_step(centrifugal) + complex_step, {"CORIOLIS: needs a body that turns"});
  expect_refused(model + static_step(centrifugal, ", NLGEOM") + "*STEP\n*COMPLEX FREQUENCY, FLUTTER\n3\n*END STEP\n",
                 {"FLUTTER: only CORIOLIS can be computed"});
  expect_lines(dynamic("*DLOAD\nCUBE, BY, 4.\n"), {"set Type = body-force", "set Acceleration = 0, 2, 0"});
  expect_lines(nodes + cell + sets + "*SURFACE, NAME=Top\nCUBE, S2\n" + material + held + static_step("*DSLOAD\ntop, P, 3.\n"),
               {"set Boundary = Top"});
  expect_refused(dynamic("*CLOAD, AMPLITUDE=none\nhigh, 1, 2.\n"), {"AMPLITUDE=none: there is no *AMPLITUDE"});
  expect_refused(dynamic("*CLOAD\nhigh, 4, 2.\n"), {"4: the component of a force is 1 to 3"});
  expect_refused(dynamic("*CLOAD\nhigh 1 2.\n"), {"high 1 2."});
  expect_refused(dynamic("*DLOAD\nCUBE, P7, 2.\n"), {"P7"});
  expect_refused(model + "*AMPLITUDE, NAME=a\n0., 0., 2., 1.\n1., 1.\n" + static_step(""),
                 {"model.inp:29: 1.: times of an amplitude go forward; the one before is 2"});
  expect_refused(model + "*AMPLITUDE, NAME=a\n0., 0., 2.\n" + static_step(""), {"model.inp:28: 0., 0., 2.: an amplitude is made of pairs"});
}

TEST_F(Inp, StepsAndTheirLoads)
{
  const std::string three = model + static_step("*CLOAD\nhigh, 1, 1.\n*DLOAD\nCUBE, GRAV, 9.81, 0., 0., -1.\n") +
                            static_step("*CLOAD\nhigh, 1, 2.\n") +
                            "*STEP\n*DYNAMIC, DIRECT, ALPHA=0.\n0.1, 1.\n*CLOAD, OP=NEW\n7, 2, 3.\n*END STEP\n";
  expect_lines(three, {"subsection step-1\n    set Type = static\n    set Free motions = held\n    set Loads = high, CUBE.GRAV\n",
                       "subsection step-2\n    set Type = static\n    set Free motions = held\n    set Loads = high (2), CUBE.GRAV\n",
                       "set Loads = node 7, CUBE.GRAV\n", "set alpha = 0\n"});
  expect_lines(
      model +
          "*STEP\n*FREQUENCY\n5\n*END STEP\n*STEP\n*MODAL DYNAMIC\n0.1, 1.\n*MODAL DAMPING\n1, 3, 0.02\n*CLOAD\nhigh, 1, 1.\n*END STEP\n",
      {"set Type = modes\n    set Modes = 5\n",
       "set Type = modal transient\n    set Modes = 5\n    set Damping ratios = 0.02, 0.02, 0.02, 0, 0\n    set Loads = high\n"});
  expect_lines(model + static_step("*CLOAD\nhigh, 1, 1.\n", ", NLGEOM, INC=100"), {"set Type = st-venant-kirchhoff"});
  expect_refused(model, {"has no *STEP"});
  expect_refused(model + "*STEP\n*STATIC\n", {"model.inp:27: *STEP: has no *END STEP"});
  expect_refused(model + "*STEP\n*END STEP\n", {"model.inp:27: *STEP: says nothing to compute"});
  expect_refused(model + "*END STEP\n", {"there is no *STEP before it"});
  expect_refused(model + "*STEP\n*DYNAMIC\n2., 1.\n*END STEP\n", {"model.inp:29: 2., 1."});
  expect_refused(model + "*STEP\n*MODAL DYNAMIC\n0.1, 1.\n*END STEP\n", {"needs modes"});
}

TEST_F(Inp, Equations)
{
  expect_lines(
      model.substr(0, model.find("*BOUNDARY")) + "*EQUATION\n2\n6, 1, 1., 7, 2, -2.\n" + held + static_step("*CLOAD\nhigh, 1, 1.\n"),
      {"subsection n6\n    set On nodes = 6\n", "subsection equation-1\n    set Displacements = n6.x, n7.y\n    set Factors = 1, -2\n"});
  expect_refused(model + "*EQUATION\n3\n6, 1, 1., 7, 2, -2.\n" + static_step(""),
                 {"model.inp:28: 3: the equation has 3 terms, here are only 2"});
  expect_refused(model + "*EQUATION\n2\n6, 1, 1., 7, 2\n" + static_step(""), {"model.inp:29: 6, 1, 1., 7, 2: a term is"});
}

TEST_F(Inp, SubstitutesAreSaid)
{
  std::string reduced = model + static_step("*CLOAD\nhigh, 1, 1.\n");
  EXPECT_TRUE(read(reduced).warnings().empty());
  reduced.replace(reduced.find("C3D8"), 4, "C3D8R");
  const auto warnings = read(reduced).warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("model.inp:13: TYPE=C3D8R: computed with fully integrated"), std::string::npos) << warnings[0];
  expect_lines(std::string(reduced).replace(reduced.find("C3D8R"), 5, "C3D8I"), {"set Element = incompatible-modes"});
}

TEST_F(Inp, BadFilesAreRefused)
{
  expect_refused("\xFF\xFE*\0N\0", {"model.inp:1: is text in UTF-16"});
  expect_refused("", {"is empty"});
  expect_refused("1, 2, 3\n", {"model.inp:1: 1, 2, 3: an Abaqus file starts with a keyword"});
  expect_refused("*NODE\n1, 0., 0.,\n-2, 1., 0.\n", {"model.inp:3: -2"});
  expect_refused("*NODE\n99999999999999999999, 1., 0.\n", {"model.inp:2: 99999999999999999999"});
  expect_refused("*NODE\n1, 0., 0., 0., 0.,\n2, 1., 0., 0., 0., 0., 1., 5.\n",
                 {"model.inp:3: 5.: a node has a number, up to 3 coordinates and 3 direction cosines"});
  expect_refused("*NODE\n1, 0., 0., 0., 0.,\n2, 1., 0., 0., up\n",
                 {"model.inp:3: up: a direction cosine of the normal of a node is expected"});
  expect_refused(nodes + "*NSET, NSET=a, GENERATE\n1, 9223372036854775807\n",
                 {"model.inp:13: 1, 9223372036854775807: these are 9223372036854775807 numbers"});
  expect_refused(nodes + "*NSET, NSET=a, GENERATE\n4, 1\n", {"model.inp:13: 4, 1"});
  expect_refused(nodes + "*NSET, NSET=a\n", {"model.inp:12: a: this set is empty"});
  expect_refused(nodes + "*NSET, NSET=a\n1, A\n", {"model.inp:13: A: this set contains itself"});
  expect_refused(nodes + "*NSET, NSET=a, NSET=b\n1\n", {"model.inp:12: ", "twice"});
  expect_refused(nodes + cell + cell, {"model.inp:16: 1: this element was given before"});
  expect_refused(nodes + "*ELEMENT, TYPE=C3D8\n1, 1, 2, 3, 4, 5, 6, 7, 99\n", {"model.inp:13: 99: there is no node"});
  expect_refused(nodes + "*ELEMENT, TYPE=M3D4\n1, 1, 2, 3, 4\n", {"model.inp:12: TYPE=M3D4"});
  expect_refused(model + "*STEPP\n", {"model.inp:27: *STEPP: this keyword is not known", "*STEP"});
  expect_refused(model + "*INITIAL CONDITIONS, TYPE=PORE PRESSURE\nCUBE, 1.\n" + static_step(""),
                 {"model.inp:27: *INITIAL CONDITIONS, TYPE=PORE PRESSURE: cannot be computed; the types are"});
}
}  // namespace symdyn::in_inp
