#pragma once
#include <string>

#include "solver/stage.h"
#include "solver/structure_places.h"

namespace symdyn
{
struct Analysis;

/// A component of the displacement of a place, as an entry Probe names it.
struct Probed
{
  StructurePlace place;
  int axis = 0;
  /// From `rest` to q [m]. Collective.
  double displacement(const Vector &q, const Vector &rest) const;
  /// Of a field [m]. Collective.
  double of(const Vector &u) const;
};

/// PLACE.AXIS of a probe or point. Errors: InputError that lists the names.
Probed probed(const Analysis &analysis, const Stage &stage, const std::string &label);
}  // namespace symdyn
