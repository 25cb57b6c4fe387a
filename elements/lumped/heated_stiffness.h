#pragma once
#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// A stiffness over the temperature, linear between the rows of a table (CalculiX: *ELASTIC of bars).
class HeatedStiffness
{
public:
  /// The table of an entry, points "T k". Errors: InputError.
  void declare(Parameters &p, const std::string &entry, const std::string &help);
  bool given() const { return !temperature.empty(); }
  /// k of the first row.
  double first() const { return k.front(); }
  /// k(T)/k(first row) - 1. `constant_beyond`: the last k holds beyond the table. Errors: InputError outside of it.
  double change(double T, bool constant_beyond) const;

private:
  void add_row(const Parameters &p, const std::string &entry, const std::string &text, std::size_t number);

  std::string where = "";
  std::vector<double> temperature, k;  ///< ascending; > 0
};
}  // namespace symdyn
