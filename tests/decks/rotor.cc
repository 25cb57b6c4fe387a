// A mass on a shaft: bearings, unbalance, damping that turns and damping of the ground; errors of rotors.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/rotor_decks.h"

namespace symdyn::tests::in_rotor
{
/// omega = 10 seen from the ground, 10 - Omega and 10 + Omega from the rotor; the forward branch goes through 0 at its critical speed.
TEST(Rotor, JeffcottInBothFrames)
{
  const Folder rotating, fixed;
  const Outcome run =
      run_well(rotating, jeffcott() + campbell(0., 30., 7, "set Modes = 2\nset Engine orders = 2\nset Critical speeds = 2"));
  run_well(fixed, jeffcott() + campbell(0., 30., 7, "set Modes = 2\nset Frame = fixed\nset Engine orders = 1"));
  const Table from_rotor = table_of(rotating / stem + ".csv"), from_ground = table_of(fixed / stem + ".csv");
  for (const int branch : {1, 2})
  {
    const std::vector<Line> lines = branch_of(from_rotor, branch), seen = branch_of(from_ground, branch);
    ASSERT_EQ(lines.size(), 7u);
    const double forward = lines[1].direction;
    for (std::size_t i = 0; i < lines.size(); ++i)
    {
      EXPECT_NEAR(2. * pi * lines[i].frequency, std::abs(10. - forward * lines[i].speed), 1e-7) << lines[i].speed;
      EXPECT_NEAR(2. * pi * seen[i].frequency, 10., 1e-7) << lines[i].speed;
      EXPECT_EQ(seen[i].direction, forward);
      EXPECT_EQ(lines[i].diameters, 1.);
      if (std::abs(lines[i].speed - 10.) > 1.)
      {
        EXPECT_EQ(lines[i].direction, forward > 0. && lines[i].speed > 10. ? -1. : forward);
      }
    }
  }
  const Table order_2 = table_of(rotating / stem + "-orders.csv"), order_1 = table_of(fixed / stem + "-orders.csv");
  ASSERT_EQ(order_2.at("speed").size(), 2u);
  EXPECT_NEAR(order_2.at("speed")[0], 10. / 3., 1e-8);
  EXPECT_NEAR(order_2.at("speed")[1], 10., 1e-8);
  ASSERT_EQ(order_1.at("speed").size(), 2u);
  for (const double speed : order_1.at("speed"))
    EXPECT_NEAR(speed, 10., 1e-7);
  const Table critical = table_of(rotating / stem + "-critical.csv");
  ASSERT_EQ(critical.at("speed").size(), 2u);
  for (const double speed : critical.at("speed"))
    EXPECT_NEAR(speed, 10., 1e-9);
  EXPECT_TRUE(run.summary["stages"][0]["onset speed"].is_null());
  EXPECT_TRUE(run.summary["stages"][0]["none is missing"].get<bool>());
}

/// kx = 100, ky = 121: both axes have their critical speed, and between 10 and 11 the shaft diverges.
TEST(Rotor, UnsymmetricShaft)
{
  const Folder folder;
  const Outcome run = run_well(folder, jeffcott("", 121.) + campbell(0., 20., 21, "set Modes = 4\nset Critical speeds = 2"));
  const auto critical = table_of(folder / stem + "-critical.csv").at("speed");
  ASSERT_EQ(critical.size(), 2u);
  EXPECT_NEAR(critical[0], 10., 1e-9);
  EXPECT_NEAR(critical[1], 11., 1e-9);
  EXPECT_NEAR(run.summary["stages"][0]["onset speed"].get<double>(), 10., 1e-4);
  const auto at_12 = omegas_at(table_of(folder / stem + ".csv"), 12.);
  ASSERT_EQ(at_12.size(), 2u);
  EXPECT_NEAR(at_12[0], 1.41281267, 1e-7);
  EXPECT_NEAR(at_12[1], 22.51674844, 1e-7);
  expect_refused(jeffcott("", 121.) + campbell(0., 9., 3, "set Modes = 2\nset Frame = fixed"), "no mode is a wave around the axis");
}

/// Damping of the shaft and of the ground: z'' + (ce + ci + 2 i Omega) z' + (k - Omega² + i Omega ce) z = 0 in the frame; unstable from
/// omega_0 (1 + ce/ci) on.
TEST(Rotor, OnsetOfDampingThatTurns)
{
  const double ce = 0.4, ci = 0.2;
  const Folder folder, without, ground;
  const Outcome run = run_well(folder, jeffcott(bearing(fmt::format("set Stiffness = 0\nset Damping = {}", ce)) + dashpot(ci)) +
                                           campbell(0., 40., 8, "set Modes = 2"));
  EXPECT_NEAR(run.summary["stages"][0]["onset speed"].get<double>(), 30., 1e-5);
  const Table table = table_of(folder / stem + ".csv");
  for (std::size_t i = 0; i < table.at("speed").size(); ++i)
  {
    const double speed = table.at("speed")[i];
    const Complex b(ce + ci, 2. * speed), c(100. - speed * speed, speed * ce), root = std::sqrt(b * b - 4. * c),
                                                                               lambda(table.at("Re lambda")[i], im_lambda(table, i));
    double nearest = 1e9;
    for (const Complex &exact : {0.5 * (root - b), -0.5 * (root + b)})
      nearest = std::min({nearest, std::abs(lambda - exact), std::abs(lambda - std::conj(exact))});
    EXPECT_LT(nearest, 1e-8) << speed;
  }
  ASSERT_EQ(table.at("speed").size(), 16u);
  const Outcome none =
      run_well(without, jeffcott(bearing(fmt::format("set Stiffness = 0\nset Damping = {}", ce))) + campbell(0., 40., 8, "set Modes = 2"));
  EXPECT_TRUE(none.summary["stages"][0]["onset speed"].is_null());
  const Outcome alone = run_well(ground, jeffcott(dashpot(ci)) + campbell(0., 40., 8, "set Modes = 2"));
  EXPECT_NEAR(alone.summary["stages"][0]["onset speed"].get<double>(), 10., 1e-5);
}

/// |u|/e = r²/|1 - r² + 2 i zeta r|, which lags behind the unbalance; damping that turns has no part in it.
TEST(Rotor, Unbalance)
{
  const std::string sweep = stages(section("whirl", "set Type = unbalance\nset Speeds = 1, 30\nset Points = 30"));
  const auto table = [&](const std::string &more) {
    const Folder folder;
    run_well(folder, jeffcott(more + unbalance) + sweep);
    return table_of(folder / "results/unbalance-whirl.csv");
  };
  const Table found = table(bearing("set Stiffness = 0\nset Damping = 1")),
              damped = table(bearing("set Stiffness = 0\nset Damping = 1") + dashpot(3.));
  for (const auto &[speed, amplitude] : {std::pair{5, 0.3325951}, {9, 3.8527771}, {10, 10.}, {15, 1.7871783}, {30, 1.1242098}})
  {
    EXPECT_EQ(found.at("speed").at(speed - 1), speed);
    for (const char *at : {"e.orbit", "oil.orbit"})
      EXPECT_NEAR(found.at(at)[speed - 1], 1e-3 * amplitude, 1e-9) << speed;
    EXPECT_NEAR(damped.at("e.orbit")[speed - 1], found.at("e.orbit")[speed - 1], 1e-12);
    const Complex u = 1. / Complex(100. - speed * speed, speed);
    EXPECT_NEAR(std::remainder(found.at("e.angle")[speed - 1] - 30. - 180. / pi * std::arg(u), 360.), 0., 1e-7);
  }
  // Without damping of the ground: 81/19 at 9, and no answer at the critical speed.
  const Folder folder;
  const Outcome nine = run_well(
      folder, jeffcott(dashpot(1.) + unbalance) + stages(section("whirl", "set Type = unbalance\nset Speeds = 1, 9\nset Points = 9")));
  EXPECT_EQ(nine.summary["stages"][0]["speeds"]["done"], 9);
  EXPECT_EQ(nine.summary["stages"][0]["speeds"]["asked"], 9);
  EXPECT_NEAR(table_of(folder / "results/unbalance-whirl.csv").at("e.orbit").at(8), 1e-3 * 81. / 19., 1e-9);
  const Outcome none = run_text(folder, jeffcott(dashpot(1.) + unbalance) + sweep, {}, 1, " --overwrite");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.terminal.find("at 10 rad/s nothing resists the unbalance"), std::string::npos) << none.terminal;
}

/// A bearing whose stiffness grows with the speed, and whose cross stiffness drives forward whirl.
TEST(Rotor, BearingOverTheSpeed)
{
  const Folder folder;
  std::ofstream(folder / "oil.csv")
      << "speed, kxx, kxy, kyx, kyy, cxx, cxy, cyx, cyy\n0, 0, 0, 0, 0, 1, 0, 0, 1\n40, 80, 40, -40, 80, 1, 0, 0, 1\n";
  const Outcome run = run_well(folder, jeffcott(bearing("set File = oil.csv")) + campbell(0., 40., 5, "set Modes = 2\nset Frame = fixed"));
  const Table table = table_of(folder / stem + ".csv");
  for (std::size_t i = 0; i < table.at("speed").size(); ++i)
  {
    // z'' + c z' + (k - i k_xy) z = 0 seen from the ground
    const double speed = table.at("speed")[i], direct = 100. + 2. * speed, cross = speed;
    const Complex root = std::sqrt(Complex(1. - 4. * direct, 4. * cross));
    double nearest = 1e9;
    for (const Complex &exact : {0.5 * (root - 1.), -0.5 * (root + 1.)})
      nearest = std::min(nearest, std::hypot(table.at("Re lambda")[i] - exact.real(),
                                             2. * pi * in_its_frame(table, "frequency")[i] - std::abs(exact.imag())));
    EXPECT_LT(nearest, 1e-8) << speed;
  }
  const auto refuse_file = [&](const std::string &lines, const std::string &words) {
    std::ofstream(folder / "oil.csv") << "speed, kxx, kxy, kyx, kyy, cxx, cxy, cyx, cyy\n" << lines;
    const Outcome refused =
        run_text(folder, jeffcott(bearing("set File = oil.csv")) + campbell(0., 40., 5, "set Modes = 2"), {}, 1, " --overwrite");
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_NE(refused.terminal.find(words), std::string::npos) << refused.terminal;
  };
  refuse_file("0, 0, 0, 0, 0, 1, 0, 0, 1\n39, 80, 0, 0, 80, 1, 0, 0, 1\n", "the bearing has coefficients at 0 to 39 rad/s");
  refuse_file("-10, 0, 0, 0, 0, 1, 0, 0, 1\n40, 80, 0, 0, 80, 1, 0, 0, 1\n", "has a speed of -10 rad/s");
  // c omega = k_xy: Omega² = 100 + 2 Omega
  EXPECT_NEAR(run.summary["stages"][0]["onset speed"].get<double>(), 1. + std::sqrt(101.), 1e-5);
}

namespace
{
/// A shaft of 1 m along z.
std::string beam(const std::string &more)
{
  return "set Structure = discrete\n" +
         section("Points",
                 section("left", "set Position = 0, 0, 0\nset Fixed = yes") + section("right", "set Position = 0, 0, 1\nset Fixed = yes")) +
         section(
             "Beams",
             section("shaft",
                     "set From = left\nset To = right\nset Elements = 2\nset Direction = 1, 0, 0\nset Size = 0.1, 0.1\nset E = 2e11\nset "
                     "nu = 0.3\nset Density = 8000")) +
         rotation() + more;
}
}  // namespace

TEST(Rotor, Refused)
{
  const std::string map = campbell(0., 30., 3, "set Modes = 2"), bare = "set Type = campbell\n";
  const auto stage = [&](const std::string &entries) { return stages(section("map", bare + entries)); };
  expect_refused(jeffcott() + stage(""), ": needs two numbers, 0 <= first < last [rad/s]");
  expect_refused(jeffcott() + stage("set Speeds = 5, 2"), "Speeds = 5, 2: needs two numbers");
  expect_refused(jeffcott() + stage("set Speeds = 0, 2\nset Loads = rotation"), "have no effect in a campbell stage");
  expect_refused(jeffcott() + stage("set Speeds = 0, 2\nset Prestress = nonlinear\nset Critical speeds = 1"), "need Prestress = linear");
  expect_refused(jeffcott() + stage("set Speeds = 0, 2\nset Nodal diameters = 1"), "is of a sector");
  expect_refused(oscillator(1., 100., 0.) + map, "the deck has no section Rotation");
  expect_refused(jeffcott() + stages(section("spin", "set Type = static") + section("map", bare + "set Speeds = 0, 2")),
                 "the state bears the centrifugal load of [Rotation] already");
  const auto refuse_bearing = [&](const std::string &entries, const std::string &words) {
    expect_refused(jeffcott(bearing(entries)) + map, words);
  };
  refuse_bearing("set Stiffness = 1, 0, 0, 2", "is not the same in all directions: xx = 1, xy = 0, yx = 0, yy = 2");
  refuse_bearing("set Stiffness = 1, 0.5, 0.5, 1", "take the means of both directions");
  refuse_bearing("set Stiffness = 1, 2", "needs one number, or four");
  refuse_bearing("", "a bearing has Stiffness and Damping, or a File");
  refuse_bearing("set Stiffness = 1\nset File = oil.csv", "Give one of both");
  expect_refused(jeffcott() + stage("set Speeds = 0, 2\nset Engine orders = 1, 2, 1"), "Engine orders = 1, 2, 1: has 1 twice");
  expect_refused(jeffcott(section("Bearings", section("oil", "set Stiffness = 1"))) + map, "the bearing has no At");
  expect_refused(jeffcott(bearing("set Stiffness = 1\nset Damping = 2")) + stage("set Speeds = 0, 2\nset Critical speeds = 1"),
                 "Critical speeds = 1: a bearing has Damping (");
  expect_refused(jeffcott(bearing("set Stiffness = 1\nset Damping = 2")) +
                     stages(section("spin", "set Type = static") + section("free", "set Type = modes\nset Modes = 1")),
                 "needs real modes, and a bearing with Damping (");
  expect_refused(beam(section("Bearings", section("oil", "set At = 0, 0, 0.33\nset Stiffness = 1")) + map), "no node stands there");
  const std::string sweep = stages(section("whirl", "set Type = unbalance\nset Speeds = 1, 30"));
  const auto sweep_of = [](const std::string &loads) {
    return stages(section("whirl", "set Type = unbalance\nset Speeds = 1, 30\nset Loads = " + loads));
  };
  expect_refused(jeffcott() + sweep, "no unbalance acts");
  expect_refused(jeffcott(unbalance) + sweep_of("none"), "no unbalance acts. Name sections of Unbalance, or leave the entry out: e");
  expect_refused(jeffcott(unbalance + section("Bearings", section("e", "set At = disc\nset Stiffness = 1"))) + sweep,
                 "a bearing and an unbalance have the name 'e'");
  expect_refused(jeffcott(section("Unbalance", section("e", "set At = disc"))) + sweep, "the unbalance has no Mass times radius");
  const std::string harmonic = "set Type = harmonic\nset Frequencies = 1, 2\n",
                    spun = section("spin", "set Type = static\nset Loads = rotation"),
                    force = section("Forces", section("push", "set Points = disc\nset Force = 1, 0"));
  expect_refused(jeffcott(unbalance) + stages(spun + section("shake", harmonic + "set Loads = e")), "Loads = e: 'e' is an unbalance");
  expect_refused(jeffcott(unbalance) + stages(spun + section("shake", harmonic)), "or name other loads");
  expect_refused(
      jeffcott(unbalance) + stages(spun + section("test", "set Type = frequency response\nset Frequencies = 1, 2\nset Inputs = e")),
      "Inputs = e: 'e' is an unbalance");
  for (const std::string &type : {harmonic, std::string("set Type = frequency response\nset Frequencies = 1, 2\nset Inputs = disc.x\n")})
    expect_refused(jeffcott(force + bearing("set Stiffness = 1\nset Damping = 2")) +
                       stages(spun + section("shake", type + "set Spacing = around modes\nset Modes = 2")),
                   "Spacing = around modes: needs real modes, and a bearing with Damping (");
  expect_refused(jeffcott(unbalance) + sweep_of("rotation"), "'rotation' is no unbalance");
  const std::string still =
      "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 0, 0"));
  expect_refused(still + bearing("set Stiffness = 1") + stages(section("load", "set Type = static")),
                 "the deck has no section Rotation. Add it, with the Axis of the rotor");
}
}  // namespace symdyn::tests::in_rotor
