#pragma once
#include <string>

namespace symdyn
{
/// A number of a run that a sweep collects.
struct SweepQuantity
{
  enum Kind
  {
    peak,     ///< peak:COLUMN: largest absolute value of a column of history.csv
    least,    ///< min:COLUMN
    largest,  ///< max:COLUMN
    last,     ///< last:COLUMN: the value in the last row
    mode,     ///< mode:N, mode:STAGE:N: frequency of the N-th mode of the table modes-STAGE.csv
    summary   ///< summary:KEY/KEY: a number in summary.json
  };
  Kind kind;
  std::string text;        ///< as given
  std::string name;        ///< column, stage or keys
  std::size_t number = 0;  ///< of the mode, from 1

  struct Value
  {
    double value;
    std::string unit;
  };

  /// Errors: InputError for an unknown kind, with those that there are.
  static SweepQuantity of(const std::string &text);
  /// In a folder of results. Errors: InputError for a column, a mode or a key that is not there, with the nearest names.
  Value in(const std::string &folder) const;
};
}  // namespace symdyn
