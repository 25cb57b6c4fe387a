// Supports that begin, stand and go with the stages.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/parts.h"

namespace symdyn::tests::in_stage_supports
{
namespace
{
std::string section(const std::string &name, const std::string &content) { return "subsection " + name + "\n" + content + "\nend\n"; }

/// A bar of one linear cell, E = 1000, rho = 1, nu = 0, free along x alone: k = 1000, m = 1/3 of the tip, omega² = 3000.
const double k = 1000, omega = std::sqrt(3000.);
const std::string bar =
    section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1\n" + section("box", "set Size = 1, 1, 1")) +
    section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1000\nset nu = 0\nset Density = 1")) +
    section("Supports", section("root", "set Boundary = x-") +
                            section("guide", "set Boundary = x+\nset Type = displacement\nset Displacement = free, 0, 0") +
                            section("pull", "set Boundary = x+\nset Type = displacement\nset Displacement = 0.01, free, free") +
                            section("stop", "set Boundary = x+\nset Type = displacement\nset Displacement = hold, free, free")) +
    section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 4, 0, 0")) +
    section("Probes", section("tip", "set Point = 1, 1, 1")) + section("Newton", "set Tolerance = 1e-12") +
    section("Output", "set Write every = never");
const std::string free_motion = section("Time", "set Time step = 0.0005\nset End time = 0.05");

std::string stage(const std::string &name, const std::string &type, const std::string &supports, const std::string &more = "",
                  const std::string &loads = "none")
{
  return section(name, "set Type = " + type + "\nset Supports = " + supports + "\nset Loads = " + loads + "\n" + more);
}

Outcome run(const std::string &stages, const std::string &base = bar, const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "deck.prm") << base + section("Stages", stages);
  return run_deck(folder, folder / "deck.prm", {}, ranks);
}

const std::string pulled = stage("pulled", "static", "root, guide, pull");
}  // namespace

TEST(StageSupports, ABarThatIsLetGoSwingsOnRanks)
{
  const std::string stages = pulled + stage("free", "dynamic", "root, guide", free_motion);
  const Outcome swing = run(stages);
  ASSERT_EQ(swing.exit_code, 0) << swing.terminal;
  for (const double t : {0.01, 0.03, 0.05})
    EXPECT_NEAR(swing.history.at(t, "tip.u_x"), 0.01 * std::cos(omega * t), 1e-5) << t;
  EXPECT_LT(largest(swing.history, "E_balance_error", "free"), 1e-10);
  EXPECT_NE(swing.log.find("stage free: supports pull go at once"), std::string::npos) << swing.log;
  const Outcome held = run(pulled + stage("free", "dynamic", "root, guide, pull", free_motion));
  EXPECT_NEAR(held.history.last("tip.u_x"), 0.01, 1e-12) << "whose support stays, stays";
  std::string two_cells = bar;
  two_cells.replace(two_cells.find("1, 1, 1"), 7, "2, 1, 1");
  const Outcome one = run(stages, two_cells), two = run(stages, two_cells, 2);
  ASSERT_EQ(two.exit_code, 0) << two.terminal;
  for (std::size_t i = 0; i < one.history.rows(); ++i)
    EXPECT_NEAR(one.history["tip.u_x"][i], two.history["tip.u_x"][i], 1e-10);
}

TEST(StageSupports, ForcesOfSupportsThatGoFadeOverAStaticStage)
{
  const Outcome released = run(pulled + stage("released", "static", "root, guide", "set Increments = 4"));
  ASSERT_EQ(released.exit_code, 0) << released.terminal;
  const auto &u = released.history["tip.u_x"];
  const std::size_t n = released.history.rows();
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(u[n - 1 - i], 0.01 * i / 4., 1e-12);
  EXPECT_LT(largest(released.history, "E_balance_error", "released"), 1e-12);
  EXPECT_NEAR(released.history.last("W_external"), 0., 1e-12) << "the pull and back";
  const Outcome at_once = run(pulled + stage("released", "static", "root, guide", "set Increments = 4\nset Ramp = no"));
  EXPECT_NEAR(at_once.history["tip.u_x"][at_once.history.rows() - 4], 0., 1e-12);
}

TEST(StageSupports, MotionCarriesOnFromWhereItStands)
{
  const Outcome pushed =
      run(stage("pushed", "static", "root, guide", "", "push") + stage("further", "static", "root, guide, pull", "set Increments = 2"));
  ASSERT_EQ(pushed.exit_code, 0) << pushed.terminal;
  const auto &u = pushed.history["tip.u_x"];
  EXPECT_NEAR(u[u.size() - 3], 0.004, 1e-12);
  EXPECT_NEAR(u[u.size() - 2], 0.007, 1e-12) << "half of the way from 0.004 to 0.01";
  EXPECT_NEAR(u[u.size() - 1], 0.01, 1e-12);
  EXPECT_LT(largest(pushed.history, "E_balance_error", "further"), 1e-12);
  const Outcome stopped =
      run(stage("pushed", "static", "root, guide", "", "push") + stage("stopped", "static", "root, guide, stop", "set Increments = 2") +
          stage("free", "dynamic", "root, guide, stop", free_motion));
  ASSERT_EQ(stopped.exit_code, 0) << stopped.terminal;
  EXPECT_NEAR(stopped.history.last("tip.u_x"), 0.004, 1e-12) << "two stages later still where it stood";
  EXPECT_NEAR(std::abs(stopped.history.last("stop.R_x")), 4., 1e-9);
}

TEST(StageSupports, JumpsAreInTheBooksAndInTheLog)
{
  const Outcome jump = run(stage("still", "static", "root, guide") + stage("struck", "dynamic", "root, guide, pull", free_motion));
  ASSERT_EQ(jump.exit_code, 0) << jump.terminal;
  EXPECT_NE(jump.log.find("supports jump by up to 0.01"), std::string::npos) << jump.log;
  EXPECT_NEAR(jump.history.last("W_external"), 0.5 * k * 0.01 * 0.01, 1e-9);
  EXPECT_NEAR(jump.history.last("E_potential"), 0.5 * k * 0.01 * 0.01, 1e-9);
  const Outcome smooth = run(pulled + stage("held", "dynamic", "root, guide, pull", free_motion));
  EXPECT_EQ(smooth.log.find("jump"), std::string::npos);
}

TEST(StageSupports, ModesAreThoseOfTheSupportsOfTheirStage)
{
  const Folder folder;
  std::ofstream(folder / "deck.prm") << bar + section("Stages",
                                                      section("free", "set Type = modes\nset Modes = 1\nset Supports = root, guide") +
                                                          section("held", "set Type = modes\nset Modes = 1\nset Supports = guide") +
                                                          stage("pulled", "static", "root, guide, pull"));
  const Outcome outcome = run_deck(folder, folder / "deck.prm");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_NE(text_of(folder / "results/modes-free.csv").find("1,vibration,8.717"), std::string::npos)
      << text_of(folder / "results/modes-free.csv");
  EXPECT_NE(text_of(folder / "results/modes-held.csv").find("1,rigid"), std::string::npos) << "free along x";
  EXPECT_NEAR(outcome.history.last("tip.u_x"), 0.01, 1e-12);
}

TEST(StageSupports, RestartInALaterStageGoesOn)
{
  const std::string stages =
      stage("pushed", "static", "root, guide", "", "push") + stage("stopped", "static", "root, guide, stop", "set Increments = 4") +
      stage("free", "dynamic", "root, guide, stop", section("Time", "set Time step = 0.0005\nset End time = 0.05"), "push");
  const std::string released = pulled + stage("released", "static", "root, guide", "set Increments = 8");
  for (const std::string &deck : {stages, released})
  {
    const Outcome straight = run(deck);
    const Folder folder;
    std::ofstream(folder / "deck.prm") << bar + section("Stages", deck);
    const Outcome split = run_in_parts(folder, folder / "deck.prm", {});
    ASSERT_EQ(split.exit_code, 0) << split.terminal;
    ASSERT_EQ(split.history.rows(), straight.history.rows());
    for (const char *column : {"tip.u_x", "root.R_x", "W_external"})
      for (std::size_t i = 0; i < straight.history.rows(); ++i)
        EXPECT_NEAR(split.history[column][i], straight.history[column][i], 1e-9) << column << " in row " << i;
  }
}

TEST(StageSupports, WhatMeansNothingIsRefused)
{
  const auto refused = [](const std::string &stages, const std::string &why) {
    const Outcome outcome = run(stages);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.terminal;
    EXPECT_NE(outcome.terminal.find(why), std::string::npos) << outcome.terminal;
  };
  refused(stage("a", "static", "root, gide, pull"), "there is no support 'gide'");
  refused(stage("a", "static", "root, none"), "stand alone");
  refused(stage("a", "static", "guide"), "move along x");
  refused(stage("a", "static", "root, guide, stop"), "from the first stage on");
  refused(pulled + stage("b", "static", "root, guide, pull, stop"), "stage b");
  EXPECT_EQ(run(pulled + stage("b", "static", "root, guide, stop")).exit_code, 0) << "pull and stop, one after the other";
}
}  // namespace symdyn::tests::in_stage_supports
