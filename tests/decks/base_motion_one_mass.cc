// One mass on a moving base: closed form, both frames, units, a record that ends, the ground, restart.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/base_motion.h"
#include "tests/compare.h"

namespace symdyn::tests::in_base_motion
{
namespace
{

/// w = 8 rad/s, zeta = 0.05 under a_g straight between points (t, a): y'' + 2 zeta w y' + w² y = - a_g, solved exactly part by part (Nigam
/// and Jennings 1969: a particular solution c + d tau and the free oscillation).
double exact_answer(const std::vector<std::pair<double, double>> &record, const double end)
{
  const double w = 8., zeta = 0.05, wd = w * std::sqrt(1. - zeta * zeta);
  double y = 0, v = 0;
  for (std::size_t i = 1; i < record.size() && record[i - 1].first < end; ++i)
  {
    const double tau = std::min(end, record[i].first) - record[i - 1].first;
    const double slope = (record[i].second - record[i - 1].second) / (record[i].first - record[i - 1].first);
    const double d = -slope / (w * w), c = (-record[i - 1].second - 2. * zeta * w * d) / (w * w);
    const double A = y - c, B = (v - d + zeta * w * A) / wd, e = std::exp(-zeta * w * tau), C = std::cos(wd * tau), S = std::sin(wd * tau);
    y = c + d * tau + e * (A * C + B * S);
    v = d + e * ((B * wd - zeta * w * A) * C - (A * wd + zeta * w * B) * S);
  }
  return y;
}
}  // namespace

/// The relative displacement of one mass against the closed form, in both frames; to the error of the step (h w)²/12.
TEST(BaseMotion, OneMassAnswersAsTheory)
{
  const std::vector<std::pair<double, double>> points{{0., 0.}, {0.25, 1.5}, {0.5, -2.}, {1., 1.}};
  std::string text;
  for (const auto &[t, a] : points)
    text += std::to_string(t) + " " + std::to_string(a) + "\n";
  const Folder folder;
  const std::string deck = write_file(folder, "mass.prm", one_mass);
  write_file(folder, "record.csv", text);
  for (const char *scheme : {"newmark", "bathe"})
  {
    double found[2];
    for (const int absolute : {0, 1})
    {
      const Outcome run =
          run_deck(folder, deck,
                   {absolute ? "Base motion/Frame=absolute" : "Base motion/Frame=relative", "Integrator/Scheme=" + std::string(scheme)});
      ASSERT_EQ(run.exit_code, 0) << run.terminal;
      found[absolute] = run.history.at(1., "mass.x") - 1. - (absolute ? run.history.at(1., "base.u_x") : 0.);
      EXPECT_NEAR(run.history.at(0.5, "base.a_x"), -2., 1e-12);
    }
    EXPECT_NEAR(found[0], exact_answer(points, 1.), 5e-6 * 0.02) << scheme;
    EXPECT_NEAR(found[1], found[0], 5e-6 * 0.02) << scheme;
  }
}

TEST(BaseMotion, NewmarkInBothFramesToEightDigits)
{
  const Folder folder;
  const std::string deck = write_file(folder, "mass.prm", one_mass);
  write_file(folder, "record.csv", "0 0\n1 0.5\n");  // one slope: the base is slow beside the step
  for (const char *scheme : {"newmark", "generalized-alpha"})
  {
    double found[2];
    for (const int absolute : {0, 1})
      found[absolute] = run_deck(folder, deck,
                                 {absolute ? "Base motion/Frame=absolute" : "Base motion/Frame=relative",
                                  "Integrator/Scheme=" + std::string(scheme), "Time/Time step=0.0001", "Output/History every=10000"})
                            .history.at(1., "mass.x") -
                        1. - (absolute ? 0.5 / 6. : 0.);
    EXPECT_GT(std::abs(found[0]), 1e-3);
    EXPECT_LT(std::abs(found[1] - found[0]), 1e-8 * std::abs(found[0])) << scheme;
  }
}

TEST(BaseMotion, UnitsAndEnds)
{
  const Folder folder;
  const std::string deck = write_file(folder, "mass.prm", one_mass);
  write_file(folder, "record.csv", "0 0\n0.25 1\n0.5 0\n");
  const auto peak = [&](const Settings &settings) {
    const Outcome run = run_deck(folder, deck, settings + Settings{"Time/Time step=0.01"});
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
    expect_in(run.terminal, {"record ends at t = 0.5", "before the run"});
    return run.history.at(0.25, "base.a_x");
  };
  EXPECT_NEAR(peak({"Base motion/Unit=g"}), 9.80665, 1e-12);
  EXPECT_NEAR(peak({"Base motion/Unit=gal"}), 0.01, 1e-15);
  EXPECT_NEAR(peak({"Base motion/Unit=g", "Base motion/Scale=0.5", "Units/System=mm-t-s"}), 0.5 * 9806.65, 1e-9);
  EXPECT_NEAR(run_deck(folder, deck, {"Base motion/Start=0.2", "Time/Time step=0.01"}).history.at(0.45, "base.a_x"), 1., 1e-12);
}

/// Springs to the ground hold in the relative frame, where the ground is the base.
TEST(BaseMotion, GroundMovesInTheRelativeFrame)
{
  const Folder folder;
  std::string text = one_mass;
  const std::size_t foot = text.find("  subsection foot"), mass = text.find("  subsection mass");
  text.erase(foot, mass - foot);
  text.replace(text.find("set From = foot\n    set To = mass"), 33, "set From = mass\n    set To = ground\n    set Anchor = 0");
  const std::string grounded = write_file(folder, "grounded.prm", text), footed = write_file(folder, "footed.prm", one_mass);
  write_file(folder, "record.csv", "0 0\n0.25 1.5\n1 0\n");
  const Settings coarse{"Time/Time step=0.01"};
  const Outcome a = run_deck(folder, grounded, coarse), b = run_deck(folder, footed, coarse);
  ASSERT_EQ(a.exit_code, 0) << a.terminal;
  EXPECT_EQ(a.history["mass.x"], b.history["mass.x"]);
  expect_in(run_deck(folder, grounded, coarse + Settings{"Base motion/Frame=absolute"}).terminal, {"'spring' holds to a place in space"});
}

/// A restart finds the base where it was; with another record it is refused.
TEST(BaseMotion, Restart)
{
  const Folder whole, split;
  const Settings settings{"Base motion/Frame=absolute", "Integrator/newmark/beta=0.25", "Time/Time step=0.01", "Output/Checkpoint every=10",
                          "Solver/Deterministic=yes"};
  for (const Folder *folder : {&whole, &split})
  {
    write_file(*folder, "mass.prm", one_mass);
    write_file(*folder, "record.csv", "0 0\n0.25 1.5\n1 0\n");
  }
  ASSERT_EQ(run_deck(whole, whole / "mass.prm", settings).exit_code, 0);
  ASSERT_EQ(run_deck(split, split / "mass.prm", settings + Settings{"Time/End time=0.5"}).exit_code, 0);
  const std::string on = std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results --set 'Time/End time=1'";
  write_file(split, "record.csv", "0 0\n0.25 1.6\n1 0\n");
  const Outcome refused = command(split, on);
  EXPECT_EQ(refused.exit_code, 1);
  expect_in(refused.terminal, {"the deck is not that of the checkpoint", "the file record.csv, CRC-32"});
  write_file(split, "record.csv", "0 0\n0.25 1.5\n1 0\n");
  const Outcome same = command(split, on);
  ASSERT_EQ(same.exit_code, 0) << same.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}
}  // namespace symdyn::tests::in_base_motion
