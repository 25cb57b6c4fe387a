// Bodies that yield, with constants over the temperature: CalculiX' numbers, energies, restarts.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/heated_decks.h"
#include "tests/in_process.h"
#include "tests/inp_model.h"

namespace symdyn::tests::in_heated_flow_decks
{
using namespace heated_decks;
namespace
{
/// A bar held at both ends and heated by 1500 in ten increments.
std::string held_bar(const std::string &plastic)
{
  return rod(1, "*ELASTIC\n210000., .3, 0.\n100000., .3, 2000.\n" + plastic + "*EXPANSION, ZERO=0.\n12.E-6\n") +
         "*BOUNDARY\nROOT, 1\nTIP, 1\n1, 1, 3\n2, 3\n*INITIAL CONDITIONS, TYPE=TEMPERATURE\nALL, 0.\n"
         "*STEP\n*STATIC, DIRECT\n.1, 1.\n*TEMPERATURE\nALL, 1500.\n*EL PRINT, ELSET=BODY\nS\n*END STEP\n";
}
const std::string three_curves =
    "*PLASTIC\n800., 0., 0.\n1600., .1, 0.\n600., 0., 1000.\n1000., .05, 1000.\n400., 0., 2000.\n500., .2, 2000.\n";

std::vector<double> stresses(const std::string &text)
{
  std::vector<double> all;
  for (std::size_t at = text.find(" stresses"); at != std::string::npos; at = text.find(" stresses", at + 1))
    all.push_back(rows_below(text.substr(at), " stresses").at(0).at(2));
  return all;
}

/// A block that swings while it is heated and cooled, and yields.
std::string swing(const std::string &constants_when_hot)
{
  const std::string cold = "set E = 1000\nset nu = 0.3\nset Yield stress = 5\nset Hardening modulus = 100\n";
  return block() +
         section("Materials", section("steel", "set Type = plastic\nset Density = 1\nset Expansion = 12e-6\nset Temperature = 0\n" + cold +
                                                   section("At temperatures", section("20000", constants_when_hot)))) +
         hot("20 + 4000*sin(5*t)^2*(1 + x)") + section("Newton", "set Tolerance = 1e-9") +
         section("Linear solver", "set Tolerance = 1e-13") + section("Supports", section("x-", "set Boundary = x-\nset Type = fixed")) +
         section("Loads", section("push", "set Type = traction\nset Boundary = x+\nset Traction = 0, 3*sin(3*t), 0")) + corner +
         section("Integrator", "set Scheme = discrete-gradient") + section("Time", "set Time step = 0.02\nset End time = 0.4") +
         section("Output", "set Checkpoint every = 5\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
const std::string soft = "set E = 700\nset nu = 0.25\nset Yield stress = 2\nset Hardening table = 0 2, 0.05 4, 0.2 5\n",
                  soft_by_table = "set E = 700\nset nu = 0.25\nset Hardening table = 0 2, 0.05 4, 0.2 5\n";
}  // namespace

/// CalculiX 2.20 prints these stresses for its deck beampt with the same tables and small strains; they agree in all digits, at
/// temperatures between those of the curves, too.
TEST(HeatedFlowDecks, HeldBarOfThreeCurvesIsThatOfCalculix)
{
  const std::vector<double> calculix = {-3.631500E+02, -6.966000E+02, -7.220197E+02, -7.057038E+02, -6.893211E+02,
                                        -6.728617E+02, -6.533537E+02, -6.253714E+02, -5.935726E+02, -5.579032E+02};
  const std::vector<double> ours = stresses(tables_of(held_bar(three_curves)));
  ASSERT_EQ(ours.size(), calculix.size());
  for (std::size_t k = 0; k < ours.size(); ++k)
    EXPECT_NEAR(ours[k], calculix[k], 1e-4) << "increment " << k + 1;
  const std::vector<double> cold = stresses(tables_of(held_bar("*PLASTIC\n800., 0.\n1600., .1\n")));
  EXPECT_LT(cold.back(), -800.) << "the temperature matters";
}

/// The energy balance with W_thermal, which has the energy of hardening at two temperatures, closes to rounding at any step size.
TEST(HeatedFlowDecks, EnergyMomentumStepsBalanceToRounding)
{
  const Folder folder;
  const History history = run_well(folder, swing(soft_by_table)).history;
  EXPECT_GT(history.last("E_inelastic"), 1e-2);
  EXPECT_GT(std::abs(history.last("W_thermal")), 1e-3);
  double last = 0.;
  for (const double value : history["E_balance_error"])
    EXPECT_LT(std::abs(value), 1e-9);
  for (const double value : history["E_inelastic"])
  {
    EXPECT_GE(value, last);
    last = value;
  }
  const Folder other;
  const double of_cold =
      run_well(other, swing("set E = 1000\nset nu = 0.3\nset Yield stress = 5\nset Hardening modulus = 100\n")).history.last("E_inelastic");
  EXPECT_GT(std::abs(of_cold - last), 0.05 * last) << "the temperature matters";
}

TEST(HeatedFlowDecks, StopsAndGoesOnWithTheSameBits)
{
  const Folder parts, undisturbed;
  const std::string text = swing(soft_by_table);
  const History half = run_well(parts, text, {"Time/End time=0.14"}).history, whole = run_well(undisturbed, text).history;
  const Outcome rest = tool(
      parts, fmt::format("run {} --restart {} --quiet --set 'Time/End time=0.4'", quoted(parts / "deck.prm"), quoted(parts / "results")));
  EXPECT_EQ(rest.exit_code, 0) << rest.terminal;
  const History resumed = read_history(parts / "results/history.csv");
  for (const char *column : {"E_kinetic", "E_potential", "E_inelastic"})
  {
    EXPECT_EQ(resumed.last(column), whole.last(column)) << column;
    EXPECT_NE(half.last(column), whole.last(column)) << column;
  }
}

TEST(HeatedFlowDecks, FaultsOfConstantsAreNamed)
{
  expect_refused(swing(soft), "the hardening table gives it, at p = 0");
  expect_refused(swing("set E = 700\nset nu = 0.25\n"), "Yield stress is missing");
}
}  // namespace symdyn::tests::in_heated_flow_decks
