// Contact of boundaries by segments, run from decks: patch tests, laws, slides that are too long, and what is refused.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/contact/laws/contact_law.h"
#include "tests/bad_input.h"
#include "tests/press.h"

namespace symdyn::tests::in_contact_segments
{
using namespace of_press;
namespace
{
using Settings = std::vector<std::string>;

/// Blocks that stand still, with a play of -0.2 m.
struct InterferenceFit : Press
{
  InterferenceFit() : Press(fmt::format("set Law = linear\nset Stiffness = {}\nset Clearance = -0.2", k))
  {
    const std::string way = "set Displacement = -0.2";
    deck.replace(deck.find(way), way.size(), "set Displacement = 0");
  }
};
}  // namespace

/// Reference R10 of contact, pressed in place of tied: one stress, whatever the cells; points of 3-D blocks are 5 % off
/// (ContactPairs.PressedBlocksBearNearlyOneStress).
TEST(ContactSegments, PressedBlocksBearOneStress)
{
  struct Cells
  {
    std::string mesh;
    double warp;
    int dim = 3;
    double tolerance = 1e-9;
    std::string more = "";
  };
  for (const auto &[of_mesh, warp, dim, tolerance, more] :
       {Cells{"", 0.}, Cells{"", 0.3, 3, 1e-9, "\nset Points = 8"}, Cells{"set Order = 2", 0.},
        Cells{"set Order = 2\nset Element = serendipity", 0.}, Cells{"set Cell shape = tetrahedra", 0.2},
        Cells{"set Cell shape = tetrahedra\nset Order = 2", 0.2}, Cells{"", 0.3, 2}})
  {
    SCOPED_TRACE(of_mesh);
    const Press press(fmt::format("set Law = linear\nset Stiffness = {}{}", k, more), of_mesh, warp, dim);
    const History history = run_well(press.folder, press.deck).history;
    EXPECT_LT(history.last("u.H1") / (stress / E), tolerance);
    EXPECT_NEAR(history.last("touch.force_x"), -stress, 1e-9 * stress);
    EXPECT_NEAR(history.last("touch.gap"), -stress / k, 1e-3 * stress / k);
    EXPECT_NEAR(history.last("x.R_x"), stress, 1e-9 * stress) << "what the support bears";
  }
}

/// Each law bears the pressure that it has of its gap; the uniform stress is what the support bears.
TEST(ContactSegments, LawsBearWhatTheySay)
{
  ContactEntries entries;
  entries.stiffness = 1e6;
  entries.layer = entries.distance = 0.01;
  entries.pressure = 50.;
  entries.pressures = {0., 80., 200.};
  entries.closures = {0., 0.01, 0.02};
  for (const auto &[name, text] : {std::pair{"exponential", "set Pressure = 50\nset Distance = 0.01"},
                                   {"table", "set Pressures = 0, 80, 200\nset Closures = 0, 0.01, 0.02"},
                                   {"barrier", "set Stiffness = 1e6\nset Layer = 0.01"}})
  {
    SCOPED_TRACE(name);
    const auto law = Registry<ContactLaw>::instance().make(name);
    ASSERT_EQ(law->take(entries)[0], "");
    const Press press(fmt::format("set Law = {}\n{}", name, text));
    const History history = run_well(press.folder, press.deck).history;
    const double p = history.last("touch.pressure");
    EXPECT_GT(p, 50.);
    EXPECT_NEAR(p, -law->at(history.last("touch.gap"))[1], 1e-9 * p);
    EXPECT_NEAR(history.last("x.R_x"), p, 1e-9 * p);
    EXPECT_NEAR(history.last("push.R_x"), -p, 1e-9 * p);
  }
}

/// Two elastic metres pressed by 0.2: without any depth they bear 0.1 E. A penalty as stiff as the multipliers begin with is 2e-3 deep.
TEST(ContactHard, HasNoDepthAndStoresNothing)
{
  constexpr double without_depth = 0.1 * E, of_penalty = 50. * E;
  const Press press("set Law = hard"), soft(fmt::format("set Law = linear\nset Stiffness = {}", of_penalty));
  const History hard = run_well(press.folder, press.deck).history, penalty = run_well(soft.folder, soft.deck).history;
  EXPECT_NEAR(hard.last("x.R_x"), without_depth, 2e-4 * without_depth);
  EXPECT_NEAR(hard.last("touch.gap"), 0., 1e-4);
  EXPECT_NEAR(hard.last("touch.force_x"), -hard.last("x.R_x"), 1e-9 * without_depth);
  EXPECT_NEAR(hard.last("touch.pressure"), without_depth, 2e-4 * without_depth);
  EXPECT_LT(std::abs(hard.last("E_contact")), 5e-2 * penalty.last("E_contact"));
  EXPECT_NEAR(penalty.last("x.R_x"), 0.2 / (2. / E + 1. / of_penalty), 1e-9 * without_depth);
  EXPECT_LT(penalty.last("touch.gap"), -1e-3) << "what hard does not allow";
}

/// It parts as it has met: no pressure is left where bodies are apart.
TEST(ContactHard, OpensWhereItCloses)
{
  const Press press("set Law = hard");
  const std::string away = "set Supports = x, y, z, pull\nset Type = static\nset Increments = 4";
  std::string deck = press.deck;
  deck.replace(
      deck.find("subsection Stages"), std::string::npos,
      stages(section("press", "set Type = static\nset Supports = x, y, z, push") + section("part", away)) +
          section("Supports", section("pull", "set Boundary = second-x+\nset Type = displacement\nset Displacement = 0.02, free, free")));
  const History history = run_well(press.folder, deck).history;
  EXPECT_NEAR(history.last("touch.gap"), 0.02, 1e-9);
  EXPECT_EQ(history.last("touch.force_x"), 0.);
  EXPECT_NEAR(history.last("x.R_x"), 0., 1e-9 * E);
}

TEST(ContactHard, RanksAgreeAndARestartKeepsItsBits)
{
  const Press whole("set Law = hard"), split("set Law = hard"), shared("set Law = hard");
  const Settings settings{"Stages/press/Increments=3"};
  const History straight = expect_restarts_to_keep_bits(whole, split, whole.deck, settings, 3);
  const History two = run_well(shared.folder, shared.deck, settings, 2).history;
  for (const char *column : {"touch.gap", "touch.force_x", "touch.pressure", "E_contact"})
    EXPECT_NEAR(two.last(column), straight.last(column), 1e-9 * (1. + std::abs(straight.last(column)))) << column;
}

/// In motion it is the barrier, which is said.
TEST(ContactHard, SaysWhatItIs)
{
  const Press press("set Law = hard");
  std::string moving = press.deck;
  moving.replace(moving.find("set Type = static"), 17,
                 "set Type = dynamic\n" + section("Time", "set Time step = 1e-4\nset End time = 1e-4"));
  const auto said = [&](const std::string &deck, const Settings &settings) { return run_well(press.folder, deck, settings).log; };
  EXPECT_EQ(has(said(moving, {}), "Law = hard is barrier in decks with motion"), "");
}

/// Nodes against faces bear the whole force, and not one stress where the meshes do not fit: segments do.
TEST(ContactNodes, BearTheForceAndFailThePatchTest)
{
  const std::string law = fmt::format("set Law = linear\nset Stiffness = {}", k);
  for (const int dim : {2, 3})
    for (const std::string of_mesh : {"", "set Order = 2\nset Element = serendipity"})
    {
      SCOPED_TRACE(fmt::format("{} {}", dim, of_mesh));
      const Press press(law, of_mesh, 0., dim);
      std::string deck = press.deck;
      deck.replace(deck.find("set Pairing = segments"), 22, "set Points = nodes");
      const History history = run_well(press.folder, deck).history;
      EXPECT_NEAR(history.last("push.R_x"), -history.last("x.R_x"), 1e-9 * stress);
      EXPECT_NEAR(history.last("touch.force_x"), -history.last("x.R_x"), 1e-9 * stress) << "of the feet of the increment";
      EXPECT_NEAR(history.last("x.R_x"), stress, 0.1 * stress);
      EXPECT_GT(history.last("u.H1") / (stress / E), 1e-3) << "the control: segments have 1e-9";
    }
}

/// A play of -0.2 m bears what 0.2 m of a press bear, half of it at half of the stage.
TEST(ContactSegments, AnOverlapComesOverTheFirstStage)
{
  const InterferenceFit press;
  const Settings shrink{"Contact/touch/Start=shrink", "Stages/press/Increments=2"};
  const Outcome run = run_well(press.folder, press.deck, shrink);
  ASSERT_EQ(run.history.rows(), 3u);
  for (const int i : {0, 1, 2})
  {
    EXPECT_NEAR(run.history["x.R_x"][i], 0.5 * i * stress, 1e-7 * stress) << i;
    EXPECT_NEAR(run.history["touch.force_x"][i], -0.5 * i * stress, 1e-7 * stress) << i;
  }
  EXPECT_EQ(has(run.log, "an overlap of 0.2 m comes over the first stage"), "");
  const double stored = 0.5 * 0.2 * stress;  // of two cells and the contact
  EXPECT_NEAR(run.history.last("E_potential"), stored, 1e-6 * stored);
  EXPECT_NEAR(run.history.last("W_external"), stored, 1e-6 * stored) << "what comes over the stage does work";
  EXPECT_LT(std::abs(run.history.last("E_balance_error")), 1e-6 * stored);
  const Outcome rubs = run_text(press.folder, press.deck, {shrink[0], shrink[1], "Contact/touch/Friction=0.3"}, 1, " --overwrite");
  EXPECT_EQ(rubs.exit_code, 0) << rubs.terminal;
  EXPECT_NEAR(rubs.history.last("W_external"), stored, 1e-6 * stored) << "a memory changes nothing in that";
  const auto refused = [&](const std::string &words, const Settings &settings) {
    const Outcome other = run_text(press.folder, press.deck, settings);
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_EQ(has(other.terminal, words), "") << other.terminal;
  };
  refused("overlap at the start: gap -0.2 m", {});
  refused("shrink is of decks whose first stage is static, and this one is modes", {shrink[0], "Stages/press/Type=modes"});
  refused("shrink is of Pairing = segments, or Points = nodes", {shrink[0], "Contact/touch/Pairing=points", "Contact/touch/Law=barrier"});
  const Press tied("set Law = tied\nset Start = shrink");
  EXPECT_EQ(has(run_text(tied.folder, tied.deck).terminal, "shrink has no effect with Law = tied"), "");
  const Outcome apart = run_well(press.folder, press.deck, {shrink[0], "Contact/touch/Clearance=0"});
  EXPECT_EQ(has(apart.log, "first-x+ and second-x- do not overlap at the start: nothing shrinks"), "");
}

TEST(ContactSegments, AnOverlapIsTheSameOnRanksAndAfterARestart)
{
  const InterferenceFit press, whole, split;
  const Settings settings{"Contact/touch/Start=shrink", "Stages/press/Increments=3"};
  const History straight = expect_restarts_to_keep_bits(whole, split, whole.deck, settings, 3);
  EXPECT_NEAR(straight.last("x.R_x"), stress, 1e-7 * stress);
  EXPECT_NEAR(run_well(press.folder, press.deck, settings, 2).history.last("x.R_x"), stress, 1e-7 * stress);
}

TEST(ContactNodes, RanksAgreeAndARestartKeepsItsBits)
{
  const std::string law = fmt::format("set Law = linear\nset Stiffness = {}\nset Friction = 0.1", k);
  const Press whole(law), split(law), shared(law);
  std::string deck = whole.deck;
  deck.replace(deck.find("set Pairing = segments"), 22, "set Points = nodes");
  const Settings settings{"Stages/press/Increments=3"};
  const History straight = expect_restarts_to_keep_bits(whole, split, deck, settings, 3);
  const History two = run_well(shared.folder, deck, settings, 2).history;
  EXPECT_LT(straight.last("touch.force_x"), -0.5 * stress);
  for (const char *column : {"touch.gap", "touch.force_x", "touch.pressure", "touch.slip_work", "E_contact"})
    EXPECT_NEAR(two.last(column), straight.last(column), 1e-9 * (1. + std::abs(straight.last(column)))) << column;
}

TEST(ContactNodes, RefuseWhatTheyCannot)
{
  const Press press(fmt::format("set Law = linear\nset Stiffness = {}", k));
  const auto refused = [&](const std::string &words, const Settings &settings) {
    const Outcome run = run_text(press.folder, press.deck, settings);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("nodes are points, and not of Pairing = segments", {"Contact/touch/Points=nodes"});
  refused("must be a number from 1 to 16, or `nodes`", {"Contact/touch/Points=17"});
  refused("hard is of Pairing = segments", {"Contact/touch/Points=nodes", "Contact/touch/Pairing=points", "Contact/touch/Law=hard"});
  refused("nodes are of two boundaries: what touches itself has a number of points",
          {"Contact/touch/Points=nodes", "Contact/touch/Pairing=points", "Contact/touch/Between=first-x+"});
}

TEST(ContactSegments, RefusesWhatItCannot)
{
  const Press press(fmt::format("set Law = linear\nset Stiffness = {}", k));
  const auto refused = [&](const std::string &words, const Settings &settings) {
    const Outcome run = run_text(press.folder, press.deck, settings);
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(has(run.terminal, words), "") << run.terminal;
  };
  refused("segments are of two boundaries: what touches itself has Pairing = points", {"Contact/touch/Between=first-x+"});
  refused("first-x+ and second-x- overlap at the start: gap -0.01 m", {"Contact/touch/Clearance=-0.01"});
  refused("no face of first-x+ looks at one of second-x+", {"Contact/touch/Between=first-x+, second-x+"});
  refused("must be one of points, segments", {"Contact/touch/Pairing=mortar"});
  refused("are tied by Ties/glue", {"Ties/glue/Dependent=second-x-", "Ties/glue/Independent=first-x+"});
  refused("has no effect without Start = adjust", {"Contact/touch/Adjust nodes=7"});
  refused("Damping", {"Contact/touch/Pairing=points", "Contact/touch/Damping=0"});
  refused("of points of boundaries with each other is barrier", {"Contact/touch/Pairing=points"});
}
}  // namespace symdyn::tests::in_contact_segments
