#pragma once
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/parameters.h"

namespace symdyn
{
struct Analysis;
class Archive;
class Integrator;
class MechanicalSystem;
class Newton;
struct State;
struct Units;

/// Properties of a stage that a run uses. No code outside solver/stages tests for the type of a stage.
struct StageTraits
{
  bool in_time = false;                ///< a motion; else equilibria, or a perturbation
  bool perturbation = false;           ///< looks at a state without changing it
  bool ramps = false;                  ///< loads and supports of the stage come with its increments
  bool linear = false;                 ///< is about the state it starts from; the system must be linear there
  bool of_sectors = false;             ///< serves a sector with cyclic symmetry, too
  bool solves_newton = false;          ///< by the deck's section Newton
  bool needs_tangent = true;           ///< matrices
  bool solves_complex = false;         ///< harmonic equations of all degrees of freedom
  int modes = 0;                       ///< as many are looked for
  bool unbalances = false;             ///< drives with those of a rotor
  std::vector<std::string> spectra{};  ///< names of the sections of Spectra that it uses
  bool may_end_early = false;          ///< before the time that the deck gives: nothing can follow
  bool takes_no_time = false;          ///< a static stage without Duration
  bool is_static() const { return !in_time && !perturbation; }
};

/// How a stage in time steps.
struct TimeStepping
{
  std::string scheme;
  double step = 0, start = 0, end = 0;  ///< [s]; step 0: not known yet
  std::shared_ptr<Integrator> integrator;
  std::shared_ptr<Parameters> parameters;  ///< of the scheme
  bool chosen = true;                      ///< by the deck; no: the stage has a scheme of its own
  long steps() const;
};

/// Where a stage in time finds its entries: in sections Time and Integrator of its own, or in those at the root of the deck.
struct TimeSections
{
  Parameters root, own;
  const Newton *newton;
  bool time_used = false, integrator_used = false;  ///< those at the root
};

enum class Progress
{
  more,  ///< as long as the stage is not complete
  ended  ///< the stage is over, in one piece or before its end: a checkpoint here could not be resumed
};

/// A stage of a run: what a section of Stages describes. Registered by name, a file a type: SYMDYN_REGISTER(Stage, ...). A run calls
/// declare(), declare_time() when it reads the deck, check() when the model is built, then begin() or, after a restart, resume(); and
/// advance() until it is complete or ended, and end(). Errors of all: InputError, ComputationError.
class Stage
{
public:
  virtual ~Stage() = default;

  std::string name, type;                         ///< of its section; of the registry
  std::string where;                              ///< its section, for errors
  std::shared_ptr<const Parameters> entries;      ///< of its section; null: the deck has none
  std::vector<std::string> loads;                 ///< that act in it; empty: the type's default
  std::vector<std::string> supports;              ///< that hold in it; empty: all
  std::optional<std::vector<std::string>> apart;  ///< contacts that do not act in it; no value: as in the stage before

  /// For errors: the entry with its line and value, or its name where the deck does not give it.
  std::string at(const std::string &entry) const { return entries && entries->given(entry) ? entries->where(entry) : where + " " + entry; }

  /// Half a sentence for the help of Stages/<name>/Type.
  virtual std::string meaning() const = 0;
  /// Entries of its section, beside Type, Loads and Supports.
  virtual void declare(Parameters &) {}
  /// The stage begins at this time [s]; returns the time at which it ends.
  virtual double declare_time(TimeSections &, double start) { return start; }
  virtual StageTraits traits() const = 0;
  virtual const TimeStepping *stepping() const { return nullptr; }
  /// Number of stages without duration between this one and the next motion; it places the frames of this stage on the time axis.
  virtual void followed_by(int /*such_stages*/) {}

  virtual void check(Analysis &) {}
  /// The same with the supports of this stage active in the system. Called only where supports change from stage to stage.
  virtual void check_supports(Analysis &) {}
  virtual void begin(Analysis &) {}
  /// One step, increment or frequency; Analysis::place.done counts them.
  virtual Progress advance(Analysis &) = 0;
  /// Whether all its steps are done; also after a restart.
  virtual bool is_complete(const Analysis &) const { return false; }
  /// Whether a run checks for signals and the wall time limit after this step; the check costs a reduction over the ranks.
  virtual bool may_stop() const { return true; }
  /// The run stops before the stage is complete.
  virtual void stop(Analysis &) {}
  virtual void end(Analysis &) {}
  /// What a restart within the stage needs. load(): when the checkpoint is read; resume(): in place of begin(), when the model stands at
  /// its state.
  virtual void save(const Analysis &, Archive &) const {}
  virtual void load(const Analysis &, const Archive &) {}
  virtual void resume(Analysis &, const Archive &) {}

  /// Steps or increments in all; the largest number where that is not known.
  virtual long length() const { return std::numeric_limits<long>::max(); }
  /// Where its present frame stands on the axis of time [s].
  virtual double frame_time(const Analysis &analysis) const;
  /// "static, 5 increments", for the log.
  virtual std::string headline(const Units &) const { return type; }
};
}  // namespace symdyn
