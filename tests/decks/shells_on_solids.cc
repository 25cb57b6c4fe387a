// Shells and beams beside solids: closed forms, what is kept in time, ranks, meshes of both kinds in one file, and what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_shells_on_solids
{
namespace
{
constexpr double E = 1e6, length = 4., t = 0.05, stiffer = 20., rho = 1000.;

std::string material(const std::string &name, const std::string &law, const double modulus)
{
  return section(name, fmt::format("set Type = {}\nset E = {:.15g}\nset nu = 0\nset Density = {}", law, modulus, rho));
}
/// A bar of 4 m x 1 m x 1 m along x with a skin above z = 1, 20 times as stiff, whose nodes are those of the bar.
std::string clad(const std::string &law, const std::string &geometry)
{
  return section("Mesh",
                 "set Type = box\nset Subdivisions = 4, 2, 2\nset Element = incompatible-modes\n" + section("box", "set Size = 4, 1, 1")) +
         section("Surface mesh",
                 "set Type = plate\nset Subdivisions = 4, 2\n" + section("plate", "set Corner = 0, 0, 1\nset Size = 4, 1")) +
         section("Materials", material("core", law, E) + material("skin", "linear-elasticity", stiffer * E)) +
         section("Shells",
                 section("skin", fmt::format("set Thickness = {}\nset Offset = 0.5\nset Material = skin\nset Geometry = {}", t, geometry)));
}
const std::string still = stages(section("load", "set Type = static"));
}  // namespace

/// Pure bending by a lid on the end of bar and skin: V = ½ EI theta²/L, EI about the weighted centroid.
TEST(ShellsOnSolids, ACladBarBendsAsItsSectionSays)
{
  const double theta = 1e-3, core = 1., skin = stiffer * t, centre = (0.5 * core + (1. + 0.5 * t) * skin) / (core + skin),
               EI = E *
                    (1. / 12. + core * std::pow(centre - 0.5, 2) + stiffer * t * t * t / 12. + skin * std::pow(1. + 0.5 * t - centre, 2));
  const std::string deck =
      clad("linear-elasticity", "linear") + section("Points", section("eye", "set Position = 4, 0.5, 0.5")) +
      section("Couplings",
              section("lid", fmt::format("set At = eye\nset Boundaries = x+\nset Geometry = linear\nset Rotation = 0, {}, 0", theta))) +
      section("Supports", section("middle", "set Boundary = x-\nset Type = symmetry") +
                              section("foot", "set Point = 0, 0, 0\nset Type = displacement\nset Displacement = free, 0, 0"));
  const Folder folder;
  const History bent = run_well(folder, deck + still).history;
  EXPECT_NEAR(bent.last("E_potential"), 0.5 * EI * theta * theta / length, 1e-8 * EI * theta * theta);
  EXPECT_NEAR(bent.last("lid.M_y"), EI * theta / length, 1e-7 * EI * theta);
  EXPECT_NEAR(bent.last("middle.R_x"), 0., 1e-6);
}

/// A rigid rotation about y at the start: the angular momentum of bar and skin, which directors have a part in; it stays.
TEST(ShellsOnSolids, MomentaOfAFlightOnRanks)
{
  const double spin = 2., area = 4., in_plane = 16. / 3.,  // of x² over the length, a metre wide
      skin = rho * t * (4. * in_plane + area * (std::pow(1. + 0.5 * t, 2) + t * t / 12.)), core = rho * (4. * in_plane + area / 3.);
  const std::string deck =
      clad("st-venant-kirchhoff", "nonlinear") + section("Initial conditions", fmt::format("set Velocity = {0}*z, 0, -{0}*x", spin)) +
      section("Time", "set Time step = 0.005\nset End time = 0.2") + section("Integrator", "set Scheme = discrete-gradient");
  const Folder folder;
  const Settings settings{"Output/Write every=never", "Output/History every=1"};
  const History one = run_well(folder, deck, settings).history;
  const double J = spin * (skin + core);
  EXPECT_NEAR(one["J_y"].front(), J, 1e-9 * J);
  for (const char *column : {"P_x", "P_y", "P_z", "J_y"})
    EXPECT_NEAR(one.last(column), one[column].front(), 1e-8 * J) << column;
  EXPECT_NEAR(one.last("E_total"), one["E_total"].front(), 1e-8 * one["E_total"].front());
  EXPECT_GT(one.last("skin.director_error"), 0.) << "the skin feels the flight";
  const History two = run_well(folder, deck, settings, 2).history;
  for (const char *column : {"E_kinetic", "E_potential", "J_y", "skin.director_error"})
    EXPECT_NEAR(two.last(column), one.last(column), 1e-8 * std::max(1., std::abs(one.last(column)))) << column;
}

namespace
{
/// Gmsh 2.2: a cube of group core, a square of group wing at its upper edge, two lines of group rod at the tip of that; the surface under
/// the cube is the boundary foot.
const std::string mixed_file = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
5
1 5 "edge"
1 4 "rod"
2 3 "wing"
2 2 "foot"
3 1 "core"
$EndPhysicalNames
$Nodes
11
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0 0 1
6 1 0 1
7 1 1 1
8 0 1 1
9 2 0 1
10 2 1 1
11 2 0.5 2
$EndNodes
$Elements
6
1 5 2 1 1 1 2 3 4 5 6 7 8
2 3 2 2 2 1 2 3 4
3 3 2 3 3 6 9 10 7
4 1 2 4 4 9 11
5 1 2 5 5 9 10
6 1 2 4 4 10 11
$EndElements
)";
std::string wing(const std::string &groups = "set Groups = wing\n")
{
  return section("Mesh", "set Type = file\nset File = mixed.msh") +
         section("Materials", material("core", "linear-elasticity", E) + material("sheet", "linear-elasticity", stiffer * E)) +
         section("Shells", section("sheet", groups + "set Thickness = 0.1\nset Material = sheet\nset Geometry = linear")) +
         section(
             "Beams",
             section("rod",
                     "set Groups = rod\nset Type = B31\nset Section = circle\nset Size = 0.05\nset Material = sheet\nset Direction = 1, 0, "
                     "0\nset Geometry = linear"));
}
/// Without it the sheet would turn about its common nodes with the cube.
const std::string held =
    section("Supports", section("ground", "set Boundary = foot") +
                            section("far", "set Boundary = edge\nset Type = displacement\nset Displacement = free, free, 0"));
}  // namespace

/// The weight of all parts reaches the supports; loads act on cells of the solid, on the shell, and on the node of the beam.
TEST(ShellsOnSolids, OneFileOfCellsShellsAndLines)
{
  const Folder folder;
  std::ofstream(folder / "mixed.msh") << mixed_file;
  const std::string loads = section("Loads", section("weight", "set Type = gravity\nset Acceleration = 0, 0, -10") +
                                                 section("lift", "set Type = traction\nset Groups = wing\nset Traction = 0, 0, 500") +
                                                 section("side", "set Type = nodal-force\nset Boundary = edge\nset Force = 0, 7, 0"));
  const History history = run_well(folder, wing() + held + loads + still).history;
  const double rods = 2. * std::sqrt(1.25) * M_PI * 0.05 * 0.05, mass = rho * (1. + 0.1 + rods);
  EXPECT_NEAR(history.last("ground.R_z") + history.last("far.R_z"), 10. * mass - 500., 1e-6);
  EXPECT_NEAR(history.last("far.R_z"), 0.5 * (1000. - 500.) + 10. * rho * rods, 1e-6) << "a hinge along the common edge";
  EXPECT_NEAR(history.last("ground.R_y"), -14., 1e-8);
}

/// Box and plate have boundaries of the same names: a traction is on the solid, a force on each node of an edge on the shell.
TEST(ShellsOnSolids, LoadsOfBoundariesThatBothHave)
{
  const Folder folder;
  const std::string loads = section("Loads", section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 3, 0, 0") +
                                                 section("push", "set Type = nodal-force\nset Boundary = x+\nset Force = 0, 0, -1"));
  const History history =
      run_well(folder, clad("linear-elasticity", "linear") + section("Supports", section("clamp", "set Boundary = x-")) + loads + still)
          .history;
  EXPECT_NEAR(history.last("clamp.R_x"), -3., 1e-8);
  EXPECT_NEAR(history.last("clamp.R_z"), 3., 1e-8);
}

/// The weight of concrete and steel, and the snow.
TEST(ShellsOnSolids, TheRoofOnABlock)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/roof-on-block.prm", {"Output/Write every=never"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const double load = 9.81 * (9. * 2400. + 18. * 0.02 * 7850.) + 18. * 1000.;
  EXPECT_NEAR(largest(run.history, "ground.R_z", "winter"), load, 1e-6 * load);
}

TEST(ShellsOnSolids, WhatIsWrongIsSaid)
{
  const std::string plain = section("Mesh", "set Type = box") + elastic(E, 0., rho) +
                            section("Shells", section("skin", "set Thickness = 0.1\nset Material = stuff")) + still;
  expect_refused(plain, "no mesh of them. Add a section \"Surface mesh\"");
  const Folder folder;
  std::ofstream(folder / "mixed.msh") << mixed_file;
  const auto refused = [&](const std::string &deck, const std::string &words) {
    const Outcome run = run_text(folder, deck);
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find(words), std::string::npos) << words << " is not in:\n" << run.terminal;
  };
  refused(wing("") + held + still, "[Shells/sheet]: the shell stands beside a solid in one file, and needs its Groups");
  refused(wing("set Groups = wnig\n") + held + still, "the mesh has no group 'wnig'; there are: wing");
  refused(wing() + section("Supports", section("ground", "set Boundary = floor")) + still, "foot");
  const Outcome apart =
      run_text(folder, clad("linear-elasticity", "linear") + section("Supports", section("all", "set Boundary = x-")) + still,
               {"Surface mesh/plate/Corner=0, 0, 1.5"});
  EXPECT_EQ(apart.exit_code, 0) << apart.terminal;
  EXPECT_NE(apart.terminal.find("they move without each other"), std::string::npos) << apart.terminal;
  refused(wing("set Groups = core\n") + held + still, "group 'core' has no triangle, quadrilateral or line");
}

namespace
{
/// A rod of two cubes with a shell of two squares at its end, z = 1, and two beams on it; sets WING, MAST.
std::string inp_model()
{
  return rod(2) + "*NODE\n21, 3., 0., 1.\n22, 3., 1., 1.\n23, 4., 0., 1.\n24, 4., 1., 1.\n25, 4., 0.5, 2.\n*NSET, NSET=EDGE\n23, 24\n" +
         "*ELEMENT, TYPE=S4, ELSET=WING\n11, 12, 21, 22, 11\n12, 21, 23, 24, 22\n*ELEMENT, TYPE=B31, ELSET=MAST\n13, 23, 25\n14, 24, 25\n" +
         "*SHELL SECTION, ELSET=WING, MATERIAL=M\n0.1\n*BEAM SECTION, ELSET=MAST, MATERIAL=M, SECTION=CIRC\n0.05\n1., 0., 0.\n" +
         "*BOUNDARY\nROOT, 1, 3\nEDGE, 3\n";
}
}  // namespace

TEST(ShellsOnSolids, AFileOfCalculiX)
{
  const std::string tables =
      tables_of(inp_model() + static_step("*DLOAD\nWING, P, -3.\n1, P3, 0.5\n*CLOAD\n25, 1, 0.01\n25, 5, 0.02\n*NODE PRINT, NSET=EDGE, "
                                          "TOTALS=ONLY\nRF\n*NODE PRINT, NSET=ROOT, TOTALS=ONLY\nRF\n*NODE PRINT, NSET=EDGE\nU\n"));
  const auto edge = rows_below(tables, "total force (fx,fy,fz) for set EDGE"),
             root = rows_below(tables, "total force (fx,fy,fz) for set ROOT");
  ASSERT_EQ(edge.size(), 1u) << tables;
  ASSERT_EQ(root.size(), 1u) << tables;
  // Moments about y at the hinge x = 2, z = 1: of 6 N at 1 m, of 0.01 N at 1 m, of 0.02 N m; the edge is 2 m away.
  // What acts on the held nodes themselves, a quarter of both pressures, is not in the forces of elements.
  EXPECT_NEAR(edge[0][2], (6. + 0.01 + 0.02) / 2. - 6. / 4., 1e-6);
  EXPECT_NEAR(edge[0][2] + root[0][2], 6. - 0.5 - (6. - 2. * 0.5) / 4., 1e-6);
  EXPECT_NEAR(root[0][0], -0.01, 1e-6);
}

TEST(ShellsOnSolids, WhatAFileOfCalculiXCannotHave)
{
  EXPECT_NE(refusal_of(inp_model() + static_step("*CLOAD\n5, 4, 1.\n")).find("which takes no moments"), std::string::npos);
  EXPECT_NE(refusal_of(inp_model() + static_step("*DLOAD\nWING, P1, 1.\n")).find("beams and shells take P"), std::string::npos);
  EXPECT_NE(refusal_of(inp_model() + "*ELSET, ELSET=BOTH\n1, 11\n" + static_step("*DLOAD\nBOTH, GRAV, 9.81, 0., 0., -1.\n"))
                .find("Give a line for each"),
            std::string::npos);
}
}  // namespace symdyn::tests::in_shells_on_solids
