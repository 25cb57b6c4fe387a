#include <gtest/gtest.h>

#include "tests/run.h"

// The memory of a run is estimated before any is taken; a deck that needs more than there is, is refused.
namespace symdyn::tests::in_memory
{
namespace
{
const std::string beam = "verification/implicit-beam.prm";
const std::vector<std::string> one_step{"Time/End time=0.001", "Time/Time step=0.001", "Newton/Tolerance=1e-6",
                                        "Linear solver/Tolerance=1e-6", "Output/Write every=never"};
const std::vector<std::string> explicit_step{"Time/End time=1e-5", "Time/Time step=1e-5", "Elements/Mass=lumped",
                                             "Integrator/newmark/beta=0", "Output/Write every=never"};

std::vector<std::string> together(std::vector<std::string> a, const std::vector<std::string> &b)
{
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void expect_estimate(const std::vector<std::string> &settings, const int ranks = 1)
{
  const Folder folder;
  // In double quotes, so that it is a program of its own: children of this process share the libraries, and count less.
  const Outcome run = run_program(folder, beam, settings, ranks, "--color \"never\"");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const double estimate = run.summary["memory estimate MiB"], peak = run.summary["peak memory MiB"],
               one = run.summary["peak memory of a rank MiB"];
  EXPECT_LT(estimate, 1.5 * peak) << testing::PrintToString(settings);
  EXPECT_GT(estimate, peak / 1.5) << testing::PrintToString(settings);
  EXPECT_LE(one, peak);
  EXPECT_GE(one, peak / ranks);
}

TEST(Memory, EstimatesOfExplicitRunsOnRanks)
{
  expect_estimate(together(explicit_step, {"Mesh/Subdivisions=60, 40, 40"}), 2);
  expect_estimate(together(explicit_step, {"Mesh/Subdivisions=40, 20, 20", "Mesh/Order=2"}));
  expect_estimate(together(explicit_step, {"Mesh/Subdivisions=20, 10, 10", "Mesh/Cell shape=tetrahedra", "Mesh/Order=2"}));
}

TEST(Memory, EstimatesOfImplicitRunsOnRanks)
{
  expect_estimate(together(one_step, {"Mesh/Subdivisions=30, 10, 10", "Mesh/Order=2"}), 2);
  expect_estimate(together(one_step, {"Mesh/Subdivisions=16, 16, 16", "Linear solver/Type=mumps"}));
  expect_estimate(together(one_step, {"Mesh/Subdivisions=12, 8, 8", "Mesh/Cell shape=tetrahedra", "Mesh/Order=2"}));
}

TEST(Memory, EstimatesOfOtherBodiesNightly)
{
  expect_estimate(together(explicit_step, {"Mesh/Subdivisions=60, 40, 40"}));
  expect_estimate(together(explicit_step, {"Mesh/Subdivisions=10, 5, 5", "Mesh/Refinements=3"}), 2);
  expect_estimate(together(explicit_step, {"Mesh/Subdivisions=40, 15, 15", "Mesh/Cell shape=tetrahedra"}), 2);
  expect_estimate(together(one_step, {"Mesh/Subdivisions=60, 20, 20"}));
  expect_estimate(together(
      one_step, {"Mesh/Subdivisions=30, 10, 10", "Mesh/Order=2", "Linear solver/Type=cg", "Linear solver/cg/Preconditioner=gamg"}));
}

Outcome refused(const std::vector<std::string> &settings, const std::vector<std::string> &parts, const int ranks = 1)
{
  const Folder folder;
  // In double quotes, so that it is a program of its own: children of this process share the libraries, and count less.
  const Outcome run = run_program(folder, beam, settings, ranks, "--color \"never\"");
  EXPECT_EQ(run.exit_code, 1) << run.terminal;
  for (const std::string &part : parts)
    EXPECT_NE(run.terminal.find(part), std::string::npos) << "'" << part << "' is not in:\n" << run.terminal;
  return run;
}

TEST(Memory, TooLargeIsRefusedBeforeTheMeshIsMadeOnRanks)
{
  // No machine has these; none of them may start to make the mesh.
  refused({"Mesh/Subdivisions=1000, 500, 500"}, {"[Mesh] Subdivisions = 1000", "2.5e+08 cells", "need about", "GiB of memory", "are there",
                                                 "Lower Mesh/Subdivisions", "explicit scheme", "Mesh/Memory limit"});
  refused({"Mesh/Refinements=5", "Linear solver/Type=mumps"}, {"[Mesh] Refinements = 5", "than mumps"}, 2);
  // The limit of the deck stands for the memory of the machine; file and line are named.
  refused({"Mesh/Memory limit=0.1"}, {"implicit-beam.prm:6 [Mesh] Subdivisions = 40, 8, 8", "102 MiB are allowed by Mesh/Memory limit"});
  const Folder folder;
  const Outcome close = run_program(folder, beam, together(one_step, {"Mesh/Memory limit=0.2"}));
  EXPECT_EQ(close.exit_code, 0) << close.terminal;
  EXPECT_NE(close.terminal.find("warning:"), std::string::npos) << close.terminal;
  EXPECT_NE(close.terminal.find("it may not suffice"), std::string::npos) << close.terminal;
}

TEST(Memory, MoreThanNumbersCanCountIsRefused)
{
  for (const char *size : {"Mesh/Subdivisions=100000, 100000, 100000", "Mesh/Refinements=12"})
    refused({size, "Mesh/Memory limit=1e12"}, {"[Mesh]", "degrees of freedom; at most 2.15e+09 can be numbered"});
  refused({"Mesh/Subdivisions=1000, 300, 300", "Mesh/Order=3", "Mesh/Memory limit=1e12"}, {"at most 2.15e+09"});
}

TEST(Memory, CheckTellsTheEstimate)
{
  const Folder folder;
  const Outcome check = command(folder, std::string(SYMDYN_BINARY) + " check " + SYMDYN_SOURCE "/decks/" + beam);
  EXPECT_NE(check.terminal.find("memory of a run: about 0.1"), std::string::npos) << check.terminal;
}
}  // namespace
}  // namespace symdyn::tests::in_memory
