// References of contact by themselves, ranks, and inputs that are refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "tests/colliding_blocks.h"
#include "tests/compare.h"

namespace symdyn::tests::in_touching_references
{
namespace
{
const std::string no_frames = section("Output", "set Write every = never");

/// A bar of 2 m with E A = 100 N is drawn by F towards a wall that is 0.05 m away.
std::string drawn_bar(const double F)
{
  return section("Mesh", "set Dimension = 3\nset Type = box\nset Subdivisions = 3, 1, 1\n" + section("box", "set Size = 2, 1, 1")) +
         elastic(100., 0., 1.) + section("Obstacles", section("wall", "set Type = plane\nset Point = 2.05, 0, 0\nset Normal = -1, 0, 0")) +
         section("Contact", section("hit", "set Between = x+, wall\nset Law = linear\nset Stiffness = 1e4")) +
         section("Supports", section("root", "set Boundary = x-")) +
         section("Loads", section("pull", fmt::format("set Type = traction\nset Boundary = x+\nset Traction = {}, 0, 0", F))) +
         section("Newton", "set Tolerance = 1e-13") + stages(section("draw", "set Type = static\nset Increments = 2")) + no_frames;
}

/// Half a turn of a belt around a drum of 1 m, from its pulled end at x = 1 to the slack one.
void write_belt(const std::string &file, const int cells)
{
  constexpr double thickness = 0.005;
  std::string nodes, elements;
  int count = 0;
  const auto add = [&](const int type, const int group, const std::vector<int> &of) {
    elements += fmt::format("{} {} 2 {} {}", ++count, type, group, group);
    for (const int node : of)
      elements += fmt::format(" {}", node);
    elements += "\n";
  };
  for (int i = 0; i <= cells; ++i)
    for (int side = 0; side < 2; ++side)
    {
      const double r = 1. + side * thickness, angle = M_PI * i / cells;
      nodes += fmt::format("{} {:.17g} {:.17g} 0\n", 2 * i + side + 1, r * std::cos(angle), r * std::sin(angle));
    }
  for (int i = 0; i < cells; ++i)
  {
    const int a = 2 * i + 1;
    add(3, 1, {a, a + 1, a + 3, a + 2});
    add(1, 2, {a, a + 2});
  }
  add(1, 3, {1, 2});
  add(1, 4, {2 * cells + 1, 2 * cells + 2});
  std::ofstream(file) << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"belt\"\n1 2 \"inner\"\n1 3 \"pulled\"\n1 4 "
                         "\"slack\"\n$EndPhysicalNames\n"
                      << fmt::format("$Nodes\n{}\n{}$EndNodes\n$Elements\n{}\n{}$EndElements\n", 2 * (cells + 1), nodes, count, elements);
}

/// A block of 2 x 2 cells that falls onto a floor askew.
const std::string falling_block =
    section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 2, 2\n" + section("box", "set Size = 1, 1")) +
    section("Materials", section("rubber", "set Type = st-venant-kirchhoff\nset E = 1000\nset nu = 0.3\nset Density = 1")) +
    section("Obstacles", section("floor", "set Type = plane\nset Point = 0, -0.12\nset Normal = -0.1, 1")) +
    section("Contact", section("hit", "set Between = y-, floor")) + section("Initial conditions", "set Velocity = 0.3, -1") +
    section("Newton", "set Tolerance = 1e-12") + section("Time", "set Time step = 0.004\nset End time = 0.3") +
    section("Integrator", "set Scheme = simo-tarnow") + no_frames;
}  // namespace

/// Reference R14: u - g0 = (F L/EA - g0)/(1 + EA/(L k A)) of the free way are left to the wall's spring.
TEST(ContactReferences, ABarIsDrawnAgainstAWall)
{
  const Folder folder;
  constexpr double EA_over_L = 50., gap = 0.05, k = 1e4;
  for (const double F : {2., 10.})
  {
    const History history = run_well(folder, drawn_bar(F)).history;
    const double beyond = F / EA_over_L - gap, exact = beyond < 0. ? 0. : beyond * EA_over_L / (1. + EA_over_L / k);
    EXPECT_NEAR(-history.last("hit.force_x"), exact, 1e-10) << F;
    EXPECT_NEAR(history.last("root.R_x"), exact - F, 1e-9) << F;
  }
}

/// Reference R12: Euler's and Eytelwein's T e^(mu theta) of a belt that slides.
TEST(ContactReferences, ABeltHoldsOnADrum)
{
  constexpr double mu = 0.3, slack = 2e4 * 0.005;
  const Folder folder;
  write_belt(folder / "belt.msh", 64);
  const std::string deck =
      section("Mesh", "set Dimension = 2\nset Type = file\nset File = belt.msh\nset Element = incompatible-modes") +
      elastic(1e8, 0., 1., "st-venant-kirchhoff") +
      section("Obstacles", section("drum", "set Type = sphere\nset Centre = 0, 0\nset Radius = 1")) +
      section("Contact", section("rub",
                                 "set Between = inner, drum\nset Law = linear\nset Stiffness = 1e7\nset Clearance = 3.2e-4\nset "
                                 "Friction iterations = 3\nset Friction = 0.3")) +
      section("Supports", section("pull", "set Boundary = pulled\nset Type = displacement\nset Displacement = 0, -0.005")) +
      section("Loads", section("slack", "set Type = traction\nset Boundary = slack\nset Traction = 0, -2e4")) +
      stages(section("draw", "set Type = static\nset Increments = 40")) + no_frames;
  const History history = run_well(folder, deck).history;
  EXPECT_NEAR(-history.last("pull.R_y"), slack * std::exp(mu * M_PI), 0.02 * slack * std::exp(mu * M_PI));
  EXPECT_NEAR(-run_well(folder, deck, {"Contact/rub/Friction=0.15"}).history.last("pull.R_y"), slack * std::exp(0.5 * mu * M_PI),
              0.02 * slack * std::exp(0.5 * mu * M_PI));
}

/// Reference R13: balls in a row that touch, with Hertz's force k d^(3/2). The first strikes with 1 m/s.
TEST(ContactReferences, BallsOfACradleHaveTheVelocitiesOfHertz)
{
  const std::vector<std::vector<double>> exact{{-0.070952354, 0.076403039, 0.994549315},
                                               {-0.071085017, -0.030273764, -0.014463629, 0.127044986, 0.988777424}};
  for (const std::vector<double> &velocities : exact)
  {
    std::string points, potentials;
    for (std::size_t i = 0; i < velocities.size(); ++i)
    {
      points += section(fmt::format("b{}", i), fmt::format("set Position = {}\nset Mass = 1{}", i, i == 0 ? "\nset Velocity = 1" : ""));
      if (i > 0)
        potentials += section(fmt::format("p{}", i), fmt::format("set Expression = 0.4*max(1 - b{}.x + b{}.x, 0)^2.5", i, i - 1));
    }
    const Folder folder;
    const History history = run_well(folder, "set Structure = discrete\n" + section("Points", "set Dimension = 1\n" + points) +
                                                 section("Potentials", potentials) + section("Integrator", "set Scheme = rk4") +
                                                 section("Time", "set Time step = 0.002\nset End time = 14") + no_frames)
                                .history;
    for (std::size_t i = 0; i < velocities.size(); ++i)
      EXPECT_NEAR(history.last(fmt::format("b{}.v_x", i)), velocities[i], 1e-6) << i << " of " << velocities.size();
    EXPECT_GT(largest(history["E_potential"]), 0.1);
    EXPECT_LT(history.last("E_potential"), 1e-9) << "they fly apart: no velocity changes any more";
  }
}

/// Section 10: on 1, 2 and 4 ranks, by a scheme that solves no system.
TEST(ContactReferences, OneTwoAndFourRanksAgreeToRounding)
{
  const CollidingBlocks blocks;
  const Settings settings{"Integrator/Scheme=central-difference", "Time/End time=0.12", "Solver/Deterministic=yes"};
  const History whole = run_well(blocks.folder, blocks.deck, settings).history;
  EXPECT_GT(largest(whole["hit.pressure"]), 1.);
  for (const int ranks : {2, 4})
  {
    const Folder folder;
    CollidingBlocks::write_mesh(folder);
    const History shared = run_well(folder, blocks.deck, settings, ranks).history;
    EXPECT_EQ(shared["hit.points"], whole["hit.points"]) << "the same candidates";
    for (const char *column : {"P_x", "J_z", "E_total", "hit.force_x", "hit.gap"})
      for (std::size_t i = 0; i < whole.rows(); ++i)
        ASSERT_NEAR(shared[column][i], whole[column][i], 1e-12 * largest(whole[column])) << column << " on " << ranks << ", row " << i;
  }
}

/// Beside contact the stresses have their mean, contact its own discrete gradient: the scheme is discrete-gradient's.
TEST(ContactReferences, SimoTarnowKeepsTheEnergyOfAnImpact)
{
  const Folder folder;
  const History history = run_well(folder, falling_block).history,
                other = run_well(folder, falling_block, {"Integrator/Scheme=discrete-gradient"}).history,
                stiff = run_well(folder, falling_block, {"Contact/hit/Stiffness=1e6"}).history;
  EXPECT_GT(largest(history["hit.pressure"]), 1.);
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  EXPECT_EQ(history["E_kinetic"], other["E_kinetic"]);
  EXPECT_LT(drift(stiff, "E_total", stiff["E_total"].front()), 1e-10) << "free of the rule of h omega_0";
  expect_refused(falling_block, "above 2 an impact with midpoint multiplies the energy",
                 {"Contact/hit/Stiffness=1e6", "Integrator/Scheme=midpoint"});
  expect_refused(falling_block, "simo-tarnow", {"Contact/hit/Friction=0.3"});
  expect_refused(falling_block, "simo-tarnow takes the mean of the stresses at both ends", {"Materials/rubber/Type=neo-hooke-log"});
}

/// Of boundaries with each other. The control: midpoint.
TEST(ContactReferences, SimoTarnowKeepsWhatTwoBlocksHave)
{
  const CollidingBlocks blocks;
  const Settings metal{"Materials/first/Type=st-venant-kirchhoff", "Materials/second/Type=st-venant-kirchhoff", "Time/End time=0.16"};
  const History history = run_well(blocks.folder, blocks.deck, metal + Settings{"Integrator/Scheme=simo-tarnow"}).history,
                midpoint = run_well(blocks.folder, blocks.deck, metal).history;
  EXPECT_GT(largest(history["hit.pressure"]), 1.);
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  EXPECT_GT(drift(midpoint, "E_total", midpoint["E_total"].front()), 1e-6);
  for (const char *momentum : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(history, momentum, 1.), 1e-11) << momentum;
}

TEST(ContactReferences, InputsThatAreRefused)
{
  const auto refused = [](const std::string &words, const Settings &settings) { expect_refused(falling_block, words, settings); };
  refused("no two faces of y- can touch: all share corners. Name the boundary that it meets, too",
          {"Contact/more/Between=y-", "Integrator/Scheme=midpoint", "Mesh/Subdivisions=1, 2"});
  refused("[Contact/more] Friction", {"Contact/more/Between=y+, floor", "Contact/more/Friction=-0.1"});
  refused("Pressures",
          {"Contact/more/Between=y+, floor", "Contact/more/Law=table", "Contact/more/Pressures=0, nan", "Contact/more/Closures=0, 1"});
  refused("ties hold in all stages. For one that ends take a contact with Law = tied",
          {"Stages/fall/Type=dynamic", "Stages/fall/Ties=none"});
}

/// A floor that jumps through the body within a step.
TEST(ContactReferences, AnObstacleThatPassesABodyEndsTheRun)
{
  const Folder folder;
  const Outcome run =
      run_text(folder, falling_block,
               {"Integrator/Scheme=central-difference", "Elements/Mass=lumped", "Obstacles/floor/Motion=0, if(t > 0.01, 5, 0)"});
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_EQ(has(run.terminal, "y- would pass floor at"), "") << run.terminal;
}
}  // namespace symdyn::tests::in_touching_references
