// What other stages, steps and ranks make of a contact: modes of a body that is pressed, steps and increments that are divided, more ranks
// than faces; and a bar that bounces as its waves say.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "tests/linear_decks.h"

namespace symdyn::tests::in_contact_kept
{
namespace
{
using Settings = std::vector<std::string>;

constexpr double pi = 3.141592653589793, modulus = 900., wave_speed = 30., length = 10., mass = 10.;

/// A bar along x of 10 kg, one cell wide: its foot x = 0 is 1 m long.
std::string bar_of(const int cells)
{
  return section("Mesh",
                 fmt::format("set Dimension = 2\nset Type = box\nset Subdivisions = {}, 1\n", cells) + section("box", "set Size = 10, 1")) +
         elastic(modulus, 0., 1.);
}
std::string floor_at(const double x, const std::string &contact)
{
  return section("Obstacles", section("floor", fmt::format("set Type = plane\nset Point = {:.15g}, 0\nset Normal = 1, 0", x))) +
         section("Contact", section("foot", "set Between = x-, floor\n" + contact));
}
/// A barrier that acts from a gap of `layer`.
std::string barrier(const double stiffness, const double layer)
{
  return fmt::format("set Stiffness = {:.15g}\nset Layer = {:.15g}\nset Side = outside", stiffness, layer);
}
std::string newmark(const double h, const double end)
{
  return section("Elements", "set Mass = lumped") +
         section("Time", fmt::format("set Time step = {:.17g}\nset End time = {:.15g}", h, end)) +
         section("Integrator", "set Scheme = newmark") + section("Output", "set Write every = never");
}
const std::string flies = section("Initial conditions", "set Velocity = -10, 0");
std::string weight(const double g)
{
  return section("Loads", section("weight", fmt::format("set Type = gravity\nset Acceleration = {:.15g}, 0", -g)));
}

/// kappa L of the mode `number` of a bar on a contact of k [Pa/m], whose other end is free: (kappa L) tan(kappa L) = k L/E.
double wave_number_on_contact(const int number, const double k)
{
  double below = number * pi, above = number * pi + 0.5 * pi;
  for (int i = 0; i < 100; ++i)
  {
    const double x = 0.5 * (below + above);
    const double sign = number % 2 == 0 ? 1. : -1.;
    (sign * (x * std::sin(x) - k * length / modulus * std::cos(x)) > 0. ? above : below) = x;
  }
  return 0.5 * (below + above);
}
}  // namespace

/// A bar stands on an exponential contact, whose stiffness p ln(100)/c0 is that of the pressure of its weight: the modes are those of the
/// transcendental equation omega/c tan(omega L/c) = k/E. Linear elements of length h with a consistent mass find omega by (kappa h)²/24
/// too high. The next term of that series is smaller by a factor of about (kappa h)²/60, far below 1 % here. The control: an open contact
/// leaves the free modes.
TEST(ContactKept, ModesHaveTheStiffnessOfTheClosedContact)
{
  constexpr int cells = 40, modes = 3;
  constexpr double clearance = 0.5;
  const std::string contact = fmt::format("set Law = exponential\nset Pressure = 100\nset Distance = {}", clearance),
                    side = section("Supports", section("side", "set Boundary = y-\nset Type = symmetry")),
                    forms = section("forms", fmt::format("set Type = modes\nset Modes = {}", modes)),
                    press = section("press", "set Type = static\nset Increments = 2");
  const auto omega_of = [&](const std::string &deck, History *history = nullptr) {
    const Folder folder;
    const Outcome run = run_well(folder, deck);
    if (history)
      *history = run.history;
    return table_of(folder / "results/modes-forms.csv").at("omega");
  };
  // By how much more linear elements find.
  const auto excess = [&](const double wave_number) { return std::pow(wave_number / cells, 2) / 24.; };
  for (const double g : {1., 3.})
  {
    SCOPED_TRACE(g);
    History history;
    const std::vector<double> omega = omega_of(bar_of(cells) + side + floor_at(0., contact) + weight(g) + stages(press + forms), &history);
    const double pressure = g * length;
    EXPECT_NEAR(history.last("foot.force_x"), pressure, 1e-8 * pressure);
    ASSERT_EQ(omega.size(), std::size_t(modes));
    for (int i = 0; i < modes; ++i)
    {
      const double x = wave_number_on_contact(i, std::log(100.) / clearance * pressure);
      EXPECT_NEAR(omega[i] / (wave_speed * x / length) - 1., excess(x), 0.01 * excess(x)) << "mode " << i;
    }
  }
  // The contact acts up to three clearances.
  const std::vector<double> open = omega_of(bar_of(cells) + side + floor_at(-4. * clearance, contact) + stages(forms)),
                            free = omega_of(bar_of(cells) + side + stages(forms));
  ASSERT_EQ(open.size(), free.size());
  for (int i = 0; i < modes; ++i)
  {
    EXPECT_NEAR(open[i], free[i], 1e-9 * (1. + free[i])) << "mode " << i;
    if (i > 0)
    {
      EXPECT_NEAR(free[i] / (wave_speed * i * pi / length) - 1., excess(i * pi), 0.01 * excess(i * pi)) << "mode " << i;
    }
    else
    {
      EXPECT_LT(free[i], 1e-3) << "it flies, and that is another mode than the lowest one that stands";
    }
  }
}

/// A bar with Kelvin-Voigt damping flies, hits a wall at t = 0.103 s, leaves it at 0.79 s, and flies on, with steps H of 8 steps of CFL 1.
/// Nothing is divided before the impact; the three steps about its begin are divided by more than six, in the mean; long afterwards they
/// are whole again, but for the vibration that is left. The velocity of release is that of steps H/8; the control: that of steps H is not.
TEST(ContactKept, StepsAreDividedAtAnImpactAndGrowAgain)
{
  constexpr int cells = 100, coarse = 8;
  constexpr double h = length / cells / wave_speed, layer = 0.1, released = 1.2;
  const auto run = [&](const double step, const double end, const Settings &settings) {
    const Folder folder;
    return run_well(folder,
                    bar_of(cells) + floor_at(-1. - layer, barrier(280., layer)) + flies +
                        section("Damping", "set Stiffness proportional = 5e-4") + newmark(step, end),
                    settings);
  };
  const Settings adaptive{"Time/Adaptive=yes", "Time/Error tolerance=1e-3"};
  constexpr double H = coarse * h;
  // Parts of so many steps H from the start.
  const auto parts = [&](const int steps) {
    const std::string log = run(H, steps * H, adaptive).log;
    std::smatch found;
    if (std::regex_search(log, found, std::regex("([0-9]+) parts, the shortest")))
      return std::stoi(found[1]);
    ADD_FAILURE() << log;
    return 0;
  };
  constexpr int before = 3, in_impact = 6, long_after = 60, at_end = 90;
  EXPECT_EQ(parts(before), before);
  EXPECT_GE(parts(in_impact) - before, 6 * (in_impact - before)) << "the impact is at 3.9 steps";
  EXPECT_LE(parts(at_end) - parts(long_after), 1.5 * (at_end - long_after));
  const auto velocity = [](const Outcome &outcome) { return outcome.history.last("P_x") / mass; };
  const double fixed = velocity(run(h, released, {}));
  EXPECT_GT(fixed, 9.);
  EXPECT_NEAR(velocity(run(H, released, adaptive)), fixed, 0.02 * fixed);
  EXPECT_GT(std::abs(velocity(run(H, released, {})) - fixed), 0.02 * fixed) << "the control";
}

/// A plane 1 mm below a cube of 0.1 m moves 40 mm upwards in one increment. Newton's first iterate is so deep in the barrier that eight
/// iterations do not lead out of it: the control. Halved increments lead to the state of 16 increments, which need no halving. An elastic
/// equilibrium does not depend on the way there: both differ by what Newton's method leaves, 1e-10 of its residuals.
TEST(ContactKept, HalvedIncrementsPressABlockOntoAPlane)
{
  const std::string deck =
      section("Mesh", "set Type = box\nset Subdivisions = 3, 3, 3\n" + section("box", "set Size = 0.1, 0.1, 0.1")) +
      elastic(1e6, 0.4, 1100., "neo-hooke-log") +
      section("Obstacles",
              section("press", "set Type = plane\nset Point = 0, 0, -0.001\nset Normal = 0, 0, 1\nset Motion = 0, 0, 0.04*t")) +
      section("Contact", section("foot", "set Between = z-, press")) +
      section("Supports", section("top", "set Boundary = z+\nset Type = fixed")) +
      stages(section("press", "set Type = static\nset Duration = 1"));
  const Settings few{"Newton/Max iterations=8"};
  const Folder failing, halving, dividing;
  const Outcome fails = run_text(failing, deck, few);
  EXPECT_EQ(fails.exit_code, 2) << fails.terminal;
  EXPECT_EQ(has(fails.terminal, "DIVERGED_MAX_IT"), "");
  EXPECT_EQ(has(fails.terminal, "set Halve on failure = yes"), "") << "the way out";
  const Outcome halved = run_well(halving, deck, {few[0], "Stages/press/Halve on failure=yes"});
  EXPECT_EQ(has(halved.log, "the increment from 0 to 1 of the loads fails and is halved"), "");
  const History many = run_well(dividing, deck, {"Stages/press/Increments=16"}).history;
  EXPECT_GT(many.last("foot.force_z"), 1e3);
  for (const char *column : {"foot.force_z", "foot.gap", "top.R_z"})
    EXPECT_NEAR(halved.history.last(column), many.last(column), 1e-6 * std::abs(many.last(column))) << column;
}

/// The foot of a bar is one face: three of four ranks have none.
TEST(ContactKept, MoreRanksThanFacesAgree)
{
  constexpr int cells = 20;
  constexpr double h = length / cells / wave_speed, layer = 0.5;
  const std::string deck =
      bar_of(cells) + floor_at(-layer, barrier(180., layer)) + flies + section("Newton", "set Tolerance = 1e-12") + newmark(h, 60 * h);
  const Folder one, four;
  const History whole = run_well(one, deck).history;
  const Outcome shared = run_well(four, deck, {}, 4);
  EXPECT_EQ(shared.summary["ranks"], 4);
  const auto most = [](const std::vector<double> &values) {
    double largest = 0;
    for (const double value : values)
      largest = std::max(largest, std::abs(value));
    return largest;
  };
  EXPECT_GT(most(whole["foot.force_x"]), 280.) << "it has hit the floor: rho c v A = 300 N";
  ASSERT_EQ(shared.history.rows(), whole.rows());
  for (const char *column : {"P_x", "E_total", "foot.gap", "foot.force_x", "foot.pressure"})
    for (std::size_t i = 0; i < whole.rows(); ++i)
      ASSERT_NEAR(shared.history[column][i], whole[column][i], 1e-9 * most(whole[column])) << column << ", row " << i;
}

namespace
{
/// A bar falls 5 m under g = 10 m/s² onto a floor, twice until t = 4.5 s.
History bounce(const int cells, const double stiffness, const double layer)
{
  const double h = length / cells / wave_speed;
  const Folder folder;
  return run_well(folder,
                  bar_of(cells) + floor_at(-5. - layer, barrier(stiffness, layer)) + weight(10.) + newmark(h, std::round(4.5 / h) * h))
      .history;
}
/// The force of a rigid floor jumps at the begin and at the end of a contact. One that is not rigid passes half of each jump there: the
/// first and the last time in a span.
std::array<double, 2> contact_in(const History &history, const double from, const double to, const double first_jump,
                                 const double last_jump)
{
  double begin = 0, end = 0;
  for (std::size_t i = 0; i < history.rows(); ++i)
    if (const double t = history["time"][i], force = history["foot.force_x"][i]; t > from && t < to)
    {
      begin = begin == 0. && force > 0.5 * first_jump ? t : begin;
      end = force > 0.5 * last_jump ? t : end;
    }
  return {begin, end};
}
std::array<double, 4> contacts(const History &history)
{
  const std::array<double, 2> first = contact_in(history, 0.5, 2.5, 300., 500.), second = contact_in(history, 2.5, 4.5, 500., 300.);
  return {first[0], first[1], second[0], second[1]};
}
}  // namespace

/// Reference R2 of contact, exact (of the kind of Doyen, Ern, Piperno, SIAM J. Sci. Comput. 33 (2011) 223): contacts from 1 to 5/3 s and
/// from 11/3 to 13/3 s, with the pressures 300 + 300 (t - 1) and 500 - 300 (t - 11/3). The bounds are those of the reference: for times
/// 0.5 % and what a wave needs for two cells, for means of pressures over 0.1 s 3 %. The control: a floor that is soft for a metre.
TEST(ContactKept, ABouncingBarMeetsTheFloorWhenWavesSay)
{
  constexpr int cells = 200;
  constexpr double size = length / cells, h = size / wave_speed;
  constexpr std::array<double, 4> exact{1., 5. / 3., 11. / 3., 13. / 3.};
  const auto bound = [&](const double t) { return 0.005 * t + 2. * size / wave_speed; };
  const History history = bounce(cells, 0.5 * size / (h * h), size);  // h omega_0 = 1, a layer of one cell
  const std::array<double, 4> found = contacts(history);
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR(found[i], exact[i], bound(exact[i])) << i;
  const auto mean_error = [&](const double from) {
    double sum = 0, number = 0;
    for (std::size_t i = 0; i < history.rows(); ++i)
      if (const double t = history["time"][i]; t >= from && t < from + 0.1)
      {
        sum += history["foot.force_x"][i];
        number += 1.;
      }
    const double middle = from + 0.05, pressure = from < 2. ? 300. + 300. * (middle - exact[0]) : 500. - 300. * (middle - exact[2]);
    return sum / number / pressure - 1.;
  };
  for (const double from : {1.1, 1.2, 1.3, 1.4, 1.5, 3.8, 3.9, 4., 4.1, 4.2})
    EXPECT_LT(std::abs(mean_error(from)), 0.03) << from;
  const std::array<double, 4> soft = contacts(bounce(20, 100., 1.));
  for (std::size_t i = 0; i + 1 < exact.size(); ++i)
    EXPECT_GT(soft[i] - exact[i], bound(exact[i])) << i;
}
}  // namespace symdyn::tests::in_contact_kept
