// Motion of the base from a record: both frames, ranks, schemes, restart, what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/compare.h"

namespace symdyn::tests::in_base_motion
{
namespace
{
std::string file_in(const Folder &folder, const std::string &name, const std::string &text)
{
  std::ofstream(folder / name) << text;
  return folder / name;
}

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
  explicit Block(const std::string &text = block) : deck(file_in(folder, "block.prm", text)) { file_in(folder, "record.csv", record()); }
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

void expect_in(const std::string &text, const std::vector<std::string> &parts)
{
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}
}  // namespace

namespace
{
/// One mass on a spring between two feet, along x.
const std::string one_mass = R"(
set Structure = discrete
subsection Base motion
  set File = record.csv
  set Unit = deck
  set Direction = 1
end
subsection Points
  set Dimension = 1
  subsection foot
    set Position = 0
    set Fixed = yes
  end
  subsection mass
    set Mass = 2
    set Position = 1
  end
end
subsection Bars
  subsection spring
    set From = foot
    set To = mass
    set Law = linear
    set EA = 128
  end
end
subsection Dashpots
  subsection drag
    set Points = mass
    set Coefficient = 1.6
  end
end
subsection Time
  set Time step = 0.0002
  set End time = 1
end
subsection Newton
  set Tolerance = 1e-13
end
subsection Output
  set Write every = never
end
)";

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

/// The relative displacement of one mass against the closed form, in both frames; to the error of the step (h w)²/12.
TEST(BaseMotion, OneMassAnswersAsTheory)
{
  const std::vector<std::pair<double, double>> points{{0., 0.}, {0.25, 1.5}, {0.5, -2.}, {1., 1.}};
  std::string text;
  for (const auto &[t, a] : points)
    text += std::to_string(t) + " " + std::to_string(a) + "\n";
  const Folder folder;
  const std::string deck = file_in(folder, "mass.prm", one_mass);
  file_in(folder, "record.csv", text);
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
  const std::string deck = file_in(folder, "mass.prm", one_mass);
  file_in(folder, "record.csv", "0 0\n1 0.5\n");  // one slope: the base is slow beside the step
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
  const std::string deck = file_in(folder, "mass.prm", one_mass);
  file_in(folder, "record.csv", "0 0\n0.25 1\n0.5 0\n");
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
  file_in(body.folder, "record.csv", "0 0 0 0\n1 0 0 0\n");
  expect_in(body.refusal({}), {"all accelerations are zero"});
  file_in(body.folder, "record.csv", "0 0 0\n1 0 1\n");
  expect_in(body.refusal({}), {"has 2 columns of values"});
  file_in(body.folder, "record.csv", "-0.5 0 0 0\n1 0 0 1\n");
  expect_in(body.refusal({}), {"before the run"});
  file_in(body.folder, "record.csv", "0 0\n1 1\n");
  expect_in(body.refusal({}), {"needs 3 components"});
  file_in(body.folder, "record.csv", "0 0 0 1\n1 0 0 1\n");
  expect_in(body.refusal({"Stages/rest/Type=static", "Stages/go/Type=dynamic"}), {"static stage, which knows no inertia"});
  const Block mass(one_mass);
  file_in(mass.folder, "record.csv", "0 0\n1 1\n");
  expect_in(mass.refusal({"Stages/rest/Type=static"}), {"Base motion", "no stage in time"});
}

/// Springs to the ground hold in the relative frame, where the ground is the base.
TEST(BaseMotion, GroundMovesInTheRelativeFrame)
{
  const Folder folder;
  std::string text = one_mass;
  const std::size_t foot = text.find("  subsection foot"), mass = text.find("  subsection mass");
  text.erase(foot, mass - foot);
  text.replace(text.find("set From = foot\n    set To = mass"), 33, "set From = mass\n    set To = ground\n    set Anchor = 0");
  const std::string grounded = file_in(folder, "grounded.prm", text), footed = file_in(folder, "footed.prm", one_mass);
  file_in(folder, "record.csv", "0 0\n0.25 1.5\n1 0\n");
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
    file_in(*folder, "mass.prm", one_mass);
    file_in(*folder, "record.csv", "0 0\n0.25 1.5\n1 0\n");
  }
  ASSERT_EQ(run_deck(whole, whole / "mass.prm", settings).exit_code, 0);
  ASSERT_EQ(run_deck(split, split / "mass.prm", settings + Settings{"Time/End time=0.5"}).exit_code, 0);
  const std::string on = std::string(SYMDYN_BINARY) + " run --quiet --restart " + split.path + "/results --set 'Time/End time=1'";
  file_in(split, "record.csv", "0 0\n0.25 1.6\n1 0\n");
  const Outcome refused = command(split, on);
  EXPECT_EQ(refused.exit_code, 1);
  expect_in(refused.terminal, {"the deck is not that of the checkpoint", "the file record.csv, CRC-32"});
  file_in(split, "record.csv", "0 0\n0.25 1.5\n1 0\n");
  const Outcome same = command(split, on);
  ASSERT_EQ(same.exit_code, 0) << same.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
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
