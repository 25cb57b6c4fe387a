// Bars at temperatures: closed forms, flow, the balance of motion, restarts, ranks, errors.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/heated_decks.h"
#include "tests/in_process.h"
#include "tests/parts.h"

namespace symdyn::tests::in_temperature_bars
{
using namespace heated_decks;
namespace
{
constexpr double EA = 1e6, L = 2., alpha = 1e-5, dT = 300., eps = alpha * dT;

std::string bar(const std::string &law, const std::string &more = "")
{
  return "set Structure = discrete\n" +
         section("Bars", section("bar", "set From = A\nset To = B\nset EA = 1e6\nset Expansion = 1e-5\nset Law = " + law + "\n" + more));
}
std::string ends(const std::string &second)
{
  return section("Points", section("A", "set Fixed = yes\nset Position = 0, 0, 0") + section("B", second + "\nset Position = 2, 0, 0"));
}
const std::string held_ends = ends("set Fixed = yes"), free_end = ends("set Mass = 1\nset Fixed = yes\nset Free = x"),
                  warm = hot("20 + 300*x/2 + 150"), yields = "set Area = 1e-3\nset Yield stress = 1e6\nset Hardening modulus = 1e8";

/// What a run says on the terminal.
std::string of_terminal(const std::string &deck)
{
  const Folder folder;
  return run_well(folder, deck).terminal;
}
History of(const std::string &deck)
{
  const Folder folder;
  return run_well(folder, deck).history;
}

/// A triangle of bars that swings while it is heated.
std::string swing(const std::string &scheme, const std::string &step, const std::string &law, const std::string &stiffness = "EA = 100")
{
  const auto one = [&](const std::string &name, const std::string &from, const std::string &to) {
    return section(name, "set From = " + from + "\nset To = " + to + "\nset " + stiffness + "\nset Expansion = 1e-4\nset Law = " + law +
                             (law == "plastic" ? "\nset Area = 1\nset Yield stress = 3\nset Hardening modulus = 10" : ""));
  };
  return "set Structure = discrete\n" +
         section("Points",
                 section("A", "set Fixed = yes\nset Position = 0, 0, 0") + section("B", "set Fixed = yes\nset Position = 0, 1, 0.3") +
                     section("C", "set Fixed = yes\nset Position = 0, 0.5, 1") + section("D", "set Mass = 1\nset Position = 1, 0.4, 0.3") +
                     section("E", "set Mass = 0.5\nset Position = 2, 0.6, 0.2")) +
         section("Bars", one("a", "A", "D") + one("b", "B", "D") + one("c", "C", "D") + one("d", "D", "E") + one("e", "A", "E") +
                             one("f", "C", "E")) +
         hot("20 + 400*sin(3*t)^2*(1 + x)") + section("Forces", section("push", "set Points = E\nset Force = 0, 1.5*sin(2*t), 0")) +
         section("Newton", "set Tolerance = 1e-13") + section("Integrator", "set Scheme = " + scheme) +
         section("Time", "set Time step = " + step + "\nset End time = 1") +
         section("Output", "set Checkpoint every = 5\nset Write every = 1000000") + section("Solver", "set Deterministic = yes");
}
double worst_balance(const History &history)
{
  double worst = 0.;
  for (const double value : history["E_balance_error"])
    worst = std::max(worst, std::abs(value));
  return worst;
}
}  // namespace

/// The mean of the ends is 320 degrees. A held bar has -EA e, of the strain of Green and Lagrange -EA (e + e²/2); a free one grows by e L.
TEST(HeatedBars, HeldAndFree)
{
  for (const auto &[law, force] : {std::pair{"linear", -EA * eps}, {"green-lagrange", -EA * (eps + 0.5 * eps * eps)}, {"cable", 0.}})
  {
    const History history = of(bar(law) + held_ends + warm + heating);
    EXPECT_NEAR(history.last("B.R_x"), force, 1e-9 * EA * eps) << law;
    if (force != 0.)  // one that is slack rests
    {
      EXPECT_NEAR(of(bar(law) + free_end + warm + heating).last("B.x"), L * (1. + eps), 1e-9) << law;
    }
    EXPECT_NEAR(history.last("W_thermal"), history.last("E_potential"), 1e-9) << law;
  }
  EXPECT_NEAR(
      of(bar("linear", "set Reference temperature = 0") + held_ends + section("Temperature", "set Initial = 100\nset Field = 20") + heating)
          .last("B.R_x"),
      EA * alpha * 80., 1e-9 * EA * eps)
      << "cooled";
  EXPECT_EQ(of(bar("linear") + held_ends + hot("20") + heating).last("B.R_x"), 0.) << "the control";
}

/// Springs of small displacements: N = -k L eps, a free end goes by L eps.
TEST(HeatedBars, StraightSprings)
{
  constexpr double k = 5e5;
  const std::string spring =
      "set Structure = discrete\n" + section("Springs", section("bar",
                                                                "set From = A\nset To = B\nset Stiffness = 5e5\nset Expansion = 1e-5\n"
                                                                "set Law = small-displacement"));
  const History held = of(spring + held_ends + warm + heating);
  EXPECT_NEAR(held.last("B.R_x"), -k * L * eps, 1e-9 * k * L * eps);
  EXPECT_NEAR(held.last("E_potential"), 0.5 * k * L * L * eps * eps, 1e-9);
  EXPECT_NEAR(held.last("W_thermal"), held.last("E_potential"), 1e-9);
  EXPECT_NEAR(of(spring + free_end + warm + heating).last("B.x"), L * (1. + eps), 1e-9);
  EXPECT_EQ(of(spring + held_ends + hot("20") + heating).last("B.R_x"), 0.) << "the control";
  expect_refused(std::string(spring).replace(spring.find("small-displacement"), 18, "quadratic") + held_ends + warm + heating,
                 "is of springs of Law = small-displacement");
}

/// EA over the temperature is linear between the points of its table: at 320 degrees 0.7 of that at 20. The length without force, and the
/// yield stress, stay as they are.
TEST(HeatedBars, StiffnessOverTheTemperature)
{
  const auto soft = [](const std::string &law, const std::string &table, const std::string &more = "") {
    const std::string text = bar(law, more);
    return std::string(text).replace(text.find("set EA = 1e6"), 12, "set EA table = " + table);
  };
  const std::string table = "20 1e6, 120 9e5, 520 5e5";
  for (const auto &[law, force] : {std::pair{"linear", -0.7 * EA * eps}, {"green-lagrange", -0.7 * EA * (eps + 0.5 * eps * eps)}})
  {
    const History history = of(soft(law, table) + held_ends + warm + heating);
    EXPECT_NEAR(history.last("B.R_x"), force, 1e-9 * EA * eps) << law;
    EXPECT_NEAR(history.last("W_thermal"), history.last("E_potential"), 1e-9) << law;
    EXPECT_NEAR(of(soft(law, table) + free_end + warm + heating).last("B.x"), L * (1. + eps), 1e-9) << law;
  }
  const History flow = of(soft("plastic", table, yields) + held_ends + warm + heating);
  const double p = (7e8 * eps - 1e6) / (7e8 + 1e8);
  EXPECT_NEAR(flow.last("B.R_x"), -1e-3 * (1e6 + 1e8 * p), 1e-9 * EA * eps);
  EXPECT_NEAR(of(soft("linear", "20 1e6, 300 7.2e5", "set Extrapolate = constant") + held_ends + warm + heating).last("B.R_x"),
              -0.72 * EA * eps, 1e-9 * EA * eps)
      << "constant beyond the table";
  expect_refused(soft("linear", "20 1e6, 300 7.2e5") + held_ends + warm + heating, "Add points, or set Extrapolate = constant");
  expect_refused(bar("linear", "set EA table = 20 1e6") + held_ends + warm + heating, "EA is given, too");
  expect_refused(soft("linear", "20 1e6, 20 7e5") + held_ends + warm + heating, "point 2: \"20 7e5\": T does not grow");
  expect_refused(soft("linear", "20 1e6, 30 -1") + held_ends + warm + heating, "a stiffness is > 0");
  expect_refused(soft("linear", "20 1e6 3") + held_ends + warm + heating, "is not two numbers, T and the stiffness");
  EXPECT_NE(of_terminal(soft("linear", table) + held_ends + heating).find("the deck gives no temperatures: EA is that of the first point"),
            std::string::npos);
}

/// Bars that are pulled and then heated: the force follows EA(T), and W_thermal is the energy that they lose; springs of small
/// displacements likewise.
TEST(HeatedBars, HeldElongationsLoseTheirForce)
{
  constexpr double pulled = 0.01, k = 1e6 / L;
  const std::string points = section("Points", section("A", "set Fixed = yes\nset Position = 0, 0, 0") +
                                                   section("B", "set Fixed = yes\nset Position = 2, 0, 0\nset Motion = 0.01, 0, 0"));
  for (const std::string &element :
       {section("Bars", section("bar", "set From = A\nset To = B\nset Law = linear\nset EA table = 0 1e6, 200 6e5")),
        section("Springs", section("bar", "set From = A\nset To = B\nset Law = small-displacement\nset Stiffness table = 0 5e5, 200 3e5"))})
  {
    const History history =
        of("set Structure = discrete\n" + element + points + section("Temperature", "set Initial = 0\nset Field = 100") +
           stages(section("pull", "set Type = static\nset Heating = no") + section("heat", "set Type = static")));
    std::size_t row = 0;
    while (history.stage[row] != history.stage.back())
      ++row;
    EXPECT_NEAR(history["B.R_x"][row - 1], k * pulled, 1e-9 * k * pulled) << element;
    EXPECT_NEAR(history.last("B.R_x"), 0.8 * k * pulled, 1e-9 * k * pulled) << element;
    EXPECT_NEAR(history.last("W_thermal"), -0.1 * k * pulled * pulled, 1e-9 * k * pulled * pulled) << element;
  }
}

/// Flow in one increment: p = (E e - sigma_y)/(E + H).
TEST(HeatedBars, Flow)
{
  const History history =
      of(bar("plastic", yields) + held_ends + warm + stages(section("heating", "set Type = static\nset Increments = 3")));
  const double p = (1e9 * eps - 1e6) / (1e9 + 1e8);
  EXPECT_NEAR(history.last("B.R_x"), -1e-3 * (1e6 + 1e8 * p), 1e-9 * EA * eps);
  EXPECT_NEAR(history.last("E_inelastic"), 1e-3 * L * 1e6 * p, 1e-9);
}

const std::string softens = "EA table = 20 100, 1300 40";
TEST(HeatedBars, BalanceOfMotion)
{
  for (const std::string law : {"linear", "green-lagrange"})
    EXPECT_NEAR(0.5 * std::log2(worst_balance(of(swing("newmark", "0.02", law))) / worst_balance(of(swing("newmark", "0.005", law)))), 2.,
                0.2)
        << law;
  for (const std::string law : {"linear", "green-lagrange", "plastic"})
    for (const std::string &stiffness : {std::string("EA = 100"), softens})
    {
      const History history = of(swing("discrete-gradient", "0.02", law, stiffness));
      EXPECT_LT(worst_balance(history), 1e-11) << law << stiffness;
      EXPECT_GT(std::abs(history.last("W_thermal")), 1e-3) << law;
      if (law == "plastic")
      {
        EXPECT_GT(history.last("E_inelastic"), 1e-3);
      }
    }
}

TEST(HeatedBars, RestartsAndRanks)
{
  for (const std::string law : {"linear", "plastic"})
  {
    const std::string deck = swing("newmark", "0.02", law, law == "plastic" ? softens : "EA = 100");
    const Folder whole, split;
    const History history = run_well(whole, deck).history;
    ASSERT_EQ(run_in_parts(split, write_file(split, "deck.prm", deck), {}, 20).exit_code, 0);
    const History divided = read_history(split / "results/history.csv");
    const Folder two;
    const History on_two = run_well(two, deck, {}, 2).history;
    for (const char *column : {"E.x", "E.y", "W_thermal", "E_potential"})
    {
      EXPECT_EQ(divided.last(column), history.last(column)) << column;
      EXPECT_NEAR(on_two.last(column), history.last(column), 1e-11) << column;
    }
  }
}

/// Beside a solid: the bar pulls the block to it as it cools.
TEST(HeatedBars, BesideASolid)
{
  const auto deck = [](const std::string &temperature) {
    return block() + steel("linear-elasticity", "set Reference temperature = 20") + section("Supports", planes) +
           section("Points",
                   section("A", "set On mesh = yes\nset Position = 2, 0, 0") + section("B", "set Fixed = yes\nset Position = 4, 0, 0")) +
           section("Bars", section("bar", "set From = A\nset To = B\nset EA = 1\nset Law = linear\nset Expansion = 12e-6")) + temperature +
           heating + tight;
  };
  constexpr double stretch = 12e-6 * 100. * (2. + 2.);
  EXPECT_NEAR(of(deck(hot("-80"))).last("E_potential"), 0.25 * stretch * stretch, 1e-6 * stretch * stretch)
      << "both shrink; the block is not drawn by 1 mN";
}

/// A clamped beam that is given by E and nu has -EA (e + e²/2), as one of a material.
TEST(HeatedBars, BeamsByTheirConstants)
{
  const std::string beam =
                        "set From = A\nset To = B\nset Direction = 0, 1, 0\nset Section = rectangle\nset Size = 0.1, 0.01\nset Clamped = "
                        "from, to\nset E = 1e9\nset nu = 0.3\nset Density = 1000\nset Expansion = 1e-5",
                    rest = "set Structure = discrete\n" + held_ends + hot("320") + heating;
  EXPECT_NEAR(of(section("Beams", section("arm", beam)) + rest).last("arm.N_from"), -EA * (eps + 0.5 * eps * eps), 1e-8 * EA * eps);
  EXPECT_NEAR(of(section("Beams", section("arm", beam.substr(0, beam.rfind("set Expansion")))) + rest).last("arm.N_from"), 0., 1e-9)
      << "the control";
  expect_refused(section("Beams", section("arm", beam + ", 2e-5, 1e-5")) + rest, "expand the same in all directions");
}

TEST(HeatedBars, Errors)
{
  expect_refused(bar("linear") + held_ends + section("Temperature", section("edge", "set Nodes = A\nset Value = 100")) + heating,
                 "bars that expand take the temperatures of Initial and Field alone");
  expect_refused(bar("linear").replace(bar("linear").find("1e-5"), 4, "1, 2, 3") + held_ends + warm + heating,
                 "a bar expands along itself alone");
  expect_refused(
      bar("linear", "set Extrapolate = constant").replace(bar("linear").find("set Expansion = 1e-5"), 20, "") + held_ends + warm + heating,
      "has no effect without Expansion");
  expect_refused(
      "set Structure = discrete\n" +
          section("Bars", section("bar", "set From = A\nset To = B\nset Stiffness = 1\nset Law = squared\nset Expansion = 1e-5")) +
          held_ends + warm + heating,
      "has no effect with Law = squared");
  expect_refused(
      "set Structure = discrete\n" + section("Bars", section("bar", "set From = A\nset To = B\nset EA = 1")) + held_ends + warm + heating,
      "nothing in the deck has a temperature");
}
}  // namespace symdyn::tests::in_temperature_bars
