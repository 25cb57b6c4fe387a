#pragma once
#include <string>
#include <vector>

#include "solver/vector.h"

namespace symdyn
{
struct Analysis;
class MechanicalSystem;
class Stage;

/// Which loads act in which stage.
class LoadProgramme
{
public:
  /// Of the present stage, by the number of the load.
  const std::vector<bool> &acting() const { return act; }
  /// Before the first stage none acts.
  void reset(const Analysis &analysis);
  /// Goes on to a stage, without a word. A perturbation leaves loads as they are.
  void enter(const Analysis &analysis, const Stage &stage);
  /// The same in a run: the system takes the loads, and the log has what comes and goes.
  void begin(Analysis &analysis, const Stage &stage);
  /// Errors: InputError for names of loads that there are not.
  static void check(const Analysis &analysis, const Stage &stage);
  /// A warning of loads that act in no stage.
  static void warn_of_idle(const Analysis &analysis);

private:
  std::vector<bool> act;
};

/// The number of a load that a stage brings about a state at rest. `use`: "be random"; `of_weights`: what a weight is instead. Errors:
/// InputError, from `where`, for loads that there are not, that act already, or that are weights.
std::size_t resting_load(const Analysis &analysis, const std::string &where, const std::string &name, const std::string &use,
                         const std::string &of_weights);
/// Its force [N]. Errors: InputError for one that is zero, or changes with time.
Vector constant_load(const Analysis &analysis, const std::string &where, const std::string &name);

/// Whether a load has this force `now` at other times, too, as an amplitude must.
bool is_constant_load(const MechanicalSystem &system, std::size_t load, double t, const Vector &q, const Vector &now);
}  // namespace symdyn
