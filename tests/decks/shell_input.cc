// Shells in decks: what is refused, and what is warned of.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_shell_decks
{
TEST(ShellInput, Refused)
{
  const auto refused = [](const Settings &settings, const std::string &words) { expect_refused(strip + still, words, settings); };
  refused({"Shells/skin/Thickness=0"}, "the thickness at (0.3125, 0.5, 0) m is 0 m. It must be > 0");
  refused({"Shells/skin/Thickness=0.1 - 0.02*x"}, "It must be > 0");
  refused({"Shells/skin/Material=steel"}, "Material = steel: there is no material 'steel' in Materials; there are: stuff");
  refused({"Shells/skin/Groups=wing"}, "Groups = wing: the mesh has no group 'wing'; there are: shell");
  refused({"Shells/skin/Direction=0, 0, 0"}, "Direction = 0, 0, 0: needs three numbers, not all zero");
  refused({"Materials/stuff/Type=neo-hooke-log"}, "materials of shells and beams have constant moduli");
  refused({"Supports/clamp/Boundary=x--"}, "the surface has no boundary 'x--'; there are: x-, x+, y-, y+");
  refused({"Supports/clamp/Rotation=0, 0, 0"}, "Rotation = 0, 0, 0: Type = fixed says how nodes turn. Remove the entry");
  refused({"Mesh/Subdivisions=4"}, "Subdivisions = 4");
  refused({"Mesh/Fold angle=5"}, "Fold angle = 5: has no effect with Type = plate");
  expect_refused(strip + load("gas", "pressure\nset Pressure = 0") + still, "a pressure of zero has no effect");
  expect_refused(strip + section("Moments", section("drill", "set At = tip\nset Moment = 0, 0, 1")) + still,
                 "is about the normal of a shell, which resists no such moment where it has no fold");
  expect_refused(strip + section("Moments", section("drill", "set At = tip\nset Moment = 0, 1, 1")) + still,
                 "has a part about the normal of a shell");
  refused({"Materials/stuff/Plane=strain"}, "shells are in plane stress");
  expect_refused(strip + section("Shells", section("other", "set Thickness = 1\nset Material = stuff")) + still,
                 "belongs to the shell 'skin', too");
  expect_refused("set Structure = discrete\n" + section("Mesh", "set Type = plate") +
                     section("Points", section("a", "set Mass = 1\nset Position = 0, 0, 0")) + still,
                 "with Structure = discrete a mesh is of shells, or of beams on Groups of its lines, and there are none");
  expect_refused(section("Mesh", "set Type = box") + elastic(1., 0., 1.) +
                     section("Shells", section("skin", "set Thickness = 1\nset Material = stuff")) + still,
                 "beside the solid, and no mesh of them");
}

/// What is given twice, or has no effect.
TEST(ShellInput, Contradictions)
{
  const std::string gravity = load("weight", "gravity\nset Acceleration = 0, 0, -9.81"),
                    push = "edge-traction\nset Boundary = x+\nset Force per length = 0, 0, 1";
  expect_refused(strip + gravity + section("Points", "set Gravity = 0, 0, -9.81") + still,
                 "there is Points/Gravity, too, which acts on all masses");
  expect_refused(strip + gravity + section("Points", section("ball", "set Mass = 1\nset Position = 0, 0, 1\nset Fixed = yes")) + still,
                 "masses of points weigh by Points/Gravity");
  expect_refused(strip + load("at_tip", push) + force("tip", "0, 0, 1") + still, "there is a section Forces/at_tip, too");
  expect_refused(strip + section("Points", section("clamp", "set Position = 0, 0, 1\nset Fixed = yes")) + still,
                 "there is a fixed point of this name, too");
  expect_refused(strip + load("push", push) + still, "names 'x+' twice", {"Loads/push/Boundary=x+, x+"});
  expect_refused(strip + load("twist", "edge-moment\nset Boundary = x+\nset Moment per length = 0, 0, t") + still,
                 "is about the normal of a shell");
}

/// Entries of supports that shells have, on a solid: `pinned` is `fixed`, and its nodes do not turn.
TEST(ShellInput, SupportsOfSolids)
{
  const Folder folder;
  const std::string block = section("Mesh", "set Subdivisions = 2, 2, 2") + elastic(1e6, 0.3, 1000.) +
                            section("Probes", section("top", "set Point = 1, 1, 1")) +
                            section("Loads", section("push", "set Type = traction\nset Boundary = z+\nset Traction = 0, 0, 10"));
  const auto top = [&](const std::string &type) {
    const Folder own;
    return run_well(own, block + section("Supports", section("ground", "set Boundary = z-\nset Type = " + type)) + still)
        .history.last("top.u_z");
  };
  EXPECT_EQ(top("pinned"), top("fixed"));
  expect_refused(
      block +
          section("Supports",
                  section("ground", "set Boundary = z-\nset Type = displacement\nset Displacement = 0, 0, 0\nset Rotation = 0, 0, 0")) +
          still,
      "Rotation is of shells: nodes of a solid do not turn");
}

/// A seam whose nodes are not merged, a moment that is partly about the normal, warped cells and thin triangles are told of.
TEST(ShellInput, Warnings)
{
  const Folder seam, warped;
  const auto mesh = [](const Folder &folder, const std::string &nodes, const std::string &cells) {
    std::ofstream(folder / "m.msh") << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n"
                                    << nodes << "$EndNodes\n$Elements\n"
                                    << cells << "$EndElements\n";
    return "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = m.msh") + elastic(1e6, 0.3, 1000.) +
           section("Shells", section("skin", "set Thickness = 0.1\nset Material = stuff")) +
           section("Supports", section("hold", "set Point = 0, 0, 0\nset Type = fixed")) + stages(section("swing", "set Type = dynamic")) +
           section("Time", "set Time step = 0.001\nset End time = 0.001");
  };
  const std::string two = mesh(seam, "6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 0 0\n5 1 1 0\n6 0 1 0\n", "2\n1 2 2 1 1 1 2 3\n2 2 2 1 1 4 5 6\n");
  const std::string of_seam = run_well(seam, two).terminal, triangles = "sides of S3 elements are up to 100 thicknesses long";
  EXPECT_EQ(has(of_seam, "2 nodes stand at the place of another one, first at (1, 0, 0) m"), "");
  EXPECT_EQ(of_seam.find("sides of S3 elements"), std::string::npos) << "ten thicknesses";
  const Folder thin;
  std::filesystem::copy(seam / "m.msh", thin / "m.msh");
  EXPECT_EQ(has(run_well(thin, two, {"Shells/skin/Thickness=0.01"}).terminal, triangles), "");
  const std::string bent = mesh(warped, "4\n1 0 0 0\n2 1 0 0\n3 1 1 0.2\n4 0 1 0\n", "1\n1 3 2 1 1 1 2 3 4\n");
  EXPECT_EQ(has(run_well(warped, bent).terminal, "cells are warped by up to 16 degrees"), "");
  const Folder partly;
  const Outcome run =
      run_well(partly, strip + load("twist", "edge-moment\nset Boundary = x+\nset Moment per length = 0, 1e-3, 1e-3") + still);
  EXPECT_EQ(has(run.terminal, "up to 71 % of the moment are about the normal"), "");
  const Folder later;
  const Outcome in_time =
      run_well(later, strip + load("twist", "edge-moment\nset Boundary = x+\nset Moment per length = 0, 1e-3*sin(t), 1e-3*sin(t)") + still);
  EXPECT_EQ(has(in_time.terminal, "up to 71 % of the moment are about the normal"), "") << "though it is zero at t = 0";
  const Folder turning;
  const Outcome turns = run_well(
      turning, strip + load("twist", "edge-moment\nset Boundary = x+\nset Moment per length = 0, 1e-3*sin(t), 1e-3*cos(t)") + still);
  EXPECT_EQ(has(turns.terminal, "up to 100 % of the moment are about the normal"), "") << "at t = 0, not later: it is no error";
}
}  // namespace symdyn::tests::in_shell_decks
