#pragma once
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

/// Whether a load has this force `now` at other times, too, as an amplitude must.
bool is_constant_load(const MechanicalSystem &system, std::size_t load, double t, const Vector &q, const Vector &now);
}  // namespace symdyn
