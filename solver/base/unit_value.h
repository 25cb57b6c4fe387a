#pragma once
#include <array>
#include <optional>
#include <string>

namespace symdyn
{
/// A unit: its factor to the coherent unit of the SI, and its dimension as powers of length, mass, time, temperature, angle and amount.
struct Unit
{
  double factor = 1;
  std::array<int, 6> powers{};
};

/// "GPa", "kg/m^3", "J/(kg K)", "rpm"; nothing for what is no unit. A quotient ends with its next factor: "N s/m" is N s m^-1.
std::optional<Unit> unit_from(const std::string &text);

/// A number alone, or one with any unit ("1.2 MPa") in the units of a system; nothing for all else. Wrong: why it cannot be converted.
std::optional<double> number_in_system(const std::string &text, const std::string &system, std::string &wrong);

/// Where the unit of an entry stands: in brackets in its help; or in a list, one for all items or one each.
struct UnitOfEntry
{
  std::string help, units = "";
};

/// The text of an entry whose numbers may have units ("210 GPa", "0, 25 mm"), with plain numbers in the units of the deck in their place:
/// value [SI]/(factor of the entry's unit · factors of length, mass, time of the unit system). Unchanged: items without a unit, and those
/// of entries whose unit is not known. Wrong: why it cannot be converted; else "".
std::string without_units(const std::string &text, const UnitOfEntry &of, const std::string &system, std::string &wrong);
}  // namespace symdyn
