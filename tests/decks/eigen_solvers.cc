// Modes of larger systems: by factorisation, by iteration, where nothing holds the body; what interrupts them.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_eigen_solvers
{
namespace
{
const std::string box = "verification/box-modes.prm";
const std::vector<std::string> multigrid{"Linear solver/Type=cg", "Linear solver/cg/Preconditioner=gamg"};

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string> &more)
{
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

std::vector<double> squares(const std::string &deck, const std::vector<std::string> &settings, const int ranks = 1,
                            const std::string &words = "")
{
  const Folder folder;
  const Outcome run = run_deck(folder, deck, with(settings, {"Output/Write every=never"}), ranks);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_NE(run.terminal.find(words), std::string::npos) << run.terminal;
  return table_of(folder / "results/modes-forms.csv").at("omega^2");
}

void expect_same(const std::vector<double> &a, const std::vector<double> &b, const double tolerance)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], tolerance * (std::abs(b[i]) + 1e-9 * b.back())) << "mode " << i + 1;
}

const std::string cube =
    section("Mesh", "set Type = box\nset Subdivisions = 6, 6, 6\n" + section("box", "set Size = 1, 2, 3\nset Corner = 0.3, 0.2, 0.1")) +
    elastic(1e6, 0.3, 1000., "st-venant-kirchhoff") + stages(section("forms", "set Type = modes\nset Modes = 10"));
}  // namespace

TEST(EigenSolvers, AgreeOnAHeldBodyOnRanks)
{
  const std::vector<double> factored = squares(box, {"Stages/forms/Eigen solver=krylov-schur"});
  expect_same(squares(box, with(multigrid, {"Stages/forms/Eigen solver=lobpcg"}), 1, "nothing has counted the modes"), factored, 1e-7);
  expect_same(squares(box, with(multigrid, {"Stages/forms/Eigen solver=lobpcg"}), 2), factored, 1e-7);
  expect_same(squares(box, with(multigrid, {"Stages/forms/Eigen solver=krylov-schur", "Stages/forms/Modes=10"})), factored, 1e-7);
  expect_same(squares(box, {"Stages/forms/Eigen solver=lobpcg"}), factored, 1e-7);  // with factors as its preconditioner
}

TEST(EigenSolvers, AgreeOnAFreeBodyOnRanks)
{
  const Folder folder;
  std::ofstream(folder / "cube.prm") << cube;
  const std::vector<double> factored = squares(folder / "cube.prm", {});
  EXPECT_GT(factored[6], 1.);
  for (const int ranks : {1, 2})
    expect_same(squares(folder / "cube.prm", with(multigrid, {"Stages/forms/Eigen solver=lobpcg"}), ranks), factored, 1e-7);
  const Outcome run = run_deck(folder, folder / "cube.prm", with(multigrid, {"Stages/forms/Eigen solver=lobpcg"}));
  const std::string table = text_of(folder / "results/modes-forms.csv");
  EXPECT_NE(table.find("6,rigid,0,"), std::string::npos) << table;
  EXPECT_NE(table.find("7,vibration"), std::string::npos) << table;
}

TEST(EigenSolvers, MatrixFreeBodyOfDegreeTwoOnRanks)
{
  const std::vector<std::string> small{"Mesh/Subdivisions=2, 2, 6", "Mesh/Order=2", "Stages/forms/Modes=5"};
  expect_same(squares(box, with(small, {"Linear solver/Type=matrix-free", "Stages/forms/Eigen solver=lobpcg"}), 2), squares(box, small),
              1e-7);
}

TEST(EigenSolvers, AnInterruptedSearchSaysSoAndBeginsAnew)
{
  const Folder folder;
  const Outcome stopped = run_deck(folder, box, {}, 1, "--max-wall-time 0.001");
  EXPECT_EQ(stopped.exit_code, 4) << stopped.terminal;
  EXPECT_NE(stopped.log.find("stage forms: the search for modes was stopped"), std::string::npos) << stopped.log;
  EXPECT_FALSE(std::filesystem::exists(folder / "results/modes-forms.csv"));
  EXPECT_EQ(stopped.summary["status"], "stopped at the wall time limit");
  const Outcome second = command(folder, std::string(SYMDYN_BINARY) + " run --quiet --restart " + folder.path + "/results");
  ASSERT_EQ(second.exit_code, 0) << second.terminal;
  EXPECT_NEAR(table_of(folder / "results/modes-forms.csv").at("frequency")[0], 13798.13, 0.01);
}

/// A box is pulled and rings, mode by mode.
std::string ringing_box()
{
  const std::string deck = text_of(SYMDYN_SOURCE "/decks/verification/box-modes.prm");
  return deck.substr(0, deck.find("subsection Stages")) +
         section("Loads", section("pull", "set Type = traction\nset Boundary = z+\nset Traction = 1, 0, 0")) +
         stages(section("hold", "set Type = static") + section("ring", "set Type = modal transient\nset Modes = 3\nset Loads = none\n" +
                                                                           section("Time", "set Time step = 1e-5\nset End time = 1e-4")));
}

TEST(EigenSolvers, AnInterruptedModalTransientBeginsAnew)
{
  const std::string moving = ringing_box();
  const Folder straight, split;
  const Outcome whole = run_well(straight, moving);
  const Outcome stopped = run_text(split, moving, {}, 1, "--max-wall-time 0.001");  // before the static stage
  ASSERT_EQ(stopped.exit_code, 4) << stopped.terminal;
  const Outcome second = command(split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results");
  ASSERT_EQ(second.exit_code, 0) << second.terminal;
  const History history = read_history(split / "results/history.csv");
  ASSERT_EQ(history.rows(), whole.history.rows());
  EXPECT_NEAR(history.last("E_kinetic"), whole.history.last("E_kinetic"), 1e-9 * whole.history.last("E_kinetic"));
}

TEST(EigenSolvers, ARestartThatIsStoppedInItsSearchLeavesTheCheckpointAsItIs)
{
  const Folder folder;
  const Outcome whole = run_well(folder, ringing_box(), {"Output/Checkpoint every=4"});
  const std::string checkpoint = text_of(folder / "results/checkpoint");
  const std::string restart = std::string(SYMDYN_BINARY) + " run --quiet --restart " + folder.path + "/results";
  EXPECT_EQ(command(folder, restart + " --max-wall-time 1e-6").exit_code, 4);
  EXPECT_EQ(has(text_of(folder / "results/run.log"), "a restart resumes from the same checkpoint"), "");
  EXPECT_TRUE(text_of(folder / "results/checkpoint") == checkpoint);
  const Outcome second = command(folder, restart);
  EXPECT_EQ(second.exit_code, 0) << second.terminal;
  const History history = read_history(folder / "results/history.csv");
  ASSERT_EQ(history.rows(), whole.history.rows());
  EXPECT_NEAR(history.last("E_balance_error"), whole.history.last("E_balance_error"), 1e-9 * whole.history.last("E_kinetic"));
}

TEST(EigenSolvers, AnInterruptedSweepKeepsItsRowsAndGoesOn)
{
  const std::string deck =
      bar(40) + pull +
      stages(section("sweep", "set Type = harmonic\nset Frequencies = 1, 40\nset Points = 400\nset Structural damping = 0.05"));
  const Folder whole, split;
  run_well(whole, deck, {"Output/Write every=never"});
  std::ofstream(split / "deck.prm") << deck;
  const std::string output = split / "results", file = split / "deck.prm", csv = output + "/harmonic-sweep.csv";
  const pid_t child = fork();
  if (child == 0)
  {
    execl(SYMDYN_BINARY, SYMDYN_BINARY, "run", "--quiet", file.c_str(), "--output", output.c_str(), "--set", "Output/Write every=never",
          nullptr);
    _exit(1);
  }
  const auto rows = [&] {
    const std::string text = text_of(csv);
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  for (int k = 0; k < 2000 && rows() < 5; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 4);
  const long stopped = rows();
  EXPECT_GE(stopped, 5);
  ASSERT_LT(stopped, 400) << "the sweep was done before the signal";
  EXPECT_NE(text_of(output + "/run.log").find(fmt::format("stopped after {} of 400 frequencies", stopped)), std::string::npos);
  const std::string first = text_of(csv);
  const Outcome second = command(split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + output);
  ASSERT_EQ(second.exit_code, 0) << second.terminal;
  EXPECT_EQ(text_of(csv).rfind(first, 0), 0u) << "rows that were there are not touched";
  const auto a = table_of(whole / "results/harmonic-sweep.csv"), b = table_of(csv);
  ASSERT_EQ(b.at("frequency").size(), 400u);
  for (std::size_t i = 0; i < 400; ++i)
    EXPECT_NEAR(b.at("amplitude tip.u_x")[i], a.at("amplitude tip.u_x")[i], 1e-9 * a.at("amplitude tip.u_x")[i]) << i;
}

TEST(EigenSolvers, AutomaticStepsEndAtTheEndAfterARestart)
{
  const Folder folder;
  const std::string deck = bar(5) + pull + section("Elements", "set Mass = lumped") +
                           section("Integrator", "set Scheme = newmark\n" + section("newmark", "set beta = 0")) +
                           section("Time", "set Time step = auto\nset End time = 0.05");
  const Outcome first = run_well(folder, deck, {"Output/Checkpoint every=3", "Output/Write every=never"});
  EXPECT_EQ(first.history.last("time"), 0.05);
  const double h = first.summary["stages"][0]["step"];
  const auto go_on = [&](const double end) {
    return command(folder, std::string(SYMDYN_BINARY) +
                               fmt::format(" run --quiet --restart {}/results --set 'Time/End time={:.15g}'", folder.path, end));
  };
  const Outcome refused = go_on(0.05 + 3.4 * h);
  EXPECT_EQ(refused.exit_code, 1) << refused.terminal;
  EXPECT_NE(refused.terminal.find("is no multiple. The nearest is"), std::string::npos) << refused.terminal;
  const Outcome longer = go_on(0.05 + 3. * h);
  EXPECT_EQ(longer.exit_code, 0) << longer.terminal;
  EXPECT_NEAR(read_history(folder / "results/history.csv").last("time"), 0.05 + 3. * h, 1e-12);
}

TEST(EigenSolvers, MemoryOfModesAndSweepsIsForeseenNightly)
{
  const auto expect_estimate = [](const std::string &stage, const std::vector<std::string> &settings) {
    const Folder folder;
    const std::string deck = write_file(folder, "deck.prm", bar(4) + pull + stages(stage));
    const Outcome run = run_program(folder, deck, with(settings, {"Output/Write every=never"}));  // whose memory is its own
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const double estimate = run.summary["memory estimate MiB"], peak = run.summary["peak memory MiB"];
    EXPECT_LT(estimate, 1.5 * peak) << stage;
    EXPECT_GT(estimate, peak / 1.5) << stage;
  };
  expect_estimate(section("forms", "set Type = modes\nset Modes = 100"), {"Mesh/Subdivisions=60, 14, 14"});
  expect_estimate(section("sweep", "set Type = harmonic\nset Frequencies = 1, 2\nset Points = 1\nset Structural damping = 0.1"),
                  {"Mesh/Subdivisions=60, 14, 14", "Stages/sweep/Frequencies=1, 1"});
}
}  // namespace symdyn::tests::in_eigen_solvers
