// What stages change of a contact: law, stiffness, friction.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "elements/contact/laws/contact_law.h"
#include "tests/bad_input.h"
#include "tests/press.h"

namespace symdyn::tests::in_contact_changes
{
using namespace of_press;
namespace
{
std::string changes(const std::string &contact, const std::string &entries)
{
  return section("Contact changes", section(contact, entries));
}

/// Three static stages, the second with a change.
std::string three(const Press &press, const std::string &change)
{
  std::string deck = press.deck;
  return deck.replace(deck.find("subsection Stages"), std::string::npos,
                      stages(section("press", "set Type = static") + section("change", "set Type = static\n" + change) +
                             section("stay", "set Type = static")));
}

/// At the end of the stages, each of one increment.
double at_end(const History &history, const int stage, const std::string &column)
{
  return history[column][history.rows() - 1 - 2 * (2 - stage)];
}
}  // namespace

/// It holds from its stage on. Blocks of E that are shortened by 0.2 m of 2 m bear 0.2/(2/E + 1/k).
TEST(ContactChanges, AStageChangesTheStiffness)
{
  const Press press("set Law = linear\nset Stiffness = 1e4");
  const Outcome run = run_well(press.folder, three(press, changes("touch", "set Stiffness = 2e3")));
  const History &history = run.history;
  EXPECT_EQ(has(run.log, "; from stage change: linear, k = 2000 Pa/m"), "") << run.log;
  for (const auto &[stage, stiffness] : {std::pair{0, 1e4}, {1, 2e3}, {2, 2e3}})
  {
    const double bears = 0.2 / (2. / E + 1. / stiffness);
    EXPECT_NEAR(at_end(history, stage, "x.R_x"), bears, 1e-8 * bears) << stage;
    EXPECT_NEAR(at_end(history, stage, "touch.force_x"), -bears, 1e-8 * bears) << stage;
  }
}

TEST(ContactChanges, AStageChangesTheLaw)
{
  ContactEntries entries;
  entries.pressure = 50.;
  entries.distance = 0.01;
  const auto law = Registry<ContactLaw>::instance().make("exponential");
  ASSERT_EQ(law->take(entries)[0], "");
  const Press press("set Law = linear\nset Stiffness = 1e4");
  const History history =
      run_well(press.folder, three(press, changes("touch", "set Law = exponential\nset Pressure = 50\nset Distance = 0.01"))).history;
  for (const int stage : {1, 2})
  {
    const double p = at_end(history, stage, "touch.pressure");
    EXPECT_NEAR(p, -law->at(at_end(history, stage, "touch.gap"))[1], 1e-8 * p) << stage;
    EXPECT_NEAR(at_end(history, stage, "x.R_x"), p, 1e-8 * p) << stage;
  }
  EXPECT_NEAR(at_end(history, 0, "x.R_x"), 0.2 / (2. / E + 1e-4), 1e-6);
}

/// A block is dragged over a floor, on which it slides: the force is mu times the pressure, of each stage, also where the first has none.
TEST(ContactChanges, AStageChangesTheFriction)
{
  const auto deck = [](const std::string &friction) {
    const std::string drag = "set Type = static\nset Duration = 1\nset Increments = 8\n";
    return section("Mesh", "set Type = box\nset Dimension = 2\nset Subdivisions = 2, 2\n" + section("box", "set Size = 1, 1")) +
           section("Materials", section("soft", "set Type = linear-elasticity\nset E = 1000\nset nu = 0.3\nset Density = 1")) +
           section("Obstacles", section("floor", "set Type = plane\nset Point = 0, 0\nset Normal = 0, 1")) +
           section("Contact",
                   section("foot",
                           "set Between = y-, floor\nset Law = linear\nset Stiffness = 1e4\nset Friction iterations = 4\n" + friction)) +
           section("Supports", section("grip", "set Boundary = y+\nset Type = displacement\nset Displacement = 0.2*t, -0.01")) +
           stages(section("first", drag) + section("slide", drag + changes("foot", "set Friction = 0.3")) +
                  section("last", drag + changes("foot", "set Friction = 0.1")));
  };
  for (const double first : {0., 0.2})
  {
    const Folder folder;
    const History history = run_well(folder, deck(fmt::format("set Friction = {}", first))).history;
    int stage = 0;
    for (const double mu : {first, 0.3, 0.1})
    {
      const std::size_t end = history.rows() - 1 - 9 * (2 - stage++);
      const double N = history["foot.force_y"][end];
      EXPECT_GT(N, 5.);
      EXPECT_NEAR(history["foot.force_x"][end], -mu * N, 2e-3 * N) << mu;
    }
  }
}

TEST(ContactChanges, ARestartKeepsItsBits)
{
  const Press whole("set Law = linear\nset Stiffness = 1e4"), split("set Law = linear\nset Stiffness = 1e4");
  const std::string deck = three(whole, changes("touch", "set Stiffness = 2e3\nset Friction = 0.1"));
  const History straight = expect_restarts_to_keep_bits(whole, split, deck, {"Stages/press/Increments=2", "Stages/change/Increments=3"}, 6);
  const double bears = 0.2 / (2. / E + 1. / 2e3);
  EXPECT_NEAR(straight.last("x.R_x"), bears, 1e-8 * bears) << "the control: without the change it is 0.2/(2/E + 1e-4)";
}

TEST(ContactChanges, RefuseWhatTheyCannot)
{
  const Press press("set Law = linear\nset Stiffness = 1e4");
  const auto refused = [&](const std::string &change, const std::string &words) {
    const Outcome run = run_text(press.folder, three(press, change));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused(changes("touch", "set Law = hard"), "a contact with Law = hard or tied does not change");
  refused(changes("touch", "set Law = barrier"), "a barrier stands in a layer of the bodies");
  refused(changes("touch", "set Law = lineer"), "must be one of linear");
  refused(changes("touch", "set Pressure = 5"), "Pressure = 5: has no effect with Law = linear");
  refused(changes("touch", "set Law = exponential"), "Pressure");
  refused(changes("touch", "set Stiffness = -1"), "must be a number > 0 [Pa/m], or `auto`");
  refused(changes("touch", "set Layer = 0.1"), "Layer");
  refused(changes("tuch", "set Friction = 0.1"), "tuch");
  refused(changes("touch", "set Stick slope = 1e6"), "Stick slope = 1e6: has no effect without Friction");
}

/// A change of a contact that is off takes effect when it acts again.
TEST(ContactChanges, WarnOfThoseThatNeverAct)
{
  const Press press("set Law = linear\nset Stiffness = 1e4");
  const std::string deck = three(press, "set Contact = none\n" + changes("touch", "set Stiffness = 2e3"));
  const double bears = 0.2 / (2. / E + 1. / 2e3);
  const std::string words =
      "[Stages/change/Contact changes/touch]: has no effect: contact 'touch' acts neither in this stage nor in a later one";
  const Outcome later = run_text(press.folder, deck);
  EXPECT_NEAR(later.history.last("x.R_x"), bears, 1e-8 * bears);
  EXPECT_NE(has(later.terminal, words), "");
  const Outcome idle = run_text(press.folder, deck, {"Stages/stay/Contact=none"});
  EXPECT_EQ(has(idle.terminal, words), "") << idle.terminal;
}
}  // namespace symdyn::tests::in_contact_changes
