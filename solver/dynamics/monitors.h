#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "solver/column.h"
#include "solver/dynamics/constraint_monitor.h"
#include "solver/dynamics/energy.h"
#include "solver/dynamics/symplectic.h"
#include "solver/structure.h"

namespace symdyn
{
/// What a run shows of the structure its scheme keeps: momenta in the scheme's canonical variables, the symplectic form on two
/// tangents that are carried along, the discrete energy, constraints and their multipliers. Deck section "Monitors".
class Monitors
{
public:
  void declare(Parameters p);
  /// Errors: InputError for a window that is longer than the motion [s], and for what laws with a memory do not have.
  void check(const MechanicalSystem &system, double duration) const;
  /// Of history.csv.
  std::vector<Column> columns(const Structure &structure, const MechanicalSystem &system, const Units &units) const;

  /// At the start of a dynamic stage: the started state. Drifts are counted from here.
  void start(const MechanicalSystem &system, const Integrator &integrator, const State &state, double h);
  void save(Archive archive) const;
  /// In place of start(): as they were when saved at this state.
  void resume(const MechanicalSystem &system, const Integrator &integrator, const State &state, double h, const Archive &archive);
  /// Whether `advance` looks at the state before a step.
  bool follow_steps() const { return symplectic_form || discrete_energy_wanted; }
  /// After each step.
  void advance(const MechanicalSystem &system, const Integrator &integrator, const State &before, const State &after, double h);
  /// Values of the columns: of a dynamic stage, or (integrator null) of a static one.
  std::vector<double> values(const MechanicalSystem &system, const Integrator *integrator, const State &state,
                             const std::vector<double> &momenta, double h);

  /// What the stage has kept so far: a sentence for the log, and the same for summary.json.
  std::string summary_line() const;
  nlohmann::json summary() const;

private:
  void follow_momenta(const MechanicalSystem &system, const State &state, const std::vector<double> &momenta);

  ConstraintMonitor constraints;
  std::shared_ptr<Parameters> section;  ///< if the deck gives a window
  bool symplectic_form = false, canonical_momenta_wanted = true, discrete_energy_wanted = false;
  std::optional<SymplecticForm> form;  ///< of a dynamic stage that is asked for it
  double discrete_energy = 0;
  std::vector<std::string> names;
  std::vector<bool> symmetric;
  std::vector<double> first, drift, largest;  ///< of the canonical momenta of the symmetries
  bool dynamic = false, lack_said = false;
};
}  // namespace symdyn
