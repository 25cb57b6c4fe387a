// Steps that are divided: by their local error, and where Newton's method fails.
#include "solver/dynamics/adaptive_step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "tests/compare.h"
#include "tests/oscillator.h"
#include "tests/scheme.h"

namespace symdyn::tests::in_adaptive
{
namespace
{
/// A mass on a hardening spring, w = 10 rad/s, which a blow of a few milliseconds hits at t = 0.5 s.
const std::string blow = R"(
set Structure = discrete
subsection Points
  set Dimension = 1
  subsection mass
    set Mass = 1
    set Position = 0
    set Displacement = 0.1
  end
end
subsection Potentials
  subsection spring
    set Expression = 50*x^2 + 20*x^4
  end
end
subsection Forces
  subsection blow
    set Points = mass
    set Force = if(abs(t - 0.5) < 0.006, 400*cos(pi*(t - 0.5)/0.012)^2, 0)
  end
end
subsection Time
  set Time step = 0.02
  set End time = 1
end
subsection Newton
  set Tolerance = 1e-12
end
)";

struct Blow
{
  Folder folder;
  std::string deck;
  explicit Blow(const std::string &text = blow) : deck(folder / "blow.prm") { std::ofstream(deck) << text; }
  Outcome run(const Settings &settings = {}, const int code = 0) const
  {
    const Outcome outcome = run_deck(folder, deck, settings);
    EXPECT_EQ(outcome.exit_code, code) << outcome.terminal;
    return outcome;
  }
  double end(const Settings &settings) const { return run(settings).history.last("mass.x"); }
};

/// The number before these words in the log.
long count(const Outcome &run, const std::string &words)
{
  std::smatch found;
  if (std::regex_search(run.log, found, std::regex("([0-9]+) " + words)))
    return std::stol(found[1]);
  ADD_FAILURE() << "no '" << words << "' in: " << run.log;
  return 0;
}

Oscillator hardening()
{
  Oscillator s;
  s.V = [](const double q) { return 0.5 * q * q + 0.25 * q * q * q * q; };
  s.V1 = [](const double q) { return q + q * q * q; };
  s.V2 = [](const double q) { return 1. + 3. * q * q; };
  return s;
}

double one_step_error(const std::string &settings, const double h)
{
  const Oscillator system = hardening();
  const Scheme scheme("newmark", settings);
  State before = system.start(0.7, 0.9);
  scheme.integrator->start(system, before, h);
  State after = before;
  scheme.integrator->step(system, after, h);
  return AdaptiveStep::local_error(system, h, before, before.a, after, after.a);
}

/// |q1 - q(h)| of one step, against a fine solution.
double true_error(const double h)
{
  const Oscillator system = hardening();
  const State before = system.start(0.7, 0.9);
  return std::abs(Scheme("newmark").run(system, before, h, 1).q.local_element(0) - runge_kutta(system, before, h, 200).q.local_element(0));
}

/// With so few iterations Newton's method gets through the free oscillation, but not through the blow.
const Settings few{"Newton/Max iterations=3", "Newton/Line search=basic", "Potentials/spring/Expression=50*x^2 + 2e4*x^4"};
const Settings adaptive{"Time/Adaptive=yes", "Time/Error tolerance=1e-4"};
}  // namespace

TEST(Adaptive, TheEstimateIsOfThirdOrderAndRight)
{
  const double h = 0.02;
  EXPECT_NEAR(std::log2(one_step_error("", h) / one_step_error("", h / 2.)), 3., 0.15);
  EXPECT_NEAR(one_step_error("", h) / true_error(h), 1., 0.1);
  // The same as Zienkiewicz and Xie have it; and nothing for beta = 1/6, with which it compares.
  const Oscillator system = hardening();
  const Scheme scheme("newmark", "set beta = 0.3\n");
  State before = system.start(0.7, 0.9);
  scheme.integrator->start(system, before, h);
  State after = before;
  scheme.integrator->step(system, after, h);
  EXPECT_NEAR(one_step_error("set beta = 0.3\n", h),
              (0.3 - 1. / 6.) * h * h * std::abs(after.a.local_element(0) - before.a.local_element(0)), 1e-15);
  EXPECT_LT(one_step_error("set beta = 0.16666666666666666\n", h), 1e-15);
}

/// On a soft spring, where the blow alone needs small steps.
TEST(Adaptive, FewerStepsForTheSameError)
{
  const Blow mass;
  const Settings soft{"Potentials/spring/Expression=0.5*x^2 + 0.2*x^4"};
  const double exact = mass.end(soft + Settings{"Time/Time step=0.00001", "Output/History every=1000"});
  const Outcome run = mass.run(soft + adaptive);
  const long parts = count(run, "parts, the shortest");
  EXPECT_GT(count(run, "parts rejected"), 0);
  const double error = std::abs(run.history.last("mass.x") - exact);
  const double fixed = std::abs(mass.end(soft + Settings{fmt::format("Time/Time step={:.17g}", 1. / (4 * parts))}) - exact);
  EXPECT_LT(error, fixed) << parts << " parts, and four times as many fixed steps";
  EXPECT_LT(std::abs(mass.end(soft + Settings{"Time/Adaptive=yes", "Time/Error tolerance=1e-6"}) - exact), 0.2 * error);
}

/// Rows stand where they would stand with fixed steps, to the last digit; where nothing is to be divided nothing changes.
TEST(Adaptive, KeepsTheGridOfTheSteps)
{
  const Blow mass;
  const Outcome fixed = mass.run(), divided = mass.run(adaptive), idle = mass.run({"Time/Adaptive=yes", "Time/Error tolerance=1e3"});
  EXPECT_EQ(divided.history["time"], fixed.history["time"]);
  EXPECT_EQ(divided.history.last("time"), 1.);
  EXPECT_EQ(divided.summary["steps"], fixed.summary["steps"]);
  EXPECT_NE(divided.history["mass.x"], fixed.history["mass.x"]);
  EXPECT_EQ(idle.history["mass.x"], fixed.history["mass.x"]);
  EXPECT_EQ(count(idle, "parts rejected"), 0);
  EXPECT_EQ(count(idle, "parts, the shortest"), 50);
}

TEST(Adaptive, RespectsTheSmallestStep)
{
  const Blow mass;
  const Outcome run = mass.run(adaptive + Settings{"Time/Smallest step=0.01"});
  EXPECT_NE(run.log.find("the shortest 0.01 s"), std::string::npos) << run.log;
  EXPECT_GT(count(run, "of the smallest parts have a larger error"), 0);
}

TEST(Adaptive, SaysWhatItGivesUp)
{
  const Blow mass;
  const std::string loss = "keeps the symplectic form, and its energy from drifting, with a fixed step only";
  EXPECT_NE(mass.run(adaptive).terminal.find(loss), std::string::npos);
  EXPECT_NE(mass.run({"Time/Halve on failure=yes"}).terminal.find(loss), std::string::npos);
  EXPECT_EQ(mass.run().terminal.find(loss), std::string::npos);
  EXPECT_EQ(mass.run(adaptive + Settings{"Integrator/Scheme=bathe"}).terminal.find(loss), std::string::npos);
}

TEST(Adaptive, RefusesWhatCannotBe)
{
  const Blow mass;
  const auto refuse = [&](const Settings &settings, const std::string &part) {
    const std::string text = mass.run(settings, 1).terminal;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  refuse(adaptive + Settings{"Integrator/Scheme=linear-acceleration"}, "it is always zero");
  refuse(adaptive + Settings{"Integrator/Scheme=rk4"}, "of schemes of second order");
  refuse({"Time/Error tolerance=1e-3"}, "has no effect without Adaptive = yes");
  refuse({"Time/Smallest step=1e-3"}, "has no effect without Adaptive = yes or Halve on failure = yes");
  refuse(adaptive + Settings{"Time/Smallest step=0.1"}, "must not be above the largest step");
}

TEST(Adaptive, CutBackGetsThrough)
{
  const Blow mass;
  EXPECT_NE(mass.run(few, 2).terminal.find("DIVERGED_MAX_IT"), std::string::npos);
  const Outcome run = mass.run(few + Settings{"Time/Halve on failure=yes"});
  EXPECT_NE(run.terminal.find("fails and is halved"), std::string::npos);
  EXPECT_GT(count(run, "halved because they failed"), 0);
  const long parts = count(run, "parts, the shortest");
  EXPECT_GT(parts, 50);
  EXPECT_LT(parts, 80);  // and back to the whole steps
  EXPECT_EQ(run.history.last("time"), 1.);
  EXPECT_NE(mass.run(few + Settings{"Time/Halve on failure=yes", "Time/Smallest step=0.015"}, 2).terminal.find("DIVERGED_MAX_IT"),
            std::string::npos);
}

/// A restart in the blow and after it is the straight run, digit by digit.
TEST(Adaptive, Restart)
{
  const Settings often{"Output/Checkpoint every=5"}, halved = few + Settings{"Time/Halve on failure=yes"};
  for (const auto &[both, half] :
       {std::pair{often + adaptive, "0.5"}, {often + adaptive, "0.6"}, {often + halved, "0.5"}, {often + halved + adaptive, "0.6"}})
  {
    const Blow straight, split;
    const Outcome whole = straight.run(both);
    split.run(both + Settings{"Time/End time=" + std::string(half)});
    const Outcome on = command(
        split.folder, std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.folder.path + "/results --set 'Time/End time=1'");
    ASSERT_EQ(on.exit_code, 0) << on.terminal;
    EXPECT_TRUE(text_of(straight.folder / "results/history.csv") == text_of(split.folder / "results/history.csv")) << half;
    EXPECT_NE(text_of(split.folder / "results/run.log").find(std::to_string(count(whole, "parts, the shortest")) + " parts"),
              std::string::npos)
        << half;
  }
}
}  // namespace symdyn::tests::in_adaptive
