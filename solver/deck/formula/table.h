#pragma once
#include <string>
#include <vector>

namespace symdyn
{
/// An amplitude a(t) given by points (t_i, a_i), t_i < t_{i+1}: straight between them, constant beyond the ends.
class Table
{
public:
  /// Two columns "t value", separated by a comma, a semicolon or blanks; # starts a comment; one line of column titles
  /// may come first. InputError with file:line.
  static Table read(const std::string &file);
  /// The same for a file of any number of columns "t value value ...": a table for each.
  static std::vector<Table> read_columns(const std::string &file);
  /// Errors: none; `times` ascend, and there are as many values.
  static Table of(std::vector<double> times, std::vector<double> values);
  /// factor a(t - delay)
  Table changed(double delay, double factor) const;

  double operator()(double t) const;
  /// da/dt; at t_i that of the part which begins there.
  double slope(double t) const;

  /// Two rows that stand for a jump.
  struct Jump
  {
    double from, to, before, after;  ///< [s, -]
  };
  /// Neighbouring rows closer than `width`, alone there (the rows beside them are ten times as far), whose values differ by a hundredth of
  /// the largest at least: what someone writes who means a jump, not a record that is finer than the step.
  std::vector<Jump> jumps(double width) const;
  /// Those of them that touch this part of the time.
  std::vector<Jump> jumps(double width, double from, double to) const;
  /// The one of these (ascending, apart) that is nearest to t; null: none within `width`.
  static const Jump *nearest(const std::vector<Jump> &jumps, double t, double width);

  /// max |a_i|
  double largest() const;
  const std::vector<double> &times() const { return t; }
  const std::vector<double> &values() const { return a; }

private:
  static std::vector<Table> read_lines(const std::string &file, std::size_t values);

  std::vector<double> t, a;
};
}  // namespace symdyn
