// Strengths of loads over stages, and the side of a jump.
#include "solver/actions.h"

#include <gtest/gtest.h>

#include "elements/amplitude.h"
#include "solver/deck/deck.h"

namespace symdyn::tests::in_actions
{
TEST(Actions, EverythingActsBeforeAStageHasBegun)
{
  const Actions &all = Actions::all();
  EXPECT_EQ(all.strength(0), 1.);
  EXPECT_EQ(all.strength(7), 1.);
  EXPECT_EQ(all.motion(), 1.);
  EXPECT_FALSE(all.at(2.).seen.of_a_step());
}

TEST(Actions, AStageTakesLoadsFromWhereTheyAre)
{
  Actions actions;
  actions.begin({true, false});
  EXPECT_EQ(actions.strength(0), 0.);
  EXPECT_EQ(actions.motion(), 0.);
  actions.reached = 0.25;
  EXPECT_EQ(actions.strength(0), 0.25);
  EXPECT_EQ(actions.strength(1), 0.);
  EXPECT_EQ(actions.motion(), 0.25);
  actions.begin({false, true});
  actions.reached = 0.5;
  EXPECT_EQ(actions.strength(0), 0.125);
  EXPECT_EQ(actions.strength(1), 0.5);
  EXPECT_EQ(actions.motion(), 0.625);
}

TEST(Actions, AStrengthThatIsSetStaysForTheStage)
{
  Actions actions;
  actions.begin({true, true});
  actions.reached = 0.5;
  actions.set_strength(1, 0.3);
  for (const double reached : {0.5, 0.7, 1.})
  {
    actions.reached = reached;
    EXPECT_EQ(actions.strength(0), reached);
    EXPECT_EQ(actions.strength(1), 0.3);
  }
  actions.begin({true, true});
  EXPECT_EQ(actions.strength(1), 0.3);
  actions.reached = 1.;
  EXPECT_EQ(actions.strength(1), 1.);
}

/// At the ends of a step of the side that belongs to it; the values of another step do not matter.
TEST(Actions, AJumpBelongsToTheStepsBesideIt)
{
  Deck deck = Deck::from_text("set Amplitude points = 0, 1, 0.1, 1, 0.100001, 3, 1, 3\n", "test.prm");
  Parameters p = deck.root();
  Amplitude amplitude;
  amplitude.declare(p);
  const double h = 0.02;
  Actions actions;
  const auto at = [&](const double t, const double t0) {
    actions.seen = {t0, t0 + h, h};
    return amplitude(actions.at(t));
  };
  EXPECT_EQ(at(0.1, 0.08), 1.);
  EXPECT_EQ(at(0.100001, 0.08), 1.);
  EXPECT_EQ(at(0.11, 0.08), 1.) << "a step that ends at the jump has not seen it";
  EXPECT_EQ(at(0.1, 0.1), 3.);
  EXPECT_EQ(at(0.09, 0.1), 3.);
  EXPECT_EQ(at(0.12, 0.1), 3.);
  EXPECT_EQ(at(0.1, 0.08), 1.) << "nothing is remembered";
  EXPECT_EQ(amplitude(0.1), 1.);
  EXPECT_EQ(amplitude(0.100001), 3.);
}
}  // namespace symdyn::tests::in_actions
