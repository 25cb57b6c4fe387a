#include <gtest/gtest.h>

#include <cmath>

#include "solver/base/lock_owner.h"
#include "tests/run.h"

// `symdyn sweep`: runs of a deck for combinations of values, and their table.
namespace symdyn::tests::in_sweeps
{
namespace
{
/// A bar that a force pulls at its end: u = F L/(E A) = 0.02 at E = 1e5, with one mode of a stage of modes.
const std::string bar =
    "subsection Mesh\nset Type = box\nset Subdivisions = 2, 1, 1\nsubsection box\nset Size = 2, 1, 1\nend\nend\n"
    "subsection Materials\nsubsection body\nset Type = linear-elasticity\nset E = 1e5\nset nu = 0\nset Density = 1\nend\nend\n"
    "subsection Supports\nsubsection foot\nset Boundary = x-\nend\nend\n"
    "subsection Loads\nsubsection pull\nset Type = traction\nset Boundary = x+\nset Traction = 1000, 0, 0\nend\nend\n"
    "subsection Probes\nsubsection tip\nset Point = 2, 0.5, 0.5\nend\nend\n"
    "subsection Output\nset Write every = never\nend\n"
    "subsection Stages\nsubsection load\nset Type = static\nend\nsubsection forms\nset Type = modes\nset Modes = 3\nend\nend\n";

struct Swept
{
  Outcome outcome;
  std::vector<std::string> lines;  ///< of the table
};

class Sweeps : public testing::Test
{
protected:
  Swept sweep(const std::string &words) const
  {
    Swept result;
    result.outcome =
        tool(folder, "sweep " + quoted(deck) + " --output " + folder.path + "/runs --table " + folder.path + "/sweep.csv " + words);
    std::istringstream table(text_of(folder / "sweep.csv"));
    for (std::string line; std::getline(table, line);)
      result.lines.push_back(line);
    return result;
  }
  void expect_error(const std::string &words, const std::string &part) const
  {
    const Outcome run = sweep(words).outcome;
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_EQ(has(run.terminal, part), "");
  }
  std::string results(const std::string &name) const { return folder / ("runs/" + name); }

  const Folder folder;
  const std::string deck = write_file(folder, "bar.prm", bar);
};

double cell(const std::string &line, const int column)
{
  std::istringstream cells(line);
  std::string text;
  for (int i = 0; i <= column; ++i)
    std::getline(cells, text, ',');
  return std::stod(text);
}

TEST_F(Sweeps, HaveALineForEachCombination)
{
  const Swept all = sweep("--vary Materials/body/E=1e5,2e5 --vary Mesh/Order=1,2 --collect peak:tip.u_x,mode:1,summary:dofs --jobs 2");
  ASSERT_EQ(all.outcome.exit_code, 0) << all.outcome.terminal;
  ASSERT_EQ(all.lines.size(), 5u);
  EXPECT_EQ(all.lines[0], "run,Materials/body/E,Mesh/Order,status,peak:tip.u_x [m],mode:1 [Hz],summary:dofs");
  const char *const names[] = {"E=1e5_Order=1,1e5,1,done,", "E=1e5_Order=2,1e5,2,done,", "E=2e5_Order=1,2e5,1,done,",
                               "E=2e5_Order=2,2e5,2,done,"};
  for (int i = 0; i < 4; ++i)
  {
    const std::string &line = all.lines[i + 1];
    EXPECT_EQ(line.rfind(names[i], 0), 0u) << line;
    EXPECT_NEAR(cell(line, 4), i < 2 ? 0.02 : 0.01, 1e-9) << "F L/(E A)";
    EXPECT_EQ(cell(line, 6), i % 2 == 0 ? 36. : 135.) << "3 x 2 x 2 and 5 x 3 x 3 nodes";
  }
  EXPECT_NEAR(cell(all.lines[3], 5) / cell(all.lines[1], 5), std::sqrt(2.), 1e-8) << "frequencies grow with the root of E";
}

TEST_F(Sweeps, KeepWhatIsDoneAndRunTheRest)
{
  ASSERT_EQ(sweep("--vary Materials/body/E=1e5,2e5").outcome.exit_code, 0);
  const auto before = std::filesystem::last_write_time(results("E=1e5") + "/summary.json");
  const Swept more = sweep("--vary Materials/body/E=1e5,2e5,4e5 --collect last:tip.u_x,min:tip.u_x,max:tip.u_x");
  ASSERT_EQ(more.outcome.exit_code, 0) << more.outcome.terminal;
  EXPECT_EQ(has(more.outcome.terminal, "1 of 1  E=4e5: done"), "");
  EXPECT_EQ(has(more.outcome.terminal, "3 runs, 3 done (2 of them before)"), "");
  EXPECT_EQ(std::filesystem::last_write_time(results("E=1e5") + "/summary.json"), before);
  EXPECT_NEAR(cell(more.lines[3], 3), 0.005, 1e-9);
  EXPECT_EQ(cell(more.lines[3], 4), 0.);
  EXPECT_EQ(cell(more.lines[3], 5), cell(more.lines[3], 3));
  // A deck that has changed is no longer the deck of these results.
  std::ofstream(folder / "bar.prm", std::ios::app) << "# another line\n";
  expect_error("--vary Materials/body/E=1e5", "bar.prm has changed since");
  EXPECT_EQ(sweep("--vary Materials/body/E=1e5 --overwrite").outcome.exit_code, 0);
  EXPECT_NE(std::filesystem::last_write_time(results("E=1e5") + "/summary.json"), before);
}

TEST_F(Sweeps, GoOnAfterARunThatFailed)
{
  // A pressure of ten times E in one increment is too much for three iterations.
  const std::string softer = "--set Materials/body/Type=neo-hooke-log --set 'Newton/Max iterations=3' ";
  const Swept all = sweep(softer + "--vary 'Loads/pull/Traction=1000, 0, 0; -1e6, 0, 0' --collect last:tip.u_x");
  EXPECT_EQ(all.outcome.exit_code, 2) << all.outcome.terminal;
  ASSERT_EQ(all.lines.size(), 3u);
  EXPECT_EQ(has(all.lines[1], "\"1000, 0, 0\",done,0.0"), "");
  EXPECT_EQ(has(all.lines[2], "\"-1e6, 0, 0\",failed,"), "");
  EXPECT_EQ(all.lines[2].back(), ',') << "nothing is collected of a run that failed";
  EXPECT_EQ(has(all.outcome.terminal, "error: Traction=-1e6--0--0"), "");
  EXPECT_EQ(has(all.outcome.terminal, "2 runs, 1 done, 1 failed"), "");
  // A failed run is repeated, the other one kept.
  const Swept again = sweep(softer + "--vary 'Loads/pull/Traction=1000, 0, 0; -1e6, 0, 0'");
  EXPECT_EQ(has(again.outcome.terminal, "1 of 1  Traction=-1e6--0--0"), "");
}

TEST_F(Sweeps, AreCheckedBeforeTheFirstRun)
{
  expect_error("--vary Materials/body/E=1e5 --vary Mesh/Ordr=1", "did you mean 'Order'");
  expect_error("--vary Materials/body/E=1e5,-1", "E = -1");  // the second run's
  expect_error("--vary Materials/body/E", "Write Section/Entry=a,b,c");
  expect_error("--vary Materials/body/E=1,,2", "a value is missing");
  expect_error("--vary Materials/body/E=1,2,1", "has a value twice");
  expect_error("--vary Materials/body/E=1 --vary Materials/body/E=2", "is given twice");
  expect_error("--vary Materials/body/E=1 --set Materials/body/E=2", "--vary gives this entry its values");
  expect_error("--vary Materials/body/E=1e5 --collect pek:tip.u_x", "Kinds: peak");
  expect_error("--vary Materials/body/E=1e5 --collect mode:x", "Write mode:1 or mode:STAGE:1");
  expect_error("--vary Materials/body/E=1e5 --jobs 0", "must be at least 1");
  EXPECT_FALSE(std::filesystem::exists(results("E=1e5") + "/history.csv")) << "no run has begun";
  expect_error("", "--vary is required");
}

TEST_F(Sweeps, NameWhatARunDoesNotHave)
{
  const std::string vary = "--vary Materials/body/E=1e5,2e5 ";
  expect_error(vary + "--collect peak:tip.u_X", "tip.u_x");
  EXPECT_FALSE(std::filesystem::exists(results("E=2e5"))) << "the first run shows it";
  expect_error(vary + "--collect mode:9", "has 3 modes");
  expect_error(vary + "--collect mode:form:1", "Stages with modes: forms");
  expect_error(vary + "--collect summary:dof", "There is: dofs");
  expect_error(vary + "--collect summary:title", "this is no number");
  expect_error(vary + "--collect last:stage", "holds words");
}

TEST_F(Sweeps, LeaveFoldersOfOthersAlone)
{
  const std::string vary = "--vary Materials/body/E=1e5";
  std::filesystem::create_directories(results("E=1e5"));
  write_file(folder, "runs/E=1e5/letter.txt", "dear all");
  expect_error(vary, "there are no results of symdyn in this folder");
  EXPECT_EQ(text_of(results("E=1e5") + "/letter.txt"), "dear all");
  std::filesystem::remove(results("E=1e5") + "/letter.txt");
  // This process stands for a run that writes there.
  const LockOwner self = LockOwner::self();
  write_file(folder, "runs/E=1e5/run.lock", self.host + " " + std::to_string(self.process) + " " + std::to_string(self.start) + "\n");
  expect_error(vary, "a run writes to this folder");
  std::filesystem::remove(results("E=1e5") + "/run.lock");
  write_file(folder, "sweep.csv", "time,value\n0,1\n");
  expect_error(vary, "is not the table of this sweep");
  EXPECT_EQ(sweep(vary + " --overwrite").outcome.exit_code, 0);
}

TEST_F(Sweeps, StopWithASignal)
{
  const std::string words = std::string(SYMDYN_BINARY) +
                            " sweep " SYMDYN_SOURCE "/decks/tutorial/1-swing.prm --vary 'Time/End time=1000,0.02'" + " --output " +
                            folder.path + "/runs --table " + folder.path + "/sweep.csv";
  // The signal comes when the first run computes.
  const Outcome stopped = command(folder, "{ " + words + " & sweep=$!; for i in $(seq 600); do if [ -s " + results("End-time=1000") +
                                              "/history.csv ]; then break; fi; sleep 0.1; done; kill -TERM $sweep; wait $sweep; }");
  EXPECT_EQ(stopped.exit_code, 4) << stopped.terminal;
  const std::string table = text_of(folder / "sweep.csv");
  EXPECT_EQ(has(table, "End-time=1000,1000,stopped"), "") << stopped.terminal;
  EXPECT_EQ(has(table, "End-time=0.02,0.02,not run"), "");
  EXPECT_TRUE(std::filesystem::exists(results("End-time=1000") + "/checkpoint"));
}

TEST_F(Sweeps, ResumeARunThatWasStopped)
{
  const std::string swing = SYMDYN_SOURCE "/decks/tutorial/1-swing.prm", setting = "'Time/End time=0.2'";
  const Outcome stopped =
      tool(folder, "run " + swing + " --quiet --set " + setting + " --max-wall-time 0.001 --output " + quoted(results("End-time=0.2")));
  ASSERT_EQ(stopped.exit_code, 4) << stopped.terminal;
  const Outcome whole = tool(folder, "sweep " + swing + " --vary " + setting + " --collect last:time --output " + folder.path +
                                         "/runs --table " + folder.path + "/sweep.csv");
  EXPECT_EQ(whole.exit_code, 0) << whole.terminal;
  EXPECT_EQ(has(text_of(folder / "sweep.csv"), "End-time=0.2,0.2,done,0.2"), "");
  EXPECT_EQ(has(text_of(results("End-time=0.2") + "/run.log"), "checkpoint"), "") << "it is not begun again";
}
}  // namespace
}  // namespace symdyn::tests::in_sweeps
