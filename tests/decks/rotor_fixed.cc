// Rotors on bearings that are not the same in all directions, in fixed axes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>

#include "tests/rotor_decks.h"

namespace symdyn::tests::in_rotor
{
namespace
{
std::string fixed_bearing(const std::string &entries) { return bearing("set Frame = fixed\n" + entries); }
const std::string map_from_ground = "set Frame = fixed\nset Engine orders = 1\n";

/// A disc of 1 kg on bearings alone.
std::string disc(const std::string &more)
{
  return "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 0, 0")) +
         rotation() + more;
}
}  // namespace

/// 10 kg amid a steel shaft of 1 m and 20 mm that weighs next to nothing, on springs of 2e5 N/m: 1/k = L³/48EI + L/4 kappa GA + 1/4e5. The
/// omega² of bending is 1e-14 of the highest one, and the disc moves as a rigid body does. In both frames.
TEST(RotorFixed, AHeavyDiscOnALightShaftVibrates)
{
  constexpr double E = 210e9, nu = 0.3, r = 0.01, I = pi * r * r * r * r / 4., GA = pi * r * r * E / (2. * (1. + nu)),
                   kappa = 6. * (1. + nu) / (7. + 6. * nu);
  const double omega = std::sqrt(1. / (1. / (48. * E * I) + 1. / (4. * kappa * GA) + 1. / 4e5) / 10.);
  const auto shaft = [](const std::string &from, const std::string &to) {
    return section(from, round_beam(from, to, 4, r, "set Density = 1"));
  };
  for (const std::string frame : {"fixed", "rotating"})
  {
    SCOPED_TRACE(frame);
    const auto spring = [&](const std::string &at) {
      return section(at, "set At = " + at + "\nset Stiffness = 2e5" + (frame == "fixed" ? "\nset Frame = fixed" : ""));
    };
    const Folder folder;
    const std::string terminal =
        run_well(
            folder,
            "set Structure = discrete\n" +
                section("Points", section("left", "set Position = 0, 0, 0") + section("hub", "set Position = 0, 0, 0.5\nset Mass = 10") +
                                      section("right", "set Position = 0, 0, 1")) +
                section("Beams", shaft("left", "hub") + shaft("hub", "right")) + drive +
                section("Rotation", "set Speed = 50\nset Axis = 0, 0, 1") + section("Bearings", spring("left") + spring("right")) +
                stages(section("map", "set Type = campbell\nset Speeds = 0, 200\nset Points = 5\nset Modes = 3\n" + map_from_ground)))
            .terminal;
    const Table table = table_of(folder / (stem + ".csv"));
    const std::vector<Complex> at_rest = seen_at(table, 0.);
    ASSERT_GE(at_rest.size(), 2u) << terminal;
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(at_rest[i].imag(), omega, 1e-4 * omega);
    const std::vector<double> critical = table_of(folder / (stem + "-orders.csv")).at("speed");
    ASSERT_EQ(critical.size(), 2u);
    for (const double speed : critical)
      EXPECT_NEAR(speed, omega, 1e-4 * omega);
  }
}

/// A disc on k_xx = 100, k_yy = 144 N/m: from the ground 10 and 12 rad/s at all speeds, and both are critical. By an unbalance
/// x = e Omega²/(k_xx - Omega² + i c Omega), y = -i e Omega²/(k_yy - ...): backward whirl between both (Childs, Turbomachinery
/// Rotordynamics, 1993, 3.2).
TEST(RotorFixed, JeffcottOnUnlikeBearings)
{
  const std::string oil = fixed_bearing("set Stiffness = 100, 0, 0, 144\nset Damping = 0.5");
  const std::string both =
      stages(section("map", "set Type = campbell\nset Speeds = 0, 20\nset Points = 5\nset Modes = 2\n" + map_from_ground) +
             section("whirl", "set Type = unbalance\nset Speeds = 1, 20\nset Points = 20"));
  const Folder folder;
  const Outcome run = run_well(folder, disc(oil + unbalance) + both);
  const Table map = table_of(folder / stem + ".csv"), orders = table_of(folder / stem + "-orders.csv"),
              whirl = table_of(folder / "results/unbalance-whirl.csv");
  for (const double speed : {0., 5., 10., 15., 20.})
  {
    const auto found = seen_at(map, speed);
    ASSERT_EQ(found.size(), 2u);
    for (const int i : {0, 1})
    {
      const double k = i == 0 ? 100. : 144.;
      EXPECT_NEAR(found[i].imag(), std::sqrt(k - 0.0625), 1e-8);
      EXPECT_NEAR(found[i].real(), -0.25, 1e-8);
    }
  }
  ASSERT_EQ(orders.at("speed").size(), 2u);
  EXPECT_NEAR(orders.at("speed")[0], std::sqrt(99.9375), 1e-7);
  EXPECT_NEAR(orders.at("speed")[1], std::sqrt(143.9375), 1e-7);
  const Complex i(0., 1.), at_30 = std::polar(1., pi / 6.);
  for (std::size_t n = 0; n < whirl.at("speed").size(); ++n)
  {
    const double speed = whirl.at("speed")[n], force = 1e-3 * speed * speed;
    const Complex x = force * at_30 / Complex(100. - speed * speed, 0.5 * speed),
                  y = -i * force * at_30 / Complex(144. - speed * speed, 0.5 * speed), forward = 0.5 * (x + i * y),
                  backward = 0.5 * (std::conj(x) + i * std::conj(y));
    EXPECT_NEAR(whirl.at("e.orbit")[n], std::abs(forward) + std::abs(backward), 1e-10) << speed;
    EXPECT_NEAR(whirl.at("oil.minor")[n], std::abs(forward) - std::abs(backward), 1e-10) << speed;
    EXPECT_NEAR(whirl.at("e.angle")[n], 180. / pi * std::arg(forward), 1e-6) << speed;
    EXPECT_NEAR(whirl.at("e.inclination")[n], 90. / pi * (std::arg(forward) + std::arg(backward)), 1e-6) << speed;
    EXPECT_EQ(whirl.at("e.minor")[n] < 0., speed == 11.) << "backward between the critical speeds alone";
  }
  EXPECT_TRUE(run.summary["stages"][0]["onset speed"].is_null());
}

/// Bearings that are the same in all directions, with oil whirl and damping that turns: both frames give one diagram and one orbit.
TEST(RotorFixed, BothFramesOfOneBearing)
{
  const std::string oil = "set Stiffness = 20, 30, -30, 20\nset Damping = 1.5, 0.2, -0.2, 1.5",
                    map = campbell(0., 30., 4, "set Modes = 2\nset Frame = fixed");
  const std::string whirl = stages(section("whirl", "set Type = unbalance\nset Speeds = 5, 30\nset Points = 6"));
  const auto table = [&](const std::string &of, const std::string &stage, const std::string &file) {
    const Folder folder;
    run_well(folder, jeffcott(bearing(of + oil) + dashpot(0.3) + unbalance) + stage);
    return table_of(folder / file);
  };
  expect_same(table("", map, stem + ".csv"), table("set Frame = fixed\n", map, stem + ".csv"), {0., 10., 20., 30.}, 1e-8);
  const Table one = table("", whirl, "results/unbalance-whirl.csv"),
              other = table("set Frame = fixed\n", whirl, "results/unbalance-whirl.csv");
  for (std::size_t n = 0; n < one.at("speed").size(); ++n)
  {
    EXPECT_NEAR(other.at("e.orbit")[n], one.at("e.orbit")[n], 1e-10);
    EXPECT_NEAR(other.at("e.minor")[n], one.at("e.orbit")[n], 1e-10);
    EXPECT_NEAR(other.at("e.angle")[n], one.at("e.angle")[n], 1e-6);
  }
}

namespace
{
/// A shaft with a disc on two bearings.
std::string shaft_with_disc(const std::string &bearings, const std::string &more)
{
  const auto beam = [](const std::string &from, const std::string &to, const int elements, const double radius) {
    const double GA = 0.9 * 210e9 / 2.6 * pi * radius * radius;
    return round_beam(from, to, elements, radius, fmt::format("set Density = 7850\nset Shear stiffness = {0:.15g}, {0:.15g}", GA));
  };
  std::string at_ends;
  for (const char *end : {"left", "right"})
    at_ends += section(end, fmt::format("set At = {}\n", end) + bearings);
  return "set Structure = discrete\n" +
         section("Points", section("left", "set Position = 0, 0, 0") + section("hub", "set Position = 0, 0, 0.38") +
                               section("face", "set Position = 0, 0, 0.42") + section("right", "set Position = 0, 0, 1")) +
         section("Beams", section("shaft", beam("left", "hub", 4, 0.015)) + section("disc", beam("hub", "face", 1, 0.15)) +
                              section("end", beam("face", "right", 6, 0.015))) +
         drive + section("Dashpots", section("fit", "set Points = hub\nset Coefficient = 40")) + rotation() + section("Bearings", at_ends) +
         section("Unbalance", section("rim", "set At = hub\nset Mass times radius = 1e-3")) + more;
}
const std::string unlike = "set Frame = fixed\nset Stiffness = 2e6, 5e5, -2e5, 4e6\nset Damping = 300, 20, -30, 500";
}  // namespace

/// Timoshenko's beams with gyroscopic terms in fixed axes, polynomials of degree 8 in a program of NumPy: coupled bearings that differ, and
/// damping that turns.
TEST(RotorFixed, ShaftOfAnotherProgram)
{
  const std::string both =
      stages(section("map", "set Type = campbell\nset Speeds = 0, 600\nset Points = 4\nset Modes = 6\nset Frame = fixed") +
             section("whirl", "set Type = unbalance\nset Speeds = 150, 600\nset Points = 4"));
  const Folder folder;
  const Outcome run = run_well(folder, shaft_with_disc(unlike, both));
  const Table map = table_of(folder / stem + ".csv"), whirl = table_of(folder / "results/unbalance-whirl.csv");
  const std::map<double, std::vector<Complex>> exact{{0.,
                                                      {{-0.9154592028, 131.5241630787},
                                                       {-0.8397011174, 135.2985094288},
                                                       {-10.3935402944, 737.5409812661},
                                                       {-5.4087426391, 785.0525302924}}},
                                                     {200.,
                                                      {{-1.7766662442, 131.9932385406},
                                                       {0.069810867634, 134.7700990536},
                                                       {-13.189821669, 643.322552125},
                                                       {-0.3952671373, 889.5955203763}}},
                                                     {400.,
                                                      {{-3.2438118453, 131.6099893935},
                                                       {1.6044986628, 134.9496237597},
                                                       {-10.4310192723, 545.8533974967},
                                                       {-3.6383577898, 1012.5670182079}}},
                                                     {600.,
                                                      {{-4.4998281925, 130.8342329887},
                                                       {2.9520589644, 135.3693877424},
                                                       {-8.5689375574, 466.0653248528},
                                                       {-8.8683472785, 1116.721642666}}}};
  for (const auto &[speed, modes] : exact)
  {
    const auto found = seen_at(map, speed);
    ASSERT_GE(found.size(), 4u);
    for (int i = 0; i < 4; ++i)
      EXPECT_LT(std::abs(found[i] - modes[i]), 5e-4 * std::abs(modes[i])) << speed << ": " << found[i] << modes[i];
  }
  const double onset = run.summary["stages"][0]["onset speed"];
  EXPECT_GT(onset, 39.);
  EXPECT_LT(onset, 39.5);
  const std::vector<std::array<double, 4>> at_150{{2.130552294e-04, 1.710850347e-04, 178.08087, 82.459519}},
      at_300{{4.822261765e-05, 4.751015916e-05, 179.89058, 86.665598}}, at_600{{3.898599285e-05, 3.891446754e-05, 179.97008, 167.41263}};
  for (const auto &[row, numbers] : {std::pair{0, at_150[0]}, {1, at_300[0]}, {3, at_600[0]}})
  {
    EXPECT_NEAR(whirl.at("rim.orbit")[row], numbers[0], 2e-3 * numbers[0]);
    EXPECT_NEAR(whirl.at("rim.minor")[row], numbers[1], 2e-3 * numbers[0]);
    EXPECT_NEAR(whirl.at("rim.angle")[row], numbers[2], 0.1);
  }
}

TEST(RotorFixed, ShaftOnRanks)
{
  const std::string map = campbell(0., 600., 2, "set Modes = 2\nset Frame = fixed");
  std::vector<Table> tables;
  for (const int ranks : {1, 2})
  {
    const Folder folder;
    run_well(folder, shaft_with_disc(unlike, map), {}, ranks);
    tables.push_back(table_of(folder / stem + ".csv"));
  }
  expect_same(tables[0], tables[1], {0., 600.}, 1e-6);
}

TEST(RotorFixed, Refused)
{
  const std::string map = campbell(0., 30., 3, "set Modes = 2\nset Frame = fixed"),
                    unlike_disc = fixed_bearing("set Stiffness = 100, 0, 0, 144");
  expect_refused(disc(unlike_disc) + campbell(0., 30., 3, "set Modes = 2"), "[Stages/map] Frame: a bearing has Frame = fixed");
  expect_refused(jeffcott(unlike_disc, 121.) + map, "Frame = fixed: the stiffness of the body is not the same after a turn");
  expect_refused(disc(fixed_bearing("set Stiffness = 1\nset Beyond = constant")) + map,
                 "Beyond = constant: is of a File, and there is none");
  expect_refused(
      disc(unlike_disc) + stages(section("map", "set Type = campbell\nset Speeds = 0, 30\nset Frame = fixed\nset Critical speeds = 1")),
      "Critical speeds = 1: a bearing has k_xx and k_yy that differ and Frame = fixed (");
}

/// Beyond its lines a File is an error, or has the values of the nearest line.
TEST(RotorFixed, FileOfABearing)
{
  const auto run = [](const std::string &more) {
    const Folder folder;
    std::ofstream(folder / "oil.csv")
        << "speed, kxx, kxy, kyx, kyy, cxx, cxy, cyx, cyy\n10, 100, 0, 0, 144, 0, 0, 0, 0\n20, 121, 0, 0, 144, 0, 0, 0, 0\n";
    std::string deck = disc(fixed_bearing("set File = oil.csv\n" + more)) + campbell(0., 30., 4, "set Modes = 2\nset Frame = fixed");
    deck.replace(deck.find("set Speed = 1\n"), 14, "set Speed = 15\n");
    const Outcome outcome = run_text(folder, deck);
    return std::pair(outcome, outcome.exit_code == 0 ? table_of(folder / stem + ".csv") : Table());
  };
  const Outcome refused = run("").first;
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_NE(refused.terminal.find("File: the rotor turns at 0 rad/s, and the bearing has coefficients at 10 to 20 rad/s"),
            std::string::npos)
      << refused.terminal;
  const auto [well, table] = run("set Beyond = constant");
  ASSERT_EQ(well.exit_code, 0) << well.terminal;
  for (const auto &[speed, omega] : {std::pair{0., 10.}, {10., 10.}, {20., 11.}, {30., 11.}})
  {
    const auto found = seen_at(table, speed);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_NEAR(found[0].imag(), omega, 1e-8) << speed;
    EXPECT_NEAR(found[1].imag(), 12., 1e-8) << speed;
  }
  const Folder folder;
  std::ofstream(folder / "oil.csv")
      << "speed, kxx, kxy, kyx, kyy, cxx, cxy, cyx, cyy\n10, 100, 0, 0, 144, 0, 0, 0, 0\n20, 121, 0, 0, 144, 0, 0, 0, 0\n";
  const Outcome still =
      run_text(folder, disc(fixed_bearing("set File = oil.csv")) + campbell(10., 20., 2, "set Modes = 2\nset Frame = fixed"));
  EXPECT_EQ(still.exit_code, 1);
  EXPECT_NE(still.terminal.find("File = oil.csv: has the speeds 10 to 20 rad/s, and Rotation the Speed 1"), std::string::npos)
      << still.terminal;
}

/// Residuals, the frame of lambda, an unbalance that nothing uses; the log says once which linear solver there is; pictures.
TEST(RotorFixed, Reports)
{
  const Folder folder;
  const Outcome run =
      run_well(folder, shaft_with_disc(unlike, campbell(0., 600., 3, "set Modes = 4\nset Frame = fixed\nset Engine orders = 1")));
  EXPECT_LT(run.summary["stages"][0]["largest residual"].get<double>(), 1e-7);
  EXPECT_EQ(run.terminal.find("a mode is not exact"), std::string::npos) << run.terminal;
  EXPECT_NE(run.terminal.find("[Unbalance/rim]: no stage uses it"), std::string::npos) << run.terminal;
  EXPECT_NE(text_of(folder / stem + ".csv").find("Im lambda in fixed axes [rad/s]"), std::string::npos);
  std::size_t said = 0;
  for (std::size_t at = run.terminal.find("linear solver: "); at != std::string::npos; at = run.terminal.find("linear solver: ", at + 1))
    ++said;
  EXPECT_LE(said, 1u) << run.terminal;
}
}  // namespace symdyn::tests::in_rotor
