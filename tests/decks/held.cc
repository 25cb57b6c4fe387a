// Static bodies that can still move as rigid bodies: refused with part and motion, on one rank and two, by every direct solver; and decks
// that are only just held.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/held_decks.h"

namespace symdyn::tests::in_held
{
namespace
{
const std::vector<Deck> &loose()
{
  static const std::vector<Deck> decks{
      {"the second box",
       two_boxes + steel + first_held + weight + still,
       {"part 2 of 2 (around (1.6, 0.5, 0.5)) may move in every direction"}},
      {"the second box turns",
       two_boxes + steel +
           section("Supports", support("wall", "set Boundary = x0-") + support("floor", "set Boundary = z-\nset Type = roller")) +
           bedding("x1+", "1, 0, 0") +
           section("Loads", section("side", "set Type = traction\nset Boundary = x1+\nset Traction = 1, 0, 0")) + still,
       {"part 2 of 2", "may move along y"}},
      {"tube under torque",
       tube + steel + section("Supports", support("shell", radial) + foot) + torque + still,
       {"the body may turn about z through (0, 0, 0.5) m"}},
      {"seam of double nodes",
       inp(brick(0, 0) + brick(8, 1), "1, 1, 3\n4, 1, 3\n5, 1, 3\n8, 1, 3\n", "*CLOAD\n10, 1, 10.\n"),
       {"part 2 of 2 (around (1.5, 0.5, 0.5)) may move in every direction",
        "4 pairs of nodes of parts that nothing joins stand at the same place", "at (1, 0, 0)"},
       true},
      {"one node on a spring, gravity across",
       box() + steel + weight + section("Points", section("eye", "set On mesh = yes\nset Position = 2, 0.5, 0.5")) +
           section("Springs", section("rope", "set From = eye\nset To = ground\nset Anchor = 3, 0.5, 0.5\nset Stiffness = 1e6")) + still,
       {"may turn about", "move along"}},
      {"one node pinned",
       inp(brick(0, 0), "1, 1, 3\n", pull_high),
       {"turn about x through (0.5, 0, 0)", "turn about y through (0, 0.5, 0)", "turn about z through (0, 0, 0.5)"},
       true},
      {"two nodes pinned",
       inp(brick(0, 0), "1, 1, 3\n2, 1, 3\n", "*CLOAD\n5, 2, 10.\n"),
       {"the body may turn about x through (0.5, 0, 0)", "loads push it", "along"},
       true},
      {"one node pinned, NLGEOM", inp(brick(0, 0), "1, 1, 3\n", pull_high, "*STEP, NLGEOM\n"), {"turn about z through (0, 0, 0.5)"}, true},
      {"springs in x alone",
       box() + steel + bedding("x-", "1, 0, 0") + traction("x+", "1e3, 0, 0") + still,
       {"the body may turn about x", "move along y and move along z"}},
      {"one node pinned and a couple",
       inp(brick(0, 0), "1, 1, 3\n", "*CLOAD\n2, 2, 5.\n4, 1, -5.\n"),
       {"turn about z through (0, 0, 0.5)"},
       true},
  };
  return decks;
}
}  // namespace

TEST(Held, LooseBodiesAreRefusedWithPartAndMotion)
{
  for (const Deck &deck : loose())
    expect_refused(deck, {}, 1);
}

TEST(Held, OnTwoRanksToo)
{
  for (const Deck &deck : loose())
    if (!deck.is_inp || deck.name == "seam of double nodes")
      expect_refused(deck, {}, 2);
}

TEST(Held, ByEverySolver)
{
  for (const char *solver : {"mumps", "trilinos-direct", "dense", "cg"})
    for (const std::size_t k : {std::size_t(2), std::size_t(8)})
      expect_refused(loose()[k], {std::string("Linear solver/Type=") + solver}, 1);
}

TEST(Held, PlaneBodiesOnRanks)
{
  const std::string mesh =
      section("Mesh", "set Dimension = 2\nset Type = box\nset Subdivisions = 4, 2\n" + section("box", "set Size = 2, 1"));
  const std::string pinned = section("Supports", support("left", "set Boundary = x-\nset Type = roller")) + traction("x+", "1e3, 0");
  expect_refused({"guided", mesh + steel + pinned + still, {"the body may move along y"}}, {}, 1);
  expect_refused({"guided", mesh + steel + pinned + still, {"the body may move along y"}}, {}, 2);
}

/// Only just held: as many supports as there are rigid motions, of other kinds each time.
TEST(Held, JustHeldBodiesRunNightly)
{
  const std::vector<Deck> decks{
      {"tube with its upper end held",
       tube + steel + section("Supports", support("shell", radial) + foot + support("key", "set Boundary = z+")) + torque + still,
       {}},
      {"six components", inp(brick(0, 0), "1, 1, 3\n2, 2, 3\n4, 3, 3\n", pull_high), {}, true},
      {"six components, NLGEOM", inp(brick(0, 0), "1, 1, 3\n2, 2, 3\n4, 3, 3\n", pull_high, "*STEP, NLGEOM\n"), {}, true},
      {"seam tied by equations",
       inp(brick(0, 0) + brick(8, 1) +
               "*EQUATION\n2\n9, 1, 1., 2, 1, -1.\n2\n9, 2, 1., 2, 2, -1.\n2\n9, 3, 1., 2, 3, -1.\n2\n12, 1, 1., 3, 1, -1.\n2\n12, 3, 1., 3, 3, -1.\n2\n13, 1, 1., 6, 1, -1.\n",
           "1, 1, 3\n4, 1, 3\n5, 1, 3\n8, 1, 3\n", "*CLOAD\n10, 1, 10.\n"),
       {},
       true},
      {"springs along x, y and z",
       box() + steel + bedding("x-", "1, 0, 0") +
           section(
               "Springs",
               section("y",
                       "set From = base\nset To = ground\nset Law = small-displacement\nset Stiffness = 1e4\nset Direction = 0, 1, 0") +
                   section(
                       "z",
                       "set From = base\nset To = ground\nset Law = small-displacement\nset Stiffness = 1e2\nset Direction = 0, 0, 1")) +
           traction("x+", "1e3, 0, 0") + still,
       {}},
  };
  for (const Deck &deck : decks)
    for (const int ranks : {1, 2})
    {
      if (deck.is_inp && ranks == 2 && deck.name != "seam tied by equations")  // one cell
        continue;
      const Outcome outcome = run(deck, {}, ranks);
      EXPECT_EQ(outcome.exit_code, 0) << deck.name << ", " << ranks << " ranks: " << outcome.terminal;
      EXPECT_EQ(outcome.terminal.find("warning"), std::string::npos) << deck.name << ": " << outcome.terminal;
    }
  // One equation less, and the second cube turns.
  Deck loosened = decks[3];
  loosened.text.erase(loosened.text.find("2\n13, 1, 1., 6, 1, -1.\n"), std::string("2\n13, 1, 1., 6, 1, -1.\n").size());
  const Outcome turns = run(loosened);  // with which the load does no work
  EXPECT_EQ(turns.exit_code, 0) << turns.terminal;
  EXPECT_EQ(has(turns.terminal, "part 2 of 2 (around (1.5, 0.5, 0.5)) may turn about y through (1, 0.5, 0). Free motions = held"), "");
}

/// Nodes 2, 3, 6, 7 of the first cube and 9, 12, 13, 16 of the second stand at the same places: supports of the second leave the first one
/// free to stretch.
TEST(Held, ASupportOfOneOfTwoNodesAtOnePlaceIsThatNodesOnRanks)
{
  const std::string prints = "*NODE PRINT, NSET=SEEN\nU\n";
  for (const bool second : {true, false})
  {
    const std::string held = std::string("1, 1, 3\n4, 1, 3\n5, 1, 3\n8, 1, 3\n") +
                             (second ? "9, 1, 3\n12, 1, 3\n13, 1, 3\n16, 1, 3\n" : "10, 1, 3\n11, 1, 3\n14, 1, 3\n15, 1, 3\n"),
                      pull = second ? "*CLOAD\n2, 1, 1e6\n3, 1, 1e6\n6, 1, 1e6\n7, 1, 1e6\n"
                                    : "*CLOAD\n9, 1, -1e6\n12, 1, -1e6\n13, 1, -1e6\n16, 1, -1e6\n";
    std::vector<std::vector<double>> seen;
    for (const int ranks : {1, 2})
    {
      const Folder folder;
      const Outcome outcome =
          run_deck(folder, write_file(folder, "seam.inp", inp(brick(0, 0) + brick(8, 1) + "*NSET, NSET=SEEN\n2, 9\n", held, pull + prints)),
                   {}, ranks);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
      const std::string tables = text_of(folder / "results/seam.dat");
      std::istringstream rows(tables.substr(tables.find("\n\n", tables.find("displacements")) + 2));
      double node[2], x[2], y[2], z[2];
      for (int i = 0; i < 2; ++i)
        rows >> node[i] >> x[i] >> y[i] >> z[i];
      ASSERT_TRUE(rows) << tables;
      EXPECT_EQ(node[0], 2.);
      EXPECT_EQ(node[1], 9.);
      EXPECT_EQ(second ? x[1] : x[0], 0.) << ranks;
      EXPECT_GT(second ? x[0] : -x[1], 1e-3) << ranks;
      seen.push_back({x[0], y[0], z[0], x[1], y[1], z[1]});
    }
    for (std::size_t i = 0; i < seen[0].size(); ++i)
      EXPECT_NEAR(seen[1][i], seen[0][i], 1e-8) << i;
  }
}

TEST(Held, MotionInTimeNeedsNoSupports)
{
  const std::string motion = section("Time", "set Time step = 0.001\nset End time = 0.002");
  EXPECT_EQ(run({"falls", box() + steel + weight + motion, {}}).exit_code, 0);
  const std::string modal = section("Stages", section("vibrate", "set Type = modal transient\nset Modes = 8\n" + motion));
  EXPECT_EQ(run({"falls by modes", box() + steel + weight + modal, {}}).exit_code, 0);
}

TEST(Held, CheckPrintsPartsAndDoubleNodes)
{
  const Folder folder;
  const std::string boxes =
      write_file(folder, "boxes.prm", two_boxes + steel + first_held + weight + section("Time", "set Time step = 0.1\nset End time = 1"));
  const Outcome two = tool(folder, "check " + boxes);
  EXPECT_EQ(two.exit_code, 0) << two.terminal;
  EXPECT_EQ(has(two.terminal, "parts of the mesh: 2\n"), "");
  EXPECT_EQ(has(two.terminal, "part 2: 8 cells, from (1.1, 0, 0) to (2.1, 1, 1) m\n"), "");
  const std::string rod = section("Points", section("a", "set On mesh = yes\nset Position = 1, 1, 1") +
                                                section("b", "set On mesh = yes\nset Position = 1.1, 1, 1")) +
                          section("Bars", section("rod", "set From = a\nset To = b\nset EA = 1e6"));
  const Outcome joined = tool(folder, "check " + write_file(folder, "joined.prm", text_of(boxes) + rod));
  EXPECT_EQ(has(joined.terminal, "part 2: 8 cells, from (1.1, 0, 0) to (2.1, 1, 1) m, joined to part 1\n"), "");
  const Outcome one = tool(
      folder,
      "check " + write_file(folder, "one.prm", box() + steel + section("Supports", support("wall", "set Boundary = x-")) + weight + still));
  EXPECT_EQ(has(one.terminal, "parts of the mesh: 1\n"), "");
}

/// What (b) cannot know, since no part moves as a rigid body: a mechanism of points beside the body. The factored tangent shows it.
TEST(Held, AMechanismOfPointsIsSeenInTheTangent)
{
  const std::string hung = box() + steel + section("Supports", support("wall", "set Boundary = x-")) +
                           section("Points", "set Gravity = 0, -9.81, 0\n" + section("eye", "set On mesh = yes\nset Position = 2, 0.5, 0") +
                                                 section("bob", "set Mass = 1\nset Position = 2, 0.5, -1")) +
                           section("Springs", section("rope", "set From = eye\nset To = bob\nset Stiffness = 1e4")) + still;
  for (const char *solver : {"mumps", "trilinos-direct", "dense"})
  {
    const Outcome outcome = run({"bob", hung, {}}, {std::string("Linear solver/Type=") + solver});
    EXPECT_TRUE(outcome.exit_code == 1 || outcome.exit_code == 2) << solver;
    const auto says = [&](const std::string &words) { return outcome.terminal.find(words) != std::string::npos; };
    EXPECT_TRUE(says("nothing resists a motion") || says("hardly anything resists a motion") || says("singular"))
        << solver << ": " << outcome.terminal;  // which of them is a matter of rounding
  }
}

TEST(Held, ASecondStageWithoutNewLoadConverges)
{
  const std::string stages = section("Stages", section("first", "set Type = static") + section("second", "set Type = static") +
                                                   section("third", "set Type = static\nset Increments = 3"));
  for (const char *law : {"linear-elasticity", "st-venant-kirchhoff"})
  {
    const Outcome outcome = run({"stays",
                                 box() + steel + section("Supports", support("wall", "set Boundary = x-")) + weight +
                                     section("Probes", section("tip", "set Point = 2, 1, 1")) + stages,
                                 {}},
                                {std::string("Materials/steel/Type=") + law});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.terminal;
    EXPECT_EQ(outcome.history.last("newton"), 0.) << law;
    EXPECT_NEAR(outcome.history.last("tip.u_z"), outcome.history["tip.u_z"][1], 1e-12 * std::abs(outcome.history.last("tip.u_z"))) << law;
  }
}

TEST(Held, ALargeDisplacementWarns)
{
  const std::string soft = box() + steel + section("Supports", support("wall", "set Boundary = x-")) + traction("x+", "1e3, 0, 0") + still;
  const Outcome outcome = run({"soft", soft, {}}, {"Materials/steel/E=1e-3"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.terminal;
  EXPECT_EQ(has(outcome.terminal, "more than 1000 times the size of the body"), "");
  EXPECT_EQ(run({"stiff", soft, {}}).terminal.find("times the size"), std::string::npos);
}
}  // namespace symdyn::tests::in_held
