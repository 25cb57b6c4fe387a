// Rates in static stages, and warnings of increments that laws cannot follow.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_rate_decks
{
namespace
{
const std::string tight =
    section("Newton", "set Tolerance = 1e-12\nset Max iterations = 60") + section("Linear solver", "set Tolerance = 1e-13");

std::string roller(const std::string &boundary, const std::string &components)
{
  return section(boundary, "set Boundary = " + boundary + "\nset Type = displacement\nset Displacement = " + components);
}
/// A cube that is pulled along x to this displacement, free to thin.
std::string pulled(const std::string &law, const std::string &displacement)
{
  return section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1\nset Element = mean-dilatation") +
         section("Materials", section("metal", "set Density = 1\nset nu = 0.3\n" + law)) + tight +
         section("Supports", roller("x-", "0, free, free") + roller("y-", "free, 0, free") + roller("z-", "free, free, 0") +
                                 section("pull", "set Boundary = x+\nset Type = displacement\nset Displacement = " + displacement));
}
/// Plane strain, sheared to gamma at the time of the stage.
std::string sheared(const std::string &kinematics, const double gamma, const std::string &stage)
{
  return section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 2, 2\n") +
         section("Materials", section("metal",
                                      "set Density = 1\nset Type = plastic\nset E = 1000\nset nu = 0.3\nset Yield stress = 4\n"
                                      "set Hardening modulus = 10\nset Kinematics = " +
                                          kinematics)) +
         tight +
         section("Supports",
                 section("all", fmt::format("set Boundary = x-, x+, y-, y+\nset Type = displacement\nset Displacement = {}*y, 0", gamma))) +
         stages(section("shear", "set Type = static\n" + stage));
}
const std::string plastic = "set Type = plastic\nset E = 1000\nset Yield stress = 4\nset Hardening modulus = 100\n";

double force(const std::string &deck, std::string *said = nullptr)
{
  const Folder folder;
  const Outcome outcome = run_well(folder, deck);
  if (said)
    *said = outcome.terminal + outcome.log;
  return outcome.history.last("pull.R_x");
}
std::string stage(const std::string &entries) { return stages(section("pull", "set Type = static\nset Increments = 4\n" + entries)); }
}  // namespace

/// Rates = no: the curve without overstress, no creep, no relaxation, with and without a Duration. Rates = yes: what they do.
TEST(RateDecks, StaticStagesWithoutRates)
{
  const std::string pull = "0.02, free, free",
                    overstress = plastic + "set Kinematics = small\nset Rate = norton\n" +
                                 section("norton", "set Drag stress = 3\nset Exponent = 4"),
                    creeping =
                        "set Type = creep\nset E = 1000\nset Kinematics = small\nset Creep coefficient = 1e-3\nset Creep exponent = 2\n",
                    relaxing =
                        "set Type = viscoelastic\nset Elastic = linear-elasticity\nset E = 1000\nset Shear ratios = 0.5\n"
                        "set Bulk ratios = 0.5\nset Times = 2\n";
  const double slow = force(pulled(plastic + "set Kinematics = small\n", pull) + stage(""));
  for (const std::string time : {"", "set Duration = 3\n"})
  {
    std::string said;
    EXPECT_NEAR(force(pulled(overstress, pull) + stage(time + "set Rates = no"), &said), slow, 1e-10 * slow);
    EXPECT_NE(said.find("nothing creeps or relaxes, and flow needs no overstress"), std::string::npos) << said;
    EXPECT_NEAR(force(pulled(creeping, pull) + stage(time + "set Rates = no")), 20., 1e-9);
    EXPECT_NEAR(force(pulled(relaxing, pull) + stage(time + "set Rates = no")), 20., 1e-9);
  }
  for (const std::string &law : {overstress, creeping, relaxing})
  {
    const double without = force(pulled(law, pull) + stage("set Rates = no")),
                 with = force(pulled(law, pull) + stage("set Duration = 3\nset Rates = yes")),
                 usual = force(pulled(law, pull) + stage("set Duration = 3\n"));
    EXPECT_GT(std::abs(with - without), 0.05 * without) << "the control must fail";
    EXPECT_EQ(with, usual);
    expect_refused(pulled(law, pull) + stage("set Rates = yes"), "Give its Duration [s], or set Rates = no");
  }
  expect_refused(pulled(plastic, pull) + stage("set Rates = no"), "Rates has no effect");
}

/// What a stage without rates stores relaxes in a later one that has them.
TEST(RateDecks, MemoryOfAStageWithoutRatesRelaxesLater)
{
  const std::string law =
      "set Type = viscoelastic\nset Elastic = linear-elasticity\nset E = 1000\nset Shear ratios = 0.5\n"
      "set Bulk ratios = 0.5\nset Times = 2\n";
  const double F =
      force(pulled(law, "0.02, free, free") + stages(section("jump", "set Type = static\nset Rates = no\n") +
                                                     section("hold", "set Type = static\nset Duration = 3\nset Increments = 3\n")));
  EXPECT_NEAR(F, 20. * (0.5 + 0.5 * std::exp(-1.5)), 1e-9);
}

/// An increment of dp = 0.556 is halved if it may, and else warned of, with its cell.
TEST(RateDecks, LargeFlowIsHalvedOrWarnedOf)
{
  const std::string deck = pulled(plastic, "0.85, free, free"), warning = "plastic strain grows by 0.556";
  std::string said;
  force(deck + stages(section("pull", "set Type = static\nset Increments = 1")), &said);
  EXPECT_NE(said.find(warning), std::string::npos) << said;
  EXPECT_NE(said.find("in the cell around X = (0.5, 0.5, 0.5)"), std::string::npos) << said;
  force(deck + stages(section("pull", "set Type = static\nset Increments = 1\nset Halve on failure = yes")), &said);
  EXPECT_NE(said.find("of the loads fails and is halved: plastic strain grows"), std::string::npos) << said;
  EXPECT_EQ(said.find("warning: stage pull"), std::string::npos) << said;
  force(deck + stages(section("pull", "set Type = static\nset Increments = 4")), &said);
  EXPECT_EQ(said.find("plastic strain grows"), std::string::npos) << said;
  const std::string moving = pulled(plastic, "0.85*t, free, free") + section("Integrator", "set Scheme = newmark") +
                             section("Time", "set Time step = 1\nset End time = 1\nset Halve on failure = no");
  force(moving, &said);
  EXPECT_NE(said.find(warning), std::string::npos) << said;
  std::string divided = moving;
  divided.replace(divided.find("failure = no"), 12, "failure = yes");
  force(divided, &said);
  EXPECT_NE(said.find("fails and is halved: plastic strain grows"), std::string::npos) << said;
}

/// CETOL of *VISCO: creep grows by no more in any increment.
TEST(RateDecks, LargestFlowDividesIncrements)
{
  const std::string deck = pulled(
      "set Type = creep\nset E = 1000\nset Kinematics = small\nset Creep coefficient = 1e-3\nset Creep exponent = 2\n", "0.02, free, free");
  const auto growths = [&](const std::string &entries) {
    const Folder folder;
    const History history =
        run_well(folder, deck + stages(section("pull", "set Type = static\nset Increments = 2\nset Duration = 3\n" + entries))).history;
    std::vector<double> all;
    for (std::size_t row = 1; row < history.rows(); ++row)
      all.push_back(history["p_max"][row] - history["p_max"][row - 1]);
    return all;
  };
  const auto divided = growths("set Halve on failure = yes\nset Largest flow = 1e-3");
  EXPECT_GT(divided.size(), 10u);
  for (const double growth : divided)
    EXPECT_LE(growth, 1e-3);
  const auto free = growths("set Halve on failure = yes");
  ASSERT_EQ(free.size(), 2u);
  EXPECT_GT(free.front(), 2e-3) << "control";
  std::string said;
  force(deck + stages(section("pull", "set Type = static\nset Increments = 2\nset Duration = 3\nset Largest flow = 1e-3")), &said);
  EXPECT_NE(said.find("more than 0.001 (Largest flow)"), std::string::npos) << said;
}

/// A spring has an exact rule: ten times its elongation at first yield in one increment is neither halved nor warned of.
TEST(RateDecks, SpringsFlowAsFarAsTheyLike)
{
  const Folder folder;
  const Outcome outcome =
      run_well(folder, "set Structure = discrete\n" +
                           section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                                                 section("mass", "set Mass = 1\nset Position = 1")) +
                           section("Springs", section("leg",
                                                      "set From = wall\nset To = mass\nset Stiffness = 100\nset Law = plastic\n"
                                                      "set Yield force = 5\nset Hardening stiffness = 10")) +
                           section("Forces", section("push", "set Points = mass\nset Force = 10")) +
                           stages(section("push", "set Type = static\nset Increments = 1\nset Halve on failure = yes")));
  EXPECT_EQ(outcome.terminal.find("plastic strain grows"), std::string::npos) << outcome.terminal;
  EXPECT_GT(outcome.history.last("p_max"), 0.5);
}

/// gamma = 2: the axis of the largest strain, 0.88, has turned by 22 degrees; it has not at gamma = 1, nor without a logarithm to add.
TEST(RateDecks, LogarithmsOfTurningAxesAreWarnedOf)
{
  const auto warns = [](const std::string &kinematics, const double gamma) {
    const Folder folder;
    const std::string said = run_well(folder, sheared(kinematics, gamma, "set Increments = 30")).terminal;
    return said.find("its axes have turned by 2") != std::string::npos && said.find("around X = (") != std::string::npos;
  };
  EXPECT_TRUE(warns("logarithmic", 2.));
  EXPECT_FALSE(warns("logarithmic", 1.));
  EXPECT_FALSE(warns("multiplicative", 2.));
}

/// Below a tenth of the step, and above 1e6 times the end: by the number of the term. The moduli of `check`.
TEST(RateDecks, TimesOfTermsAreComparedWithTheRun)
{
  const auto said = [](const std::string &times) {
    const Folder folder;
    std::ofstream(folder / "deck.prm") << pulled(
                                              "set Type = viscoelastic\nset Elastic = linear-elasticity\nset E = 1300\n"
                                              "set Shear ratios = 0.3, 0.2\nset Bulk ratios = 0.1, 0\nset Times = " +
                                                  times,
                                              "0.01*t, free, free") +
                                              section("Integrator", "set Scheme = newmark") +
                                              section("Time", "set Time step = 0.1\nset End time = 1");
    return tool(folder, "check " + (folder / "deck.prm")).terminal;
  };
  const std::string ordinary = said("0.02, 1e5");
  EXPECT_EQ(ordinary.find("warning: stage"), std::string::npos) << ordinary;
  const double E = 1300., G = E / 2.6, K = E / 1.2;
  EXPECT_NE(ordinary.find(fmt::format("t = 0 s: shear modulus {:.6g} Pa, bulk modulus {:.6g} Pa", G, K)), std::string::npos) << ordinary;
  EXPECT_NE(ordinary.find(fmt::format("t = 0.1 s: shear modulus {:.6g} Pa", G * (0.7 + 0.3 * std::exp(-5.) - 0.2 * 1e-6))),
            std::string::npos)
      << ordinary;
  EXPECT_NE(ordinary.find(fmt::format("t = infinity: shear modulus {:.6g} Pa, bulk modulus {:.6g} Pa", 0.5 * G, 0.9 * K)),
            std::string::npos)
      << ordinary;
  EXPECT_NE(said("2, 0.005").find("term 2 of Times of material 'metal' relaxes in 0.005 s, below a tenth of the step of 0.1 s"),
            std::string::npos);
  EXPECT_NE(said("2e6, 1").find("term 1 of Times of material 'metal' relaxes in 2e+06 s, above 1e+06 times the end"), std::string::npos);
}
}  // namespace symdyn::tests::in_rate_decks
