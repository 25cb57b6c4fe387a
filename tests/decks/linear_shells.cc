// Shells with Geometry = linear, and loads on nodes and on the undeformed surface, in decks: closed forms, what is refused.
#include <gtest/gtest.h>
// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <cmath>

#include "tests/shell_decks.h"

namespace symdyn::tests::in_shell_decks
{
namespace
{
const Settings linear{"Shells/skin/Geometry=linear"};

/// A square plate of side 1, clamped all around: D = E t³/(12 (1 - nu²)).
std::string clamped_plate(const int n)
{
  return shell("plate", "set Size = 1, 1", n, n, 0.01, 2e11, 0.3, 7800.) + support("rim", "x-, x+, y-, y+", "fixed") +
         node("middle", "0.5, 0.5, 0");
}
constexpr double bending_stiffness = 2e11 * 1e-6 / (12. * 0.91);

/// A moment on each of the two nodes of the end of the strip, M = 10 N m altogether; E I = 100 N m², so that the end turns by 1 rad.
std::string end_moment(const std::string &more = "")
{
  return load("turn", "nodal-force\nset Boundary = x+\nset Moment = 0, -5, 0\n" + more);
}
}  // namespace

/// w = 0.00126 p L⁴/D (Timoshenko, Woinowsky-Krieger 1959, table 35); at 7 thicknesses the nonlinear plate is far stiffer.
TEST(LinearShellDecks, ClampedPlateUnderDeadPressure)
{
  const std::string deck = clamped_plate(16) + load("gas", "dead-pressure\nset Pressure = 1e6") + still;
  const auto deflection = [&](const Settings &settings) {
    const Folder folder;
    return run_well(folder, deck, settings).history.last("middle.z");
  };
  const double w = 0.00126 * 1e6 / bending_stiffness, found = deflection(linear);
  EXPECT_NEAR(found, w, 0.01 * w);
  EXPECT_NEAR(deflection(linear + Settings{"Loads/gas/Pressure=-1e5"}), -0.1 * found, 1e-12 * found);
  EXPECT_LT(deflection({}), 0.4 * w);
  EXPECT_NEAR(deflection({"Loads/gas/Pressure=1e2"}), 1e-4 * found, 1e-3 * 1e-4 * found) << "of small pressures both are one";
}

/// w = M L²/(2 E I) and no shortening; the nonlinear strip becomes an arc of radius 10.
TEST(LinearShellDecks, StripUnderAnEndMoment)
{
  const Folder straight, arc;
  const Outcome run = run_well(straight, strip + end_moment("set Geometry = linear") + still, linear);
  EXPECT_NEAR(run.history.last("tip.z"), 10. * 100. / (2. * 100.), 1e-6);
  EXPECT_NEAR(run.history.last("tip.x"), 10., 1e-9);
  EXPECT_EQ(run.history.last("newton"), 1.);
  EXPECT_NEAR(run.history.last("skin.director_error"), 1., 1e-6) << "the square of the rotation";
  const History round = run_well(arc, strip + end_moment() + stages(section("load", "set Type = static\nset Increments = 4"))).history;
  EXPECT_NEAR(round.last("tip.z"), 10. * (1. - std::cos(1.)), 0.02);
  EXPECT_NEAR(round.last("tip.x"), 10. * std::sin(1.), 0.02);
}

/// Stress in pictures is that of linear strains: 6 m/t² everywhere, though the end has turned by 1 rad.
TEST(LinearShellDecks, FramesHaveLinearStress)
{
  const Folder folder;
  run_well(folder, strip + end_moment("set Geometry = linear") + still, linear);
  double least = 1e99, most = 0;
  for (const std::string &file : files_of(folder / "results/solution.pvd"))
    if (file.find("00001-parts") != std::string::npos)
    {
      const auto grid = read_grid(file);
      for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      {
        const double stress = grid->GetPointData()->GetArray("von_mises")->GetTuple1(i);
        least = std::min(least, stress);
        most = std::max(most, stress);
      }
    }
  EXPECT_NEAR(least, 6. * 10. / 0.01, 1e-3 * 6000.);
  EXPECT_NEAR(most, 6. * 10. / 0.01, 1e-3 * 6000.);
}

/// However large: directors of linear shells have no bounds.
TEST(LinearShellDecks, LargeRotations)
{
  const auto tip = [](const std::string &moment) {
    const Folder folder;
    const Settings settings = linear + Settings{"Loads/turn/Moment=0, " + moment + ", 0"};
    return run_well(folder, strip + end_moment("set Geometry = linear") + still, settings).history.last("tip.z");
  };
  EXPECT_GT(tip("-20"), 10.);
  EXPECT_NEAR(tip("-20"), 1e4 * tip("-0.002"), 1e-6 * tip("-20"));
}

/// The implicit trapezoidal rule keeps the energy of linear systems; twice the velocity is twice the motion; two ranks are one.
TEST(LinearShellDecks, MotionOnRanks)
{
  const std::string deck = clamped_plate(4) + section("Initial conditions", "set Velocity = 0, 0, 200*x*(1 - x)*y*(1 - y)") +
                           stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 1e-4\nset End time = 0.005") +
                           section("Integrator", "set Scheme = newmark");
  const auto motion = [&](const Settings &settings, const int ranks = 1) {
    const Folder folder;
    return run_well(folder, deck, settings, ranks).history;
  };
  const Settings twice{"Initial conditions/Velocity=0, 0, 400*x*(1 - x)*y*(1 - y)"};
  const History once = motion(linear), doubled = motion(linear + twice), two_ranks = motion(linear, 2), other = motion(twice);
  const double most = largest(once, "middle.z", "fly");
  EXPECT_LT(largest(once, "E_balance_error", "fly"), 1e-9 * once["E_total"].front());
  for (std::size_t i = 0; i < once.rows(); ++i)
  {
    EXPECT_NEAR(doubled["middle.z"][i], 2. * once["middle.z"][i], 1e-8 * most);
    EXPECT_NEAR(two_ranks["middle.z"][i], once["middle.z"][i], 1e-8 * most);
  }
  double difference = 0;
  for (std::size_t i = 0; i < once.rows(); ++i)
    difference = std::max(difference, std::abs(other["middle.z"][i] - doubled["middle.z"][i]));
  EXPECT_GT(difference, 0.1 * most) << "the nonlinear plate moves otherwise";
}

/// Sets and numbers of nodes of a file; a node that is named twice has the force twice.
TEST(LinearShellDecks, ForcesOnNamedNodes)
{
  const Folder folder;
  std::ofstream(folder / "strip.inp") << "*NODE, NSET=ALL\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n4, 0, 1, 0\n5, 1, 1, 0\n6, 2, 1, 0\n"
                                         "*ELEMENT, TYPE=S4, ELSET=SKIN\n1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n*NSET, NSET=ROOT\n1, 4\n"
                                         "*NSET, NSET=TIP\n3, 6\n";
  const std::string deck = "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = strip.inp") +
                           elastic(1.2e6, 0., 1000.) +
                           section("Shells", section("skin", "set Thickness = 0.1\nset Material = stuff\nset Geometry = linear")) +
                           section("Supports", section("root", "set Nodes = ROOT\nset Type = fixed"));
  const auto reaction = [&](const std::string &nodes, const std::string &component) {
    return run_well(folder, deck + load("push", "nodal-force\nset Force = 1, 2, 3\nset Nodes = " + nodes) + still)
        .history.last("root.R_" + component);
  };
  EXPECT_NEAR(reaction("TIP", "z"), -6., 1e-8);
  EXPECT_NEAR(reaction("TIP", "x"), -2., 1e-8);
  EXPECT_NEAR(reaction("3", "z"), -3., 1e-8);
  EXPECT_NEAR(reaction("TIP, 3", "z"), -9., 1e-8);
}

/// Two square plates apart: gravity on the group of one is its weight rho t A g; the other one does not move.
TEST(LinearShellDecks, GravityOfAGroup)
{
  const Folder folder;
  std::ofstream(folder / "two.msh") << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"left\"\n2 2 \"right\"\n"
                                       "$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 3 0 0\n6 4 0 0\n7 4 1 0\n"
                                       "8 3 1 0\n$EndNodes\n$Elements\n2\n1 3 2 1 1 1 2 3 4\n2 3 2 2 2 5 6 7 8\n$EndElements\n";
  std::string deck = "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = two.msh") + elastic(1e8, 0.3, 1000.) +
                     section("Shells", section("skin", "set Thickness = 0.1\nset Material = stuff\nset Geometry = linear")) +
                     node("l", "1, 1, 0") + node("r", "4, 1, 0") +
                     load("weight", "gravity\nset Acceleration = 0, 0, -10\nset Groups = left") + still;
  for (const auto &[name, place] : {std::pair{"a", "0, 0, 0"}, {"b", "0, 1, 0"}, {"c", "3, 0, 0"}, {"d", "3, 1, 0"}})
    deck += section("Supports", section(name, std::string("set Point = ") + place + "\nset Type = fixed"));
  const History history = run_well(folder, deck).history;
  EXPECT_NEAR(history.last("a.R_z") + history.last("b.R_z"), 1000. * 0.1 * 10., 1e-8);
  EXPECT_LT(history.last("l.z"), -1e-2);
  EXPECT_NEAR(history.last("r.z"), 0., 1e-12);
}

TEST(LinearShellDecks, Refused)
{
  const auto refused = [](const std::string &type, const std::string &words) { expect_refused(strip + load("push", type) + still, words); };
  const std::string on_edge = "nodal-force\nset Boundary = x+\n";
  refused("nodal-force\nset Nodes = tip\nset Force = 1, 0, 0", "[Loads/push] Nodes = tip: the surface has no set of nodes 'tip'");
  refused("nodal-force\nset Boundary = x++\nset Force = 1, 0, 0", "the surface has no boundary 'x++'");
  refused("nodal-force\nset Boundary = x+, x+\nset Force = 1, 0, 0", "names 'x+' twice");
  refused("nodal-force\nset Force = 1, 0, 0", "give one of Nodes, Boundary");
  refused("nodal-force\nset Boundary = x+\nset Nodes = a\nset Force = 1, 0, 0", "give one of Nodes, Boundary");
  refused(on_edge, "[Loads/push]: the load has no effect. Give a Force [N] or a Moment [N m]");
  refused(on_edge + "set Force = 0, 0, 0", "every component is zero: the load has no effect");
  refused(on_edge + "set Force = 1, 0", "needs 3 components separated by commas; here are 2");
  refused(on_edge + "set Moment = 0, 0, 0", "Moment = 0, 0, 0: needs three components, not all zero");
  refused(on_edge + "set Moment = 0, 0, 1", "Moment = 0, 0, 1: is about the normal of a shell, which resists no such moment");
  refused(on_edge + "set Force = 1, 0, 0\nset Follower = yes", "Follower = yes: has no effect without a Moment");
  refused(on_edge + "set Moment = 0, 1, 0\nset Follower = yes\nset Geometry = linear", "with Geometry = linear a moment does not turn");
  refused("dead-pressure\nset Pressure = 0", "a pressure of zero has no effect");
  refused("dead-pressure\nset Pressure = 1\nset Groups = wing", "Groups = wing: the mesh has no group 'wing'; there are: shell");
  refused("gravity\nset Acceleration = 0, 0, -9.81\nset Groups = wing", "Groups = wing: the mesh has no group 'wing'; there are: shell");
  expect_refused(strip + stages(section("fly", "set Type = dynamic")) + section("Elements", "set Directors = exact") +
                     section("Time", "set Time step = 0.01\nset End time = 0.01") +
                     section("Integrator", "set Scheme = newmark-constrained"),
                 "[Shells/skin] Geometry = linear: exact directors keep their length in large rotations", linear);
}
}  // namespace symdyn::tests::in_shell_decks
