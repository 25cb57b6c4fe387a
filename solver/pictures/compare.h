#pragma once
#include <set>
#include <string>
#include <vector>

#include "solver/base/csv.h"

namespace symdyn
{
struct CompareOptions
{
  std::string a, b;  ///< folders of results, or tables
  double tolerance =
      1e-9;  ///< relative, of tables; frames hold single precision, .dat files 7 digits: theirs are 1e-5 and 1e-6 if this is smaller
  std::vector<std::string> columns, ignored;  ///< names; all but `ignored` if `columns` is empty
  bool frames = true;

  bool wants(const std::string &column) const;
};

/// How two series of numbers differ.
struct Difference
{
  std::string name, unit;
  double largest = 0;  ///< max |a - b| over the largest size of the quantity in both; infinite where one alone is not finite
  double when = 0;     ///< time of the largest
  double first = 0;    ///< first time beyond the tolerance
  bool beyond = false;
  std::string note;  ///< what else is to be said: only in one of both, words that differ

  /// What cannot be measured: there in one alone, of another kind.
  static Difference of_kind(const std::string &name, const std::string &note, double first = 0);
};

/// Columns of two tables, rows matched by the time in the first column (by their order if that holds anything but finite numbers). Relative
/// to the largest size in both of the quantity (quantity.h). Two nan are the same, nan and a number differ. Of vibrations, "amplitude X"
/// and "phase X", phases count as parts of the amplitude, and the signs of participation factors not at all. Errors: InputError for tables
/// without common rows.
std::vector<Difference> compare_tables(const CsvTable &a, const CsvTable &b, const CompareOptions &options);
/// peaks.csv: the least and largest value of each column of history.csv, by its quantity. Their times are told, not judged: rounding moves
/// them from one of two equal peaks to the other.
std::vector<Difference> compare_peaks(const CsvTable &a, const CsvTable &b, const CompareOptions &options);
/// Tables of a .dat file as CalculiX writes them, one after the other: relative to the largest size in both of what a set prints. Errors:
/// InputError for a file that cannot be read or has no tables.
std::vector<Difference> compare_prints(const std::string &a, const std::string &b, double tolerance);
/// Fields of the frames at common times, point by point, whatever ranks wrote them: relative to the largest size of the field in all frames
/// of both. `shapes`: of modes, whose sign means nothing.
std::vector<Difference> compare_frames(const std::string &a, const std::string &b, double tolerance, bool shapes = false);

/// Prints the differences, largest first; returns 0 if all are within the tolerance, otherwise 1. Errors: InputError.
int compare(const CompareOptions &options);
}  // namespace symdyn
