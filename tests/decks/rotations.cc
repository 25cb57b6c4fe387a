// Rotations of nodes that are held or prescribed: Rotations, Supports/Rotation, Couplings/Rotation, components 4 to 6 of *BOUNDARY.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "tests/compare.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_rotations
{
namespace
{
const std::string still = stages(section("load", "set Type = static"));
constexpr double E = 2e11, a = 0.02, b = 0.03, A = a * b, about_y = a * b * b * b / 12., about_z = b * a * a * a / 12., L = 2.;

/// A beam of 2 m along x, 20 mm along y and 30 mm along z, nu = 0, whose root has a place.
std::string cantilever(const std::string &clamped, const std::string &more,
                       const std::string &directors = "set Director stiffness = 1000\n")
{
  return "set Structure = discrete\n" +
         section("Points", "set Dimension = 3\n" + section("root", "set Position = 0, 0, 0\nset Fixed = yes") +
                               section("tip", "set Position = 2, 0, 0")) +
         section("Beams", section("arm",
                                  "set From = root\nset To = tip\nset Elements = 8\nset Direction = 0, 1, 0\nset Size = 0.02, 0.03\n"
                                  "set E = 2e11\nset Density = 8000\n" +
                                      directors + clamped)) +
         more;
}
const std::string clamped = "set Clamped = from\n";
std::string rotation(const std::string &at, const std::string &components, const std::string &more = "")
{
  return section("Rotations", section("turn", "set At = " + at + "\nset Rotation = " + components + "\n" + more));
}
std::string push(const std::string &F) { return section("Forces", section("push", "set Points = tip\nset Force = " + F)); }

/// A strip of S4 along x, 2 m, clamped at x = 0, nu = 0; sets RIGHT, TIP.
std::string strip(const int n)
{
  std::string nodes = "*NODE\n", elements = "*ELEMENT, TYPE=S4, ELSET=SKIN\n";
  for (int i = 0; i <= n; ++i)
    nodes += fmt::format("{}, {:.15g}, 0., 0.\n{}, {:.15g}, 0.5, 0.\n", 2 * i + 1, 2. * i / n, 2 * i + 2, 2. * i / n);
  for (int i = 0; i < n; ++i)
    elements += fmt::format("{}, {}, {}, {}, {}\n", i + 1, 2 * i + 1, 2 * i + 3, 2 * i + 4, 2 * i + 2);
  return nodes + elements + fmt::format("*NSET, NSET=RIGHT\n{}, {}\n*NSET, NSET=TIP\n{}\n", 2 * n + 1, 2 * n + 2, 2 * n + 1) +
         "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.\n*SHELL SECTION, ELSET=SKIN, MATERIAL=M\n0.01\n*BOUNDARY\n1, 1, 6\n2, 1, 6\n";
}
/// The cantilever with elements B31; sets ROOT, TIP.
std::string bar(const int n)
{
  std::string nodes = "*NODE\n", elements = "*ELEMENT, TYPE=B31, ELSET=ARM\n";
  for (int i = 0; i <= n; ++i)
    nodes += fmt::format("{}, {:.15g}, 0., 0.\n", i + 1, L * i / n);
  for (int i = 1; i <= n; ++i)
    elements += fmt::format("{}, {}, {}\n", i, i, i + 1);
  return nodes + elements + fmt::format("*NSET, NSET=ROOT\n1\n*NSET, NSET=TIP\n{}\n", n + 1) +
         "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.\n*DENSITY\n8000.\n*BEAM SECTION, ELSET=ARM, MATERIAL=M, SECTION=RECT\n0.02, 0.03\n0., 1., 0.\n";
}
std::vector<double> tip_of(const std::string &tables)
{
  const auto rows = rows_below(tables.substr(tables.rfind("displacements")), "displacements");
  return rows.empty() ? std::vector<double>(4, NAN) : rows.front();
}
const std::string printed = "*NODE PRINT, NSET=TIP\nU\n";
}  // namespace

/// The tip is guided about y, about z, or about both: P L³/12 E I or P L³/3 E I, and shear.
TEST(Rotations, HeldOneTwoOrThree)
{
  const double shear = L / (5. / 6. * E / 2. * A), free_z = L * L * L / (3. * E * about_y) + shear,
               guided_z = L * L * L / (12. * E * about_y) + shear, free_y = L * L * L / (3. * E * about_z) + shear,
               guided_y = L * L * L / (12. * E * about_z) + shear;
  struct Case
  {
    std::string rotation;
    double u_y, u_z;
    bool twists;
  };
  for (const Case &one : {Case{"free, 0, free", free_y, guided_z, true}, Case{"free, free, 0", guided_y, free_z, true},
                          Case{"0, free, free", free_y, free_z, false}, Case{"free, 0, 0", guided_y, guided_z, true},
                          Case{"0, 0, free", free_y, guided_z, false}, Case{"0, free, 0", guided_y, free_z, false},
                          Case{"0, 0, 0", guided_y, guided_z, false}})
  {
    const Folder folder;
    const std::string torque =
        one.twists ? section("Moments", section("twist", "set At = tip\nset Moment = 0.01, 0, 0\nset Geometry = linear")) : "";
    const History history =
        run_well(folder, cantilever(clamped + "set Geometry = linear\n",
                                    rotation("tip", one.rotation, "set Geometry = linear") + push("0, 0.01, 0.02") + torque) +
                             still)
            .history;
    EXPECT_NEAR(history.last("tip.y"), 0.01 * one.u_y, 1e-5 * 0.01 * one.u_y) << one.rotation;
    EXPECT_NEAR(history.last("tip.z"), 0.02 * one.u_z, 1e-5 * 0.02 * one.u_z) << one.rotation;
    EXPECT_EQ(std::abs(history.last("tip.rot_x")) > 1e-7, one.twists) << one.rotation;
  }
}

/// A root that turns by any angle takes the beam with it, without strain; with its exact rates in time.
TEST(Rotations, RootOfABeamTurns)
{
  const Folder folder, in_time, exact;
  const History turned =
      run_well(folder, cantilever("", rotation("root", "0, 3, 0")) + stages(section("turn", "set Type = static\nset Increments = 10")))
          .history;
  EXPECT_NEAR(turned.last("tip.x"), L * std::cos(3.), 1e-9);
  EXPECT_NEAR(turned.last("tip.z"), -L * std::sin(3.), 1e-9);
  EXPECT_NEAR(turned.last("root.rot_y"), 3., 1e-12);
  EXPECT_LT(std::abs(turned.last("E_potential")), 1e-8);
  const std::string spin = rotation("root", "0, 5*t, 0") + stages(section("spin", "set Type = dynamic")) +
                           section("Initial conditions", "set Velocity = 5*z, 0, -5*x") + section("Output", "set Write every = never");
  const double kinetic = 0.5 * 25. * (8000. * A * L * L * L / 3. + 8000. * about_y * L);
  for (const auto &[run, arm, settings] :
       {std::tuple{&in_time, cantilever("", spin), Settings{"Integrator/Scheme=newmark"}},
        {&exact, cantilever("", spin, ""), Settings{"Integrator/Scheme=newmark-constrained", "Elements/Directors=exact"}}})
  {
    const History history = run_well(*run, arm, settings + Settings{"Time/Time step=0.002", "Time/End time=0.4"}).history;
    EXPECT_NEAR(history["E_kinetic"].front(), kinetic, 2e-3 * kinetic);
    EXPECT_NEAR(history.last("tip.x"), L * std::cos(2.), 2e-3) << settings.front();
    EXPECT_NEAR(history.last("tip.z"), -L * std::sin(2.), 2e-3) << settings.front();
    EXPECT_LT(history.last("arm.director_error"), 1e-3);
  }
}

/// One rotation prescribed bends the beam into an arc, also by a large angle; of small ones w = theta L/2.
TEST(Rotations, OneAloneMoves)
{
  const Folder large, small;
  const History arc = run_well(large, cantilever(clamped, rotation("tip", "free, 1, free")) +
                                          stages(section("bend", "set Type = static\nset Increments = 5")))
                          .history;
  EXPECT_NEAR(arc.last("tip.rot_y"), 1., 1e-4);
  EXPECT_NEAR(arc.last("tip.x"), L * std::sin(1.), 2e-4);
  EXPECT_NEAR(arc.last("tip.z"), -L * (1. - std::cos(1.)), 2e-4);
  const History slope =
      run_well(small, cantilever(clamped + "set Geometry = linear\n", rotation("tip", "free, 1, free", "set Geometry = linear")) + still)
          .history;
  EXPECT_NEAR(slope.last("tip.z"), -0.5 * L, 1e-6);
  EXPECT_NEAR(slope.last("tip.x"), L, 1e-9);
  EXPECT_NEAR(slope.last("tip.rot_y"), 1., 1e-9);
}

/// Components 4 to 6 of *BOUNDARY: values in large rotations, with an AMPLITUDE, along axes of *TRANSFORM, one alone.
TEST(Rotations, BoundaryOfBeamsAndShells)
{
  const auto arc =
      tip_of(tables_of(strip(16) + static_step("*BOUNDARY\nRIGHT, 5, 5, 1.\nRIGHT, 4, 4\nRIGHT, 6, 6\n" + printed, ", NLGEOM, INC=50")));
  EXPECT_NEAR(arc.at(1), 2. * std::sin(1.) - 2., 3e-3);
  EXPECT_NEAR(arc.at(3), -2. * (1. - std::cos(1.)), 3e-3);
  const auto turned = tip_of(
      tables_of(bar(4) + static_step("*BOUNDARY\nROOT, 1, 3\nROOT, 4, 4\nROOT, 5, 5, 1.2\nROOT, 6, 6\n" + printed, ", NLGEOM, INC=50")));
  EXPECT_NEAR(turned.at(1), L * std::cos(1.2) - L, 1e-6);
  EXPECT_NEAR(turned.at(3), -L * std::sin(1.2), 1e-6);
  const std::string held = "*BOUNDARY\nROOT, 1, 6\n";
  const auto one = tip_of(tables_of(bar(4) + held + static_step("*BOUNDARY\nTIP, 5, 5, 0.01\n" + printed)));
  EXPECT_NEAR(one.at(3), -0.01 * L / 2., 1e-9);
  const auto along = tip_of(
      tables_of(bar(4) + "*TRANSFORM, NSET=TIP\n0., 1., 0., -1., 0., 0.\n" + held + static_step("*BOUNDARY\nTIP, 4, 4, 0.01\n" + printed)));
  EXPECT_NEAR(std::hypot(along.at(1), along.at(2), along.at(3)), 0.01 * L / 2., 1e-9) << "4 of the axes is y";
  const std::string ramp = "*AMPLITUDE, NAME=RAMP\n0., 0., 0.1, 1., 1., 1.\n";
  const auto moved = tip_of(tables_of(
      bar(2) + ramp +
      "*STEP, NLGEOM, INC=1000\n*DYNAMIC, DIRECT\n0.01, 0.1\n*BOUNDARY\nROOT, 1, 3\n*BOUNDARY, AMPLITUDE=RAMP\nROOT, 5, 5, 0.5\n" +
      "*BOUNDARY\nROOT, 4, 4\nROOT, 6, 6\n*NODE PRINT, NSET=TIP, FREQUENCY=1\nU\n*END STEP\n"));
  EXPECT_LT(moved.at(3), -0.3) << "the root turns";
}

/// One rotation of the reference of a coupling: a twist that holds no other, as with all three.
TEST(Rotations, OneOfAReference)
{
  const std::string
      rigid = rod(4) +
              "*NODE\n100, 4., 0.5, 0.5\n101, 4., 0.5, 0.5\n*RIGID BODY, NSET=TIP, REF NODE=100, ROT NODE=101\n*BOUNDARY\nROOT, 1, 3\n",
      table = "*NODE PRINT, NSET=TIP\nU\n";
  for (const std::string options : {"", ", NLGEOM"})
  {
    const auto alone = tip_of(tables_of(rigid + static_step("*BOUNDARY\n101, 1, 1, 0.3\n" + table, options))),
               all = tip_of(tables_of(rigid + "*BOUNDARY\n101, 2, 3\n" + static_step("*BOUNDARY\n101, 1, 1, 0.3\n" + table, options)));
    for (int d = 1; d < 4; ++d)
      EXPECT_NEAR(alone.at(d), all.at(d), 2e-4 * std::abs(all.at(2))) << options << d;
    EXPECT_GT(std::abs(all.at(2)), 0.1);
  }
}

TEST(Rotations, AMotionOfTimeNeedsADuration)
{
  const Folder folder;
  const auto said = [&](const std::string &stage) {
    const std::string deck = cantilever(clamped, rotation("tip", "0, 0.1*t, 0"));
    return run_well(folder, deck + stages(section("turn", "set Type = static" + stage)), {}).terminal;
  };
  EXPECT_NE(said("").find("set Duration"), std::string::npos);
  EXPECT_EQ(said("\nset Duration = 1").find("set Duration"), std::string::npos);
}

TEST(Rotations, Refused)
{
  const auto refused = [](const std::string &ends, const std::string &more, const std::string &words) {
    expect_refused(cantilever(ends, more) + push("0, 0, 1") + still, words);
  };
  refused(clamped, rotation("tip", "0, 0"), "[Rotations/turn] Rotation = 0, 0: needs three items");
  refused(clamped, rotation("tip", "free, free, free"), "every component is free");
  refused(clamped, rotation("tip", "0, 1, free"), "prescribes a rotation about two axes, which is defined in small rotations alone");
  refused(clamped, rotation("tip", "free, 2, free"), "prescribes 2 rad about one axis alone, which is defined below pi/2");
  refused(clamped, rotation("tip", "0, x, 0"), "depends on t alone");
  refused(clamped, rotation("root", "0, 0, 0"), "the rotation of this node is held by");
  refused(clamped, rotation("tip", "0, 0, 0") + section("Rotations", section("again", "set At = tip\nset Rotation = free, 0, free")),
          "Keep one of both");
  refused(clamped, rotation("5, 5, 5", "0, 0, 0"), "[Rotations/turn] At = 5, 5, 5: nothing turns there");
  refused(clamped, section("Rotations", section("none", "set At = tip")), "the rotation has no Rotation");
  const std::string exact = cantilever(clamped, rotation("tip", "free, 0, free"), "") + push("0, 0, 1*t") +
                            section("Elements", "set Directors = exact") + stages(section("fly", "set Type = dynamic")) +
                            section("Time", "set Time step = 1e-4\nset End time = 1e-3") +
                            section("Integrator", "set Scheme = newmark-constrained");
  expect_refused(exact, "holds one rotation, for which directors are elastic");
}
}  // namespace symdyn::tests::in_rotations
