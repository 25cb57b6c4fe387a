// Creep beside plastic flow, and heat of plastic work: runs in parts by the program, and ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "tests/in_process.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_flow_restarts
{
namespace
{
const std::string creeping =
                      "set Type = creep\nset Creep coefficient = 1e-2\nset Creep exponent = 2\nset Time exponent = -0.3\nset Hardens by = "
                      "strain\nset Yield stress = 4\nset Hardening modulus = 30",
                  heating =
                      "set Type = plastic\nset Yield stress = 4\nset Hardening modulus = 30\nset Heat fraction = 0.9\nset Specific heat = "
                      "0.002\nset Room temperature = 20\nset Melting temperature = 1500\nset Softening exponent = 1";

std::string thrown(const std::string &law, const std::string &scheme, const std::string &step)
{
  return section("Mesh",
                 "set Type = box\nset Subdivisions = 4, 2, 2\nset Element = mean-dilatation\n" + section("box", "set Size = 2, 1, 1")) +
         section("Materials", section("metal", "set E = 1000\nset nu = 0.3\nset Density = 1\n" + law)) +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Initial conditions", "set Velocity = 0.8*x, 0.5*x*x, 0.2*x") + section("Probes", section("tip", "set Point = 2, 1, 1")) +
         section("Newton", "set Tolerance = 1e-13") + section("Linear solver", "set Tolerance = 1e-13") +
         section("Elements", "set Mass = lumped") + section("Integrator", "set Scheme = " + scheme) +
         section("Time", "set Time step = " + step + "\nset End time = 0.2") +
         section("Output", "set Checkpoint every = 10\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
const std::vector<std::string> columns{"tip.u_x", "tip.u_y", "E_potential", "E_inelastic", "p_max"};
}  // namespace

TEST(FlowRestarts, PartsOfARunAreTheRun)
{
  for (const std::string &law : {creeping, heating})
    for (const auto &[scheme, step, part] : {std::tuple{"central-difference", "0.002", 40}, {"newmark", "0.01", 7}})
    {
      const Folder whole, split;
      const std::string deck = thrown(law, scheme, step);
      const History history = run_well(whole, deck).history;
      EXPECT_GT(history.last("E_inelastic"), 0.02 * history["E_kinetic"].front());
      ASSERT_EQ(run_in_parts(split, write_file(split, "deck.prm", deck), {}, part).exit_code, 0);
      const History divided = read_history(split / "results/history.csv");
      for (const std::string &column : columns)
        EXPECT_EQ(divided.last(column), history.last(column)) << scheme << column;
    }
}

/// 100 steps on 1, 2 and 3 ranks.
TEST(FlowRestarts, RanksAgree)
{
  for (const std::string &law : {creeping, heating})
  {
    const std::string deck = thrown(law, "central-difference", "0.002");
    const Folder one;
    const History history = run_well(one, deck).history;
    for (const int ranks : {2, 3})
    {
      const Folder more;
      const History same = run_well(more, deck, {}, ranks).history;
      for (const std::string &column : columns)
        EXPECT_NEAR(same.last(column), history.last(column), 1e-12 * std::abs(history.last(column))) << column << ranks;
    }
  }
}
}  // namespace symdyn::tests::in_flow_restarts
