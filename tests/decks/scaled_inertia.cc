// Explicit runs with scaled rotary inertia: what they keep, how long their steps are, what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_scaled_inertia
{
namespace
{
/// A free plate of 4 x 4 cells with L/t = 25, c0 = 141 m/s, bent and turned.
std::string plate(const std::string &scheme = "central-difference", const std::string &step = "auto")
{
  return in_shell_decks::shell("plate", "set Corner = -0.5, -0.5, 0\nset Size = 1, 1", 4, 4, 0.01, 2e7, 0.3, 1000.,
                               scheme == "rattle" ? "" : "set Director stiffness = 0.2") +
         section("Elements", "set Mass = lumped\nset Rotary inertia = scaled") +
         section("Initial conditions", "set Velocity = 0.1*(1 + 3*z - y), 0.1*(x - 2*z), 0.1*(2*y - 3*x) + x^2 - y^2") +
         stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = " + step + "\nset End time = 0.1") +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never\nset History every = 1");
}
const Settings physical{"Elements/Rotary inertia=physical"};
std::string value_after(const std::string &text, const std::string &words)
{
  const std::size_t at = text.find(words);
  return at == std::string::npos ? "" : text.substr(at + words.size(), text.find('\n', at) - at - words.size());
}
}  // namespace

/// P to rounding; J and E of the scaled mass: a band that does not drift, a quarter of it with half the step.
TEST(ScaledInertia, FreePlateKeepsItsInvariants)
{
  for (const char *directors : {"elastic", "exact"})
  {
    const std::string deck = plate(directors == std::string("exact") ? "rattle" : "central-difference");
    const Settings with{std::string("Elements/Directors=") + directors, "Time/End time=1"};
    const Folder whole, half;
    const Outcome run = run_well(whole, deck, with);
    const History &history = run.history;
    const double h = history["step"].back(), energy = history["E_total"].front();
    EXPECT_GT(h, 0.8 * 0.95 * 0.25 / 141.42) << directors;
    EXPECT_GT(largest(history, "E_potential", "fly"), 0.1 * energy) << directors;
    for (const char *column : {"P_x", "P_y", "P_z"})
      EXPECT_NEAR(history.last(column), history[column].front(), 1e-12) << directors << column;
    for (const char *column : {"J_x", "J_y", "J_z"})
      EXPECT_NEAR(history.last(column), history[column].front(), 1e-10) << directors << column;
    const double band = largest(history, "E_balance_error", "fly");
    const History finer = run_well(half, deck, with + Settings{fmt::format("Time/Time step={:.15g}", 0.5 * h)}).history;
    EXPECT_LT(band, 1e-2 * energy) << directors;
    EXPECT_NEAR(std::log2(band / largest(finer, "E_balance_error", "fly")), 2., 0.3) << directors;
  }
}

/// Between both critical steps: stable with scaled inertia; refused, and where that is overruled lost and loud, with the physical one.
TEST(ScaledInertia, LongerSteps)
{
  const std::string deck = plate("central-difference", "0.0005");  // critical: 7.2e-5 s physical, 1.68e-3 s scaled
  const Folder stable, lost;
  const History history = run_well(stable, deck).history;
  EXPECT_LT(largest(history, "E_balance_error", "fly"), 1e-3 * history["E_total"].front());
  expect_refused(deck, "the critical step of central-difference is", physical);
  const Outcome exploded = run_text(lost, deck, physical + Settings{"Time/Allow unstable step=yes"});
  EXPECT_EQ(exploded.exit_code, 2) << exploded.terminal;
}

/// Against the modes of the physical lumped mass.
TEST(ScaledInertia, LogReportsTheChangeOfFrequencies)
{
  const std::string words = "first frequencies with scaled rotary inertia, and their change by it: ";
  const Folder scaled, of_modes;
  const std::string report = value_after((run_well(scaled, plate()), text_of(scaled / "results/run.log")), words);
  std::string deck = plate();
  for (const char *name : {"subsection Time", "subsection Integrator", "subsection Initial"})
    deck.erase(deck.find(name), deck.find("end\n", deck.find(name)) + 4 - deck.find(name));
  run_well(of_modes, deck, physical + Settings{"Stages/fly/Type=modes", "Stages/fly/Modes=12"});
  const std::vector<double> frequencies = table_of(of_modes / "results/modes-fly.csv")["frequency"];
  std::istringstream all(report);
  std::string one;
  std::size_t mode = 6;  // behind the rigid ones
  for (; std::getline(all, one, ','); ++mode)
  {
    const double frequency = std::stod(one), percent = std::stod(one.substr(one.find('(') + 1));
    EXPECT_LT(percent, -1.) << one;
    EXPECT_NEAR(frequency / frequencies.at(mode) - 1., 0.01 * percent, 0.05 * 0.01 * std::abs(percent)) << one;
  }
  EXPECT_EQ(mode, 12u) << report;
}

/// Shared by several ranks: the same motion.
TEST(ScaledInertia, Ranks)
{
  const Folder one, two;
  const History a = run_well(one, plate()).history, b = run_well(two, plate(), {}, 2).history;
  ASSERT_EQ(a.rows(), b.rows());
  for (const char *column : {"E_kinetic", "E_potential", "J_x", "J_z"})
    EXPECT_NEAR(b.last(column), a.last(column), 1e-10 * largest(a, column, "fly")) << column;
}

/// A thin beam on a block, whose own step is longer.
TEST(ScaledInertia, BesideASolid)
{
  const std::string deck =
      bar(2) + section("Points", section("end", "set On mesh = yes\nset Position = 1, 0, 0")) +
      section("Beams", section("whip",
                               "set From = end\nset To = 2, 0, 0\nset Elements = 2\nset Type = B31\nset Size = 0.01, 0.01\n"
                               "set Direction = 0, 0, 1\nset E = 1e5\nset nu = 0.2\nset Density = 1000")) +
      stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = auto\nset End time = 0.1") +
      section("Integrator", "set Scheme = central-difference") + section("Elements", "set Mass = lumped\nset Rotary inertia = scaled");
  const Folder scaled, other;
  const double h = std::stod(value_after(run_well(scaled, deck).log, "time step: ")),
               h0 = std::stod(value_after(run_well(other, deck, physical).log, "time step: "));
  EXPECT_GT(h, 1.6 * h0);
}

TEST(ScaledInertia, Refused)
{
  expect_refused(plate(), "Rotary inertia = scaled: is of a lumped mass", {"Elements/Mass=consistent"});
  expect_refused(plate("newmark", "0.001"), "Rotary inertia = scaled: the stage 'fly' solves equations with the mass");
  expect_refused(stages(section("look", "set Type = modes")) + plate(), "Rotary inertia = scaled: the stage 'look' solves equations");
  const std::string block =
      bar(2) + stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = auto\nset End time = 1") +
      section("Integrator", "set Scheme = central-difference") + section("Elements", "set Mass = lumped\nset Rotary inertia = scaled");
  expect_refused(block, "Rotary inertia = scaled: has no effect, because there are no beams or shells");
}
}  // namespace symdyn::tests::in_scaled_inertia
