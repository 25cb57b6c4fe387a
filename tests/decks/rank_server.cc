#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "solver/base/lock_owner.h"
#include "tests/compare.h"

// Children of the test program as ranks of mpirun: tests/rank_server.h.
namespace symdyn::tests::in_rank_server
{
TEST(Parallel, TheProgramItself)
{
  // Other tests run children of the test program as ranks (tests/rank_server.h), if there are no double quotes in the line.
  const std::vector<std::string> settings{"Mesh/Subdivisions=6, 1, 1", "Time/End time=0.05", "Newton/Tolerance=1e-12",
                                          "Linear solver/Tolerance=1e-12", "Output/Write every=never"};
  const Folder serial, program, children;
  const Outcome one = run_deck(serial, "verification/implicit-beam.prm", settings);
  const Outcome own = run_program(program, "verification/implicit-beam.prm", settings, 2, "--color \"never\"");
  const Outcome child = run_deck(children, "verification/implicit-beam.prm", settings, 2);
  for (const Outcome &run : {one, own, child})
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
  expect_same(one.history, own.history, 1e-9, "programs of mpirun");
  expect_same(own.history, child.history, 1e-9, "children of the tests");
  EXPECT_EQ(own.summary["ranks"], child.summary["ranks"]);
  EXPECT_EQ(own.terminal, child.terminal);
}

TEST(Parallel, RanksOfChildrenEndWithTheirMpirun)
{
  const Folder folder;
  const std::string line = through_rank_door("mpirun --oversubscribe --allow-run-as-root -n 2 " SYMDYN_BINARY " run --quiet " SYMDYN_SOURCE
                                             "/decks/verification/implicit-beam.prm --set 'Time/End time=1000' --output ") +
                           folder.path + "/results";
  EXPECT_EQ(command(folder, "timeout -s KILL 3 " + line).exit_code, 128 + SIGKILL);
  const LockOwner rank = LockOwner::of_file(folder / "results/run.lock");
  ASSERT_FALSE(rank.host.empty()) << "it did not run yet";
  for (int i = 0; rank.runs() && i < 50; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(rank.runs()) << "process " << rank.process << " works on";
}
}  // namespace symdyn::tests::in_rank_server
