#pragma once
#include <functional>
#include <string>

#include "solver/integrator.h"

namespace symdyn
{
/// Of systems with forces between bodies that come near: neighbours are searched between steps, with a margin within which the forces are
/// right. Schemes do not know of it; their equations ask it how far an iterate may go.
class Searching
{
public:
  virtual ~Searching() = default;
  /// Whether any force needs it.
  virtual bool searches() const = 0;
  /// Finds the neighbours about q, by q alone. Collective.
  virtual void search(const Vector &q) const = 0;
  /// The part of the motion from q to q + dq for which the last search holds, at most 1. Collective.
  virtual double within_reach(const Vector &q, const Vector &dq) const = 0;
  /// The part of it on which bodies do not meet, at most 1. Collective.
  virtual double free_part(const Vector &q, const Vector &dq) const = 0;
  /// How far places may move from q within a convex set of states, so that ways between two of them are within reach and free [m]; at most
  /// 0: q is not known to be in it. Collective.
  virtual double slack(const Vector &q) const = 0;
  /// Why the last search does not hold on the way from q to q + dq, or "". Collective.
  virtual std::string refusal(const Vector &q, const Vector &dq) const = 0;
};

/// nullptr: the system does not search.
const Searching *searching(const MechanicalSystem &system);
/// Finds the neighbours about q, where the system searches. Collective.
void search_about(const MechanicalSystem &system, const Vector &q);
/// Steps one after another. Memory for their copies of the state.
class StepsWithinReach
{
public:
  /// Takes a step from `state`. One that leaves the reach of the last search is repeated after another search; after a step that the next
  /// one like it would leave it, too, neighbours are searched at once. Errors: ComputationError for a step that is longer than the margin;
  /// then the state is as before.
  /// `called`: the step, in these; "": by its number and time.
  StepReport take(const MechanicalSystem &system, State &state, const std::function<StepReport()> &step, const std::string &called = "");

private:
  bool are_several = false;
  State before;
  Vector dq;
};
/// A single one.
inline StepReport step_within_reach(const MechanicalSystem &system, State &state, const std::function<StepReport()> &step,
                                    const std::string &called = "")
{
  return StepsWithinReach().take(system, state, step, called);
}
}  // namespace symdyn
