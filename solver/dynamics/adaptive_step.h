#pragma once
#include <functional>
#include <string>

#include "solver/integrator.h"

namespace symdyn
{
class Archive;
class Parameters;

/// Divides the steps H of a dynamic stage where that is needed, into parts H/2^k that end where the steps end: rows, frames and checkpoints
/// stay where they are, and H is the largest step. A step that is cut at points of tables is given interval by interval: H is then the
/// length of the interval, and the length that the error asks for goes on from one to the next.
///     Adaptive          each part is judged by its local error and repeated with a smaller one, until the error is below the tolerance
///     Halve on failure  a part whose equations are not solved is repeated with half of it
/// Both halve a part of an implicit scheme in which plastic strain grows by more than FlowWatch::most.
/// The local error compares q1 of the scheme with the formula that is exact for a linear acceleration (Zienkiewicz and Xie 1991, eq. 13),
///     e = q1 - [q0 + h v0 + h² (a0/3 + a1/6)]                         = (beta - 1/6) h² (a1 - a0) for Newmark,
/// of third order in h. It is measured by its largest free component, over the largest component of q so far. After a rejection h goes down
/// by the power of two that e ~ h³ asks for; it doubles, where a part of twice its length can begin, if e would then be below half of the
/// tolerance. Change of h gives up the symplectic form and whatever follows from it.
class AdaptiveStep
{
public:
  void declare(Parameters &p);
  bool on() const { return adaptive || cut_back; }
  /// Errors: InputError if the scheme has no such estimate, or `step` (0: not known yet) is below the smallest one. Warns of what is given
  /// up.
  void check(const MechanicalSystem &system, const Integrator &integrator, const std::string &scheme, double step) const;
  /// At the start of a stage, and before load(). Errors: InputError if `step` is below the smallest one.
  void begin(double step);

  /// What is done with each part that is accepted: its length, both of its ends, and how it was solved.
  using Account = std::function<void(double h, const State &before, const State &after, const StepReport &report)>;
  /// A step H, or an interval of one, its last if it `ends`; state.n counts a step once. Errors: ComputationError if the smallest part
  /// fails too; then the state is some state on the way.
  StepReport advance(const MechanicalSystem &system, const Integrator &integrator, State &state, double H, const Account &account,
                     bool ends = true);

  bool follows_error() const { return adaptive; }
  /// The part of the largest value of a table by which steps may differ from it: that of the error.
  double table_tolerance() const { return tolerance; }

  double length() const { return last; }          ///< of the last part [s]
  int max_newton() const { return most_newton; }  ///< iterations with a new tangent in one part of the last step
  /// "12 steps in 40 parts, ...": for the log at the end of a stage; or "".
  std::string summary_line() const;
  void save(Archive archive) const;
  void load(const Archive &archive);

  /// The largest free component of e [m].
  static double local_error(const MechanicalSystem &system, double h, const State &before, const Vector &a0, const State &after,
                            const Vector &a1);

private:
  struct Counts
  {
    long steps = 0, parts = 0, rejected = 0, failed = 0, beyond = 0;
  };
  double relative_error(const MechanicalSystem &system, const Integrator &integrator, double h, const State &before, const State &after);
  bool try_part(const MechanicalSystem &system, const Integrator &integrator, double h, int &level, int finest, State &trial,
                StepReport &report);
  bool judge(double error, double t, int &level, int finest);
  void note_part(double h, const StepReport &report);
  void note_failure(double t, double h, const std::string &what);

  bool adaptive = false, cut_back = false;
  double tolerance = 1e-3, smallest = 0, reference = 0;
  std::string where_smallest, where;
  int finest = 0;                ///< parts of a whole step are not shorter than H/2^finest
  double whole = 0, wanted = 0;  ///< a whole step; the length that the next part is to have [s]
  double last = 0, largest_q = 0, shortest = 0, worst = 0;
  int most_newton = 0;
  bool within = false;  ///< a step, which is given in intervals
  bool failure_said = false;
  Counts counts;
};
}  // namespace symdyn
