// A program that steps a deck by itself: solver/run/run.h.
#include <gtest/gtest.h>

#include <filesystem>

#include "solver/error.h"
#include "solver/run/run.h"
#include "tests/in_process.h"
#include "tests/linear_decks.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_run
{
using OneRun = symdyn::Run;

const std::string deck_text =
    cantilever + "subsection Time\n  set Time step = 0.01\n  set End time = 0.2\nend\nsubsection Output\n  set Checkpoint every = 1\nend\n";

TEST(NewcomerRun, StepsADeckWithoutAFolder)
{
  const Folder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path);
  Deck deck = Deck::from_text(deck_text, "beam.prm");
  OneRun run(deck);
  run.start({});
  long steps = 0;
  while (run.advance() == OneRun::going)
  {
    ++steps;
  }
  EXPECT_EQ(steps, 19);  // the twentieth is the last
  EXPECT_NEAR(run.state().t, 0.2, 1e-14);
  EXPECT_GT(run.state().q.linfty_norm(), 0.);
  EXPECT_EQ(run.advance(), OneRun::done) << "and stays";
  EXPECT_EQ(run.finish(), exit_done);
  EXPECT_THROW(run.save(), InputError) << "there is no folder";
  EXPECT_TRUE(std::filesystem::is_empty(folder.path));
  EXPECT_FALSE(std::filesystem::exists("/checkpoint"));
  std::filesystem::current_path(before);
}

TEST(NewcomerRun, StopsAndGoesOnWithTheSameBits)
{
  Deck whole_deck = Deck::from_text(deck_text, "beam.prm");
  OneRun whole(whole_deck);
  whole.start({});
  while (whole.advance() == OneRun::going)
    ;

  const Folder folder;
  std::filesystem::create_directory(folder / "results");
  RunOptions options;
  options.output = folder / "results";
  Deck first_deck = Deck::from_text(deck_text, "beam.prm");
  OneRun first(first_deck);
  first.start(options);
  for (int k = 0; k < 7; ++k)
    EXPECT_EQ(first.advance(), OneRun::going);
  first.save();

  options.restart = options.output;
  Deck second_deck = Deck::from_text(deck_text, "beam.prm");
  OneRun second(second_deck);
  second.start(options);
  EXPECT_TRUE(same(second.state().q, first.state().q));
  EXPECT_NEAR(second.state().t, 0.07, 1e-14);
  while (second.advance() == OneRun::going)
    ;
  EXPECT_EQ(second.finish(), exit_done);
  EXPECT_TRUE(same(second.state().q, whole.state().q));
  EXPECT_TRUE(same(second.state().v, whole.state().v));
  EXPECT_FALSE(same(second.state().q, first.state().q));
  EXPECT_EQ(read_history(folder / "results/history.csv").rows(), 21u);
}

TEST(NewcomerRun, SavesBetweenStagesAndNotAfterTheEnd)
{
  const std::string two =
      cantilever +
      "subsection Stages\n  subsection sag\n    set Type = static\n    set Increments = 2\n  end\n  subsection swing\n    set Type = "
      "dynamic\n    set Loads = none\n    subsection Time\n      set Time step = 0.01\n      set End time = 0.05\n    end\n  end\nend\n";
  const auto states = [&](const RunOptions &options, const int stop) {
    Deck deck = Deck::from_text(two, "beam.prm");
    OneRun run(deck);
    run.start(options);
    for (int k = 1; run.advance() == OneRun::going; ++k)
      if (k == stop)
      {
        run.save();
        return run.state();
      }
    EXPECT_EQ(run.finish(), exit_done);
    EXPECT_THROW(run.save(), InputError);
    return run.state();
  };
  const Folder folder;
  std::filesystem::create_directory(folder / "results");
  RunOptions options;
  options.output = folder / "results";
  const State between = states(options, 2);  // the static stage has just ended
  EXPECT_EQ(between.v.linfty_norm(), 0.);
  options.restart = options.output;
  const State resumed = states(options, 0), whole = states({}, 0);
  EXPECT_TRUE(same(resumed.q, whole.q));
  EXPECT_GT(whole.v.linfty_norm(), 0.);
}
}  // namespace symdyn::tests::in_newcomer_run
