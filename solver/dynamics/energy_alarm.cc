#include "solver/dynamics/energy_alarm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "solver/archive.h"
#include "solver/base/log.h"
#include "solver/diagnosis.h"
#include "solver/error.h"
#include "solver/parameters.h"

namespace symdyn
{
namespace
{
constexpr double lost = 10.;     ///< balance error over the largest energy before
constexpr double trusted = 0.5;  ///< the same over the energies of a step that may count as such
constexpr double sudden = 1e3;   ///< growth in one step that only a load can give to a body at rest
}  // namespace

void EnergyAlarm::declare(Parameters &p)
{
  p.add(
      "Energy alarm", action,
      "action where the error of the energy balance exceeds ten times the largest energy before it, the sign of a lost motion; stop: the run fails with exit code 2; "
      "warn: it continues; off",
      {"stop", "warn", "off"});
}

void EnergyAlarm::start(const MechanicalSystem &system, const State &state, const EnergyBalance &energy_balance, const double h,
                        const std::string &name, const bool watched, const Units &given)
{
  units = given;
  scheme = name;
  watches = watched && action != "off";
  if (!watches)
    return;
  if (!std::exchange(started, true))
    start_potential = energy_balance.potential();
  Vector force = system.new_vector(), a = state.a;
  if (system.has(Feature::damping))
  {
    Vector damping = system.new_vector(), undamped = system.new_vector();
    system.damping_force(state.q, state.v, damping);
    system.mass_solve(damping, undamped);
    a += undamped;
  }
  system.mass(a, force);
  before = std::max({before, energy_balance.scale(), 0.5 * h * h * (a * force)});
}

void EnergyAlarm::look(const MechanicalSystem &system, const State &state, const EnergyBalance &energy_balance)
{
  if (!watches)
    return;
  constexpr double rounding = 1e3 * std::numeric_limits<double>::epsilon();
  const double error = std::abs(energy_balance.balance_error()),
               now = std::max(energy_balance.kinetic(), std::abs(energy_balance.potential() - start_potential));
  // Work is counted from forces at the ends of steps: a load between them moves a body at rest, and no work is known of it.
  const bool loaded = system.has(Feature::loads) || system.has(Feature::moving_supports), set_in_motion = loaded && now > sudden * before;
  before = std::max({before, std::abs(energy_balance.external_work()), error <= trusted * now || set_in_motion ? now : 0.});
  if (!(error > lost * before &&
        error > std::max(system.diagnosis().potential_rounding(), rounding * std::abs(energy_balance.potential()))) ||
      report)
    return;
  report = Raised{state.n, state.t, energy_balance.balance_error(), before};
  const std::string text = fmt::format(
      "step {}, t = {:.6g}{}: the error of the energy balance, {:.3g}{}, is {:.3g} times the largest energy before it: {} has lost the motion. Lower \"Time step\", or use an "
      "energy-momentum scheme (simo-tarnow, discrete-gradient) or exact constraints (docs/schemes.md)",
      state.n, state.t, Units::after(units.time), energy_balance.balance_error(), Units::after(units.energy),
      error / std::max(before, std::numeric_limits<double>::min()), scheme);
  if (action == "stop")
    throw ComputationError(text + ". To continue all the same: --set \"Monitors/Energy alarm=warn\"");
  log_warning(text);
}

void EnergyAlarm::save(Archive archive) const
{
  archive.put("before", before);
  archive.put("potential at the start", start_potential);
  archive.put("started", started);
  archive.put("raised", report.has_value());
  if (!report)
    return;
  archive.put("step", report->step);
  archive.put("time", report->time);
  archive.put("balance error", report->balance_error);
  archive.put("largest before", report->largest_before);
}

void EnergyAlarm::load(const Archive &archive)
{
  archive.get("before", before);
  archive.get("potential at the start", start_potential);
  archive.get("started", started);
  report.reset();
  if (archive.get<bool>("raised"))
    report = Raised{archive.get<std::uint64_t>("step"), archive.get<double>("time"), archive.get<double>("balance error"),
                    archive.get<double>("largest before")};
}
}  // namespace symdyn
