// A run in parts is the run in one, to the last bit: directors with a moving support, a rigid coupling, a follower moment.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/compare.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_director_restart
{
namespace
{
/// Two rubber beams at an angle on a shaker, with a ball on a rigid arm.
std::string frame(const std::string &directors, const std::string &mass, const std::string &scheme, const double h, const bool twisted)
{
  const std::string stuff = "set Elements = 3\nset Size = 0.1, 0.2\nset E = 1e6\nset nu = 0.2\nset Density = 1000\nset Type = B31\n";
  return "set Structure = discrete\n" +
         section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes\nset Motion = 0, 0, 0.02*sin(20*t)") +
                               section("b", "set Position = 2, 0, 0") + section("c", "set Position = 2, 1, 0.5\nset Mass = 5") +
                               section("ball", "set Position = 2, 1.5, 0.8\nset Mass = 3")) +
         section("Beams", section("ab", "set From = a\nset To = b\nset Clamped = from\nset Direction = 0, 1, 0\n" + stuff) +
                              section("bc", "set From = b\nset To = c\nset Direction = 1, 0, 0\n" + stuff)) +
         section("Couplings", section("arm", "set At = c\nset Nodes = ball\nset Stiffness = 2e7")) +
         (twisted ? section("Moments", section("twist", "set At = b\nset Moment = 0, 0, 20\nset Follower = yes")) : "") +
         section("Forces", section("push", "set Points = c\nset Force = 0, 2, -10")) +
         section("Elements", "set Directors = " + directors + "\nset Mass = " + mass) +
         stages(section("bend", "set Type = static\nset Increments = 20") + section("fly", "set Type = dynamic")) +
         section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, 20 * h)) +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
}
}  // namespace

/// Parts end in the middle of the static stage, between both, and in the middle of the dynamic one.
TEST(DirectorRestart, MovingSupportAndRigidCoupling)
{
  for (const auto &[directors, mass, scheme, h, twisted] : {std::tuple{"exact", "lumped", "rattle", 2e-5, true},
                                                            {"exact", "lumped", "shake", 2e-5, true},
                                                            {"exact", "consistent", "newmark-constrained", 1e-3, true},
                                                            {"exact", "consistent", "gonzalez-constrained", 1e-3, false},
                                                            {"elastic", "consistent", "newmark", 1e-3, true},
                                                            {"elastic", "consistent", "discrete-gradient", 1e-3, false},
                                                            {"elastic", "lumped", "central-difference", 2e-5, true}})
    for (const int steps : {3, 5})
    {
      const Folder whole, parts;
      const std::string deck = whole / "frame.prm";
      std::ofstream(deck) << frame(directors, mass, scheme, h, twisted);
      const Outcome run = run_deck(whole, deck, {});
      ASSERT_EQ(run.exit_code, 0) << scheme << run.terminal;
      EXPECT_GT(std::abs(run.history.last("ball.z") - 0.8), 1e-3) << scheme << ": it bends";
      ASSERT_EQ(run_in_parts(parts, deck, {}, steps).exit_code, 0) << scheme;
      EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv")) << scheme << ", parts of " << steps;
    }
}

/// A checkpoint of one rank goes on with two, and ends where the run on one does.
TEST(DirectorRestart, OnOtherRanks)
{
  for (const auto &[directors, scheme] : {std::pair{"exact", "gonzalez-constrained"}, {"elastic", "newmark"}})
  {
    const Folder whole, parts;
    const std::string deck = frame(directors, "consistent", scheme, 1e-3, false);
    const Settings tight{"Newton/Tolerance=1e-13", "Output/Checkpoint every=10"};
    const History straight = run_well(whole, deck, tight).history;
    run_well(parts, deck, tight + Settings{"Time/End time=0.01"});
    Outcome on = command(parts, "mpirun --oversubscribe --allow-run-as-root -n 2 " SYMDYN_BINARY " run --quiet --restart " + parts.path +
                                    "/results --set 'Time/End time=0.02'");
    ASSERT_EQ(on.exit_code, 0) << on.terminal;
    on = with_results(on, parts);
    ASSERT_EQ(on.history.rows(), straight.rows());
    for (const char *column : {"ball.z", "c.y", "E_kinetic", "E_potential"})
      EXPECT_NEAR(on.history.last(column), straight.last(column), 1e-11 * largest(straight, column, "fly")) << scheme << column;
  }
}
}  // namespace symdyn::tests::in_director_restart
