// Every bad input ends the program with the right exit code and a message that names place, value, rule and way out.
#include "tests/bad_input.h"

namespace symdyn::tests::in_bad_input
{
TEST(BadInput, TheGoodOneRuns)
{
  const auto run = Case().run();
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(run.terminal, "");
  EXPECT_EQ(run.summary["status"], "done");
}

TEST(BadInput, MissingDeck)
{
  const Folder folder;
  expect_message(run_deck(folder, folder / "nothing.prm"), 1, {"nothing.prm cannot be read: No such file"});
  expect_message(command(folder, SYMDYN_BINARY " run " + folder.path), 1, {"a deck is a .prm or a .json file"});
}

TEST(BadInput, CommandLine)
{
  const Folder folder;
  const Case deck;
  expect_message(command(folder, SYMDYN_BINARY), 1, {"Usage: symdyn [OPTIONS] SUBCOMMAND", "run an analysis"});
  expect_message(command(folder, SYMDYN_BINARY " run"), 1, {"give a deck, or --restart"});
  expect_message(deck.run({}, "--max-wall-time -1"), 1, {"--max-wall-time"});
  expect_message(deck.run({}, "--faster"), 1, {"--faster"});
}

TEST(BadInput, SyntaxError)
{
  refuse("set nu = 0.3", "nu: 0.3", {"box.prm:9: 'nu: 0.3' is not understood", "set"});
  refuse("    set nu = 0.3", "    set nu 0.3", {"box.prm:9: 'set nu 0.3' has no '='"});
  Case(box + "subsection Output\n").fails({"box.prm:29: subsection Output has no 'end'"});
  Case(box + "end\n").fails({"box.prm:29", "'end' without a subsection"});
}

TEST(BadInput, UnknownEntryAndSection)
{
  refuse("set Time step = 0.01", "set Time step = 0.01\n  set Timestep = 0.1", {"box.prm:27: unknown entry 'Timestep'", "Time step"});
  refuse("subsection Supports", "subsection Support", {"box.prm:13: unknown section 'Support'", "Supports"});
  refuse("set nu = 0.3", "set nu = 0.3\n    set nu = 0.4", {"box.prm:10", "already set at", "box.prm:9"});
}

TEST(BadInput, WrongSet)
{
  const Case deck;
  deck.fails({"--set", "Newton"}, {"Newton"});
  deck.fails({"--set Tim/End time", "unknown section 'Tim'", "Time"}, {"Tim/End time=1"});
  deck.fails({"--set Time/End time", "End time = soon", "must be a number > 0"}, {"Time/End time=soon"});
}

TEST(BadInput, Material)
{
  refuse("st-venant-kirchhoff", "st-venant-kirchof", {"box.prm:7", "Type = st-venant-kirchof", "Did you mean st-venant-kirchhoff"});
  refuse("nu = 0.3", "nu = 0.5", {"box.prm:9", "nu = 0.5", "Use e.g. nu = 0.499"});
  refuse("E = 1000", "E = -1000", {"box.prm:8", "E = -1000", "must be > 0"});
  refuse("Density = 1000", "Density = -1000", {"box.prm:10", "Density = -1000", "must be > 0"});
  refuse("    set Density = 1000\n", "", {"box.prm:6 [Materials/body] Density", "needs its density"});
  refuse("    set nu = 0.3\n", "", {"box.prm:8", "constants given are E,"});
  refuse("set nu = 0.3", "set nu = 0.3\n    set Plane = stress", {"box.prm:10", "Plane = stress", "plane stress exists in 2-D only"});
  refuse("set nu = 0.3", "set nu = nan", {"box.prm:9", "nu = nan", "must be a number"});
}

TEST(BadInput, Boundaries)
{
  refuse("Boundary = x-", "Boundary = left", {"box.prm:15", "Boundary = left", "boundary 'left' does not exist; the mesh has:", "x-"});
  refuse("Boundary = x+", "Boundary = right", {"box.prm:21", "boundary 'right' does not exist; the mesh has:", "x+"});
  refuse("    set Boundary = x+\n", "", {"box.prm:19 [Loads/pull] Boundary", "needs the name of a boundary"});
}

TEST(BadInput, Loads)
{
  refuse("Traction = 1, 0, 0", "Traction = 1, 0", {"box.prm:22", "Traction = 1, 0", "needs 3 components separated by commas; here are 2"});
  refuse("    set Traction = 1, 0, 0\n", "", {"[Loads/pull] Traction", "is missing. The load needs 3 components"});
  refuse("Traction = 1, 0, 0", "Traction = 1, sin(t, 0", {"box.prm:22", "Traction = 1, sin(t, 0"});
  refuse("Traction = 1, 0, 0", "Traction = 1, 2*, 0", {"box.prm:22", "formula '2*', position 3: expected a number"});
  refuse("Type = traction", "Type = tracton", {"box.prm:20", "Type = tracton", "must be one of traction"});
  refuse("set Traction = 1, 0, 0", "set Tracton = 1, 0, 0",
         {"box.prm:22: unknown entry 'Tracton' in section Loads/pull; did you mean 'Traction'?"});
  refuse("Traction = 1, 0, 0", "Traction = 1, 0, 0\n    set Amplitude = x", {"box.prm:23", "an amplitude depends on t alone"});
}

TEST(BadInput, Tables)
{
  const std::string deck = replaced(box, "Traction = 1, 0, 0", "Traction = 1, 0, 0\n    set Amplitude file = load.csv");
  Case(deck).fails({"box.prm:23", "Amplitude file = load.csv", "load.csv: cannot be read: No such file"});
  Case(deck).file("load.csv", "0 0\n1 nan\n").fails({"box.prm:23", "load.csv:2", "'nan' is not a finite number"});
  Case(deck).file("load.csv", "0 0\n1 1\n0.5 2\n").fails({"load.csv:3", "0.5 must be > 1"});
  Case(deck).file("load.csv", "0 0 1\n").fails({"load.csv:1", "has 3 columns"});
  Case(deck).file("load.csv", "").fails({"box.prm:23", "load.csv: has no line 't value'"});
}

TEST(BadInput, NoEffect)
{
  const Case damped(box + "subsection Damping\n  set Mass proportional = 0\nend\n");
  damped.fails({"box.prm:29 [Damping]", "both coefficients are zero", "remove the section"});
  refuse("set Boundary = x-", "set Boundary = x-\n    set Displacement = 0, 0, 0", {"box.prm:16", "has no effect with Type = fixed"});
  refuse("set Subdivisions = 2, 2, 2", "set File = a.msh", {"box.prm:3", "has no effect with Type = box"});
}

TEST(BadInput, TimeStep)
{
  refuse("End time = 0.1", "End time = 0.105", {"box.prm:27", "End time = 0.105", "not a multiple of the step 0.01 s", "0.1"});
  refuse("Time step = 0.01", "Time step = -0.01", {"box.prm:26", "Time step = -0.01", "must be a number > 0"});
  refuse("Time step = 0.01", "Time step = auto", {"box.prm:26", "`auto` is for explicit schemes"});
  refuse("  set Time step = 0.01\n", "", {"box.prm:25 [Time] Time step", "needs its time step"});
}

TEST(BadInput, Scheme)
{
  const auto scheme = [](const std::string &name, const std::string &more, const std::string &sections = "") {
    return Case(box + "subsection Integrator\n  set Scheme = " + name + "\n  subsection " + name + "\n    " + more + "\n  end\nend\n" +
                sections);
  };
  Case(box + "subsection Integrator\n  set Scheme = newmrk\nend\n").fails({"box.prm:30", "Scheme = newmrk", "Did you mean newmark or "});
  scheme("newmrk", "").fails({"box.prm:31", "unknown section 'newmrk'", "did you mean 'newmark'?"});
  scheme("newmark", "set beta = 2").fails({"box.prm:32", "beta = 2", "in [0, 1]"});
  scheme("zhang-skeel", "set beta = -0.1").fails({"box.prm:32", "beta = -0.1", "in [0, 1]"});
  scheme("hht-alpha", "set alpha = 0.1").fails({"box.prm:32", "alpha = 0.1", "in [-0.333", ", 0]"});
  scheme("generalized-alpha", "set rho infinity = 1.1").fails({"box.prm:32", "rho infinity = 1.1", "in [0, 1]"});
  const Case explicit_scheme = scheme("newmark", "set beta = 0");
  explicit_scheme.fails({"box.prm:32", "beta = 0", "needs a diagonal mass", "--set \"Elements/Mass=lumped\""});
  explicit_scheme.fails({"the critical step of newmark is 0.", "Use --set \"Time/Time step=0."},
                        {"Elements/Mass=lumped", "Time/Time step=1", "Time/End time=10"});
  explicit_scheme.fails({"beta = 0", "cannot carry damping that couples nodes"},
                        {"Elements/Mass=lumped", "Damping/Stiffness proportional=0.1"});

  // What a scheme cannot do with a system.
  const std::string follower = "subsection Loads\nsubsection p\nset Type = pressure\nset Boundary = z+\nset Pressure = 1\nend\nend\n";
  scheme("discrete-gradient", "", follower).fails({"Scheme = discrete-gradient", "follower load"});
  scheme("simo-tarnow", "").fails({"Integrator/simo-tarnow", "discrete-gradient"}, {"Materials/body/Type=neo-hooke-log"});
  scheme("zhang-skeel-stiff", "").fails({"Scheme = zhang-skeel-stiff", "Stiff"});
  scheme("zhang-skeel", "").fails({"Scheme = zhang-skeel", "without damping"}, {"Damping/Mass proportional=0.1"});
  scheme("yoshida4", "set base = hht-alpha").fails({"box.prm:32", "base = hht-alpha", "symmetric"});
  scheme("yoshida4", "set base = midpoint").fails({"Scheme = yoshida4", "damping"}, {"Damping/Mass proportional=0.1"});
  scheme("suzuki4", "set base = mid-point").fails({"box.prm:32", "base = mid-point", "Did you mean midpoint or "});
}

TEST(BadInput, Probe)
{
  Case(box + "subsection Probes\n  subsection tip\n    set Point = 2, 0, 0\n  end\nend\n")
      .fails({"box.prm:31", "Point = 2, 0, 0", "lies outside the body"});
  Case(box + "subsection Probes\n  subsection tip\n    set Point = 1, 0\n  end\nend\n").fails({"box.prm:31", "needs 3 coordinates"});
}

TEST(BadInput, MeshFiles)
{
  const std::string good = text_of(SYMDYN_SOURCE "/tests/meshes/cube_hexahedra_22.msh");
  ASSERT_FALSE(good.empty());
  Case(mesh_file("cube.msh")).fails({"box.prm:3", "File = cube.msh", "cube.msh", "No such file"});
  Case(mesh_file("cube.msh")).file("cube.msh", good.substr(0, good.size() / 2)).fails({"box.prm:3", "cube.msh:"});
  Case(mesh_file("cube.msh")).file("cube.msh", "this is no mesh\n").fails({"box.prm:3", "cube.msh:1"});
  const Folder folder;
  Case(mesh_file(folder.path)).fails({"box.prm:3", "cannot be read: it is a folder"});
  Case(mesh_file("cube.stl")).file("cube.stl", "solid\n").fails({"box.prm:3", "cube.stl", ".msh"});
  Case(mesh_file("cube.msh")).file("cube.msh", text_of(SYMDYN_SOURCE "/tests/meshes/square_triangles_22.msh")).fails({"box.prm:3", "2-D"});
}

TEST(BadInput, NegativeJacobian)
{
  const std::string deck = replaced(mesh_file("cell.msh"), "subsection Loads", "subsection Initial conditions\nend\nsubsection Loads");
  const auto hexahedron = [](const std::string &last) {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 " + last +
           "\n8 0 1 1\n$EndNodes\n$Elements\n1\n1 5 2 0 1 1 2 3 4 5 6 7 8\n$EndElements\n";
  };
  Case(deck).file("cell.msh", hexahedron("0.1 0.1 0.1")).fails({"box.prm:3", "cell.msh:", "element 1"});
}

TEST(BadInput, SecondOrderMeshOfFirstDegree)
{
  Case(replaced(mesh_file("cell.msh"), "set Type = file", "set Type = file\n  set Order = 1"))
      .file("cell.msh",
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0.5 0 0\n6 0.5 0.5 "
            "0\n"
            "7 0 0.5 0\n8 0 0 0.5\n9 0 0.5 0.5\n10 0.5 0 0.5\n$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n"
            "$EndElements\n")
      .fails({"box.prm:", "the mesh is of second order, with 10 nodes a cell", "Order = 2"});
}

/// Errors that are found when the model stands have the line of their entry, not of the section.
TEST(BadInput, StagesAndTheirEntries)
{
  const auto stage = [](const std::string &entries) {
    return Case(box + "subsection Stages\n  subsection one\n    set Type = " + entries + "\n  end\nend\n");
  };
  stage("static\n    set Loads = push").fails({"box.prm:32 [Stages/one] Loads = push: there is no load 'push'; there are: pull"});
  stage("static\n    set Supports = wal").fails({"box.prm:32 [Stages/one] Supports = wal: there is no support 'wal'"});
  stage("periodic\n    set Probe = tip.x\n    set Values = 0.1").fails({"box.prm:32 [Stages/one] Probe = tip.x: there is no place 'tip'"});
  stage("frequency response\n    set Inputs = push\n    set Frequencies = 1, 2")
      .fails({"box.prm:32 [Stages/one] Inputs = push: there is no place or load 'push'"});
  stage("static\n  end\n  subsection two\n    set Type = buckling\n    set Loads = shove")
      .fails({"box.prm:35 [Stages/two] Loads = shove: there is no load 'shove'"});
  Case(box + "subsection Integrator\n  set Scheme = rattle\nend\n")
      .fails({"box.prm:30 [Integrator] Scheme = rattle: rattle is for systems"});
  Case(box + "subsection Integrator\n  set Scheme = zhang-skeel-stiff\nend\n")
      .fails({"box.prm:30 [Integrator] Scheme = zhang-skeel-stiff: "});
}

/// What an element cannot have is said at its own entry.
TEST(BadInput, Elements)
{
  refuse("  set Subdivisions = 2, 2, 2\n", "  set Subdivisions = 2, 2, 2\n  set Element = serendipity\n",
         {"box.prm:4 [Mesh] Element = serendipity: ", "Set Order = 2, or Element = standard"});
  refuse("  set Subdivisions = 2, 2, 2\n", "  set Subdivisions = 2, 2, 2\n  set Cell shape = tetrahedra\n  set Order = 3\n",
         {"box.prm:5 [Mesh] Order = 3: ", "there is 1 to 2"});
}

TEST(BadInput, CellGroups)
{
  const std::string deck = mesh_file(SYMDYN_SOURCE "/tests/meshes/cube_hexahedra_22.msh");
  const std::string more =
      "subsection other\n    set Type = linear-elasticity\n    set E = 1\n    set nu = 0\n    set Density = 1\n  end\n "
      " ";
  Case(replaced(deck, "set Density = 1000", "set Density = 1000\n    set Groups = butter"))
      .fails({"box.prm:11", "Groups = butter", "no cell group 'butter'; it has:", "steel"});
  Case(replaced(deck, "subsection body", more + "subsection body")).fails({"box.prm:", "without a material"});
  Case(replaced(box, "subsection body", more + "subsection body")).fails({"box.prm:6", "material 'other' fills no cells", "body"});
  refuse("subsection Materials\n", "subsection Material\n",
         {"box.prm:5: unknown section 'Material' outside of all sections; did you mean 'Materials'?"});
}

TEST(BadInput, StartThatCannotBe)
{
  const std::string point = R"(set Structure = discrete
subsection Points
  set Dimension = 2
  subsection bob
    set Mass = 1
    set Position = -1, 0
  end
end
subsection Potentials
  subsection well
    set Expression = sqrt(x) + y^2
  end
end
subsection Time
  set Time step = 0.1
  set End time = 1
end
)";
  Case(point).fails({"[Potentials/well] Expression", "is not finite where the points start, x = -1 of 'bob'"});
  const std::string folded = box + "subsection Initial conditions\n  set Displacement = -2*x, 0, 0\nend\n";
  Case(folded).fails({"cannot start from its initial positions", "is inverted: det F = -1"});
}

/// What a deck gives and no scheme of it uses is said; a tolerance too loose for the promise as well.
TEST(BadInput, EntriesWithoutEffect)
{
  const Case deck(box + "subsection Newton\n  set Tolerance = 1e-5\nend\n");
  const auto said = [&](const std::string &settings) {
    return command(deck.folder, SYMDYN_BINARY " check " + deck.folder / "box.prm" + " --set Elements/Mass=lumped" + settings).terminal;
  };
  EXPECT_NE(said("").find("keeps its structure (symplectic form, momenta, energy) to about 1e-05"), std::string::npos) << said("");
  EXPECT_EQ(said(" --set Newton/Tolerance=1e-9").find("keeps its structure"), std::string::npos);
  EXPECT_EQ(said("").find("not used"), std::string::npos);
  EXPECT_NE(said(" --set 'Output/Peaks include static stages=yes'")
                .find("not used: Output/Peaks include static stages (no static stage accompanies a dynamic one)"),
            std::string::npos);
  EXPECT_NE(said(" --set Integrator/Scheme=rk4").find("not used: section Newton"), std::string::npos);
  EXPECT_NE(said(" --set Integrator/Scheme=rk4 --set Integrator/newmark/beta=0.3").find("not used: section Integrator/newmark"),
            std::string::npos);
  EXPECT_NE(said(" --set Integrator/Scheme=suzuki4 --set Integrator/suzuki4/newmark/beta=0.1")
                .find("not used: section Integrator/suzuki4/newmark"),
            std::string::npos);
  const auto run = deck.run({"Newton/Tolerance=1e-9", "Integrator/Scheme=bathe", "Monitors/Discrete energy=yes"});
  expect_message(run, 0, {"Monitors/Discrete energy", "no discrete Lagrangian"});
}

namespace
{
/// A pendulum; `constraint` and `time` are entries of its sections.
Outcome run_pendulum(const std::string &bob, const std::string &constraints, const std::string &time, const std::string &more = "")
{
  const Folder folder;
  write(folder / "pendulum.prm",
        "set Structure = discrete\nsubsection Points\nset Dimension = 2\nset Gravity = 0, -9.81\nsubsection bob\nset Mass = 1\n" + bob +
            "end\nend\nsubsection Constraints\n" + constraints +
            "subsection rod\nset From = bob\nset To = ground\nset Anchor = 0, 0\nset Length = 1\nend\nend\n"
            "subsection Time\n" +
            time + "set End time = 0.1\nend\nsubsection Integrator\nset Scheme = rattle\nend\n" + more);
  return run_deck(folder, folder / "pendulum.prm");
}
}  // namespace

TEST(BadInput, StartsOffTheConstraints)
{
  const std::string step = "set Time step = 0.01\n";
  EXPECT_EQ(run_pendulum("set Position = 1, 0\n", "", step).exit_code, 0);
  expect_message(run_pendulum("set Position = 1.1, 0\n", "", step), 1,
                 {"[Constraints]", "'rod'", "[Constraints/rod]", "g = 0.1", "Constraints/Project=yes"});
  expect_message(
      run_pendulum("set Position = 1, 0\nset Velocity = 0.5, 2\n", "", step), 1,
      {"'rod'", "a speed across it of 0.5", "move the velocities alone onto the constraints with --set Constraints/Project=velocities"});
  const Outcome projected = run_pendulum("set Position = 1.1, 0\nset Velocity = 0.5, 2\n", "set Project = yes\n", step);
  ASSERT_EQ(projected.exit_code, 0) << projected.terminal;
  EXPECT_NE(projected.log.find("moved onto the constraints: positions by at most 0.1 m"), std::string::npos) << projected.log;
  EXPECT_NEAR(projected.history["bob.x"][0], 1., 1e-14);
  EXPECT_NEAR(projected.history["bob.v_x"][0], 0., 1e-14);
  EXPECT_NEAR(projected.history["bob.v_y"][0], 2., 1e-14);
  // Velocities alone: positions stay, and must be right.
  const Outcome turned = run_pendulum("set Position = 1, 0\nset Velocity = 0.5, 2\n", "set Project = velocities\n", step);
  ASSERT_EQ(turned.exit_code, 0) << turned.terminal;
  EXPECT_NE(turned.log.find("moved onto the constraints: velocities by at most 0.5 m/s"), std::string::npos) << turned.log;
  EXPECT_EQ(turned.history["bob.x"][0], 1.);
  EXPECT_NEAR(turned.history["bob.v_x"][0], 0., 1e-14);
  expect_message(run_pendulum("set Position = 1.1, 0\nset Velocity = 0.5, 2\n", "set Project = velocities\n", step), 1,
                 {"'rod'", "g = 0.1"});
  expect_message(run_pendulum("set Position = 1, 0\n", "set Project = maybe\n", step), 1,
                 {"Project = maybe", "must be yes, velocities or no"});
}

TEST(BadInput, ConstraintsThatCannotBe)
{
  const std::string step = "set Time step = 0.01\n", place = "set Position = 1, 0\n";
  expect_message(run_pendulum(place, "", "set Time step = auto\n"), 1, {"Time step", "nothing vibrates here", "Give the step in seconds"});
  expect_message(run_pendulum(place, "subsection again\nset From = bob\nset To = ground\nset Anchor = 0, 0\nend\n", step), 1,
                 {"follows from others", "Remove one of them"});
  expect_message(run_pendulum(place, "set Treatment = penalty\n", step), 1, {"omega", "penalty needs it"});
  expect_message(run_pendulum(place, "set Treatment = penalty\nset omega = 100\n", step), 1, {"rattle is for systems with constraints"});
  const Folder folder;
  write(
      folder / "charges.prm",
      "set Structure = discrete\nsubsection Points\nsubsection a\nset Count = 2\nset Mass = 1\nset Position = 1, 2, 3\nend\nend\n"
      "subsection Pair potentials\nsubsection electricity\nset Law = coulomb\nset Points = a\nset Charges = 1\nset Constant = 1\nend\nend\n"
      "subsection Time\nset Time step = 0.01\nset End time = 0.1\nend\n");
  expect_message(run_deck(folder, folder / "charges.prm"), 1, {"'electricity'", "'a0' and 'a1'", "at the same place"});
}
}  // namespace symdyn::tests::in_bad_input
