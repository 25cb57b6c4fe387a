#include "solver/stages/harmonic_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <nlohmann/json.hpp>
#include <utility>

#include "solver/base/log.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/harmonic.h"
#include "solver/stages/state_at_rest.h"
#include "solver/vibration/complex_modes.h"
#include "solver/vibration/linear_motion.h"

namespace symdyn
{
void check_sweep(const Analysis &analysis, const Stage &stage, const HarmonicRequest &request)
{
  if (request.modal() && spinning(analysis.structure->system()))
    throw InputError(stage.at("Method") + ": Coriolis' forces of a frame that turns couple the modes. Set Method = direct");
  if (request.needs_modes())
    refuse_uneven_bearings(analysis, stage.at("Spacing"), ", and Spacing = linear here");
  if (const Spinning *frame = spinning(analysis.structure->system()); frame && request.damping.structural > 0.)
    if (const std::string bearing = frame->fixed_bearing(); !bearing.empty())
      throw InputError(
          fmt::format("{}: it turns with the rotor, and in fixed axes ({}) the sign of its forces changes with the sense of each wave. Use "
                      "Dashpots or the section Damping",
                      stage.at("Structural damping"), bearing));
  const Remembering *laws = remembering(analysis.system());
  if (!laws || laws->relaxing().empty())
    return;
  const std::string material = laws->relaxing().front().material;
  if (request.modal())
    throw InputError(
        fmt::format("{}: material '{}' relaxes, and modes of one stiffness do not decouple a complex one that depends on the "
                    "frequency. Set Method = direct or fast",
                    stage.at("Method"), material));
  if (const std::string why = laws->without_oscillations(); !why.empty())
    throw InputError(fmt::format("{}: material '{}' relaxes, and {}", stage.where, material, why));
  log_line(fmt::format("stage {}: materials that relax have the complex moduli of each frequency; other memory is frozen{}", stage.name,
                       request.needs_modes() ? "; Spacing uses modes of the moduli at t = 0" : ""));
}

std::unique_ptr<RelaxingStiffness> relaxing_stiffness(const Analysis &analysis, const Stage &stage, const bool fast)
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
  return std::make_unique<RelaxingStiffness>(*laws, state, fast);
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

void check_tangent(const Analysis &analysis, const MechanicalSystem &about)
{
  if (const Spinning *frame = spinning(analysis.structure->system()); !frame || !frame->uneven_bearing())
    check_linear_motion(about, analysis.state.t, analysis.state.q);
}

void warn_of_growth(Analysis &analysis, const Stage &stage, const MechanicalSystem &about)
{
  if (!spinning(analysis.structure->system()))
    return;
  constexpr unsigned int small = 300;
  ComplexModesRequest lowest;
  if (const unsigned int n = analysis.state.q.size(); n <= small)
    lowest.number = 2 * int(n);
  lowest.count = false;
  lowest.stop = analysis.should_stop;
  try
  {
    const ComplexModes modes = find_complex_modes(about, analysis.state.t, analysis.state.q, lowest);
    std::size_t worst = modes.size();
    for (std::size_t i = 0; i < modes.size(); ++i)
      if ((modes.kinds[i] == ComplexModes::flutter || modes.kinds[i] == ComplexModes::divergence) &&
          (worst == modes.size() || modes.values[i].real() > modes.values[worst].real()))
        worst = i;
    if (worst < modes.size())
      log_warning(fmt::format(
          "stage {}: a motion of this rotor grows ({}, lambda = {:.6g} + {:.6g} i rad/{}): the harmonic answer is never reached. A campbell "
          "stage finds the speed from which it grows, and its cause",
          stage.name, in_words(modes.kinds[worst]), modes.values[worst].real(), modes.values[worst].imag(), analysis.units.time));
    else
      log_detail(fmt::format("stage {}: none of the {} modes of lowest |lambda| grows", stage.name, modes.size()));
  }
  catch (const ComputationError &error)
  {
    log_warning(fmt::format("stage {}: whether motions of this rotor grow is not known ({})", stage.name, error.what()));
  }
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
  sector = cyclic_sector(analysis.structure->system());
  const std::vector<FoldedOrder> orders = loads_of_sectors.patterns(sector);
  const auto refuse = [&](const bool is_there, const std::string &what, const std::string &way) {
    if (sector && is_there)
      throw InputError(fmt::format("{}: {} not available with Cyclic symmetry. {}", where, what, way));
  };
  refuse(request.periodic(), "Waveform is", "Take one harmonic stage for each term of the period");
  refuse(stresses, "Stresses are", "Remove the entry");
  refuse(SupportProgramme::oscillate(analysis, *this), "supports that oscillate are", "Model the whole, or let the base shake");
  const int n = orders.front().diameters;
  refuse(request.moves_base() && n > 1, fmt::format("a base that shakes moves patterns of 0 and 1 nodal diameters, and {} are", n),
         "Give it a stage of its own, with Engine order = 0 (along the axis) or 1 (across it)");
  refuse(request.moves_base() && loads_of_sectors.of_single_sectors(), "a base that shakes moves all sectors, and Loaded sectors are",
         "Give it a stage of its own");
  refuse(request.fast() && orders.size() > 1, "Method = fast with Loaded sectors is", "Set Method = direct or modal");
  const Remembering *laws = remembering(analysis.system());
  refuse(laws && !laws->relaxing().empty(), "materials that relax are", "Model the whole");
}

void HarmonicStage::find_patterns(Analysis &analysis)
{
  patterns.clear();
  for (const FoldedOrder &order : loads_of_sectors.patterns(sector))
    patterns.push_back({order, sector ? sector->motion(analysis.system(), order.diameters) : nullptr, nullptr});
  if (!sector)
    return;
  if (std::any_of(patterns.begin(), patterns.end(), [](const Pattern &one) { return one.motion->copies() == 2; }))
    request.modes.number += request.modes.number % 2;  // each frequency is twice there
  log_line(fmt::format("stage {}: {}", name, loads_of_sectors.in_words(*sector)));
  std::vector<int> diameters;
  for (const Pattern &one : patterns)
    diameters.push_back(one.order.diameters);
  if (loads_of_sectors.of_single_sectors())
    (*analysis.found)[name] = {{"nodal diameters", diameters}};
  else
    (*analysis.found)[name] = {{"nodal diameters", diameters.front()}, {"direction of travel", patterns.front().order.direction}};
}

void HarmonicStage::make_grid()
{
  grid.clear();
  for (const Pattern &one : patterns)
    grid.insert(grid.end(), one.response->frequencies().begin(), one.response->frequencies().end());
  if (patterns.size() == 1)
    return;
  constexpr double apart = 1. + 1e-9;
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end(), [](const double a, const double b) { return b <= apart * a; }), grid.end());
}

ComplexVector HarmonicStage::of_whole(const Pattern &pattern, const ComplexVector &F) const
{
  const auto [c, s] = loads_of_sectors.parts(pattern.order, *sector);
  const auto part = [&](const std::complex<double> factor, const bool imaginary) {
    Vector x(F.real);
    x.equ(imaginary ? factor.imag() : factor.real(), F.real);
    x.add(imaginary ? factor.real() : -factor.imag(), F.imaginary);
    return x;
  };
  return {pattern.motion->force(part(c, false), part(s, false)), pattern.motion->force(part(c, true), part(s, true))};
}

/// Of the sectors that are shown, the first one with the forces of its supports; without `all` of the first alone.
std::vector<HarmonicResponse::Amplitude> HarmonicStage::answers(const double frequency, const bool all) const
{
  if (!sector)
    return {patterns.front().response->at(frequency)};
  const CyclicMotion &first = *patterns.front().motion;
  const Vector none = first.sector(first.new_vector(), 0);
  std::vector<HarmonicResponse::Amplitude> sum(all ? sector->sectors_shown() : 1, {{none, none}, {none, none}});
  for (const Pattern &pattern : patterns)
  {
    const HarmonicResponse::Amplitude whole = pattern.response->at(frequency);
    const auto add = [&](const ComplexVector &from, const int k, const double factor, ComplexVector &to) {
      to.real.add(factor, pattern.motion->sector(from.real, k));
      to.imaginary.add(factor, pattern.motion->sector(from.imaginary, k));
    };
    for (int k = 0; k < int(sum.size()); ++k)
      add(whole.u, k, 1., sum[k].u);
    add(whole.reactions, 0, double(pattern.motion->copies()) / sector->sectors(), sum.front().reactions);
    sum.front().krylov += whole.krylov;
    sum.front().residual = std::max(sum.front().residual, whole.residual);
  }
  for (HarmonicResponse::Amplitude &one : sum)
    for (Vector *x : {&one.u.real, &one.u.imaginary})
      x->update_ghost_values();
  return sum;
}
}  // namespace symdyn
