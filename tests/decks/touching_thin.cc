// Contact of beams beside other things: fields and probes on their axes, obstacles that move, friction, shells.
#include <gtest/gtest.h>

// VTK before the rest: it has macros of its own.
#include "tests/frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/touching_rods.h"

namespace symdyn::tests::in_touching_thin
{
using namespace of_rods;
namespace
{
constexpr double pressed = weight / (2. * radius);  ///< where the rod lies [Pa]

/// A rod between two supports; a ball below its middle comes up.
constexpr double span = 1., rise = 1e-3;
const std::string held =
    "set Structure = discrete\n" +
    section("Points", section("a", "set Position = -0.5, 0, 0\nset Fixed = yes\nset Mass = 1e-9") +
                          section("b", "set Position = 0.5, 0, 0\nset Fixed = yes\nset Free = x\nset Mass = 1e-9")) +
    section("Beams", section("rod", fmt::format("set From = a\nset To = b\nset Type = B32\nset Elements = 40\nset Direction = 0, "
                                                "0, 1\nset Section = circle\nset Size = {}\nset E = {}\nset nu = 0.3\nset "
                                                "Density = 1000\nset Clamped = from, to\nset Geometry = linear",
                                                radius, E))) +
    section("Obstacles", section("ball", fmt::format("set Type = sphere\nset Centre = 0, 0, {}\nset Radius = 0.1\nset Motion = 0, "
                                                     "0, {}",
                                                     -0.1 - radius, rise))) +
    section("Contact", section("push", "set Between = rod, ball\nset Law = linear\nset Stiffness = 1e10")) +
    stages(section("rise", "set Type = static\nset Increments = 5")) + section("Output", "set Write every = never");

/// A rod that lies on a floor and slides along itself.
const std::string sliding =
    "set Structure = discrete\n" + section("Points", "set Gravity = 0, 0, -10\n" + point("a", "0, 0, 0.02") + point("b", "0.6, 0, 0.02")) +
    section("Beams", rod("rod", "a", "b")) +
    section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0, 0\nset Normal = 0, 0, 1")) +
    section("Contact", section("hit", "set Between = rod, floor\nset Friction = 0.3")) +
    section("Initial conditions", "set Velocity = 0.5, 0, 0") + section("Integrator", "set Scheme = discrete-gradient") +
    section("Time", "set Time step = 1e-3\nset End time = 0.22") + section("Output", "set Write every = never");

/// One that falls onto a plate.
const std::string on_a_plate =
    "set Structure = discrete\n" +
    section("Mesh", "set Type = plate\nset Subdivisions = 3, 3\n" + section("plate", "set Corner = 0, 0, 0\nset Size = 0.6, 0.6")) +
    section("Materials", section("rubber", "set Type = linear-elasticity\nset E = 1e7\nset nu = 0.3\nset Density = 1000")) +
    section("Shells", section("skin", "set Material = rubber\nset Thickness = 0.02")) +
    section("Points", point("a", "0.1, 0.12, 0.04") + point("b", "0.52, 0.4, 0.06")) + section("Beams", rod("rod", "a", "b")) +
    section("Contact", section("hit", "set Between = rod, skin\nset Stiffness = 1e8")) +
    section("Initial conditions", "set Velocity = if(z > 0.03, 0.3, 0), 0, if(z > 0.03, -2, 0)") + motion(0.03);
}  // namespace

/// Where the rod lies the pressure is its weight over its width; where it stands free there is a gap.
TEST(BeamContactFields, FramesHaveThePressureOfTheWeight)
{
  const Folder folder;
  const Outcome run = run_text(folder, rod_on_a_floor, {"Output/Write every=4"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_EQ(has(run.log, "rod: axis, radius 0.01 m, width 0.02 m"), "");
  const auto grid = read_grid(files_of(folder / "results/contact.pvd").back());
  const auto value = [&](const char *name, const vtkIdType i) { return grid->GetPointData()->GetArray(name)->GetTuple1(i); };
  int lying = 0, standing = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
    if (const double x = grid->GetPoint(i)[0]; x < 0.3)
    {
      EXPECT_NEAR(value("contact_pressure", i), pressed, 1e-2 * pressed) << x;
      ++lying;
    }
    else if (x > 1.)
    {
      EXPECT_EQ(value("contact_pressure", i), 0.) << x;
      EXPECT_GT(value("contact_gap", i), 0.) << x;
      ++standing;
    }
  EXPECT_GT(lying, 10);
  EXPECT_GT(standing, 10);
}

/// At the middle of a rod above a block, on its axis and within its tube: the gap at the start is known, the pressure comes with the
/// impact.
TEST(BeamContactFields, ProbesStandOnTheAxisOrWithinTheRadius)
{
  const Folder folder;
  const auto probes = [](const std::string &place, const std::string &axis, const std::string &foot) {
    const std::string at = "set Contact = hit\nset Point = " + place;
    return section("Contact probes", section("axis", at + axis) + section("foot", at + foot));
  };
  const std::string deck = on_a_block + probes("0.31, 0.26, ", "0.24", "0.221");
  const History history = run_well(folder, deck).history;
  for (const auto &[probe, aside] : {std::pair{"axis", 1e-9}, {"foot", 4e-5}})  // below the axis, which is aslant
  {
    EXPECT_NEAR(history[fmt::format("{}.contact_gap", probe)].front(), 0.02, aside);
    EXPECT_EQ(history[fmt::format("{}.contact_pressure", probe)].front(), 0.);
    EXPECT_GT(largest(history[fmt::format("{}.contact_pressure", probe)]), 1e3);
  }
  const History lying = run_well(folder, rod_on_a_floor + probes("0.2, 0, ", "0", "-0.01"),
                                 Settings{"Contact probes/axis/Contact=lie", "Contact probes/foot/Contact=lie"})
                            .history;
  for (const char *probe : {"axis", "foot"})
  {
    EXPECT_NEAR(lying.last(fmt::format("{}.contact_pressure", probe)), pressed, 1e-3 * pressed);
    EXPECT_NEAR(lying.last(fmt::format("{}.contact_gap", probe)), -pressed / 1e8, 1e-3 * pressed / 1e8);
  }
  expect_refused(deck, "the place is not on the surface of contact 'hit'", {"Contact probes/foot/Point=0.31, 0.26, 0.2"});
  expect_refused(deck, "Contact = hip: there is no contact 'hip'; the deck has: hit", {"Contact probes/foot/Contact=hip"});
  expect_refused(deck, "Point = 0.31, 0.26: needs 3 coordinates", {"Contact probes/foot/Point=0.31, 0.26"});
}

/// Beside a rod the faces of a block have no points: the fields are those of the rod.
TEST(BeamContactFields, OfTwoRodsThatCrossBothAxesAreDrawn)
{
  const Folder folder;
  ASSERT_EQ(run_text(folder, crossing, {"Output/Write every=5"}).exit_code, 0);
  double above = 0, below = 0;
  for (const std::string &file : files_of(folder / "results/contact.pvd"))
  {
    const auto grid = read_grid(file);
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      if (const double p = grid->GetPointData()->GetArray("contact_pressure")->GetTuple1(i); grid->GetPoint(i)[2] > 0.03)
        above = std::max(above, p);
      else
        below = std::max(below, p);
  }
  EXPECT_GT(above, 300.);
  EXPECT_GT(below, 300.);
}

/// A ball that comes up by `rise` lifts the middle: F = 192 E I w/L³.
TEST(BeamContactFields, AnObstacleThatMovesBendsARod)
{
  const Folder folder;
  const History history = run_well(folder, held).history;
  const double I = M_PI * std::pow(radius, 4) / 4., A = M_PI * radius * radius, G = E / 2.6,
               per_force = span * span * span / (192. * E * I) + span / (4. * 0.9 * G * A);
  const double x = 0.0694318442 * span / 40.,
               before = 0.5 * x * x / (0.1 + radius);  // of the first points beside the middle: they touch late
  const double expected = (rise - before + history.last("push.gap")) / per_force;
  EXPECT_NEAR(history.last("push.force_z"), expected, 1e-2 * expected);
  EXPECT_LT(std::abs(history.last("push.gap")), 0.02 * rise);
  EXPECT_NEAR(history.last("push.force_x"), 0., 1e-6 * expected);
  for (std::size_t row = 1; row < history.rows(); ++row)
    EXPECT_NEAR(history["push.force_z"][row], (rise * double(row) / double(history.rows() - 1) - before) / per_force, 0.01 * expected)
        << "in increments";
  EXPECT_EQ(run_well(folder, held, {"Obstacles/ball/Motion=0, 0, -0.001"}).history.last("push.force_z"), 0.) << "the control";
}

/// v²/(2 mu g) = 0.04167 m.
TEST(BeamContactFields, ARodSlidesAndStops)
{
  const Folder folder;
  constexpr double v = 0.5, mu = 0.3;
  const auto way = [&](const Settings &settings) {
    const History history = run_well(folder, sliding, settings).history;
    const double mass = 1000. * M_PI * 0.02 * 0.02 * 0.6;
    double sum = 0;
    for (std::size_t i = 1; i < history.rows(); ++i)
      sum += 0.5 * (history["time"][i] - history["time"][i - 1]) * (history["P_x"][i] + history["P_x"][i - 1]) / mass;
    EXPECT_LT(largest(history["E_balance_error"]), 1e-8);
    return sum;
  };
  EXPECT_NEAR(way({}), v * v / (2. * mu * gravity), 5e-3 * v * v / (2. * mu * gravity));
  EXPECT_NEAR(way({"Contact/hit/Friction=0"}), v * 0.22, 1e-6) << "the control";
}

TEST(BeamContactFields, ARodThatFallsOntoAPlateKeepsEnergyAndMomenta)
{
  const Folder folder;
  expect_kept(run_well(folder, on_a_plate).history, all_momenta, 1.5);
  expect_kept(run_well(folder, crossing, {"Beams/one/Type=B32"}).history, all_momenta, 1.5);
}

/// Of a structure without cells, too. Where it acts, its columns say how steps resolve it.
TEST(BeamContactFields, AStageLeavesTheContactOut)
{
  const Folder folder;
  const std::string deck = dropped + stages(section("fall", "set Type = dynamic"));
  const History hit = run_well(folder, deck).history, off = run_well(folder, deck, {"Stages/fall/Contact=none"}).history;
  EXPECT_GT(largest(hit["hit.force_z"]), 100.);
  EXPECT_EQ(largest(off["hit.force_z"]), 0.);
  EXPECT_LT(off.last("hit.gap"), -0.03);
  constexpr double layer = 0.1 * M_PI / 4. * 0.04;  // of the area over the width
  EXPECT_NEAR(hit["hit.layers_per_step"].front(), 2e-4 / layer, 1e-6);
  EXPECT_GT(largest(hit["hit.h_omega_c"]), 0.1);
}

/// A body that nothing holds but a contact, which is open.
TEST(BeamContactFields, AnOpenContactHoldsNothing)
{
  const std::string free = dropped.substr(0, dropped.find("subsection Initial conditions")) + stages(section("lie", "set Type = static"));
  expect_refused(free,
                 "Open contacts resist nothing: hit, open by 0.01 m. Lower Clearance by the gap and 1e-7 of a cell, "
                 "with Law = linear or hard, or hold the body by a soft spring",
                 {"Points/b/Position=0.6, 0.1, 0.03"});
}

/// A step that goes through eight layers: the message has one that does not.
TEST(BeamContactFields, AFastRodNeedsASmallerStep)
{
  const Folder folder;
  const Settings fast{"Initial conditions/Velocity=0, 0, -40", "Contact/hit/Layer=1e-3", "Time/End time=6e-4"};
  const Outcome run = run_text(folder, dropped, fast);
  EXPECT_EQ(run.exit_code, 2) << run.terminal;
  EXPECT_EQ(
      has(run.terminal,
          "A step closes the gap by up to 0.008 m, and the layer is 0.001 m thick. Lower \"Time step\" to 2e-06 s, or make Layer thicker, and if that is not "
          "enough, set Contact/hit/Stiffness = 1.81e+09.\n"),
      "")
      << run.terminal;
  run_well(folder, dropped, fast + Settings{"Time/Time step=2e-6"});
  const Outcome soft = run_text(folder, crossing, {"Contact/hit/Stiffness=1e4"});
  EXPECT_EQ(has(soft.terminal, ". If it is too soft, set Contact/hit/Stiffness = 4e+04. Halve \"Time step\"\n"), "")
      << "the control: " << soft.terminal;
}
}  // namespace symdyn::tests::in_touching_thin
