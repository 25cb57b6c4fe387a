#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/base/counted.h"
#include "solver/base/log.h"
#include "solver/error.h"
#include "solver/history.h"
#include "solver/mechanical_system.h"
#include "solver/searching.h"
#include "solver/spinning.h"
#include "solver/stages/analysis.h"
#include "solver/stages/static.h"

// What a static stage warns of.
namespace symdyn
{
/// Where supports move by formulas of t that change nothing until the end of the stage.
void Static::warn_of_rest(Analysis &analysis) const
{
  const MechanicalSystem &system = analysis.system();
  reach(analysis, 1.);
  const double end = analysis.state.t;
  const auto largest_move = [&](const double t) {
    Vector q = analysis.state.q, v = analysis.state.v, a = analysis.state.a;
    system.impose(t, q, v, a);
    q -= analysis.state.q;
    return q.linfty_norm();
  };
  const bool stands = largest_move(end) == 0. && !remembering(system);  // laws that relax do so at rest
  const bool moves_later = stands && std::max({largest_move(end + 1e-3), largest_move(end + 0.37), largest_move(end + 1.)}) > 0.;
  reach(analysis, 0.);
  if (moves_later)
    log_warning(
        fmt::format("stage {}: supports are prescribed to move, and stand at the end of this stage where they are (t = {:g}{}). "
                    "Where a motion is a function of t, set Duration",
                    name, analysis.place.start + duration, Units::after(analysis.units.time)));
}

void Static::warn_of_small_load(const Analysis &analysis, const double part, const NewtonReport &report) const
{
  const State &state = analysis.state;
  Vector load = analysis.system().new_vector();
  analysis.system().applied_force(state.t, state.q, state.v, load);
  if (report.iterations == 0 && !extrapolated && report.residuals.front() > 1e-3 * load.l2_norm() / increments && load.l2_norm() > 0.)
    log_warning(fmt::format(
        "stage {}, {:.6g} of its loads: |r| = {:.3g}{} is below the rounding of the stiffness forces and was left: the load is too "
        "small for this body, or the increments are too many",
        name, part, report.residuals.front(), Units::after(analysis.units.force)));
}

/// Forces that act in full from the start of an increment on do not start from equilibrium: their work is no mean of its ends.
bool Static::was_at_rest(Analysis &analysis, const double from, const double to, const State &start) const
{
  constexpr double small = 1e-3;
  const MechanicalSystem &system = analysis.system();
  Vector r = system.new_vector(), load = r, v = start.v;
  reach(analysis, from);
  system.internal_force(start.q, r);
  system.applied_force(analysis.state.t, start.q, v, load);
  r -= load;
  system.project(r);
  reach(analysis, to);
  return !(r.l2_norm() > small * load.l2_norm());
}

void Static::warn_of_jump(Analysis &analysis, const double from, const double to, const Energies &before, const State &start)
{
  // The work of an increment in which a body begins to flow, or touches something, is not the mean of its ends.
  if (remembering(analysis.system()) || searching(analysis.system()))
    return;
  constexpr double far = 0.25, small = 1e-3, of_rounding = 10.;
  const EnergyBalance &now = analysis.energy_balance;
  const double gained = now.potential() - before.potential, done = now.external_work() - before.work,
               missing = std::abs(now.balance_error() - before.error), most = std::max(std::abs(gained), std::abs(done));
  if (missing <= far * most || missing <= small * now.scale() || missing <= of_rounding * potential_rounding(analysis.system()))
    return;
  if (!was_at_rest(analysis, from, to, start))
    return;
  analysis.quality.leave_path(name, missing);
  if (std::exchange(jumped, true))
    return;
  const std::string unit = Units::after(analysis.units.energy);
  log_warning(fmt::format(
      "stage {}: from {:.6g} to {:.6g} of its loads they and the supports did {:.3g}{}, and the energy changed by {:.3g}{}: the structure "
      "has left the path of equilibrium (it snapped, or Newton's method found another state), or the increment is too long for what changes "
      "in it (a gap closes, a stop gives way). Look at the "
      "shape, take more Increments, or a dynamic stage",
      name, from, to, done, unit, gained, unit));
}

void Static::note_compliance(const Vector &before, const double part, const Vector &q)
{
  Vector way = q;
  way -= before;
  last_compliance = way.l2_norm() / part;
  if (first_compliance == 0.)
    first_compliance = last_compliance;
}

std::string Static::limit_in_words(const Analysis &analysis, std::string text, const double reached, const int cuts) const
{
  constexpr double far_softer = 3.;
  const std::vector<bool> &acting = analysis.loads.acting();
  const bool loaded = std::find(acting.begin(), acting.end(), true) != acting.end();
  const std::string drive = loaded ? "load" : "motion of the supports",
                    way_out = loaded ? "Prescribe displacements instead of the load, or make the stage dynamic" : "Make the stage dynamic";
  if (!text.empty() && text.back() == '.')
    text.pop_back();
  if (cuts > 0)
    text += fmt::format(". The increment was halved {} times", cuts);
  if (first_compliance > 0. && last_compliance > far_softer * first_compliance)
    return text + fmt::format(
                      ". At {:.6g} of the loads of the stage, displacements per {} are {:.3g} times those of the first increment: a "
                      "limit load is near, beyond which there is no equilibrium (collapse, snapping, buckling). {}",
                      reached, drive, last_compliance / first_compliance, way_out);
  if (cuts > 0)
    text += fmt::format(". Equilibria were found up to {:.6g} of the loads of the stage. If that is a limit load: {}", reached, way_out);
  return text;
}

void Static::warn_of_instability(const double from, const double to)
{
  if (negatives <= most_negatives)
    return;
  const bool first = std::exchange(most_negatives, negatives) == 0;
  const std::string text = fmt::format("stage {}: from {:.6g} to {:.6g} of its loads the tangent stiffness has become indefinite ({})",
                                       name, from, to, counted(negatives, "negative eigenvalue"));
  if (first)
    log_warning(text +
                ": the structure has passed a critical load (buckling, also of a plastic body, or a limit load), and this equilibrium "
                "is unstable. Perturb the shape or the loads to see where it goes, or make the stage dynamic");
  else
    log_detail(text);
}

void Static::warn_of_size(const Analysis &analysis)
{
  constexpr double sizes = 1e3;
  if (largest_plausible == 0.)
  {
    const ModelFacts facts = analysis.structure->facts();
    const double size = std::hypot(facts.upper[0] - facts.lower[0], facts.upper[1] - facts.lower[1], facts.upper[2] - facts.lower[2]);
    largest_plausible = size > 0. ? sizes * size : std::numeric_limits<double>::infinity();
  }
  const double largest = analysis.state.q.linfty_norm();
  if (largest <= largest_plausible)
    return;
  log_warning(fmt::format(
      "stage {}: a displacement of {:.3g}{}, more than {:g} times the size of the body: look at the supports, the stiffness and the units",
      name, largest, Units::after(analysis.units.length), sizes));
  largest_plausible = std::numeric_limits<double>::infinity();
}

/// In fixed axes an unbalance goes round; at rest it cannot.
void Static::warn_of_standing_unbalances(const Analysis &analysis) const
{
  const Spinning *frame = spinning(analysis.structure->system());
  const bool all = loads.empty() || loads.front() == "all";
  for (const std::string &one : unbalances)
    if (frame && !frame->fixed_bearing().empty() && (all || std::count(loads.begin(), loads.end(), one)))
      log_warning(fmt::format("stage {}: the unbalance '{}' turns with the rotor, and here it stands still in fixed axes. Name other Loads",
                              name, one));
}

void Static::look_at_flow(Analysis &analysis, const bool may_halve) const
{
  const std::string what = analysis.flow_watch.large_flow(analysis.system(), analysis.state.history, analysis.units, largest_flow);
  if (!what.empty() && may_halve)
    throw ComputationError(what);
  if (!what.empty())
    analysis.flow_watch.warn(fmt::format("stage {}: {}. Take more Increments, or set Halve on failure = yes", name, what));
}
}  // namespace symdyn
