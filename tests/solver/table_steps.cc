// Tables of time against steps: what steps miss, where they are to be cut, and the means that carry the impulse.
#include "solver/deck/formula/table_steps.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/deck/formula/step_mean.h"
#include "solver/deck/formula/time_integral.h"

namespace symdyn::tests::in_table_steps
{
namespace
{
/// +1, -1, ... in so many points a second.
Table alternating(const double per_second, const int points)
{
  std::vector<double> t, a;
  for (int i = 0; i < points; ++i)
  {
    t.push_back(i / per_second);
    a.push_back(i % 2 ? -1. : 1.);
  }
  return Table::of(t, a);
}

/// 1 from 0.0105 to 0.011.
const Table pulse = Table::of({0., 0.0105, 0.01050001, 0.01099999, 0.011, 1.}, {0., 0., 1., 1., 0., 0.});
/// Irregular, with jumps of slope; not zero at its ends.
const Table jagged = Table::of({0.1, 0.13, 0.2, 0.205, 0.4, 0.66, 0.7, 0.9}, {2., -1., 3., 0.5, -2., 4., 1., 2.5});

/// ∫ (1 - |s - t|/h) a(s) ds / h by the sum over many points, mirrored at `start`.
double mean_by_sum(const Table &table, const double t, const double h, const double start, const bool zero_beyond)
{
  constexpr int parts = 400000;
  double sum = 0;
  for (int i = 0; i < parts; ++i)
  {
    const double s = t - h + 2. * h * (i + 0.5) / parts, place = s < start ? 2. * start - s : s;
    const bool outside = place < table.times().front() || place > table.times().back();
    sum += (1. - std::abs(s - t) / h) * (zero_beyond && outside ? 0. : table(place)) * 2. * h / parts;
  }
  return sum / h;
}
}  // namespace

TEST(StepMean, IsTheHatMean)
{
  for (const double start : {0., 0.15})
    for (const double t : {0., 0.02, 0.16, 0.3, 0.55, 0.88, 0.93, 1.2})
      for (const double h : {0.01, 0.13})
        for (const bool zero : {false, true})
        {
          if (t < start)
            continue;
          EXPECT_NEAR(StepMean({h, start})(jagged, t, zero ? StepMean::Beyond::zero : StepMean::Beyond::constant),
                      mean_by_sum(jagged, t, h, start, zero), 2e-5)
              << t << " " << h << " " << start << " " << zero;
        }
  // Where a is straight it is a; at a constant start too.
  const Table line = Table::of({0., 10.}, {1., 21.});
  EXPECT_NEAR(StepMean({0.5, 0.})(line, 3.3, StepMean::Beyond::constant), line(3.3), 1e-13);
  EXPECT_NEAR(StepMean({0.5, 0.})(Table::of({0., 10.}, {3., 3.}), 0., StepMean::Beyond::constant), 3., 1e-15);
}

/// The second difference of the double integral is the same mean: what a support does that moves with the record.
TEST(StepMean, IsTheSecondDifferenceOfTheDisplacement)
{
  const TimeIntegral u(jagged, 2, TimeIntegral::Beyond::zero);
  const double h = 0.07;
  for (const double t : {0.1, 0.3, 0.62, 0.9})
    EXPECT_NEAR(StepMean({h, 0.})(jagged, t, StepMean::Beyond::zero), (u(t + h).x - 2. * u(t).x + u(t - h).x) / (h * h), 1e-11) << t;
}

/// Σ h a_h and Σ h t_n a_h, the first with half of its weight as the trapezoidal rule has it, are those of the table, wherever the pulse
/// is.
TEST(StepMean, KeepsImpulseAndMoment)
{
  const double h = 0.02, width = 0.0005;
  const auto moments = [&](const Table &table, const bool means) {
    double impulse = 0, moment = 0;
    for (int n = 0; n < 50; ++n)
    {
      const double t = n * h, a = means ? StepMean({h, 0.})(table, t, StepMean::Beyond::constant) : table(t);
      impulse += (n == 0 ? 0.5 : 1.) * h * a;
      moment += h * t * a;
    }
    return std::pair{impulse, moment};
  };
  for (const double from : {0.0205, 0.031, 0.0397, 0.0599})
  {
    const Table moved = Table::of({0., from, from + 1e-8, from + width - 1e-8, from + width, 1.}, {0., 0., 1., 1., 0., 0.});
    const auto [impulse, moment] = moments(moved, true);
    EXPECT_NEAR(impulse, width - 1e-8, 1e-15) << from;
    EXPECT_NEAR(moment, (width - 1e-8) * (from + 0.5 * width), 1e-15) << from;
    EXPECT_GT(std::abs(moments(moved, false).first - width), 0.9 * width) << "values see it";  // the control: lost, or 40 times as much
  }
  EXPECT_NEAR(moments(pulse, true).first, width - 1e-8, 1e-15) << "in the first step";
}

TEST(TableSteps, FindWhatStepsMiss)
{
  const Table record = alternating(200., 41);
  const TableSteps::Missed coarse = TableSteps(record, 0.01).missed(0., 0.2, 0.01);
  EXPECT_EQ(coarse.points, 20);
  EXPECT_NEAR(coarse.difference, 2., 1e-12);  // between +1 and +1 it is -1
  EXPECT_NEAR(step_that_meets(coarse.times, 0., 0.01), 0.005, 1e-15);
  for (const double h : {0.005, 0.0025, 0.001})
    EXPECT_EQ(TableSteps(record, h).missed(0., 0.2, 0.01).points, 0) << h;

  const TableSteps::Missed short_pulse = TableSteps(pulse, 0.02).missed(0., 1., 0.01);
  EXPECT_EQ(short_pulse.points, 2) << "of each jump the side that differs";
  EXPECT_NEAR(short_pulse.difference, 1., 1e-12);
  EXPECT_NEAR(step_that_meets(short_pulse.times, 0., 0.02), 0.0005, 1e-8);
  EXPECT_EQ(TableSteps(pulse, 0.0005).missed(0., 1., 0.01).points, 0) << "jumps between steps";

  // A hundredth of the largest value is the limit; what is straight over the step is none.
  const auto bump = [](const double height) {
    return TableSteps(Table::of({0., 0.15, 1.}, {1., 0.85 + height, 0.}), 0.1).missed(0., 1., 0.01).points;
  };
  EXPECT_EQ(bump(0.), 0);
  EXPECT_EQ(bump(0.045), 0);  // 0.2 of it: the ends of the step move along
  EXPECT_EQ(bump(0.06), 1);
  EXPECT_EQ(step_that_meets({0.1, 0.1 + 0.01 / 3.14159265358979}, 0., 0.1), 0.) << "no step that is longer than a thousandth";
}

/// Both jumps of a pulse lie within jump_width of a step of each other.
TEST(TableSteps, APulseOfAHundredthOfTheStep)
{
  const Table tick = Table::of({0., 0.0105, 0.0105 + 1e-9, 0.0106, 0.0106 + 1e-9, 1.}, {0., 0., 1., 1., 0., 0.});
  const std::vector<Table::Jump> jumps = tick.jumps(2e-4);
  ASSERT_EQ(jumps.size(), 2u);
  for (const double t : {0.0104, 0.0105, 0.01054})
    EXPECT_EQ(Table::nearest(jumps, t, 2e-4), &jumps[0]) << t;
  for (const double t : {0.01056, 0.0106, 0.0106 + 1e-9, 0.0107})
    EXPECT_EQ(Table::nearest(jumps, t, 2e-4), &jumps[1]) << t;
  for (const double t : {0.01, 0.0109})
    EXPECT_EQ(Table::nearest(jumps, t, 2e-4), nullptr) << t;
  const TableSteps::Missed missed = TableSteps(tick, 0.02).missed(0., 1., 0.01);
  ASSERT_EQ(missed.times.size(), 2u);
  EXPECT_EQ(missed.times[0], 0.0105);
  EXPECT_EQ(missed.times[1], 0.0106);
  const std::vector<double> cuts = TableSteps(tick, 0.02).cuts(0., 0.02, 1e-6);
  ASSERT_EQ(cuts.size(), 2u);
  EXPECT_NEAR(cuts[0], 0.0105, 2e-9);
  EXPECT_NEAR(cuts[1], 0.0106, 2e-9);
}

TEST(TableSteps, CutAtPointsThatMatter)
{
  const TableSteps record(alternating(200., 41), 0.02), short_pulse(pulse, 0.02);
  const std::vector<double> cuts = record.cuts(0.02, 0.04, 1e-6);
  ASSERT_EQ(cuts.size(), 3u);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(cuts[i], 0.025 + 0.005 * i, 1e-15);
  const std::vector<double> jumps = short_pulse.cuts(0., 0.02, 1e-6);
  ASSERT_EQ(jumps.size(), 2u);
  EXPECT_NEAR(jumps[0], 0.0105, 2e-8);
  EXPECT_NEAR(jumps[1], 0.011, 2e-8);
  EXPECT_TRUE(short_pulse.cuts(0.02, 0.04, 1e-6).empty());

  // Points of a curve: as many as the tolerance asks for; with what is left the line is near enough.
  std::vector<double> t, a;
  for (int i = 0; i <= 200; ++i)
  {
    t.push_back(0.005 * i);
    a.push_back(std::sin(6. * t.back()));
  }
  const Table curve = Table::of(t, a);
  const TableSteps steps(curve, 1.);
  std::vector<double> ends = steps.cuts(0., 1., 0.02);
  EXPECT_LT(ends.size(), 20u);
  EXPECT_EQ(steps.cuts(0., 1., 1e-9).size(), 199u);
  ends.insert(ends.begin(), 0.);
  ends.push_back(1.);
  for (std::size_t i = 1; i < ends.size(); ++i)
    for (const double time : t)
      if (ends[i - 1] < time && time < ends[i])
      {
        const double s = (time - ends[i - 1]) / (ends[i] - ends[i - 1]);
        EXPECT_LE(std::abs(curve(time) - (1. - s) * curve(ends[i - 1]) - s * curve(ends[i])), 0.02 + 1e-12);
      }
}
}  // namespace symdyn::tests::in_table_steps
