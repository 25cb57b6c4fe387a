#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"

// The number of ranks and the linear solver do not change the motion.
namespace symdyn::tests::in_parallel
{
namespace
{
const std::vector<std::string> tight{"Newton/Tolerance=1e-12", "Linear solver/Tolerance=1e-12", "Output/Write every=never"};

std::vector<std::string> with(std::vector<std::string> settings)
{
  settings.insert(settings.end(), tight.begin(), tight.end());
  return settings;
}

void expect_ranks_agree(const std::string &deck, const std::vector<std::string> &settings, const std::vector<int> &ranks)
{
  const Folder folder;
  const Outcome serial = run_deck(folder, deck, with(settings));
  ASSERT_EQ(serial.exit_code, 0) << serial.terminal;
  for (const int n : ranks)
  {
    const Folder other;
    const Outcome parallel = run_deck(other, deck, with(settings), n);
    ASSERT_EQ(parallel.exit_code, 0) << parallel.terminal;
    EXPECT_EQ(parallel.summary["ranks"], n);
    expect_same(serial.history, parallel.history, 1e-9, deck + " on " + std::to_string(n) + " ranks");
  }
}

const std::vector<std::string> explicit_steps{"Elements/Mass=lumped", "Integrator/newmark/beta=0", "Time/Time step=0.001",
                                              "Time/End time=0.1"};

std::vector<std::string> explicitly(std::vector<std::string> settings)
{
  settings.insert(settings.end(), explicit_steps.begin(), explicit_steps.end());
  return settings;
}

TEST(Parallel, HexahedraImplicit) { expect_ranks_agree("verification/implicit-beam.prm", {"Mesh/Subdivisions=12, 3, 3"}, {3}); }
TEST(Parallel, TetrahedraImplicit)
{
  expect_ranks_agree("verification/implicit-beam.prm", {"Mesh/Subdivisions=6, 1, 1", "Mesh/Cell shape=tetrahedra"}, {2});
}
TEST(Parallel, TetrahedraExplicit)
{
  expect_ranks_agree("verification/implicit-beam.prm", explicitly({"Mesh/Subdivisions=6, 1, 1", "Mesh/Cell shape=tetrahedra"}), {2});
}
TEST(Parallel, RefinedMeshes)
{
  // Hexahedra are refined where they are, tetrahedra before they are distributed.
  expect_ranks_agree("verification/implicit-beam.prm", explicitly({"Mesh/Subdivisions=3, 1, 1", "Mesh/Refinements=2"}), {2});
  expect_ranks_agree("verification/implicit-beam.prm",
                     explicitly({"Mesh/Subdivisions=2, 1, 1", "Mesh/Refinements=1", "Mesh/Cell shape=tetrahedra"}), {3});
}

/// A cube of two materials from Gmsh, held at the bottom, that is twisted and hit.
std::string gmsh_deck(const Folder &folder, const std::string &mesh)
{
  const std::string file = folder / "cube.prm";
  std::ofstream(file) << "subsection Mesh\nset Type = file\nset File = " SYMDYN_SOURCE "/tests/meshes/" << mesh << R"(
set Refinements = 1
end
subsection Materials
  subsection steel
    set Type = neo-hooke-log
    set E = 2e7
    set nu = 0.3
    set Density = 2000
  end
  subsection rubber
    set Type = neo-hooke-quadratic
    set E = 1e7
    set nu = 0.35
    set Density = 1000
  end
end
subsection Supports
  subsection clamp
    set Boundary = bottom
  end
end
subsection Initial conditions
  set Velocity = -3*y*z, 3*x*z, 5*z
end
subsection Probes
  subsection tip
    set Point = 1, 1, 1
  end
end
subsection Time
  set Time step = 0.002
  set End time = 0.04
end
subsection Integrator
  set Scheme = newmark
end
)";
  return file;
}

void expect_gmsh_ranks_agree(const std::string &mesh)
{
  const Folder folder;
  const std::string deck = gmsh_deck(folder, mesh);
  expect_ranks_agree(deck, {}, {3});
  expect_ranks_agree(deck, {"Elements/Mass=lumped", "Integrator/newmark/beta=0", "Time/Time step=0.0004"}, {2});
}
TEST(Parallel, GmshHexahedra) { expect_gmsh_ranks_agree("cube_hexahedra_22.msh"); }
TEST(Parallel, GmshTetrahedra) { expect_gmsh_ranks_agree("cube_tetrahedra_41.msh"); }
TEST(Parallel, QuadraticTetrahedraWithLoads)
{
  expect_ranks_agree("verification/cantilever-stvk.prm", {"Mesh/Subdivisions=1, 1, 3", "Mesh/Cell shape=tetrahedra", "Mesh/Order=2"}, {2});
}
TEST(Parallel, HexahedraExplicit) { expect_ranks_agree("verification/implicit-beam.prm", explicitly({"Mesh/Subdivisions=12, 3, 3"}), {2}); }
TEST(Parallel, AnyNumberOfRanksNightly)
{
  const std::string beam = "verification/implicit-beam.prm";
  const std::vector<std::string> hexahedra{"Mesh/Subdivisions=12, 3, 3"},
      tetrahedra{"Mesh/Subdivisions=6, 1, 1", "Mesh/Cell shape=tetrahedra"};
  for (const std::vector<std::string> &mesh : {hexahedra, tetrahedra})
  {
    expect_ranks_agree(beam, mesh, {2, 3, 4});
    expect_ranks_agree(beam, explicitly(mesh), {2, 3, 4});
  }
  for (const char *mesh : {"cube_hexahedra_22.msh", "cube_tetrahedra_41.msh"})
  {
    const Folder folder;
    expect_ranks_agree(gmsh_deck(folder, mesh), {}, {2, 3, 4});
  }
}
TEST(Parallel, StaticPlane) { expect_ranks_agree("verification/turek-hron-csm1.prm", {}, {2}); }
TEST(Parallel, MovingBoundary)
{
  expect_ranks_agree(
      "verification/implicit-beam.prm",
      {"Mesh/Subdivisions=12, 3, 3", "Supports/clamp/Type=displacement", "Supports/clamp/Displacement=0, 0.2*sin(20*t), 0.1*y*t"}, {2});
}

/// The block with a machine on legs, without the symmetry by which some momenta are zero.
void expect_machines_agree(std::vector<std::string> settings, const std::vector<int> &ranks)
{
  settings.insert(settings.end(), {"Points/machine/Position=0.1, 0.05, 0.9",
                                   "Supports/ground/Displacement=0.01*(1 - cos(20*t)), 0.02*(1 - cos(15*t)), 0.01*(1 - cos(30*t))"});
  expect_ranks_agree("examples/mass-on-block.prm", settings, ranks);
}

TEST(Parallel, PointsOnSolids)
{
  // Springs to nodes of several ranks, dashpots, a mass of its own; then constraints, exact, explicit and implicit; then two bodies.
  expect_machines_agree({"Time/End time=0.1"}, {3});
  expect_machines_agree({"Time/End time=0.05", "Elements/Mass=lumped", "Integrator/Scheme=discrete-gradient", "Points/feet/Mass=3"}, {2});
  expect_machines_agree({"Time/End time=0.05", "Points/feet/Mass=3"}, {2});
  expect_ranks_agree("examples/hung-block.prm", {"Time/End time=0.1"}, {2});
  expect_ranks_agree("examples/hung-block.prm", {"Time/End time=0.1", "Time/Time step=0.005", "Integrator/Scheme=newmark-constrained"},
                     {2});
  expect_ranks_agree("examples/pinned-bodies.prm", {"Time/End time=0.05"}, {2});
  expect_ranks_agree("examples/pinned-bodies.prm", {"Time/End time=0.05", "Mesh/Cell shape=tetrahedra", "Mesh/Subdivisions=3, 2, 2"}, {2});
}
TEST(Parallel, PointsOnSolidsWithEveryLinearSolver)
{
  for (const char *solver : {"Linear solver/Type=mumps", "Linear solver/cg/Preconditioner=gamg", "Linear solver/cg/Preconditioner=jacobi"})
  {
    std::vector<std::string> settings{"Time/End time=0.05", solver};
    if (std::string(solver).find("/cg/") != std::string::npos)
      settings.push_back("Linear solver/Type=cg");
    expect_machines_agree(settings, {2});
  }
}
TEST(Parallel, BoundariesAreGroupsInOneOrder)
{
  expect_machines_agree({"Time/End time=0.02", "Points/edge/On boundary=x+", "Points/Report=edge"}, {3});
}

TEST(Parallel, FollowerPressureAndDamping)
{
  // As many Newton iterations on any number of ranks: the tangent of the pressure is whole.
  const std::vector<std::string> settings = with({"Mesh/Subdivisions=8, 2, 2", "Loads/push/Type=pressure", "Loads/push/Boundary=y+",
                                                  "Loads/push/Pressure=4e4", "Damping/Mass proportional=1", "Linear solver/Type=mumps"});
  const Folder a, b;
  const Outcome serial = run_deck(a, "verification/implicit-beam.prm", settings);
  const Outcome parallel = run_deck(b, "verification/implicit-beam.prm", settings, 2);
  ASSERT_EQ(serial.exit_code, 0) << serial.terminal;
  ASSERT_EQ(parallel.exit_code, 0) << parallel.terminal;
  expect_same(serial.history, parallel.history, 1e-9, "pressure on 2 ranks");
  EXPECT_EQ(serial.history["newton"], parallel.history["newton"]);
}

TEST(Parallel, EverySchemeNightly)
{
  // Each fetches the ghosts that it reads. adams lets CVODE choose its steps, by norms that rounding changes.
  const std::vector<std::string> explicit_schemes{"central-difference", "stormer-verlet", "symplectic-euler", "rk4"};
  const std::vector<std::string> implicit_schemes{"newmark",
                                                  "linear-acceleration",
                                                  "midpoint",
                                                  "hht-alpha",
                                                  "wbz-alpha",
                                                  "generalized-alpha",
                                                  "bathe",
                                                  "newmark-dalembert",
                                                  "variational-newmark",
                                                  "lagrange-dalembert",
                                                  "galerkin-alpha",
                                                  "symmetric-galerkin-alpha",
                                                  "incremental-potential",
                                                  "discrete-gradient",
                                                  "simo-tarnow",
                                                  "two-step",
                                                  "yoshida4",
                                                  "suzuki4",
                                                  "zhang-skeel",
                                                  "zhang-skeel-simplified",
                                                  "zhang-skeel-stiff",
                                                  "newmark-partial"};
  const std::vector<std::string> body{"Mesh/Subdivisions=6, 2, 2", "Materials/rubber/Type=st-venant-kirchhoff", "Time/Time step=0.0005",
                                      "Time/End time=0.01"};
  for (const std::string &scheme : implicit_schemes)
  {
    std::vector<std::string> settings = body;
    settings.push_back("Integrator/Scheme=" + scheme);
    if (scheme == "zhang-skeel-stiff")
      settings.push_back("Materials/rubber/Stiff=yes");
    expect_ranks_agree("verification/implicit-beam.prm", settings, {3});
  }
  for (const std::string &scheme : explicit_schemes)
  {
    std::vector<std::string> settings = body;
    settings.insert(settings.end(), {"Integrator/Scheme=" + scheme, "Elements/Mass=lumped"});
    expect_ranks_agree("verification/implicit-beam.prm", settings, {3});
  }
}

TEST(Parallel, SlowManifold)
{
  expect_ranks_agree(
      "verification/implicit-beam.prm",
      {"Mesh/Subdivisions=6, 2, 2", "Materials/rubber/Type=st-venant-kirchhoff", "Materials/rubber/Stiff=yes", "Time/Time step=0.0005",
       "Time/End time=0.05", "Slow manifold/Project start=yes", "Slow manifold/Project every=50", "Slow manifold/Not converged=accept"},
      {2});
}

/// The same noise on each number of ranks, of hexahedra and of simplices.
TEST(Parallel, Langevin)
{
  const std::vector<std::string> settings{
      "Mesh/Subdivisions=6, 2, 2",   "Elements/Mass=lumped",  "Integrator/Scheme=langevin", "Integrator/langevin/gamma=1",
      "Integrator/langevin/kT=1000", "Time/Time step=0.0005", "Time/End time=0.01",         "Integrator/langevin/base=midpoint"};
  std::vector<std::string> tetrahedra = settings;
  tetrahedra.push_back("Mesh/Cell shape=tetrahedra");
  expect_ranks_agree("verification/implicit-beam.prm", settings, {2});
  expect_ranks_agree("verification/implicit-beam.prm", tetrahedra, {2});
}

TEST(Parallel, InputErrorsEndEveryRank)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "verification/implicit-beam.prm",
                               {"Mesh/Subdivisions=8, 2, 2", "Supports/other/Boundary=y-", "Supports/other/Type=displacement",
                                "Supports/other/Displacement=0.01*t, 0, 0"},
                               3);
  EXPECT_EQ(run.exit_code, 1) << run.terminal;
  EXPECT_NE(run.terminal.find("prescribes"), std::string::npos) << run.terminal;
}

TEST(Parallel, MoreRanksThanCellsIsSlowNotWrong)
{
  const std::string warning = "warning: more ranks (3) than cells (";
  const auto expect = [&](const std::string &deck, const std::vector<std::string> &settings, const std::string &cells) {
    const Folder a, b;
    const Outcome serial = run_deck(a, deck, with(settings));
    const Outcome parallel = run_deck(b, deck, with(settings), 3);
    ASSERT_EQ(serial.exit_code, 0) << serial.terminal;
    ASSERT_EQ(parallel.exit_code, 0) << parallel.terminal;
    EXPECT_NE(parallel.terminal.find(warning + cells + ")"), std::string::npos) << parallel.terminal;
    EXPECT_EQ(serial.terminal.find("more ranks"), std::string::npos) << serial.terminal;
    expect_same(serial.history, parallel.history, 1e-9, deck + " with " + settings.front());
  };
  const std::vector<std::string> end{"Time/End time=0.05"};
  const std::vector<std::string> explicit_scheme{"Elements/Mass=lumped", "Integrator/newmark/beta=0", "Time/Time step=0.005",
                                                 "Time/End time=0.05"};
  const auto beam = [&](std::vector<std::string> settings, const std::vector<std::string> &more, const std::string &cells) {
    settings.insert(settings.end(), more.begin(), more.end());
    expect("verification/implicit-beam.prm", settings, cells);
  };
  beam({"Mesh/Subdivisions=1, 1, 1"}, end, "1");
  beam({"Mesh/Subdivisions=2, 1, 1", "Mesh/Order=2"}, end, "2");
  beam({"Mesh/Subdivisions=2, 1, 1"}, explicit_scheme, "2");
  for (const char *preconditioner : {"gamg", "hypre"})
    beam({"Mesh/Subdivisions=1, 1, 1", "Linear solver/Type=cg", std::string("Linear solver/cg/Preconditioner=") + preconditioner}, end,
         "1");
  expect("verification/turek-hron-csm1.prm", {"Mesh/Subdivisions=1, 1"}, "1");
  const Folder folder;
  std::ofstream(folder / "two.vtk")
      << "# vtk DataFile Version 2.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
         "CELLS 2 8\n3 0 1 2\n3 0 2 3\nCELL_TYPES 2\n5\n5\n";
  std::ofstream(folder / "two.prm")
      << "subsection Mesh\n set Dimension = 2\n set Type = file\n set File = two.vtk\nend\n"
         "subsection Materials\n subsection body\n  set Type = neo-hooke-log\n  set E = 1e7\n  set nu = 0.3\n  set Density = 1000\n end\nend\n"
         "subsection Initial conditions\n set Velocity = y, x*y\nend\n"
         "subsection Time\n set Time step = 0.001\n set End time = 0.05\nend\n";
  expect(folder / "two.prm", {"Integrator/newmark/beta=0.25"}, "2");
  expect(folder / "two.prm", {"Integrator/newmark/beta=0", "Elements/Mass=lumped"}, "2");
}

TEST(Parallel, LinearSolversAgree)
{
  const std::vector<std::string> beam{"Mesh/Subdivisions=12, 3, 3", "Time/End time=0.05"};
  const auto run = [&](const std::vector<std::string> &solver, const int ranks) {
    const Folder folder;
    std::vector<std::string> settings = with(beam);
    settings.insert(settings.end(), solver.begin(), solver.end());
    const Outcome outcome = run_deck(folder, "verification/implicit-beam.prm", settings, ranks);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome;
  };
  const Outcome reference = run({"Linear solver/Type=dense"}, 1);
  for (const char *type : {"mumps", "ml", "trilinos-direct", "eisenstat", "automatic"})
    expect_same(reference.history, run({std::string("Linear solver/Type=") + type}, 2).history, 1e-9, type);
  for (const char *preconditioner : {"jacobi", "icc", "gamg", "hypre"})
    expect_same(reference.history,
                run({"Linear solver/Type=cg", std::string("Linear solver/cg/Preconditioner=") + preconditioner}, 2).history, 1e-9,
                preconditioner);
}

TEST(Parallel, ADifferenceIsSeen)
{
  // The comparison itself can fail: another step gives another motion.
  const Folder a, b;
  const Outcome one = run_deck(a, "verification/implicit-beam.prm", with({"Mesh/Subdivisions=12, 3, 3", "Materials/rubber/nu=0.30001"}));
  const Outcome two = run_deck(b, "verification/implicit-beam.prm", with({"Mesh/Subdivisions=12, 3, 3"}));
  double difference = 0;
  for (std::size_t i = 0; i < one.history.rows(); ++i)
    difference = std::max(difference, std::abs(one.history["tip.u_y"][i] - two.history["tip.u_y"][i]));
  EXPECT_GT(difference, 1e-9);
}
}  // namespace

/// Two cubes that share an edge alone, which two ranks then do too.
TEST(Parallel, CellsThatShareAnEdgeStayTogether)
{
  const std::string mesh =
      "*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n7,1,1,1\n8,0,1,1\n9,2,1,0\n10,2,2,0\n11,1,2,0\n12,2,1,1\n13,2,2,1\n14,1,2,1\n"
      "*ELEMENT, TYPE=C3D8, ELSET=E\n1,1,2,3,4,5,6,7,8\n2,3,9,10,11,7,12,13,14\n*NSET, NSET=LEFT\n1,4,5,8\n";
  const std::string deck =
      mesh +
      "*MATERIAL, NAME=M\n*ELASTIC\n1e6, 0.\n*DENSITY\n1000.\n*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\nLEFT, 1, 3\n*STEP\n*DYNAMIC, DIRECT\n0.01, 0.1\n"
      "*CLOAD\n10, 1, 1.\n13, 1, 1.\n*END STEP\n";
  for (const std::string refinements : {"0", "2"})
  {
    std::vector<double> energy;
    for (const int ranks : {1, 2, 3})
    {
      const Folder folder;
      const Outcome outcome = run_deck(folder, write_file(folder, "hinge.inp", deck), {"Mesh/Refinements=" + refinements}, ranks);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
      EXPECT_EQ(outcome.terminal.find("same place"), std::string::npos) << outcome.terminal;
      energy.push_back(outcome.history.last("E_kinetic"));
      EXPECT_NEAR(energy.back(), energy.front(), 1e-9 * energy.front()) << ranks << " ranks, refinements " << refinements;
    }
  }
}

TEST(Parallel, WhatRunsOnOneRankOnlyIsRefusedOnTwo)
{
  const std::string
      steps = "subsection Time\nset Time step = 0.01\nset End time = 0.02\nend\n",
      top =
          "subsection Points\nset Dimension = 3\nend\nsubsection Rigid bodies\nsubsection top\nset Mass = 2\nset Inertia = 1, 2, 2.5\n"
          "set Rigidity = 100\nset Position = 0.1, 0, 0\nend\nend\n",
      ball = "subsection Points\nset Dimension = 3\nsubsection ball\nset Mass = 2\nset Position = 0, 0, 0\nend\nend\n";
  for (const auto &[deck, words] : {std::pair{ball + "subsection Linear solver\nset Type = band\nend\n",
                                              "deck.prm:10 [Linear solver] Type = band: this linear solver runs on one rank only"},
                                    std::pair{top, "[Rigid bodies/top]: a rigid body without a solid runs on one rank, not on 2"}})
  {
    const Folder alone, together;
    EXPECT_EQ(run_written(alone, "set Structure = discrete\n" + deck + steps).exit_code, 0);
    const Outcome two = run_written(together, "set Structure = discrete\n" + deck + steps, {}, 2);
    EXPECT_EQ(two.exit_code, 1) << two.terminal;
    EXPECT_NE(two.terminal.find(words), std::string::npos) << two.terminal;
  }
}
}  // namespace symdyn::tests::in_parallel
