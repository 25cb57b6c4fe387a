#include "solver/stages/damping_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/error.h"
#include "solver/stages/analysis.h"
#include "solver/unknowns.h"
#include "solver/vibration/modes.h"
#include "solver/vibration/tangent_system.h"

namespace symdyn
{
void log_damping_ratios(Analysis &analysis, const Stage &stage)
{
  const Structure &structure = *analysis.structure;
  const int wanted = structure.reported_ratios;
  const MechanicalSystem &system = analysis.system();
  constexpr unsigned int small = 600, large = 30000;  // degrees of freedom: found without a factorisation; a factorisation is no matter
  const unsigned int size = analysis.at_rest.size();
  if (wanted == 0 || analysis.ratios_logged || structure.modes > 0 || system.constraints())
    return;
  analysis.ratios_logged = true;
  if (size > large || (size > small && !structure.needs_tangent))
    return log_detail(fmt::format(
        "stage {}: the damping ratios of the first modes are not computed for {} degrees of freedom{}; a stage of Type = modes tells them",
        stage.name, size, size > large ? "" : " in explicit steps"));
  try
  {
    ModesRequest request;
    request.count = false;
    const int rigid = int(system.unknowns().momenta().size());
    request.number = wanted + (system.has(Feature::supports) ? 0 : rigid);
    const AtRest about(system, analysis.state.t, analysis.at_rest);
    const Modes modes = find_modes(*about, analysis.state.t, analysis.at_rest, request);
    const std::vector<double> ratios = damping_ratios(modal_damping(*about, analysis.at_rest, modes), modes);
    std::vector<std::string> text;
    for (std::size_t i = 0; i < modes.size() && int(text.size()) < wanted; ++i)
      if (modes.kinds[i] == Modes::vibration)
        text.push_back(fmt::format("{:.4g} at {:.5g} {}", ratios[i], modes.frequency(i), hertz(analysis.units)));
    if (!text.empty())
      log_line(fmt::format("stage {}: damping ratios of the first modes: {}", stage.name, join(text)));
  }
  catch (const InputError &error)  // a line of the log is not worth the run
  {
    log_detail(fmt::format("stage {}: no damping ratios of the first modes: {}", stage.name, error.what()));
  }
  catch (const ComputationError &error)
  {
    log_detail(fmt::format("stage {}: no damping ratios of the first modes: {}", stage.name, error.what()));
  }
}
}  // namespace symdyn
