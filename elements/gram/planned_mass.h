#pragma once
#include "elements/gram/gram_term.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// Adds the mass of an element to its sites: the lumped one, and what is missing to the consistent one, of pairs of sites.
void add_mass(const PlannedElement &element, PartInSystem &part);
}  // namespace symdyn
