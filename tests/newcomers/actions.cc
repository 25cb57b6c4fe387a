// A program that steps a deck changes the strength of a load between two steps: solver/actions.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/run/run.h"
#include "tests/linear_decks.h"
#include "tests/results_deck.h"

namespace symdyn::tests::in_newcomer_actions
{
using OneRun = symdyn::Run;

/// A cantilever that two loads bend, first slowly.
const std::string deck_text =
    cantilever +
    "subsection Loads\n  subsection side\n    set Type = traction\n    set Boundary = tip\n    set Traction = 0, 0, 20\n  end\nend\n"
    "subsection Stages\n  subsection sag\n    set Type = static\n    set Increments = 4\n  end\n"
    "  subsection swing\n    set Type = dynamic\n    subsection Time\n      set Time step = 0.01\n      set End time = 0.1\n    end\n  end\nend\n";

bool same(const Vector &a, const Vector &b) { return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin()); }

std::size_t number_of(OneRun &run, const std::string &load)
{
  const std::vector<std::string> names = run.structure().system().diagnosis().load_names();
  return std::find(names.begin(), names.end(), load) - names.begin();
}

/// Steps to the end; the load is halved after that many steps, and the run is left, with a checkpoint, after so many.
State run_to_the_end(const RunOptions &options, const int halved_after, const int left_after = 0)
{
  Deck deck = Deck::from_text(deck_text, "beam.prm");
  OneRun run(deck);
  run.start(options);
  for (int k = 1; run.advance() == OneRun::going; ++k)
  {
    if (k == halved_after)
      run.set_strength("side", 0.5);
    if (k == left_after)
    {
      run.save();
      return run.state();
    }
  }
  EXPECT_EQ(run.finish(), exit_done);
  return run.state();
}

TEST(NewcomerActions, ALoadIsHalvedBetweenTwoSteps)
{
  const State full = run_to_the_end({}, 0), half = run_to_the_end({}, 6);
  EXPECT_FALSE(same(full.q, half.q));
  Deck deck = Deck::from_text(deck_text, "beam.prm");
  OneRun run(deck);
  run.start({});
  while (run.state().t == 0. && run.advance() == OneRun::going)
    ;
  const std::size_t side = number_of(run, "side");
  const MechanicalSystem &system = run.structure().system();
  const State &state = run.state();
  Vector before = system.new_vector(), after = before, alone = before;
  system.applied_force(state.t, state.q, state.v, before);
  run.set_strength("side", 0.5);
  EXPECT_THROW(run.set_strength("sied", 0.5), InputError);
  system.applied_force(state.t, state.q, state.v, after);
  system.diagnosis().load_force(side, state.t, state.q, alone);
  after.add(0.5, alone);
  after -= before;
  EXPECT_GT(alone.l2_norm(), 0.);
  EXPECT_LT(after.l2_norm(), 1e-12 * alone.l2_norm());
}

/// In increments of a static stage and in steps of a motion: after each place of the change and of the stop.
TEST(NewcomerActions, ARunThatStopsAfterwardsGoesOnWithTheSameBits)
{
  for (const auto &[halved, left] : {std::pair{2, 3}, {2, 4}, {2, 7}, {6, 6}, {6, 9}})
  {
    SCOPED_TRACE(std::to_string(halved) + ", " + std::to_string(left));
    const Folder folder;
    RunOptions options;
    options.output = folder / "results";
    std::filesystem::create_directory(options.output);
    const State stopped = run_to_the_end(options, halved, left);
    RunOptions at_once;
    at_once.output = folder / "whole";
    std::filesystem::create_directory(at_once.output);
    options.restart = options.output;
    const State resumed = run_to_the_end(options, 0), whole = run_to_the_end(at_once, halved);
    EXPECT_TRUE(same(resumed.q, whole.q));
    EXPECT_TRUE(same(resumed.v, whole.v));
    const History in_parts = read_history(options.output + "/history.csv"), in_one = read_history(at_once.output + "/history.csv");
    for (const char *energy : {"W_external", "E_total", "E_balance_error"})
      EXPECT_EQ(in_parts.last(energy), in_one.last(energy)) << energy;
    EXPECT_LT(std::abs(in_one.last("E_balance_error")), 1e-9 * in_one.last("E_total"));
    EXPECT_FALSE(same(resumed.q, stopped.q));
  }
}
}  // namespace symdyn::tests::in_newcomer_actions
