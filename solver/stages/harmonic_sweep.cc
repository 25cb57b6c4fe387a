#include "solver/stages/harmonic_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solver/base/log.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/harmonic.h"
#include "solver/stages/state_at_rest.h"

namespace symdyn
{
void check_sweep(const Analysis &analysis, const Stage &stage, const HarmonicRequest &request)
{
  if (request.modal() && spinning(analysis.structure->system()))
    throw InputError(stage.where + ": Method = modal: Coriolis' forces of a frame that turns couple the modes. Set Method = direct");
  const Remembering *laws = remembering(analysis.system());
  if (!laws || laws->relaxing().empty())
    return;
  const std::string material = laws->relaxing().front().material;
  if (request.modal() || request.fast())
    throw InputError(fmt::format("{}: Method = {}: material '{}' relaxes, and {}. Set Method = direct", stage.where, request.method,
                                 material,
                                 request.fast() ? "its stiffness is another one at each frequency"
                                                : "modes of one stiffness do not decouple a complex one that depends on the frequency"));
  if (const std::string why = laws->without_oscillations(); !why.empty())
    throw InputError(fmt::format("{}: material '{}' relaxes, and {}", stage.where, material, why));
  log_line(fmt::format("stage {}: materials that relax have the complex moduli of each frequency; other memory is frozen{}", stage.name,
                       request.needs_modes() ? "; Spacing uses modes of the moduli at t = 0" : ""));
}

std::unique_ptr<RelaxingStiffness> relaxing_stiffness(const Analysis &analysis, const Stage &stage)
{
  const Remembering *laws = remembering(analysis.system());
  if (!laws || laws->relaxing().empty())
    return nullptr;
  constexpr double much = 1e-3, long_after = 1e3;
  double longest = 0.;
  for (const RelaxingLaw &law : laws->relaxing())
    longest = std::max(longest, *std::max_element(law.times.begin(), law.times.end()));
  const State &state = analysis.state;
  Vector now = analysis.system().new_vector(), then = now;
  laws->at(state)->internal_force(state.q, now);
  laws->increment(state.history, long_after * longest, state.t)->internal_force(state.q, then);
  then -= now;
  if (then.l2_norm() > much * now.l2_norm())
    log_warning(fmt::format(
        "stage {}: the state about which it vibrates still relaxes, by {:.2g} of its forces: the moduli are those of a state at "
        "rest. Let a static stage with a Duration of some relaxation times ({:.3g}{}) come before",
        stage.name, then.l2_norm() / now.l2_norm(), longest, Units::after(analysis.units.time)));
  return std::make_unique<RelaxingStiffness>(*laws, state);
}

void report_sweep(Analysis &analysis, const Stage &stage, const HarmonicRequest &request, const HarmonicResponse &response)
{
  if (response.all_modes().size() > 0)
    report_modes(analysis, stage, response.all_modes(), response.all_ratios());
  const FastSweep *fast = response.fast_sweep();
  if (!fast)
    return;
  const double residual = fast->largest_residual();
  analysis.counts.krylov += response.fast_krylov();
  log_line(fmt::format("stage {}: {} frequencies from solutions at {} of them, {} basis vectors; largest residual {:.2g}", stage.name,
                       response.frequencies().size(), fast->solutions(), fast->basis(), residual));
  (*analysis.found)[stage.name]["fast_sweep"] = {
      {"solutions", fast->solutions()}, {"basis", fast->basis()}, {"largest_residual", residual}};
  if (!(residual <= request.tolerance))
    log_warning(fmt::format(
        "stage {}: the largest residual {:.2g} is above the Sweep tolerance {:g}, and no frequency is left to solve. "
        "Take a larger tolerance, or Method = direct{}",
        stage.name, residual, request.tolerance, fast->unsolved().empty() ? "" : ". A frequency has no solution: " + fast->unsolved()));
}

void watch_sweep(Analysis &analysis, const Stage &stage, HarmonicRequest &request)
{
  request.modes.stop = analysis.should_stop;
  request.modes.progress = analysis.modes_progress(stage);
  request.show = [name = stage.name](const int solutions) {
    log_detail(fmt::format("stage {}: {} frequencies are solved", name, solutions));
  };
}

void HarmonicStage::check_sector(Analysis &analysis)
{
  const CyclicSector *sector = cyclic_sector(analysis.structure->system());
  pattern = order.of(sector);
  sectors = sector ? sector->sectors() : 0;
  sectors_shown = sector ? sector->sectors_shown() : 0;
  const auto refuse = [&](const bool is_there, const std::string &what, const std::string &way) {
    if (sector && is_there)
      throw InputError(fmt::format("{}: {} not available with Cyclic symmetry. {}", where, what, way));
  };
  refuse(request.periodic(), "Waveform is", "Take one harmonic stage for each term of the period");
  refuse(stresses, "Stresses are", "Remove the entry");
  refuse(SupportProgramme::oscillate(analysis, *this), "supports that oscillate are", "Model the whole, or let the base shake");
  refuse(request.moves_base() && pattern.diameters > 1,
         fmt::format("a base that shakes moves patterns of 0 and 1 nodal diameters, and {} are", pattern.diameters),
         "Give it a stage of its own, with Engine order = 0 (along the axis) or 1 (across it)");
  const Remembering *laws = remembering(analysis.system());
  refuse(laws && !laws->relaxing().empty(), "materials that relax are", "Model the whole");
}

/// F e^{±i n j alpha} is of cos(n j alpha) c - sin(n j alpha) s, with c = F and s = ∓i F.
ComplexVector HarmonicStage::of_whole(const ComplexVector &sector) const
{
  Vector ahead(sector.imaginary), behind(sector.real);
  ahead *= -pattern.direction;
  behind *= pattern.direction;
  return {motion->force(sector.real, ahead), motion->force(sector.imaginary, behind)};
}

void HarmonicStage::take_sector(HarmonicResponse::Amplitude &amplitude) const
{
  for (Vector *u : {&amplitude.u.real, &amplitude.u.imaginary})
    *u = motion->sector(*u, 0);
  for (Vector *R : {&amplitude.reactions.real, &amplitude.reactions.imaginary})
  {
    *R = motion->sector(*R, 0);
    *R *= double(motion->copies()) / sectors;
  }
}
}  // namespace symdyn
