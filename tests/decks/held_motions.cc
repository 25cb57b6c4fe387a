// Free motions that static stages hold themselves.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/held_decks.h"

namespace symdyn::tests::in_held
{
namespace
{
const std::string plane =
    section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 4, 2\n" + section("box", "set Size = 2, 1"));
const std::string guide = section("Supports", support("left", "set Boundary = x-\nset Type = roller"));
const std::string held = section("Stages", section("load", "set Type = static\nset Free motions = held\nset Increments = 2") +
                                               section("free", "set Type = modes\nset Modes = 3"));
const std::string tip = section("Probes", section("tip", "set Point = 2, 1"));
}  // namespace

/// Where loads do no work on it a free motion is held by a static stage that says so, on any ranks and with any solver; modes after it are
/// those of the free body.
TEST(Held, FreeMotionsWithoutWorkAreHeldOnRanks)
{
  const std::string deck = plane + steel + tip + guide + traction("x+", "1e6, 0") + held;
  constexpr double E = 1e9, nu = 0.3, L = 2, p = 1e6;
  for (const int ranks : {1, 2})
    for (const char *solver : {"mumps", "cg"})
    {
      const Folder folder;
      const Outcome outcome = run_deck(folder, write_file(folder, "deck.prm", deck), {std::string("Linear solver/Type=") + solver}, ranks);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
      EXPECT_EQ(has(outcome.terminal, "the body may move along y. Free motions = held: the stage holds it along y at ("), "");
      EXPECT_NEAR(read_history(folder / "results/history.csv").last("tip.u_x"), (1. - nu * nu) * p * L / E, 1e-9);  // plane strain
      const std::string modes = text_of(folder / "results/modes-free.csv");
      EXPECT_NE(modes.find("1,rigid,0,"), std::string::npos) << modes;
      EXPECT_EQ(modes.find("2,rigid"), std::string::npos) << modes;
    }
}

namespace
{
std::string stage(const std::string &name, const std::string &content)
{
  return section(name, "set Type = static\nset Free motions = held\n" + content);
}
const std::string two_guides = section("Supports", support("left", "set Boundary = x-\nset Type = roller") +
                                                       support("below", "set Boundary = y-\nset Type = roller")),
                  two_pulls = section("Loads", support("along", "set Type = traction\nset Boundary = x+\nset Traction = 1e6, 0") +
                                                   support("up", "set Type = traction\nset Boundary = y+\nset Traction = 0, 1e6"));
/// The loads and supports of the second stage leave the body free along the other axis.
const std::string turns = section("Stages", stage("one", "set Supports = left\nset Loads = along") +
                                                stage("two", "set Supports = below\nset Loads = up\nset Increments = 4"));
}  // namespace

TEST(Held, EachStageHoldsWhatItsSupportsLeave)
{
  for (const std::string &law : {std::string("linear-elasticity"), std::string("neo-hooke-log")})
  {
    std::string material = steel;
    material.replace(material.find("linear-elasticity"), 17, law);
    const Folder folder;
    const std::string deck = write_file(folder, "deck.prm", plane + material + tip + two_guides + two_pulls + turns);
    const Outcome outcome = run_deck(folder, deck);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    // A restart in the second stage has the springs with which that began.
    const Folder split;
    const std::string again = write_file(split, "deck.prm", plane + material + tip + two_guides + two_pulls + turns);
    ASSERT_EQ(run_deck(split, again, {"Output/Checkpoint every=3"}).exit_code, 0);
    const Outcome rest = command(split, std::string(SYMDYN_BINARY) + " run --restart " + (split / "results"));
    ASSERT_EQ(rest.exit_code, 0) << rest.terminal;
    for (const char *column : {"tip.u_x", "tip.u_y"})
    {
      const double whole = outcome.history.last(column);
      EXPECT_NEAR(read_history(split / "results/history.csv").last(column), whole, 1e-9 + 1e-9 * std::abs(whole)) << law << column;
    }
  }
}

/// With a memory, with temperatures; and where the loads go, so that all forces are rounding.
TEST(Held, MemoryTemperatureAndUnloading)
{
  const std::string cube = brick(0, 0), law = "*MATERIAL, NAME=M\n*ELASTIC\n1e9, 0.3\n*DENSITY\n1000.\n",
                    body = "*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\n1, 1, 3\n2, 2, 3\n4, 3, 3\n",
                    pull = "*CLOAD\n5, 3, 1e5\n6, 3, 1e5\n7, 3, 1e5\n8, 3, 1e5\n1, 3, -1e5\n2, 3, -1e5\n3, 3, -1e5\n4, 3, -1e5\n";
  const std::string loose = "*SOLID SECTION, ELSET=E, MATERIAL=M\n*BOUNDARY\n1, 1, 2\n2, 2\n";
  const std::vector<std::pair<std::string, std::string>> decks{
      {"plastic", cube + law + "*PLASTIC\n1e5, 0.\n1e6, 0.1\n" + loose + "*STEP\n*STATIC\n0.5, 1.\n" + pull + "*END STEP\n"},
      {"unloaded", cube + law + loose + "*STEP\n*STATIC\n" + pull + "*END STEP\n*STEP\n*STATIC\n*CLOAD, OP=NEW\n*END STEP\n"},
      {"heated", cube + law + "*EXPANSION, ZERO=0.\n1e-5\n" + loose +
                     "*NSET, NSET=ALL, GENERATE\n1, 8\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0.\n*STEP\n*STATIC\n*TEMPERATURE\n"
                     "ALL, 100.\n*END STEP\n"}};
  for (const auto &[name, text] : decks)
  {
    const Outcome outcome = run({name, text, {}, true});
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.terminal;
    EXPECT_EQ(has(outcome.terminal, "Free motions = held: the stage holds it"), "") << name;
  }
}

/// A stage that does not hold them is refused, also behind one that does.
TEST(Held, AStageThatDoesNotHoldIsRefused)
{
  const std::string stages = section("Stages", stage("one", "") + section("two", "set Type = static"));
  expect_refused({"second", plane + steel + guide + traction("x+", "1e6, 0") + stages, {"the body may move along y"}}, {}, 1);
}

TEST(Held, LoadsThatPushAFreeMotionAreRefusedOnRanks)
{
  const std::string pushed = plane + steel + guide + traction("x+", "1e6, 1e3") + held;
  for (const int ranks : {1, 2})
    expect_refused({"pushed", pushed, {"loads push it where it moves freely", "bears 500 N along y at ("}}, {}, ranks);
  const Outcome rounding = run({"rounding", plane + steel + guide + traction("x+", "1e6, 1e-3") + held, {}});
  EXPECT_EQ(rounding.exit_code, 0) << rounding.terminal;
}
}  // namespace symdyn::tests::in_held
