// Rotors that move freely, or that supports hold at their bearings; exact modes beside stiff directions.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/rotor_decks.h"

namespace symdyn::tests::in_rotor
{
namespace
{
/// A slender shaft with a heavy disc on two bearings.
std::string slender(const std::string &more, const std::string &bearings = "set Stiffness = 2e5")
{
  std::string at_ends;
  for (const char *end : {"left", "right"})
    at_ends += section(std::string("b") + end, fmt::format("set At = {}\n", end) + bearings);
  return "set Structure = discrete\n" +
         section("Points", section("left", "set Position = 0, 0, 0") + section("hub", "set Position = 0, 0, 0.5\nset Mass = 10") +
                               section("right", "set Position = 0, 0, 1")) +
         section("Beams", section("a", round_beam("left", "hub", 6, 0.01)) + section("b", round_beam("hub", "right", 6, 0.01))) +
         rotation() + section("Bearings", at_ends) + more;
}
std::string frequencies(const int modes) { return fmt::format("set Modes = {}\nset Frame = fixed\nset Engine orders = 1", modes); }
bool says(const Outcome &run, const std::string &words) { return (run.terminal + run.log).find(words) != std::string::npos; }
}  // namespace

/// A shaft that slides along its axis and turns about it has two motions of lambda = 0 more, and at a critical speed one that stands in the
/// frame: poles beside each other, far from the next lambda. Bending is that of the shaft which is held.
TEST(RotorFree, AlongItsAxis)
{
  const Folder free, held;
  const Outcome run = run_well(free, slender(campbell(0., 200., 5, frequencies(4))));
  const Outcome other = run_well(held, slender(drive + campbell(0., 200., 5, frequencies(4))));
  const std::string words = "rigid motions, which are no branch and count for Modes: ";
  EXPECT_TRUE(says(run, words + "2\n")) << run.terminal;
  EXPECT_FALSE(says(other, words)) << other.terminal;
  const Table one = table_of(free / stem + "-orders.csv"), two = table_of(held / stem + "-orders.csv");
  ASSERT_EQ(one.at("speed").size(), 2u);
  ASSERT_GE(two.at("speed").size(), 2u);
  for (int k = 0; k < 2; ++k)
    EXPECT_NEAR(one.at("speed")[k], two.at("speed")[k], 1e-7);
  for (const Outcome *of : {&run, &other})
    EXPECT_FALSE(says(*of, "a mode is not exact")) << of->terminal;
}

/// Where no search is possible, it says what moves freely. The search for critical speeds needs a body that is held.
TEST(RotorFree, WhatMovesFreely)
{
  const Folder folder;
  const auto refused = [&](const std::string &deck, const int code, const std::vector<std::string> &words) {
    const Outcome run = run_text(folder, deck, {}, 1, " --overwrite");
    EXPECT_EQ(run.exit_code, code) << run.terminal;
    for (const std::string &part : words)
      EXPECT_TRUE(says(run, part)) << part << " is not in:\n" << run.terminal;
  };
  const std::string critical = "set Critical speeds = 2\n" + frequencies(4);
  refused(
      slender(campbell(0., 200., 3, critical)), 1,
      {"nothing holds the body: the body may move along z and turn about z. Add Bearings or Supports, also against motion along the axis"});
  run_well(Folder(), slender(drive + campbell(0., 200., 3, critical)));
  // About an axis that is none of the coordinates: told by the result.
  const std::string thrust = section("Springs", section("thrust",
                                                        "set From = left\nset To = ground\nset Law = small-displacement\nset "
                                                        "Direction = 0, 0, 1\nset Stiffness = 1e8"));
  const Outcome aside = run_well(
      Folder(), slender(thrust + campbell(0., 200., 3, critical)),
      {"Points/left/Position=1, 0, 0", "Points/hub/Position=1, 0, 0.5", "Points/right/Position=1, 0, 1", "Rotation/Point=1, 0, 0"});
  EXPECT_TRUE(says(aside, "Critical speeds: none was found")) << aside.terminal;
  const std::string mass =
      "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 1, 0"));
  refused(mass + stages(section("free", "set Type = complex modes\nset Modes = 1")), 2,
          {"nothing has a stiffness here (K = 0). Add springs, bodies"});
}

/// A bearing at a point that is fixed, or along what is fixed of it, has no effect; two at one point add. Each is a warning.
TEST(RotorFree, IdleBearings)
{
  const auto warnings = [](const std::string &fixed, const std::string &bearings) {
    const Folder folder;
    return run_well(folder, "set Structure = discrete\n" +
                                section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 0, 0") +
                                                      section("foot", "set Mass = 1\nset Position = 0, 0\n" + fixed)) +
                                rotation() +
                                section("Bearings", section("oil", "set At = disc\nset Frame = fixed\nset Stiffness = 100") + bearings) +
                                campbell(0., 1., 2, "set Modes = 2\nset Frame = fixed"));
  };
  const std::string below = section("ball", "set At = foot\nset Frame = fixed\nset Stiffness = 100, 0, 0, {}");
  const Outcome all = warnings("set Fixed = yes", fmt::format(below, 100));
  EXPECT_TRUE(says(all, "[Bearings/ball]: bearing 'ball' has no effect along x and y: its node is held there already (")) << all.terminal;
  EXPECT_TRUE(says(all, "[Points/foot]")) << all.terminal;
  EXPECT_FALSE(says(all, "bearing 'oil' has")) << all.terminal;
  const Outcome twice = warnings("set Fixed = yes", section("more", "set At = disc\nset Frame = fixed\nset Stiffness = 44"));
  EXPECT_TRUE(says(twice, "[Bearings/more]: bearing 'more' is at the same point as that of ")) << twice.terminal;
  EXPECT_TRUE(says(twice, "[Bearings/oil]: their stiffness and damping add")) << twice.terminal;
  EXPECT_FALSE(says(twice, "has no effect")) << twice.terminal;
  EXPECT_FALSE(says(all, "is at the same point")) << all.terminal;
}

/// Names in the picture have the direction; the log has the damping ratios of the table, where there is damping.
TEST(RotorFree, NamesAndDamping)
{
  const auto map = campbell(0., 20., 3, "set Modes = 2\nset Frame = fixed\nset Engine orders = 1");
  const Folder folder, undamped;
  const Outcome run = run_well(folder, jeffcott(bearing("set Stiffness = 0\nset Damping = 1") + dashpot(0.5)) + map);
  const std::string table = text_of(folder / stem + "-plot.csv");
  EXPECT_EQ(table.substr(0, table.find('\n')), "speed [rad/s],branch 1 [Hz],branch 2 [Hz],order 1 [Hz]");
  EXPECT_EQ(command(folder, fmt::format("{} plot {}", SYMDYN_BINARY, folder / "results")).exit_code, 0);
  const std::string picture = text_of(folder / "results/plots/campbell-map-plot.svg");
  for (const char *name : {"branch 1 forward<", "branch 2 backward<", "order 1<"})
    EXPECT_NE(picture.find(name), std::string::npos) << name;
  ASSERT_TRUE(says(run, "zeta [-]")) << run.terminal;
  const Line last = branch_of(table_of(folder / stem + ".csv"), 1).back();
  EXPECT_TRUE(says(run, fmt::format("{:.4g}  k = 1", last.ratio))) << run.terminal;
  EXPECT_GT(std::abs(last.ratio), 1e-3);
  EXPECT_FALSE(says(run_well(undamped, jeffcott(bearing("set Stiffness = 1")) + map), "zeta"));
}
}  // namespace symdyn::tests::in_rotor
