#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "elements/space/local_axes.h"
#include "solver/structure.h"

namespace symdyn
{
class Parameters;

/// A line of a table: what it is of, and its values.
std::string table_row(const std::string &start, const std::vector<double> &values);

/// A section of Tables: what the table holds, and when it is written.
struct PrintTable
{
  using Rows = std::map<long, std::vector<double>>;  ///< three numbers of each node, by its number

  std::string name, stage, nodes, elements, surface, totals = "no", where, where_contacts;
  std::vector<std::string> quantities, contacts, points, axes_of, turning;  ///< turning: couplings
  std::vector<int> numbers, turning_numbers;
  LocalAxes axes;
  int every = 1;
  double start = 0, period = 0;
  bool in_time = true, starts = false, now = false;  ///< Period is not given; Start is; it is due
  std::vector<double> times;
  long count = 0;
  double reached = 0;

  void declare(Parameters &p, int dim);
  /// Errors: InputError through the section.
  void check(const Parameters &section) const;
  void declare_times(Parameters &p);
  void check_kind(const Parameters &section) const;
  /// Counts; whether the table is written now.
  bool due(const OutputTime &moment);
  /// What stands for the time in its title; t: of the state.
  double time(const OutputTime &moment, double t) const;
  /// Of a field about a state: its value, or the end of the stage.
  double time(const PrintedField &field) const;
  /// The text of a table of whole elements: a number of each, with the sum that Totals asks for.
  std::string of_elements(const std::string &quantity, const std::vector<std::pair<long, double>> &rows, double at_time) const;
  static bool is_of_whole_elements(const std::string &quantity);
  using Rotations = std::map<std::string, std::vector<double>>;  ///< rotation vector and angular velocity of couplings, by name
  /// Adds those of its couplings to the rows of a quantity. Errors: InputError for a coupling that does not turn.
  void add_rotations(const std::string &quantity, const Rotations &rotations, Rows &rows) const;
  /// The text of a table of nodes, with the sum that Totals asks for: of `global`, the same along the coordinates, as CalculiX has it.
  std::string of_rows(const std::string &quantity, const Rows &rows, const Rows &global, double at_time) const;
};

/// The tables of a deck, and which of them are due.
class PrintSchedule
{
public:
  /// The section of a deck that describes tables.
  static Parameters section(Parameters &root);
  std::string file_name() const { return file; }
  bool wanted() const { return !tables.empty(); }
  bool of_modes() const { return modes; }
  /// Counts the step or increment that led to the n-th state; whether one of the tables is due there.
  bool are_due(std::uint64_t n, const OutputTime &moment);
  /// What has been counted, for a restart: the last step, then of each table its steps and the last of its times.
  std::vector<double> saved() const;
  void load(const std::vector<double> &saved);

protected:
  static void document_tables(Parameters p, int dim);
  void declare_tables(Parameters p, int dim);

  std::vector<PrintTable> tables;

private:
  void add_entries(Parameters &p);

  std::string file;
  std::uint64_t last = 0;
  bool modes = false;
};
}  // namespace symdyn
