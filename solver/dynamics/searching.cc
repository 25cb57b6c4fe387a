#include "solver/searching.h"

#include <fmt/format.h>

#include <utility>

#include "solver/error.h"
#include "solver/history.h"

namespace symdyn
{
const Searching *searching(const MechanicalSystem &system)
{
  const auto *one = dynamic_cast<const Searching *>(&whole(system));
  return one && one->searches() ? one : nullptr;
}

void search_about(const MechanicalSystem &system, const Vector &q)
{
  if (const Searching *neighbours = searching(system))
    neighbours->search(q);
}

namespace
{
/// Why a step by dq goes no farther than a part of it.
std::string refusal(const MechanicalSystem &system, Vector q, const Vector &dq, const double part)
{
  if (const std::string why = searching(system)->refusal(q, dq); !why.empty())
    return why;
  q.add(part, dq);
  q.update_ghost_values();
  const std::string why = diagnose(system, q);
  return !why.empty() ? why
                      : fmt::format(
                            "bodies move farther in a step or increment than the margin of the search for neighbours allows ({:.3g} of "
                            "the way). Take smaller ones",
                            part);
}
}  // namespace

StepReport StepsWithinReach::take(const MechanicalSystem &system, State &state, const std::function<StepReport()> &step,
                                  const std::string &called)
{
  const Searching *neighbours = searching(system);
  if (!neighbours)
    return step();
  before = state;
  dq.reinit(state.q, true);
  const auto reach = [&](const Vector &from) {
    dq.zero_out_ghost_values();
    dq.equ(1., state.q);
    dq.add(-1., before.q);
    dq.update_ghost_values();
    return neighbours->within_reach(from, dq);
  };
  // Within a step other ways may be looked at, and change what is known: the first step, which may be the only one, looks at its own.
  const double slack_before = std::exchange(are_several, true) ? neighbours->slack(before.q) : 0.;
  StepReport report = step();
  const double slack = slack_before > 0. ? neighbours->slack(state.q) : 0.;
  if (!(slack > 0.) && reach(before.q) < 1.)
  {
    state = before;
    neighbours->search(before.q);
    report = step();
    if (const double part = reach(before.q); part < 1.)
    {
      state = before;
      throw ComputationError((called.empty() ? fmt::format("step {}, t = {:.6g} s", before.n + 1, before.t) : called) + ": " +
                             refusal(system, before.q, dq, part));
    }
  }
  constexpr int regularly = 10;  // steps, for bodies that fly far
  constexpr double more = 2.;    // than this step has used
  const bool enough_is_left = slack > 0. && slack > more * (slack_before - slack);
  if (state.n % regularly == 0 || (!enough_is_left && reach(state.q) < 1.))
    neighbours->search(state.q);
  return report;
}
}  // namespace symdyn
