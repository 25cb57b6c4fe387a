#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// What `symdyn sweep` is given.
struct SweepOptions
{
  std::string deck;
  std::vector<std::string> vary;      ///< "Section/Entry=a,b,c"
  std::vector<std::string> settings;  ///< of --set, for all runs
  std::vector<std::string> plugins;
  std::vector<std::string> collect;  ///< "peak:tip.u_y", "mode:1"; see Quantity (sweep_quantity.h)
  std::string output;                ///< folder with a folder a run; "": results/<deck>-sweep
  std::string table = "sweep.csv";
  int jobs = 1;
  bool overwrite = false;  ///< all runs again, and the table
};

/// Runs a deck for all combinations of values, `jobs` runs at once, and writes a table with a line a run. All decks are checked before the
/// first run. Runs that are done are kept, a run that was stopped is resumed, others are repeated. Returns the exit code: done,
/// computation (a run failed) or signal. Errors: InputError.
int sweep(const SweepOptions &options);
}  // namespace symdyn
