// Steady vibration under loads and supports that go through a period of any form.
#include <numeric>

#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_waveform
{
namespace
{
/// At 5 Hz; the lowest mode of the bar has 7.9 Hz.
std::string steady(const std::string &more)
{
  return section("steady", "set Type = harmonic\nset Frequencies = 5, 5\nset Points = 1\n" + more);
}

std::string pulled(const std::string &amplitude)
{
  return bar(6) + section("Damping", "set Mass proportional = 10") +
         section("Loads",
                 section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 100, 0, 0\nset Amplitude = " + amplitude));
}

std::map<std::string, std::vector<double>> table(const std::string &deck, const int ranks = 1)
{
  const Folder folder;
  run_well(folder, deck, {"Output/Write every=never"}, ranks);
  return table_of(folder / "results/harmonic-steady.csv");
}
std::vector<double> column(const std::string &deck, const std::string &name, const int ranks = 1) { return table(deck, ranks).at(name); }

double mean(const std::vector<double> &values) { return std::accumulate(values.begin(), values.end(), 0.) / values.size(); }

/// Nothing holds it along x.
std::string free_bar(const std::string &amplitude)
{
  std::string text = pulled(amplitude);
  const std::string clamp = section("clamp", "set Boundary = x-");
  return text.erase(text.find(clamp), clamp.size());
}
}  // namespace

TEST(Waveform, OfOneHarmonicIsTheHarmonicAnswer)
{
  for (const std::string method : {"set Method = direct\n", "set Method = modal\nset Modes = 6\n"})
  {
    const std::string plain = pulled("1") + stages(steady(method)),
                      wave = pulled("cos(2*pi*t/3)") + stages(steady(method + "set Waveform = 0, 3\nset Waveform terms = 6"));
    const double size = column(plain, "amplitude tip.u_x").at(0), phase = column(plain, "phase tip.u_x").at(0) * M_PI / 180.;
    const auto u = column(wave, "tip.u_x"), v = column(wave, "tip.v_x"), a = column(wave, "tip.a_x"), t = column(wave, "time");
    ASSERT_EQ(u.size(), 6u);
    const double omega = 2. * M_PI * 5.;
    for (int m = 0; m < 6; ++m)
    {
      EXPECT_NEAR(t[m], m / 30., 1e-14);
      EXPECT_NEAR(u[m], size * std::cos(omega * t[m] + phase), 1e-7 * size);
      EXPECT_NEAR(v[m], -omega * size * std::sin(omega * t[m] + phase), 1e-7 * omega * size);
      EXPECT_NEAR(a[m], -omega * omega * size * std::cos(omega * t[m] + phase), 1e-7 * omega * omega * size);
    }
  }
}

TEST(Waveform, IsWhatATransientBecomes)
{
  // 0.3 + sin³: harmonics 0, 1 and 3, which 8 samples hold exactly.
  const std::string modal = "set Modes = 6\n",
                    wave = pulled("0.3 + sin(10*pi*t)^3") +
                           stages(steady("set Method = modal\n" + modal + "set Waveform = 0, 0.2\nset Waveform terms = 8")),
                    transient = pulled("0.3 + sin(10*pi*t)^3") +
                                stages(section("long", "set Type = modal transient\n" + modal +
                                                           section("Time", "set Time step = 0.0005\nset End time = 4")));
  const auto u = column(wave, "tip.u_x"), R = column(wave, "clamp.R_x");
  const Folder folder;
  const Outcome run = run_well(folder, transient, {"Output/Write every=never"});
  for (int m = 0; m < 8; ++m)
  {
    EXPECT_NEAR(u[m], run.history.at(3.8 + m * 0.025, "tip.u_x"), 1e-3 * 1e-4) << m;
    EXPECT_NEAR(R[m], run.history.at(3.8 + m * 0.025, "clamp.R_x"), 5e-3) << m;
  }
  EXPECT_GT(std::abs(u[2] - u[6]), 1e-4);
}

TEST(Waveform, IsTheSameOnThreeRanks)
{
  const std::string deck =
      pulled("0.3 + cos(2*pi*t)") + stages(steady("set Method = modal\nset Modes = 6\nset Waveform = 0, 1\nset Waveform terms = 5"));
  const auto one = table(deck), three = table(deck, 3);
  ASSERT_EQ(one.at("time").size(), 5u);
  for (int m = 0; m < 5; ++m)
    for (const char *name : {"tip.u_x", "clamp.R_x"})
      EXPECT_NEAR(three.at(name)[m], one.at(name)[m], 1e-7 * std::abs(one.at(name)[0])) << name;
}

TEST(Waveform, TheMeanIsTheStaticAnswer)
{
  // u = F L/(E A), R = -F: hysteresis damps cycles, and what rests has none.
  for (const std::string method : {"set Method = direct\n", "set Method = modal\nset Modes = 6\n"})
  {
    const auto period = table(pulled("1 + cos(2*pi*t/3)") +
                              stages(steady(method + "set Structural damping = 0.5\nset Waveform = 0, 3\nset Waveform terms = 6")));
    EXPECT_NEAR(mean(period.at("tip.u_x")), 1e-4, 1e-10) << method;
    EXPECT_NEAR(mean(period.at("clamp.R_x")), -0.25, 1e-7) << method;
    EXPECT_GT(std::abs(period.at("tip.u_x")[0] - period.at("tip.u_x")[3]), 1e-5) << "it vibrates";
  }
}

TEST(Waveform, OfABodyThatNothingHoldsHasNoMean)
{
  for (const std::string method : {"set Method = direct\n", "set Method = modal\nset Modes = 7\n"})
  {
    const std::string wave = method + "set Waveform = 0, 3\nset Waveform terms = 6";
    const double size = column(free_bar("1") + stages(steady(method)), "amplitude tip.u_x").at(0),
                 phase = column(free_bar("1") + stages(steady(method)), "phase tip.u_x").at(0) * M_PI / 180.;
    const auto u = column(free_bar("cos(2*pi*t/3)") + stages(steady(wave)), "tip.u_x");
    for (int m = 0; m < 6; ++m)
      EXPECT_NEAR(u[m], size * std::cos(2. * M_PI * m / 6. + phase), 1e-7 * size) << method;
    expect_refused(free_bar("0.1 + cos(2*pi*t/3)") + stages(steady(wave)),
                   method.find("direct") != std::string::npos ? "may move along x" : "is driven by the mean of the period");
  }
}

TEST(Waveform, SupportsThatHoldBeforeStay)
{
  // The clamp has a motion of its own, which is over before the structure stands; the tip is shaken.
  const auto deck = [](const std::string &clamp, const std::string &shaker = "sin(2*pi*t)", const std::string &more = "") {
    return section("Mesh", "set Type = box\nset Subdivisions = 6, 1, 1\n" + section("box", "set Size = 1, 0.05, 0.05")) +
           elastic(1e6, 0., 1000.) + section("Damping", "set Mass proportional = 10") +
           section(
               "Supports",
               section("clamp", "set Boundary = x-\nset Type = displacement\nset Displacement = 0.01, 0, 0\nset Amplitude = " + clamp) +
                   section("shaker",
                           "set Boundary = x+\nset Type = displacement\nset Displacement = 0.02, free, free\nset Amplitude = " + shaker) +
                   section("y", "set Boundary = y-\nset Type = symmetry") + section("z", "set Boundary = z-\nset Type = symmetry")) +
           section("Probes", section("middle", "set Point = 0.5, 0, 0") + section("root", "set Point = 0, 0, 0")) +
           stages(section("still", "set Type = static\nset Supports = clamp, y, z") +
                  steady("set Waveform = 0, 1\nset Waveform terms = 8\n" + more));
  };
  const auto moves = table(deck("sin(2*pi*t)^2")), rests = table(deck("0"));
  ASSERT_EQ(moves.at("time").size(), 8u);
  for (int m = 0; m < 8; ++m)
  {
    EXPECT_NEAR(moves.at("root.u_x")[m], 0., 1e-15);
    EXPECT_NEAR(moves.at("middle.u_x")[m], rests.at("middle.u_x")[m], 1e-12);
  }
  EXPECT_GT(std::abs(rests.at("middle.u_x")[2]), 1e-3);
  const Folder folder;
  EXPECT_NE(run_well(folder, deck("sin(2*pi*t)^2")).log.find("supports that hold before it stay"), std::string::npos);
  EXPECT_EQ(run_well(folder, deck("0")).log.find("supports that hold before it stay"), std::string::npos);
  // The mean of what is shaken about 0.02 is the static line between the ends.
  for (const std::string method : {"set Method = direct\n", "set Method = modal\nset Modes = 4\n"})
  {
    const auto period = table(deck("0", "1 + sin(2*pi*t)", method + "set Structural damping = 0.5"));
    EXPECT_NEAR(mean(period.at("middle.u_x")), 0.01, 1e-9) << method;
    EXPECT_NEAR(mean(period.at("shaker.R_x")), 1e6 * 0.0025 * 0.02, 1e-5) << method;
  }
}

TEST(Waveform, SaysWhenItsHighestHarmonicIsAboveTheModes)
{
  const Folder folder;
  const std::string few = "set Method = modal\nset Modes = 2\nset Static correction = no\nset Waveform = 0, 1\nset Waveform terms = ";
  EXPECT_NE(run_well(folder, pulled("cos(2*pi*t)") + stages(steady(few + "20"))).log.find("too near to the highest frequency 50 Hz"),
            std::string::npos);
  const Folder other;
  EXPECT_EQ(run_well(other, pulled("cos(2*pi*t)") + stages(steady(few + "3"))).log.find("too near to the highest frequency"),
            std::string::npos);
}

TEST(Waveform, RowsBeforeAnAnswerThatIsNotFiniteAreKept)
{
  // One mass, no damping, k/m = (2 pi 1 Hz)² to the last digit.
  const double omega = 2. * M_PI;
  const Folder folder;
  const std::string deck = oscillator(1., 1., 0.), stiff = fmt::format("set Stiffness = {:.17g}", omega * omega);
  std::string text = deck;
  text.replace(text.find("set Stiffness = 1"), 17, stiff);
  const Outcome run = run_text(
      folder,
      text + section("Forces", section("shake", "set Points = mass\nset Force = 7*cos(2*pi*t)")) +
          stages(section(
              "steady",
              "set Type = harmonic\nset Method = modal\nset Modes = 1\nset Static correction = no\nset Frequencies = 0.5, 1\nset Points = 2\n"
              "set Waveform = 0, 1\nset Waveform terms = 3")));
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_NE(run.terminal.find("harmonic response at 1 Hz: this is the resonance of mode 1"), std::string::npos) << run.terminal;
  EXPECT_EQ(table_of(folder / "results/harmonic-steady.csv").at("frequency"), std::vector<double>(3, 0.5));
}

TEST(Waveform, OfSupportsIsWhatATransientBecomes)
{
  // The root is shaken by two sines, of 0.5 and 1.5 Hz: a period sampled 40 times; twenty periods as a table of 200 points each, which is
  // linear between them.
  std::string once = "*AMPLITUDE, NAME=ONCE\n", often = "*AMPLITUDE, NAME=OFTEN\n";
  const auto wave = [](const double part) { return std::sin(2. * M_PI * part) + 0.4 * std::sin(6. * M_PI * part); };
  for (int j = 0; j <= 40; ++j)
    once += fmt::format("{}, {:.12f}\n", j / 40., wave(j / 40.));
  for (int j = 0; j <= 4000; ++j)
    often += fmt::format("{}, {:.12f}\n", j / 100., wave(j / 200.));
  const std::string model = rod(3) + "*BOUNDARY\nROOT, 1, 3\nALL, 2, 3\n" + once + often + "*STEP\n*FREQUENCY\n12\n*END STEP\n",
                    damping = "*MODAL DAMPING\n1, 12, 0.3\n", print = "*NODE PRINT, NSET=TIP\nU\n*END STEP\n";
  const std::string periodic = tables_of(model + "*STEP\n*STEADY STATE DYNAMICS, HARMONIC=NO\n.5, .5, 1, 1., 40, 0., 1.\n" + damping +
                                         "*BOUNDARY, AMPLITUDE=ONCE\nROOT, 1, 1, .01\n" + print),
                    transient = tables_of(model + "*STEP, INC=100000\n*MODAL DYNAMIC\n.01, 39.5\n" + damping +
                                          "*BOUNDARY, AMPLITUDE=OFTEN\nROOT, 1, 1, .01\n" + print);
  const auto at = [](const std::string &tables, const std::string &time) {
    return of_node(rows_below(tables, "displacements (vx,vy,vz) for set TIP and time  " + time), 13)[0];
  };
  const double whole = at(periodic, "0.1500000E+01");
  EXPECT_NEAR(whole, at(transient, "0.3950000E+02"), 5e-3 * std::abs(whole));
  EXPECT_GT(std::abs(whole - 0.01 * wave(0.75)), 1e-4) << "it is no statics";
}

TEST(Waveform, WhatItCannotBeIsRefused)
{
  expect_refused(pulled("t") + stages(steady("set Waveform = 0, 1")), "jump by 1 of their largest value");
  expect_refused(pulled("1") + stages(steady("set Waveform terms = 4")), "Waveform terms = 4");
  expect_refused(pulled("1") + stages(steady("set Waveform = 1, 1")), "the start and the end of the period");
  expect_refused(pulled("1") + stages(steady("set Waveform = 0, 1\nset Base acceleration = 1, 0, 0")), "a base that shakes");
  expect_refused(pulled("0*t") + stages(steady("set Waveform = 0, 1")), "the loads of this harmonic stage are zero");
  const std::string model =
      rod(3) +
      "*BOUNDARY\nROOT, 1, 3\n*AMPLITUDE, NAME=A\n0., 0., .5, 1., 1., 0.\n*STEP\n*FREQUENCY\n3\n*END STEP\n*STEP\n*STEADY STATE DYNAMICS, HARMONIC=";
  const auto expect = [](const std::string &text, const std::string &words) {
    EXPECT_NE(refusal_of(text).find(words), std::string::npos) << words << " is not in: " << refusal_of(text);
  };
  expect(model + "PERHAPS\n.5, 1., 3\n*END STEP\n", "HARMONIC=PERHAPS: is YES");
  expect(model + "NO\n.5, 1., 3, 1., 1.5\n*END STEP\n", "model.inp:42: 1.5: the number of Fourier terms is whole");
  expect(model + "NO\n.5, 1., 3, 1., 4, 2., 1.\n*END STEP\n", "the period ends after it has begun");
  expect(model + "NO\n.5, 1., 3, 1., 4\n*CLOAD, LOAD CASE=2\nTIP, 1, 1.\n*END STEP\n", "LOAD CASE=2");
  expect(model + "NO\n.5, 1., 3, 1., 4\n*BASE MOTION, DOF=1, AMPLITUDE=A\n*END STEP\n", "HARMONIC=NO is not");
}
}  // namespace symdyn::tests::in_waveform
