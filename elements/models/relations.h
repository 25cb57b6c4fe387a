#pragma once
#include <vector>

#include "elements/system/assembled_system.h"
#include "solver/deck/formula/expression.h"

namespace symdyn
{
/// Equations with their sums, and the couplings of the system, beside what its supports leave. Errors: InputError for a point without mass
/// that no relation moves.
AssembledSystem::Relations relations_of(const AssembledSystem::Parts &system, std::vector<SiteRelation> equations = {},
                                        std::vector<Expression> sums = {}, const std::vector<SiteRelations::Massless> &massless = {});

/// Multipliers of the couplings of a system, from what holds each site, R = f_int + C v + M a - f_applied [N], of which the forces of all
/// relations are taken: what is left are those of supports.
std::vector<double> take_couplings(const AssembledSystem::Parts &system, Vector &R);
}  // namespace symdyn
