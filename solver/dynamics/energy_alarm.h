#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "solver/base/units.h"
#include "solver/dynamics/energy.h"

namespace symdyn
{
class Parameters;

/// Ends a run whose motion is lost: the balance of energy is off by more than ten times the largest energy before,
///     |E_balance_error| > 10 E_before
/// E_before is the largest kinetic energy, change of potential or external work up to now, without energies of steps whose own balance is
/// off by half of them; external work always counts, and so do energies that grow a thousandfold in a step under loads: the body was at
/// rest. At the start of a stage it is at least ½ h² a·M a with M a = f_applied - f_int, the energy that a body at rest has after one step.
/// A motion that is lost gains energy that no load gave it; loads, supports, dashpots and numerical damping stay far below the limit.
class EnergyAlarm
{
public:
  void declare(Parameters &p);
  /// At the start of a stage, after that of the energy balance. `watched`: the scheme and the system are such that the balance closes.
  void start(const MechanicalSystem &system, const State &state, const EnergyBalance &energy_balance, double h, const std::string &scheme,
             bool watched, const Units &units);
  /// After each step whose energy is known. Errors: ComputationError at the alarm, if it is to stop the run.
  void look(const MechanicalSystem &system, const State &state, const EnergyBalance &energy_balance);

  /// The alarm, for summary.json, if there was one.
  struct Raised
  {
    std::uint64_t step;
    double time, balance_error, largest_before;
  };
  const std::optional<Raised> &raised() const { return report; }
  void save(Archive archive) const;
  /// After start().
  void load(const Archive &archive);

private:
  std::string action = "stop", scheme;
  Units units;
  bool watches = false;
  double before = 0;           ///< E_before [J]
  double start_potential = 0;  ///< of the first stage that is watched [J]
  bool started = false;
  std::optional<Raised> report;
};
}  // namespace symdyn
