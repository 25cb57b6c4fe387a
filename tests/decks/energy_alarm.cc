// Motions that are lost end the run.
#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_energy_alarm
{
namespace
{
/// The stiff pendulum of Bathe (2007): a truss of EA = 1e8 N, 3.0443 m long, with a mass of 10 kg that starts with 7.72 m/s.
const std::string pendulum = "set Structure = discrete\n" +
                             section("Points", "set Dimension = 2\n" + section("hinge", "set Position = 0, 0\nset Fixed = yes") +
                                                   section("bob", "set Mass = 10\nset Position = 0, -3.0443\nset Velocity = 7.72, 0")) +
                             section("Bars", section("rod", "set From = hinge\nset To = bob\nset Law = linear\nset EA = 1e8")) +
                             section("Time", "set Time step = 0.05\nset End time = 20") + section("Output", "set Write every = never");
const double energy_at_start = 0.5 * 10. * 7.72 * 7.72;

Outcome run(const Settings &settings, const int ranks = 1)
{
  const Folder folder;
  return run_text(folder, pendulum, settings, ranks);
}
}  // namespace

TEST(EnergyAlarm, StopsALostMotion)
{
  for (const std::string scheme : {"newmark", "midpoint", "variational-newmark", "galerkin-alpha", "two-step"})
  {
    const Outcome stopped = run({"Integrator/Scheme=" + scheme});
    EXPECT_EQ(stopped.exit_code, 2) << scheme << "\n" << stopped.terminal;
    for (const std::string part :
         {"times the largest energy before it", "has lost the motion", "simo-tarnow", "Monitors/Energy alarm=warn"})
      EXPECT_EQ(has(stopped.terminal, part), "") << scheme;
    ASSERT_TRUE(stopped.summary.contains("energy alarm")) << scheme;
    const auto &alarm = stopped.summary["energy alarm"];
    EXPECT_EQ(stopped.summary["status"], "failed");
    EXPECT_EQ(stopped.summary["exit status"], 2);
    EXPECT_NEAR(alarm["largest energy before"].get<double>(), energy_at_start, 2. * energy_at_start) << scheme;
    EXPECT_GT(std::abs(alarm["balance error"].get<double>()), 10. * alarm["largest energy before"].get<double>());
    // Nothing that is lost is in the history.
    for (const double error : stopped.history["E_balance_error"])
      EXPECT_LT(std::abs(error), 10. * alarm["largest energy before"].get<double>()) << scheme;
  }
}

TEST(EnergyAlarm, WarnsOrIsOff)
{
  const Settings lost{"Integrator/Scheme=midpoint"};
  const Outcome warned = run(lost + Settings{"Monitors/Energy alarm=warn"}), off = run(lost + Settings{"Monitors/Energy alarm=off"});
  EXPECT_EQ(has(warned.terminal, "midpoint has lost the motion"), "");
  EXPECT_EQ(off.terminal.find("has lost the motion"), std::string::npos);
  EXPECT_TRUE(warned.summary.contains("energy alarm"));
  EXPECT_FALSE(off.summary.contains("energy alarm"));
  EXPECT_EQ(warned.history["bob.x"], off.history["bob.x"]);
  EXPECT_GT(warned.summary["time"].get<double>(), warned.summary["energy alarm"]["time"].get<double>());
}

/// The same pendulum where it is not lost; and motions that gain their energy from outside, or start without any.
TEST(EnergyAlarm, LeavesOthersAlone)
{
  for (const Settings &settings :
       {Settings{"Integrator/Scheme=discrete-gradient"}, Settings{"Integrator/Scheme=generalized-alpha", "Time/End time=5"},
        Settings{"Time/Time step=0.0002", "Time/End time=1"}})
  {
    const Outcome kept = run(settings);
    EXPECT_EQ(kept.exit_code, 0) << kept.terminal;
    EXPECT_FALSE(kept.summary.contains("energy alarm"));
  }
  const std::string time = section("Time", "set Time step = 0.05\nset End time = 5") + section("Output", "set Write every = never");
  for (const std::string scheme : {"newmark", "hht-alpha", "bathe", "midpoint", "zhang-skeel"})
    for (const std::string force : {"7", "1e6*step(t - 1)", "1e-9 + if(t > 2, 1e9, 0)", "1e3*exp(3*t)", "100*sin(2*t)"})
    {
      const Folder folder;
      const Outcome forced =
          run_text(folder, oscillator(1., 4., 0.) + section("Forces", section("shake", "set Points = mass\nset Force = " + force)) + time,
                   {"Integrator/Scheme=" + scheme});
      EXPECT_EQ(forced.exit_code, 0) << scheme << " " << force << "\n" << forced.terminal;
    }
  // A mass that strong damping stops in the first step; one where the step is far too long for it, and the alarm is right.
  for (const auto &[c, code] : {std::pair{1., 0}, {400., 2}})
  {
    const Folder folder;
    const Outcome slowed = run_text(
        folder,
        oscillator(1., 4., 0.) + section("Dashpots", section("oil", fmt::format("set Points = mass\nset Coefficient = {:g}", c))) + time,
        {"Integrator/Scheme=central-difference", "Points/mass/Velocity=1"});
    EXPECT_EQ(slowed.exit_code, code) << c << "\n" << slowed.terminal;
  }
  // A blow on a strongly damped mass, and one that is dragged by its wall.
  for (const std::string scheme : {"newmark", "generalized-alpha"})
  {
    const Folder folder;
    const Outcome damped = run_text(
        folder,
        oscillator(1., 4., 500.) + section("Forces", section("shake", "set Points = mass\nset Force = 1e5*step(t - 1)*step(2 - t)")) + time,
        {"Integrator/Scheme=" + scheme});
    EXPECT_EQ(damped.exit_code, 0) << damped.terminal;
    const Outcome dragged =
        run_text(folder, oscillator(1., 4e4, 0.) + time, {"Points/wall/Motion=5*max(t - 1, 0)^2", "Integrator/Scheme=" + scheme});
    EXPECT_EQ(dragged.exit_code, 0) << dragged.terminal;
  }
}
}  // namespace symdyn::tests::in_energy_alarm
