// Contacts that stages switch, and springs that push where a gap is closed.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "tests/press.h"

namespace symdyn::tests::in_contact_stages
{
using namespace of_press;

namespace
{
/// A press of three static stages: closed, open, closed; the contact's k is 1e4, and friction remembers.
std::string three_stages(const Press &press, const std::string &contact_of_second)
{
  std::string deck = press.deck;
  return deck.replace(deck.find("subsection Stages"), std::string::npos,
                      stages(section("press", "set Type = static") + section("part", "set Type = static\n" + contact_of_second) +
                             section("again", "set Type = static")));
}
}  // namespace

TEST(ContactStages, AStageLeavesAContactOut)
{
  const Press press("set Law = linear\nset Stiffness = 1e4\nset Friction = 0.2");
  const double k_press = 0.2 / (2. / E + 1e-4);
  const History off = run_well(press.folder, three_stages(press, "set Contact = none")).history;
  const History on = run_well(press.folder, three_stages(press, "")).history;
  ASSERT_EQ(off.rows(), on.rows());
  const auto at_end_of = [](const History &history, const int stage, const std::string &column) {
    return history[column][history.rows() - 1 - 2 * (2 - stage)];
  };
  for (const int stage : {0, 1, 2})
  {
    SCOPED_TRACE(stage);
    const double expected = stage == 1 ? 0. : k_press;
    EXPECT_NEAR(at_end_of(off, stage, "x.R_x"), expected, 1e-8 * k_press);
    EXPECT_NEAR(at_end_of(off, stage, "touch.force_x"), -expected, 1e-8 * k_press);
    EXPECT_NEAR(at_end_of(on, stage, "x.R_x"), k_press, 1e-8 * k_press) << "without the entry it acts";
  }
  EXPECT_NEAR(at_end_of(off, 1, "touch.gap"), -0.2, 1e-9) << "the blocks stand in each other";
}

TEST(ContactStages, NamesThatHaveNoEffectAreSaid)
{
  const Press press("set Law = linear\nset Stiffness = 1e4");
  const std::string wait = "set Duration";
  const auto log = [&](const std::string &deck, const std::string &setting) { return run_well(press.folder, deck, {setting}).log; };
  EXPECT_EQ(has(log(press.deck, "Stages/press/Contact=none"), "no stage uses this contact"), "");
  EXPECT_NE(has(log(press.deck, "Stages/press/Contact=touch"), "no stage uses this contact"), "");
  const Outcome twice = run_text(press.folder, press.deck, {"Stages/press/Contact=touch, touch"});
  EXPECT_EQ(twice.exit_code, 1);
  EXPECT_EQ(has(twice.terminal, "names 'touch' twice. Name it once"), "") << twice.terminal;
  // Supports that stand still in a stage are no fault, unless they move with t.
  const std::string three = three_stages(press, "");
  EXPECT_NE(has(log(three, "Supports/push/Displacement=-0.2, free, free"), wait), "");
  EXPECT_EQ(has(log(three, "Supports/push/Displacement=-0.2 - 0.1*t, free, free"), wait), "");
}

/// A block that is dragged over a floor; what friction has dissipated stays while the contact is off.
TEST(ContactStages, FrictionKeepsWhatItHasDissipated)
{
  const std::string deck =
      section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 2, 2\n" + section("box", "set Size = 1, 1")) +
      section("Materials", section("soft", "set Type = linear-elasticity\nset E = 1000\nset nu = 0.3\nset Density = 1")) +
      section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0\nset Normal = 0, 1")) +
      section("Contact", section("foot", "set Between = y-, floor\nset Law = linear\nset Stiffness = 1e4\nset Friction = 0.3")) +
      section("Supports", section("grip", "set Boundary = y+\nset Type = displacement\nset Displacement = 0.05, -0.01")) +
      stages(section("drag", "set Type = static\nset Increments = 4") + section("lift", "set Type = static\nset Contact = none") +
             section("again", "set Type = static"));
  const Folder folder;
  const History history = run_well(folder, deck).history;
  const std::vector<double> &work = history["foot.slip_work"];
  EXPECT_GT(work[work.size() - 5], 1e-4) << "it has slid";
  for (std::size_t i = 1; i < work.size(); ++i)
    EXPECT_GE(work[i], work[i - 1]) << i;
  for (std::size_t i = 1; i < work.size(); ++i)
    EXPECT_GE(history["E_dissipated"][i], history["E_dissipated"][i - 1] - 1e-15) << i;
}

/// Restarts within the stage that leaves the contact out, and at its both ends.
TEST(ContactStages, ARestartKnowsWhatActs)
{
  const Press whole("set Law = linear\nset Stiffness = 1e4"), split("set Law = linear\nset Stiffness = 1e4");
  const std::string deck = three_stages(whole, "set Contact = none\nset Increments = 3");
  const History straight = expect_restarts_to_keep_bits(whole, split, deck, {}, 5);
  // The control: a part that took the contact of another stage would have another force.
  const std::vector<double> &force = straight["touch.force_x"];
  for (std::size_t i = 1; i < straight.rows(); ++i)
    if (straight.stage[i] == "part")
    {
      EXPECT_EQ(force[i], 0.) << i;
    }
  EXPECT_LT(force.back(), -90.);
}

TEST(ContactStages, RefusesNamesThatThereAreNot)
{
  const Press press("set Law = linear\nset Stiffness = 1e4");
  const Outcome run = run_text(press.folder, three_stages(press, "set Contact = tuch"));
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(has(run.terminal, "there is no contact 'tuch'; there are: touch"), "") << run.terminal;
}

/// A mass on a spring of 100 N/m is pushed by 30 N towards a stop 0.1 m away, of 1e4 N/m: u = (30 + 1e4 c)/(100 + 1e4).
TEST(GapSprings, PushWhereTheyAreClosed)
{
  const auto deck = [](const std::string &force) {
    const auto spring = [](const std::string &name, const std::string &n, const std::string &law) {
      return section(name, fmt::format("set From = mass\nset To = ground\nset Direction = {}\nset Law = {}", n, law));
    };
    const std::string held = "small-displacement\nset Stiffness = 100";
    return section("Points", section("mass", "set Position = 0, 0, 0\nset Mass = 1")) +
           section("Springs", spring("along", "1, 0, 0", held) + spring("aside", "0, 1, 0", held) + spring("up", "0, 0, 1", held) +
                                  spring("stop", "1, 0, 0", "gap\nset Clearance = 0.1\nset Stiffness = 1e4")) +
           section("Forces", section("push", "set Points = mass\nset Force = " + force + ", 0, 0"));
  };
  const std::string structure = "set Structure = discrete\n", statics = stages(section("push", "set Type = static\nset Increments = 3"));
  const auto pushed = [&](const std::string &force) {
    const Folder folder;
    return run_well(folder, structure + deck(force) + statics).history.last("mass.x");
  };
  EXPECT_NEAR(pushed("30"), (30. + 1e4 * 0.1) / (100. + 1e4), 1e-12);
  EXPECT_NEAR(pushed("-30"), -0.3, 1e-12) << "it does not pull";
  const Folder folder;
  const History history =
      run_well(folder, structure + deck("30*step(t)") + section("Time", "set Time step = 0.003\nset End time = 3") +
                           section("Integrator", "set Scheme = discrete-gradient") + section("Newton", "set Tolerance = 1e-13"))
          .history;
  double drawn = 0, first = 0;
  for (std::size_t i = 0; i < history.rows(); ++i)
  {
    drawn = std::max(drawn, history["mass.x"][i]);
    first = std::max(first, std::abs(history["E_balance_error"][i]));
  }
  EXPECT_GT(drawn, 0.1) << "it has hit the stop";
  EXPECT_LT(first, 1e-9);
  expect_refused(structure + section("Points", section("mass", "set Position = 0, 0, 0\nset Mass = 1")) +
                     section("Springs", section("stop", "set From = mass\nset To = ground\nset Law = gap\nset Stiffness = 1")),
                 "gap needs the Direction along which the ends come nearer");
}
}  // namespace symdyn::tests::in_contact_stages
