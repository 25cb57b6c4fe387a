#pragma once
#include <optional>

#include "elements/term.h"
#include "solver/failed_point.h"

namespace symdyn
{
/// Of terms that evaluate laws with a memory at points.
class FailingPoints
{
public:
  virtual ~FailingPoints() = default;
  /// A point of this rank without a finite stress at at.q, in the increment from at.from of length at.dt.
  virtual std::optional<FailedPoint> failed_point(const At &at) const = 0;
};
}  // namespace symdyn
