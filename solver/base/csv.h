#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// A table of comma-separated columns with a line of titles, as symdyn writes them: history.csv, peaks.csv, spectra.csv.
struct CsvTable
{
  std::string file;
  std::vector<std::string> headers, names, units;  ///< "tip.u_y [m]", "tip.u_y", "m"
  std::vector<char> is_number;                     ///< nan and inf are numbers
  std::vector<std::vector<double>> values;         ///< by column, then by row; empty where texts are not
  std::vector<std::vector<std::string>> texts;     ///< of columns that hold words (stage)

  /// Errors: InputError with file:line for a file that cannot be read, has no rows (unless it may), or rows of another length than the
  /// titles.
  static CsvTable read(const std::string &file, bool may_have_no_rows = false);
  std::size_t rows() const { return count; }
  /// Errors: InputError that lists the columns, nearest first.
  std::size_t column(const std::string &name) const;
  bool has(const std::string &name) const;

private:
  void read_titles(const std::string &line);
  void read_row(const std::string &line, std::size_t number);

  std::size_t count = 0;
};
}  // namespace symdyn
