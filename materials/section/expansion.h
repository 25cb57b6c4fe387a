#pragma once
#include <array>
#include <string>
#include <vector>

namespace symdyn
{
class Parameters;

/// Thermal expansion: strain of a free point that is taken from the reference temperature T_ref to T,
///     eps(T) = alpha(T) (T - T_ref)                                     [-]
/// alpha: secant coefficients [1/K], one for all directions or one along each of three axes (Abaqus, CalculiX: *EXPANSION).
class Expansion
{
public:
  /// The entries of a section of Materials. Errors: InputError.
  void declare(Parameters &p);
  bool given() const { return !alpha.empty(); }
  /// The entry that gives alpha in this section; nullptr: none.
  static const char *entry(const Parameters &p);
  /// Where alpha is not given: what would have no effect. Errors: InputError.
  static void refuse_rest(const Parameters &p);
  /// The same where tables of other constants may use Extrapolate.
  static void refuse_reference(const Parameters &p);
  /// Whether alpha is the same in all directions.
  bool isotropic() const { return alpha.empty() || alpha.front().size() == 1; }
  double reference() const { return T_ref; }
  /// Whether what depends on T stays as it is at the ends of its tables.
  bool constant_beyond() const { return extrapolates; }
  /// eps of each direction. Errors: InputError where a table of alpha does not reach to T.
  std::array<double, 3> strain(double T) const;
  /// d eps/dT of the first direction [1/K]; at a temperature of a table that of the interval above it.
  double rate(double T) const;
  /// Orthonormal rows.
  const std::array<std::array<double, 3>, 3> &axes() const { return directions; }

private:
  /// Rows about T, and 1 over the distance of their temperatures. Errors: InputError outside of the table.
  struct Between
  {
    std::size_t i, j;
    double slope;
  };
  Between between(double T) const;
  void read(const Parameters &p, const std::string &path);
  /// `at`: of the row, for errors.
  void add_row(const Parameters &p, const char *entry, const std::string &text, const std::string &at);

  double T_ref = 20.;
  bool extrapolates = false;
  std::string where = "";
  std::vector<double> temperature;         ///< of the rows of alpha, ascending; one row: any
  std::vector<std::vector<double>> alpha;  ///< [1/K], each 1 or 3
  std::array<std::array<double, 3>, 3> directions{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};
};
}  // namespace symdyn
