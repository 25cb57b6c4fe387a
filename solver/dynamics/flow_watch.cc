#include "solver/dynamics/flow_watch.h"

#include <fmt/format.h>

#include <utility>

#include "solver/base/log.h"

namespace symdyn
{
std::string FlowWatch::large_flow(const MechanicalSystem &system, const HistoryPointer &history, const Units &units)
{
  const Remembering *laws = history ? remembering(system) : nullptr;
  if (!laws)
    return "";
  const double growth = laws->spent(history).last_flow;
  if (!(growth > most))
    return "";
  std::string place;
  for (const double x : laws->place_of_flow(history))
    place += fmt::format("{}{:.4g}", place.empty() ? "" : ", ", x);
  if (!place.empty())
    place = fmt::format(" in the cell around X = ({}){}", place, Units::after(units.length));
  return fmt::format("plastic strain grows by {:.3g} in one increment{}, more than {:g}: the direction of flow is inaccurate", growth,
                     place, most);
}

void FlowWatch::warn(const std::string &text)
{
  if (!std::exchange(told, true))
    log_warning(text);
}
}  // namespace symdyn
