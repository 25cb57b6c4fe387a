// Between = all: the whole surface, itself and against obstacles.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "tests/colliding_blocks.h"

namespace symdyn::tests::in_contact_all
{
namespace
{
std::string replaced(std::string text, const std::string &old, const std::string &other)
{
  EXPECT_NE(text.find(old), std::string::npos) << old;
  return text.replace(text.find(old), old.size(), other);
}
const std::string two = "set Between = first-x+, second-x-";
}  // namespace

/// Two blocks that hit each other askew, all faces of both: energy and momenta stay, and the blocks part as by the boundaries that meet.
/// The rims, which other faces share, have a little more.
TEST(ContactAll, BlocksMeetAsTheirBoundariesDo)
{
  const CollidingBlocks named("set Layer = 0.05"), unnamed("set Layer = 0.05");
  const std::vector<std::string> settings{"Integrator/Scheme=discrete-gradient", "Time/Time step=0.004"};
  const History some = run_well(named.folder, named.deck, settings).history,
                all = run_well(unnamed.folder, replaced(unnamed.deck, two, "set Between = all"), settings).history;
  EXPECT_GT(largest(all["E_contact"]), 0.01);
  EXPECT_NEAR(largest(all["E_contact"]), largest(some["E_contact"]), 0.05 * largest(some["E_contact"]));
  for (const char *column : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(all, column, 1.), 1e-11) << column;
  EXPECT_LT(drift(all, "E_total", 1.), 1e-10);
}

TEST(ContactAll, WithAnObstacleItIsAllBoundaries)
{
  const auto deck = [](const std::string &between) {
    return section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 4, 2\n" + section("box", "set Size = 0.2, 0.1")) +
           section("Materials", section("rubber", "set Type = st-venant-kirchhoff\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
           section("Obstacles", section("floor", "set Type = plane\nset Point = 0, -0.001\nset Normal = 0, 1")) +
           section("Contact", section("drop", "set Between = " + between + ", floor")) +
           section("Initial conditions", "set Velocity = 0, -1") + section("Time", "set Time step = 2e-4\nset End time = 0.01") +
           section("Integrator", "set Scheme = newmark") + section("Output", "set Write every = never");
  };
  const Folder folder;
  const History all = run_well(folder, deck("all")).history, listed = run_well(folder, deck("x-, x+, y-, y+")).history;
  EXPECT_GT(largest(listed["drop.force_y"]), 1.);
  for (const char *column : {"drop.force_y", "drop.gap", "P_y", "E_contact"})
    EXPECT_NEAR(all.last(column), listed.last(column), 1e-9 * (1. + std::abs(listed.last(column)))) << column;
}

TEST(ContactAll, RefusesWhatWouldCountTwice)
{
  const CollidingBlocks blocks;
  const auto refused = [&](const std::string &deck, const std::string &words) {
    const Outcome run = run_text(blocks.folder, deck);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused(replaced(blocks.deck, two, "set Between = all, first-x+"), "`all` is the whole surface, which touches itself");
  refused(blocks.deck + section("Contact", section("more", "set Between = all")), "`all` is every pair of boundaries");
  refused(replaced(blocks.deck, two, "set Between = al"), "boundary 'al' does not exist");
}
}  // namespace symdyn::tests::in_contact_all
