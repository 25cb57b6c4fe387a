// *CLEARANCE, *CHANGE FRICTION, *CHANGE SURFACE BEHAVIOR of .inp files: against CalculiX.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>

#include "tests/inp_column.h"

namespace symdyn::tests::in_inp_contact_changes
{
using namespace of_column;
namespace
{
const std::string linear = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5\n";

/// Its upper body is 0.01 m above the lower one, and pressed down by 0.05 m.
std::string lifted(std::string text)
{
  const auto exchange = [&text](const std::string &old, const std::string &other) {
    ASSERT_NE(text.find(old), std::string::npos) << old;
    text.replace(text.find(old), old.size(), other);
  };
  int node = 9;
  for (const double z : {1., 2.})
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i, ++node)
        exchange(fmt::format("\n{}, {}, {}, {}\n", node, 0.5 * i, 0.5 * j, z),
                 fmt::format("\n{}, {}, {}, {}\n", node, 0.5 * i, 0.5 * j, z + 0.01));
  exchange("1000., 0.\n", "1000., 0.3\n");
  exchange("*DLOAD\nupper, P2, 4.\n", "*BOUNDARY\ntop, 3, 3, -0.05\n");
  exchange("*STEP\n", "*STEP, NLGEOM\n");
  return text;
}
}  // namespace

/// The gap is VALUE, not the 0.01 m of the meshes. U of CalculiX 2.20.
TEST(InpContactChanges, AClearanceIsTheGapAtTheStart)
{
  const std::string pair = "*CONTACT PAIR, INTERACTION=SI, TYPE=SURFACE TO SURFACE, SMALL SLIDING\nslave, master\n";
  const Folder folder, without;
  const Outcome run = run_column(folder, lifted(column(linear + "*CLEARANCE, MASTER=master, SLAVE=slave, VALUE=1e-3\n", pair)));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::string table = text_of(folder / "results/column.dat");
  const std::string last = table.substr(table.rfind("displacements"));
  for (const auto &[node, w] : {std::pair{5, -2.692622e-02}, {9, -2.821003e-02}, {13, -2.821003e-02}})
  {
    std::istringstream words(last.substr(last.find(fmt::format("\n{:10d} ", node))));
    double number = 0, u = 0, v = 0, along = 0;
    words >> number >> u >> v >> along;
    EXPECT_NEAR(along, w, 1e-7) << node;
  }
  const Outcome other = run_column(without, lifted(column(linear, pair)));
  ASSERT_EQ(other.exit_code, 0) << other.terminal;
  EXPECT_NEAR(other.history.last("slave.force_z") / run.history.last("slave.force_z"), (0.05 - 0.01) / (0.05 - 1e-3), 1e-2)
      << "negative control";
}

/// mu = 0.3, and 0.1 in the third step: CalculiX 2.20 drags by 1.1918 N and 0.3949 N.
TEST(InpContactChanges, AStepChangesTheFriction)
{
  const auto drag = [](const std::string &change, const double way) {
    return "*STEP, NLGEOM\n*STATIC\n0.1, 1.\n" + change + fmt::format("*BOUNDARY\nsides, 1, 1, {0}\ntop, 1, 1, {0}\n*END STEP\n", way);
  };
  const Folder folder;
  const Outcome run = run_column(folder, column(linear + "*FRICTION\n0.3, 100.\n") + drag("", 0.04) +
                                             drag("*CHANGE FRICTION, INTERACTION=SI\n*FRICTION\n0.1, 100.\n", 0.08));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::vector<double> &force = run.history["slave.force_x"];
  EXPECT_NEAR(force[force.size() - 12], -1.1918, 3e-3);
  EXPECT_NEAR(force.back(), -0.3949, 3e-3);
}

/// K = 1e5 and 1e3 under 4 N: U of CalculiX 2.20.
TEST(InpContactChanges, AStepChangesTheLaw)
{
  const Folder folder;
  const Outcome run = run_column(folder, column(linear) +
                                             "*STEP\n*STATIC\n0.5, 1.\n*CHANGE SURFACE BEHAVIOR, INTERACTION=SI\n*SURFACE BEHAVIOR, "
                                             "PRESSURE-OVERCLOSURE=LINEAR\n1e3\n*END STEP\n");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NEAR(run.history["slave.gap"][2], -4e-5, 1e-9);
  EXPECT_NEAR(run.history.last("slave.gap"), -4e-3, 1e-8);
}

TEST(InpContactChanges, RefuseWhatTheyCannot)
{
  const std::string step = "*STEP\n*STATIC\n0.5, 1.\n", end = "*END STEP\n", friction = "*FRICTION\n0.1\n";
  expect_column_refused(column(linear) + step + friction + end, "*FRICTION: in a step stands behind *CHANGE FRICTION");
  expect_column_refused(column(linear) + step + "*CHANGE FRICTION\n" + friction + end, "needs INTERACTION=NAME");
  expect_column_refused(column(linear) + step + "*CHANGE FRICTION, INTERACTION=other\n" + friction + end,
                        "no *CONTACT PAIR of this file has this interaction");
  expect_column_refused(
      column(linear) + step + "*CHANGE SURFACE BEHAVIOR, INTERACTION=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD\n" + end,
      "a contact with Law = hard or tied does not change");
  expect_column_refused(column(linear + "*CLEARANCE, MASTER=master, SLAVE=slave\n"), "*CLEARANCE: needs VALUE=");
  expect_column_refused(column(linear + "*CLEARANCE, MASTER=slave, SLAVE=master, VALUE=0.1\n"),
                        "there is no *CONTACT PAIR of these surfaces");
}
}  // namespace symdyn::tests::in_inp_contact_changes
