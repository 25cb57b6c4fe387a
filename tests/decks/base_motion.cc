// Motion of the base from a record: both frames of a body, ranks, schemes, what is refused, the tower.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/base_motion.h"
#include "tests/compare.h"

namespace symdyn::tests::in_base_motion
{
namespace
{
/// Smooth enough between its points, 0.05 s apart; two components of three.
std::string record()
{
  std::string text = "t, x, y, z\n";
  for (int i = 0; i <= 20; ++i)
  {
    const double t = 0.05 * i;
    text += std::to_string(t) + ", " + std::to_string(3. * std::sin(7. * t)) + ", 0, " + std::to_string(std::sin(4. * t) * t) + "\n";
  }
  return text;
}

/// A rubber block with Rayleigh damping, weight, a pressure that follows, a mass on a corner and one on a spring.
const std::string block = R"(
subsection Base motion
  set File = record.csv
  set Unit = m/s2
end
subsection Mesh
  set Subdivisions = 2, 1, 2
end
subsection Materials
  subsection rubber
    set Type = neo-hooke-log
    set E = 3e5
    set nu = 0.3
    set Density = 1000
  end
end
subsection Damping
  set Mass proportional = 2
  set Stiffness proportional = 1e-3
end
subsection Supports
  subsection foot
    set Boundary = z-
  end
end
subsection Loads
  subsection weight
    set Type = gravity
    set Acceleration = 0, 0, -9.81
  end
  subsection wind
    set Type = pressure
    set Boundary = x-
    set Pressure = 500
  end
end
subsection Points
  subsection corner
    set On mesh = yes
    set Position = 1, 1, 1
    set Mass = 50
  end
  subsection machine
    set Mass = 100
    set Position = 0, 0, 1.5
  end
  subsection anchor
    set Position = 2, 0, 1
    set Fixed = yes
  end
end
subsection Springs
  subsection leg
    set From = machine
    set To = corner
    set Stiffness = 1e4
  end
  subsection guy
    set From = machine
    set To = anchor
    set Stiffness = 1e4
  end
end
subsection Dashpots
  subsection drag
    set Points = machine
    set Coefficient = 30
  end
end
subsection Probes
  subsection top
    set Point = 1, 0, 1
  end
end
subsection Time
  set Time step = 0.001
  set End time = 0.5
end
subsection Integrator
  subsection newmark
    set beta = 0.16666666666666666
  end
end
subsection Newton
  set Tolerance = 1e-13
end
subsection Linear solver
  set Tolerance = 1e-13
end
subsection Output
  set Write every = never
end
)";

struct Block
{
  Folder folder;
  std::string deck;
  explicit Block(const std::string &text = block) : deck(write_file(folder, "block.prm", text))
  {
    write_file(folder, "record.csv", record());
  }
  Outcome run(const std::string &frame, const Settings &settings = {}, const int ranks = 1) const
  {
    const Outcome outcome = run_deck(folder, deck, Settings{"Base motion/Frame=" + frame} + settings, ranks);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
    return outcome;
  }
  std::string refusal(const Settings &settings) const
  {
    const Outcome outcome = run_deck(folder, deck, settings);
    EXPECT_EQ(outcome.exit_code, 1) << outcome.terminal;
    return outcome.terminal;
  }
};

/// The largest difference of a column over its largest value, when the displacement (or velocity) of the base is taken from the absolute
/// one.
double difference(const History &relative, const History &absolute, const std::string &column, const std::string &base = "")
{
  double difference = 0, size = 1e-300;
  EXPECT_EQ(relative.rows(), absolute.rows());
  for (std::size_t i = 0; i < relative.rows(); ++i)
  {
    const double carried = base.empty() ? 0. : absolute[base][i];
    difference = std::max(difference, std::abs(absolute[column][i] - carried - relative[column][i]));
    size = std::max(size, std::abs(relative[column][i]));
  }
  return difference / size;
}

double largest_difference(const History &relative, const History &absolute)
{
  double largest = 0;
  for (const auto &[column, base] : {std::pair<std::string, std::string>{"top.u_x", "base.u_x"},
                                     {"top.u_z", "base.u_z"},
                                     {"top.v_x", "base.v_x"},
                                     {"top.u_y", ""},
                                     {"machine.x", "base.u_x"},
                                     {"machine.v_z", "base.v_z"},
                                     {"foot.R_x", ""},
                                     {"foot.R_z", ""}})
    largest = std::max(largest, difference(relative, absolute, column, base));
  return largest;
}
}  // namespace

/// u_abs - u_g = u_rel and the same reactions, to the tolerance of the solvers: with beta = 1/6 a step integrates a straight acceleration
/// exactly, so that the scheme makes no difference between the frames.
TEST(BaseMotion, FramesAgree)
{
  const Block body;
  const Outcome relative = body.run("relative"), absolute = body.run("absolute");
  EXPECT_LT(largest_difference(relative.history, absolute.history), 1e-8);
  EXPECT_LT(std::abs(relative.history["top.u_x"][0]), 1e-15);
  const Outcome louder = body.run("absolute", {"Base motion/Scale=1.0001"});  // the control: a ten-thousandth is seen
  EXPECT_GT(largest_difference(relative.history, louder.history), 1e-5);
}

TEST(BaseMotion, FramesAgreeOnRanks)
{
  const Block body;
  const Settings few{"Time/End time=0.05"};
  const Outcome one = body.run("relative", few), two = body.run("relative", few, 2), absolute = body.run("absolute", few, 2);
  expect_same(one.history, two.history, 1e-9, "ranks");
  EXPECT_LT(largest_difference(two.history, absolute.history), 1e-8);
}

/// Other schemes integrate the acceleration of a support from its displacement, to second order: so do the frames come together.
TEST(BaseMotion, FramesComeTogetherWithTheStep)
{
  const Block body;
  for (const Settings &scheme : {Settings{"Integrator/newmark/beta=0.25"}, Settings{"Integrator/Scheme=hht-alpha"}})
  {
    const auto gap = [&](const std::string &step) {
      const Settings settings = scheme + Settings{"Time/Time step=" + step, "Time/End time=0.25"};
      return difference(body.run("relative", settings).history, body.run("absolute", settings).history, "top.u_x", "base.u_x");
    };
    EXPECT_NEAR(std::log2(gap("0.0025") / gap("0.00125")), 2., 0.15) << scheme[0];
  }
}

TEST(BaseMotion, RefusesWhatHasNoEffect)
{
  const Block body;
  expect_in(body.refusal({"Base motion/Scale=0"}), {"Scale", "has no effect"});
  expect_in(body.refusal({"Base motion/Unit=furlong"}), {"Unit"});
  expect_in(body.refusal({"Base motion/Unit=g", "Units/System=none"}), {"are not known in m and s"});
  expect_in(body.refusal({"Base motion/Direction=1, 0, 0"}), {"a column for each component"});
  expect_in(body.refusal({"Base motion/File=nowhere.csv"}), {"nowhere.csv", "cannot be read"});
  expect_in(body.refusal({"Supports/foot/Type=displacement", "Supports/foot/Displacement=0, 0, free", "Points/anchor/Fixed=no",
                          "Points/anchor/Mass=1"}),
            {"the base moves along z, where no support holds"});
  expect_in(body.refusal({"Springs/guy/To=ground", "Springs/guy/Anchor=2, 0, 1", "Base motion/Frame=absolute"}),
            {"'guy' holds to a place in space", "Frame = relative"});
  write_file(body.folder, "record.csv", "0 0 0 0\n1 0 0 0\n");
  expect_in(body.refusal({}), {"all accelerations are zero"});
  write_file(body.folder, "record.csv", "0 0 0\n1 0 1\n");
  expect_in(body.refusal({}), {"has 2 columns of values"});
  write_file(body.folder, "record.csv", "-0.5 0 0 0\n1 0 0 1\n");
  expect_in(body.refusal({}), {"before the run"});
  write_file(body.folder, "record.csv", "0 0\n1 1\n");
  expect_in(body.refusal({}), {"needs 3 components"});
  write_file(body.folder, "record.csv", "0 0 0 1\n1 0 0 1\n");
  expect_in(body.refusal({"Stages/rest/Type=static", "Stages/go/Type=dynamic"}), {"static stage, which knows no inertia"});
  const Block mass(one_mass);
  write_file(mass.folder, "record.csv", "0 0\n1 1\n");
  expect_in(mass.refusal({"Stages/rest/Type=static"}), {"Base motion", "no stage in time"});
}

/// The tower: both frames, and its record, which the script makes.
TEST(BaseMotion, Tower)
{
  const Folder relative, absolute;
  const Settings settings{"Integrator/Scheme=linear-acceleration", "Time/Time step=0.002", "Time/End time=3", "Newton/Tolerance=1e-12"};
  const Outcome a = run_deck(relative, "examples/tower.prm", settings),
                b = run_deck(absolute, "examples/tower.prm", settings + Settings{"Base motion/Frame=absolute"});
  ASSERT_EQ(a.exit_code, 0) << a.terminal;
  ASSERT_EQ(b.exit_code, 0) << b.terminal;
  EXPECT_LT(difference(a.history, b.history, "left9.v_x", "base.v_x"), 1e-8);
  EXPECT_LT(difference(a.history, b.history, "left_foot.R_x"), 1e-8);
  expect_in(a.log, {"(0.35 g)"});
  const Outcome made = command(relative, "python3 " SYMDYN_SOURCE "/decks/examples/make_record.py");
  EXPECT_EQ(made.exit_code, 0);
  EXPECT_TRUE(made.terminal == text_of(SYMDYN_SOURCE "/decks/examples/record.csv"));
}
}  // namespace symdyn::tests::in_base_motion
