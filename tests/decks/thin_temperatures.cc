// NT of *NODE PRINT: temperatures of nodes of beams and shells.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/inp_model.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests
{
namespace
{
const std::string skin_of_four =
                      "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n*ELEMENT, TYPE=S4, ELSET=E\n1, 1, 2, 3, 4\n",
                  steel_that_expands = "*MATERIAL, NAME=M\n*ELASTIC\n210e9, .3\n*EXPANSION\n1e-5\n",
                  skin_section = "*SHELL SECTION, ELSET=E, MATERIAL=M\n.1\n",
                  skin_held = "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n*BOUNDARY\n1, 1, 6\n2, 2, 3\n4, 3\n",
                  hot_nodes = "*STEP\n*STATIC, DIRECT\n.5, 1.\n*TEMPERATURE\n1, 120.\n2, 220.\n3, 320.\n4, 420.\n",
                  printed_heat = "*NODE PRINT, NSET=ALL\nNT\n*END STEP\n";

/// The temperatures of nodes in the n-th table, by their number.
std::map<int, double> table_of_heat(std::string text, const int n)
{
  const std::string title = "temperatures for set ALL";
  for (int k = 0; k < n; ++k)
    text.erase(0, std::min(text.find(title) + title.size(), text.size()));
  std::map<int, double> found;
  for (const std::vector<double> &row : rows_below(text, title))
    found[int(row.at(0))] = row.size() == 2 ? row[1] : std::nan("");
  return found;
}
}  // namespace

/// CalculiX 2.20 on this deck: T of each node at the end of the step, which it computes on bricks in the place of the shell; and half of
/// the way there (its nonlinear steps print increments).
TEST(ThinTemperatures, NodesOfShells)
{
  const std::string deck = skin_of_four + steel_that_expands + skin_section + skin_held, ends = hot_nodes + printed_heat;
  const std::map<int, double> whole{{1, 120.}, {2, 220.}, {3, 320.}, {4, 420.}}, half{{1, 70.}, {2, 120.}, {3, 170.}, {4, 220.}};
  const std::string text = tables_of(deck + ends), increments = tables_of(deck + "*STEP, NLGEOM" + ends.substr(ends.find('\n')));
  EXPECT_EQ(table_of_heat(text, 0), whole) << text;
  EXPECT_EQ(table_of_heat(increments, 0), half) << increments;
  EXPECT_EQ(table_of_heat(increments, 1), whole);
}

TEST(ThinTemperatures, NodesOnRanks)
{
  const std::string deck = skin_of_four + "*NODE, NSET=ALL\n5, 2, 0, 0\n6, 2, 1, 0\n*ELEMENT, TYPE=S4, ELSET=E\n2, 2, 5, 6, 3\n" +
                           steel_that_expands + skin_section + skin_held + hot_nodes + "5, 20.\n6, 50.\n" + printed_heat;
  const std::string alone = tables_of(deck);
  EXPECT_EQ(table_of_heat(alone, 0), (std::map<int, double>{{1, 120.}, {2, 220.}, {3, 320.}, {4, 420.}, {5, 20.}, {6, 50.}})) << alone;
  EXPECT_EQ(tables_of(deck, {}, 2), alone);
}

/// As CalculiX 2.20: nodes in the middle of elements have the temperature that the deck gives them.
TEST(ThinTemperatures, NodesOfBeams)
{
  const std::string deck =
      "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n*ELEMENT, TYPE=B32, ELSET=E\n1, 1, 2, 3\n" + steel_that_expands +
      "*BEAM SECTION, ELSET=E, MATERIAL=M, SECTION=RECT\n.1, .1\n0, 1, 0\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\n"
      "ALL, 20.\n*BOUNDARY\n1, 1, 6\n*STEP, NLGEOM\n*STATIC, DIRECT\n.5, 1.\n*TEMPERATURE\n1, 120.\n2, 220.\n3, 320.\n" +
      printed_heat;
  const std::string text = tables_of(deck);
  EXPECT_EQ(table_of_heat(text, 0), (std::map<int, double>{{1, 70.}, {2, 120.}, {3, 170.}})) << text;
  EXPECT_EQ(table_of_heat(text, 1), (std::map<int, double>{{1, 120.}, {2, 220.}, {3, 320.}}));
}

/// A shell on a side of a cube: nodes of both, each once.
TEST(ThinTemperatures, NodesOfShellsAndSolids)
{
  const std::string cube =
      "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n9, 2, 0, 0\n10, 2, "
      "1, 0\n*ELEMENT, TYPE=C3D8, ELSET=B\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*ELEMENT, TYPE=S4, ELSET=E\n2, 2, 9, 10, 3\n";
  const std::string text =
      tables_of(cube + steel_that_expands + "*SOLID SECTION, ELSET=B, MATERIAL=M\n" + skin_section +
                "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 20.\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3\n*STEP, NLGEOM\n*STATIC, "
                "DIRECT\n.5, 1.\n*TEMPERATURE\nALL, 120.\n9, 220.\n10, 320.\n" +
                printed_heat);
  std::map<int, double> half, whole;
  for (int node = 1; node <= 10; ++node)
  {
    whole[node] = node == 9 ? 220. : node == 10 ? 320. : 120.;
    half[node] = 0.5 * (20. + whole[node]);
  }
  EXPECT_EQ(table_of_heat(text, 0), half) << text;
  EXPECT_EQ(table_of_heat(text, 1), whole);
}

/// Where no beam or shell is heated, NT is refused by a .prm deck and left out, with a warning, of an .inp deck.
TEST(ThinTemperatures, NothingIsHeated)
{
  const Folder folder;
  const std::string cold = "*MATERIAL, NAME=M\n*ELASTIC\n210e9, .3\n";
  const Outcome outcome =
      run_deck(folder, write_file(folder, "model.inp", skin_of_four + cold + skin_section + skin_held + hot_nodes + printed_heat));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_EQ(has(outcome.terminal, "*NODE PRINT NT: this quantity is not written"), "");
  expect_refused(
      "set Structure = discrete\n" +
          section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                                section("tip", "set Position = 1, 0, 0\nset Mass = 1")) +
          stages(section("rest", "set Type = static")) +
          section("Tables", "set File = t.dat\n" +
                                section("ends", "set Nodes = ends\nset Points = root, tip\nset Numbers = 1, 2\nset Quantities = NT")),
      "NT is of nodes of beams and shells, and none of them is heated");
}

/// A cantilever of 1 m, 20 mm along y and 30 mm along z, whose tip is pulled along z and x at 200 degrees, where E is between that of 100
/// and that of 300 degrees: u = F L³/(3 E(T) I) + shear, F L/(E(T) A), and forces that do not know of E. As fast as it becomes warm its
/// stiffness falls: W_thermal is the change of V under the load.
TEST(ThinTemperatures, BeamsSoften)
{
  const std::string constants = "set Type = linear-elasticity\nset E = 200e9\nset nu = 0.3\nset Density = 7800\n",
                    softer = section("At temperatures", section("300", "set E = 120e9\nset nu = 0.3"));
  const auto tip = [&](const std::string &material, const std::string &T) {
    const Folder folder;
    return run_well(folder,
                    "set Structure = discrete\n" +
                        section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                                              section("tip", "set Position = 1, 0, 0") + "set Report = tip") +
                        section("Beams",
                                section("arm",
                                        "set From = root\nset To = tip\nset Elements = 4\nset Clamped = from\nset Direction = 0, 1, 0\n"
                                        "set Geometry = linear\nset Material = steel\nset Section = rectangle\nset Size = 0.02, 0.03")) +
                        section("Materials", section("steel", material)) +
                        section("Forces", section("pull", "set Points = tip\nset Force = 1e4, 0, 10")) +
                        section("Temperature", "set Initial = 100\nset Field = " + T) +
                        stages(section("pull", "set Type = static\nset Increments = 2")))
        .history;
  };
  const std::string law = constants + "set Temperature = 100\n" + softer;
  const History cold = tip(law, "100"), warm = tip(law, "200"), hot = tip(law, "300"), without = tip(constants, "100");
  for (const char *u : {"tip.x", "tip.z"})
  {
    const double rest = u[4] == 'x' ? 1. : 0., moved = without.last(u) - rest;
    EXPECT_NEAR(cold.last(u) - rest, moved, 1e-9 * moved);
    EXPECT_NEAR(warm.last(u) - rest, moved * 200. / 160., 1e-9 * moved);
    EXPECT_NEAR(hot.last(u) - rest, moved * 200. / 120., 1e-9 * moved);
  }
  EXPECT_NEAR(hot.last("E_potential"), cold.last("E_potential") * 200. / 120., 1e-9 * hot.last("E_potential"));
  expect_refused(
      "set Structure = discrete\n" +
          section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                                section("tip", "set Position = 1, 0, 0")) +
          section("Beams", section("arm",
                                   "set From = root\nset To = tip\nset Material = steel\nset Section = rectangle\nset Size = "
                                   "0.02, 0.03")) +
          section("Materials", section("steel", constants + "set Temperature = 100\n" +
                                                    section("At temperatures", section("300", "set E = 120e9\nset nu = 0.31")))) +
          section("Temperature", "set Field = 200") + stages(section("pull", "set Type = static")),
      "of beams and shells the moduli at all temperatures have the same ratios");
}

/// CalculiX 2.20 on these decks: a strip of two S8R (brick elements in its place, nu = 0) that is pulled while it becomes warm, along x by
/// 1e5 N, and one that is bent.
TEST(ThinTemperatures, ShellsSoftenAsInCalculix)
{
  const std::string strip =
      "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n4, 0, .5, 0\n5, 2, .5, 0\n6, 0, 1, 0\n7, 1, 1, 0\n8, 2, 1, 0\n9, 3, 0, 0\n10, 4, "
      "0, 0\n11, 4, .5, 0\n12, 4, 1, 0\n13, 3, 1, 0\n*NSET, NSET=ROOT\n1, 4, 6\n*NSET, NSET=TIP\n10, 11, 12\n*ELEMENT, TYPE=S8R, "
      "ELSET=E\n1, 1, 3, 8, 6, 2, 5, 7, 4\n2, 3, 10, 12, 8, 9, 11, 13, 5\n*MATERIAL, NAME=M\n*ELASTIC\n200e9, 0., 0.\n100e9, 0., "
      "400.\n*SHELL SECTION, ELSET=E, MATERIAL=M\n.1\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0.\n*BOUNDARY\nROOT, 1, 6\n*STEP\n"
      "*STATIC, DIRECT\n.5, 1.\n*TEMPERATURE\nALL, 300.\n*CLOAD\n";
  const std::string print = "*NODE PRINT, NSET=TIP\nU, NT\n*END STEP\n";
  const auto pulled = of_node(rows_below(tables_of(strip + "10, 1, 1e5\n11, 1, 4e5\n12, 1, 1e5\n" + print), "displacements"), 11),
             bent = of_node(rows_below(tables_of(strip + "10, 3, 10.\n11, 3, 40.\n12, 3, 10.\n" + print), "displacements"), 11);
  constexpr double along = 1.920000e-4, across = 1.229184e-4;
  EXPECT_NEAR(pulled[0], along, 1e-6 * along);
  EXPECT_NEAR(bent[2], across, 1e-3 * across);
}
}  // namespace symdyn::tests
