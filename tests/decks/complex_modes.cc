// Stages of Type = complex modes: masses and bars against closed forms, free bodies, Beck's column with and without damping, what is
// refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_complex_modes
{
namespace
{
constexpr double pi = 3.14159265358979323846;
std::string complex_modes(const std::string &more) { return section("damped", "set Type = complex modes\n" + more); }
struct Answer
{
  Outcome run;
  std::map<std::string, std::vector<double>> table;
  std::vector<double> re, im;
  std::string kind(const std::size_t i) const { return run.summary["stages"].back()["modes"][i]["kind"]; }
};
Answer answer(const std::string &deck, const std::string &more = "", const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  Answer found{run_well(folder, deck + stages(complex_modes(more)), settings, ranks), {}, {}, {}};
  found.table = table_of(folder / "results/complex-modes-damped.csv");
  found.re = found.table["Re lambda"];
  found.im = found.table["Im lambda"];
  return found;
}

/// A chain of two masses of 1 kg on springs of 1 N/m, a dashpot c from the ground to the first.
std::string two_masses(const double c)
{
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 1\n" + section("wall", "set Fixed = yes\nset Position = 0") +
                               section("one", "set Mass = 1\nset Position = 1") + section("two", "set Mass = 1\nset Position = 2")) +
         section("Springs", section("first", "set From = wall\nset To = one\nset Stiffness = 1") +
                                section("second", "set From = one\nset To = two\nset Stiffness = 1")) +
         (c > 0. ? section("Dashpots", section("oil", fmt::format("set Points = one\nset Coefficient = {:.15g}", c))) : "");
}

/// A plane bar of 1 m that moves along x alone, E = rho = 1, with a dashpot of r times its impedance on its end.
std::string bar_with_dashpot(const double r)
{
  constexpr double height = 0.1;
  return section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 20, 1\n" + section("box", "set Size = 1, 0.1")) +
         elastic(1., 0., 1.) +
         section("Supports", section("clamp", "set Boundary = x-") + section("y", "set Boundary = y-, y+\nset Type = symmetry")) +
         section("Points", section("tip", "set On boundary = x+")) +
         section("Dashpots", section("oil", fmt::format("set Points = tip\nset Coefficient = {:.15g}", r * height / 2.)));
}

/// A plane-stress column of 1 m x h of nine-node cells, E I = 1e6 h³/12, clamped at x = 0, with a pressure on its end that follows it.
std::string beck(const double h, const double nu, const double loads_of_stiffness, const std::string &cells = "20, 1")
{
  const double stiffness = 1e6 * h * h * h / 12.;
  return section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = " + cells + "\nset Order = 2\n" +
                             section("box", fmt::format("set Size = 1, {:.15g}", h))) +
         section("Materials", section("stuff", fmt::format("set Type = linear-elasticity\nset E = 1e6\nset nu = {}\nset Density = 1\nset "
                                                           "Plane = stress",
                                                           nu))) +
         section("Supports", section("root", "set Boundary = x-")) +
         (loads_of_stiffness > 0.
              ? section("Loads", section("push", fmt::format("set Type = pressure\nset Boundary = x+\nset Pressure = {:.15g}",
                                                             loads_of_stiffness * stiffness / h)))
              : "");
}
/// The law that bears stress in a static stage; plane strain is plane stress for nu = 0.
std::string of_large_strains(std::string deck)
{
  deck.replace(deck.find("linear-elasticity"), 17, "st-venant-kirchhoff");
  return deck.erase(deck.find("set Plane = stress"), 18);
}
/// The first critical load of Beck's column, E I/L².
double flutter_load(const std::string &deck, const std::string &between, const Settings &settings = {})
{
  const Folder folder;
  const Outcome run =
      run_well(folder,
               deck + stages(complex_modes(
                          "set Modes = 2\nset Loads = push\nset Load factor = find\nset Intervals = 2\nset Load factors = " + between)),
               settings);
  const auto &found = run.summary["stages"].back();
  EXPECT_EQ(found["kind"], "flutter") << run.summary.dump(1);
  return found.value("load factor", 0.);
}
}  // namespace

/// Numbers of an own program. Without the dashpot the real parts are zero.
TEST(ComplexModes, TwoMasses)
{
  const Answer damped = answer(two_masses(0.4), "set Modes = 2"), without = answer(two_masses(0.), "set Modes = 2");
  ASSERT_EQ(damped.re.size(), 2u);
  EXPECT_NEAR(damped.re[0], -0.0558623294, 1e-9);
  EXPECT_NEAR(damped.im[0], 0.6200336412, 1e-9);
  EXPECT_NEAR(damped.re[1], -0.1441376706, 1e-9);
  EXPECT_NEAR(damped.im[1], 1.5998295383, 1e-9);
  for (const char *column : {"residual", "balance"})
    for (const double value : damped.table.at(column))
      EXPECT_LT(value, 1e-10) << column;
  EXPECT_NEAR(damped.table.at("damping ratio")[1], 0.1441376706 / std::hypot(0.1441376706, 1.5998295383), 1e-9);
  EXPECT_NEAR(damped.table.at("logarithmic decrement")[1], 2. * pi * 0.1441376706 / 1.5998295383, 1e-8);
  EXPECT_LT(damped.table.at("phase collinearity")[0], 1. - 1e-4);
  for (int i = 0; i < 2; ++i)
  {
    EXPECT_NEAR(without.re[i], 0., 1e-14);
    EXPECT_NEAR(without.table.at("phase collinearity")[i], 1., 1e-12);
  }
}

/// lambda² + c lambda + 1 = 0 with c = 4.
TEST(ComplexModes, Overdamped)
{
  const Answer found = answer(oscillator(1., 1., 4.), "set Modes = 2");
  ASSERT_EQ(found.re.size(), 2u);
  EXPECT_NEAR(found.re[0], -2. + std::sqrt(3.), 1e-12);
  EXPECT_NEAR(found.re[1], -2. - std::sqrt(3.), 1e-12);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(found.kind(i), "overdamped");
}

/// lambda = -1 and -4: a search at -1, but for rounding, has lost the digits of the other one.
TEST(ComplexModes, OneThatIsNotExactIsNamed)
{
  const auto run = [](const std::string &near) { return answer(oscillator(1., 4., 5.), "set Modes = 2\n" + near).run; };
  const Outcome lost = run("set Near = -0.999999999999");
  EXPECT_EQ(has(lost.terminal, "1 of 2 modes are not exact: mode 2, |lambda| = "), "") << lost.terminal;
  EXPECT_EQ(has(lost.terminal, "(limit 1e-06). Set Near to about its |lambda|"), "");
  EXPECT_EQ(run("set Near = -4.1").terminal.find("not exact"), std::string::npos);
}

/// lambda L/a = 1/2 ln((1 - r)/(1 + r)) + i pi (n + 1/2), r < 1; 1/2 ln((r - 1)/(r + 1)) + i pi n, r > 1. 20 linear cells: (kh)²/24.
TEST(ComplexModes, BarWithDashpot)
{
  const Answer below = answer(bar_with_dashpot(0.5), "set Modes = 2");
  for (int n = 0; n < 2; ++n)
  {
    EXPECT_NEAR(below.re.at(n), 0.5 * std::log(0.5 / 1.5), n == 0 ? 1e-3 : 1e-2) << n;
    EXPECT_NEAR(below.im.at(n), pi * (n + 0.5), n == 0 ? 1e-3 : 2e-2) << n;
  }
  const Answer found = answer(bar_with_dashpot(2.), "set Modes = 2");
  EXPECT_NEAR(found.re.at(0), -0.5493061443, 1e-3);
  EXPECT_EQ(found.im.at(0), 0.);
  EXPECT_NEAR(found.re.at(1), -0.5493061443, 1e-2);
  EXPECT_NEAR(found.im.at(1), pi, 1e-2);
}

/// zeta = alpha_M/(2 omega) + alpha_K omega/2 of the undamped modes, by LAPACK, by the Arnoldi method and on two ranks, where a
/// factorisation counts the modes.
TEST(ComplexModes, RayleighDampingByBothSearchesOnRanks)
{
  const std::string damping = section("Damping", "set Mass proportional = 0.3\nset Stiffness proportional = 2e-4");
  for (const auto &[cells, ranks] : {std::pair<std::string, int>{"10, 1", 1}, {"52, 1", 2}})
  {
    const std::string deck = beck(0.05, 0.3, 0., cells) + damping;
    const Folder folder;
    run_well(folder, deck + stages(section("free", "set Type = modes\nset Modes = 4")), {}, ranks);
    const auto omega = table_of(folder / "results/modes-free.csv")["omega"];
    const Answer found = answer(deck, "set Modes = 4", {}, ranks);
    ASSERT_EQ(found.re.size(), 4u);
    EXPECT_TRUE(found.run.summary["stages"].back()["none is missing"].get<bool>()) << cells << ranks;
    for (int i = 0; i < 4; ++i)
    {
      const double zeta = 0.3 / (2. * omega[i]) + 2e-4 * omega[i] / 2.;
      EXPECT_NEAR(found.re[i], -zeta * omega[i], 1e-6 * omega[i]) << cells << ranks << i;
      EXPECT_NEAR(std::hypot(found.re[i], found.im[i]), omega[i], 1e-6 * omega[i]) << cells << ranks << i;
      EXPECT_LT(found.table.at("balance")[i], 1e-8);
    }
  }
}

/// A free plane body has three rigid motions, then vibrates as in the stage `modes`.
TEST(ComplexModes, FreeBody)
{
  std::string deck = beck(0.05, 0.3, 0., "10, 1");
  deck.resize(deck.find("subsection Supports"));
  const Folder folder;
  run_well(folder, deck + stages(section("free", "set Type = modes\nset Modes = 5")));
  const auto omega = table_of(folder / "results/modes-free.csv")["omega"];
  const Answer found = answer(deck, "set Modes = 5");
  for (int i = 0; i < 5; ++i)
  {
    EXPECT_EQ(found.kind(i), i < 3 ? "rigid" : "oscillates") << i;
    EXPECT_NEAR(found.im[i], omega[i], 1e-6 * omega[3]) << i;
  }
}

/// So does a free beam, with damping, by both searches: stiff directors are far above its bending; one support leaves three rotations.
TEST(ComplexModes, FreeBeams)
{
  const auto deck = [](const std::string &elements, const std::string &support) {
    return "set Structure = discrete\n" +
           section("Points", section("a", "set Position = 0, 0, 0\n" + support) + section("b", "set Position = 2, 0.3, 0.1")) +
           section("Beams",
                   section("rod", "set From = a\nset To = b\nset Elements = " + elements +
                                      "\nset Type = B32\nset Direction = 0, 0, 1\nset Size = 0.02, 0.03\nset E = 2e11\nset nu = 0.3\n"
                                      "set Density = 8000\nset Stiffness damping = 1e-6"));
  };
  for (const std::string elements : {"6", "60"})
    for (const auto &[support, rigid] : {std::pair{"", 6}, {"set Fixed = yes", 3}})
    {
      const Answer found = answer(deck(elements, support), fmt::format("set Modes = {}", rigid + 2));
      for (int i = 0; i < rigid + 2; ++i)
        EXPECT_EQ(found.kind(i), i < rigid ? "rigid" : "oscillates") << elements << support << i;
      EXPECT_GT(found.im.at(rigid), 10.);
      EXPECT_NEAR(-found.re.at(rigid), 0.5e-6 * std::pow(found.im[rigid], 2), 1e-3 * std::abs(found.re[rigid])) << elements << support;
    }
}

/// Nine-node cells, own program: 20.03885 ... 19.6346 E I/L² (Beck 1952: 20.05). Damping in proportion to the
/// stiffness halves the load: 10.939 of the thin column.
TEST(ComplexModes, BecksColumn)
{
  for (const auto &[h, nu, value] : {std::tuple{0.02, 0., 20.03885}, {0.05, 0.3, 19.6346}})
    EXPECT_NEAR(flutter_load(beck(h, nu, 1.), "19, 21"), value, 1e-4 * value) << h;
  const double of_time = std::sqrt(0.02 / (1e6 * std::pow(0.02, 3) / 12.));
  EXPECT_NEAR(flutter_load(beck(0.02, 0., 1.), "10, 12", {fmt::format("Damping/Stiffness proportional={:.15g}", 1e-3 * of_time)}), 10.93912,
              2e-2);
}

/// What a static stage has put on and the factor of the stage give one answer, but for the shortening before; a dead load does not flutter
/// and diverges at Euler's load.
TEST(ComplexModes, LoadsThatFollow)
{
  const double load = 15.;
  const Folder folder;
  run_well(folder, of_large_strains(beck(0.02, 0., load)) +
                       stages(section("push", "set Type = static\nset Loads = push") + complex_modes("set Modes = 2")));
  const auto after = table_of(folder / "results/complex-modes-damped.csv")["Im lambda"];
  const Answer found = answer(beck(0.02, 0., 1.), "set Modes = 2\nset Loads = push\nset Load factor = 15"),
               without = answer(beck(0.02, 0., 1.), "set Modes = 2");
  for (int i = 0; i < 2; ++i)
  {
    EXPECT_NEAR(found.im[i] / after[i], 1., 3e-3) << i;
    EXPECT_GT(std::abs(found.im[i] / without.im[i] - 1.), 0.1) << i;
    EXPECT_EQ(found.kind(i), "oscillates");
  }
  std::string dead = beck(0.02, 0., 1.);
  dead.replace(dead.find("pressure"), 8, "dead-pressure");
  const Outcome run =
      run_well(Folder(), dead + stages(complex_modes("set Modes = 2\nset Loads = push\nset Load factor = find\nset Intervals = "
                                                     "2\nset Load factors = 2, 3")));
  EXPECT_EQ(run.summary["stages"].back()["kind"], "divergence");
  EXPECT_NEAR(run.summary["stages"].back()["load factor"], 2.46728, 1e-4);
}

TEST(ComplexModes, Refused)
{
  const std::string deck = beck(0.05, 0., 1., "4, 1");
  const auto refused = [&](const std::string &more, const std::string &words) {
    expect_refused(deck + stages(complex_modes(more)), words);
  };
  refused("set Loads = push", "Give Load factor, or remove the entry");
  refused("set Load factor = many", "must be a number, `find` or `none`");
  refused("set Load factor = find", "needs two numbers, 0 <= first < last");
  refused("set Load factor = 2\nset Load factors = 1, 2", "has no effect without Load factor = find");
  refused("set Load factor = find\nset Load factors = 25, 30", "a motion grows at the first of them already");
  expect_refused(oscillator(1., 1., 0.) + stages(complex_modes("set Load factor = 1")), "no loads grow: the deck has none");
}
}  // namespace symdyn::tests::in_complex_modes
