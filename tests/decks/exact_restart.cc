// A run in parts is the run in one, to the last bit: exact directors with a moving support, a rigid coupling, a follower moment.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/compare.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_exact_restart
{
namespace
{
/// Two rubber beams at an angle on a shaker, with a ball on a rigid arm.
std::string frame(const std::string &mass, const std::string &scheme, const double h, const bool twisted)
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
         section("Elements", "set Directors = exact\nset Mass = " + mass) +
         stages(section("bend", "set Type = static\nset Increments = 20") + section("fly", "set Type = dynamic")) +
         section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, 20 * h)) +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
}
}  // namespace

/// Parts end in the middle of the static stage, between both, and in the middle of the dynamic one.
TEST(ExactRestart, MovingSupportAndRigidCoupling)
{
  for (const auto &[mass, scheme, h, twisted] : {std::tuple{"lumped", "rattle", 2e-5, true},
                                                 {"lumped", "shake", 2e-5, true},
                                                 {"consistent", "newmark-constrained", 1e-3, true},
                                                 {"consistent", "gonzalez-constrained", 1e-3, false}})
    for (const int steps : {3, 5})
    {
      const Folder whole, parts;
      const std::string deck = whole / "frame.prm";
      std::ofstream(deck) << frame(mass, scheme, h, twisted);
      const Outcome run = run_deck(whole, deck, {});
      ASSERT_EQ(run.exit_code, 0) << scheme << run.terminal;
      EXPECT_GT(std::abs(run.history.last("ball.z") - 0.8), 1e-3) << scheme << ": it bends";
      ASSERT_EQ(run_in_parts(parts, deck, {}, steps).exit_code, 0) << scheme;
      EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv")) << scheme << ", parts of " << steps;
    }
}
}  // namespace symdyn::tests::in_exact_restart
