// Points and solids in one run, as a user has them: what is kept, what agrees, what frames hold.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/linear_decks.h"
#include "tests/run.h"

namespace symdyn::tests::in_joint_decks
{
namespace
{
/// The largest distance from the first value.
double drift(const std::vector<double> &values)
{
  double most = 0;
  for (const double value : values)
    most = std::max(most, std::abs(value - values.front()));
  return most;
}

double largest(const std::vector<double> &values)
{
  double most = 0;
  for (const double value : values)
    most = std::max(most, std::abs(value));
  return most;
}

/// Of the vector `name` with components _x, _y, _z, relative to its length.
double relative_drift(const History &history, const std::string &name)
{
  double most = 0, length = 0;
  for (const char *axis : {"_x", "_y", "_z"})
  {
    most = std::hypot(most, drift(history[name + axis]));
    length = std::hypot(length, history[name + axis].front());
  }
  return most / length;
}

Outcome run(const std::string &deck, std::vector<std::string> settings, const int ranks = 1)
{
  const Folder folder;
  settings.push_back("Output/Write every=never");
  const Outcome outcome = run_deck(folder, deck, settings, ranks);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  return outcome;
}

const std::string pinned = "examples/pinned-bodies.prm";
const std::vector<std::string> rattle{"Integrator/Scheme=rattle", "Elements/Mass=lumped", "Time/Time step=0.0005", "Time/End time=0.5",
                                      "Output/History every=10"};
const std::vector<std::string> energy_momentum{"Time/End time=0.5", "Newton/Tolerance=1e-12"};

std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string> &more)
{
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(Joint, PinnedBodiesKeepMomentaAndEnergy)
{
  const Outcome implicit = run(pinned, energy_momentum), with_rattle = run(pinned, rattle);
  for (const Outcome &outcome : {implicit, with_rattle})
  {
    EXPECT_LT(relative_drift(outcome.history, "P"), 1e-10);
    EXPECT_LT(relative_drift(outcome.history, "J"), 1e-10);
    EXPECT_LT(largest(outcome.history["g_max"]), 1e-12);
  }
  EXPECT_LT(largest(with_rattle.history["gdot_max"]), 1e-12);
  EXPECT_LT(drift(implicit.history["E_total"]), 1e-9 * implicit.history["E_total"].front());
  EXPECT_LT(drift(with_rattle.history["E_total"]), 2e-3 * with_rattle.history["E_total"].front());
  EXPECT_GT(drift(implicit.history["E_potential"]), 1e-3 * implicit.history["E_total"].front());  // the bars are strained
}

TEST(Joint, WhatIsKeptCanBeLost)
{
  // The measures above can fail: RATTLE keeps no energy, a weight on the pin no momentum, a drag on the pin none of both.
  const Outcome with_rattle = run(pinned, rattle), heavy = run(pinned, with(energy_momentum, {"Points/Gravity=0, 0, -9.81"})),
                dragged = run(pinned, with(energy_momentum, {"Dashpots/drag/Points=pin", "Dashpots/drag/Coefficient=5"}));
  EXPECT_GT(drift(with_rattle.history["E_total"]), 1e-7 * with_rattle.history["E_total"].front());
  EXPECT_NEAR(heavy.history.last("P_z") - heavy.history["P_z"].front(), -0.2 * 9.81 * 0.5, 1e-8);
  EXPECT_GT(relative_drift(dragged.history, "P"), 1e-4);
  EXPECT_LT(largest(dragged.history["E_balance_error"]), 1e-8);
  EXPECT_GT(dragged.history.last("E_dissipated"), 0.1);
}

TEST(Joint, ExplicitAndImplicitLinksAgree)
{
  // RATTLE and the Newmark scheme with constraints share nothing but the constraints: the motions differ by their O(h²).
  const std::string deck = "examples/hung-block.prm";
  const auto implicit = [&](const std::string &h) {
    return run(deck, {"Integrator/Scheme=newmark-constrained", "Time/End time=0.2", "Time/Time step=" + h, "Newton/Tolerance=1e-11"})
        .history.at(0.2, "P_x");
  };
  const Outcome fine = run(deck, {"Time/End time=0.2", "Time/Time step=0.0001", "Output/History every=100"});
  const double exact = fine.history.at(0.2, "P_x"), coarse = std::abs(implicit("0.004") - exact),
               half = std::abs(implicit("0.002") - exact);
  EXPECT_LT(half, 2e-4 * exact);
  EXPECT_NEAR(coarse / half, 4., 0.8);
  EXPECT_LT(largest(fine.history["g_max"]), 1e-12);
  EXPECT_LT(drift(fine.history["E_total"]), 1e-3);
}

/// A block on the ground with a weight of 30 kg on a spring in the middle of its top.
std::string standing(const Folder &folder, const std::string &more)
{
  const std::string file = folder / "standing.prm";
  std::ofstream(file) << R"(subsection Mesh
  set Subdivisions = 4, 4, 3
end
subsection Materials
  subsection rubber
    set Type = linear-elasticity
    set E = 1e5
    set nu = 0.3
    set Density = 1000
  end
end
subsection Supports
  subsection ground
    set Boundary = z-
  end
end
subsection Probes
  subsection top
    set Point = 0.5, 0.5, 1
  end
end
subsection Linear solver
  set Type = mumps
end
subsection Stages
  subsection sag
    set Type = static
  end
end
)" << more;
  return file;
}

TEST(Joint, DeflectionIsTheSumOfCompliances)
{
  const Folder folder, other;
  const double weight = 30. * 9.81, k = 5000.;
  const std::string points = R"(subsection Points
  set Gravity = 0, 0, -9.81
  subsection foot
    set On mesh = yes
    set Position = 0.5, 0.5, 1
  end
  subsection mass
    set Mass = 30
    set Position = 0.5, 0.5, 1.6
  end
end
subsection Springs
  subsection leg
    set From = mass
    set To = foot
    set Stiffness = 5000
  end
end
subsection Potentials
  subsection guide
    set Points = mass
    set Expression = 5e3*((x - 0.5)^2 + (y - 0.5)^2)
  end
end
)";
  const std::string push =
      "subsection Loads\nsubsection push\nset Type = nodal-force\nset Point = 0.5, 0.5, 1\nset Force = 0, 0, -294.3\nend\nend\n";
  const Outcome joint = run_deck(folder, standing(folder, points), {}), alone = run_deck(other, standing(other, push), {});
  ASSERT_EQ(joint.exit_code, 0) << joint.terminal;
  ASSERT_EQ(alone.exit_code, 0) << alone.terminal;
  const double of_block = alone.history.last("top.u_z");
  EXPECT_LT(of_block, -1e-3);
  EXPECT_NEAR(joint.history.last("top.u_z"), of_block, 1e-9 * std::abs(of_block));
  EXPECT_NEAR(joint.history.last("mass.z"), 1.6 + of_block - weight / k, 1e-9);
  EXPECT_NEAR(joint.history.last("ground.R_z"), weight, 1e-8 * weight);
  const std::string frames = text_of(folder / "results/solution.pvd");
  EXPECT_NE(frames.find("part=\"0\" file=\"solution-00001.vtu\""), std::string::npos) << frames;
  EXPECT_NE(frames.find("part=\"1\" file=\"solution-00001-points.vtu\""), std::string::npos) << frames;
  EXPECT_NE(text_of(folder / "results/solution-00001-points.vtu").find("NumberOfPoints=\"2\" NumberOfCells=\"3\""), std::string::npos);
}

TEST(Joint, ReactionsSumUpToTheRateOfMomentum)
{
  // Of the shaken block with its machine: the support's force is all that acts from outside.
  const Outcome shaken = run("examples/mass-on-block.prm", {"Time/End time=0.2", "Time/Time step=0.0005", "Newton/Tolerance=1e-11"});
  double impulse = 0, most = 0;
  const auto &R = shaken.history["ground.R_z"], &P = shaken.history["P_z"];
  for (std::size_t i = 1; i < R.size(); ++i)
  {
    impulse += 0.5 * 0.0005 * (R[i] + R[i - 1]);
    most = std::max(most, std::abs(P[i]));
    EXPECT_NEAR(P[i] - P[0], impulse, 2e-4 * most);
  }
  EXPECT_GT(most, 10.);
  EXPECT_LT(largest(shaken.history["E_balance_error"]), 1e-3 * largest(shaken.history["W_external"]));
}

/// A rod across the top of a block that is pushed at one corner: static stages and modes hold it exactly; a stiff penalty comes near, and
/// without the rod the corners part.
std::string pushed_block(const Folder &folder, const std::string &more)
{
  return standing(
      folder,
      "subsection Points\nsubsection a\nset On mesh = yes\nset Position = 0, 0, 1\nend\nsubsection b\nset On mesh = yes\nset "
      "Position = 1, 1, 1\nend\nend\nsubsection Forces\nsubsection push\nset Points = a\nset Force = -400, -300, 100\nend\nend\n" +
          more);
}
const std::string rod = "subsection Constraints\nsubsection rod\nset From = a\nset To = b\nend\nend\n";
double apart(const Outcome &run)
{
  double square = 0;
  for (const char *axis : {"x", "y", "z"})
    square += std::pow(run.history.last(std::string("a.") + axis) - run.history.last(std::string("b.") + axis), 2);
  return std::sqrt(square);
}

TEST(Joint, StaticStagesHoldConstraints)
{
  const Folder folder, other, third;
  const Outcome exact = run_deck(folder, pushed_block(folder, rod), {}),
                soft = run_deck(other, pushed_block(other, rod), {"Constraints/Treatment=penalty", "Constraints/omega=1e5"}),
                free = run_deck(third, pushed_block(third, ""), {});
  ASSERT_EQ(exact.exit_code, 0) << exact.terminal;
  ASSERT_EQ(soft.exit_code, 0) << soft.terminal;
  EXPECT_NEAR(apart(exact), std::sqrt(2.), 1e-9);
  EXPECT_GT(apart(free) - std::sqrt(2.), 1e-3) << "negative control";
  for (const char *column : {"a.x", "b.y", "b.z"})
    EXPECT_NEAR(exact.history.last(column), soft.history.last(column), 1e-5) << column;
  EXPECT_NEAR(exact.history.last("ground.R_x"), 400., 1e-6);
}

TEST(Joint, StaticStagesHoldConstraintsOnRanks)
{
  const Folder one, three;
  const Outcome a = run_deck(one, pushed_block(one, rod), {}), b = run_deck(three, pushed_block(three, rod), {}, 3);
  ASSERT_EQ(b.exit_code, 0) << b.terminal;
  for (const char *column : {"a.x", "b.y", "ground.R_y"})
    EXPECT_NEAR(a.history.last(column), b.history.last(column), 1e-8) << column;
}

TEST(Joint, ModesHoldConstraints)
{
  const Folder folder, other, third;
  const std::string modes = "subsection Stages\nsubsection shapes\nset Type = modes\nset Modes = 3\nend\nend\n";
  const Outcome exact = run_deck(folder, pushed_block(folder, rod + modes), {}),
                soft = run_deck(other, pushed_block(other, rod + modes), {"Constraints/Treatment=penalty", "Constraints/omega=1e5"}),
                free = run_deck(third, pushed_block(third, modes), {});
  ASSERT_EQ(exact.exit_code, 0) << exact.terminal;
  const auto of = [](const Folder &one) { return table_of(one / "results/modes-shapes.csv").at("frequency"); };
  for (std::size_t mode = 0; mode < 3; ++mode)
    EXPECT_NEAR(of(folder)[mode], of(other)[mode], 1e-4 * of(other)[mode]) << mode;
  EXPECT_GT(of(folder)[0] + of(folder)[1] + of(folder)[2], 1.001 * (of(third)[0] + of(third)[1] + of(third)[2])) << "negative control";
}
}  // namespace
}  // namespace symdyn::tests::in_joint_decks
