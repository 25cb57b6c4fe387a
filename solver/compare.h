#pragma once
#include <string>
#include <vector>

namespace symdyn
{
struct CompareOptions
{
  std::string a, b;             ///< folders of results, or tables
  double tolerance = 1e-9;      ///< relative, of tables; frames hold single precision: theirs is 1e-5 if this is smaller
  std::vector<std::string> columns, ignored;  ///< names; all but `ignored` if `columns` is empty
  bool frames = true;
};

/// How two series of numbers differ.
struct Difference
{
  std::string name, unit;
  double largest = 0;       ///< max |a - b| over the largest size of the quantity in both; infinite where one alone is not finite
  double when = 0;          ///< time of the largest
  double first = 0;         ///< first time beyond the tolerance
  bool beyond = false;
  std::string note;         ///< what else is to be said: only in one of both, words that differ
};

/// Columns of two tables, rows matched by the time in the first column (by their order if that holds no numbers). Relative to the largest size in both of the column, or of all components of its vector (P_x, P_y, P_z), or of all energies. Two nan are the same, nan and a
/// number differ. Errors: InputError for files and columns that are not there.
std::vector<Difference> compare_tables(const std::string &a, const std::string &b, const CompareOptions &options);
/// Fields of the frames at common times, point by point, whatever ranks wrote them: relative to the largest size of the field in all frames of both.
std::vector<Difference> compare_frames(const std::string &a, const std::string &b, double tolerance);

/// Prints the differences, largest first; returns 0 if all are within the tolerance, otherwise 1. Errors: InputError.
int compare(const CompareOptions &options);
}  // namespace symdyn
