// *CONTACT PAIR of .inp files: answers that are known, and what is refused.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/inp_column.h"

namespace symdyn::tests::in_inp_contact
{
using namespace of_column;
namespace
{
/// The gap that a contact has under 4 Pa, of the displacement of the upper nodes at it: the base is 4e-3 m shorter.
double gap_of(const std::string &interaction)
{
  const Folder folder;
  const Outcome run = run_column(folder, column("*SURFACE INTERACTION, NAME=SI\n" + interaction));
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NEAR(run.history.last("slave.force_z"), 4., 1e-9);
  EXPECT_NEAR(run.history.last("slave.area"), 1., 1e-12);
  EXPECT_NEAR(run.history.last("slave.pressure"), 4., 1e-8);
  return run.history.last("slave.gap");
}

}  // namespace

/// A body that lies on another is held by it.
TEST(InpContact, LawsAreThoseOfTheManual)
{
  EXPECT_NEAR(gap_of("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5, 3.\n"), -4e-5, 1e-9);
  EXPECT_NEAR(gap_of("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=EXPONENTIAL\n1e-3, 8.\n"), std::log(2.) / std::log(100.) * 1e-3, 1e-9);
  EXPECT_NEAR(gap_of("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TABULAR\n0., -1e-3\n4., 1e-3\n8., 5e-3\n"), -1e-3, 1e-8);
  EXPECT_NEAR(gap_of("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD\n"), -4. / 5e4, 1e-9);
  EXPECT_NEAR(gap_of("*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TIED\n1e5\n*FRICTION\n0.1, 1e4\n"), -4e-5, 1e-9);
}

TEST(InpContact, SurfacesOfNodesAreTheFacesBetweenThem)
{
  const std::string linear = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n";
  const Folder folder;
  const Outcome run = run_column(folder, column(linear, "*CONTACT PAIR, INTERACTION=si, TYPE=NODE TO SURFACE\nslave, master\n",
                                                "*SURFACE, NAME=slave, TYPE=NODE\nsides\n"));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(has(run.terminal, "fails the patch test"), "");
  EXPECT_EQ(has(text_of(folder / "results/run.log"), "nodes against faces"), "");
  EXPECT_NEAR(run.history.last("slave.gap"), -4e-5, 1e-9);
}

/// p = K d (1/2 + atan(d/e)/pi) = 4 Pa, e = pi sigma/K (CalculiX). Laws that need faces have them.
TEST(InpContact, NodesHaveTheLinearLawOfCalculix)
{
  const auto text = [](const std::string &law) {
    return column("*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=" + law,
                  "*CONTACT PAIR, INTERACTION=SI, TYPE=NODE TO SURFACE\nslave, master\n");
  };
  const Folder folder;
  const Outcome run = run_column(folder, text("LINEAR\n1e5, 0.5\n"));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  constexpr double pi = 3.141592653589793, K = 1e5, e = pi * 0.5 / K;
  const double d = -run.history.last("slave.gap");
  EXPECT_NEAR(K * d * (0.5 + std::atan(d / e) / pi), 4., 1e-6);
  EXPECT_GT(d, 1.02 * 4. / K) << "not K d: the control";
  EXPECT_NEAR(run.history.last("slave.force_z"), 4., 1e-8);
  const Folder of_faces;
  const Outcome hard = run_column(of_faces, text("HARD\n"));
  ASSERT_EQ(hard.exit_code, 0) << hard.terminal;
  EXPECT_EQ(has(hard.terminal, "is computed by the faces of both surfaces (segments), which this law needs"), "") << hard.terminal;
}

/// The top is pressed askew: U of nodes that CalculiX 2.20 prints, by its node-to-surface contact.
TEST(InpContact, NodesAreThoseOfCalculix)
{
  std::string text = column("*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5, 0.5\n",
                            "*CONTACT PAIR, INTERACTION=SI, TYPE=NODE TO SURFACE\nslave, master\n");
  const auto exchange = [&text](const std::string &old, const std::string &other) {
    ASSERT_NE(text.find(old), std::string::npos) << old;
    text.replace(text.find(old), old.size(), other);
  };
  std::string top = "*BOUNDARY\n";
  int node = 18;
  for (const double w : {0.02, 0.01, 0.01, 0.02, 0.015, 0.01, 0.02, 0.015, 0.012})
    top += fmt::format("{}, 3, 3, {}\n", node++, -w);
  exchange("*DLOAD\nupper, P2, 4.\n", top);
  exchange("1000., 0.\n", "1000., 0.3\n");
  exchange("*STEP\n", "*STEP, NLGEOM\n");
  const Folder folder;
  const Outcome run = run_column(folder, text);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::string table = text_of(folder / "results/column.dat");
  const std::string last = table.substr(table.rfind("displacements"));
  for (const auto &[number, w] : {std::pair{5, -8.312067e-03}, {6, -7.147021e-03}, {9, -8.396111e-03}, {13, -8.011285e-03}})
  {
    const std::size_t row = last.find(fmt::format("\n{:10d} ", number));
    ASSERT_NE(row, std::string::npos) << last;
    std::istringstream words(last.substr(row));
    double of_node, u, v, along;
    words >> of_node >> u >> v >> along;
    EXPECT_NEAR(along, w, 3e-9) << number;
  }
}

/// A gap of the mesh is closed by ADJUST, free of stress; without it the body above it falls through nothing.
TEST(InpContact, AdjustMovesNodesOntoTheOtherSurface)
{
  const std::string linear = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n";
  std::string text = column(linear, "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE, ADJUST=0.02\nslave, master\n");
  for (int node = 9; node <= 17; ++node)  // 0.01 above the base
  {
    const std::size_t line = text.find(fmt::format("\n{}, ", node)), end = text.find('\n', line + 1);
    ASSERT_EQ(text.substr(end - 3, 3), ", 1");
    text.insert(end, ".01");
  }
  const Folder folder;
  const Outcome run = run_column(folder, text);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NEAR(run.history.last("slave.gap"), -4e-5, 1e-9);
  EXPECT_EQ(has(text_of(folder / "results/run.log"), "nodes moved by up to 0.01, "), "");
  const auto adjust = [&](const std::string &of) {
    std::string other = text;
    return other.replace(other.find("ADJUST=0.02"), 11, "ADJUST=" + of);
  };
  const Folder of_set;
  const Outcome by_set = run_column(of_set, adjust("sides"));
  ASSERT_EQ(by_set.exit_code, 0) << by_set.terminal;
  EXPECT_NEAR(by_set.history.last("slave.gap"), -4e-5, 1e-9);
  EXPECT_EQ(has(text_of(of_set / "results/run.log"), "nodes moved by up to 0.01, 0 beyond"), "");
  expect_column_refused(adjust("top"), "'top' has no node of slave");
}

/// The second step takes the contact away, the third brings it back.
TEST(InpContact, ModelChangeSwitchesPairs)
{
  const std::string linear = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n*CONTACT DAMPING\n3.\n";
  std::string text = column(linear);
  const std::string load = "*DLOAD\nupper, P2, 4.\n";
  text.replace(text.find(load), load.size(), "*BOUNDARY\ntop, 3, 3, -0.1\n");
  const auto change = [](const std::string &what) {
    return "*STEP\n*STATIC\n1., 1.\n*MODEL CHANGE, TYPE=CONTACT PAIR, " + what + "\n*END STEP\n";
  };
  const double pressed = 0.1 / (2. / 1000. + 1. / 1e5);
  const Folder folder;
  const Outcome run = run_column(folder, text + change("REMOVE\nslave, master") + change("ADD\nSLAVE, MASTER"));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::vector<double> &force = run.history["slave.force_z"];
  EXPECT_NEAR(force[2], pressed, 1e-6 * pressed) << "the end of the first step";
  EXPECT_NEAR(force[4], 0., 1e-9);
  EXPECT_NEAR(force.back(), pressed, 1e-6 * pressed);
  EXPECT_EQ(has(run.terminal, "no stage moves in time"), "");
  expect_column_refused(text + change("REMOVE\nmaster, slave"), "is no *CONTACT PAIR of this file: the dependent surface comes first");
  expect_column_refused(text + change("ADD, REMOVE\nslave, master"), "needs ADD or REMOVE");
}

/// Node 2 is pushed by 30 N against a spring of 100 N/m, and from 0.1 m on against node 1: u = (30 + 1e4 0.1)/(1e4 + 100).
TEST(InpContact, GapsPushWhereTheyAreClosed)
{
  const auto file = [](const std::string &force) {
    return "*NODE\n1, 1., 0., 0.\n2, 0., 0., 0.\n*ELEMENT, TYPE=SPRING1, ELSET=S\n1, 2\n*ELEMENT, TYPE=GAPUNI, ELSET=G\n2, 2, 1\n*SPRING, "
           "ELSET=S\n1\n100.\n*GAP, ELSET=G\n0.1, 1., 0., 0., , 1e4\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n*STEP\n*STATIC\n1., 1.\n*CLOAD\n2, 1, " +
           force + "\n*NODE PRINT, NSET=N\nU\n*END STEP\n";
  };
  for (const auto &[force, u] : {std::pair{"30.", (30. + 1e3) / 10100.}, {"-30.", -0.3}})
  {
    const Folder folder;
    std::string text = file(force);
    text.insert(text.find("*ELEMENT"), "*NSET, NSET=N\n2\n");
    const Outcome run = run_column(folder, text);
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    EXPECT_NEAR(run.history.last("n2.x"), u, 1e-9);
  }
}

/// In pictures both surfaces have the pressure of the contact.
TEST(InpContact, FramesHaveThePressure)
{
  const Folder folder;
  const std::string text = column("*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n");
  const std::size_t end = text.find("*NODE PRINT");
  const Outcome run = run_column(folder, text.substr(0, end) + "*NODE FILE\nU\n*END STEP\n");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const auto grid = read_grid(files_of(folder / "results/contact.pvd").back());
  EXPECT_EQ(grid->GetNumberOfCells(), 5) << "4 faces on 1";
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
  {
    EXPECT_NEAR(grid->GetPointData()->GetArray("contact_pressure")->GetTuple1(i), 4., 1e-6);
    EXPECT_NEAR(grid->GetPoint(i)[2] + grid->GetPointData()->GetArray("displacement")->GetTuple3(i)[2], 0.996, 1e-4);
  }
}

/// The upper body is dragged aside under 4 N: by mu = 0.3 at most 1.2 N go over, by the stick slope as much as the slip makes.
TEST(InpContact, FrictionSticksAndSlides)
{
  const std::string law = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n";
  const auto dragged = [&](const std::string &friction, const double way) {
    const Folder folder;
    const Outcome run =
        run_column(folder, column(law + friction) +
                               fmt::format("*STEP\n*STATIC\n0.1, 1.\n*BOUNDARY\nsides, 1, 1, {0}\ntop, 1, 1, {0}\n*END STEP\n", way));
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    EXPECT_NEAR(run.history.last("slave.force_z"), 4., 0.02) << "of the segments of the next increment";
    return run.history.last("slave.force_x");
  };
  const std::string friction = "*FRICTION\n0.3, 100.\n";
  EXPECT_NEAR(dragged(friction, 0.04), -1.1921, 2e-3) << "as CalculiX 2.20: the last places at the front still stick";
  const double sticks = dragged(friction, 1e-3);
  EXPECT_LT(sticks, -0.05);
  EXPECT_GT(sticks, -0.1) << "of a slip of 1e-3 all but what the base follows";
  EXPECT_NEAR(dragged(friction, 2e-3), 2. * sticks, 0.01 * std::abs(sticks));
  EXPECT_NEAR(dragged("*FRICTION\n0., 100.\n", 0.04), 0., 2e-3);
  EXPECT_NEAR(dragged("", 0.04), 0., 2e-3) << "negative control";
}

TEST(InpContact, RefusesWhatItCannot)
{
  const std::string named = "*SURFACE INTERACTION, NAME=SI\n", linear = "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n";
  expect_column_refused(column(named + linear + "*FRICTION\n"), "*FRICTION: needs one line of data");
  expect_column_refused(column(named + linear + "*FRICTION, ROUGH\n0.3\n"), "*FRICTION, ROUGH");
  expect_column_refused(column(named + linear + "*FRICTION\n0.3, 1e5, 2\n"), "2 is unexpected trailing data of *FRICTION");
  expect_column_refused(column(named + linear + "*FRICTION\n-0.3\n"), "-0.3");
  expect_column_refused(column(named + linear + "*FRICTION\n0.3\n*FRICTION\n0.3\n"), "*FRICTION: is the second one");
  expect_column_refused(column(named), "*SURFACE INTERACTION, NAME=SI: has no *SURFACE BEHAVIOR");
  expect_column_refused(column(named + linear + linear), "is the second one of the *SURFACE INTERACTION 'SI'");
  expect_column_refused(column("*SURFACE INTERACTION, NAME=other\n" + linear), "there is no *SURFACE INTERACTION of this name");
  expect_column_refused(column(named + "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=TIED\n"), "needs a line of data: the slope K");
  expect_column_refused(column(named + "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=SOFT\n1e5\n"),
                        "is LINEAR, EXPONENTIAL, TABULAR, HARD or TIED");
  expect_column_refused(column(named + "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=EXPONENTIAL\n1e-3\n"),
                        "needs a line of data: the clearance c0");
  expect_column_refused(column(named + "*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n2e5\n"),
                        "2e5: is a line too many of *SURFACE BEHAVIOR");
  expect_column_refused(column(linear + named + linear), "*SURFACE BEHAVIOR: stands in front of the first *SURFACE INTERACTION");
  expect_column_refused(column(named + "*SURFACE BEHAVIOR\n1e5\n"), "needs PRESSURE-OVERCLOSURE=LINEAR");
  expect_column_refused(column(named + linear + named + linear), "*SURFACE INTERACTION, NAME=SI: is there twice");
  const std::string pair = "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE";
  expect_column_refused(column(named + linear, pair + ", ADJUST=SET\nslave, master\n"), "Tolerance = SET: must be a number > 0");
  expect_column_refused(column(named + linear, pair + "\nslave, maste\n"), "there is no *SURFACE 'maste'");
  expect_column_refused(column(named + linear, "*CONTACT PAIR, INTERACTION=SI, TYPE=GENERAL\nslave, master\n"),
                        "is NODE TO SURFACE, SURFACE TO SURFACE");
  expect_column_refused(column(named + linear, pair + "\nslave, master\n", "*SURFACE, NAME=slave, TYPE=NODE\n9\n"),
                        "has too few nodes for a face");
  const Folder folder;
  const Outcome unused = run_column(folder, column(named + linear + "*SURFACE INTERACTION, NAME=more\n"));
  EXPECT_EQ(unused.exit_code, 0) << unused.terminal;
  EXPECT_EQ(has(unused.terminal, "*SURFACE INTERACTION, NAME=more: has no effect"), "");
}
}  // namespace symdyn::tests::in_inp_contact
