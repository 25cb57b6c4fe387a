#pragma once
#include <string>

#include "solver/base/units.h"
#include "solver/dynamics/energy.h"
#include "solver/integrator.h"

namespace symdyn
{
/// Warnings that a dynamic stage is about to lose its motion, each said once, early enough to be of use:
///   energy    the balance of a scheme that bounds its error is off by 5 % of the largest energy for 5 steps;
///   Newton    takes far more new tangents than on average: modes the step cannot resolve are ringing;
///   step      the highest frequency has grown, and the step comes near the critical one or is beyond it;
///   scheme    what the scheme itself reports.
class Watch
{
public:
  /// At the start of a stage with steps of length h. `text` names the scheme; `critical` is its critical step there, if it has one, and
  /// `highest` about the mode of the highest frequency; empty: it is sought.
  void start(const MechanicalSystem &system, const State &state, const Integrator &integrator, const std::string &text, double h,
             double critical, Vector highest, const Units &units);
  /// After each step, or its parts; `tangents`: new ones, of the hardest part. `energy_balance` is null where the energy was not computed.
  void look(const MechanicalSystem &system, const State &state, const StepReport &report, int tangents,
            const EnergyBalance *energy_balance);

  void save(Archive archive) const;
  /// After start().
  void load(const Archive &archive);

private:
  void energy(const MechanicalSystem &system, const State &state, const EnergyBalance &energy_balance);
  void newton_effort(const State &state, int tangents);
  void step(const MechanicalSystem &system, const State &state);
  /// Rayleigh's quotient of `mode` [rad/s], a bound of the highest frequency from below; and an iteration of the power method.
  double frequency(const MechanicalSystem &system, const State &state);
  std::string place(const State &state) const;

  std::string scheme;
  Units units;
  Promise promise;
  double h = 0, critical_at_start = 0;
  Vector mode;
  long taken = 0, tangents_taken = 0, steps = 0;  ///< the last: of this stage
  long off_balance_since = 0;                     ///< step of this stage; 0: is not
  bool energy_said = false, labour_said = false, step_said = false, scheme_said = false;
};
}  // namespace symdyn
