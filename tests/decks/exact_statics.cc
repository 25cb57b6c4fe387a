// Static stages with directors that constraints keep: published cases, elastic directors as their limit, loads that turn, ranks, restarts.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/bad_input.h"
#include "tests/compare.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_exact_statics
{
namespace
{
const Settings rigid{"Elements/Directors=exact", "Output/Write every=never"}, springs{"Output/Write every=never"};

Outcome run_case(const Folder &folder, const std::string &id, const Settings &settings, const int ranks = 1)
{
  Outcome run = run_deck(folder, "verification/" + id + ".prm", settings, ranks);
  EXPECT_EQ(run.exit_code, 0) << run.terminal;
  return run;
}
History history_of(const std::string &id, const Settings &settings)
{
  const Folder folder;
  return run_case(folder, id, settings).history;
}
std::array<double, 3> place_of(const History &history, const std::string &point)
{
  return {history.last(point + ".x"), history.last(point + ".y"), history.last(point + ".z")};
}
double distance(const std::array<double, 3> &a, const std::array<double, 3> &b)
{
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
double iterations(const History &history)
{
  double sum = 0;
  for (const double one : history["newton"])
    sum += one;
  return sum;
}
/// A strip of shells with two masts that meet, clamped at one end, rolled by a moment that turns with it and blown at.
std::string masts(const std::string &more)
{
  const std::string stuff =
      "set To = b\nset Elements = 2\nset Type = B31\nset Size = 0.05, 0.1\nset E = 1e7\nset nu = 0.2\nset Density = 1000\nset Direction = 1, 0, 0\n";
  return "set Structure = discrete\n" +
         section("Mesh", "set Type = plate\nset Subdivisions = 6, 2\n" + section("plate", "set Corner = 0, 0, 0\nset Size = 3, 1")) +
         elastic(1e7, 0.3, 1000.) + section("Shells", section("skin", "set Thickness = 0.05\nset Material = stuff")) +
         section("Points", section("a", "set Position = 3, 0, 0\nset On mesh = yes") + section("b", "set Position = 3, 0.5, 1") +
                               section("c", "set Position = 3, 1, 0\nset On mesh = yes")) +
         section("Beams", section("mast", "set From = a\n" + stuff) + section("stay", "set From = c\n" + stuff)) +
         section("Elements", "set Directors = exact") + section("Supports", section("root", "set Boundary = x-\nset Type = fixed")) +
         section("Loads",
                 section("turn", "set Type = edge-moment\nset Boundary = x+\nset Follower = yes\nset Moment per length = 0, -30, 0") +
                     section("wind", "set Type = pressure\nset Pressure = 20*y")) +
         more;
}
}  // namespace

/// Bathe, Bolourchi 1979, at the tolerance of the table, and of measures without director springs. Elastic directors come closer as their
/// stiffness grows.
TEST(ExactStatics, BendOf45Degrees)
{
  const std::array<double, 3> rest{100. * std::sin(0.25 * M_PI), 100. * (1. - std::cos(0.25 * M_PI)), 0.},
      published{-23.5634, -13.6049, 53.4758};
  const History history = history_of("bathe", rigid);
  const auto tip = place_of(history, "tip");
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(tip[d] - rest[d], published[d], 3e-4 * std::abs(published[d])) << d;
  EXPECT_LT(largest(history, "arc.director_error", "pull"), 1e-14);
  const auto bias = [&](const double stiffness) {
    return distance(tip,
                    place_of(history_of("bathe", springs + Settings{fmt::format("Beams/arc/Director stiffness={}", stiffness)}), "tip")) /
           60.;
  };
  const double soft = bias(1.), stiff = bias(10.);
  EXPECT_LT(soft, 3e-4);
  EXPECT_NEAR(soft / stiff, 10., 1.) << soft << ", " << stiff;
  EXPECT_LE(iterations(history), 2. * iterations(history_of("bathe", springs + Settings{"Newton/Stresses=present"})));
}

/// A slender frame in space: stresses and forces across the constraints are carried on from where a step led, before directors are moved
/// onto their constraints, so that exact directors take about the iterations of elastic ones. With the present stresses they take many
/// more.
TEST(ExactStatics, CarriedStressesSaveIterations)
{
  const std::string stuff =
      "set Elements = 8\nset Size = 0.01, 0.02\nset E = 2e11\nset nu = 0.3\nset Density = 7800\nset Direction = 0, 1, 0\n";
  const std::string frame =
      "set Structure = discrete\n" +
      section("Points", section("root", "set Position = 0, 0, 0\nset Fixed = yes") + section("corner", "set Position = 0, 0, 1") +
                            section("tip", "set Position = 0.5, 0, 1")) +
      section("Beams", section("column", "set From = root\nset To = corner\nset Clamped = from\n" + stuff) +
                           section("arm", "set From = corner\nset To = tip\n" + stuff)) +
      section("Forces", section("push", "set Points = tip\nset Force = 100, 400, -200")) +
      stages(section("load", "set Type = static\nset Increments = 5"));
  const auto result = [&](const Settings &settings) {
    const Folder folder;
    return run_well(folder, frame, settings).history;
  };
  const History exact = result(rigid), elastic = result(springs);
  EXPECT_LE(iterations(exact), 1.3 * iterations(elastic));
  EXPECT_LT(distance(place_of(exact, "tip"), place_of(elastic, "tip")), 1e-4);
  EXPECT_GT(distance(place_of(exact, "tip"), {0.5, 0., 1.}), 0.3);
  const Folder folder;
  const Outcome present = run_text(folder, frame, rigid + Settings{"Newton/Stresses=present"});
  EXPECT_EQ(present.exit_code, 2) << "negative control";
  EXPECT_EQ(has(present.terminal, "DIVERGED_MAX_IT"), "");
}

/// A moment that turns a strip into a circle: Sze, Liu, Lo 2004, 8 elements B32 of the table.
TEST(ExactStatics, RollUp)
{
  const History history = history_of("rollup", rigid);
  EXPECT_NEAR(history.last("tip.x"), 0.01527, 1e-5);
  EXPECT_NEAR(history.last("tip.z"), 6.1e-5, 1e-6);
  EXPECT_NEAR(history.last("E_potential"), 164.4934, 5e-3 * 164.4934);
}

/// Rigid directors of the table.
TEST(ExactStatics, PinchedHemisphere)
{
  const History history = history_of("pinched-hemisphere", rigid);
  EXPECT_NEAR(history.last("A.x") - 10., 4.0476, 5e-5);
  EXPECT_NEAR(10. - history.last("B.y"), 8.1143, 5e-5);
}

/// Prescribed displacements up to a limit load of 18531 with rigid directors; elastic ones of stiffness 1 have 18516.
TEST(ExactStatics, LeeFrame)
{
  const History history = history_of("lee-frame", rigid);
  EXPECT_NEAR(-history["push.R_y"].at(97), 18530.8, 1.);
  EXPECT_NEAR(-history["push.R_y"].at(40), 13441.92, 1e-3 * 13441.92);
}

/// A static stage leaves a state that dynamic stages of constraints take for one at rest.
TEST(ExactStatics, EquilibriumIsThatOfDynamicStages)
{
  const Folder folder;
  const History history =
      run_well(folder, masts(stages(section("turn", "set Type = static\nset Increments = 4") + section("rest", "set Type = dynamic")) +
                             section("Time", "set Time step = 0.01\nset End time = 0.1") +
                             section("Integrator", "set Scheme = newmark-constrained")))
          .history;
  EXPECT_LT(largest(history, "E_kinetic", "rest"), 1e-12 * largest(history, "E_potential", "rest"));
  EXPECT_GT(std::abs(history.last("b.z") - 1.), 0.1);
}

TEST(ExactStatics, Ranks)
{
  const std::string turn = masts(stages(section("turn", "set Type = static\nset Increments = 4")));
  const Folder one;
  const History a = run_well(one, turn, {"Newton/Tolerance=1e-13"}).history;
  for (const int ranks : {2, 3})
  {
    const Folder several;
    const History b = run_well(several, turn, {"Newton/Tolerance=1e-13"}, ranks).history;
    for (const char *column : {"a.z", "b.x", "b.z", "E_potential"})
      EXPECT_NEAR(b.last(column), a.last(column), 1e-12 * largest(a, column, "turn")) << column << ranks;
  }
}

/// In the middle of static and of dynamic stages, to the last bit.
TEST(ExactStatics, Restart)
{
  const Folder whole, parts;
  const std::string deck = whole / "masts.prm";
  std::ofstream(deck) << masts(stages(section("turn", "set Type = static\nset Increments = 4\nset Loads = turn, wind") +
                                      section("swing", "set Type = dynamic\nset Loads = wind")) +
                               section("Time", "set Time step = 0.01\nset End time = 0.06") +
                               section("Integrator", "set Scheme = newmark-constrained"));
  ASSERT_EQ(run_deck(whole, deck, springs).exit_code, 0);
  ASSERT_EQ(run_in_parts(parts, deck, springs, 3).exit_code, 0);
  const std::string straight = text_of(whole / "results/history.csv");
  EXPECT_GT(straight.size(), 1000u);
  EXPECT_TRUE(straight == text_of(parts / "results/history.csv"));
}
/// Multipliers of a torsional hinge are carried over a restart in the middle of a static stage, bit by bit.
TEST(ExactStatics, RestartWithAHinge)
{
  const std::string stuff = "set Elements = 2\nset Size = 0.02, 0.03\nset E = 2e11\nset Density = 8000\nset Direction = 0, 1, 0\n";
  const Folder whole, split;
  const std::string deck = write_file(
      whole, "hinge.prm",
      "set Structure = discrete\n" +
          section("Points", section("left", "set Position = 0, 0, 0\nset Fixed = yes") + section("mid", "set Position = 1, 0, 0") +
                                section("right", "set Position = 2, 0, 0\nset Fixed = yes")) +
          section("Beams",
                  section("one", "set From = left\nset To = mid\nset Clamped = from\n" + stuff) +
                      section("two", "set From = mid\nset To = right\nset Clamped = to\nset Release at From = torsion\n" + stuff)) +
          section("Forces", section("push", "set Points = mid\nset Force = 0, 300, -3000")) +
          section("Moments", section("twist", "set At = mid\nset Moment = 40, 0, 0")) +
          stages(section("load", "set Type = static\nset Increments = 3")));
  const Outcome straight = run_deck(whole, deck, rigid), parts = run_in_parts(split, deck, rigid);
  ASSERT_EQ(straight.exit_code, 0) << straight.terminal;
  ASSERT_EQ(parts.exit_code, 0);
  for (const char *column : {"mid.y", "mid.z", "E_potential", "two.T_from"})
    EXPECT_EQ(straight.history[column], parts.history[column]) << column;
}
}  // namespace symdyn::tests::in_exact_statics
