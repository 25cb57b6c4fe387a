// Projections onto the slow manifold in a run, as a deck asks for them.
#include <gtest/gtest.h>

#include "tests/run.h"

namespace symdyn::tests::in_slow_motion
{
namespace
{
/// Two masses on stiff springs (Ariel, Sanz-Serna, Tsai 2012, sect. 5), from the point off the slow manifold of Table 1.
const std::string two_springs = R"(set Structure = discrete
subsection Points
  set Dimension = 2
  subsection one
    set Mass = 1
    set Position = 1, 0.25
    set Velocity = 0, -0.5
  end
  subsection two
    set Mass = 1
    set Position = 2, 0
    set Velocity = 0, 0.5
  end
end
subsection Potentials
  subsection springs
    set Expression = 0.5*1000^2*((sqrt(one.x^2 + one.y^2) - 1)^2 + (sqrt((one.x - two.x)^2 + (one.y - two.y)^2) - 1)^2)
    set Stiff = yes
  end
end
subsection Slow manifold
  set Project start = yes
  set omega = 1000
end
subsection Time
  set Time step = 0.0002
  set End time = 2
end
subsection Integrator
  set Scheme = stormer-verlet
  subsection rk4-slow-manifold
    set omega = 1000
  end
end
)";

Outcome run(const std::string &text, const std::vector<std::string> &settings = {})
{
  const Folder folder;
  std::ofstream(folder / "springs.prm") << text;
  return run_deck(folder, folder / "springs.prm", settings);
}

void expect_error(const Outcome &outcome, const int exit_code, const std::vector<std::string> &parts)
{
  EXPECT_EQ(outcome.exit_code, exit_code) << outcome.terminal;
  for (const std::string &part : parts)
    EXPECT_NE(outcome.terminal.find(part), std::string::npos) << part << "\n" << outcome.terminal;
}
}  // namespace

TEST(SlowMotion, StartsWithoutOscillations)
{
  const Outcome smooth = run(two_springs), rough = run(two_springs, {"Slow manifold/Project start=no", "Slow manifold/Project every=9999",
                                                                     "Slow manifold/Tolerance=1e-6"});
  ASSERT_EQ(smooth.exit_code, 0) << smooth.terminal;
  ASSERT_EQ(rough.exit_code, 0) << rough.terminal;
  EXPECT_GT(rough.history["E_potential"][0], 900.) << "of the springs off the manifold";
  EXPECT_NEAR(rough.history["E_potential"][0], 947., 1.);
  for (const double V : smooth.history["E_potential"])
    ASSERT_LT(V, 1e-5) << "lambda²/(2 omega²)";
  // The other run is projected before its last step, and its energy balance begins again.
  const double end = rough.history.last("E_potential"),
               largest = *std::max_element(rough.history["E_potential"].begin(), rough.history["E_potential"].end());
  EXPECT_LT(end, 0.01 * largest) << "fast rotations, into which the oscillations have turned, stretch the springs";
  EXPECT_LT(std::abs(rough.history.last("E_balance_error")), 0.01 * std::abs(rough.history["E_balance_error"][9998])) << end;
}

TEST(SlowMotion, EverySoManySteps)
{
  const Outcome outcome = run(two_springs, {"Slow manifold/Project every=5000"}), once = run(two_springs);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_NEAR(outcome.history.last("E_kinetic"), once.history.last("E_kinetic"), 1e-7) << "it is on the manifold already";
  const Outcome steps = run(two_springs, {"Integrator/Scheme=rk4-slow-manifold", "Time/Time step=0.0625"});
  ASSERT_EQ(steps.exit_code, 0) << steps.terminal;
  EXPECT_NEAR(steps.history.last("J_z"), once.history.last("J_z"), 1e-5);
  EXPECT_EQ(steps.history.rows(), 33u);
}

TEST(SlowMotion, Errors)
{
  expect_error(run(two_springs, {"Slow manifold/Project start=no"}), 1, {"springs.prm:21 [Slow manifold]", "has no effect"});
  expect_error(run(two_springs, {"Slow manifold/omega=4"}), 1, {"omega = 4", "longer than the motion, 2 s", "above 18.85 rad/s"});
  expect_error(run(two_springs, {"Potentials/springs/Stiff=no"}), 1,
               {"springs.prm:21 [Slow manifold]", "no slow manifold", "Set Stiff = yes"});
  expect_error(run(two_springs, {"Slow manifold/Iterations=2"}), 2,
               {"slow manifold: step 0, t = 0 s: after 2 iterations", "Not converged = accept"});
  expect_error(run(two_springs, {"Slow manifold/Project every=-1"}), 1, {"Project every = -1"});
  expect_error(run(two_springs, {"Slow manifold/Project every=10000"}), 1, {"Project every = 10000", "no stage has more than 10000 steps"});
  expect_error(
      run(two_springs,
          {"Slow manifold/omega=0",
           "Potentials/springs/Expression=0.5*2^2*((sqrt(one.x^2 + one.y^2) - 1)^2 + (sqrt((one.x - two.x)^2 + (one.y - two.y)^2) - 1)^2)"}),
      1, {"longer than the motion, 2 s"});
  expect_error(run(two_springs, {"Integrator/Scheme=langevin", "Integrator/langevin/kT=1"}), 1, {"Give gamma [kg/s] and kT [J]"});
}
}  // namespace symdyn::tests::in_slow_motion
