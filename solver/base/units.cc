#include "solver/base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <vector>

#include "solver/base/names.h"
#include "solver/base/number.h"
#include "solver/base/unit_value.h"
#include "solver/parameters.h"

namespace symdyn
{
void Units::declare(Parameters &p)
{
  std::string system = "SI";
  p.add("System", system,
        "labels in output headers: SI (m, kg, s), mm-t-s (mm, t, s, N, MPa, mJ), molecular (A, u, kcal/mol, 48.888 fs) or none (1)",
        {"SI", "mm-t-s", "molecular", "none"});
  if (system == "mm-t-s")
    *this = {"mm", "t", "s", "N", "mJ", "MPa"};
  if (system == "molecular")
    *this = {"A", "u", "48.888fs", "kcal/mol/A", "kcal/mol", "kcal/mol/A^3"};
  if (system == "none")
    *this = {"1", "1", "1", "1", "1", "1"};
}

Units Units::of(const Parameters &root)
{
  Units units;
  Parameters labels = root.section("Units");
  units.declare(labels);
  return units;
}

std::string Units::in_length(const double value) const { return fmt::format("{:.4g}{}", value, after(length)); }
std::string Units::in_stress_over_length(const double value) const
{
  return fmt::format("{:.4g}{}", value, after(stress == "1" ? "1" : stress + "/" + length));
}
std::string Units::at_place(const std::array<double, 3> &X) const
{
  return fmt::format("({:.4g}, {:.4g}, {:.4g}){}", X[0], X[1], X[2], after(length));
}

std::string hertz(const Units &units) { return units.time == "s" ? "Hz" : units.time == "1" ? "1" : "1/" + units.time; }

namespace
{
namespace in_units  // names that other sources of a batch may have, too
{
using Powers = std::array<int, 6>;
constexpr double pi = 3.14159265358979323846;
constexpr Powers none{}, length{1}, mass{0, 1}, duration{0, 0, 1}, temperature{0, 0, 0, 1}, angle{0, 0, 0, 0, 1}, amount{0, 0, 0, 0, 0, 1},
    force{1, 1, -2}, pressure{-1, 1, -2}, energy{2, 1, -2}, power{2, 1, -3}, frequency{0, 0, -1}, turns{0, 0, -1, 0, 1};

const std::map<std::string, Unit> &units()
{
  static const std::map<std::string, Unit> all{{"1", {1, none}},           {"m", {1, length}},
                                               {"mm", {1e-3, length}},     {"cm", {1e-2, length}},
                                               {"km", {1e3, length}},      {"um", {1e-6, length}},
                                               {"in", {0.0254, length}},   {"ft", {0.3048, length}},
                                               {"kg", {1, mass}},          {"g", {1e-3, mass}},
                                               {"mg", {1e-6, mass}},       {"t", {1e3, mass}},
                                               {"s", {1, duration}},       {"ms", {1e-3, duration}},
                                               {"us", {1e-6, duration}},   {"min", {60, duration}},
                                               {"h", {3600, duration}},    {"K", {1, temperature}},
                                               {"mol", {1, amount}},       {"rad", {1, angle}},
                                               {"deg", {pi / 180, angle}}, {"degrees", {pi / 180, angle}},
                                               {"N", {1, force}},          {"mN", {1e-3, force}},
                                               {"kN", {1e3, force}},       {"MN", {1e6, force}},
                                               {"Pa", {1, pressure}},      {"kPa", {1e3, pressure}},
                                               {"MPa", {1e6, pressure}},   {"GPa", {1e9, pressure}},
                                               {"bar", {1e5, pressure}},   {"J", {1, energy}},
                                               {"mJ", {1e-3, energy}},     {"kJ", {1e3, energy}},
                                               {"MJ", {1e6, energy}},      {"W", {1, power}},
                                               {"kW", {1e3, power}},       {"Hz", {1, frequency}},
                                               {"kHz", {1e3, frequency}},  {"rpm", {pi / 30, turns}}};
  return all;
}

/// Factors and quotients of named units, with whole powers and parentheses.
class UnitReader
{
public:
  explicit UnitReader(std::string given) : text(std::move(given))
  {
    for (const auto &[sign, plain] : {std::pair{"²", "^2"}, {"³", "^3"}, {"·", " "}, {"°", "deg"}})
      for (std::size_t i = 0; (i = text.find(sign, i)) != std::string::npos;)
        text.replace(i, std::string(sign).size(), plain);
  }
  std::optional<Unit> read()
  {
    const Unit unit = product();
    return valid && at == text.size() ? std::optional<Unit>(unit) : std::nullopt;
  }

private:
  bool skip(const char c)
  {
    while (at < text.size() && text[at] == ' ')
      ++at;
    const bool found = at < text.size() && text[at] == c;
    at += found;
    return found;
  }
  static void multiply(Unit &unit, const Unit &by, const int power)
  {
    unit.factor *= std::pow(by.factor, power);
    for (std::size_t i = 0; i < unit.powers.size(); ++i)
      unit.powers[i] += power * by.powers[i];
  }
  Unit product()
  {
    Unit unit = factor();
    while (valid && at < text.size())
      if (skip('/'))
        multiply(unit, factor(), -1);
      else if (skip('*') || (at < text.size() && text[at] != ')'))
        multiply(unit, factor(), 1);
      else
        break;
    return unit;
  }
  Unit factor()
  {
    Unit unit;
    if (skip('('))
    {
      unit = product();
      valid = skip(')') && valid;
    }
    else
    {
      const std::size_t begin = at;
      while (at < text.size() && (std::isalpha(static_cast<unsigned char>(text[at])) || text[at] == '1'))
        ++at;
      const auto found = units().find(text.substr(begin, at - begin));
      valid = valid && found != units().end();
      if (valid)
        unit = found->second;
    }
    if (valid && skip('^'))
    {
      const std::size_t begin = at;
      at += at < text.size() && text[at] == '-';
      while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
        ++at;
      const auto power = number_from<int>(text.substr(begin, at - begin));
      valid = power && std::abs(*power) < 10;
      Unit raised;
      if (valid)
        multiply(raised, unit, *power);
      return raised;
    }
    return unit;
  }

  std::string text;
  std::size_t at = 0;
  bool valid = true;
};

/// The unit of an entry, as its help names it.
struct OfEntry
{
  std::vector<std::string> names;  ///< in brackets, each once
  std::optional<Unit> unit;        ///< the only one
  bool dimensionless() const { return names == std::vector<std::string>{"-"}; }
};

OfEntry unit_in(const std::string &help)
{
  OfEntry entry;
  for (std::size_t open = help.find('['); open != std::string::npos; open = help.find('[', open + 1))
    if (const std::string name = help.substr(open + 1, help.find(']', open) - open - 1);
        (name == "-" || unit_from(name)) && std::count(entry.names.begin(), entry.names.end(), name) == 0)
      entry.names.push_back(name);
  if (entry.names.size() == 1)
    entry.unit = entry.dimensionless() ? Unit() : unit_from(entry.names[0]);
  return entry;
}

/// Length and mass of a unit system in m and kg; nothing where units have no size in the SI.
std::optional<std::array<double, 2>> sizes(const std::string &system)
{
  if (system == "SI")
    return std::array<double, 2>{1., 1.};
  return system == "mm-t-s" ? std::optional(std::array<double, 2>{1e-3, 1e3}) : std::nullopt;
}

/// A number and the unit behind it; nothing for all else.
std::optional<std::pair<double, std::string>> with_unit(const std::string &item)
{
  const std::string text = trim(item);
  const std::size_t end = text.find_first_of(" \t");
  if (end == std::string::npos)
    return std::nullopt;
  const auto number = number_from<double>(text.substr(0, end));
  const std::string unit = trim(text.substr(end));
  const bool is_pair = !unit.empty() && std::isdigit(static_cast<unsigned char>(unit[0])) && unit.rfind("1/", 0) != 0;  // of a table
  if (!number || is_pair || !unit_from(unit))
    return std::nullopt;
  return std::pair{*number, unit};
}

std::string without_sizes(const std::string &system)
{
  return sizes(system)
             ? ""
             : fmt::format("numbers have no units with Units/System = {}. Write the number alone, or set System = SI or mm-t-s", system);
}

/// In the coherent unit of a system that has sizes.
double converted(const std::pair<double, std::string> &given, const std::string &system)
{
  const auto [length, mass] = *sizes(system);
  const Unit unit = *unit_from(given.second);
  return given.first * unit.factor / std::pow(length, unit.powers[0]) / std::pow(mass, unit.powers[1]);
}

std::string why_not(const std::string &unit, const OfEntry &entry, const std::string &system)
{
  if (entry.names.size() > 1)
    return fmt::format("the numbers here have the units {}. Write them without units, in those of the deck", join(entry.names));
  if (entry.dimensionless() || unit_from(unit)->powers != entry.unit->powers)
    return entry.dimensionless()
               ? fmt::format("{} is a unit, and this number has none. Write the number alone", unit)
               : fmt::format("{} is no unit of this entry, whose unit is {}. Write the number in such a unit", unit, entry.names[0]);
  return without_sizes(system);
}
}  // namespace in_units
}  // namespace

std::optional<Unit> unit_from(const std::string &text) { return in_units::UnitReader(text).read(); }

std::optional<double> number_in_system(const std::string &text, const std::string &system, std::string &wrong)
{
  const auto given = in_units::with_unit(text);
  if (!given)
    return number_from<double>(text);
  wrong = in_units::without_sizes(system);
  return wrong.empty() ? std::optional(in_units::converted(*given, system)) : std::nullopt;
}

std::string without_units(const std::string &text, const UnitOfEntry &of, const std::string &system, std::string &wrong)
{
  using namespace in_units;
  std::vector<OfEntry> entries;
  for (const std::string &unit : split(of.units))
    entries.push_back(unit_in("[" + unit + "]"));
  if (entries.empty())
    entries.push_back(unit_in(of.help));
  if (entries.front().names.empty())
    return text;
  std::vector<std::string> items = split(text);
  bool any = false;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const auto given = with_unit(items[i]))
    {
      const OfEntry &entry = entries[i % entries.size()];
      wrong = why_not(given->second, entry, system);
      if (!wrong.empty())
        return text;
      items[i] = fmt::format("{:.15g}", converted(*given, system) / entry.unit->factor);
      any = true;
    }
  return any ? join(items) : text;
}
}  // namespace symdyn
