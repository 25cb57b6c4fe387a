#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "solver/archive.h"
#include "solver/deck/deck.h"
#include "solver/run/certificate.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
struct RunOptions
{
  std::string output;                 ///< a folder that is there; "": nothing is written
  std::string restart;                ///< the folder whose checkpoint the run goes on from, or ""
  std::string deck;                   ///< absolute path
  std::vector<std::string> settings;  ///< of the command line
  std::vector<std::string> plugins;   ///< absolute paths
  std::vector<std::string> loads;     ///< of a program that steps the run, by name: a checkpoint tells that they are needed
  double max_wall_time = std::numeric_limits<double>::infinity();  ///< [s]
};

/// A deck, read and built: what `run` computes and `check` describes. A program of your own steps it so:
///     Run run(deck);
///     run.start(options);
///     while (run.advance() == Run::going) ...;
///     return run.finish();
class Run
{
public:
  /// Reads the whole deck. Errors: InputError, for everything in it that is wrong or unknown.
  explicit Run(Deck &deck);
  ~Run();
  /// Makes mesh, system and initial state; checks what needs them (boundaries, critical time step). Once. Collective.
  void build();

  /// Computes and writes. Returns the exit code: done or stopped by a signal. Errors: InputError, ComputationError (with the last good
  /// state on disk).
  int run(const RunOptions &options);

  enum Status
  {
    going,
    done,
    stopped  ///< by a signal or the wall time limit
  };
  /// Builds, and loads the state of the checkpoint if there is one. Errors: InputError, ComputationError.
  void start(const RunOptions &options);
  /// One step, increment or frequency, with the begin and the end of its stage. Errors: InputError, ComputationError.
  Status advance();
  /// Envelopes, peaks, spectra, summary.json; of a run that was stopped the checkpoint too. Returns what run() returns.
  int finish();
  /// Ends the run before its time, between two steps, as a signal does: with a checkpoint. Returns what finish() returns. Collective.
  int stop();
  /// Writes the file from which another Run goes on, into the folder of the results; between two calls of advance(). Errors: InputError
  /// where there is no folder, before the first step, and after the last one.
  void save();

  /// What `symdyn check` prints.
  std::string description();
  /// The deck asks for a check and no analysis (*NO ANALYSIS): start() refuses it.
  bool checks_only() const { return check_only; }
  const State &state() const { return analysis.state; }
  /// From now on this load acts with this strength, until the stage ends; the next one goes on from there. To be called between two steps:
  /// within a motion the load jumps, and the acceleration is solved for again. Checkpoints hold it. Collective. Errors: InputError for a
  /// load that there is not, and between two stages.
  void set_strength(const std::string &load, double strength);
  const Actions &actions() const { return analysis.actions; }
  /// Forces that a program owns have changed: as set_strength(). Collective.
  void forces_changed();
  /// The stage that the next advance() is of; "": the run is done.
  std::string stage_name() const;
  /// The parts of the deck, for `symdyn verify`, which runs them by itself.
  Structure &structure() { return *analysis.structure; }
  Newton &newton() { return analysis.newton; }
  const std::vector<std::unique_ptr<Stage>> &stages() const { return analysis.stages; }
  /// All sections that could stand in a deck.
  static void document(Parameters root);

private:
  struct Documentation
  {
  };
  Run(Deck &deck, Documentation) : deck(deck) {}
  void declare();
  void declare_checkpoints(Parameters output, Parameters solver);

  // What must hold before the first step (run_start.cc).
  void take_needs();
  void check_stages();
  /// Errors: InputError if energy or forces are not finite where the deck starts.
  void check_start() const;
  /// Errors: InputError if nothing moves on with it.
  void check_initial_velocity() const;
  /// Errors: InputError if constraints are redundant, or the state is off them and not to be projected.
  void check_constraints();
  /// Errors: InputError where the start is not on them.
  void check_directors(const NodalConstraints &directors) const;
  void project_start(bool velocities_alone);
  void open_results();

  Stage &stage() { return *analysis.stages[analysis.place.stage]; }
  const Stage &stage() const { return *analysis.stages[analysis.place.stage]; }
  Status advance_stage();
  int finish_early();
  void begin_stage();
  /// Of contacts that act from this stage on. Errors: InputError where bodies overlap.
  void look_at_begun_contacts(const std::vector<std::string> &apart_before);
  void end_stage();
  bool should_stop();
  /// The last good state, and what has been found, after an error or a signal.
  void leave(const std::string &why, const std::string &status, const std::string &error = "");
  void fail(const std::string &error);
  /// failed-point.json, if the error is that of a law.
  void write_failed_point(const std::string &error) const;
  void write_conclusions(const std::string &status, const std::string &error = "");

  // Checkpoints (run_restart.cc).
  /// A warning if the file could not be written: the run itself is well.
  void write_checkpoint();
  bool checkpoint_is_due();
  Archive archive();
  /// What of the deck may not change from a run to its restart.
  std::string restart_signature() const;
  void check_restart();
  void load_checkpoint();
  void resume();
  void resume_loads();
  void resume_stage(const Archive &archive);
  /// At a checkpoint of a deterministic run: drops what a restart from it would rebuild.
  void refresh(const Archive &archive);
  void forget();

  // What a run says about itself (run_report.cc).
  std::string header() const;
  /// Moments and products of inertia about the centre of mass, a line; "": no rotation is known.
  std::string inertia_in_words(const ModelFacts &facts) const;
  std::vector<std::string> unused_entries() const;
  bool solves_linear_systems() const;
  nlohmann::json summary(const std::string &status) const;

  Deck &deck;
  Analysis analysis;
  std::string title;
  bool newton_given = false, linear_solver_given = false;  ///< the deck has the section
  bool on_mesh = false, built = false, check_only = false;

  RunOptions options;
  std::string start_note;  ///< for the log
  std::string signature;   ///< at the start
  Provenance provenance;
  std::map<std::string, double> phases_before;  ///< ScopedTimer::seconds(), of earlier runs of this process
  bool running = false;
  Status status = going;
  enum
  {
    goes_on,
    wall_time,
    signal,
    program
  } stop_reason = goes_on;
  std::unique_ptr<Archive> resumed;  ///< until the stage goes on
  struct
  {
    std::string entry;
    long every_steps = 0;
    double every_seconds = 0;
    long steps = 0;   ///< at the last time that one was due
    double wall = 0;  ///< of the last one [s]
    bool deterministic = false;
  } checkpoints;
};
}  // namespace symdyn
