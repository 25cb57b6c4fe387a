// The examples of contact and friction: what they say of themselves.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/colliding_blocks.h"

namespace symdyn::tests::in_contact_examples
{
/// To drive a wedge under a load W takes W (tan(alpha + phi) + tan(phi)); it lifts by its slope, and stays when nobody holds it, since
/// alpha is less than 2 phi. With less friction nothing holds it.
TEST(ContactExamples, AWedgeLiftsAndHolds)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/wedge.prm");
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  constexpr double W = 1e5, mu = 0.2, slope = 0.1;
  const std::vector<double> &force = run.history["drive.R_x"];
  const std::size_t driven = force.size() - 6;
  const double by_hand = W * (std::tan(std::atan(slope) + std::atan(mu)) + mu);
  EXPECT_NEAR(run.history["wedge.u_x"][driven], 0.04, 1e-12);
  EXPECT_NEAR(force[driven], by_hand, 1e-3 * by_hand);
  EXPECT_NEAR(run.history["block.u_y"][driven], 0.004, 1e-4);
  EXPECT_NEAR(force.back(), 0., 1e-9 * W);
  EXPECT_NEAR(run.history.last("wedge.u_x"), 0.04, 2e-4) << "but for what springs back";
  EXPECT_NEAR(run.history.last("block.u_y"), 0.004, 1e-4);
  const Outcome smooth = run_deck(folder, "examples/wedge.prm", {"Contact/lift/Friction=0.02", "Contact/ground/Friction=0.02"});
  EXPECT_EQ(smooth.exit_code, 2) << "negative control";
}

/// The first impact of the ball: it slides all the time, so that the floor takes mu times the normal impulse along it, and the balance
/// closes.
TEST(ContactExamples, ABallSlidesInItsFirstImpact)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "tutorial/9-ball.prm", {"Time/End time=0.09"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const double m = run.history["P_x"].front() / 1.5, impulse = run.history.last("P_y") + m * 9.81 * 0.09;
  EXPECT_EQ(run.history.last("drop.force_y"), 0.);
  EXPECT_GT(impulse, 1.9 * m * std::sqrt(2. * 9.81 * 0.02));
  EXPECT_NEAR(run.history["P_x"].front() - run.history.last("P_x"), 0.3 * impulse, 0.01 * impulse);
  EXPECT_LT(largest(run.history["E_balance_error"]), 1e-9 * 0.48);
}

/// A block that slides over a plate. Where two pieces of the plate are equally near, friction takes the first one: by rounding alone the
/// ranks would differ by 8 % of force_y.
TEST(ContactExamples, FrictionAgreesOnRanks)
{
  const std::vector<std::string> settings{
      "Contact/hit/Friction=0.3",  "Initial conditions/Velocity=if(z > 0.105, 1, 0), 0, if(z > 0.105, -2, 0)",
      "Time/Time step=5e-4",       "Time/End time=0.03",
      "Integrator/Scheme=newmark", "Linear solver/Type=mumps",
      "Output/Write every=never",  "Output/History every=1"};
  const Folder one, two;
  const Outcome alone = run_deck(one, "examples/collision.prm", settings), both = run_deck(two, "examples/collision.prm", settings, 2);
  ASSERT_EQ(alone.exit_code, 0) << alone.terminal;
  ASSERT_EQ(both.exit_code, 0) << both.terminal;
  for (const char *column : {"hit.force_x", "hit.force_y", "hit.force_z", "hit.slip_work"})
  {
    const double scale = largest(alone.history[column]);
    EXPECT_GT(scale, 1.) << column;
    ASSERT_EQ(alone.history.rows(), both.history.rows());
    for (std::size_t row = 0; row < alone.history.rows(); ++row)
      EXPECT_NEAR(alone.history[column][row], both.history[column][row], 1e-10 * scale) << column << " " << row;
  }
}
}  // namespace symdyn::tests::in_contact_examples
