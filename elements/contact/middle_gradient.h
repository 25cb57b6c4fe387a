#pragma once
#include <vector>

#include "elements/space.h"
#include "elements/term.h"

namespace symdyn
{
/// f += the discrete gradient V'(q_m) + (V1 - V0 - V'(q_m).dq)/(z.z) z of a term whose V does not change with translations and rotations of
/// these sites: q_m is the middle, z = dq less its part along translations and rotations of all sites about the middle, so that V, P and J
/// are kept. Its matrix is V''/2 of the middle. Returns what add_force() says of the middle. Collective.
double add_middle_gradient(const Term &term, const Space &space, const std::vector<int> &sites, const At &at, Vector &f);

/// (at.previous + at.q)/2, with ghost values.
Vector middle_of(const At &at);
}  // namespace symdyn
