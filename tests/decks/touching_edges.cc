// Contact of beams with edges, corners and thin bodies, and what decks of it must not do.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/touching_rods.h"

namespace symdyn::tests::in_touching_edges
{
using namespace of_rods;
namespace
{
double least(const std::vector<double> &values) { return *std::min_element(values.begin(), values.end()); }

/// A beam of elements far longer than what it meets.
std::string wire(const std::string &from, const std::string &to)
{
  return section("wire", "set From = " + from + "\nset To = " + to +
                             "\nset Elements = 3\nset Direction = 0, 0, 1\nset Section = circle\nset Size = 0.01\nset E = 1e8\nset nu = "
                             "0.3\nset Density = 1000");
}
const std::string rubber =
    section("Materials", section("rubber", "set Type = neo-hooke-log\nset E = 1e7\nset nu = 0.3\nset Density = 1000"));
std::string falls(const double from, const double step, const double end)
{
  return section("Initial conditions", fmt::format("set Velocity = 0, 0, if(z > {}, -2, 0)", from)) +
         section("Integrator", "set Scheme = discrete-gradient") + section("Newton", "set Tolerance = 1e-10") +
         section("Time", fmt::format("set Time step = {}\nset End time = {}", step, end)) + section("Output", "set Write every = never");
}

/// Across a cylinder of facets.
const std::string across_a_cylinder = section("Mesh", "set Dimension = 3\nset Type = rod\nset Subdivisions = 2, 10, 1\n" +
                                                          section("rod", "set Length = 0.04\nset Radius = 0.05")) +
                                      rubber + section("Beams", wire("0.02, -0.101, 0.063", "0.02, 0.799, 0.063")) +
                                      section("Contact", section("hit", "set Between = wire, side")) + falls(0.06, 1e-4, 0.006);

/// Across a column, at this y: its edges have nodes at 0, 0.02, 0.04.
std::string across_a_column(const double y)
{
  return section("Mesh", "set Dimension = 3\nset Type = box\nset Subdivisions = 2, 2, 2\n" + section("box", "set Size = 0.04, 0.04, 0.1")) +
         rubber + section("Beams", wire(fmt::format("-0.085, {}, 0.115", y), fmt::format("0.815, {}, 0.115", y))) +
         section("Contact", section("hit", "set Between = wire, z+")) + falls(0.11, 2e-4, 0.008);
}

/// A rod whose axis is `offset` from its nodes, which stand at x, above a floor. In mm, t, s a director is shorter than all that moves.
std::string beside_its_nodes(const double x)
{
  const auto node = [&](const double at) { return fmt::format("set Position = {}, 0, 0\nset Mass = 1e-15", at); };
  return "set Structure = discrete\n" + section("Points", section("a", node(x - 20.)) + section("b", node(x + 20.))) +
         section("Beams", section("rod",
                                  "set From = a\nset To = b\nset Elements = 2\nset Direction = 0, 0, 1\nset Section = circle\nset "
                                  "Size = 10\nset Offset = -150, 0\nset E = 1e4\nset nu = 0.3\nset Density = 1e-9")) +
         section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, -161\nset Normal = 0, 0, 1")) +
         section("Contact", section("hit", "set Between = rod, floor")) + section("Initial conditions", "set Velocity = 0, 0, -1000") +
         section("Integrator", "set Scheme = discrete-gradient") + section("Time", "set Time step = 1e-5\nset End time = 2e-3") +
         section("Output", "set Write every = never");
}

/// Above a plate 2 mm thick, with a gap of 1 mm.
const std::string above_a_plate =
    "set Structure = discrete\n" +
    section("Mesh", "set Type = plate\nset Subdivisions = 6, 6\n" + section("plate", "set Corner = 0, 0, 0\nset Size = 0.6, 0.6")) +
    section("Materials", section("rubber", "set Type = linear-elasticity\nset E = 1e9\nset nu = 0.3\nset Density = 1000")) +
    section("Shells", section("skin", "set Material = rubber\nset Thickness = 0.002")) +
    section("Points", point("a", "0.1, 0.12, 0.022") + point("b", "0.5, 0.12, 0.022")) + section("Beams", rod("rod", "a", "b")) +
    section("Contact", section("hit", "set Between = rod, skin.top\nset Law = exponential\nset Pressure = 100\nset Distance = 5e-3")) +
    section("Integrator", "set Scheme = newmark") + section("Time", "set Time step = 1e-6\nset End time = 1e-6") +
    section("Output", "set Write every = never");

/// Two rods of two lines of a mesh; the second goes on in this direction.
std::string lines(const std::string &between, const std::string &end, const std::string &size = "0.02")
{
  const auto beam = [](const std::string &group, const std::string &radius_of) {
    return "set Groups = " + group + "\nset Type = B31\nset Direction = 0, 0, 1\nset Section = circle\nset Size = " + radius_of +
           "\nset E = 1e8\nset nu = 0.3\nset Density = 1000";
  };
  return "set Structure = discrete\n" +
         section("Mesh", "set Type = polyline\nset Subdivisions = 4\n" +
                             section("polyline", "set Corners = 0 0 0.03; 0.3 0 0.03; " + end + "\nset Order = 1")) +
         section("Beams", section("rod", beam("segment-1", "0.02")) + section("bar", beam("segment-2", size))) +
         section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, 0\nset Normal = 0, 0, 1")) +
         section("Contact", section("hit", "set Between = " + between)) + section("Integrator", "set Scheme = newmark") +
         section("Time", "set Time step = 1e-5\nset End time = 2e-5") + section("Output", "set Write every = never");
}
}  // namespace

/// Facets turn by 9 degrees where it meets them, and its points are 80 mm apart.
TEST(BeamContact, AWireBouncesOffACylinderBetweenItsPoints)
{
  const Folder folder;
  const History history = run_well(folder, across_a_cylinder).history;
  EXPECT_NEAR(history["hit.gap"].front(), 0.063 - 0.05 - 0.01, 1e-12);
  EXPECT_GT(least(history["hit.gap"]), -1.25e-3) << "the layer";
  EXPECT_GT(largest(history["hit.force_z"]), 100.);
  EXPECT_GT(history.last("hit.gap"), 1e-3) << "it is off again";
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
}

/// Crossings fade at the ends of edges.
TEST(BeamContact, ARodBouncesOffAnEdgeAtItsNode)
{
  const Folder folder;
  for (const double y : {0.02, 0.01, 0.0195, 0.})
  {
    SCOPED_TRACE(y);
    const History history = run_well(folder, across_a_column(y)).history;
    EXPECT_NEAR(history["hit.gap"].front(), 0.005, 1e-12);
    EXPECT_GT(least(history["hit.gap"]), -1.572e-3) << "the layer";
    EXPECT_GT(largest(history["hit.force_z"]), 50.);
    EXPECT_GT(history.last("hit.gap"), 1e-3);
    EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
    for (const std::string &momentum : all_momenta)
      EXPECT_LT(drift(history, momentum, 0.6), 1e-10) << momentum;
  }
}

/// The crossing of two axes alone, whose elements are 0.6 m long and whose tube is 40 mm.
TEST(BeamContact, LongElementsCrossBetweenTheirPoints)
{
  const Folder folder;
  const Settings single{"Beams/one/Elements=1", "Beams/two/Elements=1", "Time/End time=0.02"};
  const History history = run_well(folder, crossing, single).history;
  EXPECT_EQ(largest(history["hit.points"]), 0.);
  EXPECT_GT(largest(history["hit.force_z"]), 10.);
  EXPECT_GT(history.last("hit.gap"), 1e-3);
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-10);
  for (const std::string &momentum : all_momenta)
    EXPECT_LT(drift(history, momentum, 1.5), 1e-10) << momentum;
}

/// Wherever the origin is.
TEST(BeamContact, ARodBesideItsNodesTouches)
{
  const Folder folder;
  const History here = run_well(folder, beside_its_nodes(-20.)).history, there = run_well(folder, beside_its_nodes(1000.)).history;
  EXPECT_GT(largest(there["hit.force_z"]), 1.);
  EXPECT_NEAR(largest(here["hit.force_z"]) / largest(there["hit.force_z"]), 1., 1e-6);
  EXPECT_LT(drift(here, "E_total", here["E_total"].front()), 1e-8);
}

/// p(g) = p_0 exp(-ln(100) g/c_0).
TEST(BeamContact, APlateIsTouchedOnOneFace)
{
  const Folder folder;
  EXPECT_NEAR(run_well(folder, above_a_plate).history["hit.pressure"].front(), 100. * std::pow(100., -0.2), 1e-6);
  expect_refused(above_a_plate, "'skin' is 0.002 m thick at", {"Contact/hit/Between=rod, skin"});
  expect_refused(above_a_plate, "both its faces would press the beam. Name one of them, as skin.top or skin.bottom",
                 {"Contact/hit/Between=rod, skin"});
  run_well(folder, above_a_plate, {"Contact/hit/Between=rod, skin", "Contact/hit/Distance=3e-4"});
}

/// The softest and lightest beam bounds the step, in any order.
TEST(BeamContact, StepsAreThoseOfTheLightestBeam)
{
  for (const char *between : {"rod, bar, floor", "bar, rod, floor", "line, floor"})
    expect_refused(lines(between, "0.6 0 0.03"), "Stiffness = 1e8: h omega_0 = h sqrt(k/rho_A) = 23.5",
                   {"Beams/bar/E=1e7", "Beams/bar/Density=10", "Contact/hit/Stiffness=1e8", "Time/Time step=1e-3", "Time/End time=1e-3"});
  const Folder folder;
  run_well(folder, lines("rod, floor", "0.6 0 0.03"),
           {"Beams/bar/E=1e7", "Beams/bar/Density=10", "Contact/hit/Stiffness=1e8", "Time/Time step=5e-4", "Time/End time=1e-3"});
}

TEST(BeamContact, RefusesWhatCountsTwiceOrNotAtAll)
{
  const std::string straight = "0.6 0 0.03";
  expect_refused(lines("rod, segment-1, floor", straight), "Between = rod, segment-1, floor: 'rod' and 'segment-1' share lines");
  expect_refused(lines("line, floor", straight, "0.015"),
                 "Between = line, floor: 'line' has lines of the beams 'rod' and 'bar', whose sections differ");
  expect_refused(lines("rod, floor", straight), "Start = adjust: adjust is of two boundaries. Move the obstacle",
                 {"Contact/hit/Start=adjust"});
  const std::string column = across_a_column(0.01);
  expect_refused(column, "or give a Clearance of 0.02 m\n", {"Beams/wire/Size=0.035"});
  const Settings roller{"Obstacles/roller/Type=cylinder", "Obstacles/roller/Point=0.02, 0, 0.02", "Obstacles/roller/Axis=0, 1, 0",
                        "Obstacles/roller/Radius=0.02", "Contact/hit/Between=wire, roller"};
  expect_refused(column, "it passes between them. Raise Points, or use more elements", roller);
  const Folder folder;
  const Outcome wide = run_text(folder, column, roller + Settings{"Beams/wire/Elements=8", "Time/End time=4e-4"});
  EXPECT_EQ(wide.exit_code, 0) << wide.terminal;
  EXPECT_EQ(has(wide.terminal, "it sinks in by up to"), "") << wide.terminal;
  const Outcome fine = run_text(folder, column, roller + Settings{"Beams/wire/Elements=20", "Time/End time=4e-4"});
  EXPECT_EQ(fine.terminal.find("it sinks in by up to"), std::string::npos) << "the control: " << fine.terminal;
}

/// Arms of a fork, whose tips come together: their first elements, which overlap at the node of both, do not touch each other.
TEST(BeamContact, BeamsThatMeetAtANodeTouchBeyondIt)
{
  constexpr double square = 0.5 * 0.5 + 0.12 * 0.12, across = 2. * 0.5 * 0.12 / square;  // sine of their angle
  const double element = std::sqrt(square) / 5.;
  const std::string fork =
      "set Structure = discrete\n" + section("Points", point("a", "0, 0, 0") + point("b", "0.5, 0.12, 0") + point("c", "0.5, -0.12, 0")) +
      section("Beams", rod("one", "a", "b") + rod("two", "a", "c")) + section("Contact", section("hit", "set Between = one, two")) +
      section("Initial conditions", "set Velocity = 0, if(y > 0, -4, 4)*x, 0") + motion(0.08);
  const Folder folder;
  const Settings thin{"Beams/one/Size=0.005", "Beams/two/Size=0.005", "Contact/hit/Layer=0.003"};
  const History history = run_well(folder, fork, thin + Settings{"Beams/one/Elements=5", "Beams/two/Elements=5"}).history;
  EXPECT_NEAR(history["hit.gap"].front(), element * across - 0.01, 1e-9) << "of the first element from the second one";
  EXPECT_GT(largest(history["hit.force_y"]), 0.1);
  EXPECT_EQ(history["hit.points"].front(), 0.);
  EXPECT_LT(drift(history, "E_total", history["E_total"].front()), 1e-9);
  for (const std::string &momentum : all_momenta)
    EXPECT_LT(drift(history, momentum, 0.02), 1e-10) << momentum;
  expect_refused(fork, "one and two overlap at the start", thin + Settings{"Beams/one/Elements=60", "Beams/two/Elements=60"});
}

/// Two halves of a straight bar, whose elements end where the tubes of both do: they only touch there, and all of E A delta/L goes through
/// the node.
TEST(BeamContact, HalvesOfABarDoNotPressEachOther)
{
  constexpr double r = 0.01, E = 1e8, delta = 1e-3, exact = E * M_PI * r * r * delta;
  const auto half = [=](const std::string &name, const std::string &to) {
    return section(name,
                   fmt::format("set From = middle\nset To = {}\nset Elements = 25\nset Direction = 0, 0, 1\nset Section = circle\nset "
                               "Size = {}\nset E = {}\nset nu = 0.3\nset Density = 1000\nset Clamped = to",
                               to, r, E));
  };
  const std::string bar =
      "set Structure = discrete\n" +
      section("Points", section("middle", "set Position = 0, 0, 0") + section("left", "set Position = -0.5, 0, 0\nset Fixed = yes") +
                            section("right", fmt::format("set Position = 0.5, 0, 0\nset Fixed = yes\nset Motion = {}, 0, 0", -delta))) +
      section("Beams", half("one", "left") + half("two", "right")) +
      section("Contact", section("hit", "set Between = one, two\nset Law = linear")) +
      stages(section("press", "set Type = static\nset Increments = 2")) + section("Output", "set Write every = never");
  const History history = run_well(Folder(), bar).history;
  EXPECT_EQ(history.last("hit.force_x"), 0.);
  EXPECT_NEAR(std::abs(history.last("right.R_x")), exact, 2e-3 * exact);
}

/// `all` is without beams, which have contacts of their own beside it.
TEST(BeamContact, AllLeavesBeamsToOtherContacts)
{
  const Folder folder;
  run_well(folder, across_a_column(0.01), {"Contact/self/Between=all", "Time/End time=4e-4"});
  write(folder / "deck.prm", across_a_column(0.01) + section("Contact", section("self", "set Between = all")));
  const Outcome check = command(folder, fmt::format("{} check {}", SYMDYN_BINARY, folder / "deck.prm"));
  EXPECT_EQ(has(check.terminal, "beams are no part of `all`"), "") << check.terminal;
  expect_refused(across_a_column(0.01), "`all` is every pair of boundaries", {"Contact/hit/Between=z+, z-", "Contact/self/Between=all"});
}
}  // namespace symdyn::tests::in_touching_edges
