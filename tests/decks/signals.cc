// Signals that come in the middle of something long.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/run.h"

namespace symdyn::tests::in_signals
{
namespace
{
void wait(const int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

/// A block that takes many seconds to be made, before any step.
pid_t start_long(const Folder &folder)
{
  const std::string output = folder / "results", terminal = folder / "terminal.txt";
  const pid_t child = fork();
  if (child == 0)
  {
    if (!std::freopen(terminal.c_str(), "w", stdout) || !std::freopen(terminal.c_str(), "a", stderr))
      _exit(1);
    execl(SYMDYN_BINARY, SYMDYN_BINARY, "run", SYMDYN_SOURCE "/decks/examples/quickstart.prm", "--output", output.c_str(), "--set",
          "Mesh/Refinements=5", "--set", "Mesh/Memory limit=1000", nullptr);
    _exit(1);
  }
  return child;
}
}  // namespace

/// The first signal waits for the end of a step, which is far; the second one does not.
TEST(Signals, TheSecondOneStopsAtOnce)
{
  const Folder folder;
  const pid_t child = start_long(folder);
  wait(2500);  // it is at its mesh by then
  kill(child, SIGINT);
  wait(100);
  kill(child, SIGINT);  // as a terminal and mpirun send it
  wait(700);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WNOHANG), 0) << "the first signal, or a copy of it, was enough: " << text_of(folder / "terminal.txt");
  kill(child, SIGINT);
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGINT);
  EXPECT_NE(text_of(folder / "terminal.txt").find("Press Ctrl-C again to abort immediately"), std::string::npos);
}
}  // namespace symdyn::tests::in_signals
