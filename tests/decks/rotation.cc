// Decks with a section Rotation: spin softening, stress stiffening and Coriolis' forces of points, beams, shells and solids.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_rotation
{
namespace
{
constexpr double pi = 3.14159265358979323846;
std::string turning(const double speed, const std::string &more = "")
{
  return section("Rotation", fmt::format("set Speed = {:.15g}\n", speed) + more);
}
const std::string spin = section("spin", "set Type = static");
std::string find_complex(const std::string &more) { return section("damped", "set Type = complex modes\n" + more); }
const std::string of_modes = section("free", "set Type = modes\nset Modes = 4");
std::map<std::string, std::vector<double>> complex_table(const std::string &deck, const std::string &more, const int ranks = 1)
{
  const Folder folder;
  run_well(folder, deck + stages(spin + find_complex(more)), {}, ranks);
  return table_of(folder / "results/complex-modes-damped.csv");
}
std::vector<double> omegas(const std::string &deck)
{
  const Folder folder;
  run_well(folder, deck + stages(spin + of_modes));
  return table_of(folder / "results/modes-free.csv")["omega"];
}

/// A mass of 1 kg on the axis, on springs of kx and ky that turn with the frame.
std::string shaft(const double kx, const double ky, const double speed)
{
  return "set Structure = discrete\n" + section("Points", "set Dimension = 2\n" + section("disc", "set Mass = 1\nset Position = 0, 0")) +
         section("Springs",
                 section("x", fmt::format("set From = disc\nset To = ground\nset Anchor = 1, 0\nset Stiffness = {:.15g}", kx)) +
                     section("y", fmt::format("set From = disc\nset To = ground\nset Anchor = 0, 1\nset Stiffness = {:.15g}", ky))) +
         turning(speed);
}

/// A beam of 2 m along x, clamped at x = 0 on the axis z through there, 20 mm x 20 mm; Omega in sqrt(E I/(rho A L⁴)).
constexpr double beam_size = 0.02, beam_unit = 2e11 / 8000. * beam_size * beam_size / 12. / 16.;
std::string blade(const double speed)
{
  return "set Structure = discrete\n" +
         section("Points", section("hub", "set Position = 0, 0, 0\nset Fixed = yes") + section("tip", "set Position = 2, 0, 0")) +
         section("Beams",
                 section("blade", fmt::format("set From = hub\nset To = tip\nset Elements = 8\nset Type = B32\nset Direction = 0, 1, "
                                              "0\nset Size = {0}, {0}\nset E = 2e11\nset nu = 0.3\nset Density = 8000\nset Clamped = "
                                              "from",
                                              beam_size))) +
         turning(speed * std::sqrt(beam_unit), "set Axis = 0, 0, 2");
}
}  // namespace

/// kx = 100, ky = 121: between 10 and 11 rad/s the shaft diverges; beyond, both forms are stable though K is indefinite.
TEST(Rotation, UnsymmetricShaft)
{
  const auto within = complex_table(shaft(100., 121., 10.3), "set Modes = 4"),
             beyond = complex_table(shaft(100., 121., 12.), "set Modes = 2");
  double largest = 0.;
  for (const double re : within.at("Re lambda"))
    largest = std::max(largest, re);
  EXPECT_NEAR(largest, 0.45772883, 1e-8);
  EXPECT_NEAR(beyond.at("Im lambda in the frame of the rotor").at(0), 1.41281267, 1e-8);
  EXPECT_NEAR(beyond.at("Im lambda in the frame of the rotor").at(1), 22.51674844, 1e-8);
  for (const double re : beyond.at("Re lambda"))
    EXPECT_NEAR(re, 0., 1e-10);
}

/// Wright, Smith, Thresher, Wang 1982: out of the plane 11.20233 at Omega = 10 (3.51602 at rest), in the plane omega² is less by Omega².
TEST(Rotation, Blade)
{
  const auto omega = omegas(blade(10.));
  EXPECT_NEAR(omega.at(0) / std::sqrt(beam_unit), 5.04898, 2e-2);
  EXPECT_NEAR(omega.at(1) / std::sqrt(beam_unit), 11.20233, 1e-2);
  EXPECT_NEAR(omega[1] * omega[1] - omega[0] * omega[0], 100. * beam_unit, 1e-3 * 100. * beam_unit);
}

/// A square shaft of 50 x 50 x 1000 mm in its frame, by 16 beams: Timoshenko's numbers, forward and backward, below and above the first
/// critical speed.
TEST(Rotation, SquareShaft)
{
  const auto deck = [](const double speed) {
    return "set Structure = discrete\n" +
           section("Points", section("left", "set Position = 0, 0, 0\nset Fixed = yes") +
                                 section("right", "set Position = 0, 0, 1000\nset Fixed = yes")) +
           section("Beams", section("shaft",
                                    "set From = left\nset To = right\nset Elements = 16\nset Type = B32\nset Direction = 1, 0, "
                                    "0\nset Size = 50, 50\nset E = 210000\nset nu = 0.3\nset Density = 7.85e-9")) +
           turning(speed);
  };
  for (const auto &[speed, forward, backward] : {std::tuple{500., 234.7696, 1232.7431}, {1000., 264.2151, 1731.7319}})
  {
    const auto found = complex_table(deck(speed), "set Modes = 4");
    std::vector<double> bending;  // nothing holds the shaft against turning about itself
    for (const double one : found.at("Im lambda in the frame of the rotor"))
      if (one > 1.)
        bending.push_back(one);
    ASSERT_GE(bending.size(), 2u);
    EXPECT_NEAR(bending[0], forward, 1e-3 * forward);
    EXPECT_NEAR(bending[1], backward, 1e-3 * backward);
    for (const double re : found.at("Re lambda"))
      EXPECT_NEAR(re, 0., 1e-3);
  }
}

/// At the critical speed nothing resists: two pairs of lambda = 0, and lambda = 2 i Omega.
TEST(Rotation, CriticalSpeed)
{
  const auto found = complex_table(shaft(100., 100., 10.), "set Modes = 4");
  EXPECT_EQ(found.at("Im lambda in the frame of the rotor").front(), 0.);
  EXPECT_NEAR(found.at("Im lambda in the frame of the rotor").back(), 20., 1e-9);
}

/// Loads grow, the speed of the frame does not: by default its load is left out, and it is refused by name.
TEST(Rotation, TheLoadOfTheFrameDoesNotGrow)
{
  const std::string pull = section("Forces", section("pull", "set Points = tip\nset Force = 1, 0, 0"));
  const auto factor = [&](const std::string &speed_and_loads) {
    const Folder folder;
    run_well(folder, blade(2.) + pull +
                         stages(section("spin", "set Type = static\nset Loads = rotation") +
                                section("grow", "set Type = buckling\nset Sign = negative\nset Modes = 1\n" + speed_and_loads)));
    return table_of(folder / "results/buckling-grow.csv")["factor"].at(0);
  };
  EXPECT_NEAR(factor(""), factor("set Loads = pull"), 1e-9 * std::abs(factor("")));
  expect_refused(blade(2.) + pull + stages(spin + section("grow", "set Type = buckling\nset Loads = rotation")),
                 "the centrifugal load of a frame cannot grow");
  expect_refused(
      blade(2.) + section("Base motion", "set File = " SYMDYN_SOURCE "/decks/examples/record.csv\nset Unit = g\nset Direction = 1, 0, 0") +
          stages(spin),
      "has no Base motion");
}

/// The same blade, of ten nine-node cells in a plane, 1 m x 0.02 m; symmetric tangents keep their Sturm count.
TEST(Rotation, PlaneSolidOnRanks)
{
  const double unit = 1e6 * 0.02 * 0.02 / 12.;
  const std::string deck = section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 10, 1\nset Order = 2\n" +
                                               section("box", "set Size = 1, 0.02")) +
                           elastic(1e6, 0., 1., "st-venant-kirchhoff") + section("Supports", section("root", "set Boundary = x-")) +
                           turning(10. * std::sqrt(unit), "set Point = 0, 0.01");
  EXPECT_NEAR(omegas(deck).at(0) / std::sqrt(unit), 5.04898, 6e-2);
  const auto one = complex_table(deck, "set Modes = 2").at("Im lambda in the frame of the rotor"),
             two = complex_table(deck, "set Modes = 2", 2).at("Im lambda in the frame of the rotor");
  for (int i = 0; i < 2; ++i)
    EXPECT_NEAR(one.at(i), two.at(i), 1e-8 * one[i]);
}

/// u_x = F b/(a b - 4 omega² Omega²), u_y = -2 i omega Omega F/(...), a, b = k - Omega² - omega².
TEST(Rotation, Harmonic)
{
  const double speed = 4., omega = 5.;
  const Folder folder;
  run_well(folder,
           shaft(100., 121., speed) + section("Forces", section("shake", "set Points = disc\nset Force = 7, 0")) +
               stages(section("spin", "set Type = static\nset Loads = rotation") +
                      section("shaken", fmt::format("set Type = harmonic\nset Loads = shake\nset Frequencies = {0:.15g}, {1:.15g}\nset "
                                                    "Points = 2",
                                                    omega / (2. * pi), 2. * omega / (2. * pi)))));
  const auto found = table_of(folder / "results/harmonic-shaken.csv");
  for (int i = 0; i < 2; ++i)
  {
    const double w = (i + 1.) * omega, a = 100. - speed * speed - w * w, b = a + 21., D = a * b - 4. * w * w * speed * speed;
    EXPECT_NEAR(found.at("amplitude disc.x")[i], std::abs(7. * b / D), 1e-9) << i;
    EXPECT_NEAR(found.at("amplitude disc.y")[i], std::abs(7. * 2. * w * speed / D), 1e-9) << i;
    EXPECT_NEAR(std::abs(std::remainder(found.at("phase disc.x")[i] - found.at("phase disc.y")[i], 180.)), 90., 1e-6) << i;
  }
}

TEST(Rotation, Refused)
{
  const std::string deck = shaft(100., 121., 5.);
  expect_refused(deck + stages(of_modes), "the state does not bear its centrifugal load");
  expect_refused(deck + stages(section("spin", "set Type = static\nset Loads = none") + find_complex("")),
                 "Put a static stage before this one");
  expect_refused(deck + stages(spin + section("move", "set Type = dynamic\n" + section("Time", "set Time step = 0.1\nset End time = 1"))),
                 "turn the body by its initial velocity");
  expect_refused(deck + section("Forces", section("shake", "set Points = disc\nset Force = 7, 0")) +
                     stages(section("spin", "set Type = static\nset Loads = rotation") +
                            section("shaken", "set Type = harmonic\nset Method = modal\nset Loads = shake\nset Frequencies = 1, 2")),
                 "Coriolis' forces of a frame that turns couple the modes");
  expect_refused(shaft(100., 121., 0.) + stages(spin), "a frame of speed zero does not turn");
}
}  // namespace symdyn::tests::in_rotation
