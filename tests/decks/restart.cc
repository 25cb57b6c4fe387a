#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "tests/compare.h"
#include "tests/parts.h"

// A run that goes on from its checkpoint is the run that was never interrupted.
namespace symdyn::tests::in_restart
{
namespace
{
struct Split
{
  std::string deck;
  Settings settings;
  std::string half, end;  ///< [s]
  int first_ranks = 1, ranks = 1;
};

Outcome restart(const Folder &folder, const Settings &settings, const int ranks = 1, const std::string &deck = "")
{
  std::string line = std::string(SYMDYN_BINARY) + " run --quiet --restart " + folder.path + "/results";
  if (!deck.empty())
    line += " " + quoted(deck);
  if (ranks > 1)
    line = "mpirun --oversubscribe --allow-run-as-root -n " + std::to_string(ranks) + " " + line;
  for (const std::string &setting : settings)
    line += " --set " + quoted(setting);
  Outcome run = command(folder, line);
  run.log = text_of(folder / "results/run.log");
  run.history = read_history(folder / "results/history.csv");
  if (std::ifstream summary(folder / "results/summary.json"); summary)
    run.summary = nlohmann::json::parse(summary);
  return run;
}

std::string file_of(const Folder &folder, const std::string &name) { return text_of(folder / ("results/" + name)); }

/// Bytes of all frames, without the line that says when they were written.
std::map<std::string, std::string> frames(const Folder &folder)
{
  std::map<std::string, std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder / "results"))
    if (const std::string name = entry.path().filename(); name.rfind("solution", 0) == 0)
    {
      std::string text = text_of(entry.path());
      if (const std::size_t at = text.find("#This file was generated"); at != std::string::npos)
        text.erase(at, text.find('\n', at) - at);
      files[name] = text;
    }
  return files;
}

/// Runs to the end, and to the half and on; `bitwise`: to the last bit, files of ParaView too.
void expect_goes_on(const Split &split, const bool bitwise)
{
  const Folder whole, halved;
  const Outcome straight = run_deck(whole, split.deck, split.settings + Settings{"Time/End time=" + split.end}, split.ranks);
  ASSERT_EQ(straight.exit_code, 0) << straight.terminal;
  ASSERT_EQ(run_deck(halved, split.deck, split.settings + Settings{"Time/End time=" + split.half}, split.first_ranks).exit_code, 0);
  const Outcome other = restart(halved, {"Time/End time=" + split.end}, split.ranks);
  ASSERT_EQ(other.exit_code, 0) << other.terminal;
  EXPECT_NE(other.log.find("goes on from"), std::string::npos);
  EXPECT_EQ(other.summary["steps"], straight.summary["steps"]);
  if (!bitwise)
    return expect_same(straight.history, other.history, 1e-9, split.deck);
  EXPECT_TRUE(file_of(whole, "history.csv") == file_of(halved, "history.csv")) << split.deck;
  const auto a = frames(whole), b = frames(halved);
  EXPECT_EQ(a.size(), b.size()) << split.deck;
  for (const auto &[name, text] : a)
    EXPECT_TRUE(b.count(name) && text == b.at(name)) << split.deck << ": " << name;
}

const std::string beam = "verification/implicit-beam.prm", springs = "papers/ast-two-springs.prm";
const Settings small{"Mesh/Subdivisions=8, 2, 2", "Newton/Tolerance=1e-12", "Output/Checkpoint every=5"},
    deterministic{"Solver/Deterministic=yes"},
    loaded{"Loads/push/Type=pressure",
           "Loads/push/Boundary=y+",
           "Loads/push/Pressure=4e4",
           "Damping/Mass proportional=1",
           "Monitors/Symplectic form=yes",
           "Supports/clamp/Type=displacement",
           "Supports/clamp/Displacement=0.01*sin(20*t), 0, 0"};
const Settings explicit_steps{"Elements/Mass=lumped", "Integrator/newmark/beta=0", "Time/Time step=0.001"};
}  // namespace

TEST(Restart, IsTheStraightRun)
{
  expect_goes_on({beam, small, "0.1", "0.2"}, false);
  expect_goes_on({beam, small + loaded, "0.1", "0.2"}, false);
  expect_goes_on({beam, small + explicit_steps, "0.05", "0.1"}, true);  // nothing but the state
}

TEST(Restart, WithConstraintsNoiseAndProjections)
{
  const Settings often{"Output/Checkpoint every=10"};
  expect_goes_on({"papers/to-pendulum-chain.prm", often + Settings{"Integrator/Scheme=shake", "Constraints/Treatment=exact"}, "1", "2"},
                 true);
  expect_goes_on({"papers/gonzalez-four-particles.prm", often, "1", "2"}, false);
  expect_goes_on({"papers/to-water-7.prm", often + Settings{"Integrator/Scheme=langevin"}, "1", "2"}, false);
  expect_goes_on({"papers/to-rigid-body.prm", often + Settings{"Integrator/Scheme=hp-cayley", "Rigid bodies/body/Rigidity=0"}, "1", "2"},
                 true);
  expect_goes_on({springs,
                  often + Settings{"Constraints/omega=1000", "Slow manifold/Project start=yes", "Slow manifold/Project every=100",
                                   "Output/History every=10", "Monitors/Multiplier window=0.05"},
                  "0.1", "0.2"},
                 true);
}

/// In the static stage, between the stages, in the dynamic one.
TEST(Restart, InAnyStage)
{
  const Folder plain, parts;
  const Settings mast{"Time/End time=0.1", "Newton/Tolerance=1e-12", "Output/Write every=2"};
  const Outcome a = run_deck(plain, "examples/guyed-mast.prm", mast);
  const Outcome b = run_in_parts(parts, "examples/guyed-mast.prm", mast);
  ASSERT_EQ(a.exit_code, 0) << a.terminal;
  ASSERT_EQ(b.exit_code, 0) << b.terminal;
  EXPECT_NE(b.log.find("goes on from"), std::string::npos);
  expect_same(a.history, b.history, 1e-9, "guyed mast");
  EXPECT_EQ(a.history.stage, b.history.stage);
  EXPECT_EQ(file_of(plain, "solution.pvd"), file_of(parts, "solution.pvd"));
}

TEST(Restart, DeterministicRunsAgreeToTheLastBitOnRanks)
{
  expect_goes_on({beam, small + loaded + deterministic, "0.1", "0.2"}, true);
  expect_goes_on({beam, small + deterministic + Settings{"Linear solver/Type=ml"}, "0.1", "0.2", 2, 2}, true);
}

/// A checkpoint of a deterministic run leaves it where a restart begins, after each step.
TEST(Restart, DeterministicRunsAreChainsOfRestarts)
{
  const std::vector<std::pair<std::string, Settings>> runs{
      {"examples/guyed-mast.prm", {"Time/End time=0.1"}},
      {"examples/pinned-bodies.prm", {"Time/End time=0.05"}},
      {"examples/mass-on-block.prm", {"Time/End time=0.05"}},
      {beam, Settings{"Mesh/Subdivisions=8, 2, 2", "Time/End time=0.1"} + loaded},
      {beam, {"Mesh/Subdivisions=8, 2, 2", "Mesh/Order=2", "Time/End time=0.05", "Linear solver/Type=matrix-free"}},
      {beam, {"Mesh/Subdivisions=8, 2, 2", "Time/End time=0.05", "Integrator/Scheme=discrete-gradient"}},
      {"tutorial/3-sag-and-swing.prm", {"Time/End time=0.05"}}};
  for (const auto &[deck, settings] : runs)
  {
    const Folder whole, parts;
    const Settings often{"Solver/Deterministic=yes", "Output/Checkpoint every=1", "Output/History every=1"};
    const Outcome a = run_deck(whole, deck, settings + often), b = run_in_parts(parts, deck, settings + often);
    ASSERT_EQ(a.exit_code, 0) << a.terminal;
    ASSERT_EQ(b.exit_code, 0) << b.terminal;
    EXPECT_GT(a.history.rows(), 3u) << deck;
    EXPECT_TRUE(file_of(whole, "history.csv") == file_of(parts, "history.csv")) << deck;
  }
}

TEST(Restart, OnOtherRanks)
{
  const Settings exact{"Linear solver/Tolerance=1e-12"};
  expect_goes_on({beam, small + exact, "0.05", "0.1", 1, 3}, false);
  expect_goes_on({beam, small + exact + Settings{"Mesh/Cell shape=tetrahedra"}, "0.05", "0.1", 3, 2}, false);
  expect_goes_on(
      {"examples/pinned-bodies.prm", exact + Settings{"Newton/Tolerance=1e-12", "Output/Checkpoint every=5"}, "0.025", "0.05", 2, 1},
      false);
}

/// A stage that has a section Time of its own ends by that: the entry that goes on is named, and does go on.
TEST(Restart, NamesTheEndOfTheLastStage)
{
  const Folder folder;
  const std::string text =
      "subsection Mesh\nset Type = box\nset Subdivisions = 1, 1, 1\nend\nsubsection Materials\nsubsection body\nset Type = "
      "neo-hooke-log\nset E = 1e5\nset nu = 0.3\nset Density = 1\nend\nend\nsubsection Supports\nsubsection foot\nset Boundary = "
      "x-\nend\nend\nsubsection Stages\nsubsection hang\nset Type = static\nend\nsubsection move\nset Type = dynamic\nsubsection "
      "Time\nset Time step = 0.01\nset End time = 0.02\nend\nend\nend\n";
  ASSERT_EQ(run_deck(folder, write_file(folder, "deck.prm", text), {"Output/Checkpoint every=1"}).exit_code, 0);
  const Outcome ended = restart(folder, {});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_NE(ended.terminal.find("Raise \"Stages/move/Time/End time\""), std::string::npos) << ended.terminal;
  const Outcome more = restart(folder, {"Stages/move/Time/End time=0.04"});
  EXPECT_EQ(more.exit_code, 0) << more.terminal;
  EXPECT_NEAR(more.history.columns.at("time").back(), 0.04, 1e-12);
}

TEST(Restart, EndsAndErrors)
{
  const Folder folder;
  ASSERT_EQ(run_deck(folder, beam, small + Settings{"Time/End time=0.1"}).exit_code, 0);
  const std::string file = folder / "results/checkpoint", good = text_of(file);
  const auto expect_error = [&](const Outcome &run, const std::vector<std::string> &parts) {
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    for (const std::string &part : parts)
      EXPECT_NE(run.terminal.find(part), std::string::npos) << part << " is not in\n" << run.terminal;
  };
  const auto with = [&](const std::string &content) {
    std::ofstream(file, std::ios::binary) << content;
    const std::string history = file_of(folder, "history.csv");
    const Outcome run = restart(folder, {"Time/End time=0.2"});
    EXPECT_EQ(text_of(file), content) << "left as it is";
    EXPECT_EQ(file_of(folder, "history.csv"), history);
    return run;
  };
  expect_error(restart(folder, {}), {"the run is at its end, t = 0.1 s", "Raise \"Time/End time\""});
  expect_error(restart(folder, {"Materials/rubber/E=2e7"}), {"the deck is not that of the checkpoint", "set E = 1e7", "set E = 2e7"});
  expect_error(with(good.substr(0, good.size() - 100)), {"checkpoint: it has not the length", "damaged", "left as it is"});
  expect_error(with(good.substr(0, 300)), {"damaged"});
  std::string changed = good;
  changed[good.size() - 1000] ^= 1;
  expect_error(with(changed), {"the values of degrees of freedom 0 to", "damaged"});
  changed = good;
  changed[good.find("deck file") + 15] ^= 1;
  expect_error(with(changed), {"its header", "damaged"});
  changed = good;
  changed[std::string("symdyn checkpoint ").size()] = '0';
  expect_error(with(changed), {"checkpoint of format 0", "reads format 6", "run again from the deck"});
  expect_error(with("time,step\n0,1\n"), {"is not a symdyn checkpoint"});
  expect_error(with(""), {"cannot be read"});
  std::filesystem::remove(file);
  expect_error(restart(folder, {}), {"cannot be read", "Checkpoint every"});
  std::ofstream(file, std::ios::binary) << good;
  expect_error(
      command(folder, std::string(SYMDYN_BINARY) + " run --restart " + folder.path + "/results --output " + folder.path + "/other"),
      {"Remove --output"});
  std::ofstream(folder / "results/history.csv") << "time";
  expect_error(restart(folder, {"Time/End time=0.2"}), {"history.csv", "missing or shorter"});
}

namespace
{
/// Starts the program in the background.
pid_t start(const std::vector<std::string> &words)
{
  const pid_t child = fork();
  if (child != 0)
    return child;
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  std::freopen("/dev/null", "w", stderr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

const Settings long_run = small + Settings{"Time/End time=3", "Output/Checkpoint every=1", "Output/Write every=3"};

long rows(const Folder &folder)
{
  const std::string text = file_of(folder, "history.csv");
  return std::count(text.begin(), text.end(), '\n');
}

std::vector<std::string> first_command(const Folder &folder, const Settings &settings)
{
  std::vector<std::string> words{SYMDYN_BINARY,     "run", SYMDYN_SOURCE "/decks/" + beam, "--quiet", "--overwrite", "--output",
                                 folder / "results"};
  for (const std::string &setting : settings)
    words.insert(words.end(), {"--set", setting});
  return words;
}

/// Killed at random moments until it ends by itself.
void expect_survives(const int kills, const unsigned int seed)
{
  const Folder whole, killed;
  const Settings settings = long_run + Settings{"Time/End time=" + std::to_string(kills)};
  const Outcome straight = run_deck(whole, beam, settings);
  ASSERT_EQ(straight.exit_code, 0) << straight.terminal;
  std::mt19937 random(seed);
  std::vector<std::string> words = first_command(killed, settings);
  int done = 0;
  for (int k = 0; k < kills; ++k)
  {
    const long before = rows(killed);
    const pid_t child = start(words);
    int status = 0;
    pid_t ended = 0;
    for (int wait = 0; wait < 6000 && rows(killed) == before && ended == 0; ++wait)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ended = waitpid(child, &status, WNOHANG);
    }
    if (ended == 0)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 60));
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
    }
    if (std::filesystem::exists(killed / "results/checkpoint"))
      words = {SYMDYN_BINARY, "run", "--quiet", "--restart", killed / "results"};
    if (WIFEXITED(status))  // at its end
      break;
    done = k + 1;
  }
  EXPECT_EQ(done, kills) << "the run is too short";
  const Outcome last = restart(killed, {});
  EXPECT_TRUE(last.exit_code == 0 || last.terminal.find("at its end") != std::string::npos) << last.terminal;
  expect_same(straight.history, read_history(killed / "results/history.csv"), 1e-9, "killed");
  EXPECT_EQ(text_of(whole / "results/solution.pvd"), text_of(killed / "results/solution.pvd"));
}
}  // namespace

TEST(Restart, AfterASignal)
{
  const Folder whole, stopped;
  const Outcome straight = run_deck(whole, beam, long_run);
  std::vector<std::string> words = first_command(stopped, long_run);
  for (std::string &word : words)
    if (word == "Output/Checkpoint every=1")
      word = "Output/Checkpoint every=100000";  // that of the signal alone
  const pid_t child = start(words);
  for (int wait = 0; wait < 600 && rows(stopped) < 10; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 4);
  const Outcome other = restart(stopped, {});
  ASSERT_EQ(other.exit_code, 0) << other.terminal;
  expect_same(straight.history, other.history, 1e-9, "after a signal");
  EXPECT_EQ(text_of(whole / "results/solution.pvd"), text_of(stopped / "results/solution.pvd"));
}

TEST(Restart, AfterFiveKills) { expect_survives(5, 1); }
TEST(Restart, AfterFiftyKillsNightly) { expect_survives(50, 2); }
}  // namespace symdyn::tests::in_restart
