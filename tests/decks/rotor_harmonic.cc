// Harmonic answers of rotors in fixed axes.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "tests/rotor_decks.h"

namespace symdyn::tests::in_rotor
{
namespace
{
const std::string spun_first = section("spin", "set Type = static\nset Loads = rotation");

std::string forces_on(const std::string &point, const std::string &zero = "")
{
  return section("Forces", section("fx", "set Points = " + point + "\nset Force = 1, 0" + zero) +
                               section("fy", "set Points = " + point + "\nset Force = 0, 1" + zero) +
                               section("back", "set Points = " + point + "\nset Force = 0, -1" + zero));
}
std::string shake(const std::string &more, const double from = 0.5, const double to = 3., const int points = 6)
{
  return stages(
      spun_first +
      section("shake", fmt::format("set Type = harmonic\nset Frequencies = {:.17g}, {:.17g}\nset Points = {}\n", from, to, points) + more));
}
std::string at_speed(std::string deck, const double speed)
{
  const std::string one = "set Speed = 1\n";
  return deck.replace(deck.find(one), one.size(), fmt::format("set Speed = {:.17g}\n", speed));
}
Complex amplitude(const Table &table, const std::string &of, const std::size_t i)
{
  return std::polar(table.at("amplitude " + of)[i], table.at("phase " + of)[i] * pi / 180.);
}
}  // namespace

/// z = x + i y of a disc with damping of the shaft: z'' + (c_e + c_i) z' + (k - i Omega c_i) z = e^(i omega t): forward and backward forces
/// have two answers, K is not symmetric, and both direct and fast sweeps have it.
TEST(RotorHarmonic, DampingThatTurns)
{
  const double c_e = 0.6, c_i = 0.2, speed = 15.;
  const std::string rotor = at_speed(
      jeffcott(bearing(fmt::format("set Frame = fixed\nset Stiffness = 0\nset Damping = {}", c_e)) + dashpot(c_i) + forces_on("disc")),
      speed);
  const auto expect = [&](const std::string &method, const std::string &loads, const double sense) {
    const Folder folder;
    const Outcome run = run_well(folder, rotor + shake("set Loads = fx, " + loads + "\nset Imaginary loads = " + loads + method));
    EXPECT_NE(run.log.find("harmonic loads: fx, " + loads + " in fixed axes"), std::string::npos) << run.log;
    const Table table = table_of(folder / "results/harmonic-shake.csv");
    for (std::size_t i = 0; i < table.at("frequency").size(); ++i)
    {
      const double omega = 2. * pi * table.at("frequency")[i];
      const Complex exact = 1. / Complex(100. - omega * omega, omega * (c_e + c_i) - sense * speed * c_i),
                    x = amplitude(table, "disc.x", i), y = amplitude(table, "disc.y", i);
      EXPECT_LT(std::abs(x - exact), 1e-9 * std::abs(exact)) << omega << x << exact;
      EXPECT_LT(std::abs(y - Complex(0., -sense) * exact), 1e-9 * std::abs(exact)) << omega;
      const Complex other = 1. / Complex(100. - omega * omega, omega * (c_e + c_i) + sense * speed * c_i);
      EXPECT_GT(std::abs(x - other), 1e-3 * std::abs(exact)) << "the sense matters";
    }
    if (!method.empty())
    {
      EXPECT_LE(*std::max_element(table.at("residual").begin(), table.at("residual").end()), 1e-9);
    }
  };
  expect("", "back", 1.);
  expect("", "fy", -1.);
  expect("\nset Method = fast\nset Sweep tolerance = 1e-9", "back", 1.);
}

/// Bearings with four different coefficients: H is the inverse of (K + i omega C - omega² M), and not symmetric; reciprocity fails.
TEST(RotorHarmonic, FrequencyResponseOfUnlikeBearings)
{
  const Folder folder;
  const std::string point =
      "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 2\nset Position = 0, 0"));
  const std::string entries = "set Frame = fixed\nset Stiffness = 100, 30, -20, 144\nset Damping = 0.5, 0.1, -0.2, 0.7";
  const Outcome run = run_well(
      folder,
      point + rotation() + bearing(entries) +
          stages(spun_first +
                 section("test", "set Type = frequency response\nset Frequencies = 0.5, 3\nset Points = 4\nset Inputs = disc.x, disc.y")));
  const Table table = table_of(folder / "results/response-test.csv");
  for (std::size_t k = 0; k < table.at("frequency").size(); ++k)
  {
    const double omega = 2. * pi * table.at("frequency")[k];
    const auto Z = [&](const double stiffness, const double damping, const bool own) {
      return Complex(stiffness - (own ? 2. * omega * omega : 0.), omega * damping);
    };
    const Complex xx = Z(100., 0.5, true), xy = Z(30., 0.1, false), yx = Z(-20., -0.2, false), yy = Z(144., 0.7, true),
                  det = xx * yy - xy * yx;
    const auto found = [&](const std::string &out, const std::string &in) { return amplitude(table, "disc." + out + "/disc." + in, k); };
    const double size = std::abs(yy / det);
    EXPECT_LT(std::abs(found("x", "x") - yy / det), 1e-9 * size);
    EXPECT_LT(std::abs(found("x", "y") + xy / det), 1e-9 * size);
    EXPECT_LT(std::abs(found("y", "x") + yx / det), 1e-9 * size);
    EXPECT_LT(std::abs(found("y", "y") - xx / det), 1e-9 * size);
  }
  EXPECT_NE(run.log.find("reciprocity"), std::string::npos) << run.log;
}

namespace
{
/// A shaft with a heavy disc, free to tilt, on bearings that differ, with damping that turns.
std::string tilting(const std::string &more)
{
  std::string ends;
  for (const char *end : {"left", "right"})
    ends += section(
        end, fmt::format("set At = {}\nset Frame = fixed\nset Stiffness = 2e6, 5e5, -2e5, 4e6\nset Damping = 300, 20, -30, 500", end));
  return "set Structure = discrete\n" +
         section("Points", section("left", "set Position = 0, 0, 0") + section("hub", "set Position = 0, 0, 0.3") +
                               section("face", "set Position = 0, 0, 0.34") + section("right", "set Position = 0, 0, 0.9")) +
         section("Beams", section("shaft", round_beam("left", "hub", 2, 0.015)) + section("disc", round_beam("hub", "face", 1, 0.15)) +
                              section("end", round_beam("face", "right", 3, 0.015))) +
         drive + section("Dashpots", section("fit", "set Points = hub\nset Coefficient = 40")) + rotation() + section("Bearings", ends) +
         more;
}
}  // namespace

/// The steady whirl by an unbalance is the harmonic answer at omega = Omega to m r Omega² (cos, sin); the force that goes round backward,
/// and a rotor of another speed, have other answers.
TEST(RotorHarmonic, UnbalanceIsTwoForcesThatTurn)
{
  const double speed = 300., force = 1e-3 * speed * speed;
  const std::string rim = section("Unbalance", section("rim", "set At = hub\nset Mass times radius = 1e-3"));
  const Folder whirl;
  run_well(whirl, tilting(rim) +
                      stages(section("whirl", "set Type = unbalance\nset Speeds = 300, 400\nset Points = 2\nset Prestress = nonlinear")));
  const Table orbit = table_of(whirl / "results/unbalance-whirl.csv");
  const auto orbit_of = [&](const double rotor, const std::string &loads) {
    const Folder folder;
    run_well(folder, at_speed(tilting(forces_on("hub", ", 0")), rotor) +
                         shake("set Loads = fx, " + loads + "\nset Imaginary loads = " + loads, speed / (2. * pi), speed / (2. * pi), 1));
    const Table table = table_of(folder / "results/harmonic-shake.csv");
    const Complex i(0., 1.), x = force * amplitude(table, "hub.x", 0), y = force * amplitude(table, "hub.y", 0);
    return std::pair(0.5 * (x + i * y), 0.5 * (std::conj(x) + i * std::conj(y)));
  };
  const auto [forward, backward] = orbit_of(speed, "back");
  const double major = std::abs(forward) + std::abs(backward), minor = std::abs(forward) - std::abs(backward);
  EXPECT_NEAR(orbit.at("rim.orbit")[0], major, 1e-8 * major);
  EXPECT_NEAR(orbit.at("rim.minor")[0], minor, 1e-8 * major);
  EXPECT_NEAR(orbit.at("rim.angle")[0], 180. / pi * std::arg(forward), 1e-5);
  for (const auto &[rotor, loads] : {std::pair{speed, "fy"}, {0.5 * speed, "back"}})
  {
    const auto [f, b] = orbit_of(rotor, loads);
    EXPECT_GT(std::abs(std::abs(f) + std::abs(b) - major), 1e-3 * major) << rotor << loads;
  }
}

/// k_xy beyond c omega_0 = 5 N/m, or a stiffness below 0: a warning in each harmonic stage. Below there is none.
TEST(RotorHarmonic, NoSteadyAnswer)
{
  const std::string grows = "a motion of this rotor grows (", sweep = "set Frequencies = 0.5, 3\nset Points = 2\n",
                    harmonic = "set Type = harmonic\nset Loads = fx\n" + sweep,
                    response = "set Type = frequency response\nset Inputs = disc.x\n" + sweep;
  const auto warnings = [&](const std::string &oil, const std::string &stage) {
    const Folder folder;
    return run_well(folder, at_speed(jeffcott(bearing("set Frame = fixed\nset Damping = 0.5\n" + oil) + forces_on("disc")), 15.) +
                                stages(spun_first + section("shake", stage)))
        .terminal;
  };
  for (const std::string &stage : {harmonic, harmonic + "set Method = fast\n", response})
  {
    const std::string whirl = warnings("set Stiffness = 0, 6, -6, 0", stage);
    EXPECT_NE(whirl.find(grows + "flutter, lambda = 0.0499"), std::string::npos) << whirl;
    const std::string calm = warnings("set Stiffness = 0, 4, -4, 0", stage);
    EXPECT_EQ(calm.find(grows), std::string::npos) << calm;
  }
  const std::string falls = warnings("set Stiffness = -200, 0, 0, -50", harmonic);
  EXPECT_NE(falls.find(grows + "divergence, lambda = 9.75"), std::string::npos) << falls;
}

TEST(RotorHarmonic, Refused)
{
  const std::string rotor = jeffcott(bearing("set Frame = fixed\nset Stiffness = 1, 0, 0, 2") + forces_on("disc"));
  expect_refused(
      jeffcott(bearing("set Frame = fixed\nset Stiffness = 1") + forces_on("disc")) + shake("set Loads = fx\nset Structural damping = 0.1"),
      "Structural damping = 0.1: it turns with the rotor, and in fixed axes");
  expect_refused(rotor + shake("set Loads = fx\nset Spacing = between modes\nset Modes = 2"),
                 "Spacing = between modes: needs real modes, and a bearing with k_xx and k_yy that differ and Frame = fixed (");
  expect_refused(rotor + shake("set Loads = fx\nset Method = modal\nset Modes = 2"),
                 "Coriolis' forces of a frame that turns couple the modes");
}
}  // namespace symdyn::tests::in_rotor
