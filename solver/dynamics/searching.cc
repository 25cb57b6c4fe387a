#include "solver/searching.h"

#include <fmt/format.h>

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

StepReport step_within_reach(const MechanicalSystem &system, State &state, const std::function<StepReport()> &step)
{
  const Searching *neighbours = searching(system);
  if (!neighbours)
    return step();
  const State before = state;
  Vector dq;
  const auto reach = [&](const Vector &from) {
    dq = state.q;
    dq -= before.q;
    dq.update_ghost_values();
    return neighbours->within_reach(from, dq);
  };
  StepReport report = step();
  if (reach(before.q) < 1.)
  {
    state = before;
    neighbours->search(before.q);
    report = step();
    if (const double part = reach(before.q); part < 1.)
    {
      Vector end = before.q;
      end.add(part, dq);
      end.update_ghost_values();
      const std::string why = diagnose(system, end);
      state = before;
      if (!why.empty())
        throw ComputationError(fmt::format("step {}, t = {:.6g} s: {}", before.n + 1, before.t, why));
      throw ComputationError(fmt::format(
          "step {}, t = {:.6g} s: bodies move farther in a step or increment than the margin of the search for neighbours allows ({:.3g} of the "
          "way), or slide by more than half a face in a contact by segments. Take smaller ones",
          before.n + 1, before.t, part));
    }
  }
  constexpr int regularly = 10;  // steps, for bodies that fly far
  if (state.n % regularly == 0 || reach(state.q) < 1.)
    neighbours->search(state.q);
  return report;
}
}  // namespace symdyn
