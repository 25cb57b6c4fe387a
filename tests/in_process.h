#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "solver/error.h"
#include "solver/run/run.h"
#include "tests/run.h"

// Runs of decks in this process, step by step.
namespace symdyn::tests
{
inline bool same(const Vector &a, const Vector &b) { return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin()); }

/// The folder of results of a run; `restart`: of the run that is there.
inline RunOptions options_of(const Folder &folder, const bool restart = false)
{
  std::filesystem::create_directories(folder / "results");
  RunOptions options;
  options.output = folder / "results";
  options.restart = restart ? options.output : "";
  return options;
}

/// Runs a deck to its end, or saves it after so many steps (0: not). Returns the state there.
inline State state_after(const std::string &text, const RunOptions &options, const int stop = 0)
{
  Deck deck = Deck::from_text(text, "deck.prm");
  symdyn::Run run(deck);
  run.start(options);
  for (int k = 1; run.advance() == symdyn::Run::going; ++k)
    if (k == stop)
    {
      run.save();
      return run.state();
    }
  EXPECT_EQ(run.finish(), exit_done);
  return run.state();
}
}  // namespace symdyn::tests
