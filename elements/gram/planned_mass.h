#pragma once
#include "elements/gram/gram_term.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// Adds the mass of an element to its sites. A consistent one is the lumped one and the difference, of pairs of sites.
void add_mass(const PlannedElement &element, bool consistent, PartInSystem &part);
}  // namespace symdyn
