// Loads that jump inside a stage: between two steps, or within one.
#include "tests/linear_decks.h"

namespace symdyn::tests::in_load_jumps
{
namespace
{
const std::string time_section = section("Time", "set Time step = 0.002\nset End time = 0.06");

/// A bar at rest that a table pulls from t = 0.02 on, or from the start.
Outcome pulled(const Folder &folder, const std::string &table, const std::string &scheme, const std::vector<std::string> &more = {})
{
  std::ofstream(folder / "pull.csv") << table;
  std::vector<std::string> settings{"Output/Write every=never",           "Output/History every=1", "Integrator/Scheme=" + scheme,
                                    "Loads/pull/Amplitude file=pull.csv", "Newton/Tolerance=1e-12", "Linear solver/Tolerance=1e-13"};
  settings.insert(settings.end(), more.begin(), more.end());
  return run_well(folder, bar(5) + pull + time_section, settings);
}

/// How far the motion after a jump at 0.02 is from that of the load from the start on, over its size.
double late(const Outcome &jump, const Outcome &start, const double delay = 0.02)
{
  double most = 0, size = 0;
  for (double t = 0; t < 0.0395; t += 0.002)
  {
    most = std::max(most, std::abs(jump.history.at(t + delay, "tip.u_x") - start.history.at(t, "tip.u_x")));
    size = std::max(size, std::abs(start.history.at(t, "tip.u_x")));
  }
  return most / size;
}

const std::string at_once = "0 1\n1 1\n", after = "0 0\n0.02 0\n0.02000001 1\n1 1\n", before = "0 0\n0.01999999 0\n0.02 1\n1 1\n",
                  inside = "0 0\n0.021 0\n0.02100001 1\n1 1\n";
}  // namespace

TEST(LoadJumps, BetweenTwoStepsAreAStart)
{
  const std::vector<std::string> lumped{"Elements/Mass=lumped"};
  for (const std::string scheme : {"newmark", "zhang-skeel", "generalized-alpha", "rk4", "midpoint"})
    for (const std::string &table : {after, before})
    {
      const Folder folder;
      const std::vector<std::string> more = scheme == "rk4" ? lumped : std::vector<std::string>();
      const Outcome jump = pulled(folder, table, scheme, more), start = pulled(folder, at_once, scheme, more);
      EXPECT_LT(late(jump, start), 1e-9) << scheme << "\n" << table;
      EXPECT_NE(jump.log.find("load pull jumps at t = 0.02"), std::string::npos) << jump.log;
      EXPECT_NE(jump.log.find("the acceleration is solved for again"), std::string::npos);
      EXPECT_EQ(start.log.find("jumps"), std::string::npos);
      EXPECT_NEAR(jump.history.last("E_balance_error"), 0.,
                  1e-6 * std::abs(jump.history.last("W_external")) + std::abs(start.history.last("E_balance_error")) * 1.5)
          << scheme;
    }
}

TEST(LoadJumps, InsideOfAStepAreWarnedOf)
{
  const Folder folder;
  const Outcome jump = pulled(folder, inside, "newmark");
  EXPECT_NE(jump.terminal.find("the table of load pull has 2 points inside of steps that matter"), std::string::npos) << jump.terminal;
  EXPECT_EQ(jump.log.find("solved for again"), std::string::npos);
}

TEST(LoadJumps, FineRecordsHaveNone)
{
  const Folder folder;
  std::string record;
  for (int i = 0; i <= 6000; ++i)
    record += fmt::format("{:.10g} {:.10g}\n", 1e-5 * i, i % 7 - 3.);  // jagged, and much finer than the step
  const Outcome run = pulled(folder, record, "newmark");
  EXPECT_EQ(run.log.find("jumps"), std::string::npos);
}

TEST(LoadJumps, ModalTransientIsExact)
{
  const auto run = [](const std::string &table) {
    const Folder folder;
    std::ofstream(folder / "pull.csv") << table;
    return run_well(folder, bar(5) + pull + stages(section("on", "set Type = modal transient\nset Modes = 20\n" + time_section)),
                    {"Output/Write every=never", "Loads/pull/Amplitude file=pull.csv"});
  };
  EXPECT_LT(late(run(after), run(at_once)), 1e-10);
}

TEST(LoadJumps, RestartAtOneIsTheStraightRun)
{
  const Folder straight, split;
  const Outcome whole = pulled(straight, after, "newmark");
  pulled(split, after, "newmark", {"Output/Checkpoint every=10"});  // the last one at step 30; cut it off at the jump
  const Outcome first = pulled(split, after, "newmark", {"Output/Checkpoint every=10", "Time/End time=0.02"});
  ASSERT_EQ(first.exit_code, 0);
  const Outcome second =
      command(split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results --set 'Time/End time=0.06'");
  ASSERT_EQ(second.exit_code, 0) << second.terminal;
  const History history = read_history(split / "results/history.csv");
  ASSERT_EQ(history.rows(), whole.history.rows());
  for (std::size_t i = 0; i < history.rows(); ++i)
    EXPECT_NEAR(history["tip.u_x"][i], whole.history["tip.u_x"][i], 1e-12) << i;
}
}  // namespace symdyn::tests::in_load_jumps
