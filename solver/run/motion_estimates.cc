#include "solver/run/motion_estimates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/base/log.h"
#include "solver/base/unit_value.h"
#include "solver/cyclic.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/unknowns.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
namespace
{
constexpr double slowest_wave = 10, fastest_wave = 15000;  // of solids [m/s]: soft rubber, diamond and beryllium aside
constexpr unsigned int most_unknowns = 10000;              // a search for modes of as many takes about a second

std::string speed_unit(const Units &units) { return units.length + "/" + units.time; }

void warn_of_speed(const std::string &material, const double c, const Units &units)
{
  const std::optional<Unit> unit = unit_from(speed_unit(units));
  if (!unit || units.length == "1")
    return;
  if (const double in_SI = c * unit->factor; in_SI < slowest_wave || in_SI > fastest_wave)
    log_warning(
        fmt::format("[Materials/{}]: waves run at {:.4g} m/s, and in solids at {:g} to {:g}. Look at the units: with Units/System = {} "
                    "the modulus is in {} and the density in {}/{}^3{}",
                    material, in_SI, slowest_wave, fastest_wave, units.length == "mm" ? "mm-t-s" : "SI", units.stress, units.mass,
                    units.length, units.length == "mm" ? ", of steel 210000 and 7.85e-9" : ", of steel 210e9 and 7850"));
}
}  // namespace

std::string waves_in_words(const ModelFacts &facts, const Units &units)
{
  double length = 0;
  for (int d = 0; d < facts.dimension; ++d)
    length = std::max(length, facts.upper[d] - facts.lower[d]);
  std::string text;
  for (const auto &[name, c] : facts.wave_speeds)
  {
    text += fmt::format("  longitudinal waves in {}: {:.4g}{}, {:.4g}{} over the longest extent\n", name, c,
                        units.length == "1" ? "" : " " + speed_unit(units), length / c, Units::after(units.time));
    warn_of_speed(name, c, units);
  }
  return text;
}

std::string first_period_in_words(const Analysis &analysis)
{
  const MechanicalSystem &system = analysis.system();
  const auto without = [](const std::string &why) { return "  first period: not estimated, " + why + "\n"; };
  if (!analysis.structure->needs_tangent)
    return without("an explicit run has no matrices. Take a stage of Type = modes");
  if (analysis.state.q.size() > most_unknowns)
    return without(fmt::format("of more than {} unknowns. Take a stage of Type = modes", most_unknowns));
  if (cyclic_sector(system))
    return without("the whole has other modes than its sector. Take a stage of Type = modes");
  constexpr int most = 1000;  // of several bodies each has free motions
  ModesRequest request;
  request.none_is_allowed = true;
  request.count = false;
  try
  {
    for (request.number = 1 + int(system.unknowns().momenta().size()); request.number <= most; request.number *= 2)
    {
      const Modes modes = find_modes(system, analysis.state.t, analysis.state.q, request);
      for (std::size_t i = 0; i < modes.size(); ++i)
        if (modes.kinds[i] == Modes::vibration)
          return fmt::format("  first period: {:.4g}{}, of small motions about the start\n", 1. / modes.frequency(i),
                             Units::after(analysis.units.time));
      if (modes.size() < std::size_t(request.number))
        break;
    }
    return without("the first modes about the start are no vibrations");
  }
  catch (const std::runtime_error &error)  // an estimate is not worth the check
  {
    const std::string why = error.what();
    return without("the search for modes says: " + why.substr(0, why.find(". ")));
  }
}
}  // namespace symdyn
