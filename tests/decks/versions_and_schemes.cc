#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

#include "solver/integrator.h"
#include "solver/registry.h"
#include "tests/run.h"

// `symdyn schemes` and `symdyn doctor`.
namespace symdyn::tests::in_information
{
namespace
{
/// The words of the line of a scheme; empty: there is none.
std::vector<std::string> line_of(const std::string &table, const std::string &scheme)
{
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);)
  {
    std::istringstream words(line);
    std::vector<std::string> row{std::istream_iterator<std::string>(words), {}};
    if (!row.empty() && row.front() == scheme)
      return row;
  }
  return {};
}

TEST(Information, SchemesHaveALineEach)
{
  const Folder folder;
  const Outcome run = tool(folder, "schemes");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  for (const std::string &name : Registry<Integrator>::instance().names())
    EXPECT_EQ(line_of(run.terminal, name).size(), 12u) << name << " in\n" << run.terminal;
  using Row = std::vector<std::string>;
  // scheme, order, symplectic, P, J, energy, reversible, stable h omega, solves, damping, constraints, memory; as docs/schemes.md has them
  EXPECT_EQ(line_of(run.terminal, "midpoint"),
            (Row{"midpoint", "2", "yes", "yes", "yes", "band", "yes", "any", "equations", "yes", "no", "yes"}));
  EXPECT_EQ(line_of(run.terminal, "newmark"),
            (Row{"newmark", "2", "x", "yes", "x", "band", "yes", "any", "equations", "yes", "no", "yes"}));
  const Row rk4 = line_of(run.terminal, "rk4"), zhang_skeel = line_of(run.terminal, "zhang-skeel"),
            rattle = line_of(run.terminal, "rattle");
  EXPECT_EQ(rk4[1], "4");
  EXPECT_EQ(rk4[2], "no") << "it is not symplectic";
  EXPECT_EQ(rk4[8], "none") << "it is explicit";
  EXPECT_EQ(zhang_skeel[9], "no") << "it refuses damping";
  EXPECT_EQ(rattle[10], "yes") << "it keeps constraints";
  EXPECT_EQ(line_of(run.terminal, "simo-tarnow")[5], "kept");
}

TEST(Information, DoctorFindsWhatThereIs)
{
  const Folder folder;
  const Outcome run = command(folder, "exec " SYMDYN_BINARY " doctor --json");  // "exec": a program of its own, beside symdyn-render
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const nlohmann::json facts = nlohmann::json::parse(run.terminal);
  EXPECT_EQ(facts["versions"]["symdyn"], SYMDYN_VERSION);
  EXPECT_GT(facts["machine"]["processors"], 0);
  EXPECT_GT(facts["machine"]["free disk GiB"], 0.);
  EXPECT_EQ(has(facts["versions"]["deal.II"], "9."), "");
  EXPECT_EQ(has(command(folder, "exec " SYMDYN_BINARY " doctor").terminal, "available memory GiB"), "");
  // A path without programs.
  const Outcome nothing = command(folder, "PATH=" + folder.path + " " SYMDYN_BINARY " doctor");
  EXPECT_EQ(has(nothing.terminal, "gmsh"), "");
  EXPECT_EQ(has(nothing.terminal, "not found. It is for runs on several ranks. Install openmpi-bin"), "");
  EXPECT_EQ(has(nothing.terminal, "not found. It is for films (.mp4, .webm) of `symdyn render`; GIF needs no program. Install ffmpeg"), "");
}
}  // namespace
}  // namespace symdyn::tests::in_information
