#pragma once
#include "elements/gram/gram_term.h"
#include "elements/structure_part.h"

namespace symdyn
{
/// Adds the mass of an element to its sites: the lumped one, and what is missing to the model's, of pairs of sites. `nodes`: of the
/// element, whose nodal vectors are places, then directors of each order.
void add_mass(const PlannedElement &element, int nodes, PartInSystem &part);
/// Changes the consistent mass of an element to one that is lumped at its nodes: the block of each node, times the lumped over the
/// consistent mass of its place; empty where the blocks are diagonal. The centre of mass of an eccentric section stays where it is.
void lump_at_nodes(int nodes, GramModel &model);
}  // namespace symdyn
