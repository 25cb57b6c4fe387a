#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solver/verify/measures.h"
#include "solver/verify/subject.h"

namespace symdyn
{
enum class Verdict
{
  kept,
  broken,
  not_promised,
  not_applicable
};
/// "kept", "broken", "not promised", "not applicable"
std::string name_of(Verdict verdict);

/// One property of one scheme: what was measured and what it says.
struct Finding
{
  std::string scheme, property;
  bool promised = false;
  Verdict verdict = Verdict::not_applicable;
  double value = 0, limit = 0;  ///< NaN: none
  std::string reason;
  std::string expected = "";  ///< of a control: "kept", "lost", "h^5"
};

/// Histories for the plots.
struct SchemeHistory
{
  std::string scheme;
  RunHistory run;
  std::vector<bool> symmetric;  ///< which momenta V and the supports keep
  bool canonical = false;       ///< the momenta and the form are those of its own variables
};

struct VerifyOptions
{
  std::string scheme;  ///< "" that of the deck; "all"
  int steps = 200;
  std::string report;      ///< folder
  bool overwrite = false;  ///< what an earlier report left in it
};

/// Whether schemes keep what they promise, on the structure of a deck and on a built-in system where they can fail.
class Verification
{
public:
  /// Errors: InputError of the deck and the options.
  Verification(const Deck &deck, const VerifyOptions &options);
  /// Measures, prints, writes. exit_done, or exit_promise if a promise is broken or a control does not fail as it must.
  int run();

private:
  void verify(const std::string &scheme);
  bool allowed(const std::string &scheme, const MechanicalSystem &(VerifySubject::*system)() const, VerifySubject *&subject,
               std::unique_ptr<Integrator> &integrator, std::string &why);
  void add(std::vector<Finding> found);
  void add_memory(const std::string &scheme, Integrator &integrator, const VerifySubject &where, const MechanicalSystem &system, int steps);

  Deck deck;
  VerifyOptions options;
  std::size_t most_dofs = 0;
  std::unique_ptr<VerifySubject> subject, lumped;
  std::vector<std::string> schemes;
  std::vector<Finding> findings, controls;
  std::vector<SchemeHistory> histories;
};

constexpr double order_tolerance = 0.15;
constexpr double neighbours_limit = 1e-5;  ///< of the form on differences of runs: their rounding, with a margin
constexpr double exact_per_step = 1e-12;   ///< momenta, energy, equal schemes: Newton's tolerance, with a margin

/// All properties of a scheme on a subject.
class SchemeCheck
{
public:
  /// `seconds`: wall time after which a run is cut short.
  SchemeCheck(std::string name, const Integrator &integrator, const VerifySubject &subject, int steps,
              double seconds = std::numeric_limits<double>::infinity());
  std::vector<Finding> findings;
  SchemeHistory history;

  /// Measures all; what a property throws becomes its finding.
  void run();
  /// With the deck's damping.
  void run_damped(const Integrator &integrator);

private:
  bool too_slow();
  /// Runs, with halves of h while the scheme fails.
  void settle_step();
  void property(const std::string &name, bool promised, const std::function<void(Finding &)> &measure);
  void set(Finding &finding, double value, double limit, const std::string &reason = "") const;
  void order(Finding &finding) const;
  void judge_order(Finding &finding, const MeasuredOrder &order, int promised, const Trial &of) const;
  void form(Finding &finding) const;
  void neighbours(Finding &finding) const;
  void one_step_form(Finding &finding) const;
  void tangent(Finding &finding) const;
  EnergyTrend trend_of_longer_run(int times) const;
  void momenta(Finding &finding, char kind, Where where) const;
  void energy(Finding &finding) const;
  void energy_bounded(Finding &finding) const;
  void damping_rate(Finding &finding, const MeasuredDissipation &measured, int promised_order) const;
  /// Those of the table that are about systems with or without damping.
  void equivalences(const Trial &of, bool damped);

  const VerifySubject &subject;
  Trial trial;
  Promise promise;
  bool moving = false;
  int wanted_steps = 0;
  std::string run_failed;
};

/// How two schemes are the same.
enum class Likeness
{
  same,          ///< q and v
  shadow,        ///< memory["q_newmark"] of the first is q of the partner, and v is v
  interpolated,  ///< (1 - alpha) q_k + alpha q_k+1 of the first are positions of the partner
  adjoint        ///< the partner with -h leads back
};

/// Another scheme that must give the same.
struct Equivalence
{
  std::string scheme, settings, partner, partner_settings;
  Likeness likeness = Likeness::same;
  bool linear_only = false;
  bool damped = false;  ///< with the deck's damping; else without
  double alpha = 0.;    ///< of Likeness::interpolated
};
const std::vector<Equivalence> &equivalences();
/// Distance of the two after `trial.steps` steps of the trial's h, relative to the way. Errors: ComputationError.
double unlikeness(const Equivalence &pair, const Integrator &first, const Integrator &second, const Trial &trial);
/// A scheme with parameters as a deck gives them ("set beta = 0.25\n"). Errors: InputError.
std::unique_ptr<Integrator> scheme_with(const std::string &name, const std::string &settings, const MechanicalSystem &system,
                                        const Newton &newton);

/// The built-in table of schemes on Particles::pendulum that must fail in a known way, and their neighbours that must not.
std::vector<Finding> run_controls();

/// Terminal tables, verify.json, SVG plots and index.html.
struct VerifyReport
{
  std::string deck;
  std::vector<std::string> remarks;
  const std::vector<Finding> &findings, &controls;
  const std::vector<SchemeHistory> &histories;
  double h = 0;
  int steps = 0;
  std::size_t dofs = 0;

  std::string terminal(bool wide) const;  ///< wide: schemes as rows; else a list
  std::string json() const;
  std::string page() const;                                        ///< self-contained HTML
  std::vector<std::pair<std::string, std::string>> plots() const;  ///< file name, SVG
};
}  // namespace symdyn
