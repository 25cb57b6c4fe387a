// Loads on couplings, beams and shells: moments along axes of *TRANSFORM and with an AMPLITUDE, harmonic loads, gravity of groups that
// overlap; *MPC BEAM between nodes of solids; references of distributing couplings off the plane of their nodes, in rotations of any size.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/compare.h"
#include "tests/inp_model.h"
#include "tests/linear_decks.h"
#include "tests/sweep.h"

namespace symdyn::tests::in_coupling_loads
{
namespace
{
/// A rod of cubes along x whose end follows the node 100; sets REF, TIP.
std::string lid(const std::string &more = "", const std::string &type = "*RIGID BODY, NSET=TIP, REF NODE=100\n")
{
  return rod(4) + "*NODE\n100, 4., 0.5, 0.5\n*NSET, NSET=REF\n100\n" + type + more + "*BOUNDARY\nROOT, 1, 3\n";
}
/// A beam of B31 along x, 2 m, 20 mm x 30 mm, clamped at x = 0; set TIP.
const std::string bar =
    "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 2., 0., 0.\n*ELEMENT, TYPE=B31, ELSET=ARM\n1, 1, 2\n2, 2, 3\n*NSET, NSET=TIP\n3\n"
    "*MATERIAL, NAME=M\n*ELASTIC\n2e11, 0.\n*DENSITY\n8000.\n*BEAM SECTION, ELSET=ARM, MATERIAL=M, SECTION=RECT\n0.02, 0.03\n0., 1., 0.\n"
    "*BOUNDARY\n1, 1, 6\n";
const std::string printed = "*NODE PRINT, NSET=TIP\nU\n";
using Rows = std::vector<std::vector<double>>;
Rows moved(const std::string &tables)
{
  return rows_below(tables.substr(std::min(tables.size(), tables.rfind("displacements"))), "displacements");
}

double largest_of(const Rows &rows)
{
  double most = 0;
  for (const auto &row : rows)
    for (std::size_t d = 1; d < row.size(); ++d)
      most = std::max(most, std::abs(row[d]));
  return most;
}
/// Largest difference of two tables, the second times a factor.
double difference(const Rows &a, const Rows &b, const double factor = 1.)
{
  double most = a.size() == b.size() && !a.empty() ? 0. : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    for (std::size_t d = 1; d < a[i].size(); ++d)
      most = std::max(most, std::abs(a[i][d] - factor * b[i].at(d)));
  return most;
}
/// Axis 1 along y, axis 2 against x.
std::string turned(const std::string &set) { return "*TRANSFORM, NSET=" + set + "\n0., 1., 0., -1., 0., 0.\n"; }
}  // namespace

/// Component 5 of the turned axes is about -x, 4 about y.
TEST(CouplingLoads, MomentsAlongAxes)
{
  const auto straight = moved(tables_of(lid() + static_step("*CLOAD\n100, 4, 2.\n100, 5, 1.\n" + printed))),
             along = moved(tables_of(lid(turned("REF")) + static_step("*CLOAD\n100, 5, -2.\n100, 4, 1.\n" + printed)));
  EXPECT_GT(largest_of(straight), 1e-3);
  EXPECT_LT(difference(straight, along), 1e-10);
  const auto of_beam = moved(tables_of(bar + static_step("*CLOAD\nTIP, 5, 10.\n*NODE PRINT, NSET=TIP\nU\n"))),
             of_turned = moved(tables_of(bar + turned("TIP") + static_step("*CLOAD\nTIP, 4, 10.\n*NODE PRINT, NSET=TIP, GLOBAL=YES\nU\n")));
  EXPECT_GT(largest_of(of_beam), 1e-4);
  EXPECT_LT(difference(of_beam, of_turned), 1e-9 * largest_of(of_beam));
}

/// Tables have seven digits. A static step has the last value of the table; in a dynamic one the moment follows it: a table of 2 is a
/// moment twice as large.
TEST(CouplingLoads, MomentsWithAnAmplitude)
{
  const auto table = [](const double start, const double end) { return fmt::format("*AMPLITUDE, NAME=A\n0., {}, 1., {}\n", start, end); };
  const std::string dynamic = "*STEP, INC=1000\n*DYNAMIC, DIRECT\n0.01, 0.2\n", end = printed + "*END STEP\n";
  for (const auto &[model, node] : {std::pair{lid(), "100"}, {bar, "TIP"}})
  {
    const std::string with = "*CLOAD, AMPLITUDE=A\n" + std::string(node) + ", 5, 3.\n",
                      plain = "*CLOAD\n" + std::string(node) + ", 5, 3.\n";
    const auto still = moved(tables_of(model + static_step(plain + printed))),
               half = moved(tables_of(model + table(0., 0.5) + static_step(with + printed)));
    EXPECT_LT(difference(half, still, 0.5), 2e-6 * largest_of(still)) << node;
    const auto once = moved(tables_of(model + dynamic + plain + end)),
               twice = moved(tables_of(model + table(2., 2.) + dynamic + with + end)),
               ramp = moved(tables_of(model + table(0., 1.) + dynamic + with + end));
    EXPECT_GT(largest_of(once), 1e-6) << node;
    EXPECT_LT(difference(twice, once, 2.), 4e-6 * largest_of(once)) << node;
    EXPECT_GT(difference(ramp, once), 0.1 * largest_of(once)) << node << " negative control";
  }
}

/// A lid with a mass off its axis on a soft block, shaken by a force and a moment: direct sweeps and those of all modes are one.
TEST(CouplingLoads, HarmonicDirectIsModal)
{
  const std::string deck = section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 2\n" + section("box", "set Size = 1, 1, 2")) +
                           elastic(1e6, 0.3, 1000.) + section("Supports", section("ground", "set Boundary = z-")) +
                           section("Points", section("eye", "set Position = 0.7, 0.5, 2.2\nset Mass = 300")) +
                           section("Couplings", section("lid", "set At = eye\nset Boundaries = z+\nset Geometry = linear")) +
                           section("Forces", section("push", "set Points = eye\nset Force = 10, 0, 3")) +
                           section("Moments", section("twist", "set At = eye\nset Moment = 0, 0, 20\nset Geometry = linear"));
  const std::string range = "\nset Structural damping = 0.02\nset Frequencies = 1, 8\nset Points = 8";
  const Sweep direct(deck, "set Method = direct" + range), modal(deck, "set Method = modal\nset Modes = 20" + range);
  double largest = 0;
  for (std::size_t i = 0; i < direct.points(); ++i)
    largest = std::max(largest, std::abs(direct.value("eye.x", i)));
  for (const char *column : {"eye.x", "eye.y", "eye.z"})
    for (std::size_t i = 0; i < direct.points(); ++i)
      EXPECT_LT(std::abs(direct.value(column, i) - modal.value(column, i)), 1e-4 * largest) << column << i;
  EXPECT_GT(largest, 1e-6);
}

/// Elements that two groups of one load have weigh once; those that two loads have, twice.
TEST(CouplingLoads, GravityOfGroupsThatOverlap)
{
  const auto weight = [](const std::string &loads) {
    const Folder folder;
    write_file(folder, "two.inp",
               "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 2., 0., 0.\n4, 0., 1., 0.\n5, 1., 1., 0.\n6, 2., 1., 0.\n"
               "*ELEMENT, TYPE=S4, ELSET=BOTH\n1, 1, 2, 5, 4\n2, 2, 3, 6, 5\n*ELSET, ELSET=LEFT\n1\n*NSET, NSET=ALL\n1, 2, 3, 4, 5, 6\n");
    return run_well(folder,
                    "set Structure = discrete\n" + section("Mesh", "set Type = file\nset File = two.inp") + elastic(1e8, 0.3, 1000.) +
                        section("Shells",
                                section("skin", "set Groups = BOTH\nset Thickness = 0.1\nset Material = stuff\nset Geometry = linear")) +
                        section("Supports", section("all", "set Nodes = 1, 2, 3, 4, 5, 6")) + section("Loads", loads) +
                        stages(section("load", "set Type = static")))
        .history.last("all.R_z");
  };
  const auto gravity = [](const std::string &name, const std::string &groups) {
    return section(name, "set Type = gravity\nset Acceleration = 0, 0, -10\n" + (groups.empty() ? "" : "set Groups = " + groups));
  };
  EXPECT_NEAR(weight(gravity("g", "")), 2000., 1e-8);
  EXPECT_NEAR(weight(gravity("g", "LEFT")), 1000., 1e-8);
  EXPECT_NEAR(weight(gravity("g", "LEFT, BOTH")), 2000., 1e-8);
  EXPECT_NEAR(weight(gravity("g", "LEFT") + gravity("h", "BOTH")), 3000., 1e-8);
}

/// *MPC BEAM between nodes of two rods keeps their distance in a linear step, as in CalculiX; chains of them, too. Across nothing holds
/// them.
TEST(CouplingLoads, BeamBetweenSolids)
{
  const std::string two = rod(2) +
                          "*NODE\n101, 4., 0., 0.\n102, 4., 1., 0.\n103, 4., 1., 1.\n104, 4., 0., 1.\n105, 5., 0., 0.\n106, 5., 1., 0.\n"
                          "107, 5., 1., 1.\n108, 5., 0., 1.\n*ELEMENT, TYPE=C3D8, ELSET=BODY\n101, 101, 102, 103, 104, 105, 106, 107, 108\n"
                          "*BOUNDARY\nROOT, 1, 3\n105, 1, 3\n106, 1, 3\n107, 1, 3\n108, 1, 3\n",
                    print = "*NSET, NSET=ENDS\n9, 101\n", load = "*CLOAD\n9, 1, 10.\n9, 2, 1.\n*NODE PRINT, NSET=ENDS\nU\n";
  const auto joined = moved(tables_of(two + print + "*MPC\nBEAM, 9, 101\n" + static_step(load))),
             apart = moved(tables_of(two + print + static_step(load)));
  ASSERT_EQ(joined.size(), 2u);
  EXPECT_NEAR(joined[0].at(1), joined[1].at(1), 1e-12);
  EXPECT_GT(joined[0].at(1), 1e-3);
  EXPECT_GT(std::abs(joined[0].at(2) - joined[1].at(2)), 1e-4) << "across";
  EXPECT_GT(std::abs(apart[0].at(1) - apart[1].at(1)), 1e-3) << "negative control";
  const auto chain = moved(tables_of(two + print + "*MPC\nBEAM, 9, 101\nBEAM, 101, 10\n" + static_step(load)));
  EXPECT_NEAR(chain[0].at(1), chain[1].at(1), 1e-12);
  const std::string refused = refusal_of(two + print + "*MPC\nBEAM, 9, 101\n" + static_step(load, ", NLGEOM"));
  EXPECT_NE(refused.find("keeps their distance, which is no linear equation under NLGEOM"), std::string::npos) << refused;
}

/// A chain of *MPC BEAM: a node of a beam leads one node, and that another, in large rotations.
TEST(CouplingLoads, ChainOfBeams)
{
  const std::string far = "*NODE\n4, 2., 0.5, 0.\n5, 2.5, 0.5, 0.\n*NSET, NSET=END\n5\n", print = "*NODE PRINT, NSET=END\nU\n";
  const std::string chain = "*MPC\nBEAM, 4, 3\nBEAM, 5, 4\n", once = "*MPC\nBEAM, 4, 3\nBEAM, 5, 3\n";
  for (const std::string options : {"", ", NLGEOM, INC=50"})
  {
    const std::string step = static_step("*CLOAD\n5, 2, 300.\n" + print, options);
    const auto one = moved(tables_of(bar + far + chain + step)), other = moved(tables_of(bar + far + once + step));
    EXPECT_GT(largest_of(one), 0.05) << options;
    EXPECT_LT(difference(one, other), 1e-6 * largest_of(other)) << options;
  }
}
}  // namespace symdyn::tests::in_coupling_loads

// References of distributing couplings off the plane of their nodes, in rotations of any size.
namespace symdyn::tests::in_off_plane
{
namespace
{
constexpr double E = 1e9;
/// A square bar of 1 m x 1 m x 4 m along z, clamped at z = 0.
const std::string bar =
    section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 4\nset Order = 2\n" + section("box", "set Size = 1, 1, 4")) +
    elastic(E, 0., 1000., "st-venant-kirchhoff") + section("Supports", section("ground", "set Boundary = z-"));
/// A stiff cube of 1 m that nothing holds.
const std::string cube = section("Mesh", "set Type = box\nset Subdivisions = 1, 1, 1") + elastic(1e7, 0.3, 1000., "st-venant-kirchhoff");
std::string eye(const std::string &place, const std::string &more = "")
{
  return section("Points", section("eye", "set Position = " + place + "\n" + more));
}
std::string lid(const std::string &type, const std::string &more = "")
{
  return section("Couplings", section("lid", "set At = eye\nset Boundaries = z+\nset Type = " + type + "\n" + more));
}
std::string pushed(const std::string &force) { return section("Forces", section("push", "set Points = eye\nset Force = " + force)); }
const std::string still = stages(section("load", "set Type = static\nset Increments = 4"));
std::string moving(const double h, const double end)
{
  return section("Integrator", "set Scheme = newmark") + section("Time", fmt::format("set Time step = {}\nset End time = {}", h, end));
}
}  // namespace

/// A free cube turns by 1.5 rad about y: a reference 2 m above its lid moves on a circle, with its velocity.
TEST(OffPlane, MovesWithTheBody)
{
  const Folder folder;
  const History history =
      run_well(folder, cube + eye("0.5, 0.5, 3") + lid("distributing") +
                           section("Initial conditions", "set Velocity = 3*(z-0.5), 0, -3*(x-0.5)") + moving(0.002, 0.5))
          .history;
  const double s = std::sin(1.5), c = std::cos(1.5);
  EXPECT_NEAR(history.last("eye.x"), 0.5 + 2.5 * s, 0.01);
  EXPECT_NEAR(history.last("eye.z"), 0.5 + 2.5 * c, 0.01);
  EXPECT_NEAR(history.last("eye.y"), 0.5, 1e-9);
  EXPECT_NEAR(history.last("lid.rot_y"), 1.5, 5e-3);
  const auto &x = history["eye.x"], &t = history["time"];
  const std::size_t n = x.size() - 2;
  EXPECT_NEAR(history["eye.v_x"][n], (x[n + 1] - x[n - 1]) / (t[n + 1] - t[n - 1]), 5e-3);
}

/// A force 2 m beyond a bar that bends by a third of its length does what it does on a rigid arm; without the arm it does less. About the
/// reference it has no moment.
TEST(OffPlane, ForceOnAnArm)
{
  const Folder folder;
  const std::string force = pushed("4e6, 0, -2e6");
  const Outcome run = run_well(folder, bar + eye("0.5, 0.5, 6") + lid("distributing") + force + still);
  const History &history = run.history, stiff = run_well(folder, bar + eye("0.5, 0.5, 6") + lid("rigid") + force + still).history,
                near = run_well(folder, bar + eye("0.5, 0.5, 4") + lid("distributing") + force + still).history;
  const double moved = stiff.last("eye.x") - 0.5;
  EXPECT_GT(moved, 2.);
  EXPECT_NEAR(history.last("eye.x") - 0.5, moved, 1e-2 * moved);
  EXPECT_NEAR(history.last("eye.z"), stiff.last("eye.z"), 1e-2 * moved);
  EXPECT_NEAR(history.last("lid.rot_y"), stiff.last("lid.rot_y"), 0.03);
  EXPECT_LT(near.last("lid.rot_y"), 0.8 * stiff.last("lid.rot_y")) << "negative control";
  EXPECT_NEAR(history.last("lid.F_x"), 4e6, 1.);
  EXPECT_NEAR(history.last("lid.M_y"), 0., 1e-6 * 4e6);
  EXPECT_NEAR(history.last("ground.R_x"), -4e6, 1.);
  EXPECT_LT(run.summary["newton iterations"].get<int>(), 28) << "4 increments";
}

/// The work of the force is that on the way of the reference, but for the rule by which a step counts it: the force is the gradient of F·x.
TEST(OffPlane, WorkIsThatOnItsWay)
{
  const Folder folder;
  const History history =
      run_well(folder, bar + eye("0.5, 0.5, 6") + lid("distributing") + pushed("1e5, 2e4, -5e4") + moving(0.004, 0.2)).history;
  const double work = 1e5 * (history.last("eye.x") - 0.5) + 2e4 * (history.last("eye.y") - 0.5) - 5e4 * (history.last("eye.z") - 6.);
  EXPECT_GT(work, 1e3);
  EXPECT_NEAR(history.last("W_external"), work, 1e-4 * work);
}

TEST(OffPlane, OnRanks)
{
  const Folder one, three;
  const std::string deck = bar + eye("0.5, 0.5, 6") + lid("distributing") + pushed("4e6, 1e6, -2e6") +
                           section("Moments", section("turn", "set At = eye\nset Moment = 0, 1e5, 2e5")) + still;
  const History a = run_well(one, deck).history, b = run_well(three, deck, {}, 3).history;
  for (const char *column : {"eye.x", "eye.z", "lid.F_x", "lid.M_y", "lid.rot_y", "ground.R_z"})
    EXPECT_NEAR(a.last(column), b.last(column), 1e-9 * (1. + std::abs(a.last(column)))) << column;
}

/// Forces and moments alone act there.
TEST(OffPlane, OtherPartsAreRefused)
{
  const auto refused = [](const std::string &more, const std::string &words, const std::string &of_point = "") {
    expect_refused(bar + eye("0.5, 0.5, 6", of_point) + lid("distributing") + more + still, words);
  };
  refused("", "[Points/eye]: the point has a Mass. It is the reference of a distributing coupling", "set Mass = 1");
  refused("", "the point has a support", "set Fixed = yes");
  refused(section("Springs", section("wire", "set From = eye\nset To = ground\nset Anchor = 0, 0, 9\nset Stiffness = 1")),
          "the point has springs, bars, potentials or dashpots");
  refused(section("Equations", section("one", "set Displacements = eye.x, eye.y\nset Factors = 1, 1")), "the point has Equations");
  refused(section("Beams", section("pole",
                                   "set From = eye\nset To = 2, 0.5, 6\nset Direction = 0, 0, 1\nset Size = 0.1, 0.1\nset E = 1e9\nset nu "
                                   "= 0\nset Density = 1000")),
          "a beam or shell ends there, off the plane of the nodes");
  expect_refused(bar + section("Couplings", section("lid", "set At = 0.5, 0.5, 3\nset Boundaries = z+\nset Type = distributing")) + still,
                 "a node of cells stands there, off the plane of the nodes");
}

/// The nodes alone move such a reference: what the deck gives must be that. Of a cube that turns about y the arm has the velocity 7.5 m/s.
TEST(OffPlane, VelocityIsThatOfTheNodes)
{
  const Folder folder;
  const auto deck = [](const std::string &place, const std::string &velocity) {
    return cube + eye(place, "set Velocity = " + velocity) + lid("distributing") +
           section("Initial conditions", "set Velocity = 3*(z-0.5), 0, -3*(x-0.5)") + moving(0.002, 0.004);
  };
  EXPECT_NEAR(run_well(folder, deck("0.5, 0.5, 3", "7.5, 0, 0")).history["eye.v_x"].front(), 7.5, 1e-9);
  expect_refused(deck("0.5, 0.5, 3", "7.6, 0, 0"),
                 "[Points/eye]: Velocity = 7.6, 0, 0: the point is the reference of a distributing coupling");
  expect_refused(deck("0.5, 0.5, 1", "1, 0, 0"), "here with (1.5, 0, ");
  EXPECT_NEAR(run_well(folder, deck("0.5, 0.5, 1", "0, 0, 0")).history["eye.v_x"].front(), 1.5, 1e-9) << "in the plane, not given";
}

/// *COUPLING with *DISTRIBUTING under NLGEOM: the same answer as the deck's.
TEST(OffPlane, OfAnInpFile)
{
  const auto tip = [](const std::string &z) {
    const std::string tables =
        tables_of(rod(4) + "*NODE\n100, " + z + ", 0.5, 0.5\n*NSET, NSET=REF\n100\n*SURFACE, NAME=END\n4, S2\n" +
                  "*COUPLING, REF NODE=100, SURFACE=END, CONSTRAINT NAME=lid\n*DISTRIBUTING\n1, 3\n*BOUNDARY\nROOT, 1, 3\n" +
                  static_step("*CLOAD\n100, 2, 1.5\n*NODE PRINT, NSET=REF\nU\n*NODE PRINT, NSET=TIP\nU\n", ", NLGEOM"));
    const auto of_reference = rows_below(tables, "displacements"),
               face = rows_below(tables.substr(tables.rfind("displacements")), "displacements");
    return std::pair{of_reference.at(0).at(2), face.at(0).at(2)};
  };
  const auto [far, face] = tip("6.");
  const auto [near, of_near] = tip("4.");
  EXPECT_GT(face, 1.2 * of_near) << "the moment of the arm bends it";
  EXPECT_GT(far, 1.3 * face) << "it is the arm's end that is printed";
  EXPECT_NEAR(near, of_near, 0.1 * of_near);
}
}  // namespace symdyn::tests::in_off_plane
