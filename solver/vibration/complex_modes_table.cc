#include "solver/vibration/complex_modes_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solver/base/plain_units.h"
#include "solver/vibration/modes_table.h"

namespace symdyn
{
namespace
{
/// What is special about a mode.
std::string words_on(const ComplexModes &modes, const std::size_t i)
{
  const std::string kind = modes.kinds[i] == ComplexModes::oscillates ? "" : in_words(modes.kinds[i]);
  if (modes.directions.empty() || modes.directions[i] == 0)
    return kind;
  return kind + (kind.empty() ? "" : ", ") + (modes.directions[i] > 0 ? "forward" : "backward");
}
}  // namespace

std::string complex_modes_csv(const ComplexModes &modes, const Units &units, const std::string &frame)
{
  std::string text = fmt::format(
      "mode,{}kind,{},{},damped frequency{} [{}],frequency [{}],damping ratio [-],logarithmic decrement [-],phase collinearity [-],residual "
      "[-],balance [-]\n",
      modes.diameters.empty() ? "" : "nodal diameters [-],direction of travel [-],", with_plain_unit("Re lambda [1/" + units.time + "]"),
      with_plain_unit("Im lambda" + frame + " [rad/" + units.time + "]"), frame, hertz(units), hertz(units));
  for (std::size_t i = 0; i < modes.size(); ++i)
    text += fmt::format("{},{}{},{},{},{},{},{},{},{},{:.3g},{:.3g}\n", i + 1,
                        modes.diameters.empty() ? "" : fmt::format("{},{},", modes.diameters[i], modes.directions[i]),
                        in_words(modes.kinds[i]), modes.values[i].real(), modes.values[i].imag(), modes.damped(i), modes.frequency(i),
                        modes.ratio(i), modes.decrement(i), modes.collinearity[i], modes.residuals[i], modes.balances[i]);
  return text;
}

std::string in_words(const ComplexModes::Kind kind)
{
  switch (kind)
  {
    case ComplexModes::oscillates:
      return "oscillates";
    case ComplexModes::overdamped:
      return "overdamped";
    case ComplexModes::flutter:
      return "flutter";
    case ComplexModes::divergence:
      return "divergence";
    case ComplexModes::rigid:
      return "rigid";
  }
  return "";
}

std::string complex_modes_lines(const std::string &stage, const ComplexModes &modes, const Units &units, const std::string &frame)
{
  std::string text = fmt::format("stage {}: {} complex modes u exp(lambda t){}\n  mode  {:>16}  {:>16}  {:>16}  zeta [-]", stage,
                                 modes.size(), frame, with_plain_unit("Re lambda [1/" + units.time + "]"),
                                 with_plain_unit("Im lambda [rad/" + units.time + "]"), "damped [" + hertz(units) + "]");
  for (std::size_t i = 0; i < modes.size(); ++i)
    text += fmt::format("\n  {:>4}  {:>16.8g}  {:>16.8g}  {:>16.8g}  {:<11.4g}{}", i + 1, modes.values[i].real(), modes.values[i].imag(),
                        modes.damped(i), ratio_in_log(modes.ratio(i)), words_on(modes, i));
  if (modes.size() > 0)
    text += fmt::format("\n  largest residual {:.2g} (rounding of K: {:.2g})",
                        *std::max_element(modes.residuals.begin(), modes.residuals.end()),
                        *std::max_element(modes.roundings.begin(), modes.roundings.end()));
  if (modes.all)
    text += "\n  no mode missing: all modes were computed";
  else if (modes.counted >= 0.)
    text += fmt::format("\n  {:g} modes with |lambda| below {:.6g}; Sturm count of undamped modes {:g}", modes.below, modes.place,
                        modes.counted);
  return text;
}

nlohmann::json complex_modes_summary(const ComplexModes &modes)
{
  nlohmann::json all = nlohmann::json::array();
  for (std::size_t i = 0; i < modes.size(); ++i)
  {
    all.push_back({{"kind", in_words(modes.kinds[i])},
                   {"re", modes.values[i].real()},
                   {"im", modes.values[i].imag()},
                   {"damped frequency", modes.damped(i)},
                   {"damping ratio", modes.ratio(i)},
                   {"residual", modes.residuals[i]}});
    if (!modes.diameters.empty())
      all.back().update({{"nodal diameters", modes.diameters[i]}, {"direction of travel", modes.directions[i]}});
  }
  return {{"none is missing", modes.complete()}, {"modes", all}};
}
}  // namespace symdyn
