// Modes, modal transient and harmonic stages, held to exact solutions and published numbers.
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <complex>
#include <fstream>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_linear_dynamics
{
namespace
{
constexpr double pi = 3.14159265358979323846;

std::string stage(const std::string &name, const std::string &content) { return section("Stages", section(name, content)); }

/// N equal masses between springs in a row, both ends fixed; x along the row. Springs of stiffness k, length a, unstressed length a0.
std::string chain(const int N, const double k, const double m, const double a, const double a0)
{
  const std::string first = N == 1 ? "mass" : "mass0",
                    last = N == 1 ? "mass" : "mass" + std::to_string(N - 1);  // a group of one is a point
  const std::string law = "\nset Stiffness = " + std::to_string(k) + "\nset Length = " + fmt::format("{:.15g}", a0);
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 2\n" + section("wall", "set Fixed = yes\nset Position = 0, 0") +
                               section("mass", "set Count = " + std::to_string(N) + "\nset Mass = " + std::to_string(m) +
                                                   "\nset Position = (i+1)*" + std::to_string(a) + ", 0") +
                               section("end", "set Fixed = yes\nset Position = " + std::to_string((N + 1) * a) + ", 0")) +
         section("Springs", section("first", "set From = wall\nset To = " + first + law) +
                                (N == 1 ? "" : section("between", "set From = mass\nset To = mass\nset Offset = 1" + law)) +
                                section("last", "set From = " + last + "\nset To = end" + law));
}
}  // namespace

TEST(LinearDynamics, BoxHasThePublishedFrequenciesNightly)
{
  // CalculiX 2.20 and an independent program, 4x4x16 eight-node hexahedra.
  const std::vector<double> twin{13798.13, 19852.05, 81356.76, 88787.12, 109446.1, 163403.6, 211154.3, 266831.4, 267673.8, 379922.6};
  for (const int ranks : {1, 3})
  {
    const Folder folder;
    const Outcome run = run_deck(folder, "verification/box-modes.prm", {}, ranks);
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const auto modes = table_of(folder / "results/modes-forms.csv");
    ASSERT_EQ(modes.at("frequency").size(), twin.size());
    for (std::size_t i = 0; i < twin.size(); ++i)
      EXPECT_NEAR(modes.at("frequency")[i], twin[i], 6e-7 * twin[i]) << "mode " << i + 1 << " on " << ranks << " ranks";
    EXPECT_NE(run.log.find("Sturm check passed: no mode missing"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(folder / "results/modes-forms.pvd"));
  }
}

/// A second factorisation, unless the deck leaves it out. The control: with it the log says that it has counted.
TEST(LinearDynamics, ModesAreCountedWhereWanted)
{
  const std::string counted = "Sturm check passed: no mode missing", uncounted = "Sturm check = no: of several modes with one frequency";
  std::array<Folder, 2> folders;
  std::array<Outcome, 2> runs;
  for (const int i : {0, 1})
  {
    runs[i] = run_deck(folders[i], "verification/box-modes.prm",
                       {"Stages/forms/Modes=4", std::string("Stages/forms/Sturm check=") + (i == 0 ? "yes" : "no")});
    ASSERT_EQ(runs[i].exit_code, 0) << runs[i].terminal;
    EXPECT_EQ(runs[i].log.find(counted) != std::string::npos, i == 0);
    EXPECT_EQ(runs[i].log.find(uncounted) != std::string::npos, i == 1);
    EXPECT_EQ(runs[i].log.find("nothing has counted the modes"), std::string::npos);
  }
  const auto a = table_of(folders[0] / "results/modes-forms.csv"), b = table_of(folders[1] / "results/modes-forms.csv");
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(a.at("frequency")[i] / b.at("frequency")[i], 1., 1e-10);
}

TEST(LinearDynamics, IterativeSolverFindsTheSameModes)
{
  const Folder direct, iterative;
  ASSERT_EQ(run_deck(direct, "verification/box-modes.prm", {"Stages/forms/Modes=4"}).exit_code, 0);
  const Outcome run = run_deck(iterative, "verification/box-modes.prm",
                               {"Stages/forms/Modes=4", "Linear solver/Type=cg", "Linear solver/cg/Preconditioner=gamg"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const auto a = table_of(direct / "results/modes-forms.csv"), b = table_of(iterative / "results/modes-forms.csv");
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(a.at("frequency")[i] / b.at("frequency")[i], 1., 1e-8);
  EXPECT_EQ(run.log.find("Sturm check passed: no mode missing"), std::string::npos);  // nothing has counted them
}

TEST(LinearDynamics, FreeBodyHasSixRigidModesThatCarryAllOfIt)
{
  const Folder folder;
  const std::string cube =
      section("Mesh", "set Type = box\nset Subdivisions = 4, 4, 4\n" + section("box", "set Size = 1, 2, 3\nset Corner = 0.3, 0.2, 0.1")) +
      section("Materials", section("steel", "set Type = st-venant-kirchhoff\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
      stage("forms", "set Type = modes\nset Modes = 9");
  run_well(folder, cube);
  const auto modes = table_of(folder / "results/modes-forms.csv");
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(modes.at("frequency")[i], 0.);
  EXPECT_GT(modes.at("frequency")[6], 1.);
  const std::string text = text_of(folder / "results/modes-forms.csv");
  EXPECT_NE(text.find("6,rigid"), std::string::npos);
  EXPECT_NE(text.find("7,vibration"), std::string::npos);
  for (const char *motion : {"x", "y", "z"})
  {
    double sum = 0;
    for (int i = 0; i < 6; ++i)
      sum += modes.at(std::string("effective mass ") + motion)[i];
    EXPECT_NEAR(sum, 6000., 1e-6) << motion;
  }
}

TEST(LinearDynamics, PrestressedStringHasTheExactFrequencies)
{
  // omega_n = 2 sqrt(T/(m a)) sin(n pi / (2 (N + 1))) across, 2 sqrt(k/m) sin(...) along (Lagrange 1759).
  constexpr int N = 9;
  constexpr double k = 50, m = 2, a = 1.5, a0 = 1.2, T = k * (a - a0);
  const Folder folder;
  run_well(folder, chain(N, k, m, a, a0) + stage("forms", "set Type = modes\nset Modes = 18"));
  std::vector<double> exact;
  for (int n = 1; n <= N; ++n)
    for (const double stiffness : {T / a, k})
      exact.push_back(2. * std::sqrt(stiffness / m) * std::sin(n * pi / (2. * (N + 1))));
  std::sort(exact.begin(), exact.end());
  const auto modes = table_of(folder / "results/modes-forms.csv");
  ASSERT_EQ(modes.at("omega").size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(modes.at("omega")[i], exact[i], 1e-10 * exact[i]);
  // Springs that push are unstable across: omega² < 0.
  const Outcome pushed = run_well(folder, chain(N, k, m, a, 1.6) + stage("forms", "set Type = modes\nset Modes = 18"));
  EXPECT_NE(pushed.terminal.find("unstable"), std::string::npos);
  EXPECT_NEAR(table_of(folder / "results/modes-forms.csv").at("omega^2")[0],
              -4. * k * 0.1 / a / m * std::pow(std::sin(N * pi / (2. * (N + 1))), 2), 1e-9);
}

TEST(LinearDynamics, FarFromZeroUnstableModesAreFoundFirst)
{
  // 200 masses: the search by shifts must go below the lowest omega², which is far below the smallest |omega²|.
  constexpr int N = 200;
  constexpr double k = 50, m = 2, a = 1.5, pushed = 0.1;
  const Folder folder;
  run_well(folder, chain(N, k, m, a, a + pushed) + stage("forms", "set Type = modes\nset Modes = 3"));
  const auto modes = table_of(folder / "results/modes-forms.csv");
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(modes.at("omega^2")[i], -4. * k * pushed / a / m * std::pow(std::sin((N - i) * pi / (2. * (N + 1))), 2), 1e-7);
}

TEST(LinearDynamics, FindsWhatAKrylovSpaceCannotSee)
{
  // Equal blocks beside each other: each frequency as many times, of which a space that grows from one vector meets some by rounding alone.
  // Without the search for what is missing 13 of the first 24 are found.
  constexpr int blocks = 24, modes = 30;
  const Folder folder;
  const std::string row =
      section("Mesh", "set Type = boxes\nset Subdivisions = 2, 2, 4\n" +
                          section("boxes", "set Size = 1, 1.5, 4\nset Number = " + std::to_string(blocks) + "\nset Gap = 0.5")) +
      section("Materials", section("steel", "set Type = linear-elasticity\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
      section("Supports", section("clamp", "set Boundary = z-"));
  const Outcome run =
      run_well(folder, row + stage("forms", "set Type = modes\nset Modes = " + std::to_string(modes)), {"Output/Write every=never"});
  EXPECT_NE(run.log.find("Sturm check passed: no mode missing"), std::string::npos);
  const auto omega = table_of(folder / "results/modes-forms.csv").at("omega");
  ASSERT_EQ(omega.size(), std::size_t(modes));
  for (int i = 0; i < modes; ++i)
    EXPECT_NEAR(omega[i], omega[i / blocks * blocks], 1e-8 * omega[i]) << i;
  EXPECT_GT(omega[blocks], 1.01 * omega[blocks - 1]);
}

TEST(LinearDynamics, HighestFrequencyAsksForAllBelowIt)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "verification/box-modes.prm", {"Stages/forms/Modes=1", "Stages/forms/Highest frequency=170000"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(table_of(folder / "results/modes-forms.csv").at("mode").size(), 6u);
  const Outcome none = run_deck(folder, "verification/box-modes.prm", {"Stages/forms/Highest frequency=10"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.terminal.find("no mode lies below 10 Hz; the lowest has 13798"), std::string::npos) << none.terminal;
}

TEST(LinearDynamics, ModalTransientIsExactForLoadsThatChangeLinearly)
{
  // All modes of a bar of five elements: the sum of them is the whole structure, and the load is linear in each step, so that big steps
  // agree with small ones.
  const std::string ramp =
      section("Loads", section("pull", "set Type = traction\nset Boundary = x+\nset Traction = 100, 0, 0\nset Amplitude = min(t/0.04, 1)"));
  const std::string damped = section("Damping", "set Mass proportional = 2\nset Stiffness proportional = 1e-4");
  const std::string shock = stage("shock", "set Type = modal transient\nset Modes = 40");
  const auto tip = [&](const double h) {
    const Folder folder;
    const Outcome run =
        run_well(folder, bar(5) + ramp + damped + shock + section("Time", "set Time step = " + std::to_string(h) + "\nset End time = 0.08"),
                 {"Output/Write every=never"});
    return run.history.last("tip.u_x");
  };
  const double coarse = tip(0.04), fine = tip(0.002);
  EXPECT_NEAR(coarse, fine, 1e-10 * std::abs(fine));
  // The same by Newmark with steps that resolve every mode.
  const Folder folder;
  const Outcome run =
      run_well(folder, bar(5) + ramp + damped + section("Time", "set Time step = 2e-5\nset End time = 0.08"), {"Output/Write every=never"});
  EXPECT_NEAR(run.history.last("tip.u_x"), fine, 2e-4 * std::abs(fine));
  EXPECT_GT(std::abs(run.history.at(0.04, "tip.u_x") - fine), 1e-2 * std::abs(fine));  // it moves: the agreement is not of two statics
}

TEST(LinearDynamics, ModalDampingLosesWhatItShould)
{
  // One mode, released from its static deflection: y = e^{-zeta w t} (cos wd t + zeta w/wd sin wd t).
  constexpr double zeta = 0.03;
  const Folder folder;
  run_well(folder, bar(5) + stage("forms", "set Type = modes\nset Modes = 1"));
  const double w = table_of(folder / "results/modes-forms.csv").at("omega")[0], wd = w * std::sqrt(1. - zeta * zeta);
  const double h = 2. * pi / wd / 40.;
  const std::string stages =
      section("Stages", section("hold", "set Type = static") +
                            section("free", "set Type = modal transient\nset Modes = 1\nset Damping ratios = 0.03\nset Loads = none\n" +
                                                section("Time", "set Time step = " + fmt::format("{:.15g}", h) +
                                                                    "\nset End time = " + fmt::format("{:.15g}", 120. * h))));
  const Outcome run = run_well(folder, bar(5) + pull + stages, {"Output/Write every=never"});
  const History &history = run.history;
  std::size_t start = 0;
  while (history.stage[start] != "free")
    ++start;
  const double first = history["tip.u_x"][start];
  // The mode's part A of the static shape moves, the rest stays: two rows a period apart give A, all others are then known.
  const double ratio = std::exp(-2. * pi * zeta / std::sqrt(1. - zeta * zeta)), A = (first - history["tip.u_x"][start + 40]) / (1. - ratio);
  EXPECT_GT(A, 0.7 * first);
  for (std::size_t i = start; i < history.rows(); ++i)
  {
    const double t = (i - start) * h, y = std::exp(-zeta * w * t) * (std::cos(wd * t) + zeta * w / wd * std::sin(wd * t));
    EXPECT_NEAR(history["tip.u_x"][i], first - A + A * y, 1e-7 * A) << "row " << i;
  }
  EXPECT_GT(history.last("E_dissipated"), 0.3 * (history["E_total"][start] - history["E_total"].back()));
  EXPECT_LT(std::abs(history.last("E_balance_error")), 1e-9 * history["E_total"][start]);
}

TEST(LinearDynamics, HarmonicResponseOfOneMassIsExact)
{
  // m = 2 between two springs of 50: k = 100 along; c = 3 to the ground.
  constexpr double m = 2, k = 100, c = 3, F = 7;
  const std::string deck = chain(1, 50, m, 1., 1. - 1e-9) + section("Forces", section("shake", "set Points = mass\nset Force = 7, 0")) +
                           section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 3"));
  for (const auto &[method, eta] : {std::pair{std::string("direct"), 0.}, {"modal", 0.}, {"direct", 0.2}, {"modal", 0.2}})
  {
    const Folder folder;
    const std::string structural = eta > 0. ? "\nset Structural damping = 0.2" : "";
    const Outcome run = run_text(
        folder, deck + stage("sweep", "set Type = harmonic\nset Method = " + method + "\nset Frequencies = 0.2, 4\nset Points = 20" +
                                          (method == "modal" ? "\nset Modes = 2" : "") + structural));
    ASSERT_EQ(run.exit_code, 0) << run.terminal;
    const auto sweep = table_of(folder / "results/harmonic-sweep.csv");
    ASSERT_EQ(sweep.at("frequency").size(), 20u);
    for (std::size_t i = 0; i < sweep.at("frequency").size(); ++i)
    {
      const double w = 2. * pi * sweep.at("frequency")[i];
      const std::complex<double> u = F / std::complex<double>(k - m * w * w, c * w + eta * k);
      EXPECT_NEAR(sweep.at("amplitude mass.x")[i], std::abs(u), 1e-7 * std::abs(u)) << method;
      EXPECT_NEAR(sweep.at("phase mass.x")[i], std::arg(u) * 180. / pi, 1e-5) << method;
      EXPECT_NEAR(sweep.at("amplitude mass.v_x")[i], w * std::abs(u), 1e-7 * w * std::abs(u)) << method;
    }
  }
}

TEST(LinearDynamics, DirectAndModalHarmonicResponsesAgreeOnRanks)
{
  const std::string damped = section("Damping", "set Mass proportional = 3\nset Stiffness proportional = 2e-5");
  const auto sweep = [&](const std::string &method, const int ranks) {
    const Folder folder;
    run_well(folder,
             bar(5) + pull + damped +
                 stage("sweep", method + "\nset Type = harmonic\nset Frequencies = 3, 60\nset Points = 15\nset Structural damping = 0.02"),
             {"Output/Write every=never"}, ranks);
    return table_of(folder / "results/harmonic-sweep.csv");
  };
  const auto direct = sweep("set Method = direct", 1), modal = sweep("set Method = modal\nset Modes = 40", 1),
             ranks = sweep("set Method = direct", 2);
  const auto few = sweep("set Method = modal\nset Modes = 1", 1);
  double most = 0;
  for (std::size_t i = 0; i < direct.at("frequency").size(); ++i)
  {
    const double u = direct.at("amplitude tip.u_x")[i];
    EXPECT_NEAR(modal.at("amplitude tip.u_x")[i], u, 1e-7 * u);
    EXPECT_NEAR(modal.at("phase tip.u_x")[i], direct.at("phase tip.u_x")[i], 1e-4);
    EXPECT_NEAR(ranks.at("amplitude tip.u_x")[i], u, 1e-8 * u);
    most = std::max(most, std::abs(few.at("amplitude tip.u_x")[i] - u) / u);
  }
  EXPECT_GT(most, 1e-2);  // one mode is not enough, and that shows
}

TEST(LinearDynamics, WrongStagesAreRefused)
{
  const Folder folder;
  const auto refused = [&](const std::string &deck, const std::string &words) {
    const Outcome run = run_text(folder, deck);
    EXPECT_EQ(run.exit_code, 1) << run.terminal;
    EXPECT_NE(run.terminal.find(words), std::string::npos) << words << "\n" << run.terminal;
  };
  refused(bar(5) + stage("sweep", "set Type = harmonic\nset Frequencies = 1, 10"), "needs a load that oscillates");
  refused(bar(5) + pull + stage("sweep", "set Type = harmonic"), "needs its lowest and highest frequency");
  refused(bar(5) + pull + stage("sweep", "set Type = harmonic\nset Frequencies = 10, 1"), "the lowest and the highest");
  refused(bar(5) + pull + stage("sweep", "set Type = harmonic\nset Frequencies = 1, 10\nset Damping ratios = 0.1"),
          "have no effect with Method = direct");
  refused(bar(5) + pull +
              section("Stages", section("hold", "set Type = static") +
                                    section("sweep", "set Type = harmonic\nset Loads = pull\nset Frequencies = 1, 10")),
          "acts already");
  refused(bar(5) + pull + stage("shock", "set Type = modal transient\nset Modes = 2\nset Damping ratios = 0.1, 0.2, 0.3") +
              section("Time", "set Time step = 0.01\nset End time = 0.1"),
          "3 ratios for 2 modes");
  refused(bar(5) + pull + stage("hold", "set Type = static\nset Loads = push"), "there is no load 'push'");
  refused(bar(5) + stage("forms", "set Type = modes\nset Loads = all"), "Loads");
  refused(bar(5) + pull + section("Stages", section("move", "set Type = dynamic") + section("forms", "set Type = modes")) +
              section("Time", "set Time step = 0.01\nset End time = 0.1"),
          "after a motion there is none");
}

TEST(LinearDynamics, StepsOfLaterStagesAreForeseen)
{
  // Linear bodies keep their critical step: what is longer is refused before anything is computed. Others may be softened by the stage
  // before.
  const std::string hold = section("hold", "set Type = static"),
                    move = section("move", "set Type = dynamic\n" + section("Integrator", "set Scheme = central-difference")),
                    deck = bar(5) + pull + section("Elements", "set Mass = lumped") + section("Stages", hold + move);
  const auto at = [](const std::string &h) {
    return std::vector<std::string>{"Stages/move/Time/Time step=" + h, "Stages/move/Time/End time=0.01"};
  };
  expect_refused(deck, "the critical step of central-difference is 0.0", at("0.005"));
  const Folder folder;
  const Outcome refused = run_text(folder, deck, at("0.005"));
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.log.find("stage hold:"), std::string::npos) << "it was computed first";
  EXPECT_EQ(run_text(folder, deck, at("auto")).exit_code, 0);
  const double critical = std::stod(refused.terminal.substr(refused.terminal.find("difference is ") + 14));
  constexpr double h = 0.0025;
  ASSERT_LT(critical, h);
  ASSERT_GT(2. * critical, h);
  std::vector<std::string> nonlinear = at("0.0025");
  nonlinear.push_back("Materials/stuff/Type=st-venant-kirchhoff");
  const Outcome told = run_text(folder, deck, nonlinear);
  EXPECT_NE(told.terminal.find("at the start of the run; unless"), std::string::npos) << told.terminal;
  EXPECT_NE(told.terminal.find("critical step of central-difference is"), std::string::npos) << told.terminal;
  EXPECT_EQ(told.exit_code, 1) << "pulled bars stiffen";
}
}  // namespace symdyn::tests::in_linear_dynamics
