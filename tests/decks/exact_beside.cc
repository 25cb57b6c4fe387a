// Exact directors beside constraints between nodes: rods, pins, hinges.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "tests/compare.h"
#include "tests/liar.h"
#include "tests/linear_decks.h"
#include "tests/parts.h"

namespace symdyn::tests::in_exact_beside
{
namespace
{
/// Two rubber beams at an angle, free in space, with two balls on rods: one at the end, one behind it.
std::string frame(const std::string &mass, const std::string &scheme, const double h = 5e-4, const double end = 0.05)
{
  const std::string stuff = "set Elements = 4\nset Size = 0.1, 0.2\nset E = 1e6\nset nu = 0.2\nset Density = 1000\nset Type = B31\n";
  return "set Structure = discrete\n" +
         section("Points", section("a", "set Position = 0, 0, 0") + section("b", "set Position = 2, 0, 0") +
                               section("c", "set Position = 2, 1, 0.5") +
                               section("ball", "set Position = 2, 1.5, 0.8\nset Mass = 3\nset Velocity = -1.5, 2, 2") +
                               section("last", "set Position = 2.4, 1.7, 0.6\nset Mass = 2\nset Velocity = -1.7, 2.4, 1")) +
         section("Beams", section("ab", "set From = a\nset To = b\nset Direction = 0, 1, 0\n" + stuff) +
                              section("bc", "set From = b\nset To = c\nset Direction = 1, 0, 0\n" + stuff)) +
         section("Constraints", "set Project = velocities\n" + section("rod", "set From = c\nset To = ball") +
                                    section("chain", "set From = ball\nset To = last")) +
         section("Elements", "set Directors = exact\nset Mass = " + mass) +
         section("Initial conditions", "set Velocity = 0.5*z - y, x, 0.3 + (x - 1)^2 - 0.5*x") +
         stages(section("fly", "set Type = dynamic")) +
         section("Time", fmt::format("set Time step = {:.15g}\nset End time = {:.15g}", h, end)) +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
}
using Scheme = std::pair<std::string, std::string>;
const std::vector<Scheme> schemes{{"lumped", "rattle"}, {"consistent", "newmark-constrained"}, {"consistent", "gonzalez-constrained"}};

double change(const History &history, const std::string &column) { return std::abs(history.last(column) - history[column].front()); }
double most(const History &history, const std::string &column) { return largest(history, column, "fly"); }
std::vector<double> place_of_last(const std::string &mass, const std::string &scheme, const double h)
{
  const Folder folder;
  const History history = run_well(folder, frame(mass, scheme, h), {"Newton/Tolerance=1e-13"}).history;
  return {history.last("last.x"), history.last("last.y"), history.last("last.z"), history.last("a.z"), history.last("b.y")};
}
double distance(const std::vector<double> &a, const std::vector<double> &b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += std::pow(a[i] - b[i], 2);
  return std::sqrt(sum);
}
}  // namespace

/// The multiplier of a static stage is the force of the rod: 10 N along a rod of 2 m, of g = ½ (|d|² - L²), before and after its
/// increments; a step of a scheme goes on with it.
TEST(ExactBeside, MultipliersOfStaticStages)
{
  const Folder folder;
  const History history =
      run_well(folder, "set Structure = discrete\n" +
                           section("Points", "set Dimension = 1\n" + section("eye", "set Position = 0\nset Fixed = yes") +
                                                 section("bob", "set Position = 2\nset Mass = 1")) +
                           section("Springs", section("soft", "set From = eye\nset To = bob\nset Stiffness = 1")) +
                           section("Constraints", section("rod", "set From = eye\nset To = bob")) +
                           section("Forces", section("pull", "set Points = bob\nset Force = 10")) +
                           stages(section("first", "set Type = static\nset Increments = 2") +
                                  section("rest", "set Type = static\nset Loads = pull") + section("fly", "set Type = dynamic")) +
                           section("Time", "set Time step = 1e-3\nset End time = 2e-3") + section("Integrator", "set Scheme = rattle"))
          .history;
  const auto &lambda = history["lambda.rod"];
  ASSERT_EQ(lambda.size(), 8u);
  EXPECT_NEAR(lambda[0], 0., 1e-12);
  EXPECT_NEAR(lambda[1], -5., 1e-6);
  for (std::size_t i = 2; i < lambda.size(); ++i)
    EXPECT_NEAR(lambda[i], -10., 1e-6) << i;
}

/// Both kinds of constraints hold to rounding; momenta and energy are those of the schemes; ranks agree.
TEST(ExactBeside, RodsOnAFrameOnRanks)
{
  for (const auto &[mass, scheme] : schemes)
  {
    const Folder one;
    const Settings tight{"Newton/Tolerance=1e-13"};
    const History history = run_well(one, frame(mass, scheme), tight).history;
    EXPECT_LT(most(history, "E_balance_error"), 1e-3 * history["E_total"].front()) << scheme;
    EXPECT_GT(most(history, "E_potential"), 0.001 * history["E_total"].front()) << scheme << ": it bends";
    EXPECT_LT(most(history, "ab.director_error"), 1e-9) << scheme;
    EXPECT_LT(most(history, "g_max"), 1e-9) << scheme;
    EXPECT_GT(std::abs(history.last("last.x") - 2.4), 0.05) << scheme << ": it moves";
    if (scheme == "gonzalez-constrained")
    {
      EXPECT_LT(most(history, "E_balance_error"), 1e-9 * history["E_total"].front());
    }
    for (const char *column : {"P_x", "P_z", "J_x", "J_z"})
      EXPECT_LT(change(history, column),
                (scheme == "newmark-constrained" && column[0] == 'J' ? 1e-3 : 1e-9) * std::abs(history["J_z"].front()))
          << scheme << column;
    for (const int ranks : {2, 3})
    {
      const Folder several;
      const History shared = run_well(several, frame(mass, scheme), tight, ranks).history;
      for (const char *column : {"last.x", "last.z", "b.y"})
        EXPECT_NEAR(shared.last(column), history.last(column), 1e-10 * most(history, column)) << scheme << column << ranks;
    }
  }
}

/// A hinge is one more constraint, about its own axis: the rod and the hinge hold, and momenta are kept.
TEST(ExactBeside, RodsAndAHinge)
{
  for (const auto &[mass, scheme] : schemes)
    for (const auto &[release, constraints] : {std::pair{"moment 1", 3}, {"torsion", 3}})
    {
      const Folder folder;
      const Settings settings{"Newton/Tolerance=1e-13", std::string("Beams/bc/Release at From=") + release};
      const History history = run_well(folder, frame(mass, scheme), settings).history,
                    stiff = run_well(folder, frame(mass, scheme), {"Newton/Tolerance=1e-13"}).history;
      EXPECT_EQ(std::count_if(history.header.begin(), history.header.end(),
                              [](const std::string &name) { return name.compare(0, 7, "lambda.") == 0; }),
                constraints);
      EXPECT_LT(most(history, "g_max"), 1e-9) << scheme << release;
      EXPECT_LT(most(history, "bc.director_error"), 1e-9) << scheme << release;
      EXPECT_LT(most(history, "E_balance_error"), 1e-3 * history["E_total"].front()) << scheme << release;
      EXPECT_GT(std::abs(history.last("c.z") - stiff.last("c.z")), 1e-7) << scheme << release << ": the hinge turns";
      for (const char *column : {"P_x", "P_z", "J_x", "J_z"})
        EXPECT_LT(change(history, column),
                  (scheme == "newmark-constrained" && column[0] == 'J' ? 1e-3 : 1e-9) * std::abs(history["J_z"].front()))
            << scheme << release << column;
    }
}

/// Order 2, and all three schemes tend to one motion: of stiff elastic directors, too.
TEST(ExactBeside, OneMotionOfOrderTwo)
{
  std::vector<std::vector<double>> limits;
  for (const auto &[mass, scheme] : schemes)
  {
    const auto coarse = place_of_last("lumped", scheme, 1e-3), middle = place_of_last("lumped", scheme, 5e-4),
               fine = place_of_last("lumped", scheme, 2.5e-4);
    EXPECT_NEAR(std::log2(distance(coarse, middle) / distance(middle, fine)), 2., 0.15) << scheme;
    limits.push_back(fine);
    for (std::size_t i = 0; i < fine.size(); ++i)
      limits.back()[i] += (fine[i] - middle[i]) / 3.;
  }
  EXPECT_LT(distance(limits[0], limits[1]), 1e-6);
  EXPECT_LT(distance(limits[0], limits[2]), 1e-6);
  const Folder folder;
  const History elastic = run_well(folder, frame("lumped", "newmark-constrained", 2.5e-4),
                                   {"Elements/Directors=elastic", "Beams/ab/Director stiffness=100", "Beams/bc/Director stiffness=100"})
                              .history;
  EXPECT_LT(std::abs(elastic.last("last.x") - limits[0][0]), 1e-4);
  EXPECT_LT(std::abs(elastic.last("a.z") - limits[0][3]), 1e-4);
}

/// gamma > 1/2 takes energy and keeps momenta; too small a beta, and damping beside it, are errors.
TEST(ExactBeside, GammaDamps)
{
  const Folder kept, damped;
  const std::string deck = frame("consistent", "newmark-constrained", 2e-3, 0.2);
  const Settings gamma{"Integrator/newmark-constrained/gamma=1"}, beta{"Integrator/newmark-constrained/beta=0.5625"};
  const History a = run_well(kept, deck).history, b = run_well(damped, deck, gamma + beta).history;
  EXPECT_NEAR(a.last("E_total"), a["E_total"].front(), 1e-3 * a["E_total"].front());
  EXPECT_LT(b.last("E_total"), 0.995 * b["E_total"].front());
  EXPECT_LT(most(b, "g_max"), 1e-9);
  EXPECT_LT(change(b, "P_x"), 1e-9 * std::abs(b["J_z"].front()));
  expect_refused(deck, "damps at any h with beta >= (gamma + 1/2)^2/4. Set beta = 0.5625 or more", gamma);
  expect_refused(deck, "is for systems without damping", gamma + beta + Settings{"Beams/ab/Stiffness damping=1e-4"});
}

/// Forms, tangents, orders and momenta; without the projection of velocities they are lost.
TEST(ExactBeside, Certificates)
{
  const auto broken = [](const Integrator &scheme, const VerifySubject &subject) { return broken_by(scheme, subject, 60); };
  for (const auto &[mass, scheme] : schemes)
  {
    const VerifySubject subject(Deck::from_text(frame(mass, scheme), "frame.prm"), 500, false);
    EXPECT_EQ(broken(*subject.scheme(scheme, subject.undamped()), subject), std::set<std::string>()) << scheme;
  }
}

TEST(ExactBeside, Restart)
{
  for (const auto &[mass, scheme] : {Scheme{"lumped", "rattle"}, {"lumped", "shake"}, schemes[1], schemes[2]})
  {
    const Folder whole, parts;
    const std::string deck = whole / "frame.prm";
    std::ofstream(deck) << frame(mass, scheme, 5e-4, 0.01);
    ASSERT_EQ(run_deck(whole, deck, {}).exit_code, 0);
    ASSERT_EQ(run_in_parts(parts, deck, {}, 7).exit_code, 0);
    EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(parts / "results/history.csv")) << scheme;
  }
}

/// A body whose columns exact directors keep needs no constraint of its own: that is an error, by name.
TEST(ExactBeside, Refused)
{
  const std::string stuff =
      "set Direction = 0, 1, 0\nset Section = circle\nset Size = 0.02\nset E = 2e11\nset Density = 8000\nset Elements = 2\n";
  const std::string body = "set Structure = discrete\n" + section("Points", section("foot", "set Position = 0, 0, 0\nset Fixed = yes")) +
                           section("Rigid bodies", section("head", "set Mass = 2\nset Inertia = 0.4, 0.5, 0.6\nset Position = 1, 0, 0")) +
                           section("Beams", section("rod", "set From = foot\nset To = head\n" + stuff)) +
                           section("Elements", "set Directors = exact") +
                           section("Constraints", section("shape", "set Law = orthonormal\nset Body = head")) +
                           section("Integrator", "set Scheme = newmark-constrained") + stages(section("fly", "set Type = dynamic")) +
                           section("Time", "set Time step = 1e-6\nset End time = 2e-6");
  expect_refused(body, "[Rigid bodies/head]: its Rigidity, or a constraint of Law = orthonormal, has no effect");
}
}  // namespace symdyn::tests::in_exact_beside
