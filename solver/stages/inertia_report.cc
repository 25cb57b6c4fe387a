#include "solver/stages/inertia_report.h"

#include <fmt/format.h>

#include <cmath>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/unknowns.h"
#include "solver/vibration/modes.h"

namespace symdyn
{
namespace
{
constexpr int wanted = 6;

/// "12.345 Hz (-0.0123 %)": of the scaled mass, and against the physical one.
std::vector<std::string> changes(const MechanicalSystem &system, const Modes &modes, const Units &units)
{
  std::vector<std::string> text;
  for (std::size_t i = 0; i < modes.size() && int(text.size()) < wanted; ++i)
    if (modes.kinds[i] == Modes::vibration)
    {
      const double share = std::min(1., system.diagnosis().added_inertia(modes.shapes[i]));  // of phi·M phi = 1
      constexpr double percent = 100.;
      text.push_back(fmt::format("{:.5g} {} ({:.2g} %)", modes.frequency(i), hertz(units), percent * (std::sqrt(1. - share) - 1.)));
    }
  return text;
}
}  // namespace

void log_scaled_inertia(Analysis &analysis, const Stage &stage)
{
  const MechanicalSystem &system = analysis.system();
  if (analysis.inertia_logged || !system.diagnosis().scales_inertia())
    return;
  analysis.inertia_logged = true;
  constexpr unsigned int large = 30000;  // degrees of freedom: a factorisation of as many is no matter
  const std::string unknown =
      fmt::format("stage {}: how far scaled rotary inertia changes the first frequencies is not computed", stage.name);
  if (system.constraints())
    return log_line(unknown + " with exact directors: Directors = elastic logs it");
  if (analysis.at_rest.size() > large)
    return log_line(fmt::format("{} for {} degrees of freedom: a coarser mesh changes them more", unknown, analysis.at_rest.size()));
  try
  {
    ModesRequest request;
    request.count = false;
    request.number = wanted + (system.has(Feature::supports) ? 0 : int(system.unknowns().momenta().size()));
    const Modes modes = find_modes(system, analysis.state.t, analysis.at_rest, request);
    if (const std::vector<std::string> text = changes(system, modes, analysis.units); !text.empty())
      log_line(fmt::format("stage {}: first frequencies with scaled rotary inertia, and their change by it: {}", stage.name, join(text)));
  }
  catch (const InputError &error)  // a line of the log is not worth the run
  {
    log_line(fmt::format("{}: {}", unknown, error.what()));
  }
  catch (const ComputationError &error)
  {
    log_line(fmt::format("{}: {}", unknown, error.what()));
  }
}
}  // namespace symdyn
