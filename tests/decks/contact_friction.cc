// Friction in decks: blocks that slide, stop, stick and creep not; bodies that hit each other; ranks, restarts, and what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/colliding_blocks.h"

namespace symdyn::tests::in_friction_decks
{
namespace
{
using Settings = std::vector<std::string>;

constexpr double mu = 0.3, g = 9.81;

/// A block of 0.2 x 0.1 m on a floor.
std::string block(const std::string &of_contact = "")
{
  return section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 4, 2\n" + section("box", "set Size = 0.2, 0.1")) +
         section("Materials", section("rubber", "set Type = st-venant-kirchhoff\nset E = 1e6\nset nu = 0.3\nset Density = 1000")) +
         section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0\nset Normal = 0, 1")) +
         section("Contact", section("foot", fmt::format("set Between = y-, floor\nset Friction = {}\n", mu) + of_contact));
}
std::string weight(const double degrees = 0.)
{
  const double angle = degrees * std::acos(-1.) / 180.;
  return section("Loads", section("weight", fmt::format("set Type = gravity\nset Acceleration = {:.17g}, {:.17g}", g * std::sin(angle),
                                                        -g * std::cos(angle))));
}
std::string steps(const std::string &scheme, const double h, const double end)
{
  return section("Time", fmt::format("set Time step = {}\nset End time = {}", h, end)) + section("Integrator", "set Scheme = " + scheme) +
         section("Output", "set Write every = never");
}
}  // namespace

/// Reference R12 of contact: a block with 3 m/s stops after v²/(2 mu g) = 1.529 m and 1.019 s, though it bounces a little. By the discrete
/// gradient the energy is what friction has dissipated, to the tolerance of Newton's method.
TEST(Friction, ABlockSlidesAndStops)
{
  const Folder folder;
  const std::string deck =
      block() + weight() + section("Initial conditions", "set Velocity = 3, 0") + steps("discrete-gradient", 1e-3, 1.2);
  const History history = run_well(folder, deck).history;
  double way = 0;
  for (std::size_t i = 1; i < history.rows(); ++i)
    way += 0.5 * (history["time"][i] - history["time"][i - 1]) * (history["P_x"][i] + history["P_x"][i - 1]) / 20.;
  EXPECT_NEAR(way, 9. / (2. * mu * g), 3e-3);
  EXPECT_NEAR(history.last("P_x") / 20., 0., 0.02);
  EXPECT_LT(largest(history["E_balance_error"]), 1e-8 * 90.);
  EXPECT_NEAR(history.last("foot.slip_work"), history.last("E_dissipated"), 1e-12 * 90.);
  EXPECT_GT(history.last("foot.slip_work"), 0.99 * 90.);
  const Outcome smooth = run_text(folder, deck, {"Contact/foot/Friction=0"});
  ASSERT_EQ(smooth.exit_code, 0) << smooth.terminal;
  EXPECT_NEAR(smooth.history.last("P_x"), 60., 1e-9) << "negative control";
}

/// Reference R12: on an incline of 16.5 degrees, below atan(mu) = 16.7, the block sticks, and does not creep; on one of 20 it slides with
/// a = g (sin - mu cos) = 0.5897 m/s². Damping M alpha quiets the bouncing, so that x'' = a - alpha x'.
TEST(Friction, AnInclineHoldsBelowItsThreshold)
{
  constexpr double alpha = 40., t = 0.5, a = 0.5897022;
  const auto way = [&](const double degrees) {
    const Folder folder;
    const auto until = [](const double end) { return section("Time", fmt::format("set Time step = 1e-3\nset End time = {}", end)); };
    const std::string deck =
        block() + weight(degrees) + section("Damping", fmt::format("set Mass proportional = {}", alpha)) +
        section("Integrator", "set Scheme = newmark") + section("Output", "set Write every = never") +
        section("Supports", section("hold", "set Boundary = x-\nset Type = displacement\nset Displacement = 0, free")) +
        stages(section("settle", "set Type = dynamic\n" + until(t)) +
               section("go", "set Type = dynamic\nset Supports = none\n" + until(2. * t))) +
        section("Probes", section("corner", "set Point = 0.2, 0.1"));
    const std::vector<double> x = run_well(folder, deck).history["corner.u_x"];
    return x.back() - x[3 * x.size() / 4];
  };
  EXPECT_LT(std::abs(way(16.5)), 1e-6);
  EXPECT_NEAR(way(20.), 0.5 * t * a / alpha, 0.01 * t * a / alpha) << "in the last quarter of a second, when v = a/alpha";
}

/// What has come to rest stays there: the discrete gradient divides no rounding by ways that are nearly 0.
TEST(Friction, AtRestTheDiscreteGradientConverges)
{
  const Folder folder;
  const std::string deck = block() + weight(10.) + section("Damping", "set Kelvin-Voigt = 0.01\nset Mass proportional = 20") +
                           steps("discrete-gradient", 2e-3, 3.);
  const History history = run_well(folder, deck).history;
  EXPECT_LT(history.last("E_kinetic"), 1e-12);
  EXPECT_GT(history.last("foot.force_y"), 0.9 * 20. * g);
  EXPECT_LT(largest(history["E_balance_error"]), 1e-9);
}

/// Pressed on the floor and dragged to and fro by s, the block loses 4 mu N (s - mu p/k_t) a cycle, with k_t of the deck.
TEST(Friction, CyclesHaveTheAreaOfStickAndSlip)
{
  const Folder folder;
  const double slope = 1e6, s = 2e-3, area = 0.2;
  const std::string all = "set Boundary = x-, x+, y+\nset Type = displacement\nset Displacement = ";
  const std::string supports = section("hold", all + "0, -1e-6") + section("drag", all + fmt::format("{}*sin(pi*t/2), -1e-6", s));
  const std::string deck = block(fmt::format("set Stick slope = {}", slope)) + section("Supports", supports) +
                           stages(section("press", "set Type = static\nset Supports = hold\nset Increments = 2") +
                                  section("first", "set Type = static\nset Supports = drag\nset Duration = 1\nset Increments = 20") +
                                  section("cycle", "set Type = static\nset Supports = drag\nset Duration = 4\nset Increments = 80"));
  const History history = run_well(folder, deck, {"Materials/rubber/E=1e9", "Materials/rubber/nu=0"}).history;
  ASSERT_EQ(history.rows(), 105) << "each stage begins with a row";
  const double most = mu * history.last("foot.force_y"), stick = most / area / slope;
  const double at_first = history["foot.slip_work"][23], of_cycle = history.last("foot.slip_work") - at_first;
  EXPECT_LT(stick, 0.5 * s);
  EXPECT_NEAR(at_first, most * (s - stick), 1e-3 * most * s);
  EXPECT_NEAR(of_cycle, 4. * most * (s - stick), 1e-3 * of_cycle);
  EXPECT_NEAR(largest(history["foot.force_x"]), most, 1e-3 * most);
}

/// Pressed and dragged in the same increments, a block takes mu N over, N of the end of each, where increments are repeated.
TEST(Friction, RepeatedIncrementsHaveThePressureOfTheirEnd)
{
  const Folder folder;
  const std::string all = "set Boundary = x-, x+, y+\nset Type = displacement\nset Displacement = 5e-3*t, -1e-6*t";
  const std::string deck = block("set Stick slope = 1e6") + section("Supports", section("drag", all)) +
                           stages(section("press", "set Type = static\nset Duration = 1\nset Increments = 2"));
  const auto ratio = [&](const std::string &iterations) {
    const History history =
        run_well(folder, deck, {"Materials/rubber/E=1e9", "Materials/rubber/nu=0", "Contact/foot/Friction iterations=" + iterations})
            .history;
    return -history.last("foot.force_x") / history.last("foot.force_y");
  };
  EXPECT_LT(ratio("0"), 0.5 * mu) << "negative control";
  EXPECT_NEAR(ratio("2"), mu, 1e-6);
}

/// Pressed by a fifth and dragged: the normal force is that of no depth, and friction mu of it, also without Friction iterations, because
/// increments are repeated for the multipliers. The controls: a penalty is 1 % short of the force, and its friction is of the increment
/// before.
TEST(Friction, OfMultipliersHasTheirPressure)
{
  constexpr double force = 1000. * 0.2 * 0.2;  // E times the strain times the foot
  const auto run = [](const std::vector<std::string> &of_law) {
    const Folder folder;
    std::vector<std::string> settings{"Materials/rubber/Type=linear-elasticity", "Materials/rubber/E=1000", "Materials/rubber/nu=0"};
    settings.insert(settings.end(), of_law.begin(), of_law.end());
    const std::string drag = "set Boundary = y+\nset Type = displacement\nset Displacement = 0.05, -0.02";
    const std::string deck =
        block() + section("Supports", section("drag", drag)) + stages(section("press", "set Type = static\nset Increments = 4"));
    return run_well(folder, deck, settings).history;
  };
  const auto ratio = [](const History &history) { return -history.last("foot.force_x") / history.last("foot.force_y"); };
  const History hard = run({"Contact/foot/Law=hard"}), again = run({"Contact/foot/Law=hard", "Contact/foot/Friction iterations=3"}),
                linear = run({"Contact/foot/Law=linear", "Contact/foot/Stiffness=1e6"});
  for (const History *one : {&hard, &again})
    EXPECT_NEAR(one->last("foot.force_y"), force, 1e-4 * force);
  EXPECT_NEAR(ratio(hard), mu, 5e-3 * mu);
  EXPECT_NEAR(ratio(again), mu, 1e-4 * mu);
  EXPECT_LT(linear.last("foot.force_y"), 0.995 * force);
  EXPECT_LT(ratio(linear), 0.9 * mu);
}

namespace
{
CollidingBlocks rubbing_blocks() { return CollidingBlocks("set Friction = 0.4", 0.05, "if(x < 1.02, 1, 0), if(x < 1.02, 0.5, 0), 0.05"); }
}  // namespace

/// Forces of friction between free bodies have no resultant and no moment, by every kind of scheme; energy and what friction dissipates
/// add up by the discrete gradient.
TEST(Friction, CollisionsKeepMomenta)
{
  const CollidingBlocks collision = rubbing_blocks();
  for (const std::string scheme : {"midpoint", "discrete-gradient", "central-difference"})
  {
    SCOPED_TRACE(scheme);
    const Settings settings{"Integrator/Scheme=" + scheme, "Contact/hit/Layer=0.05", "Time/End time=0.24"};
    const History history = run_well(collision.folder, collision.deck, settings).history;
    EXPECT_GT(history.last("hit.slip_work"), 1e-3);
    for (const char *momentum : {"Pc_x", "Pc_y", "Pc_z", "Jc_x", "Jc_y", "Jc_z"})
      EXPECT_LT(drift(history, momentum, 1.), 1e-12) << momentum;
    if (scheme == "discrete-gradient")
    {
      EXPECT_LT(largest(history["E_balance_error"]), 1e-11);
    }
    for (std::size_t i = 1; i < history.rows(); ++i)
      ASSERT_GE(history["hit.slip_work"][i], history["hit.slip_work"][i - 1]) << "second law, row " << i;
  }
}

/// By segments, too; a motion that rubs.
TEST(Friction, OfSegmentsKeepsMomentaRanksAgreeAndARestartKeepsItsBits)
{
  const CollidingBlocks collision("set Friction = 0.4\nset Pairing = segments\nset Layer = 0.05", 0.05,
                                  "if(x < 1.02, 1, 0), if(x < 1.02, 0.5, 0), 0.05");
  const History history =
      expect_ranks_and_restart_to_agree(collision.deck, [](const Folder &folder) { CollidingBlocks::write_mesh(folder); }, 0.16, 40,
                                        {"P_y", "J_z", "E_total", "hit.slip_work", "hit.force_y"});
  EXPECT_GT(history.last("hit.slip_work"), 1e-4);
  // By a scheme whose momenta need no force: that of a state is of the next segments.
  const History flight = run_well(collision.folder, collision.deck, {"Integrator/Scheme=central-difference", "Time/End time=0.16"}).history;
  EXPECT_GT(flight.last("hit.slip_work"), 1e-4);
  for (const char *momentum : {"Pc_x", "Pc_y", "Pc_z", "Jc_x", "Jc_y", "Jc_z"})
    EXPECT_LT(drift(flight, momentum, 1.), 1e-12) << momentum;
}

TEST(Friction, RanksAgreeAndARestartKeepsItsBits)
{
  const History history =
      expect_ranks_and_restart_to_agree(rubbing_blocks().deck, [](const Folder &folder) { CollidingBlocks::write_mesh(folder); }, 0.16, 40,
                                        {"P_y", "J_z", "E_total", "hit.slip_work", "hit.force_y"});
  EXPECT_GT(history.last("hit.slip_work"), 1e-4);
}

TEST(Friction, OnAFloorRanksAgreeAndARestartKeepsItsBits)
{
  const std::string deck = block() + weight() + section("Initial conditions", "set Velocity = 3, 0") + steps("newmark", 1e-3, 0.2);
  const History history =
      expect_ranks_and_restart_to_agree(deck, [](const Folder &) {}, 0.2, 50, {"P_x", "E_total", "foot.slip_work", "foot.force_x"});
  EXPECT_GT(history.last("foot.slip_work"), 1.);
}

/// A block that is thrown: it touches, slides, and the energy balance closes with what friction and damping dissipate.
TEST(Friction, TheExampleKeepsItsBalance)
{
  const Folder folder;
  const Outcome run = run_deck(folder, "examples/slide.prm", {"Time/End time=0.2", "Output/Write every=never"});
  ASSERT_EQ(run.exit_code, 0) << run.terminal;
  EXPECT_GT(run.history.last("drop.slip_work"), 20.);
  EXPECT_LT(largest(run.history["E_balance_error"]), 1e-10 * run.history["E_kinetic"].front());
}

TEST(Friction, RefusesWhatItCannot)
{
  const std::string deck = block() + weight() + steps("newmark", 1e-3, 0.1);
  expect_refused(deck, "[Contact/foot] Friction = -0.1", {"Contact/foot/Friction=-0.1"});
  expect_refused(deck, "Stick slope = 0: must be a number > 0", {"Contact/foot/Stick slope=0"});
  expect_refused(deck, "Stick slope = 1e12: h omega_0", {"Contact/foot/Stick slope=1e12"});
  expect_refused(deck, "has no effect without Friction", {"Contact/foot/Friction=0", "Contact/foot/Stick slope=1e6"});
  expect_refused(deck, "Friction iterations = 2: has no effect without Friction",
                 {"Contact/foot/Friction=0", "Contact/foot/Friction iterations=2"});
  expect_refused(deck, "uses the third derivative of V, and friction has none", {"Integrator/Scheme=zhang-skeel"});
  const CollidingBlocks collision = rubbing_blocks();
  const Outcome run = run_text(collision.folder, collision.deck, {"Contact/hit/Pairing=segments", "Integrator/Scheme=midpoint"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(has(run.terminal, "of segments is of the end of a step, and midpoint takes laws within it"), "") << run.terminal;
  expect_refused(deck, "Friction sticks by Stick slope, also in motion", {"Contact/foot/Stick velocity=1e-3"});
}
}  // namespace symdyn::tests::in_friction_decks
