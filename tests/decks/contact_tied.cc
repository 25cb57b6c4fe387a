// Law = tied and Damping of contacts, run from decks.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "tests/colliding_blocks.h"
#include "tests/press.h"

namespace symdyn::tests::in_contact_tied
{
using namespace of_press;

/// Reference R10 of contact: one stress, whatever the cells, pressed and drawn.
TEST(ContactTied, BearsTensionAsItBearsPressure)
{
  for (const auto &[dim, mesh, warp] : {std::tuple{3, "", 0.}, {3, "set Cell shape = tetrahedra", 0.2}, {2, "set Order = 2", 0.}})
    for (const std::string way : {"-0.2", "0.2"})
    {
      SCOPED_TRACE(mesh + way);
      Press press(fmt::format("set Law = tied\nset Stiffness = {}", k), mesh, warp, dim);
      const double sign = way == "0.2" ? 1. : -1.;
      const Outcome run =
          run_well(press.folder, press.deck, {"Supports/push/Displacement=" + way + (dim == 3 ? ", free, free" : ", free")});
      EXPECT_EQ(run.log.find("parts that nothing joins"), std::string::npos) << "corners of both blocks are at the same places";
      const History &history = run.history;
      EXPECT_NEAR(history.last("push.R_x"), sign * stress, 1e-9 * stress);
      EXPECT_NEAR(history.last("touch.force_x"), sign * stress, 1e-9 * stress);
      EXPECT_NEAR(history.last("touch.gap"), sign * stress / k, 1e-3 * stress / k);
      EXPECT_NEAR(history.last("touch.area"), 1., 1e-9);
      if (sign < 0.)
      {
        EXPECT_LT(history.last("u.H1") / (stress / E), 1e-9);
      }
    }
}

/// In the surface it has the stiffness `Stick slope`: the whole way of a stiff block goes into the layer.
TEST(ContactTied, SlidesByItsStickSlope)
{
  Press press("set Law = tied\nset Stiffness = 1e4\nset Stick slope = 10");
  const auto block = [&](const std::string &name) { return fmt::format("Materials/{}/E=1e9", name); };
  const History history = run_well(press.folder, press.deck,
                                   {block("first"), block("second"), "Supports/x/Type=fixed", "Supports/push/Displacement=0, 0.03, 0",
                                    "Supports/y/Boundary=first-y-", "Supports/z/Boundary=first-z-"})
                              .history;
  EXPECT_NEAR(history.last("touch.force_y"), 10. * 0.03, 1e-5);
}

/// A free pair of blocks that tumbles: momenta and energy are kept; far from each other the angular momentum would not be.
TEST(ContactTied, KeepsMomentaOfATumble)
{
  const CollidingBlocks tumble("set Law = tied", 0., "-2*(y - 0.5), 2*(x - 1) + z, -y");
  const History history = run_well(tumble.folder, tumble.deck, {"Integrator/Scheme=discrete-gradient", "Time/End time=0.1"}).history;
  for (const char *momentum : {"Pc_x", "Pc_y", "Pc_z", "Jc_x", "Jc_y", "Jc_z"})
    EXPECT_LT(drift(history, momentum, 1.), 1e-11) << momentum;
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  EXPECT_GT(largest(history["E_contact"]), 1e-6) << "it is stressed";
}

TEST(ContactTied, RefusesWhatItCannot)
{
  const Press press("set Law = tied");
  const auto refused = [&](const std::string &words, const std::vector<std::string> &settings) {
    const Outcome run = run_text(press.folder, press.deck, settings);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("no face of first-x+ stands before one of second-x+", {"Contact/touch/Between=first-x+, second-x+"});
  refused("has no effect with Law = tied, which holds bodies also in the surface", {"Contact/touch/Friction=0.3"});
  refused("of Law = tied is segments", {"Contact/touch/Pairing=points"});
  refused("has no effect with Law = tied", {"Contact/touch/Clearance=0.1"});
}

/// A block falls onto a damped floor: v^2 falls by what the damper takes, and nothing is lost without it.
TEST(ContactDamping, TakesWhatTheBalanceSays)
{
  const std::string deck =
      section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 2, 2\n" + section("box", "set Size = 1, 1")) +
      section("Materials", section("soft", "set Type = neo-hooke-log\nset E = 900\nset nu = 0.3\nset Density = 1")) +
      section("Obstacles", section("floor", "set Type = plane\nset Point = 0, -0.02\nset Normal = 0, 1")) +
      section("Contact", section("foot", "set Between = y-, floor\nset Stiffness = 2e4\nset Layer = 0.05")) +
      section("Initial conditions", "set Velocity = 0, -1") + section("Time", "set Time step = 0.001\nset End time = 0.3") +
      section("Integrator", "set Scheme = discrete-gradient") + section("Newton", "set Tolerance = 1e-11");
  const Folder folder;
  const auto run = [&](const std::string &c) { return run_well(folder, deck, {"Contact/foot/Damping=" + c}).history; };
  const History free = run("0"), damped = run("20"), more = run("60");
  EXPECT_LT(drift(free, "E_total", 0.5), 1e-9);
  EXPECT_LT(damped.last("E_total"), 0.5 - 0.01);
  EXPECT_LT(more.last("E_total"), damped.last("E_total") - 0.01);
  EXPECT_GT(damped.last("P_y"), 0.) << "it has bounced";
  EXPECT_LT(largest(damped["E_balance_error"]), 1e-4);
  for (std::size_t i = 1; i < damped.rows(); ++i)
    ASSERT_LE(damped["E_total"][i], damped["E_total"][i - 1] + 1e-9) << i;
}

TEST(ContactDamping, ActsBetweenSegmentsAndKeepsMomenta)
{
  const CollidingBlocks collision("set Pairing = segments\nset Damping = 20\nset Layer = 0.05", 0.01);
  const History history = run_well(collision.folder, collision.deck, {"Time/End time=0.1", "Integrator/Scheme=midpoint"}).history;
  EXPECT_LT(history.last("E_total"), history["E_total"].front() - 1e-3);
  for (const char *momentum : {"Pc_x", "Pc_y", "Pc_z", "Jc_x", "Jc_y", "Jc_z"})
    EXPECT_LT(drift(history, momentum, 1.), 1e-10) << momentum;
  const Outcome refused = run_text(collision.folder, collision.deck, {"Contact/hit/Pairing=points"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(has(refused.terminal, "of two boundaries is of Pairing = segments"), "");
}
}  // namespace symdyn::tests::in_contact_tied
