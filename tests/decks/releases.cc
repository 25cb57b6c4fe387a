// Hinges at ends of beams: Release at From, Release at To, Releases.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "tests/compare.h"
#include "tests/linear_decks.h"

namespace symdyn::tests::in_releases
{
namespace
{
const std::string still = stages(section("load", "set Type = static"));

std::string point(const std::string &name, const std::string &X, const std::string &more = "")
{
  return section(name, "set Position = " + X + "\n" + more);
}
std::string held_point(const std::string &name, const std::string &X) { return point(name, X, "set Fixed = yes"); }
std::string points(const std::string &all) { return "set Structure = discrete\n" + section("Points", "set Dimension = 3\n" + all); }
std::string force(const std::string &at, const std::string &F)
{
  return section("Forces", section("push", "set Points = " + at + "\nset Force = " + F));
}
std::string moment(const std::string &at, const std::string &M)
{
  return section("Moments", section("twist", "set At = " + at + "\nset Moment = " + M));
}

/// 20 mm along y (axis 1) and 30 mm across it; slender, nu = 0.
constexpr double E = 2e11, rho = 8000., a = 0.02, b = 0.03, A = a * b, about_y = a * b * b * b / 12., about_other = b * a * a * a / 12.;
std::string beam(const std::string &name, const std::string &from, const std::string &to, const std::string &more = "",
                 const std::string &stuff = "set Elements = 4\nset Size = 0.02, 0.03\nset E = 2e11\nset Density = 8000\n")
{
  return section(name, "set From = " + from + "\nset To = " + to + "\nset Direction = 0, 1, 0\n" + stuff + more);
}

/// Two beams of 1 m along x between two walls.
std::string two_beams(const std::string &release, const std::string &more = "")
{
  return points(held_point("left", "0, 0, 0") + point("mid", "1, 0, 0") + held_point("right", "2, 0, 0")) +
         section("Beams", beam("one", "left", "mid", "set Clamped = from") + beam("two", "mid", "right", "set Clamped = to\n" + release)) +
         more;
}

/// Angles of two uniform rods of length 1 from the vertical, which start at rest along x, of mass m each and rotary inertia J about their
/// centre beside m/12: classical Runge-Kutta.
std::array<double, 2> double_pendulum(const double m, const double J, const double g, const double end)
{
  using Y = std::array<double, 4>;
  const auto rate = [&](const Y &y) {
    const double c = std::cos(y[0] - y[1]), s = std::sin(y[0] - y[1]), A11 = m / 3. + m + J, A12 = 0.5 * m * c, A22 = m / 3. + J,
                 f1 = -0.5 * m * s * y[3] * y[3] - 1.5 * m * g * std::sin(y[0]),
                 f2 = 0.5 * m * s * y[2] * y[2] - 0.5 * m * g * std::sin(y[1]), D = A11 * A22 - A12 * A12;
    return Y{y[2], y[3], (A22 * f1 - A12 * f2) / D, (A11 * f2 - A12 * f1) / D};
  };
  Y y{M_PI / 2., M_PI / 2., 0., 0.};
  constexpr int steps = 20000;
  const double h = end / steps;
  const auto moved = [](const Y &y, const double by, const Y &k) {
    return Y{y[0] + by * k[0], y[1] + by * k[1], y[2] + by * k[2], y[3] + by * k[3]};
  };
  for (int i = 0; i < steps; ++i)
  {
    const Y k1 = rate(y), k2 = rate(moved(y, h / 2., k1)), k3 = rate(moved(y, h / 2., k2)), k4 = rate(moved(y, h, k3));
    for (int j = 0; j < 4; ++j)
      y[j] += h / 6. * (k1[j] + 2. * k2[j] + 2. * k3[j] + k4[j]);
  }
  return {y[0], y[1]};
}

/// Two stiff beams that fall from the horizontal, with hinges about y at the wall and between them.
std::string pendulum(const std::string &more)
{
  const std::string stiff = "set Elements = 2\nset Size = 0.05, 0.05\nset E = 2e10\nset Density = 1000\n";
  return points("set Gravity = 0, 0, -10\n" + held_point("wall", "0, 0, 0") + point("elbow", "1, 0, 0") + point("tip", "2, 0, 0")) +
         section("Beams", beam("upper", "wall", "elbow", "set Clamped = from\nset Release at From = moment 1", stiff) +
                              beam("lower", "elbow", "tip", "set Release at From = moment 1", stiff)) +
         stages(section("fall", "set Type = dynamic")) + section("Output", "set Write every = never") + more;
}
void expect_rigid(const History &history, const double end, const double tolerance)
{
  const double m = 1000. * 0.05 * 0.05, J = m * 0.05 * 0.05 / 12.;
  const auto [upper, lower] = double_pendulum(m, J, 10., end);
  EXPECT_NEAR(history.last("elbow.x"), std::sin(upper), tolerance);
  EXPECT_NEAR(history.last("elbow.z"), -std::cos(upper), tolerance);
  EXPECT_NEAR(history.last("tip.x"), std::sin(upper) + std::sin(lower), tolerance);
  EXPECT_NEAR(history.last("tip.z"), -std::cos(upper) - std::cos(lower), tolerance);
  EXPECT_NEAR(history.last("tip.y"), 0., 1e-9);
  EXPECT_GT(std::abs(upper - lower), 0.4) << "the hinge turns";
}

/// Three rubber beams, free in space, with hinges about axes of different directions.
std::string chain(const std::string &mass, const std::string &directors, const std::string &scheme)
{
  const std::string rubber = "set Elements = 3\nset Type = B31\nset Size = 0.1, 0.15\nset E = 1e6\nset nu = 0.2\nset Density = 1000\n";
  return points(point("a", "0, 0, 0") + point("b", "1, 0, 0") + point("c", "1.7, 0, 0.7") + point("d", "2.4, 0.6, 0.9", "set Mass = 2")) +
         section("Beams", beam("ab", "a", "b", "", rubber) + beam("bc", "b", "c", "set Release at From = moment 1", rubber) +
                              beam("cd", "c", "d", "set Release at From = torsion", rubber)) +
         section("Elements", "set Directors = " + directors + "\nset Mass = " + mass) +
         section("Initial conditions", "set Velocity = 0.5*z - y, x + 2*z*x, 0.3 + (x - 1)^2 - 0.5*x") +
         stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 0.0005\nset End time = 0.1") +
         section("Integrator", "set Scheme = " + scheme) + section("Output", "set Write every = never");
}
}  // namespace

/// The rigid body solution, in rotations beyond a right angle; with the hinges stiff the tip hardly moves.
TEST(Releases, DoublePendulum)
{
  const Folder folder;
  const std::string times = section("Time", "set Time step = 0.002\nset End time = 1");
  expect_rigid(run_well(folder, pendulum(times)).history, 1., 2e-3);
  const Outcome stiff = run_well(folder, pendulum(times), {"Beams/lower/Release at From=torsion"});
  EXPECT_NEAR(stiff.history.last("tip.x"), 2. * stiff.history.last("elbow.x"), 2e-3) << "a torsional hinge keeps both in line";
  EXPECT_NEAR(stiff.history.last("tip.z"), 2. * stiff.history.last("elbow.z"), 2e-3);
}

/// Columns with a girder on hinges: two cantilevers; stiff joints carry more.
TEST(Releases, PortalFrame)
{
  constexpr double P = 1., H = 2., G = E / 2.;
  const auto frame = [&](const std::string &release) {
    const Folder folder;
    return run_well(
               folder,
               points(held_point("left", "0, 0, 0") + held_point("right", "3, 0, 0") + point("top", "0, 0, 2") + point("far", "3, 0, 2")) +
                   section("Beams", beam("column", "left", "top", "set Clamped = from") +
                                        beam("post", "right", "far", "set Clamped = from") + beam("girder", "top", "far", release)) +
                   force("top", "1, 0, 0") + still)
        .history;
  };
  const History hinged = frame("set Release at From = moment 1\nset Release at To = moment 1"), stiff = frame("");
  const double half = 0.5 * P, axial = half * 3. / (E * A), u = half * H * H * H / (3. * E * about_y) + half * H / (5. / 6. * G * A);
  EXPECT_NEAR(0.5 * (hinged.last("top.x") + hinged.last("far.x") - 3.), u, 1e-5 * u);
  EXPECT_NEAR(hinged.last("top.x") - hinged.last("far.x") + 3., axial, 1e-3 * axial);
  EXPECT_LT(std::abs(hinged.last("girder.M2_from")), 1e-8);
  EXPECT_LT(stiff.last("top.x"), 0.5 * u) << "negative control";
  EXPECT_GT(std::abs(stiff.last("girder.M2_from")), 0.1);
}

/// Hinges are constraints between exact directors: in modes, which then are those of stiff elastic directors, too.
TEST(Releases, ModesWithExactDirectors)
{
  const auto frequencies = [](const std::string &release, const Settings &directors) {
    const Folder folder;
    run_well(folder, two_beams(release) + stages(section("shapes", "set Type = modes\nset Modes = 6")), directors);
    return table_of(folder / "results/modes-shapes.csv").at("frequency");
  };
  const Settings exact{"Elements/Directors=exact"}, stiff{"Beams/one/Director stiffness=1e4", "Beams/two/Director stiffness=1e4"};
  for (const char *release : {"moment 1", "moment 2", "torsion"})
  {
    const auto held = frequencies(fmt::format("set Release at From = {}", release), exact),
               limit = frequencies(fmt::format("set Release at From = {}", release), stiff), joint = frequencies("", exact);
    double change = 0;
    for (std::size_t i = 0; i < held.size(); ++i)
    {
      EXPECT_NEAR(held[i], limit[i], 1e-5 * limit[i]) << release << i;
      change = std::max(change, std::abs(held[i] / joint[i] - 1.));
    }
    if (release != std::string("torsion"))
    {
      EXPECT_GT(change, 0.1) << "the hinge turns";
    }
  }
}

/// A girder on two hinges over columns that bend far: exact directors are the limit of stiff ones, on any number of ranks, and the hinges
/// stay at right angles.
TEST(Releases, StaticsWithExactDirectorsOnRanks)
{
  const std::string frame =
      points(held_point("left", "0, 0, 0") + held_point("right", "3, 0, 0") + point("top", "0, 0, 2") + point("far", "3, 0, 2")) +
      section("Beams", beam("column", "left", "top", "set Clamped = from") + beam("post", "right", "far", "set Clamped = from") +
                           beam("girder", "top", "far", "set Release at From = moment 1\nset Release at To = moment 1")) +
      force("top", "1500, 100, 0") + stages(section("load", "set Type = static\nset Increments = 2"));
  const auto end = [&](const Settings &directors, const int ranks = 1) {
    const Folder folder;
    const History history = run_well(folder, frame, directors, ranks).history;
    EXPECT_LT(std::abs(history.last("girder.M2_from")), 0.1) << "a stiff joint has hundreds";
    return std::array<double, 4>{history.last("top.x"), history.last("top.y"), history.last("top.z"), history.last("far.x")};
  };
  const Settings exact{"Elements/Directors=exact"};
  const auto held = end(exact),
             limit =
                 end({"Beams/column/Director stiffness=1e3", "Beams/post/Director stiffness=1e3", "Beams/girder/Director stiffness=1e3"}),
             shared = end(exact, 2);
  EXPECT_GT(held[0], 0.15);
  for (int i = 0; i < 4; ++i)
  {
    EXPECT_NEAR(held[i], limit[i], 1e-5) << i;
    EXPECT_NEAR(held[i], shared[i], 1e-9) << i;
  }
}

/// A torsional hinge in a beam that bends far, out of its plane: multipliers are carried from one increment to the next. Exact directors
/// are the limit of stiff ones; without the hinge the torque of the load twists the other half.
TEST(Releases, TorsionInStaticsWithExactDirectors)
{
  const auto end = [](const std::string &release, const Settings &settings) {
    const Folder folder;
    return run_well(folder,
                    two_beams(release, force("mid", "0, 300, -3000") + moment("mid", "40, 0, 0")) +
                        stages(section("load", "set Type = static\nset Increments = 4")),
                    settings)
        .history;
  };
  const Settings exact{"Elements/Directors=exact"}, stiff{"Beams/one/Director stiffness=1e4", "Beams/two/Director stiffness=1e4"};
  const std::string torsion = "set Release at From = torsion";
  const History held = end(torsion, exact), limit = end(torsion, stiff), joint = end("", exact);
  for (const char *u : {"mid.y", "mid.z"})
    EXPECT_NEAR(held.last(u), limit.last(u), 1e-5 * std::abs(limit.last("mid.z"))) << u;
  EXPECT_GT(std::abs(held.last("mid.z")), 0.01);
  EXPECT_EQ(held.columns.count("lambda.two.hinge_from"), 1u);
  EXPECT_NEAR(held.last("two.T_from"), limit.last("two.T_from"), 1e-3 * std::abs(limit.last("two.T_from")))
      << "in the middle of the first element, which has turned";
  EXPECT_GT(std::abs(joint.last("two.T_from")), 10. * std::abs(held.last("two.T_from"))) << "negative control";
}

/// A hinge about y in the middle: cantilevers that swing together (1.8751), or against each other (clamped, pinned: 3.9266); across it both
/// are one beam (4.7300 of twice the length).
TEST(Releases, ModesOfAHingedBeam)
{
  const Folder folder;
  run_well(folder, two_beams("set Release at From = moment 1") + stages(section("shapes", "set Type = modes\nset Modes = 4")),
           {"Beams/one/Elements=10", "Beams/two/Elements=10"});
  const auto modes = table_of(folder / "results/modes-shapes.csv").at("frequency");
  const auto frequency = [](const double beta, const double I) { return beta * beta * std::sqrt(E * I / (rho * A)) / (2. * M_PI); };
  const double hinge = frequency(1.875104068711961, about_y), across = frequency(4.730040744862704 / 2., about_other),
               against = frequency(3.926602312047919, about_y), second = frequency(7.853204624095838 / 2., about_other);
  EXPECT_NEAR(modes.at(0), hinge, 2e-3 * hinge);
  EXPECT_NEAR(modes.at(1), across, 2e-3 * across);
  EXPECT_NEAR(modes.at(2), second, 4e-3 * second);
  EXPECT_NEAR(modes.at(3), against, 4e-3 * against);
}

/// A torque of 1 and forces in the middle, by what the joint transmits. Stiff directors: moments bend the shape of a joint.
TEST(Releases, WhatTheyTransmit)
{
  constexpr double F = 3.;
  const double fixed = F * 8. / (192. * E * about_y), along_y = 2. / 192. * 8. / (E * about_other);
  struct Case
  {
    std::string release;
    double torque, M1, M2, u_y, u_z;  ///< torque of two; whether moments pass; displacements
  };
  const double hinged_z = 0.5 * F / (3. * E * about_y), hinged_y = 0.5 * 2. / (3. * E * about_other);
  for (const Case &one : {Case{"", -0.5, 1., 1., along_y, fixed}, Case{"set Release at From = moment 1", -0.5, 1., 0., along_y, hinged_z},
                          Case{"set Release at From = moment 2", -0.5, 0., 1., hinged_y, fixed},
                          Case{"set Release at From = moments", -0.5, 0., 0., hinged_y, hinged_z},
                          Case{"set Release at From = torsion", 0., 1., 1., along_y, fixed},
                          Case{"set Release at From = torsion, moment 1", 0., 1., 0., along_y, hinged_z},
                          Case{"set Release at From = all", 0., 0., 0., hinged_y, hinged_z}})
  {
    const Folder folder;
    const History history = run_well(folder, two_beams(one.release, force("mid", "0, 2, 3") + moment("mid", "1, 0, 0")) + still,
                                     {"Beams/one/Geometry=linear", "Beams/two/Geometry=linear", "Moments/twist/Geometry=linear",
                                      "Beams/one/Director stiffness=1000", "Beams/two/Director stiffness=1000"})
                                .history;
    EXPECT_NEAR(history.last("two.T_from"), one.torque, 1e-6) << one.release;
    EXPECT_NEAR(history.last("mid.y"), one.u_y, 3e-3 * along_y) << one.release;
    EXPECT_NEAR(history.last("mid.z"), one.u_z, 3e-3 * one.u_z) << one.release;
    EXPECT_EQ(std::abs(history.last("two.M1_from")) > 0.1, one.M1 > 0.) << one.release << history.last("two.M1_from");
    EXPECT_EQ(std::abs(history.last("two.M2_from")) > 0.1, one.M2 > 0.) << one.release << history.last("two.M2_from");
  }
}

/// `all` is what Hinged is, to the bit.
TEST(Releases, AllIsHinged)
{
  const Folder one, other;
  const std::string load = force("mid", "0, 2, 3") + still;
  run_well(one, two_beams("set Release at From = all", load));
  run_well(other, two_beams("set Hinged = from", load));
  EXPECT_TRUE(text_of(one / "results/history.csv") == text_of(other / "results/history.csv"));
}

/// A crank that turns, a coupler and a rocker, closed by hinges: the angle of the rocker by the intersection of two circles.
TEST(Releases, FourBarLinkage)
{
  const std::string stiff = "set Elements = 2\nset Size = 0.05, 0.05\nset E = 2e10\nset Density = 1000\n", hinge = "moment 1";
  const Folder folder;
  const History history =
      run_well(folder, points(held_point("A", "0, 0, 0") + point("B", "0, 0, 1") + point("C", "2, 0, 2") + held_point("D", "2, 0, 0")) +
                           section("Beams",
                                   beam("crank", "A", "B", "", stiff) + beam("coupler", "B", "C", "set Release at From = " + hinge, stiff) +
                                       beam("rocker", "C", "D",
                                            "set Release at From = " + hinge + "\nset Clamped = to\nset Release at To = " + hinge, stiff)) +
                           section("Rotations", section("drive", "set At = A\nset Rotation = 0, 1.5, 0")) +
                           stages(section("turn", "set Type = static\nset Increments = 15")))
          .history;
  const auto &theta = history["A.rot_y"];
  for (std::size_t i = 0; i < history.rows(); ++i)
  {
    const double Bx = std::sin(theta[i]), Bz = std::cos(theta[i]), dx = 2. - Bx, dz = -Bz, r = std::hypot(dx, dz), coupler = std::sqrt(5.),
                 along = (coupler * coupler - 4. + r * r) / (2. * r), across = std::sqrt(coupler * coupler - along * along);
    EXPECT_NEAR(history["B.x"][i], Bx, 1e-5) << i;
    EXPECT_NEAR(history["C.x"][i], Bx + (along * dx - across * dz) / r, 1e-5) << i;
    EXPECT_NEAR(history["C.z"][i], Bz + (along * dz + across * dx) / r, 1e-5) << i;
  }
  EXPECT_NEAR(theta.back(), 1.5, 1e-12);
  EXPECT_LT(largest(history, "E_potential", "turn"), 1e-3) << "a mechanism stores no energy";
}

/// Momenta and energy of a free chain in large motion, with elastic directors.
TEST(Releases, FreeChainOnRanks)
{
  for (const auto &[mass, scheme] :
       {std::pair{"consistent", "discrete-gradient"}, {"lumped", "central-difference"}, {"consistent", "newmark"}})
  {
    const Folder folder, two;
    const Settings tight = std::string(scheme) == "central-difference" ? Settings{} : Settings{"Newton/Tolerance=1e-13"};
    const History history = run_well(folder, chain(mass, "elastic", scheme), tight).history;
    const bool keeps_J = std::string(scheme) != "newmark";
    EXPECT_GT(largest(history, "E_potential", "fly"), 0.002 * history["E_total"].front()) << scheme;
    EXPECT_LT(largest(history, "E_balance_error", "fly"),
              (std::string(scheme) == "discrete-gradient" ? 1e-8 : 1e-2) * history["E_total"].front())
        << scheme;
    for (const char *column : {"P_x", "P_z", "J_x", "J_y", "J_z"})
      EXPECT_LT(drift(history, column), (column[0] == 'J' && !keeps_J ? 1e-3 : 1e-7) * std::abs(history["J_z"].front()))
          << scheme << column;
    const History shared = run_well(two, chain(mass, "elastic", scheme), tight + Settings{"Time/End time=0.02"}, 2).history;
    for (const char *column : {"d.x", "d.z", "E_potential"})
      EXPECT_NEAR(shared.last(column), history.at(0.02, column), 1e-12 * largest(history, column, "fly")) << scheme << column;
  }
}

/// The same with exact directors, and their shape.
TEST(Releases, ExactDirectors)
{
  const Folder reference;
  const History elastic = run_well(reference, chain("consistent", "elastic", "newmark"),
                                   {"Beams/ab/Director stiffness=10", "Beams/bc/Director stiffness=10", "Beams/cd/Director stiffness=10"})
                              .history;
  for (const auto &[mass, scheme] :
       {std::pair{"lumped", "rattle"}, {"lumped", "shake"}, {"consistent", "newmark-constrained"}, {"consistent", "gonzalez-constrained"}})
  {
    const Folder folder;
    const History history = run_well(folder, chain(mass, "exact", scheme)).history;
    EXPECT_LT(largest(history, "bc.director_error", "fly"), 1e-9) << scheme;
    EXPECT_LT(largest(history, "cd.director_error", "fly"), 1e-9) << scheme;
    EXPECT_LT(largest(history, "E_balance_error", "fly"), 2e-3 * history["E_total"].front()) << scheme;
    const bool keeps_J = std::string(scheme) != "newmark-constrained";
    for (const char *column : {"P_x", "P_z", "J_x", "J_z"})
      EXPECT_LT(drift(history, column), (column[0] == 'J' && !keeps_J ? 1e-3 : 1e-7) * std::abs(history["J_z"].front()))
          << scheme << column;
    for (const char *column : {"d.x", "d.y", "d.z"})
      EXPECT_NEAR(history.last(column), elastic.last(column), 0.01) << scheme << column;
  }
}

/// `symdyn verify` on the chain: the energy-momentum scheme keeps both, a symplectic one its form; the negative controls fail.
TEST(Releases, Certificate)
{
  const Folder folder;
  const std::string deck = write_file(folder, "chain.prm", chain("consistent", "elastic", "discrete-gradient"));
  for (const char *scheme : {"discrete-gradient", "midpoint"})
  {
    const Outcome run = tool(folder, "verify " + deck + " --scheme " + scheme + " --steps 20 --report " + folder / scheme);
    EXPECT_EQ(run.exit_code, 0) << run.terminal;
  }
}

TEST(Releases, Refused)
{
  const auto refused = [](const std::string &one, const std::string &two, const std::string &words) {
    expect_refused(points(held_point("left", "0, 0, 0") + point("mid", "1, 0, 0") + held_point("right", "2, 0, 0")) +
                       section("Beams", beam("one", "left", "mid", one) + beam("two", "mid", "right", two)) + force("mid", "0, 0, 1") +
                       still,
                   words);
  };
  const std::string from = "set Release at From = ", to = "set Release at To = ", clamped = "set Clamped = from\n";
  refused(clamped, from + "moment 3", "[Beams/two] Release at From = moment 3: 'moment 3' is no release. There are torsion, moment 1");
  refused(clamped, to + "all, moment 1",
          "[Beams/two] Release at To = all, moment 1: 'moment 1' releases the moment about axis 1, which is released already");
  refused(clamped, to + "torsion, moments, torsion", "'torsion' releases the torque, which is released already");
  refused(clamped, from + "all\n" + to + "all", "with hinges at both ends the beam would turn about its axis");
  refused(
      clamped, from + "torsion\n" + to + "torsion, moment 1",
      "[Beams/two] Release at To = torsion, moment 1: both ends release the torsion, so that the beam would turn about its axis: a mechanism");
  refused(clamped, from + "all\n" + to + "torsion", "both ends release the torsion");
  refused(clamped + from + "all", "", "[Beams/one] Release at From = all: 'from' is Clamped, too. Keep one of both");
  refused(from + "moment 1", "", "[Beams/one] Release at From = moment 1: no other beam, shell or coupling turns there");
  refused(clamped, to + "moments", "[Beams/two] Release at To = moments: no other beam, shell or coupling turns there");
  refused(clamped, "set Hinged = from\n" + from + "torsion", "Hinged = from: 'from' has a Release at From, too. Keep one of both");
  refused(clamped, "set Releases = 1 from all", "Releases = 1 from all: is for beams on Groups");
  expect_refused(two_beams("set Release at From = moments", force("mid", "0, 0, 1*t")) + section("Elements", "set Directors = exact") +
                     stages(section("fly", "set Type = dynamic")) + section("Time", "set Time step = 1e-4\nset End time = 1e-3") +
                     section("Integrator", "set Scheme = newmark-constrained"),
                 "releases two of three moments, for which directors are elastic");
}
}  // namespace symdyn::tests::in_releases
