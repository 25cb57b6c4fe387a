// Bodies with stresses and plastic strains at the start: CalculiX' numbers, heated bodies, energies, restarts, ranks, what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/heated_decks.h"
#include "tests/in_process.h"
#include "tests/inp_model.h"

namespace symdyn::tests::in_initial_state
{
using namespace heated_decks;
namespace
{
/// A rod of three cells with a state in one of them.
std::string rod_with(const std::string &type, const int element, const std::string &value, const int points = 8)
{
  std::string rows;
  for (int p = 1; p <= points; ++p)
    rows += fmt::format("{}, {}, {}\n", element, p, value);
  return rod(3, "*ELASTIC\n2.1e5, 0.3\n") + "*BOUNDARY\nROOT, 1, 3\n*INITIAL CONDITIONS, TYPE=" + type + "\n" + rows +
         "*STEP\n*STATIC\n1., 1.\n*NODE PRINT, NSET=ALL\nU\n*EL PRINT, ELSET=BODY\nS\n*END STEP\n";
}
const std::string stress_rows = "-100., -50., -20., 10., 5., -8.", strain_rows = ".002, -.001, -.001, .0005, 0., 0.";

void expect_row(const std::vector<double> &row, const std::vector<double> &expected, const double tolerance)
{
  ASSERT_EQ(row.size(), expected.size());
  for (std::size_t i = 0; i < row.size(); ++i)
    EXPECT_NEAR(row[i], expected[i], tolerance) << i;
}

/// A block that swings, with a law, a state at the start and a temperature.
std::string swing(const std::string &law, const std::string &state, const std::string &field = "",
                  const std::string &scheme = "discrete-gradient")
{
  return block() +
         section("Materials", section("steel", "set Type = " + law + "\nset E = 1000\nset nu = 0.3\nset Density = 1\n" +
                                                   (field.empty() ? "" : "set Expansion = 1e-3\n") +
                                                   (law == "plastic" ? "set Yield stress = 5\nset Hardening modulus = 100\n" : ""))) +
         (state.empty() ? "" : section("Initial state", section("start", state))) + (field.empty() ? "" : hot(field)) +
         section("Newton", "set Tolerance = 1e-10") + section("Linear solver", "set Tolerance = 1e-13") +
         section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) + corner +
         section("Integrator", "set Scheme = " + scheme) + section("Time", "set Time step = 0.02\nset End time = 0.4") +
         section("Output", "set Checkpoint every = 5\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
const std::string bending = "set Stress = 8*(y - 0.5) + x, 2, -1, 0.5, 0, x*z\n";
}  // namespace

/// Numbers of CalculiX 2.20 for the same files.
TEST(InitialStateDecks, StressIsThatOfCalculix)
{
  const std::string text = tables_of(rod_with("STRESS", 3, stress_rows));
  EXPECT_GT(text.size(), 100u);
  expect_row(of_node(rows_below(text, " displacements"), 15), {3.659077E-04, -5.318994E-05, -1.000875E-04}, 1e-10);
  expect_row(rows_below(text, " stresses").at(8),
             {2, 1, 4.861026E-01, 4.326359E-01, -7.292406E-01, -1.146947E+00, 1.302418E+00, 1.704714E-01}, 2e-6);
}

TEST(InitialStateDecks, PlasticStrainIsThatOfCalculix)
{
  const std::string text = tables_of(rod_with("PLASTIC STRAIN", 2, strain_rows));
  expect_row(of_node(rows_below(text, " displacements"), 15), {2.055496E-03, 1.088874E-03, 8.887399E-05}, 1e-9);
  expect_row(rows_below(text, " stresses").at(8), {2, 1, 2.194086E+00, 1.306139E+02, 1.306139E+02, 7.313619E-01, 7.313619E-01, 0.}, 1e-4);
}

/// A plastic strain ln(1 + eps_th) I is the state of a body heated by it: all motion is the same, and none of it is that of the cold body.
TEST(InitialStateDecks, PlasticStrainIsAThermalStrain)
{
  for (const std::string law : {"neo-hooke-log", "linear-elasticity", "plastic"})
  {
    SCOPED_TRACE(law);
    const std::string strain = fmt::format("{:.17g}", law == "linear-elasticity" ? 0.02 : std::log(1.02));
    const Folder cold, hot, started;
    const std::vector<double> heated_u = run_well(hot, swing(law, "", "40 - 0*x")).history["corner.u_y"],
                              started_u = run_well(started, swing(law, "set Plastic strain = " + strain + ", " + strain + ", " + strain +
                                                                           ", 0, 0, 0"))
                                              .history["corner.u_y"];
    ASSERT_EQ(heated_u.size(), started_u.size());
    double largest = 0.;
    for (std::size_t k = 0; k < heated_u.size(); ++k)
    {
      EXPECT_NEAR(heated_u[k], started_u[k], 1e-9);
      largest = std::max(largest, std::abs(heated_u[k]));
    }
    EXPECT_GT(largest, 1e-3);
  }
}

/// The same with constants over the temperature: those of 40 degrees act in both bodies, and are not those of 20.
TEST(InitialStateDecks, ConstantsOverTheTemperature)
{
  const auto over = [](std::string deck, const std::string &hot_constants) {
    const std::string nu = "set nu = 0.3\n";
    return deck.replace(deck.find(nu), nu.size(),
                        nu + "set Temperature = 20\n" + section("At temperatures", section("60", "set nu = 0.35\n" + hot_constants)));
  };
  const std::string at_40 = section("Temperature", "set Initial = 40");
  for (const std::string law : {"neo-hooke-log", "linear-elasticity", "plastic"})
  {
    SCOPED_TRACE(law);
    const std::string strain = fmt::format("{:.17g}", law == "linear-elasticity" ? 0.02 : std::log(1.02)),
                      more = law == "plastic" ? "set Yield stress = 3\nset Hardening modulus = 60\n" : "",
                      state = "set Plastic strain = " + strain + ", " + strain + ", " + strain + ", 0, 0, 0",
                      deck = over(swing(law, state) + at_40, "set E = 500\n" + more);
    const auto corner_of = [](const std::string &text) {
      const Folder folder;
      return run_well(folder, text).history["corner.u_y"];
    };
    const std::vector<double> expected = corner_of(over(swing(law, "", "40 - 0*x"), "set E = 500\n" + more)), started = corner_of(deck),
                              cold = corner_of(swing(law, state));
    ASSERT_EQ(started.size(), expected.size());
    double difference = 0.;
    for (std::size_t k = 0; k < started.size(); ++k)
    {
      EXPECT_NEAR(started[k], expected[k], 1e-9);
      difference = std::max(difference, std::abs(started[k] - cold[k]));
    }
    EXPECT_GT(difference, 1e-4) << "the control: constants at 20 degrees";
    const Folder parted, undisturbed;
    state_after(deck, options_of(parted), 10);
    EXPECT_TRUE(same(state_after(deck, options_of(parted, true)).q, state_after(deck, options_of(undisturbed)).q)) << "a restart";
  }
  expect_refused(over(swing("neo-hooke-log", bending) + at_40, "set E = 500\n"),
                 "beside constants over the temperature a stress cannot be computed yet");
}

/// E_potential counts what the state stores; with the discrete gradient the balance closes to rounding, of a body that yields, too.
TEST(InitialStateDecks, TheBalanceClosesToRounding)
{
  for (const std::string law : {"neo-hooke-log", "plastic"})
  {
    SCOPED_TRACE(law);
    const Folder folder;
    const History history = run_well(folder, swing(law, bending)).history;
    EXPECT_GT(history["E_potential"].front(), 1e-3);
    EXPECT_GT(history["E_kinetic"].back(), 1e-7);
    for (const double value : history["E_balance_error"])
      EXPECT_LT(std::abs(value), 1e-10);
    EXPECT_EQ(history.columns.count("E_inelastic") == 1, law == "plastic");
  }
}

/// States of laws without another memory refuse no scheme.
TEST(InitialStateDecks, ElasticBodiesRefuseNoScheme)
{
  const auto tip = [](const std::string &scheme) {
    const Folder folder;
    return run_well(folder, swing("neo-hooke-log", bending, "", scheme), {"Elements/Mass=lumped", "Time/Time step=0.001"})
        .history.last("corner.u_y");
  };
  const double reference = tip("rk4");
  for (const std::string scheme : {"newmark", "zhang-skeel", "central-difference"})
    EXPECT_NEAR(tip(scheme), reference, 1e-2 * std::abs(reference)) << scheme;
}

TEST(InitialStateDecks, StopsAndGoesOnWithTheSameBits)
{
  const Folder parted, undisturbed;
  const std::string text = swing("plastic", bending);
  const State half = state_after(text, options_of(parted), 10), resumed = state_after(text, options_of(parted, true)),
              whole = state_after(text, options_of(undisturbed));
  EXPECT_TRUE(half.history);
  EXPECT_TRUE(same(resumed.q, whole.q));
  EXPECT_TRUE(same(resumed.v, whole.v));
}

TEST(InitialStateDecks, RanksAgree)
{
  const auto run = [](const int ranks) {
    const Folder folder;
    const Outcome outcome = run_deck(folder, write_file(folder, "deck.prm", swing("plastic", bending)), {}, ranks);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome.history.last("corner.u_y");
  };
  const double alone = run(1);
  EXPECT_NEAR(run(2), alone, 1e-10 * std::abs(alone));
}

TEST(InitialStateDecks, WhatCannotBeIsRefused)
{
  expect_refused(swing("neo-hooke-log", "set Stress = 1, 2, 3"), "has 3 components; needs 6");
  expect_refused(swing("neo-hooke-log", "set Stress = t, 0, 0, 0, 0, 0"), "depends on x, y, z alone");
  expect_refused(swing("neo-hooke-log", "set Stress = 1, 0, 0, 0, 0, 0\nset Plastic strain = 1, 0, 0, 0, 0, 0"), "Remove one of the two");
  expect_refused(swing("neo-hooke-log", "set Elements = A\nset Stress = 1, 0, 0, 0, 0, 0"), "of a set of elements 'A'");
  EXPECT_NE(refusal_of(rod_with("STRESS", 3, stress_rows, 4)).find("at 4 of 8 points of integration"), std::string::npos);
  EXPECT_NE(refusal_of(rod_with("STRESS", 3, stress_rows + "\n3, 2, 1., 0., 0., 0., 0., 0.")).find("has another value"), std::string::npos);
  EXPECT_NE(refusal_of(rod_with("STRESS, USER", 3, stress_rows)).find("a subroutine cannot be read"), std::string::npos);
}

/// A plastic strain at the start is a strain without stress: backstresses are 0 there, which a warning says.
TEST(InitialStateDecks, BackstressesAreZeroAtTheStart)
{
  const auto said = [](const std::string &more) {
    const Folder folder;
    return run_text(folder, swing("plastic", "set Plastic strain = 0.002, -0.001, -0.001, 0, 0, 0", "", "newmark"),
                    {"Materials/steel/Kinematics=logarithmic", "Time/End time=0.02", more})
        .terminal;
  };
  const std::string words = "material 'steel' has backstresses: they are 0 at the start";
  EXPECT_NE(said("Materials/steel/Backstress moduli=100").find(words), std::string::npos);
  EXPECT_EQ(said("Time/Time step=0.02").find(words), std::string::npos);
}
}  // namespace symdyn::tests::in_initial_state
