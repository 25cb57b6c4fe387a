#include "solver/vibration/modes_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "solver/base/plain_units.h"

namespace symdyn
{
namespace
{
bool turns(const std::string &motion) { return motion[0] == 'r'; }
}  // namespace

ModesTable::ModesTable(const MechanicalSystem &system, const Vector &q, const Modes &modes, std::vector<double> ratios, const Units &units)
    : ModesTable(modes, Participation(system, q, modes), std::move(ratios), units, {})
{
}

ModesTable::ModesTable(const Modes &modes, Participation participation, std::vector<double> ratios, const Units &units,
                       std::vector<int> diameters)
    : modes(modes), participation(std::move(participation)), ratios(std::move(ratios)), diameters(std::move(diameters)), units(units)
{
}

std::string ModesTable::csv() const
{
  const std::string root_mass = units.mass == "1" ? "1" : "sqrt(" + units.mass + ")";
  std::string text =
      fmt::format("mode,{}kind,frequency [{}],{},{},damping ratio [-]", diameters.empty() ? "" : "nodal diameters [-],", hertz(units),
                  with_plain_unit("omega [rad/" + units.time + "]"), with_plain_unit("omega^2 [1/" + units.time + "^2]"));
  for (const std::string &motion : participation.motions)
    text += fmt::format(",participation {} [{}{}]", motion, root_mass, turns(motion) ? " " + units.length : "");
  for (const std::string &motion : participation.motions)
    text += fmt::format(",effective mass {} [{}{}]", motion, units.mass, turns(motion) ? " " + units.length + "^2" : "");
  text += "\n";
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    text += fmt::format("{},{}{},{},{},{},{}", i + 1, diameters.empty() ? "" : fmt::format("{},", diameters[i]), in_words(modes.kinds[i]),
                        modes.frequency(i), modes.omega(i), modes.squares[i], ratios[i]);
    for (const double factor : participation.factors[i])
      text += fmt::format(",{}", factor);
    for (const double factor : participation.factors[i])
      text += fmt::format(",{}", factor * factor);
    text += "\n";
  }
  return text;
}

std::string ModesTable::lines(const std::string &stage) const
{
  std::string text = fmt::format("stage {}: {} modes\n  mode  {}{:>16}  zeta [-]    effective mass, part of the whole:", stage,
                                 modes.size(), diameters.empty() ? "" : "nodal diameters  ", "frequency [" + hertz(units) + "]");
  for (const std::string &motion : participation.motions)
    text += fmt::format(" {:>7}", motion);
  std::vector<double> sums(participation.motions.size(), 0.);
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    text += fmt::format("\n  {:>4}  {}{:>16.8g}  {:<8.3g}  {:<33}", i + 1, diameters.empty() ? "" : fmt::format("{:>15}  ", diameters[i]),
                        modes.frequency(i), ratio_in_log(ratios[i]), modes.kinds[i] == Modes::vibration ? "" : in_words(modes.kinds[i]));
    for (std::size_t j = 0; j < sums.size(); ++j)
    {
      const double total = participation.total[j];  // 0: of a rotation about the line that all points are on
      const double part = total > 0. ? participation.factors[i][j] * participation.factors[i][j] / total : 0.;
      sums[j] += part;
      text += fmt::format(" {:>7.4f}", part);
    }
  }
  text += fmt::format("\n  {:<{}}", "sum", diameters.empty() ? 64 : 81);
  for (const double sum : sums)
    text += fmt::format(" {:>7.4f}", sum);
  if (modes.complete)
    text += "\n  Sturm check passed: no mode missing (counted by a factorisation, or all modes computed)";
  return text;
}

nlohmann::json ModesTable::summary() const
{
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    nlohmann::json masses;
    for (std::size_t j = 0; j < participation.motions.size(); ++j)
      masses[participation.motions[j]] = participation.factors[i][j] * participation.factors[i][j];
    all.push_back({{"kind", in_words(modes.kinds[i])},
                   {"frequency", modes.frequency(i)},
                   {"omega^2", modes.squares[i]},
                   {"damping ratio", ratios[i]},
                   {"effective mass", masses}});
    if (!diameters.empty())
      all.back()["nodal diameters"] = diameters[i];
  }
  return {{"none is missing", modes.complete}, {"modes", all}};
}
}  // namespace symdyn
