#include <fmt/format.h>

#include <algorithm>

#include "solver/base/log.h"
#include "solver/base/names.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/harmonic.h"

// What oscillates in a harmonic stage.
namespace symdyn
{
std::vector<std::size_t> HarmonicStage::oscillating_loads(const Analysis &analysis) const
{
  const MechanicalSystem &system = analysis.system();
  const std::vector<bool> &acting_before = analysis.loads.acting();
  const std::vector<std::string> names = system.diagnosis().load_names(), weights = system.diagnosis().weights();
  const bool all = loads.empty() || loads.front() == "all";
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < names.size(); ++i)
  {
    if (!(all ? !acting_before[i] : std::count(loads.begin(), loads.end(), names[i]) > 0))
      continue;
    if (acting_before[i])
      throw InputError(fmt::format(
          "{}: load '{}' acts already, at rest; it cannot also oscillate. Leave it out of Loads of the stage before, or make another load",
          at("Loads"), names[i]));
    if (std::count(weights.begin(), weights.end(), names[i]))
      throw InputError(fmt::format(
          "{}: load '{}' is a weight, which does not oscillate. Put it on in a static stage before this one, and name the loads that oscillate in Loads; a base "
          "that shakes is Base acceleration",
          at("Loads"), names[i]));
    chosen.push_back(i);
  }
  check_out_of_phase(names, chosen);
  if (chosen.empty() && !request.moves_base() && !SupportProgramme::oscillate(analysis, *this))
    throw InputError(fmt::format(
        "{}: a harmonic stage needs a load that oscillates, and does not act before it, or a base that shakes (Base acceleration). Name the loads of the stages "
        "before in their Loads",
        where));
  return chosen;
}

void HarmonicStage::check_out_of_phase(const std::vector<std::string> &names, const std::vector<std::size_t> &chosen) const
{
  for (const std::string &load : request.quadrature)
    if (!std::count(names.begin(), names.end(), load))
      throw InputError(
          fmt::format("{}: there is no load '{}'; there are: {}", at("Imaginary loads"), load, join(nearest_first(load, names))));
    else if (!std::count_if(chosen.begin(), chosen.end(), [&](const std::size_t i) { return names[i] == load; }))
      throw InputError(fmt::format("{}: load '{}' is none of those that oscillate. Name it in Loads too", at("Imaginary loads"), load));
}

ComplexVector HarmonicStage::force(const Analysis &analysis) const
{
  const MechanicalSystem &system = analysis.system();
  const State &state = analysis.state;
  const std::vector<std::string> names = system.diagnosis().load_names(), &ahead = request.quadrature;
  ComplexVector F{system.new_vector(), system.new_vector()};
  Vector of_load = system.new_vector();
  const std::vector<std::size_t> oscillating = oscillating_loads(analysis);
  for (const std::size_t i : oscillating)
  {
    system.diagnosis().load_force(i, state.t, state.q, of_load);
    if (!is_constant_load(system, i, state.t, state.q, of_load))
      throw InputError(fmt::format(
          "{}: load '{}' changes with time; the amplitude of an oscillation does not. Give it a constant value, without Amplitude",
          at("Loads"), names[i]));
    (std::count(ahead.begin(), ahead.end(), names[i]) ? F.imaginary : F.real) += of_load;
  }
  report_drive(analysis, oscillating, F.real.l2_norm() == 0. && F.imaginary.l2_norm() == 0.);
  return F;
}

Vector HarmonicStage::support_amplitude(Analysis &analysis) const
{
  if (!SupportProgramme::oscillate(analysis, *this))
    return {};
  Vector g = analysis.supports.motions_at(analysis, *this, {analysis.state.t}).front();
  if (g.l2_norm() == 0.)
    return {};
  g.update_ghost_values();
  log_line(fmt::format("stage {}: supports oscillate by up to {:.6g}{}", name, g.linfty_norm(), Units::after(analysis.units.length)));
  return g;
}

void HarmonicStage::report_drive(const Analysis &analysis, const std::vector<std::size_t> &oscillating, const bool zero) const
{
  const bool supports_oscillate = SupportProgramme::oscillate(analysis, *this);
  request.damping.check_motion(request.moves_base() || supports_oscillate);
  if (!oscillating.empty() && zero)
    throw InputError(fmt::format(
        "{}: the loads of this harmonic stage are zero. Look at their amplitudes: a harmonic load has the constant one that stands in the deck",
        at("Loads")));
  std::vector<std::string> said;
  for (const std::size_t i : oscillating)
    said.push_back(analysis.system().diagnosis().load_names()[i]);
  if (request.moves_base())
    said.push_back("the base");
  if (analysis.system().has(Feature::moving_supports) && !supports_oscillate)
    log_warning(fmt::format(
        "stage {}: supports that move by themselves do not oscillate here. A base that shakes is Base acceleration or Base displacement",
        name));
  if (supports_oscillate)
    said.push_back("supports");
  log_line(fmt::format("stage {}: harmonic loads: {}{}", name, join(said), in_its_frame(analysis.structure->system())));
}
}  // namespace symdyn
