#include <gtest/gtest.h>

#include "tests/run.h"

// Decks whose numbers are wrong, or are not what their author means: each has its warning or error, and each warning a deck without it.
namespace symdyn::tests::in_silent_numbers
{
namespace
{
std::size_t warnings(const Outcome &run, const std::string &part)
{
  std::size_t count = 0;
  for (std::size_t at = 0; (at = run.terminal.find(part, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

std::string section(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

std::string law(const std::string &type, const std::string &more)
{
  return section("Materials", section("body", "set Type = " + type + "\nset Density = 1000\n" + more));
}

const std::string step = section("Time", "set Time step = 1e-3\nset End time = 2e-3");

/// The rhombic plate of NAFEMS FV22 (sides of 10 m at 45 degrees, 1 m thick) of 8 x 8 x 1 cells; the corner nodes of its sides are held.
std::string rhombic_plate()
{
  constexpr int n = 8;
  std::string nodes = "*NODE, NSET=ALL\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=PLATE\n", held = "*NSET, NSET=SIDES\n";
  const auto number = [](const int i, const int j, const int k) { return 1 + i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
      {
        const double side = 10. / n, x = side * (i + j * std::sqrt(0.5)), y = side * j * std::sqrt(0.5);
        char line[100];
        std::snprintf(line, sizeof line, "%d, %.12g, %.12g, %d.\n", number(i, j, k), x, y, k);
        nodes += line;
        if (i % n == 0 || j % n == 0)
          held += std::to_string(number(i, j, k)) + ",\n";
      }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
    {
      cells += std::to_string(1 + i + n * j);
      for (int k = 0; k < 2; ++k)
        for (const auto &[di, dj] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
          cells += ", " + std::to_string(number(i + di, j + dj, k));
      cells += "\n";
    }
  return nodes + cells + held +
         "*MATERIAL, NAME=steel\n*ELASTIC\n200e9, 0.3\n*DENSITY\n8000.\n*SOLID SECTION, ELSET=PLATE, MATERIAL=steel\n*BOUNDARY\nSIDES, 1, 3\n*STEP\n*FREQUENCY\n1\n*END STEP\n";
}

/// A cell of 1 m³ from a file, with a corner at x, y, z instead of 1, 1, 1.
std::string one_cell(const std::string &corner)
{
  return "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, " + corner +
         "\n8, 0., 1., 1.\n*ELEMENT, TYPE=C3D8, ELSET=CUBE\n1, 1, 2, 3, 4, 5, 6, 7, 8\n*NSET, NSET=LOW\n1, 2, 3, 4\n"
         "*MATERIAL, NAME=steel\n*ELASTIC\n1000., 0.3\n*SOLID SECTION, ELSET=CUBE, MATERIAL=steel\n*BOUNDARY\nLOW, 1, 3\n*STEP\n*STATIC\n*CLOAD\n8, 3, 1.\n*END STEP\n";
}
}  // namespace

/// NAFEMS, The Standard NAFEMS Benchmarks (1990), FV22: 133.95 Hz.
TEST(SilentNumbers, SetsOfCornersHoldWholeFacesOnRanks)
{
  const Folder folder;
  const std::string file = write_file(folder, "fv22.inp", rhombic_plate());
  for (const int ranks : {1, 2})
  {
    const Outcome run = run_deck(folder, file, {"Mesh/Order=3"}, ranks);
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const std::string table = text_of(folder / "results/modes-step-1.csv");
    const std::string row = table.substr(table.find('\n') + 1);  // mode, kind, frequency
    const double f1 = std::stod(row.substr(row.find(',', row.find(',') + 1) + 1));
    EXPECT_GT(f1, 134.) << table;
    EXPECT_LT(f1, 137.) << table;
  }
}

TEST(SilentNumbers, LockingIsWarnedOfOnRanks)
{
  const Folder folder;
  const auto checked = [&](const std::string &mesh, const std::string &material) {
    const Outcome run = tool(folder, "check " + write_file(folder, "deck.prm", section("Mesh", mesh) + material + step));
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return run;
  };
  const std::string rubber = law("neo-hooke-log", "set E = 1\nset nu = 0.4999"), soft = law("neo-hooke-log", "set E = 1\nset nu = 0.45"),
                    incompressible = "nearly incompressible (nu = 0.4999)", layer = "one layer of cells";
  for (const std::string mesh :
       {"set Type = box\nset Subdivisions = 2, 2, 2", "set Type = box\nset Subdivisions = 2, 2, 2\nset Cell shape = tetrahedra",
        "set Dimension = 2\nset Type = cook\nset Subdivisions = 2, 2",
        "set Dimension = 2\nset Type = cook\nset Subdivisions = 2, 2\nset Cell shape = tetrahedra"})
  {
    const Outcome run = checked(mesh, rubber);
    EXPECT_EQ(warnings(run, incompressible), 1u) << mesh << run.terminal;
    EXPECT_EQ(warnings(run, "mean-dilatation"), mesh.find("tetrahedra") == std::string::npos ? 1u : 0u) << run.terminal;
    EXPECT_EQ(warnings(checked(mesh, soft), "nearly incompressible"), 0u);
    EXPECT_EQ(warnings(checked(mesh + "\nset Order = 2", rubber), "nearly incompressible"), 0u);
  }
  EXPECT_EQ(warnings(checked("set Type = box\nset Subdivisions = 2, 2, 2\nset Element = mean-dilatation", rubber), "nearly incompressible"),
            0u);
  EXPECT_EQ(
      warnings(checked("set Type = box\nset Subdivisions = 2, 2, 2", law("mooney-rivlin", "set c10 = 1\nset c01 = 1\nset kappa = 1e4")),
               "nearly incompressible"),
      1u);
  EXPECT_EQ(warnings(checked("set Type = box\nset Subdivisions = 2, 2, 2",
                             law("linear-elasticity-anisotropic",
                                 "set E = 1, 1, 1\nset nu = 0.4999, 0.4999, 0.4999\nset G = 0.3333, 0.3333, 0.3333")),
                     "nearly incompressible"),
            1u);
  const std::string bar = "set Type = box\n", thin = section("box", "set Size = 10, 1, 1"), thick = section("box", "set Size = 5, 1, 1");
  EXPECT_EQ(warnings(checked(bar + "set Subdivisions = 5, 1, 1\n" + thin, soft), layer), 1u);
  EXPECT_EQ(warnings(checked(bar + "set Subdivisions = 10, 2, 1\n" + thin, soft), layer), 1u);
  EXPECT_EQ(warnings(checked(bar + "set Subdivisions = 10, 2, 2\n" + thin, soft), layer), 0u) << "two layers";
  EXPECT_EQ(warnings(checked(bar + "set Subdivisions = 5, 1, 1\n" + thick, soft), layer), 0u) << "not slender";
  EXPECT_EQ(warnings(checked(bar + "set Subdivisions = 5, 1, 1\nset Order = 2\n" + thin, soft), layer), 0u);
  EXPECT_EQ(warnings(checked(bar + "set Subdivisions = 5, 1, 1\nset Element = incompatible-modes\n" + thin, soft), layer), 0u);
  const Outcome parallel =
      command(folder, "mpirun --oversubscribe --allow-run-as-root -n 2 " SYMDYN_BINARY " check " +
                          write_file(folder, "deck.prm", section("Mesh", bar + "set Subdivisions = 5, 1, 1\n" + thin) + soft + step));
  EXPECT_EQ(warnings(parallel, layer), 1u) << parallel.terminal;
}

TEST(SilentNumbers, LinearMaterialsThatRotateAreWarnedOfOnRanks)
{
  const auto spin = [](const std::string &type, const std::string &more, const int ranks = 1) {
    const Folder folder;
    const Outcome run = run_written(folder,
                                    section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2") + law(type, "set E = 1e6\nset nu = 0.3") +
                                        section("Initial conditions", "set Velocity = " + more) +
                                        section("Time", "set Time step = 1e-3\nset End time = 0.03"),
                                    {}, ranks);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return run;
  };
  for (const int ranks : {1, 2})
  {
    const Outcome run = spin("linear-elasticity", "-10*y, 10*x, 0", ranks);
    EXPECT_EQ(warnings(run, "geometrically linear"), 1u) << run.terminal;
    EXPECT_EQ(warnings(run, "st-venant-kirchhoff"), 1u) << run.terminal;
  }
  EXPECT_EQ(warnings(spin("linear-elasticity", "-y, x, 0"), "geometrically linear"), 0u) << "negative control: 0.03 rad";
  EXPECT_EQ(warnings(spin("linear-elasticity", "10, 0, 0"), "geometrically linear"), 0u) << "negative control: no rotation";
  EXPECT_EQ(warnings(spin("st-venant-kirchhoff", "-10*y, 10*x, 0"), "geometrically linear"), 0u)
      << "negative control: a law of large rotations";
}

TEST(SilentNumbers, FacesOfTwoNamesCountOnce)
{
  const Folder folder;
  const auto deck = [](const std::string &type, const std::string &boundary) {
    const std::string value = type == "traction" ? "set Traction = 0, 0, 1" : "set Pressure = 1";
    return section("Mesh", "set Type = file\nset File = " SYMDYN_SOURCE "/tests/meshes/cube_hexahedra_22.msh") +
           section("Materials",
                   section("m", "set Type = linear-elasticity\nset E = 1000\nset nu = 0\nset Density = 1\nset Groups = steel, rubber")) +
           section("Supports", section("floor", "set Boundary = bottom")) +
           section("Loads", section("push", "set Type = " + type + "\nset Boundary = " + boundary + "\n" + value)) +
           section("Stages", section("push", "set Type = static"));
  };
  for (const std::string type : {"traction", "pressure", "dead-pressure"})
  {
    const Outcome twice = run_written(folder, deck(type, "top, top"));
    EXPECT_EQ(twice.exit_code, 1);
    EXPECT_EQ(has(twice.terminal, "deck.prm:"), "");
    EXPECT_EQ(has(twice.terminal, "Boundary = top, top: names 'top' twice"), "");
    const Outcome once = run_written(folder, deck(type, "top"));
    ASSERT_EQ(once.exit_code, 0) << once.terminal;
    EXPECT_NEAR(std::abs(once.history.last("floor.R_z")), 1., 1e-4);
  }
}

TEST(SilentNumbers, LoadsOnHeldNodesAreWarnedOf)
{
  const Folder folder;
  const auto checked = [&](const std::string &supports, const std::string &load, const std::string &stages = step) {
    const Outcome run =
        tool(folder, "check " + write_file(folder, "deck.prm",
                                           section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2") +
                                               law("linear-elasticity", "set E = 1\nset nu = 0.3") + section("Supports", supports) +
                                               section("Loads", section("push", load)) + stages));
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return warnings(run, "load 'push' acts only where and along what supports hold");
  };
  const std::string wall = section("wall", "set Boundary = x-"), slide = section("slide", "set Boundary = x-\nset Type = symmetry"),
                    floor = section("floor", "set Boundary = z-");
  EXPECT_EQ(checked(wall, "set Type = traction\nset Boundary = x-\nset Traction = 1, 0, 0"), 1u);
  EXPECT_EQ(checked(wall, "set Type = traction\nset Boundary = x-\nset Traction = sin(t), 0, 0"), 1u);
  EXPECT_EQ(checked(wall, "set Type = pressure\nset Boundary = x-\nset Pressure = 1\nset Amplitude = sin(t)"), 1u);
  EXPECT_EQ(checked(wall, "set Type = nodal-force\nset Point = 0, 0, 0\nset Force = 1, 0, 0"), 1u);
  EXPECT_EQ(checked(slide, "set Type = dead-pressure\nset Boundary = x-\nset Pressure = 1"), 1u) << "along what is held";
  EXPECT_EQ(checked(slide, "set Type = traction\nset Boundary = x-\nset Traction = 1, 1, 0"), 0u);
  EXPECT_EQ(checked(wall, "set Type = traction\nset Boundary = x+\nset Traction = 1, 0, 0"), 0u);
  EXPECT_EQ(checked(wall, "set Type = traction\nset Boundary = y-\nset Traction = 1, 0, 0"), 0u) << "some of its nodes are free";
  EXPECT_EQ(checked(wall, "set Type = gravity\nset Acceleration = 1, 0, 0"), 0u);
  const auto stage = [](const std::string &name, const std::string &supports) {
    return section(name, "set Type = dynamic\nset Supports = " + supports +
                             "\nsubsection Time\nset Time step = 1e-3\nset End time = " + (name == "one" ? "1e-3" : "2e-3") + "\nend");
  };
  EXPECT_EQ(checked(wall + floor, "set Type = traction\nset Boundary = x-\nset Traction = 1, 0, 0",
                    section("Stages", stage("one", "wall, floor") + stage("two", "floor"))),
            0u)
      << "the wall goes in the second stage";
}

TEST(SilentNumbers, CellsThatAreInsideOutAtACornerAreComputed)
{
  const Folder folder;
  const auto run = [&](const std::string &corner) { return run_deck(folder, write_file(folder, "cell.inp", one_cell(corner))); };
  const Outcome folded = run("0.3, 0.3, 1.");  // the corner is behind the diagonal of the face on top
  EXPECT_EQ(folded.exit_code, 0) << folded.terminal;
  EXPECT_EQ(warnings(folded, "inside out at a corner"), 1u) << folded.terminal;
  EXPECT_EQ(warnings(run("1., 1., 1."), "inside out"), 0u);
  const Outcome inverted = run("-0.5, -0.5, 1.");
  EXPECT_EQ(inverted.exit_code, 1) << "negative control: at points of integration, too";
}

/// CalculiX's C3D10 has four points. With a middle node beyond the face behind it, det J is negative near an edge, not at these.
TEST(SilentNumbers, TetrahedraThatAreInsideOutAtAnEdgeAreComputed)
{
  const Folder folder;
  const auto run = [&](const std::string &middle) {  // of the edge from (0, 0, 0) to (1, 0, 0)
    return run_deck(
        folder,
        write_file(folder, "cell.inp",
                   "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 0., 1., 0.\n4, 0., 0., 1.\n5, " + middle +
                       "\n6, 0.5, 0.5, 0.\n7, 0., 0.5, 0.\n8, 0., 0., 0.5\n9, 0.5, 0., 0.5\n10, 0., 0.5, 0.5\n"
                       "*ELEMENT, TYPE=C3D10, ELSET=TET\n1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10\n*NSET, NSET=LOW\n1, 2, 3, 5, 6, 7\n"
                       "*MATERIAL, NAME=steel\n*ELASTIC\n1000., 0.3\n*SOLID SECTION, ELSET=TET, MATERIAL=steel\n*BOUNDARY\nLOW, 1, 3\n"
                       "*STEP\n*STATIC\n*CLOAD\n4, 3, 1.\n*END STEP\n"));
  };
  const Outcome folded = run("0.5, 0.15, 0.15");
  EXPECT_EQ(folded.exit_code, 0) << folded.terminal;
  EXPECT_EQ(warnings(folded, "inside out at a corner"), 1u) << folded.terminal;
  EXPECT_EQ(warnings(run("0.5, 0.02, 0.02"), "inside out"), 0u);
  EXPECT_EQ(run("0.5, 0.7, 0.7").exit_code, 1) << "negative control: at points of integration, too";
}

TEST(SilentNumbers, TinyDensitiesAreNamed)
{
  const auto run = [](const std::string &density) {
    const Folder folder;
    return run_written(
        folder,
        section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 2") +
            section("Materials", section("body", "set Type = linear-elasticity\nset E = 1e-6\nset nu = 0.3\nset Density = " + density)) +
            section("Initial conditions", "set Displacement = 0.01*x*x, 0, 0") +
            section("Time", "set Time step = 1e-3\nset End time = 2e-3"));
  };
  const Outcome tiny = run("1e-300");
  EXPECT_EQ(tiny.exit_code, 2);
  EXPECT_EQ(has(tiny.terminal, "Correct \"Density\", or the units"), "");
  EXPECT_EQ(warnings(tiny, "distorted"), 0u) << tiny.terminal;
  const Outcome nothing = run("1e-320");
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_EQ(has(nothing.terminal, "Density = 9.99989e-321 kg/m^3 is too small"), "");
  EXPECT_EQ(run("1e-3").exit_code, 0) << "negative control";
}

/// Measured with CalculiX 2.20: docs/inp.md.
TEST(SilentNumbers, OtherMassesOfCalculixAreWarnedOf)
{
  const Folder folder;
  const auto checked = [&](const std::string &type, const std::string &nodes, const std::string &step) {
    const std::string file =
        "*NODE, NSET=ALL\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 1., 1., 0.\n4, 0., 1., 0.\n5, 0., 0., 1.\n6, 1., 0., 1.\n7, 1., 1., 1.\n8, 0., 1., 1.\n*ELEMENT, TYPE=" +
        type + ", ELSET=CELL\n1, " + nodes +
        "\n*MATERIAL, NAME=steel\n*ELASTIC\n1000., 0.3\n*DENSITY\n1.\n*SOLID SECTION, ELSET=CELL, MATERIAL=steel\n*BOUNDARY\n1, 1, 3\n2, 1, 3\n4, 1, 3\n*STEP\n" +
        step + "\n*END STEP\n";
    const Outcome run = tool(folder, "check " + write_file(folder, "cell.inp", file));
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return warnings(run, "cell.inp:11: TYPE=" + type + ": computed with ");
  };
  const std::string brick = "1, 2, 3, 4, 5, 6, 7, 8", tetrahedron = "1, 2, 4, 5", modes = "*FREQUENCY\n1";
  EXPECT_EQ(checked("C3D8I", brick, modes), 1u);
  EXPECT_EQ(checked("C3D4", tetrahedron, modes), 1u);
  EXPECT_EQ(checked("C3D8", brick, modes), 0u) << "negative control: the same mass";
  EXPECT_EQ(checked("C3D8I", brick, "*STATIC"), 0u) << "negative control: no mass";
}
}  // namespace symdyn::tests::in_silent_numbers
