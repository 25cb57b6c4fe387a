// The files of a run: who writes them, what must not change them, and what happens when they go.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <set>
#include <thread>

#include "tests/bad_input.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_run_files
{
namespace
{
const std::string binary = SYMDYN_BINARY;

void wait(const int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }

/// A command line in the background; its process is the program itself.
pid_t start(const Folder &folder, const std::string &line)
{
  const pid_t child = fork();
  if (child == 0)
  {
    const std::string all = "exec " + line + " > " + folder / "background.txt" + " 2>&1";
    execl("/bin/bash", "bash", "-c", all.c_str(), nullptr);
    _exit(127);
  }
  return child;
}

/// Looks until it is so. A machine with more to do starts a program in ten seconds.
template <class Condition>
bool becomes(const Condition &condition)
{
  constexpr int looks = 6000;
  for (int k = 0; k < looks; ++k, wait(20))
    if (condition())
      return true;
  return false;
}

/// The exit code; 128 and more: the number of the signal that ended it; -1: it did not end by itself.
int end_of(const pid_t child)
{
  int status = 0;
  if (!becomes([&] { return waitpid(child, &status, WNOHANG) == child; }))
  {
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void wait_for(const std::string &file)
{
  EXPECT_TRUE(becomes([&] { return std::filesystem::exists(file); })) << file;
}

void wait_for_rows(const std::string &file, const int rows)
{
  const auto count = [&] {
    const std::string text = text_of(file);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_TRUE(becomes([&] { return count() > rows; })) << file << ": " << count();
}

const std::string endless = " --set 'Time/End time=10000' --set 'Output/Write every=1000000'";

std::set<std::string> names_in(const std::string &folder)
{
  std::set<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    names.insert(entry.path().filename());
  return names;
}

/// What run.lock would hold of a process of this host.
std::string host()
{
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}
}  // namespace

TEST(RunFiles, TwoRunsInOneFolderAreRefused)
{
  const Case deck;
  const std::string results = deck.folder / "results", line = binary + " run --quiet " + deck.folder / "box.prm" + " --output " + results;
  const pid_t first = start(deck.folder, line + endless);
  wait_for_rows(results + "/history.csv", 5);
  EXPECT_TRUE(contains(text_of(results + "/run.lock"), host() + " " + std::to_string(first) + " ")) << text_of(results + "/run.lock");
  for (const std::string &second : {line + " --overwrite", binary + " run --restart " + results + " " + deck.folder / "box.prm"})
    expect_message(command(deck.folder, second), 1, {"another run writes to this folder", "process " + std::to_string(first), "run.lock"});
  kill(first, SIGTERM);
  EXPECT_EQ(end_of(first), 4);
  EXPECT_EQ(nlohmann::json::parse(text_of(results + "/summary.json"))["status"], "stopped by a signal");
  EXPECT_FALSE(std::filesystem::exists(results + "/run.lock"));
}

TEST(RunFiles, ALockThatIsLeftIsTakenOver)
{
  const Case deck;
  const std::string lock = deck.folder / "results/run.lock";
  std::filesystem::create_directory(deck.folder / "results");
  // No such process; one that runs, but started at another time: the number is in use again.
  for (const std::string left : {" 999999999 7", " 1 123456789123"})
  {
    write(lock, host() + left + "\n");
    const auto run = command(deck.folder, binary + " run " + deck.folder / "box.prm" + " --overwrite --output " + deck.folder / "results");
    expect_message(run, 0, {"has ended without removing its lock", "taken over"});
    EXPECT_TRUE(contains(text_of(deck.folder / "results/run.log"), "taken over"));
    EXPECT_FALSE(std::filesystem::exists(lock));
  }
  write(lock, host() + " " + std::to_string(getpid()) + " 0\n");
  expect_message(deck.run(), 1, {"another run writes to this folder"});
}

TEST(RunFiles, TheLockOfAnotherHostSaysHowToRemoveItOnRanks)
{
  const Case deck;
  std::filesystem::create_directory(deck.folder / "results");
  write(deck.folder / "results/run.lock", "elsewhere 12 34\n");
  for (const int ranks : {1, 2})
  {
    expect_message(run_deck(deck.folder, deck.folder / "box.prm", {}, ranks), 1,
                   {"another host, elsewhere", "rm '" + deck.folder / "results/run.lock'"});
    EXPECT_EQ(text_of(deck.folder / "results/run.lock"), "elsewhere 12 34\n");
  }
  std::filesystem::remove(deck.folder / "results/run.lock");
  EXPECT_EQ(run_deck(deck.folder, deck.folder / "box.prm", {}, 2).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(deck.folder / "results/run.lock"));
}

TEST(RunFiles, OnlyALockIsAnEmptyFolder)
{
  const Case deck;
  std::filesystem::create_directory(deck.folder / "results");
  write(deck.folder / "results/run.lock", host() + " 999999999 7\n");
  EXPECT_EQ(command(deck.folder, binary + " run --quiet " + deck.folder / "box.prm" + " --output " + deck.folder / "results").exit_code, 0);
}

/// The last state, which a run leaves when it is stopped, is no frame of a sweep.
TEST(RunFiles, ARestartedSweepHasTheFilesOfTheStraightOne)
{
  const std::string deck =
      bar(10) + pull +
      stages(section("sweep", "set Type = harmonic\nset Frequencies = 1, 40\nset Points = 4\nset Structural damping = 0.05"));
  const Folder straight, split;
  run_well(straight, deck);
  ASSERT_EQ(run_text(split, deck, {}, 1, "--max-wall-time 0.001").exit_code, 4);
  const Outcome second = command(split, binary + " run --quiet --restart " + split / "results");
  ASSERT_EQ(second.exit_code, 0) << second.terminal;
  std::set<std::string> expected = names_in(straight / "results"), found = names_in(split / "results");
  EXPECT_EQ(expected.count("solution.pvd"), 0u);
  found.erase("checkpoint");
  EXPECT_EQ(found, expected);
}

TEST(RunFiles, FilesOfPetscOptionsAreNotRead)
{
  const Case deck;
  write(deck.folder / ".petscrc", "-snes_max_it 0\n-log_view :view.txt\n");
  const std::string line = "cd " + deck.folder.path + " && HOME=" + deck.folder.path + " " + binary + " run --overwrite box.prm";
  const auto run = command(deck.folder, line);
  expect_message(run, 0, {"note: .petscrc is not read"});
  EXPECT_FALSE(std::filesystem::exists(deck.folder / "view.txt"));
  EXPECT_FALSE(contains(run.terminal, "no effect")) << run.terminal;
  // Those that are given are, and the log says which.
  const auto with = command(deck.folder, "export PETSC_OPTIONS='-log_view :view.txt'; " + line + " -- -snes_max_it 0");
  EXPECT_EQ(with.exit_code, 2) << with.terminal;
  EXPECT_TRUE(std::filesystem::exists(deck.folder / "view.txt"));
  const std::string log = text_of(deck.folder / "results/box/run.log");
  EXPECT_TRUE(contains(log, "PETSc options after --: -snes_max_it 0")) << log;
  EXPECT_TRUE(contains(log, "PETSC_OPTIONS: -log_view :view.txt")) << log;
}

TEST(RunFiles, AClosedOutputDoesNotEndTheRun)
{
  const Case deck;
  const std::string results = deck.folder / "results",
                    line = binary + " run " + deck.folder / "box.prm" + " --output " + results + " --set 'Output/Write every=1'";
  const auto run = command(deck.folder, "bash -c \"set -o pipefail; " + line + " | true\"");
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(nlohmann::json::parse(text_of(results + "/summary.json"))["status"], "done");
  EXPECT_TRUE(contains(text_of(results + "/run.log"), "done: 10 steps"));
}

namespace
{
/// The exit code of an endless run of which something is removed so long after this moment.
int end_without(const std::string &what, const std::function<void(const Folder &, pid_t)> &wait_for_moment, const int milliseconds,
                std::string &terminal)
{
  const Case deck;
  std::filesystem::create_directory(deck.folder / "work");
  write(deck.folder / "work/box.prm", text_of(deck.folder / "box.prm"));
  const pid_t child = start(deck.folder, "env -C " + deck.folder / "work" + " " + binary + " run --quiet box.prm" + endless);
  wait_for_moment(deck.folder, child);
  wait(milliseconds);
  const std::string path = deck.folder / ("work/" + what);
  std::error_code error;
  EXPECT_TRUE(becomes(
      [&] { return std::filesystem::remove_all(path, error), !std::filesystem::exists(path); }));  // the run may write while it is removed
  const int code = end_of(child);
  terminal = text_of(deck.folder / "background.txt");
  return code;
}

/// The program has taken the place of the shell that started it.
void wait_for_program(const Folder &, const pid_t child)
{
  std::error_code error;
  EXPECT_TRUE(
      becomes([&] { return std::filesystem::read_symlink("/proc/" + std::to_string(child) + "/exe", error).filename() == "symdyn"; }));
}

void wait_for_results(const Folder &folder, const pid_t) { wait_for(folder / "work/results/box"); }
void wait_for_steps(const Folder &folder, const pid_t) { wait_for_rows(folder / "work/results/box/history.csv", 5); }
}  // namespace

/// Whatever moment it is, the run ends with a message: 1 while it reads the deck and takes its folder, 2 from then on; never by itself, by
/// a signal or as an internal error.
TEST(RunFiles, AFolderThatGoesEndsTheRun)
{
  std::string terminal;
  for (const std::string what : {"results", ""})
  {
    EXPECT_EQ(end_without(what, wait_for_steps, 0, terminal), 2) << what << terminal;
    EXPECT_TRUE(contains(terminal, "error: ")) << terminal;
    for (const int milliseconds : {0, 10, 50, 200})
    {
      const int code = end_without(what, what.empty() ? wait_for_program : wait_for_results, milliseconds, terminal);
      EXPECT_TRUE(code == 1 || code == 2) << what << " after " << milliseconds << " ms: " << code << "\n" << terminal;
      EXPECT_TRUE(contains(terminal, "error: ")) << terminal;
      EXPECT_FALSE(contains(terminal, "internal")) << terminal;
    }
  }
}

TEST(RunFiles, AFileThatGoesIsNoSuccess)
{
  for (const std::string what : {"history.csv", "run.log"})
  {
    const Case deck;
    const std::string results = deck.folder / "results";
    const pid_t child = start(deck.folder, binary + " run --quiet " + deck.folder / "box.prm" + " --output " + results + endless);
    wait_for_rows(results + "/history.csv", 5);
    std::filesystem::remove(results + "/" + what);
    EXPECT_EQ(end_of(child), 2);
    EXPECT_TRUE(contains(text_of(deck.folder / "background.txt"), results + "/" + what + ": the file was removed during the run"))
        << text_of(deck.folder / "background.txt");
    EXPECT_EQ(nlohmann::json::parse(text_of(results + "/summary.json"))["status"], "failed");
  }
  // Frames are looked at when the run ends.
  const Case deck;
  const std::string results = deck.folder / "results";
  const pid_t child = start(deck.folder, binary + " run --quiet " + deck.folder / "box.prm" + " --output " + results +
                                             " --set 'Time/End time=20' --set 'Output/Write every=1000'");
  wait_for(results + "/solution-00000.vtu");
  wait_for_rows(results + "/history.csv", 2);
  std::filesystem::remove(results + "/solution-00000.vtu");
  EXPECT_EQ(end_of(child), 2);
  EXPECT_TRUE(contains(text_of(deck.folder / "background.txt"), "solution-00000.vtu: the file was removed during the run"))
      << text_of(deck.folder / "background.txt");
}
}  // namespace symdyn::tests::in_run_files
