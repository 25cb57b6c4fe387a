#pragma once
#include <string>

#include "solver/mechanical_system.h"

namespace symdyn
{
constexpr const char *load_of_frame = "rotation";  ///< the centrifugal load among the loads of a system

/// A system whose frame may turn: displacements are those that are seen in the frame.
class Spinning
{
public:
  virtual ~Spinning() = default;
  /// Where the deck says so; "": it rests.
  virtual std::string where_turning() const = 0;
  /// How strongly the centrifugal load acts: 1 in full.
  virtual double centrifugal() const = 0;
};

/// nullptr: its frame rests.
inline const Spinning *spinning(const MechanicalSystem &system)
{
  const auto *frame = dynamic_cast<const Spinning *>(&system);
  return frame && !frame->where_turning().empty() ? frame : nullptr;
}
}  // namespace symdyn
