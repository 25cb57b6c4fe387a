#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/actions.h"
#include "solver/base/progress_line.h"
#include "solver/base/run_progress.h"
#include "solver/dynamics/balance_quality.h"
#include "solver/dynamics/energy.h"
#include "solver/dynamics/energy_alarm.h"
#include "solver/dynamics/flow_watch.h"
#include "solver/dynamics/monitors.h"
#include "solver/dynamics/slow_motion.h"
#include "solver/dynamics/watch.h"
#include "solver/history.h"
#include "solver/newton.h"
#include "solver/results/recorder.h"
#include "solver/stage.h"
#include "solver/stages/loads.h"
#include "solver/stages/supports.h"
#include "solver/structure.h"

namespace symdyn
{
/// Position of a run: the stage, its completed steps or increments, and its start time [s].
struct RunPlace
{
  std::size_t stage = 0;
  long done = 0;
  double start = 0;
  bool begun = false;  ///< the stage has a state of its own
};

/// Over all stages.
struct Counts
{
  long steps = 0, newton = 0, krylov = 0;
  int last_newton = 0;
  double energy_error = 0, largest_energy_error = 0;  ///< [J]
};

/// Data that the stages of a run share: model, state, energy balance, monitors, results so far, and the recorder that writes them.
struct Analysis
{
  Analysis();
  Analysis(const Analysis &) = delete;  // the system refers to its parts

  Units units;
  std::unique_ptr<Structure> structure;
  Newton newton;
  std::vector<std::unique_ptr<Stage>> stages;

  State state;
  Actions actions;      ///< of the present stage; the system refers to it
  Vector at_rest;       ///< q before anything moved; what linear motion is about
  double critical = 0;  ///< critical step of the last explicit scheme [s]
  Vector highest_mode;  ///< about that of the highest frequency there, until `watch` takes it; empty: not known
  LoadProgramme loads;
  SupportProgramme supports;
  RunPlace place;
  Counts counts;

  EnergyBalance energy_balance;
  bool balance_open = false;
  BalanceQuality quality;
  EnergyAlarm energy_alarm;
  Watch watch;
  Monitors monitors;
  SlowMotion slow_motion;
  FlowWatch flow_watch;

  Recorder recorder;
  ProgressLine progress;
  ProgressFile progress_file;
  double wall_start = 0;                  ///< of the run [s]
  std::shared_ptr<nlohmann::json> found;  ///< of stages, by name, for summary.json
  std::set<std::string> zero_tables;      ///< that have been warned of
  bool ratios_logged = false, inertia_logged = false;
  std::function<bool()> should_stop = [] { return false; };  ///< asked between steps, on all ranks
  std::unique_ptr<Increment> seen;                           ///< the system with the history of `state`; nullptr: no law has a memory

  /// About the present state: laws with a memory have its history.
  const MechanicalSystem &system() const { return seen ? *seen : structure->system(); }
  /// To be called when the structure is built.
  void look_at_state();
  bool is_first(const Stage &stage) const { return stages.front().get() == &stage; }
  bool moves() const;  ///< some stage is in time
  /// The stage before this one that changes the state; the first stage if there is none.
  const Stage &state_before(const Stage &stage) const;

  /// Starts the energy balance, or restarts it, at the start of a stage.
  void open_balance(const State &booked, bool statics);
  /// Counts a step and writes what is due.
  void record(const Stage &stage, double length, const StepReport &report, bool last);
  /// The line on the terminal and progress.json, with so many steps, increments or frequencies of the stage done. `frequency` [Hz]: of a
  /// stage that has no time; of kind `speeds` Omega [rad/s].
  void show_progress(const Stage &stage, long done, long of, bool last, std::optional<double> frequency = std::nullopt,
                     const char *kind = "frequencies");
  /// The same of the search for modes in a stage, to be called by the search.
  std::function<void(long found, long asked)> modes_progress(const Stage &stage);
  /// Before the first step, and at the end: with the status and the verdict of the run.
  void write_progress(const std::string &status, const std::string &verdict = "");
};

/// Names chosen by an entry of a stage, of those that there are: all of them for an empty list or `all`.
std::vector<bool> chosen(const std::vector<std::string> &entry, const std::vector<std::string> &names);
/// "over the stage" or "at once": how loads and supports of a stage come.
std::string how_it_comes(const Stage &stage);
/// The names of those that are marked.
std::vector<std::string> marked(const std::vector<std::string> &names, const std::vector<bool> &mark);
}  // namespace symdyn
