// Damping of beams and shells, work of moments, and motions by modes.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_thin_damping
{
namespace
{
/// Two rubber beams at an angle and a plate, apart, free, with damping and these velocities.
std::string bodies(const std::string &velocity, const std::string &damping)
{
  const std::string stuff = "set Elements = 3\nset Size = 0.1, 0.2\nset E = 1e6\nset nu = 0.2\nset Density = 1000\n" + damping;
  return "set Structure = discrete\n" +
         section("Mesh", "set Type = plate\nset Subdivisions = 3, 3\n" + section("plate", "set Corner = 0, 0, 3\nset Size = 1, 1")) +
         elastic(2e7, 0.3, 1000.) + section("Shells", section("skin", "set Thickness = 0.02\nset Material = stuff\n" + damping)) +
         section("Points", section("a", "set Position = 0, 0, 0") + section("b", "set Position = 2, 0, 0") +
                               section("c", "set Position = 2, 1, 0.5")) +
         section("Beams", section("ab", "set From = a\nset To = b\nset Direction = 0, 1, 0\n" + stuff) +
                              section("bc", "set From = b\nset To = c\nset Direction = 1, 0, 0\n" + stuff)) +
         section("Initial conditions", "set Velocity = " + velocity) + stages(section("fly", "set Type = dynamic")) +
         section("Time", "set Time step = 0.002\nset End time = 0.2") + section("Integrator", "set Scheme = midpoint") +
         section("Newton", "set Tolerance = 1e-12") + section("Output", "set Write every = never");
}
const std::string damping = "set Stiffness damping = 1e-3\n";

double change(const History &history, const std::string &column) { return std::abs(history.last(column) - history[column].front()); }
}  // namespace

/// f = s sum_i (D B(q)v)_i B_i(q), with the rate of the strain that vanishes in rigid motions: a spin goes on, whatever it has turned by,
/// and bending dies out. P and J stay in both.
TEST(GramDamping, RigidMotionsAreNotDamped)
{
  const std::string spin = "0.3 - 2*y, 2*x, 0.1", bend = "0.3, x^2, 2*x^2 - y^2";
  for (const auto &[velocity, energy_is_lost] : {std::pair{spin, false}, {bend, true}})
  {
    const Folder folder;
    const History history = run_well(folder, bodies(velocity, damping)).history;
    const double E = history["E_total"].front(), J = largest(history, "J_z", "fly") + largest(history, "P_x", "fly");
    for (const char *column : {"P_x", "P_z", "J_x", "J_z"})
      EXPECT_LT(change(history, column), 1e-9 * J) << column << velocity;
    if (energy_is_lost)
      EXPECT_GT(change(history, "E_total"), 1e-3 * E);
    else  // but for what the spin itself stretches
      EXPECT_LT(change(history, "E_total"), 1e-4 * E);
  }
}

/// Elastic directors, a mass, all modes: a frame moves as by Newmark's method with small steps.
TEST(ThinModes, TransientOfAFrame)
{
  const std::string stuff = "set Elements = 2\nset Size = 0.1, 0.2\nset E = 1e9\nset nu = 0.2\nset Density = 1000\n";
  const std::string frame =
      "set Structure = discrete\n" +
      section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes") + section("b", "set Position = 2, 0, 0") +
                            section("c", "set Position = 2, 1, 0.5\nset Mass = 5")) +
      section("Beams", section("ab", "set From = a\nset To = b\nset Clamped = from\nset Direction = 0, 1, 0\n" + stuff) +
                           section("bc", "set From = b\nset To = c\nset Direction = 1, 0, 0\n" + stuff)) +
      section("Forces", section("push", "set Points = c\nset Force = 0, 0, 1e-3*sin(20*t)")) +
      section("Time", "set Time step = 0.0005\nset End time = 0.1") + section("Output", "set Write every = never") +
      section("Newton", "set Tolerance = 1e-13");
  const auto motion = [&](const std::string &stage) {
    const Folder folder;
    return run_well(folder, frame + stages(section("move", stage))).history;
  };
  const History modal = motion("set Type = modal transient\nset Modes = 60"), newmark = motion("set Type = dynamic");
  for (std::size_t i = 0; i < modal.rows(); ++i)
    EXPECT_NEAR(modal["c.z"].at(i), newmark["c.z"].at(i), 1e-4 * std::abs(newmark["c.z"].back() - 0.5) + 1e-12) << i;
  EXPECT_GT(std::abs(newmark.last("c.z") - 0.5), 1e-9);
}

/// The work of a moment in statics: second order in the increment.
TEST(BeamDecks, WorkOfMoments)
{
  std::vector<double> errors;
  for (const char *increments : {"20", "40", "80"})
  {
    const Folder folder;
    const Outcome run =
        run_deck(folder, "verification/rollup.prm", {std::string("Stages/roll/Increments=") + increments, "Output/Write every=never"});
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    errors.push_back(std::abs(run.history.last("W_external") - run.history.last("E_potential")));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2., 0.15);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2., 0.15);
}

/// `symdyn check` counts what an offset carries beside the nodes.
TEST(BeamDecks, CentreOfMassWithAnOffset)
{
  const Folder folder;
  std::ofstream(folder / "deck.prm")
      << "set Structure = discrete\n" + section("Points", section("a", "set Position = 0, 0, 0") + section("b", "set Position = 2, 0, 0")) +
             section("Beams", section("ab",
                                      "set From = a\nset To = b\nset Elements = 4\nset Direction = 0, 0, 1\nset Size = "
                                      "0.1, 0.1\nset E = 1e9\nset Density = 5000\nset Offset = 0, 0.3")) +
             stages(section("forms", "set Type = modes"));
  const Outcome run = tool(folder, "check " + (folder / "deck.prm"));
  EXPECT_EQ(has(run.terminal, "centre of mass (1, -0.3, 0)"), "");
  EXPECT_EQ(has(run.terminal, "J_zz = 33.4167"), "") << "100 (2² + 0.1²)/12";
  EXPECT_EQ(run.terminal.find("J_xy = 30"), std::string::npos) << run.terminal;
}
}  // namespace symdyn::tests::in_thin_damping
