#pragma once
#include <memory>
#include <string>
#include <vector>

#include "solver/dynamics/adaptive_step.h"
#include "solver/integrator.h"
#include "solver/vibration/harmonic.h"
#include "solver/vibration/modal_transient.h"

namespace symdyn
{
/// A stage of a run.
struct Stage
{
  std::string name, type = "dynamic";
  std::string where;                  ///< its section, for errors
  std::vector<std::string> loads;     ///< that act in it; empty: the type's default
  std::vector<std::string> supports;  ///< that hold in it; empty: all
  // static
  int increments = 1;
  bool cut = false, ramp = true;
  double duration = 0;    ///< [s]
  int statics_after = 0;  ///< stages without duration between it and the next motion: where its frames stand on the axis of time
  // dynamic
  std::string step_text;
  double step = 0, start = 0, end = 0;  ///< [s]
  double at_least = 0, at_most = 0;     ///< of an automatic step [s]; 0: no bound
  std::string sampling = "points";      ///< of tables, or "mean"
  bool allow_unstable = false;
  std::string scheme, where_step, where_end, time_section;
  std::shared_ptr<Integrator> integrator;
  std::shared_ptr<Parameters> scheme_parameters;
  AdaptiveStep substeps;
  std::shared_ptr<ModalTransient> modal;  ///< the integrator, of a modal transient stage
  // modes, harmonic
  ModesRequest modes;
  HarmonicRequest harmonic;

  bool is_static() const { return type == "static"; }
  bool averages_tables() const { return sampling == "mean"; }
  /// Whether its steps are cut at points of tables.
  bool meets_tables() const { return modal || substeps.follows_error(); }
  /// The part of the largest value of a table by which its steps may differ from it [-].
  double table_tolerance() const
  {
    constexpr double exact = 1e-6;
    return modal ? exact : substeps.table_tolerance();
  }
  std::string where_sampling;
  /// In time.
  bool moves() const { return type == "dynamic" || type == "modal transient"; }
  /// Looks at a state without changing it.
  bool is_perturbation() const { return type == "modes" || type == "harmonic"; }
  int number_of_modes() const
  {
    return !needs_modes() ? 0 : modal ? modal->number_of_modes() : type == "harmonic" ? harmonic.modes.number : modes.number;
  }
  bool needs_modes() const { return type == "modes" || type == "modal transient" || (type == "harmonic" && harmonic.needs_modes()); }
};
}  // namespace symdyn
