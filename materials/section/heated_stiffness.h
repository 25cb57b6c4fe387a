#pragma once
#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// A stiffness over the temperature, linear between the rows of a table (CalculiX: *ELASTIC of bars, beams and shells).
class HeatedStiffness
{
public:
  /// The table of an entry, points "T k". Errors: InputError.
  void declare(Parameters &p, const std::string &entry, const std::string &help);
  /// Rows that stand elsewhere in a deck, which `place` says, ascending in T and > 0.
  void set(std::vector<double> T, std::vector<double> stiffness, const std::string &place);
  bool given() const { return !temperature.empty(); }
  /// k of the first row.
  double first() const { return k.front(); }
  /// k(T)/k(first row) - 1. `constant_beyond`: the last k holds beyond the table. Errors: InputError outside of it.
  double change(double T, bool constant_beyond) const { return at(T, constant_beyond) / k.front() - 1.; }
  /// k(T)
  double at(double T, bool constant_beyond) const;

private:
  void add_row(const Parameters &p, const std::string &entry, const std::string &text, std::size_t number);

  std::string where = "";
  std::vector<double> temperature, k;  ///< ascending; > 0
};
}  // namespace symdyn
