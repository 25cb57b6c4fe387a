#pragma once
#include <string>

#include "solver/base/units.h"
#include "solver/history.h"

namespace symdyn
{
/// Increments in which plastic strain grows so much that the direction of flow, which is that of their end, is wrong.
class FlowWatch
{
public:
  static constexpr double most = 0.5;  ///< growth of p in one increment [-]

  /// What is wrong with the increment that made this history, as the start of a sentence; or "". `limit`: of the growth of p, of the deck.
  /// Collective.
  static std::string large_flow(const MechanicalSystem &system, const HistoryPointer &history, const Units &units = {},
                                double limit = most);
  /// Once.
  void warn(const std::string &text);

private:
  bool told = false;
};
}  // namespace symdyn
