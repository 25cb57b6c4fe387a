// Tables and records that change within a step: what is warned of, means, steps that end at their points.
#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_sampling
{
namespace
{
/// A mass on a spring, w = 16 rad/s, zeta = 0.05, on a base that shakes.
const std::string on_base = "set Structure = discrete\n" +
                            section("Points", "set Dimension = 1\n" + section("foot", "set Position = 0\nset Fixed = yes") +
                                                  section("mass", "set Mass = 1\nset Position = 1")) +
                            section("Springs", section("spring", "set From = foot\nset To = mass\nset Stiffness = 256")) +
                            section("Dashpots", section("oil", "set Points = mass\nset Coefficient = 1.6")) +
                            section("Base motion", "set File = record.csv\nset Unit = m/s2\nset Direction = 1") +
                            section("Output", "set Write every = never\nset History every = 1");

std::string time_of(const std::string &step, const std::string &end = "1", const std::string &more = "")
{
  return section("Time", "set Time step = " + step + "\nset End time = " + end + "\n" + more);
}

/// +1, -1, ... m/s², 200 points a second.
std::string alternating()
{
  std::string text;
  for (int i = 0; i <= 200; ++i)
    text += fmt::format("{:.4f} {}\n", 0.005 * i, i % 2 ? -1 : 1);
  return text;
}

Outcome shaken(const std::string &deck, const std::string &record, const Settings &settings = {}, const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "record.csv") << record;
  return run_well(folder, deck, settings, ranks);
}

/// The largest |u| of the mass.
double reach(const Outcome &run)
{
  double most = 0;
  for (const double x : run.history["mass.x"])
    most = std::max(most, std::abs(x - 1.));
  return most;
}

/// A bar that a pulse of half a millisecond pulls in the first step of 0.02 s.
const std::string pulse = "0 0\n0.0105 0\n0.01050001 1\n0.01099999 1\n0.011 0\n1 0\n", half = "0 0\n0.0105 0\n0.01075 1\n0.011 0\n1 0\n";
Outcome pulled(const std::string &table, const std::string &step, const Settings &settings = {}, const std::string &stage = "",
               const int ranks = 1)
{
  const Folder folder;
  std::ofstream(folder / "pull.csv") << table;
  const std::string time = time_of(step, "0.2");
  const std::string soft = elastic(1e3, 0., 1000.);  // the highest mode has 17 rad/s
  std::string body = bar(5);
  body.replace(body.find(elastic(1e6, 0., 1000.)), elastic(1e6, 0., 1000.).size(), soft);
  return run_well(folder, body + pull + (stage.empty() ? time : stages(section("on", stage + "\n" + time))),
                  Settings{"Output/Write every=never", "Output/History every=1", "Loads/pull/Amplitude file=pull.csv",
                           "Newton/Tolerance=1e-12", "Linear solver/Tolerance=1e-13"} +
                      settings,
                  ranks);
}

double difference(const Outcome &a, const Outcome &b, const double step = 0.02)
{
  double most = 0, size = 0;
  for (double t = step; t < 0.2; t += step)
  {
    most = std::max(most, std::abs(a.history.at(t, "tip.u_x") - b.history.at(t, "tip.u_x")));
    size = std::max(size, std::abs(b.history.at(t, "tip.u_x")));
  }
  return most / size;
}

bool warns(const Outcome &run) { return run.terminal.find("inside of steps that matter") != std::string::npos; }
}  // namespace

TEST(Sampling, ARecordFinerThanTheStepIsWarnedOf)
{
  const Outcome fine = shaken(on_base + time_of("0.0005"), alternating()), coarse = shaken(on_base + time_of("0.01"), alternating());
  EXPECT_LT(reach(fine), 1e-5);
  EXPECT_GT(reach(coarse), 5e-3);
  EXPECT_FALSE(warns(fine)) << fine.terminal;
  ASSERT_TRUE(warns(coarse)) << coarse.terminal;
  for (const std::string part :
       {"base motion along x", "200 % of its largest value", "set \"Time step\" to 0.005", "Sampling = mean", "Adaptive = yes"})
    EXPECT_EQ(has(coarse.terminal, part), "");
  EXPECT_FALSE(warns(shaken(on_base + time_of("0.005"), alternating())));
}

/// The mean of this record over its period is zero: what is left is its fast motion, which no step of 0.01 s can have.
TEST(Sampling, MeansOfARecordHaveItsImpulse)
{
  const double right = reach(shaken(on_base + time_of("0.0005"), alternating()));
  for (const std::string scheme : {"newmark", "midpoint", "central-difference", "generalized-alpha", "rk4"})
  {
    const Outcome mean = shaken(on_base + time_of("0.01", "1", "set Sampling = mean"), alternating(), {"Integrator/Scheme=" + scheme});
    EXPECT_LT(reach(mean), 2. * right) << scheme;
    EXPECT_FALSE(warns(mean));
  }
  // A record with points of its own times, h and means against fine steps: second order in h.
  std::string record;
  for (int i = 0; i <= 137; ++i)
    record += fmt::format("{:.6f} {:.6f}\n", i / 137., std::sin(9. * i / 137.) + (i % 2 ? -1. : 1.));
  const Outcome fine = shaken(on_base + time_of("0.0001"), record, {"Output/History every=100"});
  const auto error = [&](const std::string &step, const std::string &sampling) {
    const Outcome run = shaken(on_base + time_of(step, "1", "set Sampling = " + sampling), record);
    double most = 0;
    for (int i = 1; i <= 50; ++i)
      most = std::max(most, std::abs(run.history.at(0.02 * i, "mass.x") - fine.history.at(0.02 * i, "mass.x")));
    return most;
  };
  EXPECT_NEAR(std::log2(error("0.01", "mean") / error("0.005", "mean")), 2., 0.15);
  EXPECT_LT(error("0.005", "mean"), 0.1 * error("0.005", "points"));
  EXPECT_LT(std::log2(error("0.01", "points") / error("0.005", "points")), 0.15) << "the control: values of the table do not come nearer";
}

TEST(Sampling, APulseInsideOfAStep)
{
  for (const std::string &table : {pulse, half})
  {
    const Outcome fine = pulled(table, "0.00025"), lost = pulled(table, "0.02"), mean = pulled(table, "0.02", {"Time/Sampling=mean"});
    EXPECT_EQ(largest(lost.history, "tip.u_x", "dynamic"), 0.);
    ASSERT_TRUE(warns(lost));
    for (const std::string part : {"the table of load pull", "100 % of its largest value", "which meets them"})
      EXPECT_EQ(has(lost.terminal, part), "");
    EXPECT_FALSE(warns(mean));
    // The momentum of the load, a moment later: p = ∫ f dt.
    const auto momentum = [](const Outcome &run) { return run.history.at(0.04, "P_x"); };
    EXPECT_NEAR(momentum(mean), momentum(fine), 0.1 * momentum(fine));
    EXPECT_LT(difference(mean, fine), 0.1);
    EXPECT_LT(std::abs(mean.history.last("E_balance_error")), 1e-9 * mean.history.last("W_external"));
  }
}

TEST(Sampling, MeansAreTheSameOnRanksAndAfterARestart)
{
  const Settings mean{"Time/Sampling=mean", "Output/Checkpoint every=5"};
  const Outcome one = pulled(pulse, "0.02", mean), two = pulled(pulse, "0.02", mean, "", 2);
  expect_same(one.history, two.history, 1e-9, "ranks");
  const Folder split;
  std::ofstream(split / "record.csv") << alternating();
  const std::string deck = on_base + time_of("0.009", "0.9", "set Sampling = mean");
  const Settings often{"Output/Checkpoint every=5"};
  run_well(split, deck, often + Settings{"Time/End time=0.045"});
  const Outcome on =
      command(split, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results --set 'Time/End time=0.9'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  const History whole = shaken(deck, alternating(), often).history, resumed = read_history(split / "results/history.csv");
  ASSERT_EQ(whole.rows(), resumed.rows());
  EXPECT_EQ(whole["mass.x"], resumed["mass.x"]);
}

/// Exact for loads that are straight between the ends of steps, as the table then is.
TEST(Sampling, ModalTransientStepsEndAtPointsOfTablesNightly)
{
  const std::string modal = "set Type = modal transient\nset Modes = 5";
  for (const std::string &table : {pulse, half})
    for (const int ranks : {1, 2})
    {
      const Outcome fine = pulled(table, "0.00025", {}, modal), coarse = pulled(table, "0.02", {}, modal, ranks);
      EXPECT_LT(difference(coarse, fine), table == pulse ? 1e-4 : 1e-9)
          << table;  // the jump of 10 ns belongs to one side or the other: 2e-5 of the pulse
      EXPECT_EQ(coarse.history.rows(), 11u);
      EXPECT_EQ(coarse.summary["steps"], 10);
      EXPECT_FALSE(warns(coarse)) << coarse.terminal;
      EXPECT_LT(std::abs(coarse.history.last("E_balance_error")), 1e-3 * coarse.history.last("W_external"));
    }
  // Jumps that are two rows within a hundredth of the step.
  for (const double gap : {1e-5, 5e-5})
  {
    const std::string table = fmt::format("0 0\n0.0105 0\n{} 1\n{} 1\n0.011 0\n1 0\n", 0.0105 + gap, 0.011 - gap);
    EXPECT_LT(difference(pulled(table, "0.02", {}, modal), pulled(table, "0.00025", {}, modal)), 0.01) << gap;
  }
  const auto base = [&](const std::string &step) {
    return shaken(on_base + stages(section("on", "set Type = modal transient\nset Modes = 1\n" + time_of(step))), alternating());
  };
  const Outcome coarse = base("0.02"), fine = base("0.005");
  for (int i = 1; i <= 50; ++i)
    EXPECT_NEAR(coarse.history.at(0.02 * i, "mass.x"), fine.history.at(0.02 * i, "mass.x"), 1e-15);
}

TEST(Sampling, AdaptiveStepsEndAtPointsOfTables)
{
  for (const std::string &table : {pulse, half})
  {
    const Outcome fine = pulled(table, "0.00025"), adaptive = pulled(table, "0.02", {"Time/Adaptive=yes", "Time/Error tolerance=1e-4"});
    EXPECT_LT(difference(adaptive, fine), 0.02);
    EXPECT_FALSE(warns(adaptive)) << adaptive.terminal;
    EXPECT_EQ(adaptive.history.rows(), 11u);
    EXPECT_EQ(has(adaptive.log, "10 steps in "), "");
  }
  const std::string wide = "0 0\n0.0105 0\n0.01055 1\n0.01095 1\n0.011 0\n1 0\n";
  EXPECT_LT(difference(pulled(wide, "0.02", {"Time/Adaptive=yes", "Time/Error tolerance=1e-4"}), pulled(wide, "0.00005")), 0.02);
  const Outcome record = shaken(on_base + time_of("0.01", "1", "set Adaptive = yes"), alternating());
  EXPECT_LT(reach(record), 2e-5);
}

TEST(Sampling, RefusesWhatHasNoEffect)
{
  const std::string mean = "set Sampling = mean";
  expect_refused(bar(2) + pull + time_of("0.01", "0.1", mean), "no load of stage 'dynamic' has an Amplitude file");
  expect_refused(bar(2) + pull + time_of("0.01", "0.1", mean + "\nset Adaptive = yes"),
                 "the steps of Adaptive = yes end at the points of tables");
  expect_refused(bar(2) + pull + stages(section("on", "set Type = modal transient\nset Modes = 2\n" + time_of("0.01", "0.1", mean))),
                 "a modal transient stage end at the points of tables");
}

TEST(Sampling, TablesThatAreZeroThroughoutAreWarnedOf)
{
  const std::string warning = "is zero until the end of the run, t = 0.1 s. It has no effect";
  const auto warned = [&](const Settings &settings) {
    const Folder folder;
    return run_well(folder, bar(2) + pull + time_of("0.01", "0.1"), settings).terminal.find("the table of load pull " + warning) !=
           std::string::npos;
  };
  EXPECT_TRUE(warned({"Loads/pull/Amplitude points=0, 0, 1, 0"}));
  EXPECT_TRUE(warned({"Loads/pull/Amplitude points=0, 0, 0.1, 0, 0.2, 1"})) << "it begins later";
  EXPECT_FALSE(warned({"Loads/pull/Amplitude points=0, 0, 0.1, 0.01"}));
  EXPECT_FALSE(warned({"Loads/pull/Amplitude points=0, 0, 0.05, 0, 0.2, 1"}));
  const std::string late = "the table of base motion along x " + warning;
  EXPECT_NE(shaken(on_base + time_of("0.005", "0.1"), alternating(), {"Base motion/Start=0.2"}).terminal.find(late), std::string::npos);
  EXPECT_EQ(shaken(on_base + time_of("0.005", "0.1"), alternating(), {"Base motion/Start=0.05"}).terminal.find(late), std::string::npos);
}

/// A ramp of displacement that ends: the velocity of the support jumps there, and the mass between it and the free nodes passes an impulse
/// on, which newmark answers with accelerations that alternate.
TEST(Sampling, KinksOfSupportsAreWarnedOf)
{
  const std::string moving =
      bar(2) +
      section(
          "Supports",
          section(
              "end",
              "set Boundary = x+\nset Type = displacement\nset Displacement = 0.01, free, free\nset Amplitude points = 0, 0, 0.05, 1, 1, 1"));
  const auto warned = [&](const std::string &time, const Settings &settings = {}) {
    const Folder folder;
    return run_well(folder, moving + time, settings).terminal.find("its velocity jumps by 100 % of the largest") != std::string::npos;
  };
  EXPECT_TRUE(warned(time_of("0.01", "0.2")));
  EXPECT_FALSE(warned(time_of("0.01", "0.04"))) << "it ends before";
  EXPECT_FALSE(warned(time_of("0.01", "0.2"), {"Elements/Mass=lumped"}));
  EXPECT_FALSE(warned(stages(section("on", "set Type = modal transient\nset Modes = 1\n" + time_of("0.01", "0.2")))));
}
}  // namespace symdyn::tests::in_sampling
