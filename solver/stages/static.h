#pragma once
#include <fmt/format.h>

#include <string>

#include "solver/base/counted.h"
#include "solver/newton.h"
#include "solver/stage.h"
#include "solver/stages/analysis.h"

namespace symdyn
{
class Equilibrium;

/// Equilibrium, by increments of the loads.
class Static : public Stage
{
public:
  std::string meaning() const override { return "equilibrium by load increments"; }
  void declare(Parameters &p) override;
  double declare_time(TimeSections &, const double start) override { return end = start + duration; }
  StageTraits traits() const override;
  void followed_by(const int such_stages) override { statics_after = such_stages; }

  void check(Analysis &analysis) override;
  void check_supports(Analysis &analysis) override;
  void begin(Analysis &analysis) override;
  void resume(Analysis &analysis, const Archive &archive) override;
  Progress advance(Analysis &analysis) override;
  bool is_complete(const Analysis &analysis) const override { return analysis.place.done >= increments; }
  long length() const override { return increments; }
  double frame_time(const Analysis &analysis) const override;
  std::string headline(const Units &) const override { return "static, " + counted(increments, "increment"); }

private:
  bool holds() const { return free_motions == "held"; }
  void warn_of_rest(Analysis &analysis) const;
  void warn_of_standing_unbalances(const Analysis &analysis) const;
  /// This part of the stage's loads acts.
  void reach(Analysis &analysis, double part) const;
  /// Errors: InputError for laws and their rates that the stage cannot have.
  void check_laws(const Analysis &analysis) const;
  /// From one part of the stage to another, in halves where Newton's method fails and the stage may be cut.
  void advance(Analysis &analysis, double from, double to, int cuts);
  void divide(Analysis &analysis, double from, double to, int cuts);
  /// For messages.
  std::string increment_name(const double to) const { return fmt::format("stage {}, {:.6g} of its loads", name, to); }
  /// Equilibrium at the present time and load factor, laws taken on from the history of the state over this part of the stage.
  StepReport try_step(Analysis &analysis, double from, double to, bool may_halve, NewtonReport &report);
  StepReport step(Analysis &analysis, double from, double to, bool may_halve, NewtonReport &report);
  /// Of a system in an increment; notes the negative eigenvalues of its last tangent.
  NewtonReport solve(Analysis &analysis, const MechanicalSystem &system, double part, const std::string &increment, bool may_halve);
  /// q at the start of Newton's method, for an increment of this part of the stage.
  void choose_start(const Analysis &analysis, const MechanicalSystem &system, double part, Equilibrium &equilibrium, Vector &q);
  void keep_rate(const Vector &before, double part, State &state) const;
  /// |dq|/d(part of the stage) of an increment, which grows without bound towards a limit load.
  void note_compliance(const Vector &before, double part, const Vector &q);
  /// Behind a text, after an increment that was cut as often as may be, or may not be cut: how far the stage has come, and whether a limit
  /// load is near.
  std::string limit_in_words(const Analysis &analysis, std::string text, double reached, int cuts) const;
  /// Where the tangent has more negative eigenvalues than at any increment before.
  void warn_of_instability(double from, double to);
  void warn_of_small_load(const Analysis &analysis, double part, const NewtonReport &report) const;
  void warn_of_size(const Analysis &analysis);
  struct Energies
  {
    double potential, work, error;  ///< [J]
  };
  /// Where the work of an increment is not what the energy changed by: on the path of equilibrium the trapezoidal rule leaves a few
  /// hundredths (Stages.AJumpIsTold). A warning once a stage; the certificate has the sum.
  void warn_of_jump(Analysis &analysis, double from, double to, const Energies &before, const State &start);
  bool was_at_rest(Analysis &analysis, double from, double to, const State &start) const;

  /// Where plastic strain grew too much in an increment: an error if it may still be halved, else a warning, once.
  void look_at_flow(Analysis &analysis, bool may_halve) const;

  std::string free_motions = "refused";
  int increments = 1;
  bool cut = false, ramp = true, extrapolate = true, heats = true, rates = true, rates_given = false;
  double duration = 0, end = 0;           ///< [s]
  double largest_flow = FlowWatch::most;  ///< growth of plastic strain in an increment [-]
  int statics_after = 0;
  std::vector<std::string> unbalances;  ///< of the deck
  bool tangent_checked = false, jumped = false, extrapolated = false;
  double largest_force = 0;                          ///< of all nodes so far [N], while the stage holds free motions
  double largest_plausible = 0;                      ///< displacement [m]; 0: not yet known, infinite: it has been reported
  double first_compliance = 0, last_compliance = 0;  ///< |dq|/d(part of the stage) [m]; 0: not yet known
  long negatives = -1, most_negatives = 0;           ///< eigenvalues of the last tangent, and of all; -1: nothing counts them
};
}  // namespace symdyn
