#include "solver/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solver/log.h"
#include "solver/phase.h"

namespace symdyn
{
namespace
{
/// Bounded runs of the verification decks stay below 2 %; the trapezoidal blow-up of the Turek-Hron flag passes this early.
constexpr double energy_limit = 0.05;
constexpr int energy_patience = 5;  ///< steps in a row
/// Before the trapezoidal rule loses a motion, the modes it cannot resolve ring and Newton labours: so many iterations, and
/// so many times the mean of the run, raise a warning after the first steps.
constexpr int laboured = 12, first_steps = 10;
constexpr double labour_ratio = 2.5;
/// The frequency costs some 60 products with K: looked at so seldom that it costs less than a tenth of the run, and at most
/// fifty times.
constexpr long looks = 50, shortest_interval = 600;
}  // namespace

void Watch::start(const MechanicalSystem &system, const Integrator &integrator, const std::string &text, const double step_length, const long steps,
                  const Units &given)
{
  scheme = text;
  units = given;
  h = step_length;
  promise = integrator.promise(system);
  interval = std::max(steps / looks, shortest_interval);
  steps_off_balance = 0;
}

std::string Watch::place(const State &state) const { return fmt::format("step {}, t = {:.6g} {}", state.n, state.t, units.time); }

void Watch::look(const MechanicalSystem &system, const State &state, const StepReport &report, const EnergyBooks &books)
{
  ++taken;
  iterations_taken += report.newton;
  energy(system, state, books);
  labour(state, report.newton);
  step(system, state);
  if (!report.warning.empty() && !scheme_said)
  {
    scheme_said = true;
    log_warning(fmt::format("{}: {}", place(state), report.warning));
  }
}

void Watch::energy(const MechanicalSystem &system, const State &state, const EnergyBooks &books)
{
  const double error = std::abs(books.balance_error());
  // Of a scheme that damps, or promises nothing, growth alone is alarming.
  const bool off = (promise.energy_bounded ? error : books.balance_error()) > energy_limit * books.scale() && error > system.potential_rounding();
  // A load that jumps puts the books off for a few steps, as long as hardly any energy is in the body.
  steps_off_balance = off ? steps_off_balance + 1 : 0;
  if (energy_said || promise.order < 2 || steps_off_balance < energy_patience)
    return;
  energy_said = true;
  log_warning(fmt::format("{}: the energy balance is off by {:.3g} {}, {:.0f} % of the largest energy so far. {} is about to lose the motion: halve "
                          "\"Time step\"",
                          place(state), books.balance_error(), units.energy, 100. * error / books.scale(), scheme));
}

void Watch::labour(const State &state, const int iterations)
{
  const double mean = double(iterations_taken) / taken;
  if (labour_said || !promise.energy_bounded || taken < first_steps || iterations < laboured || iterations < labour_ratio * mean)
    return;
  labour_said = true;
  log_warning(fmt::format("{}: Newton took {} iterations where it takes {:.1f} on average: modes that {} cannot resolve are ringing, and it may lose "
                          "the motion. Halve \"Time step\"",
                          place(state), iterations, mean, scheme));
}

void Watch::step(const MechanicalSystem &system, const State &state)
{
  if (step_said || !std::isfinite(promise.stable_h_omega) || system.has(Feature::linear) || taken % interval != 0)
    return;
  const Phase phase("critical step");
  const double critical = promise.stable_h_omega / system.highest_frequency(state.t, state.q);
  if (h <= critical)
    return;
  step_said = true;
  log_warning(fmt::format("{}: the body has stiffened: the critical step of {} is {:.4g} {} now, shorter than the step. Set \"Time step\" to {:.3g}",
                          place(state), scheme, critical, units.time, 0.9 * critical));
}
}  // namespace symdyn
