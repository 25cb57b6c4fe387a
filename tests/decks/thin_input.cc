// What decks of beams and shells give in vain, or join in vain, is said.
#include <gtest/gtest.h>

#include "tests/bad_input.h"
#include "tests/parts.h"
#include "tests/shell_decks.h"

namespace symdyn::tests::in_thin_input
{
using namespace in_shell_decks;
namespace
{
const std::string times = section("Time", "set Time step = 1e-4\nset End time = 2e-4") + section("Output", "set Write every = never");
const std::string fly = stages(section("fly", "set Type = dynamic")) + times;
const std::string steel =
    "set Direction = 0, 1, 0\nset Elements = 2\nset Section = circle\nset Size = 0.02\nset E = 2e11\nset Density = 8000\n";

std::string warnings(const std::string &deck, const Settings &settings = {})
{
  const Folder folder;
  return run_well(folder, deck, settings).terminal;
}
void expect_said(const std::string &terminal, const std::string &words)
{
  EXPECT_NE(terminal.find(words), std::string::npos) << "'" << words << "' is not in:\n" << terminal;
}
void expect_silent(const std::string &terminal, const std::string &words)
{
  EXPECT_EQ(terminal.find(words), std::string::npos) << "'" << words << "' is in:\n" << terminal;
}

/// A body at the end of a rod of 1 m along x.
std::string rod_and_body(const std::string &body, const std::string &beam)
{
  return "set Structure = discrete\n" + section("Points", section("foot", "set Position = 0, 0, 0\nset Fixed = yes")) +
         section("Rigid bodies", section("head", "set Mass = 2\nset Inertia = 0.4, 0.5, 0.6\nset Position = 1, 0, 0\n" + body)) +
         section("Beams", section("rod", "set From = foot\nset To = head\n" + steel + beam)) + section("Elements", "set Mass = lumped") +
         fly;
}

/// A plate of 4 m x 4 m, 4 x 4 cells, and a column below it.
std::string column_under(const std::string &top, const std::string &more = "")
{
  return shell("plate", "set Corner = -2, -2, 0\nset Size = 4, 4", 4, 4, 0.2, 3e10, 0.2, 2400.) +
         section("Points", section("foot", "set Position = 0.3, 0.4, -3\nset Fixed = yes")) +
         section("Beams", section("column", "set From = foot\nset Clamped = from\nset To = " + top + "\n" + steel)) + fly + more;
}

/// An arm of 2 m along x and a beam across it, from u to v, held at both ends.
std::string crossing(const std::string &u, const std::string &v, const std::string &load, const std::string &more = "")
{
  const auto fixed = [](const std::string &name, const std::string &at) {
    return section(name, "set Position = " + at + "\nset Fixed = yes");
  };
  return "set Structure = discrete\n" +
         section("Points", fixed("wall", "0, 0, 0") + section("tip", "set Position = 2, 0, 0") + fixed("u", u) + fixed("v", v)) +
         section("Beams",
                 section("arm", "set From = wall\nset To = tip\nset Clamped = from\n" + steel) +
                     section("cross", "set From = u\nset To = v\nset Clamped = from, to\n" + replaced(steel, "0, 1, 0", "0, 0, 1"))) +
         load + stages(section("bend", "set Type = static\n" + more));
}
const std::string pushed = section("Forces", section("p", "set Points = tip\nset Force = 0, 0, 10"));
}  // namespace

/// Axes that cross between nodes are not joined.
TEST(ThinInput, BeamsThatCross)
{
  const std::string said = "the beam 'cross' crosses 'arm' at (0.5, 0, 0) m and is not joined to it";
  expect_said(warnings(crossing("0.5, -1, 0", "0.5, 1, 0", pushed)), said);
  expect_said(warnings(crossing("0.25, -1, 0", "0.75, 1, 0", pushed)), said);
  for (const auto &[u, v] : {std::pair{"0.5, -1, 0.01", "0.5, 1, 0.01"}, {"2.5, -1, 0", "2.5, 1, 0"}, {"0, 1, 0", "2, 1, 0"}})
    expect_silent(warnings(crossing(u, v, pushed)), "crosses");
}

/// Loads on what is held, and loads that no stage has.
TEST(ThinInput, LoadsInVain)
{
  const std::string u = "0.5, -1, 1", v = "0.5, 1, 1", held = "load 'p' acts only where and along what supports hold",
                    idle = "no stage has the load";
  const std::string moment = section("Moments", section("p", "set At = tip\nset Moment = 0, 10, 0"));
  expect_silent(warnings(crossing(u, v, pushed)), held);
  expect_silent(warnings(crossing(u, v, moment)), held);
  expect_said(warnings(crossing(u, v, replaced(pushed, "tip", "wall"))), held);
  expect_said(warnings(crossing(u, v, replaced(moment, "tip", "wall"))), held);
  expect_said(warnings(crossing(u, v, pushed, "set Loads = none")), "no stage has the load p");
  expect_silent(warnings(crossing(u, v, pushed, "set Loads = p")), idle);
}

/// A rotation over t in a stage without a duration stands still; about the normal of a shell there is none.
TEST(ThinInput, RotationsInVain)
{
  const auto turned = [](const std::string &rotation, const std::string &more = "") {
    return warnings(
        crossing("0.5, -1, 1", "0.5, 1, 1", pushed + section("Rotations", section("r", "set At = tip\nset Rotation = " + rotation)), more));
  };
  expect_said(turned("0, 0.1*t, 0"), "set Duration");
  expect_silent(turned("0, 0.1*t, 0", "set Duration = 1"), "set Duration");
  expect_silent(turned("0, 0.1, 0"), "set Duration");
  const std::string plate =
      shell("plate", "set Size = 1, 1", 2, 2, 0.01, 1e6, 0.3, 1000.) +
      section("Supports", section("root",
                                  "set Boundary = x-\nset Type = displacement\nset Displacement = 0, 0, 0\nset Rotation = "
                                  "0, 0, 0.1*t")) +
      stages(section("turn", "set Type = static\nset Duration = 1"));
  expect_refused(plate, "turns a node about the normal of a shell");
  warnings(replaced(plate, "0, 0, 0.1*t", "0, 0.1*t, 0"));
}

TEST(ThinInput, RigidityBesideExactDirectors)
{
  const Settings exact{"Elements/Directors=exact", "Integrator/Scheme=rattle", "Time/Time step=1e-7", "Time/End time=2e-7"};
  const std::string penalty = rod_and_body("set Rigidity = 100", "");
  expect_refused(penalty, "[Rigid bodies/head]: its Rigidity, or a constraint of Law = orthonormal, has no effect", exact);
  warnings(rod_and_body("", ""), exact);
  warnings(penalty, {"Time/Time step=1e-7", "Time/End time=2e-7"});
}

/// A field that supports take is reported with its place and size; one that is zero there is not.
TEST(ThinInput, InitialVelocityAgainstSupports)
{
  const std::string words = "The supports stand, as after an impact";
  const std::string clamped = support("root", "x-", "fixed");
  const std::string taken = warnings(flying(4, "newmark") + clamped, {"Initial conditions/Velocity=0, 3 + x, 0", "Time/End time=0.002"});
  expect_said(taken, "[Initial conditions] Velocity = 0, 3 + x, 0: supports hold 5 nodes that it moves, most at (-0.5, ");
  expect_said(taken, "where it gives (0, 2.5, 0) m/s and they rest");
  expect_said(taken, words);
  const std::string turned =
      warnings(flying(4, "newmark") + clamped, {"Initial conditions/Velocity=0, 0, 2*(x + 0.5)", "Time/End time=0.002"});
  expect_said(turned, "supports hold the rotation of 5 nodes that it turns, most at (-0.5, ");
  expect_said(turned, "with 2 rad/s");
  expect_silent(turned, "nodes that it moves");
  expect_silent(warnings(flying(4, "newmark") + clamped, {"Initial conditions/Velocity=0, 0, (x + 0.5)^2", "Time/End time=0.002"}), words);
  const std::string moving = support("root", "x-", "displacement\nset Displacement = 0, 3*t, 0\nset Rotation = 0, 0, 0");
  expect_silent(warnings(flying(4, "newmark") + moving, {"Initial conditions/Velocity=0, 3, 0", "Time/End time=0.002"}), words);
}

TEST(ThinInput, AngularVelocityOfAClampedBody)
{
  const Settings short_steps{"Time/Time step=1e-7", "Time/End time=2e-7"};
  expect_refused(rod_and_body("set Rigidity = 100\nset Angular velocity = 0, 0, 3", "set Clamped = to"),
                 "[Rigid bodies/head]: its Angular velocity has no effect, because the body is held from turning", short_steps);
  warnings(rod_and_body("set Rigidity = 100\nset Angular velocity = 0, 0, 3", ""), short_steps);
}

/// A scheme that a message names is not refused next.
TEST(ThinInput, AdviceOfSchemesWorks)
{
  const Settings steps{"Time/Time step=1e-7", "Time/End time=2e-7"};
  const std::string rod = rod_and_body("", "");
  const auto refused_with = [&](const std::string &deck, const Settings &settings, const std::string &words) {
    expect_refused(deck, words, steps + settings);
  };
  const auto runs_with = [&](const std::string &deck, const Settings &settings) { warnings(deck, steps + settings); };
  const Settings exact{"Elements/Directors=exact"}, consistent{"Elements/Mass=consistent"};
  refused_with(rod, exact,
               "Use one of newmark-constrained, gonzalez-constrained, rattle, shake (--set Integrator/Scheme=newmark-constrained), or "
               "--set Elements/Directors=elastic");
  for (const std::string scheme : {"newmark-constrained", "gonzalez-constrained", "rattle", "shake"})
    runs_with(rod, exact + Settings{"Integrator/Scheme=" + scheme});
  // Neither rattle, which needs a lumped mass without damping, nor a scheme of potentials is advised.
  const std::string loaded = rod + section("Moments", section("twist", "set At = foot\nset Moment = 0, 1, 0"));
  refused_with(loaded, exact + consistent, "Use one of newmark-constrained (--set Integrator/Scheme=newmark-constrained), or --set");
  runs_with(loaded, exact + consistent + Settings{"Integrator/Scheme=newmark-constrained"});

  refused_with(rod, {},
               "Give it a Rigidity, or a constraint of Law = orthonormal with Scheme = newmark-constrained, or use Scheme = hp-cayley");
  runs_with(rod, {"Rigid bodies/head/Rigidity=100"});
  runs_with(rod, {"Integrator/Scheme=hp-cayley"});
  const std::string kept = rod + section("Constraints", section("shape", "set Law = orthonormal\nset Body = head"));
  runs_with(kept, {"Integrator/Scheme=newmark-constrained"});
  refused_with(kept, {"Integrator/Scheme=hp-cayley"},
               "Remove the section Constraints, or use one of newmark-constrained, gonzalez-constrained");
  runs_with(kept, {"Integrator/Scheme=gonzalez-constrained"});
}

/// Columns of a body are no ends.
TEST(ThinInput, ColumnsOfBodiesAreNotNamed)
{
  const Folder folder;
  const Outcome run = run_text(folder, rod_and_body("set Rigidity = 100", ""), {"Beams/rod/To=haed"});
  EXPECT_EQ(run.exit_code, 1);
  expect_said(run.terminal, "there is no point 'haed'; there are head");
  expect_silent(run.terminal, "head_1");
}

/// Exact directors keep the body of a beam in modes: those of a body with a stiff penalty.
TEST(ThinInput, ModesOfABeamWithABody)
{
  const auto frequencies = [](const std::string &body, const Settings &settings) {
    const Folder folder;
    const std::string deck =
        "set Structure = discrete\n" + section("Points", section("foot", "set Position = 0, 0, 0\nset Fixed = yes")) +
        section("Rigid bodies", section("head", "set Mass = 2\nset Inertia = 0.4, 0.5, 0.6\nset Position = 1, 0, 0\n" + body)) +
        section("Beams", section("rod", "set From = foot\nset To = head\nset Clamped = from\n" + steel)) +
        stages(section("forms", "set Type = modes\nset Modes = 6")) + section("Output", "set Write every = never");
    run_well(folder, deck, settings);
    return table_of(folder / "results/modes-forms.csv").at("frequency");
  };
  const std::vector<double> exact = frequencies("", {"Elements/Directors=exact"}),
                            stiff = frequencies("set Rigidity = 1e5", {"Beams/rod/Director stiffness=1000"});
  ASSERT_EQ(exact.size(), 6u);
  ASSERT_EQ(stiff.size(), 6u);
  for (int i = 0; i < 6; ++i)
    EXPECT_NEAR(exact[i], stiff[i], 1e-4 * stiff[i]) << i;
}

/// A ball joint needs something that it turns against.
TEST(ThinInput, BallJointAtAFreeEnd)
{
  const std::string words = "no other beam, shell, coupling or rigid body turns there";
  const auto beams = [](const std::string &first, const std::string &second) {
    return "set Structure = discrete\n" +
           section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes") + section("b", "set Position = 1, 0, 0")) +
           section("Beams", section("one", "set From = a\nset To = b\nset Clamped = from\n" + steel + first) +
                                (second.empty() ? "" : section("two", "set From = b\nset To = 2, 0, 0\n" + steel + second))) +
           fly;
  };
  expect_refused(beams("set Release at To = all", ""), "[Beams/one] Release at To = all: " + words);
  expect_refused(beams("set Hinged = to", ""), "[Beams/one] Hinged = to: " + words);
  warnings(beams("set Release at To = all", "set Type = B31"));
  warnings(beams("set Release at To = all", "set Hinged = from"));
  warnings(rod_and_body("set Rigidity = 100", "set Hinged = to"), {"Time/Time step=1e-7", "Time/End time=2e-7"});
}

TEST(ThinInput, SoftCoupling)
{
  const std::string words = "is less than that of the parts it joins";
  const std::string arm = section("Points", section("ball", "set Position = 1, 0, 1\nset Mass = 3")) +
                          section("Couplings", section("arm", "set At = b\nset Nodes = ball\nset Stiffness = 1e3"));
  const std::string deck =
      "set Structure = discrete\n" +
      section("Points", section("a", "set Position = 0, 0, 0\nset Fixed = yes") + section("b", "set Position = 1, 0, 0")) +
      section("Beams", section("one", "set From = a\nset To = b\nset Clamped = from\n" + steel)) + arm + fly;
  expect_said(warnings(deck), "[Couplings/arm] Stiffness = 1e3: " + words);
  expect_silent(warnings(deck, {"Couplings/arm/Stiffness=1e11"}), words);
}

/// The top of a column between the nodes of a plate is loose: `check` and `run` say it; at a node, below the plate, and coupled it is not.
TEST(ThinInput, ColumnInsideACell)
{
  const std::string words = "the beam is not joined to it, and both move without each other";
  const Folder folder;
  std::ofstream(folder / "deck.prm") << column_under("0.3, 0.4, 0.05");
  const Outcome check = tool(folder, "check " + (folder / "deck.prm"));
  expect_said(check.terminal, "[Beams/column] To = 0.3, 0.4, 0.05: the end at (0.3, 0.4, 0.05) m lies in ");
  expect_said(check.terminal, words);
  expect_said(check.terminal, "the nearest is (0, 0, 0) m");
  expect_said(warnings(column_under("0.3, 0.4, 0.05")), words);
  expect_silent(warnings(column_under("0, 0, 0")), words);
  expect_silent(warnings(column_under("0.3, 0.4, -0.15")), words);
  expect_silent(
      warnings(column_under("0.3, 0.4, 0", section("Points", section("n0", "set On mesh = yes\nset Position = 0, 0, 0") +
                                                                 section("n1", "set On mesh = yes\nset Position = 1, 0, 0") +
                                                                 section("n2", "set On mesh = yes\nset Position = 0, 1, 0")) +
                                               section("Couplings", section("cap", "set At = 0.3, 0.4, 0\nset Nodes = n0, n1, n2")))),
      words);
}
}  // namespace symdyn::tests::in_thin_input
