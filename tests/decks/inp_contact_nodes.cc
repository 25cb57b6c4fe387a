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

/// The corner of a punch stands where four faces meet, which tilt under it: each node keeps to the face before which it stands, and to its
/// edge where it leaves it. U of CalculiX 2.20, to 1e-3 of the largest.
TEST(InpContactNodes, ACornerStandsOnFourFaces)
{
  std::string places = "*NODE, NSET=all\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=base\n";
  const auto node = [](const int i, const int j, const int level) { return 1 + i + 3 * j + 9 * level; };
  for (int level = 0; level < 3; ++level)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i)
        places += fmt::format("{}, {}, {}, {}\n", node(i, j, level), 0.5 * i, 0.5 * j, 0.5 * level);
  int number = 0;
  for (int level = 0; level < 2; ++level)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
      {
        cells += fmt::format("{}", ++number);
        for (const int up : {level, level + 1})
          cells += fmt::format(", {}, {}, {}, {}", node(i, j, up), node(i + 1, j, up), node(i + 1, j + 1, up), node(i, j + 1, up));
        cells += "\n";
      }
  for (int i = 0; i < 8; ++i)
    places += fmt::format("{}, {}, {}, {}\n", 28 + i, 0.5 + 0.5 * (i & 1), 0.5 + 0.5 * (i >> 1 & 1), 1. + 0.5 * (i >> 2));
  const std::string text =
      places + cells +
      "*ELEMENT, TYPE=C3D8, ELSET=upper\n9, 28, 29, 31, 30, 32, 33, 35, 34\n*NSET, NSET=foot\n1, 2, 3, 4, 5, 6, 7, 8, 9\n*NSET, "
      "NSET=punch\n28, 29, 30, 31, 32, 33, 34, 35\n*BOUNDARY\nfoot, 1, 3\npunch, 1, 2\n*MATERIAL, NAME=soft\n*ELASTIC\n1000., 0.\n*SOLID "
      "SECTION, ELSET=base, MATERIAL=soft\n*SOLID SECTION, ELSET=upper, MATERIAL=soft\n*SURFACE, NAME=slave\nupper, S1\n*SURFACE, "
      "NAME=master\n5, S2\n6, S2\n7, S2\n8, S2\n" +
      of_nodes + with_tension + "*STEP, NLGEOM\n*STATIC\n1., 1.\n*DLOAD\n9, P2, 40.\n*NODE PRINT, NSET=all\nU\n*END STEP\n";
  const Folder folder;
  const Outcome run = run_column(folder, text);
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const std::string table = text_of(folder / "results/column.dat");
  for (const auto &[at, w] : {std::pair{14, -5.301261e-03},
                              {15, -1.014599e-02},
                              {18, -1.581143e-02},
                              {23, -1.276827e-02},
                              {24, -2.195767e-02},
                              {27, -3.012479e-02},
                              {28, -1.279517e-02},
                              {31, -3.007444e-02},
                              {32, -4.324547e-02},
                              {35, -4.297222e-02}})
    EXPECT_NEAR(displacement(table, at), w, 1e-3 * 4.3e-2) << at;
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
