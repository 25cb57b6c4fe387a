#include "solver/dynamics/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/base/timer.h"
#include "solver/diagnosis.h"

namespace symdyn
{
namespace
{
/// Bounded runs of the verification decks stay below 2 %; the trapezoidal blow-up of the Turek-Hron flag passes this early.
constexpr double energy_limit = 0.05;
constexpr int energy_patience = 5;  ///< steps in a row
/// Before the trapezoidal rule loses a motion, the modes it cannot resolve ring and Newton converges slowly: so many iterations, and
/// so many times the mean of the run, raise a warning after the first steps.
constexpr int laboured = 12, first_steps = 10;
constexpr double labour_ratio = 2.5;
/// A product with K, of the price of one or two forces, follows the highest mode: so seldom that it costs less than a tenth of an
/// explicit run; more often at first, because a step that is far too large is lost soon.
constexpr long interval = 20, first_interval = 5, watched_closely = 100, first_iterations = 20;
/// The highest mode may be of one place: other places, which may stiffen, have a part in the start.
constexpr double part_of_others = 0.05;
/// A body that stiffens is about to pass the critical step.
constexpr double near_critical = 0.95, stiffened = 1.01;
}  // namespace

void Watch::start(const MechanicalSystem &system, const State &state, const Integrator &integrator, const std::string &text,
                  const double step_length, const double critical, Vector highest, const Units &given)
{
  scheme = text;
  units = given;
  h = step_length;
  promise = integrator.promise(system);
  off_balance_since = 0;
  steps = 0;
  critical_at_start = critical;
  mode = Vector();
  if (!std::isfinite(promise.stable_h_omega) || system.has(Feature::linear) || h > critical)  // the last: asked for by the deck
    return;
  const ScopedTimer timer("critical step");
  mode = system.new_vector();
  for (unsigned int i = 0; i < mode.locally_owned_size(); ++i)  // no mode is orthogonal to it by symmetry
    mode.local_element(i) = std::sin(1. + 12.9898 * (i + mode.get_partitioner()->local_range().first));
  system.project(mode);
  if (highest.size() > 0)
  {
    mode *= part_of_others / mode.l2_norm();
    mode.add(1. / highest.l2_norm(), highest);
    return;
  }
  for (long k = 0; k < first_iterations; ++k)
    frequency(system, state);
}

double Watch::frequency(const MechanicalSystem &system, const State &state)
{
  Vector Ku = system.new_vector(), Mu = Ku;
  mode.update_ghost_values();
  system.stiffness(state.q, mode, Ku);
  system.project(Ku);
  system.mass(mode, Mu);
  const double size_now = mode * Mu, square = size_now > 0. ? (mode * Ku) / size_now : 0.;
  system.mass_solve(Ku, mode);
  if (const double size = mode.l2_norm(); size > 0.)
    mode *= 1. / size;
  return std::sqrt(std::max(square, 0.));
}

std::string Watch::place(const State &state) const
{
  return fmt::format("step {}, t = {:.6g}{}", state.n, state.t, Units::after(units.time));
}

void Watch::save(Archive archive) const
{
  archive.put("critical step", critical_at_start);
  archive.put("taken", taken);
  archive.put("tangents", tangents_taken);
  archive.put("steps", steps);
  archive.put("off balance since", off_balance_since);
  archive.put("said", std::vector<bool>{energy_said, labour_said, step_said, scheme_said});
  if (mode.size() > 0)
    archive.put("mode", mode);
}

void Watch::load(const Archive &archive)
{
  archive.get("critical step", critical_at_start);
  archive.get("taken", taken);
  archive.get("tangents", tangents_taken);
  archive.get("steps", steps);
  archive.get("off balance since", off_balance_since);
  const auto said = archive.get<std::vector<bool>>("said");
  energy_said = said.at(0);
  labour_said = said.at(1);
  step_said = said.at(2);
  scheme_said = said.at(3);
  mode = archive.has("mode") ? archive.get<Vector>("mode") : Vector();
}

void Watch::look(const MechanicalSystem &system, const State &state, const StepReport &report, const int tangents,
                 const EnergyBalance *energy_balance)
{
  ++taken;
  ++steps;
  tangents_taken += tangents;
  if (energy_balance)
    energy(system, state, *energy_balance);
  newton_effort(state, tangents);
  step(system, state);
  if (!report.warning.empty() && !scheme_said)
  {
    scheme_said = true;
    log_warning(fmt::format("{}: {}", place(state), report.warning));
  }
}

void Watch::energy(const MechanicalSystem &system, const State &state, const EnergyBalance &energy_balance)
{
  const double error = std::abs(energy_balance.balance_error());
  // Of a scheme that damps, or promises nothing, growth alone is alarming.
  const bool off = (promise.energy_bounded ? error : energy_balance.balance_error()) > energy_limit * energy_balance.scale() &&
                   error > system.diagnosis().potential_rounding();
  // A load that jumps puts the energy balance off for a few steps, as long as hardly any energy is in the body.
  if (!off)
    off_balance_since = 0;
  else if (off_balance_since == 0)
    off_balance_since = steps;
  if (energy_said || promise.order < 2 || !off || steps - off_balance_since + 1 < energy_patience)
    return;
  energy_said = true;
  log_warning(
      fmt::format("{}: the energy balance is off by {:.3g}{}, {:.0f} % of the largest energy so far. {} is about to lose the motion: halve "
                  "\"Time step\"",
                  place(state), energy_balance.balance_error(), Units::after(units.energy), 100. * error / energy_balance.scale(), scheme));
}

void Watch::newton_effort(const State &state, const int tangents)
{
  const double mean = double(tangents_taken) / taken;
  if (labour_said || !promise.energy_bounded || taken < first_steps || tangents < laboured || tangents < labour_ratio * mean)
    return;
  labour_said = true;
  log_warning(fmt::format(
      "{}: Newton needed {} new tangents where it needs {:.1f} on average: modes that {} cannot resolve are ringing, and it may lose "
      "the motion. Halve \"Time step\"",
      place(state), tangents, mean, scheme));
}

void Watch::step(const MechanicalSystem &system, const State &state)
{
  if (step_said || mode.size() == 0 || steps % (steps > watched_closely ? interval : first_interval) != 0)
    return;
  const ScopedTimer timer("critical step");
  const double critical = promise.stable_h_omega / frequency(system, state);
  if (!std::isfinite(critical) || (h <= critical && (h < near_critical * critical || critical * stiffened > critical_at_start)))
    return;
  step_said = true;
  log_warning(fmt::format(
      "{}: the body has stiffened: the critical step of {}, {:.4g}{} at the start, is {:.4g} now, and the step is {:.0f} % of it. "
      "Set \"Time step\" to {:.3g}",
      place(state), scheme, critical_at_start, Units::after(units.time), critical, 100. * h / critical, 0.8 * critical));
}
}  // namespace symdyn
