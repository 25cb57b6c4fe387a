#include <gtest/gtest.h>

#include "tests/run.h"

// Ranks share the memory.
namespace symdyn::tests::in_parallel
{
namespace
{
/// In double quotes: children of the test program share the libraries, and count less.
const std::string own_program = "--color \"never\"";

/// What a body of so many cells adds to the memory of all ranks together, over a small one [MiB].
double memory_of(const std::string &cells, const std::string &refinements, const int ranks, std::vector<std::string> settings)
{
  settings.insert(settings.end(), {"Mesh/Subdivisions=" + cells, "Time/Time step=1e-4", "Time/End time=2e-4"});
  const auto peak = [&](const std::string &times) {
    const Folder folder;
    std::vector<std::string> all = settings;
    all.push_back("Mesh/Refinements=" + times);
    const Outcome run = run_program(folder, "verification/implicit-beam.prm", all, ranks, own_program);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return run.summary.value("peak memory MiB", 0.);
  };
  return peak(refinements) - peak("0");
}

TEST(Parallel, RanksShareTheMemory)
{
  // Four times the body on four ranks takes four times the memory, and the same body no more than on one rank, but for cells and nodes at
  // the borders. A refined mesh that every rank holds would take four times as much, one that a single rank holds twice as much.
  const std::vector<std::string> explicit_run{"Elements/Mass=lumped", "Integrator/newmark/beta=0", "Mesh/box/Size=10, 10, 10"},
      implicit_run{"Linear solver/Type=cg", "Linear solver/cg/Preconditioner=jacobi", "Mesh/box/Size=10, 10, 10"};
  const std::string long_body = "Mesh/box/Size=40, 10, 10", probe = "Probes/tip/Point=10, 10, 10";
  for (const auto &[settings, refinements] : {std::pair(explicit_run, "4"), std::pair(implicit_run, "3")})
  {
    std::vector<std::string> one = settings, four = settings;
    one.push_back(probe);
    four.back() = long_body;
    four.push_back(probe);
    const double alone = memory_of("2, 2, 2", refinements, 1, one);
    EXPECT_LT(memory_of("8, 2, 2", refinements, 4, four) / (4. * alone), 1.3);
    EXPECT_LT(memory_of("2, 2, 2", refinements, 4, one) / alone, 1.6);
  }
}

TEST(Parallel, MemoryThatIsNotSharedIsSeen)
{
  // The coarse mesh is on every rank: the measure of the test above can fail. (Distorted: a box that is not might be refined from fewer
  // cells.)
  const auto peak = [](const std::string &cells, const int ranks) {
    const Folder folder;
    const Outcome run = run_program(folder, "verification/implicit-beam.prm",
                                    {"Mesh/Subdivisions=" + cells, "Mesh/box/Distortion=0.1", "Elements/Mass=lumped",
                                     "Integrator/newmark/beta=0", "Time/Time step=1e-5", "Time/End time=2e-5", "Output/Write every=never"},
                                    ranks, own_program);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    return run.summary.value("peak memory MiB", 0.);
  };
  EXPECT_GT((peak("24, 24, 24", 4) - peak("2, 2, 2", 4)) / (peak("24, 24, 24", 1) - peak("2, 2, 2", 1)), 2.);
}
}  // namespace
}  // namespace symdyn::tests::in_parallel
