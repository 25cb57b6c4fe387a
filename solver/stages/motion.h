#pragma once
#include <string>
#include <vector>

#include "solver/deck/formula/table_driven.h"
#include "solver/deck/formula/table_steps.h"
#include "solver/diagnosis.h"
#include "solver/dynamics/adaptive_step.h"
#include "solver/searching.h"
#include "solver/stage.h"

namespace symdyn
{
/// A stage in time: steps of an integrator, whole or divided, with the energy balance and the monitors that follow them. Tables with points
/// inside of steps: a scheme takes a load for smooth within a step and uses its values at times of its own, most often the ends. Stages
/// that may choose the ends of their steps end them at such points; others can take means (StepMean); the rest is warned of. A jump of a
/// load between two steps is none to either of them: the one before sees the load as it was, the one after as it is, and a is solved for
/// again between them.
class Motion : public Stage
{
public:
  double declare_time(TimeSections &deck, double start) override;
  /// Declares what could stand in a section Time that no stage reads.
  static void document_time(Parameters time);

  StageTraits traits() const override;
  const TimeStepping *stepping() const override { return &time; }
  void check(Analysis &analysis) override;
  void begin(Analysis &analysis) override;
  Progress advance(Analysis &analysis) override;
  bool is_complete(const Analysis &analysis) const override;
  bool may_stop() const override { return looked; }
  void end(Analysis &analysis) override;
  void save(const Analysis &analysis, Archive &archive) const override;
  void load(const Analysis &analysis, const Archive &archive) override;
  void resume(Analysis &analysis, const Archive &archive) override;
  long length() const override { return time.steps(); }
  std::string headline(const Units &units) const override;

protected:
  /// The scheme that steps, after the entries of Time.
  virtual void declare_scheme(TimeSections &deck) = 0;
  /// After the tables, before the first step.
  virtual void prepare(Analysis &) {}
  /// After a restart, at this state.
  virtual void prepare_again(Analysis &) {}
  /// Whether steps are cut at points of tables.
  virtual bool meets_tables() const { return substeps.follows_error(); }
  /// The part of the largest value of a table by which its steps may differ from it [-].
  virtual double table_tolerance() const { return substeps.table_tolerance(); }
  virtual bool is_steady(const State & /*before*/, const State & /*after*/) const { return false; }
  /// Whether kinks of the motion of supports disturb it.
  virtual bool feels_kinks(const Analysis &analysis) const;
  /// Whether the energy balance of its steps closes.
  virtual bool closes_balance(const Analysis &analysis) const;

  TimeStepping time;
  AdaptiveStep substeps;
  bool ended_early = false;  ///< is_steady() was true

private:
  /// Entries of Time.
  struct Entries
  {
    std::string step, end, sampling = "points";
    double at_least = 0, at_most = 0;  ///< of an automatic step [s]; 0: no bound
    bool allow_unstable = false;
    std::string where_step, where_end, where_sampling, section;
    bool averages() const { return sampling == "mean"; }
  };
  static void declare_entries(Entries &entries, AdaptiveStep &substeps, Parameters time);
  void check_entries(const Parameters &section);
  void check_end(const Parameters &section) const;
  long steps_from(double start) const;

  // The step (motion_step.cc).
  void warn_of_loose_newton(const Analysis &analysis) const;
  /// Sets an automatic step; a given one may not be longer than the critical one. Errors: InputError.
  void fix_step(Analysis &analysis);
  /// Before the run, for a stage that starts later: refuses a step that is too long for a linear body whose supports stay; for other bodies
  /// it warns. Errors: InputError.
  void warn_if_unstable_later(Analysis &analysis);
  /// The step of a checkpoint. Errors: InputError if the end of the stage is no multiple of it.
  void take_step(double step, double start);

  // Tables and jumps of loads (motion_tables.cc).
  static std::vector<DrivingTable> driving_tables(const Analysis &analysis);
  void check_sampling(const Analysis &analysis) const;
  /// Tables are sampled as the stage asks, and its steps know where tables want to be met.
  void begin_tables(Analysis &analysis);
  static void end_tables(Analysis &analysis);
  void log_load_jumps(const Analysis &analysis) const;
  void warn_of_missed_points(const Analysis &analysis) const;
  void warn_of_kinks(const Analysis &analysis) const;
  void warn_of_zero_tables(Analysis &analysis) const;
  /// Times inside of a step at which tables cut it.
  std::vector<double> cuts_of_step(double t0, double t1) const;
  bool jumps_at(double t, double h) const;
  /// Before step k: sets its interval for loads that jump, and solves for a again where one jumps at its start.
  void begin_step(Analysis &analysis, long k) const;
  /// The same before an interval of a step that is cut.
  void begin_interval(Analysis &analysis, double from, double to) const;

  // A step.
  bool follows_each_step(const Analysis &analysis) const;
  /// The state with the acceleration that the energy balance needs; and whether it needs another than the scheme carries.
  State booked(const Analysis &analysis) const;
  bool needs_acceleration(const Analysis &analysis) const;
  /// A step whose parts enter the energy balance one by one, cut at these times.
  StepReport divided_step(Analysis &analysis, const std::vector<double> &cuts);
  StepReport intervals_of_step(Analysis &analysis, const std::vector<double> &cuts, const AdaptiveStep::Account &account);
  /// Energy balance of the step from `before`; `energy`: that of the new state counts, too; `finite`: the state is checked. Errors:
  /// ComputationError, and the state is `before` again.
  void account_for_step(Analysis &analysis, const StepReport &report, bool divided, bool energy, bool finite);
  /// Warns, once, of plastic strain that grows too much in a step of an implicit scheme.
  void look_at_flow(Analysis &analysis) const;
  /// Errors: ComputationError for an inverted cell and, thoroughly, for an energy or a velocity that is not finite.
  static void check_finite(const Analysis &analysis, const StepReport &report, bool thoroughly);
  bool evaluates_energy(const Analysis &analysis, bool last) const;
  void start_alarm(Analysis &analysis) const;
  void project(Analysis &analysis);

  Entries entries;
  std::vector<LoadJump> jumps;
  std::vector<TableSteps> tables_to_meet;
  State before;  ///< the present step, where someone compares both of its ends
  StepsWithinReach steps;
  bool keep = true, looked = true;  ///< `before` is wanted; the energy of the last step was computed
};
}  // namespace symdyn
