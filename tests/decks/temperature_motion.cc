// Heated bodies that move: energies, schemes, restarts, ranks.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/heated_decks.h"
#include "tests/in_process.h"

namespace symdyn::tests::in_temperature_motion
{
using namespace heated_decks;
namespace
{
/// A block that swings while it is heated and cooled.
std::string swing(const std::string &scheme, const std::string &step, const std::string &law = "neo-hooke-log",
                  const std::string &field = "20 + 4000*sin(5*t)^2*(1 + x)")
{
  return block() +
         section("Materials",
                 section("steel", "set Type = " + law + "\nset E = 1000\nset nu = 0.3\nset Density = 1\nset Expansion = 12e-6\n" +
                                      (law == "plastic" ? "set Yield stress = 5\nset Hardening modulus = 100\n" : ""))) +
         hot(field) + section("Newton", "set Tolerance = 1e-9") + section("Linear solver", "set Tolerance = 1e-13") +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 3*sin(3*t), 0")) + corner +
         section("Integrator", "set Scheme = " + scheme) + section("Time", "set Time step = " + step + "\nset End time = 0.4") +
         section("Output", "set Checkpoint every = 5\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
}  // namespace

/// The balance with W_thermal closes with the order of the scheme; that of the discrete gradient to rounding, also of a body that yields.
TEST(Temperature, BalanceOfHeatedMotion)
{
  const auto error = [](const std::string &scheme, const std::string &step, const std::string &law) {
    const Folder folder;
    const History history = run_well(folder, swing(scheme, step, law)).history;
    EXPECT_GT(std::abs(history.last("W_thermal")), 1e-3);
    double worst = 0.;
    for (const double value : history["E_balance_error"])
      worst = std::max(worst, std::abs(value));
    return worst;
  };
  for (const std::string scheme : {"newmark", "midpoint"})
    EXPECT_NEAR(0.5 * std::log2(error(scheme, "0.02", "neo-hooke-log") / error(scheme, "0.005", "neo-hooke-log")), 2., 0.15) << scheme;
  for (const std::string law : {"neo-hooke-log", "plastic"})
    EXPECT_LT(error("discrete-gradient", "0.02", law), 1e-9) << law;
}

/// Explicit and implicit schemes tend to one motion, those of order 2 as h².
TEST(Temperature, SchemesAgree)
{
  const auto tip = [](const std::string &scheme, const std::string &step) {
    const Folder folder;
    return run_well(folder, swing(scheme, step), {"Elements/Mass=lumped", "Time/End time=0.2"}).history.last("corner.u_y");
  };
  const double fine = tip("central-difference", "0.0001");
  for (const std::string scheme : {"newmark", "midpoint", "discrete-gradient", "hht-alpha"})
  {
    const double coarse = std::abs(tip(scheme, "0.004") - fine), finer = std::abs(tip(scheme, "0.001") - fine);
    EXPECT_LT(finer, 2e-4 * std::abs(fine)) << scheme;
    EXPECT_GT(coarse, 10. * finer) << scheme;
  }
}

/// Temperatures that stay refuse no scheme: the body moves about its heated state, as one of a hotter, larger law would.
TEST(Temperature, SteadyTemperaturesRefuseNoScheme)
{
  const auto tip = [](const std::string &scheme, const std::string &field) {
    const Folder folder;
    return run_well(folder, swing(scheme, "0.0005", "neo-hooke-log", field), {"Elements/Mass=lumped"}).history.last("corner.u_y");
  };
  const double reference = tip("rk4", "1020 + 2000*x");
  for (const std::string scheme : {"newmark", "zhang-skeel", "stormer-verlet", "midpoint"})
    EXPECT_NEAR(tip(scheme, "1020 + 2000*x"), reference, 5e-3 * std::abs(reference)) << scheme;
  EXPECT_GT(std::abs(tip("rk4", "20") - reference), 2e-2 * std::abs(reference)) << "temperatures matter";
  expect_refused(swing("zhang-skeel", "0.0005"),
                 "cannot follow materials with a memory, of flow, of friction or of temperatures that change");
}

TEST(Temperature, SplitRunsAreWholeRuns)
{
  for (const std::string law : {"neo-hooke-log", "plastic"})
  {
    const Folder straight, split;
    const std::string deck = swing("newmark", "0.02", law);
    const State whole = state_after(deck, options_of(straight));
    state_after(deck, options_of(split), 7);
    const State resumed = state_after(deck, options_of(split, true));
    EXPECT_TRUE(same(whole.q, resumed.q) && same(whole.v, resumed.v)) << law;
  }
}

TEST(Temperature, RanksAgree)
{
  const Folder one, three;
  const History a = run_well(one, swing("newmark", "0.02", "plastic")).history,
                b = run_well(three, swing("newmark", "0.02", "plastic"), {}, 3).history;
  for (const char *column : {"corner.u_y", "W_thermal", "E_inelastic"})
    EXPECT_NEAR(a.last(column), b.last(column), 1e-9 * std::abs(a.last(column))) << column;
}
}  // namespace symdyn::tests::in_temperature_motion
