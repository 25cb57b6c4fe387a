// Runs that end before their time: what they say, and what of them is on disk.
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/bad_input.h"

namespace symdyn::tests::in_failed_runs
{
TEST(BadInput, OutputFolder)
{
  const Case deck;
  EXPECT_EQ(deck.run().exit_code, 0);
  const std::string run = SYMDYN_BINARY " run --quiet " + deck.folder / "box.prm", results = deck.folder / "results";
  expect_message(command(deck.folder, run + " --output " + results), 1, {"--output " + results, "not empty", "--overwrite"});
  EXPECT_NE(text_of(results + "/summary.json"), "") << "results were lost";
  expect_message(command(deck.folder, run + " --output " + deck.folder / "box.prm/results"), 1, {"box.prm/results", "cannot be made"});
  expect_message(command(deck.folder, run + " --output /proc/symdyn"), 1, {"/proc/symdyn", "cannot be made"});
  // What is not ours stays.
  write(results + "/notes.txt", "mine");
  EXPECT_EQ(deck.run().exit_code, 0);
  EXPECT_EQ(text_of(results + "/notes.txt"), "mine");
}

TEST(BadInput, DiskFull)
{
  const Case deck;
  const std::string disk = deck.folder / "disk";
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "a small disk needs the right to mount one";
  const auto run = command(deck.folder, SYMDYN_BINARY " run --quiet " + deck.folder / "box.prm" + " --output " + disk +
                                            "/results --set 'Time/Time step=0.0001'");
  umount(disk.c_str());
  expect_message(run, 2, {"could not be written", "is the disk full"});
}

TEST(BadInput, NoConvergenceLeavesTheLastGoodState)
{
  const Case deck;
  const auto run = deck.run({"Loads/pull/Traction=-1e7*step(t-0.045), 1e7*step(t-0.045), 0"});
  expect_message(run, 2, {"newton: step 5, t = 0.05 s", "|r| = ", "Halve \"Time step\""});
  EXPECT_EQ(run.summary["status"], "failed");
  EXPECT_EQ(run.summary["steps"], 4);
  EXPECT_EQ(run.history.rows(), 5u);
  EXPECT_NEAR(run.history.last("time"), 0.04, 1e-12);
  const std::string collection = text_of(deck.folder / "results/solution.pvd");
  EXPECT_NE(collection.find("timestep=\"0.04\""), std::string::npos) << collection;
}

TEST(BadInput, NoConvergenceLeavesTheLastGoodStateAlsoWithoutFrames)
{
  const Case deck;
  const auto run = deck.run({"Loads/pull/Traction=-1e7*step(t-0.045), 1e7*step(t-0.045), 0", "Output/Write every=never"});
  expect_message(run, 2, {"newton: step 5"});
  EXPECT_EQ(run.summary["status"], "failed");
  EXPECT_NE(text_of(deck.folder / "results/solution.pvd").find("timestep=\"0.04\""), std::string::npos);
}

/// A body at rest before its load comes has no energy that could be lost.
TEST(BadInput, NoWarningOfABodyAtRest)
{
  for (const std::string setting : {"Elements/Mass=consistent", "Integrator/newmark/beta=0"})
  {
    const auto run = Case(replaced(box, "st-venant-kirchhoff", "neo-hooke-quadratic"))
                         .run({"Loads/pull/Traction=step(t-1), 0, 0", "Elements/Mass=lumped", setting});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.terminal, "");
  }
}

TEST(BadInput, InvertedCellIsNamed)
{
  // Explicit: no Newton could refuse it.
  const Case deck(replaced(box, "Traction = 1, 0, 0", "Traction = -1e6, 0, 0") + "subsection Integrator\n  subsection newmark\n" +
                  "    set beta = 0\n  end\nend\n");
  const auto run = deck.run({"Elements/Mass=lumped", "Time/Time step=0.01"});
  expect_message(run, 2, {"step ", "the state cannot be", "the cell around X = (", "is inverted: det F = -", "Lower \"Time step\""});
  EXPECT_EQ(run.summary["status"], "failed");
  for (const double energy : run.history["E_total"])
    EXPECT_TRUE(std::isfinite(energy));
}

/// An attempt that explodes leaves a tangent behind whose size says nothing about rounding at the next one: nothing may pass for rounding
/// then.
TEST(BadInput, AnExplodedAttemptIsNoMeasureOfRounding)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "verification/implicit-beam.prm",
                               {"Mesh/Subdivisions=20, 4, 4", "Materials/rubber/nu=0.49999999", "Time/End time=0.1"});
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_EQ(run.summary["status"], "failed");
  EXPECT_LT(std::abs(run.summary["largest energy balance error"].get<double>()), 1e4);  // of 4e4 J; an explosion has 1e7
}

/// Without loads the state is copied now and then only; the frames that are there are of states that have been found good all the same.
TEST(BadInput, FramesOfAFailedExplicitRunGoForwardInTime)
{
  const Folder folder;
  const Outcome run =
      run_deck(folder, "verification/implicit-beam.prm",
               {"Mesh/Subdivisions=8, 2, 2", "Elements/Mass=lumped", "Integrator/Scheme=central-difference",
                "Initial conditions/Velocity=-150*x, 0, 0", "Time/Time step=1e-3", "Time/End time=0.1", "Output/Write every=1"});
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_EQ(run.summary["steps"], 6);  // the seventh inverts a cell
  const std::string collection = text_of(folder / "results/solution.pvd");
  double last = -1.;
  int frames = 0;
  for (std::size_t at = 0; (at = collection.find("timestep=\"", at)) != std::string::npos; ++frames)
  {
    const double time = std::stod(collection.substr(at += 10));
    EXPECT_GT(time, last);
    last = time;
  }
  EXPECT_EQ(frames, 7);
  EXPECT_NEAR(last, 0.006, 1e-12);
}

namespace
{
void expect_stopped(const Folder &folder, const std::string &why)
{
  const nlohmann::json summary = nlohmann::json::parse(text_of(folder / "results/summary.json"));
  EXPECT_EQ(summary["status"], why);
  const History history = read_history(folder / "results/history.csv");
  ASSERT_GT(history.rows(), 2u);
  for (const auto &[name, column] : history.columns)
    EXPECT_EQ(column.size(), history.rows()) << name;
  EXPECT_NEAR(history.last("time"), summary["time"].get<double>(), 1e-12);
  char last[64];
  std::snprintf(last, sizeof last, "timestep=\"%.12g\"", history.last("time"));
  const std::string collection = text_of(folder / "results/solution.pvd");
  EXPECT_NE(collection.find(last), std::string::npos) << last << " is not in\n" << collection;
}
}  // namespace

TEST(BadInput, SignalStopsWithTheStateSaved)
{
  const Case deck;
  const pid_t child = fork();
  if (child == 0)
  {
    const std::string deck_file = deck.folder / "box.prm", output = deck.folder / "results";
    execl(SYMDYN_BINARY, SYMDYN_BINARY, "run", deck_file.c_str(), "--quiet", "--output", output.c_str(), "--set", "Time/End time=10000",
          "--set", "Output/Write every=1000000", nullptr);
    _exit(127);
  }
  const auto lines = [&] {
    const std::string text = text_of(deck.folder / "results/history.csv");
    return std::count(text.begin(), text.end(), '\n');
  };
  for (int wait = 0; wait < 600 && lines() < 5; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_GE(lines(), 5);
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
  expect_stopped(deck.folder, "stopped by a signal");
}

TEST(BadInput, WallTimeLimitStopsWithTheStateSaved)
{
  const Case deck;
  const auto run = deck.run({"Time/End time=10000", "Output/Write every=1000000"}, "--max-wall-time 1");
  EXPECT_EQ(run.exit_code, 4) << run.terminal;
  expect_stopped(deck.folder, "stopped at the wall time limit");
}
}  // namespace symdyn::tests::in_failed_runs
