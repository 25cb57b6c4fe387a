// Ties in decks: patch test, one cantilever in two halves, bodies that tumble, chains, ranks, files of CalculiX, what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/bad_input.h"
#include "tests/blocks.h"
#include "tests/compare.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_ties
{
namespace
{
using Settings = std::vector<std::string>;

std::string materials(const std::string &law, const double E, const double density)
{
  const std::string one = fmt::format("set Type = {}\nset E = {:.15g}\nset nu = 0.3\nset Density = {:.15g}", law, E, density);
  return section("Materials", section("first", one) + section("second", one));
}
const std::string tie = section("Ties", section("glue", "set Dependent = first-x+\nset Independent = second-x-"));
const Settings swapped{"Ties/glue/Dependent=second-x-", "Ties/glue/Independent=first-x+"};

Settings operator+(Settings one, const Settings &other)
{
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

std::string mesh(const int dimension, const std::string &more = "")
{
  return section("Mesh", fmt::format("set Dimension = {}\nset Type = file\nset File = two.msh\n{}", dimension, more));
}

/// Reference R10 of contact: cubes of 3 on 4 cells, pressure 100 on x = 2, E = 1000, nu = 0.3.
const Blocks::Block left{{0., 0., 0.}, {1., 1., 1.}, {3, 3, 3}}, right{{1., 0., 0.}, {1., 1., 1.}, {2, 4, 4}};

std::string patch(const int dimension)
{
  std::string supports = section("x", "set Boundary = first-x-\nset Type = symmetry");
  for (const std::string &d : dimension == 2 ? std::vector<std::string>{"y"} : std::vector<std::string>{"y", "z"})
    supports += section(d, fmt::format("set Boundary = first-{0}-, second-{0}-\nset Type = symmetry", d));
  return mesh(dimension) + materials("linear-elasticity", 1000., 1.) + tie + section("Supports", supports) +
         section("Loads", section("push", fmt::format("set Type = traction\nset Boundary = second-x+\nset Traction = -100, 0{}",
                                                      dimension == 2 ? "" : ", 0"))) +
         section("Errors",
                 section("u", dimension == 2 ? "set Displacement = -0.091*x, 0.039*y" : "set Displacement = -0.1*x, 0.03*y, 0.03*z")) +
         stages(section("press", "set Type = static"));
}

/// H1 norm of the error; that of the answer is 0.15.
double error_of_patch(const Blocks &blocks, const Settings &settings, const int dimension = 3)
{
  const Folder folder;
  blocks.write(folder / "two.msh");
  return run_well(folder, patch(dimension), settings).history.last("u.H1");
}
}  // namespace

/// On the plane strain of E = 1000, nu = 0.3 the strains are -0.091 and 0.039. The control: interpolation at nodes.
TEST(Ties, PassThePatchTest)
{
  const Blocks blocks({left, right});
  const Settings tetrahedra{"Mesh/Cell shape=tetrahedra"}, twenty{"Mesh/Order=2", "Mesh/Element=serendipity"};
  for (const Settings &sides : {Settings{}, swapped})
    for (const Settings &cells : {Settings{}, {"Mesh/Order=2"}, twenty, tetrahedra})
      EXPECT_LT(error_of_patch(blocks, cells + sides), 1e-12) << (cells.empty() ? "" : cells.back());
  EXPECT_LT(error_of_patch(blocks, tetrahedra + Settings{"Mesh/Order=2"}), 1e-12);
  EXPECT_GT(error_of_patch(blocks, {"Ties/glue/Method=nodes"}), 1e-2) << "negative control";
  const Blocks plane({{{0., 0., 0.}, {1., 1., 0.}, {3, 3, 0}}, {{1., 0., 0.}, {1., 1., 0.}, {2, 4, 0}}}, 0.2);
  for (const Settings &cells : {Settings{}, {"Mesh/Order=2"}, {"Mesh/Order=3"}, tetrahedra})
    EXPECT_LT(error_of_patch(plane, cells, 2), 1e-11) << (cells.empty() ? "" : cells.back());
}

/// Shape functions of distorted faces are no polynomials of the plane.
TEST(Ties, DistortedFacesPassItNearly)
{
  const Blocks blocks({left, right}, 0.25);
  const Blocks far_away({left, right}, 0., [](int, std::array<double, 3> x) { return std::array{x[0], x[1] + 1e4, x[2] + 2e4}; });
  const std::string there = "Errors/u/Displacement=-0.1*x, 0.03*(y-1e4), 0.03*(z-2e4)";
  EXPECT_LT(error_of_patch(far_away, {there}), 1e-8) << "far from the origin";
  for (const Settings &sides : {Settings{}, swapped})
  {
    EXPECT_LT(error_of_patch(blocks, sides), 1e-8);
    EXPECT_LT(error_of_patch(blocks, sides + Settings{"Mesh/Order=2"}), 1e-10);
  }
}

/// Reference R11 of contact, of one mesh of 20x4x4 cells (CalculiX 2.20), in mm, t, s; its frequencies are omega over (2 pi)².
TEST(Ties, TwoHalvesOfACantilever)
{
  const double one_mesh[] = {1327.657, 1327.657, 7962.66, 7962.66, 11756.31, 20650.55, 20968.03, 20968.03};
  const std::string deck = mesh(3, "set Order = 2\nset Element = serendipity") + materials("linear-elasticity", 210000., 7.85e-9) + tie +
                           section("Supports", section("clamp", "set Boundary = first-x-")) +
                           section("Probes", section("tip", "set Point = 10, 0.5, 0.5")) +
                           section("Loads", section("pull", "set Type = traction\nset Boundary = second-x+\nset Traction = 100, 0, 0")) +
                           stages(section("pull", "set Type = static\nset Loads = pull"));
  const std::string modes = replaced(deck, "set Type = static\nset Loads = pull", "set Type = modes\nset Modes = 8\nset Loads = none");
  const Blocks halves({{{0., 0., 0.}, {5., 1., 1.}, {10, 4, 4}}, {{5., 0., 0.}, {5., 1., 1.}, {9, 3, 3}}});
  for (const Settings &sides : {Settings{}, swapped})
  {
    const Folder folder;
    halves.write(folder / "two.msh");
    EXPECT_NEAR(run_well(folder, deck, sides).history.last("tip.u_x") / 0.004744674, 1., 1e-6);
    const Folder other;
    halves.write(other / "two.msh");
    run_well(other, modes, sides);
    const auto found = table_of(other / "results/modes-pull.csv").at("frequency");
    ASSERT_EQ(found.size(), 8u);
    for (int i = 0; i < 8; ++i)
      EXPECT_NEAR(found[i] / (2. * std::acos(-1.)) / one_mesh[i], 1., 2.5e-4) << i;
  }
}

namespace
{
/// Two cubes with a curved interface, whose faces of 3x3 and 4x4 cells are apart from each other by up to 4 mm.
Blocks curved()
{
  return Blocks({left, right}, 0., [](const int block, std::array<double, 3> x) {
    const double bulge = 1. + 0.15 * std::sin(3.14159 * x[1]) * std::cos(1.5708 * x[2]);
    x[0] = block == 0 ? x[0] * bulge : bulge + (x[0] - 1.) * (2. - bulge);
    return x;
  });
}
const std::string tumbling = mesh(3) + materials("neo-hooke-log", 1000., 1.) + tie +
                             section("Initial conditions", "set Velocity = -3*(y-0.5)+0.5*z, 3*(x-1)+z, -0.5*(x-1)-(y-0.5)") +
                             section("Time", "set Time step = 0.01\nset End time = 0.4") + section("Newton", "set Tolerance = 1e-12") +
                             section("Integrator", "set Scheme = discrete-gradient") + section("Output", "set Write every = never");
}  // namespace

/// The control: a gap that turns with the bodies.
TEST(Ties, GluedBodiesTumble)
{
  const Settings exact_steps{"Integrator/Scheme=central-difference", "Elements/Mass=lumped", "Time/Time step=0.001"};
  for (const Settings &settings : {Settings{},
                                   {"Mesh/Order=2"},
                                   {"Mesh/Element=serendipity", "Mesh/Order=2"},
                                   {"Ties/glue/Method=nodes"},
                                   exact_steps,
                                   {"Integrator/Scheme=zhang-skeel"}})
  {
    SCOPED_TRACE(settings.empty() ? "" : settings.front());
    const Folder folder;
    curved().write(folder / "two.msh");
    const Outcome run = run_well(folder, tumbling, settings);
    for (const char *J : {"J_x", "J_y", "J_z", "P_x", "P_y", "P_z"})
      EXPECT_LT(drift(run.history, J), 4e-11) << J;
    if (settings.empty())
    {
      EXPECT_LT(drift(run.history, "E_total"), 1e-10);
    }
    EXPECT_GT(largest(run.history, "E_potential", "dynamic"), 1e-3) << "it strains";
  }
  const Folder folder;
  curved().write(folder / "two.msh");
  EXPECT_GT(drift(run_well(folder, tumbling, {"Ties/glue/Adjust=no"}).history, "J_z"), 1e-4) << "negative control";
}

/// A quarter turn of one end, at rest: the bodies turn with it, and nothing is strained. The control: without adjustment.
TEST(Ties, RotationsAreFreeOfStress)
{
  const std::string deck =
      mesh(3) + materials("neo-hooke-log", 1000., 1.) + tie +
      section("Supports", section("turned", "set Boundary = first-x-\nset Type = displacement\nset Displacement = -x-y, x-y, 0")) +
      section("Errors", section("u", "set Displacement = -x-y, x-y, 0")) + section("Newton", "set Tolerance = 1e-13") +
      stages(section("turn", "set Type = static\nset Increments = 8"));
  for (const bool adjust : {true, false})
  {
    const Folder folder;
    curved().write(folder / "two.msh");
    const double error = run_well(folder, deck, {adjust ? "Ties/glue/Adjust=yes" : "Ties/glue/Adjust=no"}).history.last("u.H1");
    EXPECT_EQ(adjust, error < 1e-9) << error;
    EXPECT_TRUE(adjust || error > 1e-3) << "negative control: " << error;
  }
}

/// Where three plates meet: the first follows the two others, of which one follows the other. The corner leads and follows.
TEST(Ties, ChainsPassThePatchTest)
{
  const Blocks blocks(
      {{{0., 0., 0.}, {1., 1., 0.}, {3, 5, 0}}, {{1., 0., 0.}, {1., 0.5, 0.}, {2, 4, 0}}, {{1., 0.5, 0.}, {1., 0.5, 0.}, {3, 2, 0}}});
  const std::string third = "set Type = linear-elasticity\nset E = 1000\nset nu = 0.3\nset Density = 1";
  std::string deck = replaced(patch(2), tie,
                              section("Ties", section("a", "set Dependent = first-x+\nset Independent = second-x-, third-x-") +
                                                  section("b", "set Dependent = second-y+\nset Independent = third-y-")));
  deck = replaced(deck, "set Boundary = second-x+", "set Boundary = second-x+, third-x+");
  deck = replaced(deck, "subsection Materials\n", "subsection Materials\n" + section("third", third));
  for (const Settings &cells : {Settings{}, {"Mesh/Order=2"}, {"Mesh/Order=2", "Mesh/Element=serendipity"}})
  {
    const Folder folder;
    blocks.write(folder / "two.msh");
    EXPECT_LT(run_well(folder, deck, cells).history.last("u.H1"), 1e-11) << (cells.empty() ? "" : cells.back());
  }
}

/// With a consistent mass in the deck `check` finds the critical step of the lumped one, as its line says.
TEST(Ties, TheCriticalStepIsThatOfTheLumpedMass)
{
  std::string step[2];
  for (const bool lumped : {false, true})
  {
    const Folder folder;
    Blocks({left, right}).write(folder / "two.msh");
    write_file(folder, "deck.prm", tumbling);
    const std::string text =
        tool(folder, "check " + quoted(folder / "deck.prm") + std::string(lumped ? " --set Elements/Mass=lumped" : "")).terminal;
    const std::size_t at = text.find("critical explicit time step");
    ASSERT_NE(at, std::string::npos) << text;
    step[lumped] = text.substr(at, text.find('\n', at) - at);
  }
  EXPECT_EQ(step[false], step[true]);
}

TEST(Ties, RankCountsDoNotChangeTheMotion)
{
  const Folder folder, other;
  curved().write(folder / "two.msh");
  curved().write(other / "two.msh");
  const History one = run_well(folder, tumbling, {"Time/End time=0.04"}).history,
                two = run_well(other, tumbling, {"Time/End time=0.04"}, 2).history;
  for (const char *column : {"E_kinetic", "E_potential", "J_z", "P_x"})
    EXPECT_NEAR(one.last(column), two.last(column), 1e-10) << column;
}

TEST(Ties, WrongInput)
{
  const Folder folder;
  Blocks({left, right}).write(folder / "two.msh");
  const auto refuse = [&](const Settings &settings, const std::string &words) {
    const Outcome run = run_text(folder, patch(3), settings);
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << run.terminal;
  };
  refuse({"Ties/glue/Dependent=first-x"}, "boundary 'first-x' does not exist; the mesh has: first-x");
  EXPECT_EQ(run_text(folder, patch(3), {"Ties/glue/Dependent=first-x"}).terminal.find("Mesh"), std::string::npos) << "another place";
  refuse({"Ties/glue/Independent=first-x+"}, "stands on both sides");
  const Outcome one_side = run_text(folder, replaced(patch(3), "set Dependent = first-x+\n", ""));
  EXPECT_NE(one_side.terminal.find("a tie needs boundaries on both sides"), std::string::npos) << one_side.terminal;
  refuse({"Ties/glue/Tolerance=0"}, "must be a number > 0");
  refuse({"Ties/glue/Method=mortars"}, "mortar");
  refuse({"Ties/glue/Independent=second-x+"}, "no node of first-x+ is within 0.008333 m of second-x+");
  refuse({"Ties/glue/Dependent=first-y+", "Ties/glue/Independent=second-y+", "Ties/glue/Tolerance=0.5"}, "do not face each other");
  const std::string twice = section("Ties", section("a", "set Dependent = first-x+\nset Independent = second-x-") +
                                                section("b", "set Dependent = first-x+\nset Independent = second-x-"));
  const Outcome dependent_twice = run_text(folder, replaced(patch(3), tie, twice));
  EXPECT_EQ(dependent_twice.exit_code, 1);
  EXPECT_NE(dependent_twice.terminal.find("follows the other side of tie 'a', too"), std::string::npos) << dependent_twice.terminal;
  const std::string circle = section("Ties", section("a", "set Dependent = first-x+\nset Independent = second-x-") +
                                                 section("b", "set Dependent = second-x-\nset Independent = first-x+"));
  const Outcome in_a_circle = run_text(folder, replaced(patch(3), tie, circle));
  EXPECT_EQ(in_a_circle.exit_code, 1);
  EXPECT_NE(in_a_circle.terminal.find("leads what it follows, by tie 'a'"), std::string::npos) << in_a_circle.terminal;
  EXPECT_NE(run_text(folder, patch(3), {"Ties/glue/Tolerance=0.3"}).terminal.find("more than half a face"), std::string::npos);
  expect_refused(oscillator(1., 1., 0.) + tie + section("Time", "set Time step = 0.1\nset End time = 1"),
                 "ties are of the boundaries of solids");
}

/// The smaller side covers a part of the larger one: what is out of reach is counted and named, whichever side is dependent.
TEST(Ties, NodesOutOfReachAreNamed)
{
  const Blocks blocks({left, {{1., 0.25, 0.2}, {1., 1., 0.5}, {2, 4, 3}}});
  const std::string deck = replaced(patch(3), "set Displacement = -0.1*x, 0.03*y, 0.03*z", "set Displacement = 0, 0, 0");
  for (const auto &[settings, words] :
       {std::pair{Settings{}, "nodes of first-x+ have nothing of second-x- within Tolerance"},
        {swapped, "4 nodes of second-x- have nothing of first-x+ within Tolerance = 0.005208 m and are not tied: at (1, 1.25, 0.2)"}})
  {
    const Folder folder;
    blocks.write(folder / "two.msh");
    EXPECT_NE(run_well(folder, deck, settings).terminal.find(words), std::string::npos);
  }
}

namespace
{
/// Two rods of unit cubes that touch at x = 2, without a common node; E = 1000, nu = 0.
const std::string two_rods = []() {
  std::string text = rod(2);
  text += "*NODE\n";
  for (int i = 0; i <= 1; ++i)
    for (int k = 0; k < 4; ++k)
      text += fmt::format("{}, {}, {}, {}\n", 101 + 4 * i + k, 2 + i, k == 1 || k == 2 ? 1 : 0, k >= 2 ? 1 : 0);
  return text + "*ELEMENT, TYPE=C3D8, ELSET=MORE\n11, 101, 102, 103, 104, 105, 106, 107, 108\n*SOLID SECTION, ELSET=MORE, MATERIAL=M\n" +
         "*NSET, NSET=END\n105, 106, 107, 108\n*SURFACE, NAME=ONE\n2, S2\n*SURFACE, NAME=OTHER\n11, S1\n*SURFACE, NAME=POINTS, TYPE=NODE\n101\n102\n103\n104\n"
         "*SURFACE, NAME=FEW, TYPE=NODE\n101\n102\n" +
         "*BOUNDARY\nROOT, 1, 3\n";
}();
std::string pulled(const std::string &card) { return two_rods + card + static_step("*CLOAD\nEND, 1, 2.5\n*NODE PRINT, NSET=END\nU\n"); }
}  // namespace

TEST(Ties, OfFilesOfCalculiX)
{
  const auto rows = rows_below(tables_of(pulled("*TIE, NAME=GLUE, POSITION TOLERANCE=0.1\nOTHER, ONE\n")), "displacements");
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_NEAR(rows[0].at(1), 10. * 3. / 1000., 1e-9);
  const auto of_nodes = rows_below(tables_of(pulled("*TIE, NAME=GLUE, POSITION TOLERANCE=0.1\nPOINTS, ONE\n")), "displacements");
  ASSERT_EQ(of_nodes.size(), 4u);
  EXPECT_EQ(of_nodes[0].at(1), rows[0].at(1)) << "the face between them";
  EXPECT_NE(refusal_of(pulled("*TIE, NAME=GLUE\nFEW, ONE\n")).find("has too few nodes for a face"), std::string::npos);
  EXPECT_NE(refusal_of(pulled("*TIE, NAME=GLUE\nOTHER\n")).find("needs two surfaces"), std::string::npos);
  EXPECT_NE(refusal_of(pulled("*TIE, NAME=GLUE\nOTHER, NOWHERE\n")).find("there is no *SURFACE 'NOWHERE'"), std::string::npos);
  EXPECT_NE(refusal_of(pulled("*TIE, NAME=GLUE, CYCLIC SYMMETRY\nOTHER, ONE\n")).find("needs *CYCLIC SYMMETRY MODEL"), std::string::npos);
  EXPECT_NE(refusal_of(pulled("*TIE, ADJUST=MAYBE\nOTHER, ONE\n")).find("is YES or NO"), std::string::npos);
}
}  // namespace symdyn::tests::in_ties
