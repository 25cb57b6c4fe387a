#pragma once
#include "elements/site_plan.h"

namespace symdyn
{
/// Warns of ends of beams that lie within the thickness of a shell and share no node with it: they move without each other. Once all parts
/// have planned.
void warn_of_loose_ends(SitePlan &plan);
}  // namespace symdyn
