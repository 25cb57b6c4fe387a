#pragma once
#include <string>
#include <vector>

#include "solver/column.h"

namespace symdyn
{
class Archive;

/// The least and the largest value of each column of a table, and when they came first. A value that is not finite (nan: not computed in
/// that row) does not count.
class Extremes
{
public:
  Extremes() = default;
  /// Time, step and stage, then columns of numbers.
  explicit Extremes(const std::vector<Column> &columns);

  /// A row at time t; `values` of the columns after the first three.
  void look(double t, const std::vector<double> &values);
  /// peaks.csv: `column,minimum,time of minimum [s],maximum,time of maximum [s],unit`, 17 digits, the columns in their order; nan in all
  /// four if a column never had a finite value.
  std::string table() const;

  /// For checkpoints.
  void save(Archive archive) const;
  void load(const Archive &archive);

private:
  struct Pair
  {
    double least, when_least, largest, when_largest;
  };
  std::string time_unit;
  std::vector<std::string> names, units;
  std::vector<Pair> found;
};
}  // namespace symdyn
