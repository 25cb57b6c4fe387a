#include "solver/dynamics/flow_watch.h"

#include <fmt/format.h>

#include <utility>

#include "solver/base/log.h"

namespace symdyn
{
std::string FlowWatch::large_flow(const MechanicalSystem &system, const HistoryPointer &history, const Units &units, const double limit)
{
  const Remembering *laws = history ? remembering(system) : nullptr;
  if (!laws)
    return "";
  const FlowPlace largest = laws->place_of_flow(history);  // springs and sections of beams flow along one axis, by an exact rule
  if (!(largest.growth > limit))
    return "";
  std::string place;
  for (const double x : largest.place)
    place += fmt::format("{}{:.4g}", place.empty() ? "" : ", ", x);
  return fmt::format("plastic strain grows by {:.3g} in one increment in the cell around X = ({}){}, more than {:g}{}", largest.growth,
                     place, Units::after(units.length), limit, limit < most ? " (Largest flow)" : ": the direction of flow is inaccurate");
}

void FlowWatch::warn(const std::string &text)
{
  if (!std::exchange(told, true))
    log_warning(text);
}
}  // namespace symdyn
