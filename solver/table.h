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

  double operator()(double t) const;
  /// da/dt; at t_i that of the part which begins there.
  double slope(double t) const;

  const std::vector<double> &times() const { return t; }
  const std::vector<double> &values() const { return a; }

private:
  std::vector<double> t, a;
};
}  // namespace symdyn
