// Couplings in decks: closed forms, rotations of any size, what is kept in time, ranks, restart, and what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_couplings
{
namespace
{
/// A square bar of 1 m x 1 m x 4 m along z without Poisson's effect, clamped at z = 0; beams bend and stretch exactly like that.
constexpr double E = 1e9, length = 4., I = 1. / 12.;
std::string bar(const std::string &law = "linear-elasticity", const double nu = 0.)
{
  return section("Mesh", "set Type = box\nset Subdivisions = 2, 2, 4\nset Order = 2\n" + section("box", "set Size = 1, 1, 4")) +
         elastic(E, nu, 1000., law) + section("Supports", section("ground", "set Boundary = z-"));
}
std::string point(const std::string &name, const std::string &content) { return section("Points", section(name, content)); }
std::string coupling(const std::string &content) { return section("Couplings", section("lid", content)); }
const std::string top = point("eye", "set Position = 0.5, 0.5, 4"), lid = "set At = eye\nset Boundaries = z+\n",
                  linear = lid + "set Geometry = linear\n";
const std::string still = stages(section("load", "set Type = static"));
std::string pushed(const std::string &force) { return section("Forces", section("push", "set Points = eye\nset Force = " + force)); }
std::string turned(const std::string &moment)
{
  return section("Moments", section("turn", "set At = eye\nset Geometry = linear\nset Moment = " + moment));
}

/// A cube that floats, whose left side follows a reference.
std::string floating(const std::string &more, const int along = 2)
{
  return section("Mesh", fmt::format("set Type = box\nset Subdivisions = {}, 2, 2", along)) +
         elastic(1e6, 0.3, 1000., "st-venant-kirchhoff") + point("eye", "set Position = 0, 0.5, 0.5\n" + more) +
         section("Probes", section("corner", "set Point = 1, 1, 1"));
}

/// Two blocks of rubber in space, joined by a beam between lids, which fly and turn.
const std::string dumbbell = section("Mesh", "set Type = file\nset File = blocks.inp") + elastic(1e6, 0.3, 1000., "st-venant-kirchhoff") +
                             section("Beams", section("bar", R"(set From = 1, 0.5, 0.5
set To = 3, 0.5, 0.5
set Elements = 4
set Direction = 0, 0, 1
set Section = circle
set Size = 0.1
set E = 1e7
set nu = 0.3
set Density = 1000)")) +
                             section("Couplings", section("left", "set At = 1, 0.5, 0.5\nset Nodes = LEFT") +
                                                      section("right", "set At = 3, 0.5, 0.5\nset Nodes = RIGHT")) +
                             section("Initial conditions", "set Velocity = -1*(y-0.5), 1*(x-2), 0.3*x");

/// Two blocks of 1 m x 1 m x 1 m, of 2 x 2 x 2 cells, at x = 0 and x = 3; sets LEFT (x = 1) and RIGHT (x = 3).
std::string two_blocks()
{
  std::string nodes = "*NODE\n", cells = "*ELEMENT, TYPE=C3D8, ELSET=BODY\n", left, right;
  const auto number = [](const int block, const int i, const int j, const int k) { return 1 + i + 3 * j + 9 * k + 27 * block; };
  for (int block = 0; block < 2; ++block)
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
        {
          nodes += fmt::format("{}, {}, {}, {}\n", number(block, i, j, k), 3 * block + 0.5 * i, 0.5 * j, 0.5 * k);
          if (block == 0 && i == 2)
            left += fmt::format("{}\n", number(0, i, j, k));
          if (block == 1 && i == 0)
            right += fmt::format("{}\n", number(1, i, j, k));
        }
  for (int block = 0; block < 2; ++block)
    for (int c = 0; c < 8; ++c)
    {
      const int i = c % 2, j = c / 2 % 2, k = c / 4;
      cells += fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}\n", 1 + c + 8 * block, number(block, i, j, k), number(block, i + 1, j, k),
                           number(block, i + 1, j + 1, k), number(block, i, j + 1, k), number(block, i, j, k + 1),
                           number(block, i + 1, j, k + 1), number(block, i + 1, j + 1, k + 1), number(block, i, j + 1, k + 1));
    }
  return nodes + cells + "*NSET, NSET=LEFT\n" + left + "*NSET, NSET=RIGHT\n" + right;
}

Outcome fly(const Folder &folder, const std::string &scheme, const Settings &settings = {}, const int ranks = 1)
{
  std::ofstream(folder / "blocks.inp") << two_blocks();
  return run_well(folder,
                  dumbbell + section("Integrator", "set Scheme = " + scheme) + section("Time", "set Time step = 0.002\nset End time = 0.4"),
                  settings + Settings{"Output/Write every=never", "Output/History every=1"}, ranks);
}
}  // namespace

/// Force along the bar, across it, and moments about both axes: u = F L/E A, F L³/3 E I + F L/G As of the cubic shape left out, theta = M
/// L/E I.
TEST(Couplings, RigidLidOfABeam)
{
  const Folder folder;
  const History pulled = run_well(folder, bar() + top + coupling(linear) + pushed("0, 0, 1e6") + still).history;
  EXPECT_NEAR(pulled.last("eye.z") - length, 1e6 * length / E, 1e-12);
  EXPECT_NEAR(pulled.last("ground.R_z"), -1e6, 1e-3);
  EXPECT_NEAR(pulled.last("lid.F_z"), 1e6, 1e-3);
  const History bent = run_well(folder, bar() + top + coupling(linear) + turned("0, 1e6, 0") + still).history;
  const double theta = 1e6 * length / (E * I);
  EXPECT_NEAR(bent.last("eye.x") - 0.5, theta * length / 2., 1e-8 * theta * length);
  EXPECT_NEAR(bent.last("W_external"), 0.5 * 1e6 * theta, 1e-6 * 1e6 * theta);
  EXPECT_NEAR(bent.last("lid.F_z"), 0., 1e-3);
  EXPECT_NEAR(bent.last("lid.M_y"), 1e6, 1e-3);
  EXPECT_NEAR(bent.last("lid.rot_y"), theta, 1e-8 * theta);
}

/// A reference off the face: the force has a moment about its centre.
TEST(Couplings, RigidArm)
{
  const Folder folder;
  const std::string arm = point("eye", "set Position = 0.5, 0.5, 6"), across = pushed("0, 0, 1e5");
  const History straight = run_well(folder, bar() + arm + coupling(linear) + across + still).history;
  EXPECT_NEAR(straight.last("eye.z") - 6., 1e5 * length / E, 4e-6) << "the arm stretches as elastic directors do";
  const History stiff = run_well(folder, bar() + arm + coupling(linear + "set Stiffness = 1e15\n") + across + still).history;
  EXPECT_NEAR(stiff.last("eye.z") - 6., 1e5 * length / E, 1e-9);
  EXPECT_GT(straight.last("eye.z") - stiff.last("eye.z"), 1e-7);
  const std::string beside = point("eye", "set Position = 2.5, 0.5, 4");
  const History bent = run_well(folder, bar() + beside + coupling(linear) + across + still).history;
  const double theta = 1e5 * 2. * length / (E * I);
  EXPECT_NEAR(bent.last("eye.z") - 4., 1e5 * length / E + 2. * theta, 1e-8);
}

/// The reference follows the mean, whatever the face does; reactions are those of the load.
TEST(Couplings, DistributingLoadsSpread)
{
  const Folder folder;
  const std::string spread = linear + "set Type = distributing\n";
  const History bent = run_well(folder, bar() + top + coupling(spread) + turned("0, 1e6, 0") + still).history;
  const double theta = 1e6 * length / (E * I);
  EXPECT_NEAR(bent.last("eye.x") - 0.5, theta * length / 2., 0.02 * theta * length) << "Saint-Venant";
  const History off = run_well(folder, bar("linear-elasticity", 0.3) + point("eye", "set Position = 0.5, 0.5, 6") + coupling(spread) +
                                           pushed("1e5, 0, 0") + still)
                          .history;
  EXPECT_NEAR(off.last("ground.R_x"), -1e5, 1e-4);
  EXPECT_NEAR(off.last("lid.F_x"), 1e5, 1e-4);
  EXPECT_NEAR(off.last("lid.M_y"), 0., 1e-3) << "about the reference, where the force acts";
  EXPECT_NEAR(off.last("W_external"), 0.5 * 1e5 * (off.last("eye.x") - 0.5), 1e-6);
  const double timoshenko = 1e5 * (std::pow(6., 3) / 3. - std::pow(2., 3) / 3.) / (E * I);  // beyond the bar the arm is rigid
  EXPECT_NEAR(off.last("eye.x") - 0.5, 1e5 * (std::pow(4., 3) / 3. + 2. * 4. * 4. + 4. * 4.) / (E * I), 0.06 * timoshenko);
}

/// By beam theory: the head turns under a force beside the axis, and under a moment about it.
TEST(Couplings, EccentricLoadOnAColumn)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/eccentric-column.prm", {"Output/Write every=never"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  const double L = 0.6, E = 2.1e11, G = E / 2.6, bends = 50e3 * 0.15 * L / (E * 1e-4 / 12.), twists = 2000. * L / (0.1406 * G * 1e-4);
  EXPECT_NEAR(run.history.last("head.rot_y"), bends, 2e-2 * bends);
  EXPECT_NEAR(run.history.last("head.rot_z"), twists, 2e-2 * twists);
  EXPECT_NEAR(run.history.last("floor.R_z"), 50e3, 1e-6);
}

/// A cube that floats on its turned side has no stress at any angle, and each of its places is where the rotation takes it.
TEST(Couplings, RotationOfAnySizeIsRigid)
{
  const Folder folder;
  const Outcome run = run_well(folder, floating("set Fixed = yes") + coupling("set At = eye\nset Boundaries = x-\nset Rotation = 0, 0, 3") +
                                           stages(section("turn", "set Type = static\nset Increments = 6")));
  const double c = std::cos(3.), s = std::sin(3.);
  EXPECT_NEAR(run.history.last("corner.u_x"), c - 0.5 * s - 1., 1e-9);
  EXPECT_NEAR(run.history.last("corner.u_y"), s + 0.5 * c + 0.5 - 1., 1e-9);
  EXPECT_NEAR(run.history.last("E_potential"), 0., 1e-9);
  EXPECT_NEAR(run.history.last("lid.rot_z"), 3., 1e-12);
}

/// Motion that is prescribed as a function of time starts with its exact rates, and all nodes of a cube turn with it: 1/2 I w² = 1/2 m/6
/// w².
TEST(Couplings, PrescribedRotationHasRates)
{
  const Folder folder;
  const History history =
      run_well(folder, floating("set Fixed = yes", 1) + coupling("set At = eye\nset Boundaries = x-, x+\nset Rotation = 2*t, 0, 0") +
                           section("Integrator", "set Scheme = newmark") + section("Time", "set Time step = 0.1\nset End time = 2"))
          .history;
  EXPECT_NEAR(history["E_kinetic"].front(), 0.5 * 1000. / 6. * 4., 1e-9);
  EXPECT_NEAR(history.last("E_kinetic"), 0.5 * 1000. / 6. * 4., 0.02 * 333.) << "velocities of the scheme";
  EXPECT_NEAR(history.last("corner.u_y"), 0.5 * (std::cos(4.) - std::sin(4.)) - 0.5, 1e-9);
}

/// A block whose faces follow one reference starts as a rigid body that turns: J = I w; without the entry it rests. What holds it, or has
/// no rotation of its own, refuses it.
TEST(Couplings, AngularVelocityOfTheReference)
{
  const std::string entry = "set Angular velocity = 0, 0.6, -0.8\n", lid = "set At = eye\nset Boundaries = x-, x+\n";
  const auto start = [&](const std::string &more) {
    const Folder folder;
    return run_well(folder, floating("", 1) + coupling(lid + more) + section("Integrator", "set Scheme = discrete-gradient") +
                                section("Time", "set Time step = 0.01\nset End time = 0.05"))
        .history;
  };
  const History history = start(entry), rest = start("");
  const double of_cube = 1000. * (1. + 1.) / 12., off = 1000. * 0.25;  // about its centre; about the reference, half a metre beside it
  EXPECT_NEAR(history["E_kinetic"].front(), 0.5 * (of_cube + off), 1e-9 * of_cube);
  EXPECT_NEAR(history.last("lid.rot_y"), 0.6 * 0.05, 1e-3 * 0.05);
  EXPECT_NEAR(history.last("lid.rot_z"), -0.8 * 0.05, 1e-3 * 0.05);
  EXPECT_LT(drift(history, "E_total"), 1e-6 * of_cube);
  EXPECT_EQ(rest["E_kinetic"].front(), 0.) << "negative control";
  expect_refused(floating("") + coupling(lid + entry + "set Rotation = 0, 0, 0") + still,
                 "Angular velocity = 0, 0.6, -0.8: has no effect, because Rotation holds how the reference turns");
  expect_refused(floating("") + coupling("set Type = distributing\n" + lid + entry) + still,
                 "Angular velocity = 0, 0.6, -0.8: has no effect with Type = distributing");
  expect_refused(floating("") + coupling(lid + "set Angular velocity = 1, 2") + still, "needs 3 components");
}

/// On a solid with a coupling that carries a beam, a step takes the three iterations of the beam alone: tangents that are kept from step to
/// step spoil the stresses that are carried on, and are not tried there.
TEST(Couplings, StepsTakeTheIterationsOfBeams)
{
  const std::string deck =
      section("Mesh", "set Type = box\nset Subdivisions = 3, 2, 2\n" + section("box", "set Size = 0.3, 0.1, 0.1")) +
      elastic(2e11, 0.3, 7800.) + section("Supports", section("root", "set Boundary = x-")) +
      point("tip", "set Position = 1.3, 0.05, 0.05") +
      section("Beams", section("mast",
                               "set From = 0.3, 0.05, 0.05\nset To = tip\nset Elements = 5\nset Size = 0.01, 0.02\nset E = 2e11\nset nu = "
                               "0.3\nset Density = 7800\nset Direction = 0, 1, 0")) +
      coupling("set At = 0.3, 0.05, 0.05\nset Boundaries = x+") +
      section("Forces", section("push", "set Points = tip\nset Force = 0, 200, -300")) +
      section("Time", "set Time step = 0.001\nset End time = 0.06") + section("Integrator", "set Scheme = newmark");
  const auto iterations = [&](const Settings &settings) {
    const Folder folder;
    const History history = run_well(folder, deck, Settings{"Newton/Tolerance=1e-10"} + settings).history;
    return std::accumulate(history["newton"].begin(), history["newton"].end(), 0.);
  };
  EXPECT_LE(iterations({}), 200.);
  EXPECT_LE(iterations({"Newton/Tangent=new"}), 190.);
}

/// Lids of two blocks with a beam between them: momenta and energy of what flies freely.
TEST(Couplings, DumbbellKeepsMomentaAndEnergy)
{
  const Folder folder;
  const History history = fly(folder, "discrete-gradient").history;
  const double energy = history["E_total"].front();
  EXPECT_GT(drift(history, "E_potential"), 1e-4 * energy) << "it deforms";
  EXPECT_LT(drift(history, "E_total"), 1e-8 * energy);
  for (const char *P : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(history, P), 1e-7 * 2000.) << P;
}

TEST(Couplings, DumbbellExplicitly)
{
  const Folder folder;
  const History history = fly(folder, "central-difference", {"Elements/Mass=lumped", "Time/Time step=0.0005"}).history;
  const double energy = history["E_total"].front();
  EXPECT_LT(drift(history, "E_total"), 1e-3 * energy);
  for (const char *P : {"P_x", "P_y", "P_z", "J_x", "J_y", "J_z"})
    EXPECT_LT(drift(history, P), 1e-9 * 2000.) << P;
}

TEST(Couplings, TwoRanksAndRestart)
{
  const Folder one, two, split;
  const Settings short_run{"Time/End time=0.1", "Newton/Tolerance=1e-12"};
  const Outcome a = fly(one, "discrete-gradient", short_run), b = fly(two, "discrete-gradient", short_run, 2);
  for (const char *column : {"E_kinetic", "E_potential", "J_z", "bar.N_from", "bar.M1_to"})
    for (std::size_t i = 0; i < a.history.rows(); ++i)
      EXPECT_NEAR(a.history[column][i], b.history[column].at(i),
                  (std::string(column, 3) == "bar" ? 1e-11 : 1e-12) * largest(a.history, column, "dynamic"))
          << column;
  const Settings saved{"Output/Checkpoint every=5", "Solver/Deterministic=yes"};
  const Folder whole;
  fly(whole, "discrete-gradient", saved + Settings{"Time/End time=0.1"});
  fly(split, "discrete-gradient", saved + Settings{"Time/End time=0.05"});
  const Outcome on = tool(split, "run --quiet --restart " + split.path + "/results --set 'Time/End time=0.1'");
  ASSERT_EQ(on.exit_code, 0) << on.terminal;
  EXPECT_TRUE(text_of(whole / "results/history.csv") == text_of(split / "results/history.csv"));
}

/// A reference in front of the face has the frequencies of one on it: an arm without a mass moves along.
TEST(Couplings, ArmsDoNotChangeFrequencies)
{
  std::vector<std::vector<double>> of_arms;
  for (const char *z : {"4", "6", "12"})
  {
    const Folder folder;
    run_well(folder, bar() + point("eye", std::string("set Position = 0.5, 0.5, ") + z) + coupling(linear) +
                         stages(section("shapes", "set Type = modes\nset Modes = 4")));
    of_arms.push_back(table_of(folder / "results/modes-shapes.csv").at("frequency"));
  }
  for (std::size_t mode = 0; mode < 4; ++mode)
    for (const auto &arm : of_arms)
      EXPECT_NEAR(arm[mode], of_arms[0][mode], 2e-3 * of_arms[0][mode]) << mode;
  const Folder folder;
  run_well(folder, bar() + stages(section("shapes", "set Type = modes\nset Modes = 4")));
  EXPECT_GT(of_arms[0][0], table_of(folder / "results/modes-shapes.csv").at("frequency")[0] - 1e-6) << "a lid is a constraint";
}

/// Nodes that are clamped and follow a reference, too: the support has the force that comes through the coupling.
TEST(Couplings, ReactionsWhereNodesAreHeld)
{
  const Folder folder;
  const std::string beside = point("eye", "set Position = 0, 0.5, 2"), side = "set At = eye\nset Boundaries = x-\nset Geometry = linear\n";
  const History history = run_well(folder, bar() + beside + coupling(side) + pushed("0, 0, 1e6") + still).history;
  EXPECT_NEAR(history.last("ground.R_z"), -1e6, 1.);
  EXPECT_NEAR(history.last("lid.F_z"), 1e6, 1.);
}

/// A reference that follows another coupling: the force goes through both.
TEST(Couplings, Chain)
{
  const Folder folder;
  const std::string two = section("Points", section("eye", "set Position = 0.5, 0.5, 4") + section("far", "set Position = 1.5, 0.5, 4") +
                                                section("wing", "set Position = 1.5, 1.5, 5"));
  const std::string outer = section("outer", "set At = far\nset Nodes = eye, wing\nset Rotation = 0, 0, 0\nset Geometry = linear");
  const History history = run_well(folder, bar() + two + section("Couplings", section("lid", linear) + outer) +
                                               section("Forces", section("push", "set Points = far\nset Force = 0, 0, 1e6")) + still)
                              .history;
  EXPECT_NEAR(history.last("outer.F_z"), 1e6, 1.);
  EXPECT_NEAR(history.last("lid.F_z"), 1e6, 1.);
  EXPECT_NEAR(history.last("wing.z") - 5., 1e6 * length / E, 1e-6);
}

/// The reference of a face that deforms, on three ranks and on one.
TEST(Couplings, DistributingOnRanks)
{
  const Folder one, three;
  const std::string deck = bar("linear-elasticity", 0.3) + top + coupling(linear + "set Type = distributing\n") + turned("1e5, 1e6, 3e5") +
                           pushed("1e5, 2e4, 3e5") + still;
  const History a = run_well(one, deck).history, b = run_well(three, deck, {}, 3).history;
  for (const char *column : {"eye.x", "eye.y", "eye.z", "lid.F_x", "lid.M_y", "ground.R_z"})
    EXPECT_NEAR(a.last(column), b.last(column), 1e-12 * std::abs(a.last(column))) << column;
}

TEST(Couplings, AreChecked)
{
  const auto refused = [](const std::string &content, const std::string &words, const std::string &point_of = top) {
    expect_refused(bar() + point_of + coupling(content) + still, words);
  };
  refused("set Boundaries = z+", "[Couplings/lid]: the coupling has no At");
  refused("set At = eye", "[Couplings/lid]: the coupling has neither Boundaries nor Nodes");
  refused(lid + "set Type = soft", "rigid, distributing");
  refused(lid + "set Components = w", "[Couplings/lid] Components = w: 'w' is no component. There are x, y, z and rotations");
  refused(lid + "set Components = z", "do not determine how the reference moves and turns");
  refused(lid + "set Rotation = 1", "Rotation = 1: needs three items");
  refused(lid + "set Rotation = x, 0, 0", "depends on t alone");
  refused(lid + "set Weights = 1", "Weights = 1: has no effect with Type = rigid");
  refused(lid + "set Type = distributing\nset Rotation = 0, 0, 0", "Rotation = 0, 0, 0: has no effect with Type = distributing");
  refused(lid + "set Type = distributing\nset Weights = 1, 2", "there are 2 weights and 25 nodes");
  expect_refused(bar() + top +
                     section("Couplings", section("lid", lid + "set Rotation = 0, 0, 0") +
                                              section("again", "set At = eye\nset Boundaries = z-\nset Rotation = 0, 0, 1")) +
                     still,
                 "the rotation of this node is held by");
  expect_refused(
      bar() + top +
          section("Couplings", section("lid", linear + "set Type = distributing") + section("again", "set At = eye\nset Boundaries = z-")) +
          still,
      "follows the nodes of a distributing coupling");
  expect_refused(bar() +
                     section("Beams", section("pole",
                                              "set From = eye\nset To = 2, 0.5, 4\nset Direction = 0, 0, 1\nset Size = "
                                              "0.1, 0.1\nset E = 1e9\nset nu = 0\nset Density = 1000")) +
                     top + coupling("set At = eye\nset Boundaries = z+\nset Type = distributing") + still,
                 "has a director across the plane of the nodes");
  refused("set At = nose\nset Boundaries = z+", "At = nose");
  refused("set At = eye\nset Boundaries = upper", "'upper'");
  refused(lid + "set Stiffness = 0", "Stiffness = 0");
  expect_refused(bar() + top + coupling(lid) + section("Couplings", section("again", lid)) + still, "A node follows one coupling");
  expect_refused(bar() + top + coupling(lid) + section("Elements", "set Directors = exact") + still, "Directors");
}

TEST(Couplings, NodesOfALineDoNotTurn)
{
  const std::string line =
      section("Points", section("eye", "set Position = 0.5, 0, 4") + section("a", "set Position = 0, 0, 4\nset On mesh = yes") +
                            section("b", "set Position = 1, 0, 4\nset On mesh = yes"));
  expect_refused(bar() + line + coupling("set At = eye\nset Nodes = a, b") + still,
                 "the nodes lie on a line with the reference, or are one");
  const Folder folder;
  run_well(folder, bar() + line + coupling("set At = eye\nset Nodes = a, b\nset Rotation = 0, 0, 0") + still);
}
}  // namespace symdyn::tests::in_couplings
