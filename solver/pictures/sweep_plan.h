#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// A varied entry of a deck, with its values.
struct VariedEntry
{
  std::string entry;
  std::vector<std::string> values;

  /// "Section/Entry=a,b,c", or with ; between values that contain commas. Errors: InputError.
  static VariedEntry of(const std::string &text);
};

/// One combination of values.
struct SweepRun
{
  std::vector<std::string> values;  ///< in the order of the entries
  std::string name;                 ///< of its folder: "Order=1_Refinements=0"; the same in a sweep with more values

  /// Of --set.
  std::vector<std::string> settings(const std::vector<VariedEntry> &entries) const;
};

/// All combinations; the last entry varies fastest. Errors: InputError for an entry given twice, and for too many runs.
std::vector<SweepRun> runs_of(const std::vector<VariedEntry> &entries);
}  // namespace symdyn
