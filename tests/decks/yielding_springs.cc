// Runs of springs and bars that yield: energies, schemes, restarts, ranks.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/in_process.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_yielding_decks
{
namespace
{
/// Three storeys on springs that do not turn, a bar and a spring that do, pulled to and fro.
std::string frame(const std::string &scheme, const std::string &step, const double yield = 1., const std::string &end = "6")
{
  const std::string law = fmt::format(
      "set Law = plastic\nset Stiffness = 40\nset Yield force = {}\nset Hardening stiffness = 3\nset "
      "Backstress stiffness = 2\nset Report = yes\n",
      yield);
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 2\n" + section("foot", "set Fixed = yes\nset Position = 0, 0") +
                               section("anchor", "set Fixed = yes\nset Position = 4, 0") +
                               section("floor", "set Count = 3\nset Mass = 1\nset Position = 0, i + 1")) +
         section("Springs",
                 section("first", "set From = foot\nset To = floor0\nset Direction = 1, 0\n" + law) +
                     section("storeys", "set From = floor\nset To = floor\nset Offset = 1\nset Direction = 1, 0\n" + law) +
                     section("columns",
                             "set From = floor\nset To = ground\nset Direction = 0, 1\nset Law = small-displacement\nset Stiffness "
                             "= 500") +
                     section("stay", "set From = floor2\nset To = anchor\n" + law)) +
         section("Bars", section("brace", fmt::format("set From = floor1\nset To = anchor\nset Law = plastic\nset EA = 90\nset Area = "
                                                      "0.1\nset Yield stress = {}\nset Hardening modulus = 40",
                                                      8. * yield))) +
         section("Forces", section("push", "set Points = floor\nset Force = 1.5*sin(2.1*t), 0.2*cos(t)")) +
         section("Newton", "set Tolerance = 1e-13") + section("Integrator", "set Scheme = " + scheme) +
         section("Time", "set Time step = " + step + "\nset End time = " + end) +
         section("Output", "set Checkpoint every = 40\nset Write every = 1000000");
}

double distance(Vector a, const Vector &b)
{
  a -= b;
  return a.l2_norm();
}

const std::vector<std::string> columns{"floor2.x", "floor2.y", "E_potential", "E_inelastic", "stay.force"};
}  // namespace

/// E_total - start - W_external + E_dissipated vanishes at any step, and the loss never falls.
TEST(YieldingDecks, EnergyMomentumStepsBalanceToRounding)
{
  const Folder folder;
  const auto history = run_well(folder, frame("discrete-gradient", "0.05")).history;
  EXPECT_GT(history.last("E_inelastic"), 0.1 * history.last("W_external"));
  for (std::size_t row = 0; row < history.rows(); ++row)
    EXPECT_LT(std::abs(history["E_balance_error"][row]), 1e-12 * history.last("W_external"));
  for (const char *column : {"E_inelastic", "E_dissipated"})
    for (std::size_t row = 1; row < history.rows(); ++row)
      EXPECT_GE(history[column][row] - history[column][row - 1], -1e-14) << column;
  const Folder of_newmark;
  EXPECT_GT(std::abs(run_well(of_newmark, frame("newmark", "0.05")).history.last("E_balance_error")), 1e-8) << "negative control";
}

/// The area of the loop of force and elongation is what the spring has dissipated, with what it stores.
TEST(YieldingDecks, TheAreaOfTheLoopIsTheLoss)
{
  const Folder folder;
  const std::string deck =
      "set Structure = discrete\n" +
      section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                            section("end", "set Mass = 1\nset Position = 1")) +
      section("Springs", section("s",
                                 "set From = wall\nset To = end\nset Law = plastic\nset Stiffness = 50\nset Yield force = 4\nset "
                                 "Backstress stiffness = 3\nset Direction = 1\nset Report = yes")) +
      section("Forces", section("cycle", "set Points = end\nset Force = 6*sin(t)")) +
      stages(section("cycle", "set Type = static\nset Ramp = no\nset Increments = 4000\nset Duration = 12.566370614359172"));
  const auto history = run_well(folder, deck).history;
  double area = 0;
  for (std::size_t row = 1; row < history.rows(); ++row)
    area +=
        0.5 * (history["s.force"][row] + history["s.force"][row - 1]) * (history["s.elongation"][row] - history["s.elongation"][row - 1]);
  const double loss = history.last("E_inelastic"), left = history.last("E_potential") - history["E_potential"].front();
  EXPECT_GT(loss, 3.);
  EXPECT_NEAR(area, loss + left, 1e-4 * loss) << "the trapezoidal rule at kinks";
  EXPECT_GT(history.last("p_max"), 8.) << "in elongations at first yield";
}

namespace
{
/// One mass on a spring that yields.
History oscillator(const std::string &point, const std::string &spring, const std::string &more, const std::string &step,
                   const std::string &end)
{
  const Folder folder;
  return run_well(folder,
                  "set Structure = discrete\n" +
                      section("Points", "set Dimension = 1\n" + section("mass", "set Position = 0\n" + point) + "set Report = mass") +
                      section("Springs",
                              section("spring", "set From = mass\nset To = ground\nset Direction = 1\nset Law = plastic\n" + spring)) +
                      more + section("Newton", "set Tolerance = 1e-13") + section("Integrator", "set Scheme = newmark") +
                      section("Time", "set Time step = " + step + "\nset End time = " + end) + section("Output", "set Write every = never"))
      .history;
}
}  // namespace

/// An elastic, perfectly plastic oscillator under half a sine, average acceleration with h = 0.1 (Chopra, Dynamics of Structures, chapter
/// 5, which prints 0.0437, 0.2326, 0.6121, 1.1143, 1.6214, 1.9891, 2.0951, 1.9240, 1.5602); the digits here are those of a program of its
/// own.
TEST(YieldingDecks, ChoprasOscillator)
{
  const History history =
      oscillator("set Mass = 0.2533", "set Stiffness = 10\nset Yield force = 7.5",
                 section("Dashpots", section("drag", "set Points = mass\nset Coefficient = 0.15915401345866489")) +
                     section("Forces", section("pulse", "set Points = mass\nset Force = if(t < 0.6 - 1e-9, 10*sin(pi*t/0.6), 0)")),
                 "0.1", "0.9");
  const std::vector<double> u{0.043667, 0.232619, 0.612071, 1.114364, 1.621462, 1.989157, 2.095225, 1.924131, 1.560317};
  ASSERT_EQ(history.rows(), u.size() + 1);
  for (std::size_t k = 0; k < u.size(); ++k)
    EXPECT_NEAR(history["mass.x"][k + 1], u[k], 1e-6) << k;
}

/// A mass of 1 kg on a spring of 100 N/m that yields at 5 N, at 1 m/s: closed form. It yields at 0.0524 s, stops at 0.2256 s, 0.125 m off,
/// and swings about what it has flowed, 0.075 m, having lost 0.375 J.
TEST(YieldingDecks, AStruckMassSwingsAboutWhatItHasFlowed)
{
  const History history = oscillator("set Mass = 1\nset Velocity = 1", "set Stiffness = 100\nset Yield force = 5", "", "2.5e-4", "2");
  const auto at = [&](const double t) { return history["mass.x"][std::size_t(std::lround(t / 2.5e-4))]; };
  for (const auto &[t, u] :
       {std::pair{0.05, 0.0479425539}, {0.1, 0.0855836031}, {0.2, 0.1233660823}, {0.5, 0.0288934293}, {2., 0.0974475406}})
    EXPECT_NEAR(at(t), u, 2e-5) << t;
  EXPECT_NEAR(history.last("E_inelastic"), 0.375, 1e-5);
  EXPECT_NEAR(*std::max_element(history["mass.x"].begin(), history["mass.x"].end()), 0.125, 1e-6);
}

/// In one dimension of flow Newmark's rule keeps its order: the kinks cost no order in the mean (fits over several steps).
TEST(YieldingDecks, NewmarkIsOfSecondOrder)
{
  const auto end = [](const std::string &scheme, const double h) { return state_after(frame(scheme, fmt::format("{:.17g}", h)), {}).q; };
  const Vector exact = end("newmark", 1. / 3200);
  std::vector<double> errors;
  for (const int n : {50, 100, 200, 400})
    errors.push_back(distance(end("newmark", 1. / n), exact));
  EXPECT_NEAR(std::log2(errors.front() / errors.back()) / 3., 2., 0.15)
      << errors[0] << " " << errors[1] << " " << errors[2] << " " << errors[3];
}

TEST(YieldingDecks, SchemesAgree)
{
  const Folder of_reference;
  const auto reference = run_well(of_reference, frame("central-difference", "0.0005")).history;
  EXPECT_GT(reference.last("E_inelastic"), 0.5);
  for (const std::string name :
       {"newmark", "midpoint", "hht-alpha", "generalized-alpha", "discrete-gradient", "incremental-potential", "bathe"})
  {
    const Folder folder;
    const auto history = run_well(folder, frame(name, "0.005")).history;
    for (const std::string &column : columns)
      EXPECT_NEAR(history.last(column), reference.last(column), 0.01 * largest(reference, column, reference.stage.front()))
          << name << " " << column;
  }
  for (const std::string name : {"zhang-skeel", "rk4", "yoshida4"})
    expect_refused(frame(name, "0.01"), "the scheme cannot follow materials with a memory");
}

/// A yield force that is never reached: the elastic run, but for the order of sums.
TEST(YieldingDecks, BelowFirstYieldTheyAreElastic)
{
  const std::string plastic = frame("newmark", "0.01", 1e6);
  std::string elastic = plastic;
  const auto replace = [&elastic](const std::string &from, const std::string &to) {
    for (std::size_t at = elastic.find(from); at != std::string::npos; at = elastic.find(from))
      elastic.replace(at, from.size(), to);
  };
  replace("set Direction = 1, 0\nset Law = plastic", "set Direction = 1, 0\nset Law = small-displacement");
  replace("set To = anchor\nset Law = plastic\nset Stiffness", "set To = anchor\nset Law = quadratic\nset Stiffness");
  replace("set To = anchor\nset Law = plastic\nset EA", "set To = anchor\nset Law = linear\nset EA");
  for (const char *entry : {"set Yield force = 1000000.0\n", "set Yield force = 1000000\n", "set Hardening stiffness = 3\n",
                            "set Backstress stiffness = 2\n", "set Report = yes\n", "set Area = 0.1\n", "set Yield stress = 8000000.0\n",
                            "set Yield stress = 8000000\n", "set Hardening modulus = 40"})
    replace(entry, "");
  const Vector a = state_after(plastic, {}).q, b = state_after(elastic, {}).q, c = state_after(frame("newmark", "0.01"), {}).q;
  EXPECT_LT(distance(a, b), 1e-11 * b.l2_norm());
  EXPECT_GT(distance(c, b), 0.05 * b.l2_norm()) << "negative control";
}

TEST(YieldingDecks, StopsAndGoesOnWithTheSameBits)
{
  for (const std::string name : {"newmark", "central-difference", "midpoint"})
  {
    SCOPED_TRACE(name);
    const std::string text = frame(name, "0.02");
    const Folder parted, undisturbed;
    const State half = state_after(text, options_of(parted), 97), resumed = state_after(text, options_of(parted, true)),
                whole = state_after(text, options_of(undisturbed));
    EXPECT_TRUE(half.history);
    EXPECT_TRUE(same(resumed.q, whole.q));
    EXPECT_TRUE(same(resumed.v, whole.v));
    EXPECT_FALSE(same(half.q, whole.q));
  }
}

TEST(YieldingDecks, RanksAgree)
{
  const Folder one, two;
  const auto a = run_well(one, frame("newmark", "0.01")).history, b = run_well(two, frame("newmark", "0.01"), {}, 2).history;
  for (const std::string &column : columns)
    EXPECT_NEAR(b.last(column), a.last(column), 1e-10 * largest(a, column, a.stage.front())) << column;
}

/// Beside a solid that yields, too: tables, frames and restarts use both histories.
TEST(YieldingDecks, StandBesideASolid)
{
  const auto deck = [](const std::string &scheme) {
    return section("Mesh", "set Type = box\nset Subdivisions = 3, 1, 1\n" + section("box", "set Size = 3, 1, 1")) +
           section("Materials", section("stuff",
                                        "set Type = plastic\nset Kinematics = small\nset E = 1000\nset nu = 0.3\nset Density = 1\nset "
                                        "Yield stress = 3\nset Hardening modulus = 50")) +
           section("Supports", section("clamp", "set Boundary = x-")) +
           section("Points", section("tip", "set On mesh = yes\nset Position = 3, 1, 1") +
                                 section("mass", "set Mass = 0.5\nset Position = 4, 1, 1")) +
           section("Springs", section("s",
                                      "set From = tip\nset To = mass\nset Law = plastic\nset Direction = 0, 1, 0\nset Stiffness = 30\nset "
                                      "Yield force = 0.15\nset Backstress stiffness = 2\nset Report = yes") +
                                  section("hold", "set From = mass\nset To = tip\nset Stiffness = 20")) +
           section("Forces", section("push", "set Points = mass\nset Force = 0, 0.4*sin(3*t), 0")) +
           section("Newton", "set Tolerance = 1e-13") + section("Linear solver", "set Tolerance = 1e-13") +
           section("Integrator", "set Scheme = " + scheme) + section("Time", "set Time step = 0.02\nset End time = 1.2") +
           section("Output", "set Write every = 10\nset Checkpoint every = 10") + section("Solver", "set Deterministic = yes");
  };
  const Folder folder;
  const auto history = run_well(folder, deck("discrete-gradient")).history;
  EXPECT_GT(history.last("E_inelastic"), 0.01);
  for (std::size_t row = 0; row < history.rows(); ++row)
    EXPECT_LT(std::abs(history["E_balance_error"][row]), 1e-10 * largest(history, "W_external", history.stage.front()));
  const Folder parted, undisturbed;
  const State half = state_after(deck("newmark"), options_of(parted), 33), resumed = state_after(deck("newmark"), options_of(parted, true)),
              whole = state_after(deck("newmark"), options_of(undisturbed));
  EXPECT_TRUE(same(resumed.q, whole.q));
  EXPECT_FALSE(same(half.q, whole.q));
}
}  // namespace symdyn::tests::in_yielding_decks
