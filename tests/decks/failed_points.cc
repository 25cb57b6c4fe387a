// Points without an answer: the run names them and writes a file that repeats the failure without a mesh.
#include <gtest/gtest.h>

#include <filesystem>

#include "solver/error.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_failed_points
{
namespace
{
const std::string library = (std::filesystem::path(SYMDYN_BINARY).parent_path() / "tests/umat/laws_c.so").string();

/// A block that is drawn; its law fails above a strain of 0.004 (PNEWDT), or is no number above `nan`.
std::string drawn(const std::string &how, const std::string &constants = "1000, 0.004, 1", const std::string &material = "",
                  const std::string &more = "")
{
  return section("Mesh", "set Type = box\nset Subdivisions = 3, 2, 2\n" + section("box", "set Size = 4, 1, 1")) +
         section("Materials",
                 section("body", "set Type = umat\nset Density = 1\nset Library = " + library +
                                     "\nset Function = silent\nset Constants = " + constants + "\nset Kinematics = small\n" + material)) +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Loads", section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 8*t, 0, 0")) + how + more;
}
const std::string newmark = section("Integrator", "set Scheme = newmark") + section("Time", "set Time step = 0.02\nset End time = 2"),
                  central = section("Integrator", "set Scheme = central-difference") + section("Elements", "set Mass = lumped") +
                            section("Time", "set Time step = 0.002\nset End time = 2"),
                  increments = stages(section("pull", "set Type = static\nset Increments = 10\nset Duration = 1"));

Outcome point(const Folder &folder, const std::string &more = "")
{
  return command(folder, std::string(SYMDYN_BINARY) + " point " + (folder / "results/failed-point.json") + more);
}
void expect_words(const Outcome &outcome, const std::string &words)
{
  EXPECT_NE(outcome.terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << outcome.terminal;
}

/// The run fails and names the point; the point alone fails, and does not with a law that has an answer.
void expect_named_and_repeated(const std::string &deck, const int ranks = 1)
{
  const Folder folder;
  const Outcome outcome = run_text(folder, deck, {}, ranks);
  EXPECT_EQ(outcome.exit_code, exit_computation) << outcome.terminal;
  expect_words(outcome, "the law of body has no answer at X = (");
  expect_words(outcome, "in the cell around (");
  ASSERT_TRUE(std::filesystem::exists(folder / "results/failed-point.json")) << outcome.terminal;
  const Outcome again = point(folder);
  EXPECT_EQ(again.exit_code, exit_computation) << again.terminal;
  expect_words(again, "fails again");
  const Outcome mended = point(folder, " --set 'Materials/body/Constants=1000, 10, 10'");
  EXPECT_EQ(mended.exit_code, 0) << mended.terminal;
  expect_words(mended, "e11,");
}
}  // namespace

TEST(FailedPoints, OfImplicitSteps) { expect_named_and_repeated(drawn(newmark)); }
TEST(FailedPoints, OfExplicitSteps) { expect_named_and_repeated(drawn(central)); }
TEST(FailedPoints, OfStaticIncrements) { expect_named_and_repeated(drawn(increments)); }
TEST(FailedPoints, WithoutANumber) { expect_named_and_repeated(drawn(newmark, "1000, 1, 0.004")); }
TEST(FailedPoints, OfHeatedBodies)
{
  expect_named_and_repeated(drawn(newmark, "1000, 0.004, 1", "set Expansion = 1e-5\nset Reference temperature = 20\n",
                                  section("Temperature", "set Initial = 20\nset Field = 20 + 30*min(t, 1)")));
}
TEST(FailedPoints, RanksWriteOneFile) { expect_named_and_repeated(drawn(newmark), 2); }

/// Runs that end well write no such file.
TEST(FailedPoints, OthersWriteNone)
{
  const Folder well;
  run_well(well, drawn(newmark, "1000, 10, 10"));
  EXPECT_FALSE(std::filesystem::exists(well / "results/failed-point.json"));
}

TEST(FailedPoints, WrongInput)
{
  const Folder folder;
  std::ofstream(folder / "broken.json") << "{\"what\": \"failed point\"}";
  const std::string binary = std::string(SYMDYN_BINARY) + " point ";
  const Outcome broken = command(folder, binary + (folder / "broken.json"));
  EXPECT_EQ(broken.exit_code, exit_input) << broken.terminal;
  expect_words(broken, "is not a whole failed point");
  std::ofstream(folder / "deck.prm") << drawn(newmark);
  const Outcome pathless = command(folder, binary + (folder / "deck.prm"));
  EXPECT_EQ(pathless.exit_code, exit_input) << pathless.terminal;
  expect_words(pathless, "needs one of --strain");
}
}  // namespace symdyn::tests::in_failed_points
