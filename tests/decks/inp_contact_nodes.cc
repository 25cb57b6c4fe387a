// Slave surfaces of nodes, and overlaps, of .inp files: against CalculiX.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>

#include "tests/inp_column.h"

namespace symdyn::tests::in_inp_contact_nodes
{
using namespace of_column;
namespace
{
const std::string nodes_alone = "*NSET, NSET=five\n9, 11, 13, 15, 17\n*SURFACE, NAME=slave, TYPE=NODE\nfive\n",
                  of_nodes = "*CONTACT PAIR, INTERACTION=SI, TYPE=NODE TO SURFACE\nslave, master\n",
                  with_tension = "*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e5, 0.5\n";

std::string replaced(std::string text, const std::string &old, const std::string &other)
{
  EXPECT_NE(text.find(old), std::string::npos) << old;
  return text.replace(text.find(old), old.size(), other);
}

/// Along z, at the end: of a table of displacements.
double displacement(const std::string &table, const int node)
{
  const std::string last = table.substr(table.rfind("displacements"));
  std::istringstream words(last.substr(last.find(fmt::format("\n{:10d} ", node))));
  double number = 0, u = 0, v = 0, w = 0;
  words >> number >> u >> v >> w;
  EXPECT_EQ(number, node);
  return w;
}
}  // namespace

/// The corners and the middle of the upper body, which make no face: each has its part of all faces of the surface at it. U of
/// CalculiX 2.20; corners of the lower faces alone would have a quarter of that area, and the gap would be more than 3 times as deep.
TEST(InpContactNodes, WithoutFacesAreThoseOfCalculix)
{
  const Folder folder;
  const Outcome run = run_column(folder, replaced(column(with_tension, of_nodes, nodes_alone), "*STEP\n", "*STEP, NLGEOM\n"));
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::string table = text_of(folder / "results/column.dat");
  for (const auto &[node, w] :
       {std::pair{5, -4.024259e-03}, {9, -4.044745e-03}, {10, -9.220752e-03}, {13, -4.108363e-03}, {18, -1.175477e-02}})
    EXPECT_NEAR(displacement(table, node), w, 1e-7) << node;
  EXPECT_NEAR(run.history.last("slave.area"), 4. * 0.3125 + 0.25, 1e-12);
  EXPECT_EQ(has(text_of(folder / "results/run.log"), "slave (5 nodes, 13 faces at them) and master, tension"), "");
}

TEST(InpContactNodes, WithoutFacesAreTheSameOnRanks)
{
  const Folder one, two;
  const std::string text = column(with_tension, of_nodes, nodes_alone);
  const Outcome alone = run_column(one, text), shared = run_column(two, text, 2);
  ASSERT_EQ(alone.exit_code, 0) << alone.terminal;
  ASSERT_EQ(shared.exit_code, 0) << shared.terminal;
  for (const char *column : {"slave.force_z", "slave.area", "slave.gap", "slave.pressure", "E_contact"})
    EXPECT_NEAR(shared.history.last(column), alone.history.last(column), 1e-9) << column;
}

TEST(InpContactNodes, NeedASolid)
{
  const std::string spring = "*NODE\n90, 0.5, 0.5, 1.5\n*ELEMENT, TYPE=SPRING1, ELSET=S\n90, 90\n*SPRING, ELSET=S\n3\n100.\n";
  expect_column_refused(column(with_tension, of_nodes, spring + "*SURFACE, NAME=slave, TYPE=NODE\n9\n90\n"),
                        "node 90 of 'slave' is on no solid element, so that it has no area");
}

/// The upper body is 0.01 to 0.02 m deep in the lower one, held at both ends. Each place comes out in step with its own depth, as in
/// CalculiX 2.20: the force on the foot at quarters of the step. By one depth for all places nothing would touch at the shallow end at
/// first.
TEST(InpContactNodes, OverlapsFadePlaceByPlace)
{
  std::string text = column("*SURFACE INTERACTION, NAME=SI\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n1e6\n");
  for (int node = 9; node <= 26; ++node)
  {
    const std::size_t line = text.find(fmt::format("\n{}, ", node)) + 1, end = text.find('\n', line);
    std::istringstream words(replaced(replaced(replaced(text.substr(line, end - line), ",", " "), ",", " "), ",", " "));
    double number = 0, x = 0, y = 0, z = 0;
    words >> number >> x >> y >> z;
    text.replace(line, end - line, fmt::format("{}, {}, {}, {}", node, x, y, z - 0.01 * (1. + x)));
  }
  text = replaced(replaced(text, "top, 1, 2", "top, 1, 3"), "*STATIC\n0.5, 1.", "*STATIC\n0.25, 1.");
  text = replaced(replaced(text, "4.\n*NODE PRINT, NSET=all\nU", "1e-6\n*NODE PRINT, NSET=foot, TOTALS=ONLY\nRF"), "*STEP\n",
                  "*STEP, NLGEOM\n");
  const Folder folder;
  const Outcome run = run_column(folder, text);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::vector<double> &force = run.history["foot.R_z"];
  ASSERT_EQ(force.size(), 5u);
  for (const auto &[increment, of_calculix] : {std::pair{1, 1.8673}, {2, 3.724037}, {3, 5.570916}, {4, 7.41005}})
    EXPECT_NEAR(force[increment], of_calculix, 6e-4 * of_calculix) << increment;
}
}  // namespace symdyn::tests::in_inp_contact_nodes
