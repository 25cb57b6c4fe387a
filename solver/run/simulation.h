#pragma once
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "solver/base/checkpoint.h"
#include "solver/base/progress.h"
#include "solver/deck/deck.h"
#include "solver/deck/formula/table_driven.h"
#include "solver/deck/formula/table_steps.h"
#include "solver/dynamics/adaptive_step.h"
#include "solver/dynamics/energy.h"
#include "solver/dynamics/slow_motion.h"
#include "solver/dynamics/start_projection.h"
#include "solver/dynamics/watch.h"
#include "solver/integrator.h"
#include "solver/run/energy_alarm.h"
#include "solver/run/monitors.h"
#include "solver/run/results.h"
#include "solver/run/spectra.h"
#include "solver/stages/stage.h"
#include "solver/structure.h"

namespace symdyn
{
struct RunOptions
{
  std::string output;
  std::string restart;                ///< the folder whose checkpoint the run goes on from, or ""
  std::string deck;                   ///< absolute path
  std::vector<std::string> settings;  ///< of the command line
  bool refreshed = false;             ///< goes on from a checkpoint of its own
  bool overwrite = false, quiet = false;
  double max_wall_time = std::numeric_limits<double>::infinity();  ///< [s]
};

/// A deck, read and built: what `run` computes and `check` describes.
class Simulation
{
public:
  /// Reads the whole deck. Errors: InputError, for everything in it that is wrong or unknown.
  explicit Simulation(Deck &deck);
  /// Makes mesh, system and initial state; checks what needs them (boundaries, critical time step). Collective.
  void build();

  /// Computes and writes. Returns the exit code: done or stopped by a signal; or `go_on`, after a checkpoint of a deterministic run, which
  /// another Simulation is to go on from. Errors: InputError, ComputationError (with the last good state on disk).
  static constexpr int go_on = -1;
  int run(const RunOptions &options);

  /// What `symdyn check` prints.
  std::string description();
  /// The parts of the deck, for `symdyn verify`, which runs them by itself.
  Structure &parts() { return *structure; }
  Newton &newton_method() { return newton; }
  const std::vector<Stage> &all_stages() const { return stages; }
  /// All sections that could stand in a deck.
  static void document(Parameters root);

private:
  struct Documentation
  {
  };
  Simulation(Deck &deck, Documentation) : deck(deck) {}
  void declare();
  static void document_stages(Parameters &root);
  static void document_motion(Parameters time, Parameters integrator);
  void declare_stage(Stage &stage, Parameters &p);
  static void declare_static(Stage &stage, Parameters &p);
  void declare_stages(Parameters &root);
  void declare_motions(Parameters &root);
  /// Errors: InputError for an order of stages that means nothing.
  void check_order() const;
  void declare_dynamic(Stage &stage, Parameters time, Parameters integrator);
  static std::string declare_time(Stage &stage, Parameters time);
  void declare_scheme(Stage &stage, Parameters integrator);
  static double positive_number(const std::string &text, const Parameters &p, const std::string &name, const std::string &also);
  static void read_interval(const Parameters &p, const std::string &entry, const std::string &given, const std::string &also, long &steps,
                            double &seconds);
  void declare_output(Parameters p);
  void declare_solver(Parameters p);
  void fix_time_step(Stage &stage);
  /// The same of a stage that begins later, from another state: what is too long for a linear body whose supports stay is refused at once,
  /// of others it is told. Errors: InputError.
  void warn_if_unstable_later(Stage &stage);
  double critical_step_of(const Integrator &integrator);
  /// Errors: InputError if energy or forces are not finite where the deck starts.
  void check_start() const;
  /// Errors: InputError if nothing moves on with it.
  void check_initial_velocity() const;
  /// Errors: InputError if constraints are redundant, or the state is off them and not to be projected.
  void check_constraints();
  void project_start(StartProjection what);
  void warn_of_loose_newton(const Stage &stage) const;

  /// False if the run was told to stop.
  bool run_stage(Stage &stage);
  /// After the last stage. Returns the exit code.
  int conclude();
  bool run_static(const Stage &stage);
  bool run_dynamic(Stage &stage);
  /// Energy balance of the step from `before`; `energy`: that of the new state counts, too; `finite`: the state is checked. Errors:
  /// ComputationError, and the state is `before` again.
  void account_for_step(const Stage &stage, const State &before, const StepReport &report, bool divided, bool energy, bool finite);
  void end_dynamic(const Stage &stage, long count);
  void run_modes(const Stage &stage);
  bool run_harmonic(const Stage &stage);
  /// Numbers of the loads that oscillate in a harmonic stage after one in which these acted. Errors: InputError for those that cannot.
  std::vector<std::size_t> oscillating_loads(const Stage &stage, const std::vector<bool> &acting_before) const;
  /// Warns where forces are not in balance in a state that a stage takes for one at rest.
  void check_rest(const Stage &stage) const;
  /// Lines in the log, and in summary.json.
  void tell_modes(const Stage &stage, const Modes &modes, const std::vector<double> &ratios);
  /// zeta of the first modes of a structure with Rayleigh damping, where no stage looks for modes.
  void log_damping_ratios(const Stage &stage);
  std::string harmonic_header() const;
  std::string harmonic_row(double frequency, const HarmonicResponse::Amplitude &amplitude) const;
  void sweep_at(const Stage &stage, double frequency, const HarmonicResponse &response, const std::string &stem, long number);
  void write_sweep(const std::string &stem) const;
  // Loads and supports that go through a period of any form: a sum of harmonic answers (simulation_waveform.cc).
  struct Waveform
  {
    std::vector<ComplexVector> forces, supports;  ///< c_k, k = 0 ... terms/2; supports: empty if none oscillates
  };
  Waveform waveform_of(const Stage &stage);
  std::string waveform_header() const;
  void period_at(const Stage &stage, double frequency, HarmonicResponse &response, const Waveform &waveform, const std::string &stem,
                 long number);
  /// Errors: InputError for names of loads that there are not, and of a static stage that nothing holds.
  void check_stage(const Stage &stage) const;
  /// Errors: InputError for a static stage in which a part may move as a rigid body about q.
  void check_held(const Stage &stage, const Vector &q) const;
  /// Whether a static stage before this one loads a nonlinear structure: its stress may hold what supports do not.
  bool may_be_stressed(const Stage &stage) const;
  /// Errors: InputError for a tangent of which a direct solver shows that it is singular.
  void check_tangent(const LinearSolve &tangent);
  /// What hardly anything resists at the start of an increment that failed, for the error; "": nothing.
  std::string weakness_at(const State &start) const;
  void warn_of_size(const Stage &stage);
  /// Which of the system's loads act in a stage, after one in which these acted.
  std::vector<bool> acting_in(const Stage &stage, const std::vector<bool> &before) const;
  void begin_loads(const Stage &stage);
  /// Which supports hold in a stage. Errors: InputError for names that there are not.
  std::vector<bool> holding_in(const Stage &stage) const;
  bool supports_change() const { return changing_supports; }
  bool find_supports_change() const;
  /// Errors: InputError for supports that contradict each other in a stage, or stand where nothing has stood yet.
  void check_supports();
  void begin_supports(const Stage &stage);
  void resume_supports();
  /// What begins, goes and jumps, for the log and the energy balance.
  void report_supports(const Stage &stage, const std::vector<bool> &begin, const std::vector<bool> &end);
  void fade_supports(const Stage &stage);
  void begin_static(const Stage &stage);
  /// From one part of the stage to another, in halves where Newton's method fails and the stage may be cut.
  void advance_static(const Stage &stage, double from, double to, int cuts);
  void reach(const Stage &stage, double part);
  ComplexVector harmonic_force(const Stage &stage) const;
  /// Says what oscillates. Errors: InputError for loads that are all zero.
  void tell_oscillation(const Stage &stage, const std::vector<std::size_t> &loads, bool zero) const;
  /// Columns of u, v and a of probes, and of points: those that vibrate linearly with the structure.
  static bool is_motion(const std::string &column);
  /// The amplitude of supports that oscillate in a harmonic stage: those that begin in it; empty: none.
  Vector harmonic_supports(const Stage &stage);
  bool supports_oscillate(const Stage &stage) const;
  /// What these supports prescribe at times, less where the structure stands: of those that begin in this stage alone.
  std::vector<Vector> motions_at(const Stage &stage, const std::vector<double> &times);
  /// The tables that drive the structure.
  std::vector<DrivingTable> driving_tables() const;
  /// Errors: InputError where a stage asks for means and nothing takes them.
  void check_sampling(const Stage &stage) const;
  /// At the start of a stage, or where it is resumed: tables are sampled as it asks, and its steps know where tables want to be met.
  void begin_tables(const Stage &stage);
  void end_tables();
  /// Reports jumps of loads between steps of a stage.
  void log_load_jumps(const Stage &stage) const;
  /// Warns of tables with points inside of steps.
  void warn_of_missed_points(const Stage &stage) const;
  void warn_of_kinks(const Stage &stage) const;
  /// Once each.
  void warn_of_zero_tables(const Stage &stage);
  /// Times inside of a step at which tables cut it.
  std::vector<double> cuts_of_step(const Stage &stage, double t0, double t1) const;
  /// Before step k of a stage: loads are seen as those of this step, and where one has jumped at its start, a is solved anew.
  void begin_step(const Stage &stage, long k);
  /// The same before an interval of a step that is cut.
  void begin_interval(const Stage &stage, double from, double to);
  bool jumps_at(double t, double h) const;
  void begin_dynamic(Stage &stage);
  /// A step whose parts enter the energy balance one by one, cut at these times.
  StepReport divided_step(Stage &stage, const std::vector<double> &cuts);
  StepReport intervals_of_step(Stage &stage, const std::vector<double> &cuts, const AdaptiveStep::Account &account);
  void start_energy_alarm(const Stage &stage);
  void project_motion(const Stage &stage);
  std::vector<std::string> columns();
  void open_results();
  /// Whether a stage counts for envelopes and peaks.
  bool has_peaks(const Stage &stage) const;
  /// Envelopes, peaks, spectra and summary.json.
  void write_conclusions(const std::string &status);

  // Checkpoints.
  bool checkpoint_is_due();
  void write_checkpoint();
  /// What of the deck may not change from a run to its restart.
  std::string restart_signature() const;
  std::string settled;  ///< at the start
  /// Steps, or increments, of the present stage.
  long steps_of(const Stage &stage) const;
  void check_restart();
  void load_checkpoint();
  void resume_stage(Stage &stage);
  /// The step of a checkpoint. Errors: InputError if the end of the stage is no multiple of it.
  void take_step(Stage &stage, double step) const;
  NewtonReport static_increment(const std::string &name);
  /// To the end of the file of tables.
  void print(const std::string &tables);
  void record(const Stage &stage, double step, const StepReport &report, bool force = false);
  void write_row(const Stage &stage, double step, const State &shown, const StepReport &report);
  bool frame_is_due(const Stage &stage, bool force) const;
  /// The state with the acceleration that the energy balance needs; and whether they need another than the scheme carries.
  State booked(const Stage &stage) const;
  bool needs_acceleration(const Stage &stage) const;
  /// Whether the energy of this step is computed: not of every explicit one.
  bool evaluates_energy(const Stage &stage, bool last) const;
  /// Errors: ComputationError for an inverted cell and, thoroughly, for an energy or a velocity that is not finite.
  void check_finite(bool thoroughly) const;
  std::uint64_t rows_every(const Stage &stage) const;
  long most_steps() const;  ///< of a dynamic stage
  bool should_stop();
  void show_progress(const Stage &stage, double done, bool last);
  nlohmann::json summary(const std::string &status) const;
  std::string header() const;
  bool solves_linear_systems() const;
  double frame_time() const;

  Deck &deck;
  std::unique_ptr<Structure> structure;
  Newton newton;
  bool newton_given = false, linear_solver_given = false;  ///< the deck has the section
  std::vector<Stage> stages;
  Units units;
  std::string title;

  std::string write_every_text = "";
  long write_every_steps = 0;
  double write_every_seconds = 0;
  int history_every = 0;  ///< 0: by the scheme
  bool on_mesh = false;
  bool static_peaks = false;  ///< static stages count for peaks, too
  Spectra spectra;

  RunOptions options;
  std::unique_ptr<Results> results;
  State state;
  EnergyBalance energy_balance;
  Watch watch;
  EnergyAlarm energy_alarm;
  Monitors monitors;
  SlowMotion slow_motion;
  Progress progress;
  std::string start_note;  ///< for the log

  /// Where the run stands: steps, or increments, that the present stage has done; it began at this time [s].
  struct Place
  {
    std::size_t stage = 0;
    long done = 0;
    double start = 0;
    bool begun = false;  ///< the stage has a state of its own
  };
  Place place;
  /// What a harmonic stage has so far.
  struct Sweep
  {
    std::string rows;
    Results::Collection real, imaginary;
  } sweep;
  nlohmann::json found = nlohmann::json::object();  ///< modes, by stage
  Vector at_rest;                                   ///< q before anything moved; what linear motion is about
  std::vector<LoadJump> jumps;                      ///< in the present stage
  std::vector<TableSteps> tables_to_meet;           ///< likewise: those that cut its steps
  std::set<std::string> zero_tables;                ///< that have been warned of
  std::unique_ptr<Checkpoint> resumed;              ///< until the stage goes on
  std::string checkpoint_every_text;
  long checkpoint_every_steps = 0;
  double checkpoint_every_seconds = 0, last_checkpoint = 0;
  long checkpoint_steps = 0;  ///< steps at the last time that one was due
  bool deterministic = false;
  double load_factor = 1;          ///< of a static stage: the part of its loads that has come
  bool tangent_checked = false;    ///< in the present static stage
  double largest_plausible = 0;    ///< displacement in it [m]; 0: not yet known, infinite: it has been told
  std::vector<bool> acting;        ///< loads, in the present stage
  bool changing_supports = false;  ///< from stage to stage
  std::vector<bool> holding;       ///< supports, in the last stage that is not about a state at rest
  bool books_open = false, ratios_told = false;
  long steps = 0, newton_total = 0, krylov_total = 0;
  double last_energy_error = 0, largest_energy_error = 0, wall_start = 0, next_frame = 0;
  int last_newton = 0;
  int stop_reason = 0;  ///< 1: wall time, 2: signal, 3: to go on from the checkpoint
  double critical = 0;
};
}  // namespace symdyn
