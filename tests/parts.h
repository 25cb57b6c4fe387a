#pragma once
#include "solver/deck/deck.h"
#include "solver/run/run.h"
#include "tests/run.h"

namespace symdyn::tests
{
/// A deck in parts, each of which goes on from the checkpoint of the one before and makes as many steps, increments or frequencies.
inline Outcome run_in_parts(const Folder &folder, const std::string &deck, const std::vector<std::string> &settings, const int steps = 1)
{
  Outcome outcome;
  RunOptions options;
  options.output = folder / "results";
  options.settings = settings;
  options.deck = deck[0] == '/' ? deck : SYMDYN_SOURCE "/decks/" + deck;
  std::filesystem::create_directory(options.output);
  Log::instance().quiet(true);
  for (bool ended = false; !ended; options.restart = options.output)
  {
    Deck part = Deck::read(options.deck);
    for (const std::string &setting : settings)
      part.set(setting);
    symdyn::Run run(part);
    run.start(options);
    for (int k = 0; k < steps && !ended; ++k)
      ended = run.advance() != symdyn::Run::going;
    if (ended)
      outcome.exit_code = run.finish();
    else
      run.save();
  }
  Log::instance().close();
  return with_results(outcome, folder);
}
}  // namespace symdyn::tests
